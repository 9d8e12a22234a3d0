/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loop.h - what every contender traces: calls of one small function, in bursts
 * whose time the program takes itself.
 */
#ifndef TESTS_BENCH_LOOP_H
#define TESTS_BENCH_LOOP_H

/* x + 1. They begin with `push %rbp` and with `lea 0x1(%rdi),%eax`. */
int bench_push(int x);
int bench_lea(int x);

/* Lengths of these instructions. */
#define BENCH_PUSH_LEN 1
#define BENCH_LEA_LEN 3

/* For tracers that map no memory: room for a copy and a jump, and a breakpoint. */
extern unsigned char bench_slot[], bench_trampoline[];

/*
 * Call the function of that name, `bursts` times `calls` times, then print one
 * line per burst: "ns" and the time of a call. Returns an exit status, not 0 if
 * a call gave a wrong result.
 */
int bench_loop(const char *function, unsigned int bursts, unsigned int calls);

#endif /* TESTS_BENCH_LOOP_H */
