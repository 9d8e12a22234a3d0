// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_findings.c - what the ledger says about small scenarios: each mistake has
 * its kind, its sentence and a schedule that repeats it; each correct twin holds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../suite.h"
#include "command.h"

struct row {
	const char *program, *defines;
	const char *kind;    /* NULL: holds */
	const char *says[2]; /* parts of the sentence */
};

static const struct row rows[] = {
	{ "wrong_owner",
	  "",
	  "bad-unlock",
	  { "other unlocks gate, which it does not hold" } },
	{ "wrong_owner", "-DFIXED", NULL, { NULL } },
	{ "unlock_twice",
	  "",
	  "bad-unlock",
	  { "reader unlocks sem, which it does not hold" } },
	{ "unlock_twice", "-DFIXED", NULL, { NULL } },
	{ "unlock_twice",
	  "-DMODE",
	  "bad-unlock",
	  { "as writer, but holds it as a reader" } },
	{ "lock_held",
	  "",
	  "lock-held",
	  { "reader ends and still holds lock", "lock_held.c:" } },
	{ "lock_held", "-DFIXED", NULL, { NULL } },
	{ "lock_held",
	  "-DIN_TIMER",
	  "lock-held",
	  { "timer ends and still holds lock", "lock_held.c:" } },
	{ "lock_held", "-DIN_TIMER -DFIXED", NULL, { NULL } },
	{ "lock_order",
	  "",
	  "lock-order",
	  { "takes second while it holds first",
	    "three takes first while it holds third at " } },
	{ "lock_order", "-DFIXED", NULL, { NULL } },
	{ "lock_order", "-DTRY", NULL, { NULL } },
	{ "lock_order",
	  "-DSHORT",
	  "deadlock",
	  { "one, two, three wait for what nobody will do" } },
	{ "open_section",
	  "-DFLAVOUR=rcu",
	  "open-section",
	  { "reader ends inside a read section of rcu", "open_section.c:" } },
	{ "open_section", "-DFLAVOUR=rcu -DFIXED", NULL, { NULL } },
	{ "open_section",
	  "-DFLAVOUR=trace",
	  "open-section",
	  { "reader ends inside a read section of trace" } },
	{ "open_section", "-DFLAVOUR=trace -DFIXED", NULL, { NULL } },
	{ "open_section", "-DFLAVOUR=srcu", NULL, { NULL } },
	{ "armed_timer",
	  "",
	  "armed-timer",
	  { "owner frees thing#1 while its timer is armed" } },
	{ "armed_timer", "-DFIXED", NULL, { NULL } },
	{ "armed_timer", "-DITSELF", NULL, { NULL } },
	{ "armed_timer",
	  "-DITSELF -DAGAIN",
	  "armed-timer",
	  { "timer frees thing#1 while its timer is armed" } },
	{ "self_deadlock",
	  "",
	  "deadlock",
	  { "user holds table itself, taken at ", "self_deadlock.c:" } },
	{ "self_deadlock", "-DFIXED", NULL, { NULL } },
	{ "leak", "", "leak", { "nothing points to thing#" } },
	{ "leak", "-DSETUP", NULL, { NULL } },
	{ "leak", "-DFIXED", NULL, { NULL } },
	{ "leak", "-DHIDDEN", NULL, { NULL } },
	{ "spin",
	  "-DNEVER",
	  "livelock",
	  { "thread turns in a loop that nobody will end" } },
	{ "spin_kernel",
	  "-DWAY=1 -DNEVER",
	  "livelock",
	  { "reader turns in a loop that nobody will end" } },
	{ "spin_kernel",
	  "-DWAY=2 -DNEVER",
	  "livelock",
	  { "reader turns in a loop that nobody will end" } },
	{ "cond",
	  "-DLOST",
	  "deadlock",
	  { "lost wake-up: thread2 woke it at cond.c:41, before thread "
	    "slept" } },
	{ "cond", "-DNT=2 -DSIGNALS=1", "deadlock", { "wait for" } },
	{ "cond", "-DIF", "assert", { "assert(ready)" } },
	{ "cond", "", NULL, { NULL } },
	{ "items", "-DIF --early-wakeups 0", "assert", { "items >= 0" } },
	{ "items", "-DSILENT", "deadlock", { "wait for" } },
	{ "items", "", NULL, { NULL } },
	{ "rwlock",
	  "-DTWICE",
	  "bad-unlock",
	  { "unlocks lock, which it does not hold" } },
	{ "posix", "-DKEEP", "use-after-free", { " after " } },
	{ "posix",
	  "-DNO_THREAD",
	  "misuse",
	  { "main joins what is no thread" } },
	{ "mutex_kinds", "", NULL, { NULL } },
	{ "mutex_kinds", "-DSTATIC", NULL, { NULL } },
	{ "mutex_kinds", "-DKEEP", "deadlock", { "main, thread wait for" } },
	{ "mutex_kinds", "-DTWICE", "deadlock", { "main waits for" } },
	{ "mutex_kinds",
	  "-DWAIT --early-wakeups 0",
	  "deadlock",
	  { "main waits for" } },
	{ "construct", "", NULL, { NULL } },
	{ "construct", "-DLATE", "assert", { "assert(inits == 1)" } },
	{ "claims", "", NULL, { NULL } },
	{ "claims",
	  "-DTWICE",
	  "misuse",
	  { "main joins thread, which was joined before" } },
	{ "claims", "-DBOTH", "misuse", { "joins thread, which was joined" } },
	{ "claims",
	  "-DDETACH",
	  "misuse",
	  { "main detaches thread, which was joined before" } },
	{ "claims",
	  "-DDETACHED",
	  "misuse",
	  { "main joins thread, which was detached before" } },
	{ "claims", "-DNONE", "misuse", { "detaches what is no thread" } },
	{ "destroys", "", NULL, { NULL } },
	{ "destroys",
	  "-DEARLY=MUTEX",
	  "misuse",
	  { "main destroys mutex, which is locked" } },
	{ "destroys",
	  "-DEARLY=SPIN",
	  "misuse",
	  { "main destroys spin, which is locked" } },
	{ "destroys",
	  "-DEARLY=RWLOCK",
	  "misuse",
	  { "main destroys rwlock, which is locked" } },
	{ "destroys",
	  "-DEARLY=COND",
	  "misuse",
	  { "main destroys cond, which a thread waits for" } },
	{ "destroys",
	  "-DEARLY=BARRIER",
	  "misuse",
	  { "main destroys barrier, which a thread waits at" } },
	{ "alloc_fails", "", "leak", { "nothing points to thing#1" } },
	{ "alloc_fails", "-DFIXED", NULL, { NULL } },
	{ "alloc_fails", "-DNOFAIL", NULL, { NULL } },
	{ "sections",
	  "-DUNBALANCED",
	  "bad-unlock",
	  { "reader leaves a read section of rcu_domain, which it is not "
	    "in" } },
	{ "sections", "-DUNBALANCED -DFIXED", NULL, { NULL } },
	{ "sections",
	  "-DTWICE",
	  "bad-unlock",
	  { "reader leaves a read section of domain, which was left before" } },
	{ "sections", "-DTWICE -DFIXED", NULL, { NULL } },
	{ "sections",
	  "-DFOREIGN",
	  "bad-unlock",
	  { "other leaves a read section of domain, which another thread "
	    "entered" } },
	{ "sections", "-DHANDED", NULL, { NULL } },
	{ "sections",
	  "-DOWN",
	  "deadlock",
	  { "the grace period of reader waits for its own read section of "
	    "domain, begun at sections.c:" } },
	{ "sections", "-DOWN -DFIXED", NULL, { NULL } },
	{ "late_callback",
	  "",
	  "use-after-free",
	  { "allocated at late_callback.c:" } },
	{ "late_callback", "-DFIXED", NULL, { NULL } },
	{ "late_callback",
	  "-DWORK",
	  "use-after-free",
	  { "allocated at late_callback.c:" } },
	{ "late_callback", "-DWORK -DFIXED", NULL, { NULL } },
	{ "lost_wakeup",
	  "",
	  "deadlock",
	  { "; lost wake-up: waker woke it at lost_wakeup.c:",
	    ", before sleeper slept" } },
	{ "lost_wakeup", "-DFIXED", NULL, { NULL } },
	{ "lost_wakeup",
	  "-DQUEUE",
	  "deadlock",
	  { "; lost wake-up: waker woke it at lost_wakeup.c:",
	    ", before sleeper slept" } },
	{ "lost_wakeup", "-DQUEUE -DFIXED", NULL, { NULL } },
	{ "own_task", "-DWAY=1", NULL, { NULL } },
	{ "own_task", "-DWAY=2", NULL, { NULL } },
	{ "own_task", "-DWAY=3", NULL, { NULL } },
	{ "own_task",
	  "-DWAY=1 -DEARLY",
	  "deadlock",
	  { "sleeper waits for what nobody will do" } },
	{ "irq_lock",
	  "",
	  "deadlock",
	  { "; it is held by driver, which irq has interrupted, taken at ",
	    "irq_lock.c:" } },
	{ "irq_lock",
	  "-DLOCK=spin_lock_bh -DUNLOCK=spin_unlock_bh",
	  "deadlock",
	  { "; it is held by driver, which irq has interrupted" } },
	{ "irq_lock", "-DFIXED", NULL, { NULL } },
	{ "irq_lock", "-DOTHER", NULL, { NULL } },
	{ "irq_lock",
	  "-DCHAIN",
	  "deadlock",
	  { "driver, other, irq wait for what nobody will do" } },
	{ "irq_lock", "-DCHAIN -DFIXED", NULL, { NULL } },
	{ "softirq_lock",
	  "",
	  "lock-order",
	  { "driver lets softirqs in while it holds lock; timer takes lock in "
	    "softirq at softirq_lock.c:" } },
	{ "softirq_lock", "-DFIXED", NULL, { NULL } },
	{ "softirq_lock", "-DIRQ", NULL, { NULL } },
	{ "softirq_lock", "-DREADERS", NULL, { NULL } },
	{ "softirq_lock",
	  "-DWRITER",
	  "lock-order",
	  { "timer takes rwlock in softirq" } },
	{ "softirq_lock",
	  "-DPINNED",
	  "deadlock",
	  { "; it is held by driver, which timer has interrupted" } },
	{ "softirq_lock", "-DPINNED -DFIXED", NULL, { NULL } },
	{ "softirq_lock",
	  "-DCALLBACK",
	  "lock-order",
	  { "driver lets softirqs in while it holds lock" } },
	{ "softirq_lock", "-DCALLBACK -DIRQ", NULL, { NULL } },
	{ "softirq_lock",
	  "-DLATE",
	  "lock-order",
	  { "driver lets softirqs in while it holds lock" } },
	{ "softirq_lock", "-DOTHERS", NULL, { NULL } },
	{ "work", "-DFREE -DEARLY", "use-after-free", { " after " } },
	{ "work", "-DITSELF", "deadlock", { "owner, work wait for" } },
	{ "work", "-DLOCKED", "deadlock", { "owner, work wait for" } },
	{ "work",
	  "-DATOMIC",
	  "atomic-sleep",
	  { "owner may sleep while it holds spin, taken at work.c:" } },
	{ "irq",
	  "-DENDS=local_irq_disable",
	  "lock-held",
	  { "a ends with interrupts off, since irq.c:" } },
	{ "irq",
	  "-DENDS=local_bh_disable",
	  "lock-held",
	  { "a ends with bottom halves off, since irq.c:" } },
	{ "irq",
	  "-DENDS=preempt_disable",
	  "lock-held",
	  { "a ends with preemption off, since irq.c:" } },
	{ "irq", "-DCHECK", "assert", { "count != 2" } },
	{ "irq", "-DRAW", "assert", { "per_cpu(hits, 1) != 3" } },
	{ "mutex_owner",
	  "",
	  "bad-unlock",
	  { "thread unlocks gate, which it does not hold" } },
	{ "mutex_owner",
	  "-DNOBODY",
	  "bad-unlock",
	  { "main unlocks gate, which it does not hold" } },
	{ "mutex_owner", "-DFIXED", NULL, { NULL } },
	{ "mutex_owner", "-DFIXED --leaks", "leak", { "nothing points to " } },
	{ "mutex_owner", "-DFIXED -DFREED --leaks", NULL, { NULL } },
};

static char schedule[] = "/tmp/findings.XXXXXX";

static int explore(const struct row *r, const char *memory)
{
	return command("cd " PROGRAMS " && " TRAPLINE
		       " explore %s.c %s --memory %s --format json "
		       "--schedule-out %s 2>&1",
		       r->program, r->defines, memory, schedule);
}

static int replay(void)
{
	return command("cd " PROGRAMS " && " TRAPLINE " replay %s 2>&1",
		       schedule);
}

static const char *member(const json_t *j, const char *key)
{
	return json_string_value(json_object_get(j, key));
}

static void check(const struct row *r, const char *memory)
{
	int status = explore(r, memory);
	json_t *j = last_line();

	if (r->kind) {
		ck_assert_msg(status == 1, "%s %s: %s", r->program, r->defines,
			      output);
		ck_assert_str_eq(member(j, "finding"), r->kind);
		for (int i = 0; i < 2 && r->says[i]; i++)
			ck_assert_msg(strstr(member(j, "message"),
					     r->says[i]) != NULL,
				      "%s", member(j, "message"));
	} else {
		ck_assert_msg(status == 0, "%s %s: %s", r->program, r->defines,
			      output);
		ck_assert_str_eq(member(j, "verdict"), "holds");
	}
	json_decref(j);
}

START_TEST(found)
{
	const struct row *r = &rows[_i];
	char first[64];

	check(r, "sc");
	if (!r->kind)
		return;
	ck_assert_msg(replay() == 0, "replay of %s %s: %s", r->program,
		      r->defines, output);
	snprintf(first, sizeof(first), "FAIL  %s: ", r->kind);
	ck_assert_msg(strncmp(output, first, strlen(first)) == 0, "%s", output);
	ck_assert_msg(strstr(output, r->says[0]) != NULL, "%s", output);
}
END_TEST

START_TEST(found_in_weaker_memory)
{
	check(&rows[_i], "tso");
	check(&rows[_i], "lkmm");
}
END_TEST

/* ---- sleeping ----------------------------------------------------------------- */

static const char *const sleeps[] = { "mutex",	  "semaphore", "percpu",
				      "allocate", "wait",      "grace" };

static const struct {
	const char *place;
	const char *says; /* NULL: there it may sleep */
} places[] = {
	{ "spin", "sleeper may sleep while it holds lock, taken at " },
	{ "read", "sleeper may sleep while it holds rwlock, taken at " },
	{ "rcu", "sleeper may sleep inside an RCU read section, begun at " },
	{ "timer", "timer may sleep in softirq" },
	{ "callback", "rcu may sleep in softirq" },
	{ "hardirq", "irq may sleep in a hard interrupt" },
	{ "irqs_off", "sleeper may sleep with interrupts off, since " },
	{ "bh_off", "sleeper may sleep with bottom halves off, since " },
	{ "preempt_off", "sleeper may sleep with preemption off, since " },
	{ "irqsave", "sleeper may sleep with interrupts off, since " },
	{ "all_on", NULL },
	{ "mutex_held", NULL },
	{ "srcu", NULL },
	{ "trace", NULL },
	{ "work", NULL },
	{ "nowhere", NULL },
};

#define NR(a) ((int)(sizeof(a) / sizeof((a)[0])))

static struct row sleeping_row(int place, const char *sleep)
{
	static char defines[64];

	snprintf(defines, sizeof(defines), "-DATOMIC=%s -DSLEEP=%s",
		 places[place].place, sleep);
	return (struct row){ "atomic_sleep",
			     defines,
			     places[place].says ? "atomic-sleep" : NULL,
			     { places[place].says } };
}

START_TEST(sleeping)
{
	for (int i = 0; i < NR(sleeps); i++) {
		struct row r = sleeping_row(_i, sleeps[i]);

		check(&r, "sc");
	}
}
END_TEST

START_TEST(not_sleeping)
{
	struct row r = sleeping_row(_i, "atomically");

	r.kind = NULL;
	check(&r, "sc");
}
END_TEST

START_TEST(sleeping_again)
{
	struct row r = sleeping_row(_i, "allocate");

	if (!r.kind)
		return;
	check(&r, "sc");
	ck_assert_int_eq(replay(), 0);
	ck_assert_msg(strstr(output, "FAIL  atomic-sleep: ") == output, "%s",
		      output);
	/* what was going to be done, and by whom */
	ck_assert_msg(strstr(output, "<-- MAY SLEEP") != NULL, "%s", output);
	ck_assert_msg(strstr(output, "allocate (atomic_sleep.c:") != NULL, "%s",
		      output);
}
END_TEST

/* ---- choices in schedules -------------------------------------------------------- */

static const struct {
	const char *lines, *says;
	int status;
} choices[] = {
	{ "choose thread choose#1 2\n", "PASS", 0 },
	{ "choose thread choose#1 3\n", "choose#1 of thread has 3 ways", 1 },
	{ "choose thread choose#2 1\n", "thread did not come to choose#2", 1 },
	{ "choose other choose#1 1\n", "other did not come to choose#1", 1 },
	{ "choose thread alloc#2 fail\n", "PASS", 0 },
	{ "choose thread alloc#3 fail\n", "did not come to alloc#3", 1 },
};

START_TEST(choices_of_a_schedule)
{
	FILE *f = fopen(schedule, "w");

	fprintf(f,
		"trapline 1 schedule\nscenario: choice.c\nmemory: sc\n"
		"--\n%s",
		choices[_i].lines);
	fclose(f);
	ck_assert_int_eq(replay(), choices[_i].status);
	ck_assert_msg(strstr(output, choices[_i].says) != NULL, "%s", output);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("findings");
	TCase *tc = tcase_create("programs");
	int failed, fd = mkstemp(schedule);

	if (fd < 0)
		return 1;
	close(fd);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, found, 0, NR(rows));
	tcase_add_loop_test(tc, found_in_weaker_memory, 0, NR(rows));
	tcase_add_loop_test(tc, sleeping, 0, NR(places));
	tcase_add_loop_test(tc, not_sleeping, 0, NR(places));
	tcase_add_loop_test(tc, sleeping_again, 0, NR(places));
	tcase_add_loop_test(tc, choices_of_a_schedule, 0, NR(choices));
	suite_add_tcase(s, tc);
	failed = suite_run(s, CK_FORK_GETENV);
	unlink(schedule);
	return failed;
}
