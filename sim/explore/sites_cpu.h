/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sites_cpu.h - the processor's part of sites.c: to trap at each instruction, and what
 * one accesses. One implementation for each processor.
 */
#ifndef SIM_EXPLORE_SITES_CPU_H
#define SIM_EXPLORE_SITES_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

typedef void (*note_access_fn)(uintptr_t addr, size_t size, bool reads,
			       bool writes);

/*
 * SIGTRAP at pc, to which a caller of ours returns, and perhaps before; from there
 * on it is up to cpu_step.
 */
void cpu_watch(uintptr_t pc);

/*
 * In the handler of that signal: call note() for what the instruction that is about
 * to run accesses, or the C library's function that it calls. False if it is the
 * last one to look at: a call, a return, or one that nothing is known of.
 */
bool cpu_look(const ucontext_t *context, note_access_fn note);

/* Then either: run it, and SIGTRAP before the next; or run on. */
void cpu_step(ucontext_t *context);
void cpu_stop(ucontext_t *context);

#endif /* SIM_EXPLORE_SITES_CPU_H */
