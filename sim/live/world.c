// SPDX-License-Identifier: GPL-2.0-only
/*
 * world.c - the blocking half of the kernel API, for one OS thread.
 *
 * Fibres switch only where they wait, so a spin lock is never contended and an
 * RCU grace period is a count that reaches zero. Timers, RCU callbacks and work
 * items have a fibre each, because a callback may have to wait for a reader
 * that only a timer ends.
 */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "entry.h"
#include "live_world.h"
#include "runq.h"

struct task_struct *sim_current(void)
{
	struct runq_fiber *f = runq_self();

	return f ? f->task : NULL;
}

int sim_thread(void)
{
	return 0;
}

/* ---- locks ------------------------------------------------------------------ */

static bool is_free(void *arg)
{
	return !((struct sim_lock *)arg)->word;
}

static bool is_shareable(void *arg)
{
	return !(((struct sim_lock *)arg)->word & 1);
}

static bool spins(enum sim_lock_kind kind)
{
	return kind == SIM_SPINLOCK || kind == SIM_RWLOCK;
}

int sim_trylock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	if (shared ? !is_shareable(l) : !is_free(l))
		return 0;
	l->word += shared ? 2 : 1;
	runq_spinning += spins(kind);
	return 1;
}

void sim_lock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	while (!sim_trylock(l, kind, shared)) {
		if (spins(kind))
			sim_bug("contended spin lock", __FILE__, __LINE__);
		runq_await(shared ? is_shareable : is_free, l);
	}
}

void sim_unlock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	if (shared ? l->word < 2 : l->word != 1)
		sim_bug("unlock of a lock that is not held", __FILE__,
			__LINE__);
	l->word -= shared ? 2 : 1;
	runq_spinning -= spins(kind);
}

/* ---- sleep and wake ----------------------------------------------------------- */

static bool is_running(void *state)
{
	return !*(unsigned int *)state;
}

void sim_schedule(unsigned int *state)
{
	runq_await(is_running, state);
}

int sim_wake(struct task_struct *task, unsigned int *state, unsigned int mask)
{
	if (!(*state & mask))
		return 0;
	*state = 0;
	return 1;
}

/* ---- timers ------------------------------------------------------------------- */

struct armed {
	struct timer_list *timer;
	unsigned long *word;
	unsigned long expires; /* jiffies */
	struct armed *next;
};

static struct armed *armed; /* soonest first */

unsigned long sim_jiffies(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ul + now.tv_nsec / 1000000;
}

static struct armed *disarm(unsigned long *word)
{
	struct armed **link, *a;

	for (link = &armed; (a = *link); link = &a->next) {
		if (a->word != word)
			continue;
		*link = a->next;
		*word &= ~SIM_TIMER_PENDING;
		return a;
	}
	return NULL;
}

int sim_timer_mod(struct timer_list *timer, unsigned long *word,
		  unsigned long delay)
{
	struct armed *a = disarm(word), **link;
	int was_pending = a != NULL;

	if (!a && !(a = malloc(sizeof(*a))))
		sim_bug("out of memory for a timer", __FILE__, __LINE__);
	a->timer = timer;
	a->word = word;
	a->expires = sim_jiffies() + delay;
	for (link = &armed; *link && (*link)->expires <= a->expires;)
		link = &(*link)->next;
	a->next = *link;
	*link = a;
	*word |= SIM_TIMER_PENDING;
	return was_pending;
}

int sim_timer_delete_sync(struct timer_list *timer, unsigned long *word)
{
	struct armed *a = disarm(word);

	/* A timer function does not wait: here it cannot be running. */
	free(a);
	return a != NULL;
}

long live_world_timeout(void)
{
	long left;

	if (!armed)
		return -1;
	left = armed->expires - sim_jiffies();
	return left > 0 ? left : 0;
}

static void run_timer(void)
{
	struct armed *a = disarm(armed->word);
	unsigned long *word = a->word;

	*word |= SIM_TIMER_RUNNING;
	sim_timer_run(a->timer);
	*word &= ~SIM_TIMER_RUNNING;
	free(a);
}

/* ---- RCU ------------------------------------------------------------------------ */

int sim_rcu_lock(struct sim_rcu *d)
{
	int token = d->idx & 1;

	d->count[token]++;
	return token;
}

void sim_rcu_unlock(struct sim_rcu *d, int token)
{
	if (token == SIM_RCU_NONE || !d->count[token]--)
		sim_bug("RCU section ended twice", __FILE__, __LINE__);
}

static bool is_zero(void *count)
{
	return !*(unsigned long *)count;
}

void sim_rcu_sync(struct sim_rcu *d)
{
	int old;

	/*
	 * Readers of an earlier grace period may still be in the other half;
	 * it must be empty before new readers may be sent there, or they
	 * would be waited for again and again.
	 */
	runq_await(is_zero, &d->count[!(d->idx & 1)]);
	old = d->idx++ & 1;
	runq_await(is_zero, &d->count[old]);
	if (d->implies)
		sim_rcu_sync(d->implies);
}

/* ---- callbacks and work --------------------------------------------------------- */

struct job {
	struct job *next;
	struct sim_rcu *rcu; /* NULL: work */
	void *arg;
	union {
		void (*callback)(struct callback_head *head);
		void (*work)(struct work_struct *work);
	};
};

struct queue {
	struct job *first, **end;
};

static struct queue callbacks = { .end = &callbacks.first };
static struct queue works = { .end = &works.first };

static void push(struct queue *q, struct job job)
{
	struct job *j = malloc(sizeof(*j));

	if (!j)
		sim_bug("out of memory for a callback", __FILE__, __LINE__);
	*j = job;
	j->next = NULL;
	*q->end = j;
	q->end = &j->next;
}

static struct job *pop(struct queue *q)
{
	struct job *j = q->first;

	q->first = j->next;
	if (!q->first)
		q->end = &q->first;
	return j;
}

void sim_rcu_call(struct sim_rcu *d, struct callback_head *head,
		  void (*func)(struct callback_head *head))
{
	push(&callbacks,
	     (struct job){ .rcu = d, .arg = head, .callback = func });
}

void sim_work_queue(struct work_struct *work,
		    void (*func)(struct work_struct *work))
{
	push(&works, (struct job){ .arg = work, .work = func });
}

static bool timer_due(void *arg)
{
	return !live_world_timeout();
}

static bool not_empty(void *q)
{
	return ((struct queue *)q)->first;
}

void live_world_timers(void *arg)
{
	for (;;) {
		runq_await(timer_due, NULL);
		run_timer();
	}
}

void live_world_callbacks(void *arg)
{
	for (;;) {
		struct job *j;

		runq_await(not_empty, &callbacks);
		j = pop(&callbacks);
		sim_rcu_sync(j->rcu);
		j->callback(j->arg);
		free(j);
	}
}

void live_world_worker(void *arg)
{
	for (;;) {
		struct job *j;

		runq_await(not_empty, &works);
		j = pop(&works);
		j->work(j->arg);
		free(j);
	}
}

/* ---- memory ------------------------------------------------------------------------ */

/* In front of each object; keeps malloc's alignment. */
union head {
	unsigned long size;
	_Alignas(16) char pad[16];
};

void *sim_alloc(unsigned long size, int zero, const char *type,
		unsigned int how)
{
	union head *h = zero ? calloc(1, sizeof(*h) + size)
			     : malloc(sizeof(*h) + size);

	if (!h)
		return NULL;
	h->size = size;
	return h + 1;
}

void sim_free(const void *p)
{
	if (p)
		free((union head *)p - 1);
}

unsigned long sim_alloc_size(const void *p)
{
	return ((const union head *)p - 1)->size;
}

/* ---- complaints ----------------------------------------------------------------------- */

void sim_bug(const char *what, const char *file, int line)
{
	/*
	 * A launched program is killed with us: it is in no known state. One
	 * that was attached to is left as it is, and so is its record.
	 */
	fprintf(stderr,
		"trapline: BUG at %s:%d: %s; please report it, and run "
		"trapline repair -p PID if it was attached to\n",
		file, line, what);
	_exit(125);
}

void sim_warn(const char *what, const char *file, int line)
{
	fprintf(stderr, "trapline: warning at %s:%d: %s\n", file, line, what);
}

/* Once per message: it may be about every hit, and the counts say how often. */
void sim_printk(const char *fmt, ...)
{
	static const char *said[32];
	unsigned int i;
	va_list ap;

	for (i = 0; i < 32 && said[i]; i++)
		if (said[i] == fmt)
			return;
	if (i < 32)
		said[i] = fmt;
	va_start(ap, fmt);
	fputs("trapline: model: ", stderr);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
}
