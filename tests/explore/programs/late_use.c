// SPDX-License-Identifier: GPL-2.0-only
/*
 * An object is used by a thread that nothing makes its owner wait for; in what the
 * search finds first the use may come before the free all the same. HANDED: the free
 * waits for the user's word, but on weaker memory that comes before the use.
 */
#include <linux/compiler.h>
#include <linux/slab.h>
#include <trapline/scenario.h>

struct thing {
	int value;
};

static struct thing *thing;
static int gone, done;

SCENARIO_SETUP()
{
	thing = kzalloc(sizeof(*thing), GFP_KERNEL);
}

#define USER                                   \
	SCENARIO_THREAD(user)                  \
	{                                      \
		(void)READ_ONCE(thing->value); \
		(void)READ_ONCE(gone);         \
		WRITE_ONCE(done, 1);           \
	}

#define OWNER                                   \
	SCENARIO_THREAD(owner)                  \
	{                                       \
		WRITE_ONCE(gone, 1);            \
		if (!HANDED || READ_ONCE(done)) \
			kfree(thing);           \
	}

#ifndef HANDED
#define HANDED 0
#endif

#ifdef OWNER_FIRST
OWNER USER
#else
USER OWNER
#endif
