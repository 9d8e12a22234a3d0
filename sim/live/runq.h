/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * runq.h - who runs next: fibres that wait for conditions.
 *
 * One OS thread. A fibre runs until it waits; the wait loop then looks for a
 * fibre whose condition holds. Nothing is ever lost between a test and a
 * sleep, because nothing else runs in between.
 */
#ifndef SIM_LIVE_RUNQ_H
#define SIM_LIVE_RUNQ_H

#include <stdbool.h>
#include "fiber.h"

struct task_struct;

struct runq_fiber {
	struct fiber fiber;
	struct task_struct *task;    /* `current` while it runs */
	void *priv;		     /* of who started it */
	void (*release)(void *priv); /* called when it is over, or NULL */
	bool (*ready)(void *arg);    /* what it waits for */
	void *arg;
	struct runq_fiber *next; /* waits behind this one */
	bool asleep;
	bool over;
};

/* The first run is at the next runq_poll. 0 or -ENOMEM. */
int runq_start(struct runq_fiber *f, void (*fn)(void *priv), void *priv);
/* End of the calling fibre. */
__attribute__((noreturn)) void runq_exit(void);

/* The running fibre; NULL in the wait loop. */
struct runq_fiber *runq_self(void);

/* In a fibre: return once ready(arg). At once if it holds already. */
void runq_await(bool (*ready)(void *arg), void *arg);

/*
 * Many fibres, one event each: no condition is tested. runq_wake ends the sleep
 * of a fibre that is in runq_sleep, and does nothing to any other.
 */
void runq_sleep(void);
void runq_wake(struct runq_fiber *f);

/* In the wait loop: run fibres until none is ready. */
void runq_poll(void);

/* Spin locks held: who waits meanwhile is a bug. */
extern unsigned int runq_spinning;

#endif /* SIM_LIVE_RUNQ_H */
