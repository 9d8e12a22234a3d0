/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * process.h - look at processes that are traced, or are no more. All fail the
 * test if it is not so.
 */
#ifndef TESTS_LIVE_PROCESS_H
#define TESTS_LIVE_PROCESS_H

#include <sys/types.h>

/* The pid of the program that trapline launched: its only child. */
pid_t child_of(pid_t pid);
/* Wait until the program's first line, in the file "out", begins so. */
void wait_for_output(const char *start);
/* Wait until somebody traces it, whose outputs are in "tracer-". */
void wait_for_tracer(pid_t pid);
/* Wait until the first breakpoint is in `busy`, which says where its text is. */
void wait_for_breakpoint(pid_t pid);
/* Wait until it has been asleep for a while. */
void wait_for_sleep(pid_t pid);
/* As in /proc; '?' if its threads are in different ones. */
char state_of(pid_t pid);
/* Executable file mappings are byte for byte what the file has. */
void check_text(pid_t pid);
/* Every thread runs or sleeps, and nobody traces it. */
void check_free(pid_t pid);
/* A child of ours, or left to us by its parent: it ends well, having said so. */
void check_end(pid_t pid, const char *says);

#endif /* TESTS_LIVE_PROCESS_H */
