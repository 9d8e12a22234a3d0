// SPDX-License-Identifier: GPL-2.0-only
/*
 * runq.c - who runs next.
 *
 * A wait is a condition that the loop tests again, so a wake-up is just the store
 * that makes the condition true. The list of waiting fibres is first come, first
 * served; a fibre that waits again goes to its end. Fibres of tasks in user mode
 * are asleep instead: there may be hundreds, and the wait loop knows whose stop
 * it has collected.
 */
#include "runq.h"

#include <errno.h>
#include <stddef.h>

#include "world.h"

#define RUNQ_STACK (128 * 1024)

static struct fiber loop;
static struct runq_fiber *self;
static struct runq_fiber *waiting, **last = &waiting;

unsigned int runq_spinning;

static bool always(void *arg)
{
	return true;
}

static void enqueue(struct runq_fiber *f, bool (*ready)(void *), void *arg)
{
	f->ready = ready;
	f->arg = arg;
	f->next = NULL;
	*last = f;
	last = &f->next;
}

int runq_start(struct runq_fiber *f, void (*fn)(void *priv), void *priv)
{
	void *stack = fiber_stack_alloc(RUNQ_STACK);

	if (!stack)
		return -ENOMEM;
	fiber_init(&f->fiber, stack, RUNQ_STACK, fn, priv);
	f->priv = priv;
	f->over = false;
	enqueue(f, always, NULL);
	return 0;
}

void runq_exit(void)
{
	struct runq_fiber *f = self;

	f->over = true;
	fiber_switch(&f->fiber, &loop);
	__builtin_unreachable();
}

struct runq_fiber *runq_self(void)
{
	return self;
}

void runq_await(bool (*ready)(void *arg), void *arg)
{
	struct runq_fiber *f = self;

	if (runq_spinning)
		sim_bug("waits with a spin lock held", __FILE__, __LINE__);
	if (ready(arg))
		return;
	if (!f)
		sim_bug("the wait loop cannot wait", __FILE__, __LINE__);
	enqueue(f, ready, arg);
	fiber_switch(&f->fiber, &loop);
}

void runq_sleep(void)
{
	struct runq_fiber *f = self;

	f->asleep = true;
	fiber_switch(&f->fiber, &loop);
}

void runq_wake(struct runq_fiber *f)
{
	if (!f->asleep)
		return;
	f->asleep = false;
	enqueue(f, always, NULL);
}

/* Take the first fibre whose condition holds out of the list. */
static struct runq_fiber *next_ready(void)
{
	struct runq_fiber **link, *f;

	for (link = &waiting; (f = *link); link = &f->next) {
		if (!f->ready(f->arg))
			continue;
		*link = f->next;
		if (!f->next)
			last = link;
		return f;
	}
	return NULL;
}

void runq_poll(void)
{
	while ((self = next_ready())) {
		fiber_switch(&loop, &self->fiber);
		if (!self->over)
			continue;
		fiber_stack_free(self->fiber.stack, self->fiber.size);
		if (self->release)
			self->release(self->priv);
	}
}
