// SPDX-License-Identifier: GPL-2.0-only
/*
 * frames.c - calls and returns that are not simply nested.
 */
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "processor.h"
#include "target.h"

static volatile int sink = 1000;

PROBED static long probed_factorial(long n)
{
	long r = n < 2 ? 1 : n * probed_factorial(n - 1);

	sink++; /* no tail call */
	return r;
}

/* Deeper than returns can be followed. */
PROBED static long probed_nested(long n)
{
	long r = n ? 1 + probed_nested(n - 1) : 0;

	sink++;
	return r;
}

/* Three functions, one return address. */
long probed_tail1(long n), probed_tail2(long n), probed_tail3(long n);
ASM_FUNCTION(probed_tail1, ASM_ONE_MORE_OF(probed_tail2));
ASM_FUNCTION(probed_tail2, ASM_ONE_MORE_OF(probed_tail3));
ASM_FUNCTION(probed_tail3, ASM_TWICE);

static jmp_buf top;

PROBED static long probed_jumps(long n)
{
	if (n == sink)
		return n; /* not taken */
	if (!n)
		longjmp(top, 7);
	n = probed_jumps(n - 1);
	sink++;
	return n;
}

static void jumps(void)
{
	int i;

	for (i = 0; i < 20; i++) {
		if (!setjmp(top)) {
			probed_jumps(i);
			CHECK(0);
		}
		CHECK(probed_factorial(10) == 3628800);
	}
}

static void on_signal(int sig)
{
	CHECK(probed_factorial(5) == 120);
	if (sig == SIGUSR2)
		longjmp(top, 9);
}

PROBED static long probed_raises(long sig)
{
	raise(sig);
	sink++;
	return sig + 1;
}

/* Handlers on another stack call, return, and jump away. */
static void signals(void)
{
	static char stack[64 * 1024];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction sa = { .sa_handler = on_signal,
				.sa_flags = SA_ONSTACK | SA_NODEFER };
	int i;

	CHECK(!sigaltstack(&ss, NULL));
	CHECK(!sigaction(SIGUSR1, &sa, NULL));
	CHECK(!sigaction(SIGUSR2, &sa, NULL));
	for (i = 0; i < 10; i++) {
		CHECK(probed_raises(SIGUSR1) == SIGUSR1 + 1);
		if (!setjmp(top)) {
			probed_raises(SIGUSR2);
			CHECK(0);
		}
	}
}

int main(void)
{
	CHECK(probed_factorial(20) == 2432902008176640000);
	CHECK(probed_nested(100) == 100);
	CHECK(probed_tail1(5) == 14);
	CHECK(probed_tail2(5) == 12);
	jumps();
	signals();
	CHECK(probed_nested(100) == 100);
	puts("every frame returned");
	return 0;
}
