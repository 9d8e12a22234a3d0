// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop.c - calls of a probed function, timed in the traced program itself, so
 * that no contender's start or end is counted.
 */
#include "loop.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define MAX_BURSTS 1000

/* In assembly: which instruction comes first is the point. */
__asm__(".text\n"
	".globl bench_push\n"
	".type bench_push,@function\n"
	"bench_push:\n"
	"	pushq %rbp\n"
	"	movq %rsp,%rbp\n"
	"	leal 1(%rdi),%eax\n"
	"	popq %rbp\n"
	"	ret\n"
	".size bench_push,.-bench_push\n"
	".globl bench_lea\n"
	".type bench_lea,@function\n"
	"bench_lea:\n"
	"	leal 1(%rdi),%eax\n"
	"	ret\n"
	".size bench_lea,.-bench_lea\n"
	/* Far from the loop, as a page of slots is. */
	"	.balign 4096\n"
	".globl bench_slot\n"
	"bench_slot:\n"
	"	.fill 64,1,0xcc\n"
	".globl bench_trampoline\n"
	"bench_trampoline:\n"
	"	.fill 16,1,0xcc\n"
	"	.balign 4096\n");

static const struct {
	const char *name;
	int (*call)(int x);
} functions[] = { { "bench_push", bench_push }, { "bench_lea", bench_lea } };

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int run(int (*call)(int), unsigned int bursts, unsigned int calls)
{
	static double ns[MAX_BURSTS];
	unsigned int b, i;
	double start;
	int x = 0;

	for (b = 0; b < bursts; b++) {
		start = now_ns();
		for (i = 0; i < calls; i++)
			x = call(x);
		ns[b] = (now_ns() - start) / calls;
	}
	/* Not in between: writing is not what is measured. */
	for (b = 0; b < bursts; b++)
		printf("ns %.1f\n", ns[b]);
	fflush(stdout);
	return (unsigned int)x == bursts * calls ? 0 : 1;
}

int bench_loop(const char *function, unsigned int bursts, unsigned int calls)
{
	unsigned int i;

	if (bursts > MAX_BURSTS)
		return 2;
	for (i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(functions[i].name, function))
			return run(functions[i].call, bursts, calls);
	return 2;
}
