// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_world.c - the blocking half of the kernel API, on fibres of the live
 * world: who waits for whom, and what a kernel would not survive.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live_world.h"
#include "runq.h"
#include "world.h"
#include "../suite.h"

struct task_struct {
	unsigned int state;
};

static char log_text[256];

static void say(const char *what)
{
	strncat(log_text, what, sizeof(log_text) - strlen(log_text) - 1);
}

/* In the program the model does this. */
void sim_timer_run(struct timer_list *timer)
{
	say((const char *)timer);
}

static struct runq_fiber fibers[8];
static unsigned int nr_fibers;
static struct task_struct tasks[8];

static void start(void (*fn)(void *))
{
	struct runq_fiber *f = &fibers[nr_fibers];

	f->task = &tasks[nr_fibers++];
	ck_assert_int_eq(runq_start(f, fn, NULL), 0);
}

static void expect(const char *what)
{
	runq_poll();
	ck_assert_str_eq(log_text, what);
}

/* ---- sleep and wake ------------------------------------------------------------ */

static void sleeper(void *unused)
{
	struct task_struct *me = sim_current();

	me->state = 2;
	say("a");
	sim_schedule(&me->state);
	say("b");
	runq_exit();
}

START_TEST(wakes_only_by_mask)
{
	start(sleeper);
	expect("a");
	ck_assert_int_eq(sim_wake(&tasks[0], &tasks[0].state, 1), 0);
	expect("a");
	ck_assert_int_eq(sim_wake(&tasks[0], &tasks[0].state, 3), 1);
	ck_assert_int_eq(sim_wake(&tasks[0], &tasks[0].state, 3), 0);
	expect("ab");
	ck_assert(fibers[0].over);
	ck_assert_ptr_null(sim_current());
}
END_TEST

static void dreams(void *unused)
{
	runq_sleep();
	say("1");
	runq_sleep();
	say("2");
	runq_exit();
}

/* One event, one run: a second wake-up of a fibre that is awake is no event. */
START_TEST(sleepers_wake_once)
{
	start(dreams);
	runq_wake(&fibers[0]);
	expect("");
	expect("");
	runq_wake(&fibers[0]);
	runq_wake(&fibers[0]);
	expect("1");
	runq_wake(&fibers[0]);
	expect("12");
	ck_assert(fibers[0].over);
}
END_TEST

/* ---- locks ------------------------------------------------------------------------ */

static struct sim_lock lock;
static unsigned int gate[2];

static void writer(void *unused)
{
	sim_lock(&lock, SIM_RWSEM, 0);
	say("w");
	sim_unlock(&lock, SIM_RWSEM, 0);
	runq_exit();
}

static void reader(void *unused)
{
	unsigned int k = sim_current() - tasks;

	gate[k] = 1;
	sim_lock(&lock, SIM_RWSEM, 1);
	say("r");
	sim_schedule(&gate[k]);
	sim_unlock(&lock, SIM_RWSEM, 1);
	runq_exit();
}

START_TEST(writer_waits_for_all_readers)
{
	start(reader);
	start(reader);
	start(writer);
	expect("rr");
	ck_assert_int_eq(sim_trylock(&lock, SIM_RWSEM, 0), 0);
	ck_assert_int_eq(sim_trylock(&lock, SIM_RWSEM, 1), 1);
	sim_unlock(&lock, SIM_RWSEM, 1);
	gate[0] = 0;
	expect("rr");
	gate[1] = 0;
	expect("rrw");
	ck_assert_uint_eq(lock.word, 0);
}
END_TEST

static void waits_spinning(void *unused)
{
	unsigned int never = 1;

	sim_lock(&lock, SIM_SPINLOCK, 0);
	sim_schedule(&never);
}

START_TEST(sleeping_with_a_spin_lock_is_a_bug)
{
	start(waits_spinning);
	runq_poll();
}
END_TEST

START_TEST(contended_spin_lock_is_a_bug)
{
	sim_lock(&lock, SIM_SPINLOCK, 0);
	sim_lock(&lock, SIM_SPINLOCK, 0);
}
END_TEST

START_TEST(unlock_of_a_free_lock_is_a_bug)
{
	sim_unlock(&lock, SIM_MUTEX, 0);
}
END_TEST

/* ---- RCU --------------------------------------------------------------------------- */

static struct sim_rcu rcu;

static void syncs(void *unused)
{
	sim_rcu_sync(&rcu);
	say("s");
	runq_exit();
}

static void called(struct callback_head *head)
{
	say("c");
}

/* Waits for readers that were there before it, and for no later one. */
START_TEST(grace_period_waits_for_earlier_readers)
{
	int early = sim_rcu_lock(&rcu), nested = sim_rcu_lock(&rcu), late;

	start(syncs);
	expect("");
	late = sim_rcu_lock(&rcu);
	sim_rcu_unlock(&rcu, early);
	expect("");
	sim_rcu_unlock(&rcu, nested);
	expect("s");
	start(syncs);
	expect("s");
	sim_rcu_unlock(&rcu, late);
	expect("ss");
}
END_TEST

START_TEST(grace_periods_may_overlap)
{
	int a = sim_rcu_lock(&rcu), b;

	start(syncs);
	start(syncs);
	expect("");
	b = sim_rcu_lock(&rcu);
	start(syncs);
	sim_rcu_unlock(&rcu, a);
	runq_poll();
	ck_assert_ptr_nonnull(strchr(log_text, 's'));
	sim_rcu_unlock(&rcu, b);
	expect("sss");
}
END_TEST

START_TEST(callbacks_run_after_a_grace_period)
{
	int early = sim_rcu_lock(&rcu);

	start(live_world_callbacks);
	sim_rcu_call(&rcu, (struct callback_head *)&rcu, called);
	sim_rcu_call(&rcu, (struct callback_head *)&rcu, called);
	expect("");
	sim_rcu_unlock(&rcu, early);
	expect("cc");
}
END_TEST

START_TEST(ending_a_section_twice_is_a_bug)
{
	sim_rcu_unlock(&rcu, sim_rcu_lock(&rcu));
	sim_rcu_unlock(&rcu, 0);
}
END_TEST

/* ---- timers and work --------------------------------------------------------------- */

START_TEST(timers_fire_in_order_and_once)
{
	unsigned long a = 0, b = 0, c = 0;

	ck_assert_int_eq(live_world_timeout(), -1);
	start(live_world_timers);
	ck_assert_int_eq(sim_timer_mod((void *)"a", &a, 300), 0);
	ck_assert_int_eq(sim_timer_mod((void *)"b", &b, 100), 0);
	ck_assert_int_eq(sim_timer_mod((void *)"c", &c, 50), 0);
	ck_assert_uint_eq(a, SIM_TIMER_PENDING);
	ck_assert_int_eq(sim_timer_mod((void *)"c", &c, 200), 1);
	ck_assert_int_eq(sim_timer_delete_sync((void *)"b", &b), 1);
	ck_assert_int_eq(sim_timer_delete_sync((void *)"b", &b), 0);
	ck_assert_uint_eq(b, 0);
	expect("");
	ck_assert_int_gt(live_world_timeout(), 0);
	ck_assert_int_le(live_world_timeout(), 200);
	usleep(450000);
	expect("ca");
	ck_assert_uint_eq(a | c, 0);
	ck_assert_int_eq(live_world_timeout(), -1);
}
END_TEST

static void works(struct work_struct *work)
{
	say((const char *)work);
}

START_TEST(work_runs_later_in_order)
{
	start(live_world_worker);
	sim_work_queue((void *)"1", works);
	sim_work_queue((void *)"2", works);
	ck_assert_str_eq(log_text, "");
	expect("12");
	sim_work_queue((void *)"3", works);
	expect("123");
}
END_TEST

START_TEST(memory_knows_its_size)
{
	char *p = sim_alloc(100, 1, NULL, 1);
	int i;

	ck_assert_uint_eq(sim_alloc_size(p), 100);
	ck_assert_uint_eq((unsigned long)p % 16, 0);
	for (i = 0; i < 100; i++)
		ck_assert_int_eq(p[i], 0);
	sim_free(p);
	sim_free(NULL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("world");
	TCase *tc = tcase_create("one thread, many fibres");

	tcase_add_test(tc, wakes_only_by_mask);
	tcase_add_test(tc, sleepers_wake_once);
	tcase_add_test(tc, writer_waits_for_all_readers);
	tcase_add_exit_test(tc, sleeping_with_a_spin_lock_is_a_bug, 125);
	tcase_add_exit_test(tc, contended_spin_lock_is_a_bug, 125);
	tcase_add_exit_test(tc, unlock_of_a_free_lock_is_a_bug, 125);
	tcase_add_test(tc, grace_period_waits_for_earlier_readers);
	tcase_add_test(tc, grace_periods_may_overlap);
	tcase_add_test(tc, callbacks_run_after_a_grace_period);
	tcase_add_exit_test(tc, ending_a_section_twice_is_a_bug, 125);
	tcase_add_test(tc, timers_fire_in_order_and_once);
	tcase_add_test(tc, work_runs_later_in_order);
	tcase_add_test(tc, memory_knows_its_size);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}
