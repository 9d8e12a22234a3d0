// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects are taken from a pool and given back, on several CPUs: none is with two
 * at once, and in the end all are there. The pool is that of kretprobes: to 6.6 the
 * list of linux/freelist.h, from 6.7 on the rings of lib/objpool.c.
 *
 *	trapline host TREE --file include/linux/freelist.h traces/hosted/pool.c
 *	trapline host TREE --file lib/objpool.c traces/hosted/pool.c
 *
 * TAKERS (2 or 3) threads, OBJECTS (1). With LOOK the one who takes an object looks at
 * what the one before has written to it.
 */
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/version.h>
#include <trapline/scenario.h>

#ifndef OBJECTS
#define OBJECTS 1
#endif
#ifndef TAKERS
#define TAKERS 2
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
#include <linux/objpool.h>

struct object {
	int owners;
};

static struct objpool_head pool;

static int begin(void *object, void *context)
{
	((struct object *)object)->owners = 0;
	return 0;
}

static void make_pool(void)
{
	BUG_ON(objpool_init(&pool, OBJECTS, sizeof(struct object), 0, NULL,
			    begin, NULL));
}

static struct object *take(void)
{
	return objpool_pop(&pool);
}

static void give(struct object *object)
{
	BUG_ON(objpool_push(object, &pool));
}
#else
#include <linux/container_of.h>
#include <linux/freelist.h>

struct object {
	struct freelist_node node;
	int owners;
};

static struct freelist_head pool;
static struct object objects[OBJECTS];

static void make_pool(void)
{
	int i;

	for (i = 0; i < OBJECTS; i++)
		freelist_add(&objects[i].node, &pool);
}

static struct object *take(void)
{
	struct freelist_node *node = freelist_try_get(&pool);

	return node ? container_of(node, struct object, node) : NULL;
}

static void give(struct object *object)
{
	freelist_add(&object->node, &pool);
}
#endif

/* Owners of each object, counted beside it, in an order of their own. */
static atomic_t owned;

SCENARIO_SETUP()
{
	make_pool();
}

static void take_and_give(void)
{
	struct object *object = take();

	if (!object)
		return;
	BUG_ON(atomic_inc_return(&owned) > OBJECTS);
#ifdef LOOK
	BUG_ON(object->owners);
#endif
	object->owners = 1;
	object->owners = 0;
	atomic_dec(&owned);
	give(object);
}

SCENARIO_THREAD(a)
{
	take_and_give();
}

SCENARIO_THREAD(b)
{
	take_and_give();
}

#if TAKERS > 2
SCENARIO_THREAD(c)
{
	take_and_give();
}
#endif

SCENARIO_CHECK()
{
	int i;

	for (i = 0; i < OBJECTS; i++)
		BUG_ON(!take());
	BUG_ON(take());
}
