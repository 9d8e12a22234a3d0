// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plain payload behind a flag. The writer does FIRST, then sets the flag as SET says;
 * the reader does THEN if it finds it, as GET says.
 */
#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/slab.h>
#include <trapline/scenario.h>

static struct thing {
	int data;
} * thing;
int flag;

#define NAME(what, how) NAME_(what, how)
#define NAME_(what, how) what##_##how()

#define set_relaxed() WRITE_ONCE(flag, 1)
#define set_release() smp_store_release(&flag, 1)
#define set_wmb() behind(smp_wmb(), WRITE_ONCE(flag, 1))
#define set_mb() behind(smp_mb(), WRITE_ONCE(flag, 1))
#define set_plain() behind(smp_mb(), flag = 1)
#define behind(barrier, what) \
	do {                  \
		barrier;      \
		what;         \
	} while (0)

#define get_relaxed() READ_ONCE(flag)
#define get_acquire() smp_load_acquire(&flag)
#define get_rmb() before(smp_rmb(), READ_ONCE(flag))
#define get_mb() before(smp_mb(), READ_ONCE(flag))
#define get_plain() before(smp_mb(), flag)
#define before(barrier, what) \
	({                    \
		int v = what; \
		barrier;      \
		v;            \
	})

#define do_read() see(thing->data)
#define do_write() (thing->data = 2)
#define do_once() WRITE_ONCE(thing->data, 2)
#define do_free() kfree(thing)

/* As plain reads go: so that there is one. */
static noinline void see(int value)
{
	barrier();
}

SCENARIO_SETUP()
{
	thing = kzalloc(sizeof(*thing), GFP_KERNEL);
}

SCENARIO_THREAD(writer)
{
	NAME(do, FIRST);
	NAME(set, SET);
}

SCENARIO_THREAD(reader)
{
	if (NAME(get, GET))
		NAME(do, THEN);
}
