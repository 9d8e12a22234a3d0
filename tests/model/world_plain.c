// SPDX-License-Identifier: GPL-2.0-only
/*
 * world_plain.c - see world_plain.h. Supplies every sim_* of world.h.
 */
#include "world_plain.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

static struct task_struct *running;
static void (*on_sleep)(void);
static unsigned long now = 1000;

void sim_bug(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: BUG: %s\n", file, line, what);
	abort();
}

static void bug(const char *what)
{
	sim_bug(what, __FILE__, __LINE__);
}

/* ---- tasks and sleep --------------------------------------------------------- */

struct task_struct *sim_current(void)
{
	return running;
}

void sim_set_current(struct task_struct *task)
{
	running = task;
}

int sim_thread(void)
{
	return 0;
}

void world_on_sleep(void (*fn)(void))
{
	on_sleep = fn;
}

/* Somebody else's turn; false if nobody can do anything. */
static bool let_others_run(void)
{
	struct task_struct *self = running;
	void (*fn)(void) = on_sleep;

	if (!fn)
		return false;
	on_sleep = NULL;
	fn();
	if (!on_sleep)
		on_sleep = fn;
	running = self;
	return true;
}

void sim_schedule(unsigned int *state)
{
	if (*state && !let_others_run())
		bug("sleeps, and nobody is there to wake it");
	if (*state)
		bug("was not woken");
}

int sim_wake(struct task_struct *task, unsigned int *state, unsigned int mask)
{
	if (!(*state & mask))
		return 0;
	*state = 0;
	return 1;
}

/* ---- locks: one thread never waits for itself --------------------------------- */

int sim_trylock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	if (shared ? l->word & 1 : l->word)
		return 0;
	l->word += shared ? 2 : 1;
	return 1;
}

void sim_lock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	if (!sim_trylock(l, kind, shared))
		bug("waits for a lock that this thread holds");
}

void sim_unlock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	if (shared ? l->word < 2 || l->word & 1 : l->word != 1)
		bug("unlock of a lock that is not held");
	l->word -= shared ? 2 : 1;
}

/* ---- timers -------------------------------------------------------------------- */

#define MAX_TIMERS 16

static struct armed {
	struct timer_list *timer;
	unsigned long *word;
	unsigned long expires;
} timers[MAX_TIMERS];

unsigned long sim_jiffies(void)
{
	return now;
}

static bool disarm(unsigned long *word)
{
	for (int i = 0; i < MAX_TIMERS; i++) {
		if (timers[i].word == word) {
			timers[i].word = NULL;
			*word &= ~SIM_TIMER_PENDING;
			return true;
		}
	}
	return false;
}

int sim_timer_mod(struct timer_list *timer, unsigned long *word,
		  unsigned long delay)
{
	bool was = disarm(word);
	int i = 0;

	if (delay > 1ul << 32)
		bug("a timer for the distant future");
	while (i < MAX_TIMERS && timers[i].word)
		i++;
	if (i == MAX_TIMERS)
		bug("more timers than this world has");
	timers[i] = (struct armed){ timer, word, now + delay };
	*word |= SIM_TIMER_PENDING;
	return was;
}

int sim_timer_delete_sync(struct timer_list *timer, unsigned long *word)
{
	if (*word & SIM_TIMER_RUNNING)
		bug("a timer function deletes its own timer");
	return disarm(word);
}

static struct armed *next_timer(void)
{
	struct armed *next = NULL;

	for (int i = 0; i < MAX_TIMERS; i++) {
		if (timers[i].word &&
		    (!next || timers[i].expires < next->expires))
			next = &timers[i];
	}
	return next;
}

/* In softirq: nobody's task. */
static void fire(struct armed *a)
{
	struct timer_list *timer = a->timer;
	struct task_struct *self = running;
	unsigned long *word = a->word;

	disarm(word);
	*word |= SIM_TIMER_RUNNING;
	running = NULL;
	sim_timer_run(timer);
	running = self;
	*word &= ~SIM_TIMER_RUNNING;
}

void world_advance(unsigned long delta)
{
	unsigned long end = now + delta;
	struct armed *a;

	while ((a = next_timer()) && a->expires <= end) {
		if (a->expires > now)
			now = a->expires;
		fire(a);
	}
	now = end;
}

/* ---- RCU and work ---------------------------------------------------------------- */

#define MAX_JOBS 1024

static struct job {
	struct sim_rcu *rcu; /* NULL: work */
	void *arg;
	void (*callback)(struct callback_head *head);
	void (*work)(struct work_struct *work);
} jobs[MAX_JOBS];
static int nr_jobs;

int sim_rcu_lock(struct sim_rcu *d)
{
	d->count[0]++;
	return 0;
}

void sim_rcu_unlock(struct sim_rcu *d, int token)
{
	if (token == SIM_RCU_NONE || !d->count[token]--)
		bug("RCU section ended twice");
}

/* Time passes, work is done, others run: until the readers are gone. */
void sim_rcu_sync(struct sim_rcu *d)
{
	struct armed *a;

	while (d->count[0]) {
		if ((a = next_timer()))
			world_advance(a->expires > now ? a->expires - now : 0);
		else if (!let_others_run())
			bug("grace period that nobody will end");
	}
	if (d->implies)
		sim_rcu_sync(d->implies);
}

static void add_job(struct job job)
{
	if (nr_jobs == MAX_JOBS)
		bug("more callbacks than this world keeps");
	jobs[nr_jobs++] = job;
}

void sim_rcu_call(struct sim_rcu *d, struct callback_head *head,
		  void (*func)(struct callback_head *head))
{
	add_job((struct job){ .rcu = d, .arg = head, .callback = func });
}

void sim_work_queue(struct work_struct *work,
		    void (*func)(struct work_struct *work))
{
	add_job((struct job){ .arg = work, .work = func });
}

/* Take out and run the first job that may run. */
static bool run_job(void)
{
	struct task_struct *self = running;
	struct job job;
	int i = 0;

	while (i < nr_jobs && jobs[i].rcu && jobs[i].rcu->count[0])
		i++;
	if (i == nr_jobs)
		return false;
	job = jobs[i];
	nr_jobs--;
	memmove(&jobs[i], &jobs[i + 1], (nr_jobs - i) * sizeof(jobs[0]));

	running = NULL;
	if (job.rcu)
		job.callback(job.arg);
	else
		job.work(job.arg);
	running = self;
	return true;
}

void world_run_deferred(void)
{
	while (run_job())
		;
}

/* ---- memory ------------------------------------------------------------------------ */

/* In front of each object; keeps malloc's alignment. */
struct head {
	_Alignas(16) unsigned long size;
	struct head *next_freed;
};

#define FREED 0x6b

static struct head *freed;
static int nr_objects;
static int fail_in;

void world_fail_alloc(int k)
{
	fail_in = k;
}

/* Freed memory is never used again, so a store to it is still there. */
static void check_freed(void)
{
	for (struct head *h = freed; h; h = h->next_freed) {
		const unsigned char *p = (const unsigned char *)(h + 1);

		for (unsigned long i = 0; i < h->size; i++) {
			if (p[i] != FREED)
				bug("freed memory was written");
		}
	}
}

int world_objects(void)
{
	check_freed();
	return nr_objects;
}

void *sim_alloc(unsigned long size, int zero, const char *type,
		unsigned int how)
{
	struct head *h;

	if (fail_in && --fail_in == 0)
		return NULL;
	h = malloc(sizeof(*h) + size);
	if (!h)
		bug("out of memory");
	h->size = size;
	memset(h + 1, zero ? 0 : 0xa5, size);
	nr_objects++;
	return h + 1;
}

void sim_free(const void *p)
{
	struct head *h = (struct head *)p - 1;

	memset(h + 1, FREED, h->size);
	h->next_freed = freed;
	freed = h;
	nr_objects--;
}

unsigned long sim_alloc_size(const void *p)
{
	return ((const struct head *)p - 1)->size;
}

/* ---- messages ----------------------------------------------------------------------- */

static int warnings, expected;

void world_expect_warnings(int n)
{
	warnings = 0;
	expected = n;
}

int world_warnings(void)
{
	return warnings;
}

void sim_warn(const char *what, const char *file, int line)
{
	if (++warnings > expected)
		sim_bug(what, file, line);
}

void sim_printk(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
}
