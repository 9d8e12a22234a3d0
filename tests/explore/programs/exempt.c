// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plain accesses that may race: one that says so (-DRACE), and those inside of a
 * sequence counter's sections (-DCOUNTER). -DWRONG: just outside of either.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/seqlock.h>
#include <trapline/scenario.h>

static seqcount_t count = SEQCNT_ZERO(count);
static int data;
int sink;

static noinline void look(void)
{
#if defined(RACE) && defined(WRONG)
	sink = data;
#elif defined(RACE)
	sink = data_race(data);
#else
	unsigned int seq = raw_read_seqcount(&count);
	int seen = data;

	if (read_seqcount_retry(&count, seq))
		return;
	sink = seen;
#ifdef WRONG
	sink = data;
#endif
#endif
}

SCENARIO_THREAD(reader)
{
	look();
}

SCENARIO_THREAD(writer)
{
#ifdef COUNTER
	write_seqcount_begin(&count);
	data = 1;
	write_seqcount_end(&count);
#else
	data = 1;
#endif
}
