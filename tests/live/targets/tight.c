// SPDX-License-Identifier: GPL-2.0-only
/*
 * tight.c - has room for one page more, not for copies that jump back.
 */
#include <sys/resource.h>

#include "processor.h"
#include "target.h"

long probed_add(long a, long b);
ASM_FUNCTION(probed_add, ASM_ADD);

int main(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;
	struct rlimit limit;
	long i;

	CHECK(f && fscanf(f, "%lu", &pages) == 1);
	fclose(f);
	/* Before stdio wants memory. */
	puts("all added");
	fflush(stdout);
	limit.rlim_cur = limit.rlim_max = (pages + 4) * 4096;
	CHECK(!setrlimit(RLIMIT_AS, &limit));
	for (i = 0; i < 10; i++)
		CHECK(probed_add(i, 1) == i + 1);
	return 0;
}
