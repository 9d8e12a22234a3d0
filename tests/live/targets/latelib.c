// SPDX-License-Identifier: GPL-2.0-only
/*
 * latelib.c - a library that late.c loads: its constructor, and what is called
 * while it is being relocated, must be seen, too.
 */
#include "processor.h"

/* Its own breakpoint, for own.c. */
__asm__(".text\n"
	".globl late_breakpoint\n"
	".type late_breakpoint,@function\n"
	"late_breakpoint: " ASM_BREAK "\n"
	"ret\n"
	".size late_breakpoint,.-late_breakpoint\n");

int late_count;
int probed_late(int x);
int late_chosen(void);

__attribute__((noinline, used)) int probed_late(int x)
{
	late_count++;
	return x + 1;
}

/* Not through the linkage table, which is not filled at that time. */
__attribute__((noinline, used)) static int probed_resolver_calls(void)
{
	return 5;
}

static int one(void)
{
	return 1;
}

__attribute__((used)) static int (*choose(void))(void)
{
	return probed_resolver_calls() == 5 ? one : 0;
}

int late_chosen(void) __attribute__((ifunc("choose")));

__attribute__((constructor)) static void start(void)
{
	probed_late(0);
	late_count += late_chosen() - 1;
}
