// SPDX-License-Identifier: GPL-2.0-only
/* A reader that nobody waits for. */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/slab.h>
#include <trapline/scenario.h>

struct thing {
	int size, colour;
};

static struct thing *thing;

SCENARIO_SETUP()
{
	thing = kzalloc_obj(struct thing);
}

SCENARIO_THREAD(reader)
{
	struct thing *t = READ_ONCE(thing);

	if (t)
		BUG_ON(READ_ONCE(t->colour) != 0);
}

SCENARIO_THREAD(remover)
{
	struct thing *t = READ_ONCE(thing);

	WRITE_ONCE(thing, NULL);
	kfree(t);
}
