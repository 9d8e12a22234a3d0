// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plain accesses that may race: one that says so (-DRACE), and those inside of a
 * sequence counter's sections (-DCOUNTER). -DWRONG: just outside of either. And marked
 * ones of an element whose place is not aligned (-DPACKED), -DWRONG: not marked.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/seqlock.h>
#include <trapline/scenario.h>

static seqcount_t count = SEQCNT_ZERO(count);
int sink;

#ifdef PACKED
static struct {
	int element[2];
} __packed data;
#else
static int data;
#endif

/* The compiler does not know which. */
static noinline int which(void)
{
	return 0;
}

static noinline void look(void)
{
#if defined(RACE) && defined(WRONG)
	sink = data;
#elif defined(RACE)
	sink = data_race(data);
#elif defined(PACKED) && defined(WRONG)
	sink = data.element[which()];
#elif defined(PACKED)
	sink = READ_ONCE(data.element[which()]);
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
#elif defined(PACKED) && defined(WRONG)
	data.element[which()] = 1;
#elif defined(PACKED)
	WRITE_ONCE(data.element[which()], 1);
#else
	data = 1;
#endif
}
