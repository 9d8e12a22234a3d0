// SPDX-License-Identifier: GPL-2.0-only
/*
 * steps.c - a program that walks its stack frame by frame, with libunwind.
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "target.h"

static volatile int sink;

PROBED static long probed_walk(void)
{
	unw_word_t offset;
	unw_context_t here;
	void *frame[64];
	unw_cursor_t c;
	char name[64];
	int n = 0;

	CHECK(!unw_getcontext(&here) && !unw_init_local(&c, &here));
	do {
		CHECK(!unw_get_proc_name(&c, name, sizeof(name), &offset));
		printf("%s+%ld\n", name, (long)offset);
		n++;
	} while (unw_step(&c) > 0);
	CHECK(unw_backtrace(frame, 64) == n);
	return n;
}

PROBED static long probed_deep(long n)
{
	long r = n ? probed_deep(n - 1) : probed_walk();

	sink++;
	return r;
}

int main(void)
{
	return probed_deep(10) < 12;
}
