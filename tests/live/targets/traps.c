// SPDX-License-Identifier: GPL-2.0-only
/*
 * traps.c - a program with breakpoints and SIGTRAPs of its own.
 */
#include <signal.h>
#include <string.h>

#include "processor.h"
#include "target.h"

long probed_add(long a, long b);
ASM_FUNCTION(probed_add, ASM_ADD);
void own_breakpoint(void), after_breakpoint(void);
ASM_FUNCTION(own_breakpoint,
	     ASM_BREAK "\n"
		       ".globl after_breakpoint\n after_breakpoint:\n"
		       "ret");

static int raised, hit;

static void on_trap(int sig, siginfo_t *info, void *context)
{
	unsigned long *ip = context_ip(context);

	CHECK(probed_add(1, 2) == 3);
	if (info->si_code <= 0) {
		CHECK(info->si_pid == getpid());
		raised++;
		return;
	}
	CHECK(info->si_code == BREAK_CODE);
	*ip += BREAK_BEHIND;
	CHECK(*ip == (unsigned long)after_breakpoint);
	hit++;
}

int main(void)
{
	struct sigaction sa = { .sa_sigaction = on_trap,
				.sa_flags = SA_SIGINFO };
	int i;

	CHECK(!sigaction(SIGTRAP, &sa, NULL));
	for (i = 0; i < 100; i++) {
		CHECK(probed_add(i, i) == 2 * i);
		own_breakpoint();
		raise(SIGTRAP);
	}
	CHECK(raised == 100 && hit == 100);
	puts("own traps kept");
	return 0;
}
