/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.h - addresses as people call them: uprobe#1.ref, hit.c:40.
 *
 * Strings live as long as the program. An address is named by the objects of
 * the engine's last run, so names of an earlier run's objects must have been
 * asked for before the next run begins.
 */
#ifndef SIM_EXPLORE_NAMES_H
#define SIM_EXPLORE_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct explore_step;

/*
 * What is size bytes wide at addr: an object of the heap with its number and
 * field, a global with its field, `THREAD.stack`. size 0: the object itself,
 * or its outermost member that begins there.
 */
const char *names_address(uintptr_t addr, unsigned int size);

/*
 * What an operation works on: names_address, or for create and join the other
 * thread's name. NULL if it works on nothing.
 */
const char *names_operand(const struct explore_step *step);

/*
 * A value of what is at addr (0: not known): an enumerator, `&object` or a
 * function for a pointer, decimal, -errno, else hex.
 */
void names_value(FILE *to, uintptr_t addr, uint64_t value, unsigned int size);

/* Function that pc (a return address) is in, or NULL. */
const char *names_function(const void *pc);

/* A function as its file calls it: trapline/plain.h renames a program's main. */
const char *names_own(const char *function);

/* A path as reports show it: inside the source tree, relative to it. */
const char *names_path(const char *path);

/*
 * The file and line that a call returns to at pc, as the compiler saw the file,
 * or NULL; inlined code of linux/ headers counts as where it is used.
 */
const char *names_place(const void *pc, int *line);

/*
 * The step's place and its callers, one line each, `indent` blanks in front.
 * Leaves out the explorer's own frames and the innards of linux/ headers.
 */
void names_stack(FILE *to, const struct explore_step *step, int indent);

#endif /* SIM_EXPLORE_NAMES_H */
