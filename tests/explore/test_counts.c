// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_counts.c - `trapline explore` on programs whose number of executions is
 * known: by formula (nwriters N!, lastzero (N+3)*2^(N-2), seqlock 37^NR, mutex
 * NT!), or because two other checkers agree on it; under lkmm those of RC11, which
 * for these programs are the same. What is violated has a schedule that repeats it,
 * whichever thread comes first. And what each kind of mistake is called.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../suite.h"
#include "command.h"

struct row {
	const char *program, *defines;
	int sc, tso, lkmm; /* executions; or: */
#define BAD -1		   /* violated */
#define NOT -2		   /* refused */
#define OTHER -3	   /* no option of this memory model's */
};

#define C11(store, load) \
	"-DSTORE=memory_order_" #store " -DLOAD=memory_order_" #load

static const struct row rows[] = {
	{ "sb", "", 3, 4, 4 },
	{ "sb", "-DFENCE", 3, 3, 3 },
	{ "sb", "-DCHECK", 3, -1, -1 },
	{ "sb", "-DCHECK -DFENCE", 3, 3, 3 },
	{ "mp", "", 3, 3, -1 },
	{ "fib", "-DN=4", 1107, 1764, 1764 },
	{ "fib", "-DN=5", 8953, 19404, 19404 },
	{ "nwriters", "-DN=7", 5040, 5040, 5040 },
	{ "seqlock", "", 37, 37, 39 },
	{ "seqlock", "-DNR=2", 1369, 1369, 1521 },
	{ "seqlock", "-DBUG", -1, -1, -1 },
	{ "treiber", "-DNT=2 -DK=2", 46, 46, 46 },
	{ "treiber", "-DNT=3 -DK=1", 2463, 2463, 2463 },
	{ "aba", "", -1, -1, -1 },
	{ "lastzero", "-DN=5", 64, 64, 96 },
	{ "lastzero", "-DN=10", 3328, 3328, 5632 },
	{ "ticket", "", 6, 6, 6 },
	{ "mutex", "-DNT=2", 2, 2, 2 },
	{ "mutex", "-DNT=4", 24, 24, 24 },
	/* more that wait for one word than a write has pins (graph.h) */
	{ "mutex", "-DNT=6", 720, 720, 720 },
	{ "mutex", "-DBUG", -1, -1, -1 },
	{ "memory", "", 2, 2, 2 },
	{ "threads", "", 2, 2, 2 },
	{ "threads", "-DNT=127", 2, 2, 2 },
	{ "spin", "", 1, 1, 1 },
	{ "spin", "-DNT=4", 1, 1, 1 },
	{ "spin", "-DLOCK", 2, 2, 2 },
	{ "spin", "-DLOCK -DNT=4", 24, 24, 24 },
	{ "spin", "-DXCHG", 2, 2, 2 },
	{ "spin", "-DXCHG -DNT=4", 24, 24, 24 },
	{ "spin", "-DTWO -DNT=3", 2, 2, 2 },
	{ "spin_kernel", "-DWAY=1", 1, 1, 1 },
	{ "spin_kernel", "-DWAY=2", 1, 1, 1 },
	{ "spin_kernel", "-DWAY=3", 4, 4, 4 },
	{ "irq", "", 3, 3, 3 },
	{ "irq", "-DOFF -DCHECK", 2, 2, 2 },
	{ "irq", "-DBH", 3, 3, 3 },
	{ "irq", "-DTWICE", 6, 6, 6 },
	{ "irq", "-DUPTO", 6, 6, 6 },
	{ "irq", "-DPERCPU", 2, 2, 2 },
	{ "irq", "-DSPIN", 1, 1, 1 },
	{ "irq", "-DAWAIT", 4, 4, 4 },
	{ "irq_shapes", "", 9, 11, 12 },
	{ "irq_shapes", "-DOWN", 12, 14, 16 },
	{ "softirq", "", 3, 3, 3 },
	{ "softirq", "-DBH", 2, 2, 2 },
	{ "softirq", "-DLATE", 3, 3, 3 },
	{ "softirq", "-DTWICE", 2, 2, 2 },
	{ "softirq", "-DHARD", 3, 3, 3 },
	{ "softirq", "-DNEST", 12, 12, 12 },
	{ "softirq", "-DPINNED", 3, 3, 3 },
	{ "softirq", "-DPINNED -DDELETED", 3, 3, 3 },
	{ "softirq", "-DPINNED -DBH", 2, 2, 2 },
	{ "softirq", "-DPINNED -DOTHER", 8, 8, 8 },
	{ "work", "", 4, 4, 4 },
	{ "work", "-DFLUSH", 3, 3, 3 },
	{ "work", "-DAGAIN", 2, 2, 2 },
	{ "work", "-DFREE", 4, 4, 4 },
	{ "work", "-DFREE -DINSIDE", 1, 1, 1 },
	{ "work", "-DFREE -DDONE", 1, 1, 1 },
	{ "choice", "", 9, 9, 9 },
	{ "choice", "-DWAYS=4 -DNT=3", 64, 64, 64 },
	{ "choice", "--alloc-failures 1", 45, 45, 45 },
	{ "choice", "--alloc-failures 2 -DWAYS=1", 11, 11, 11 },
	{ "choice", "-DBUG", 9, 9, 9 },
	{ "choice", "-DBUG --alloc-failures 1", -1, -1, -1 },
	{ "sizes", "", 6, 6, NOT },
	{ "copies", "-DSIZE=1", 2, 2, 2 },
	{ "copies", "-DSIZE=3", 2, 2, 2 },
	{ "copies", "-DSIZE=8", 2, 2, 2 },
	{ "copies", "-DSIZE=16", 2, 2, 2 },
	{ "copies", "-DSIZE=21", 2, 2, 2 },
	/* each half is seen, or not */
	{ "copies", "-DUNORDERED", 4, 4, 4 },
	{ "parts", "-DBITS", BAD, BAD, BAD },
	{ "parts", "-DBITS -DLOCK", 2, 2, 2 },
	{ "parts", "-DBESIDE", 3, BAD, BAD },
	{ "parts", "-DBESIDE -DLOCK", 2, 2, 2 },
	{ "parts", "-DWIDE", 3, 3, NOT },
	{ "parts", "-DWIDE -DLOCK", 2, 2, 2 },
	{ "parts", "-DSTRADDLE -DLOCK", 2, 2, 2 },
	{ "nand", "", 2, 2, 2 },
	{ "depends", "", 3, 3, BAD },
	{ "depends", "--deps=all", OTHER, OTHER, 3 },
	{ "deref", "", 2, 2, 2 },
	{ "deref", "-DWHICH=1", 2, 2, 2 },
	{ "deref", "-DWHICH=2", 2, 2, 2 },
	{ "deref", "-DINNER -DWHICH=2", 2, 2, 2 },
	{ "deref", "-DBESIDE", 2, 2, BAD },
	{ "deref", "-DONCE", 2, 2, BAD },
	{ "create", "", 2, 2, BAD },
	{ "create", "-DWMB", 2, 2, 2 },
	{ "fences", "", 3, 3, 3 },
	{ "fences", "-DSB", 3, 4, 4 },
	{ "fences", "-DCAS", 3, 3, BAD },
	{ "fences", "-DCAS -DFAILED=memory_order_acquire", 3, 3, 3 },
	{ "iriw", C11(seq_cst, seq_cst), 15, 15, 15 },
	{ "iriw", C11(seq_cst, acquire), 15, 15, BAD },
	{ "seq_cst", C11(seq_cst, seq_cst), 3, 3, 3 },
	{ "seq_cst", C11(seq_cst, acquire), 3, 3, BAD },
	{ "seq_cst", C11(release, seq_cst), 3, BAD, 3 },
	{ "seq_cst", C11(seq_cst, seq_cst) " -DXCHG", 3, 3, 3 },
	{ "seq_cst", C11(seq_cst, relaxed) " -DXCHG", 3, 3, BAD },
	{ "seq_cst", C11(seq_cst, seq_cst) " -DCAS", 3, 3, 3 },
	{ "seq_cst", C11(seq_cst, relaxed) " -DCAS", 3, 3, BAD },
	/* who locks first; early: and again, before or after the other */
	{ "cond", "--early-wakeups 0", 2, 2, 2 },
	{ "cond", "", 4, 4, 4 },
	{ "cond", "-DIF", BAD, BAD, BAD },
	{ "cond", "-DIF --early-wakeups 0", 2, 2, 2 },
	/* of those that wait, 0, 1 or 2: 2 + 2 * 2 + 2 * 2 */
	{ "cond", "-DNT=2 --early-wakeups 0", 10, 10, 10 },
	/* two wait: who is woken first, 2; and who locks first, 2; and may see both
	 * signals or its own alone, 2 */
	{ "cond", "-DNT=2 -DSIGNALS=2 --early-wakeups 0", 22, 22, 22 },
	{ "cond", "-DNT=2 -DSIGNALS=1", BAD, BAD, BAD },
	{ "items", "-DIF --early-wakeups 0", BAD, BAD, BAD },
	{ "barrier", "", 6, 6, 6 },
	{ "barrier", "-DROUNDS=2", 36, 36, 36 },
	{ "barrier", "-DNT=2 -DROUNDS=3", 8, 8, 8 },
	{ "barrier", "-DCOUNT=2", BAD, BAD, BAD },
	{ "barrier", "-DCOUNT=4", BAD, BAD, BAD },
	{ "once", "", 2, 2, 2 },
	{ "once", "-DNT=4", 24, 24, 24 },
	{ "once", "-DNT=6", 720, 720, 720 },
	{ "once", "-DHOME_MADE", BAD, BAD, BAD },
	{ "rwlock", "", 2, 2, 2 },
	{ "rwlock", "-DNR=2", 14, 14, 14 },
	{ "rwlock", "-DTRY", 3, 3, 3 },
	{ "rwlock", "-DUNLOCKED", BAD, BAD, BAD },
	{ "posix", "", 2, 2, 2 },
	{ "late_use", "", BAD, BAD, BAD },
	{ "late_use", "-DOWNER_FIRST", BAD, BAD, BAD },
	{ "late_use", "-DHANDED=1", 4, 4, BAD },
	{ "late_use", "-DHANDED=1 -DOWNER_FIRST", 4, 4, BAD },
};

static char schedule[] = "/tmp/counts-XXXXXX";

static int run(const char *program, const char *defines, const char *memory)
{
	return command("cd " PROGRAMS " && " TRAPLINE
		       " explore %s.c %s --memory %s --format json "
		       "--schedule-out %s 2>&1",
		       program, defines, memory, schedule);
}

/* Of the last run, and no older one. */
static void check_schedule(const struct row *r, const char *memory)
{
	int status = command("cd " PROGRAMS " && test -s %s && " TRAPLINE
			     " replay %s 2>&1 && : >%s",
			     schedule, schedule, schedule);

	ck_assert_msg(status == 0, "schedule of %s %s under %s: %s", r->program,
		      r->defines, memory, output[0] ? output : "none");
}

static void check(const struct row *r, const char *memory, int want)
{
	int status = run(r->program, r->defines, memory), n;
	const char *verdict;
	json_t *j;

	if (want == OTHER) {
		ck_assert_int_eq(status, 2);
		ck_assert_ptr_nonnull(strstr(output, "is about --memory"));
		return;
	}
	j = last_line();
	verdict = json_string_value(json_object_get(j, "verdict"));
	n = json_integer_value(json_object_get(j, "executions"));
	if (want == NOT) {
		ck_assert_str_eq(verdict, "undecided");
		ck_assert_int_eq(status, 2);
		ck_assert_ptr_nonnull(strstr(output, "different sizes"));
	} else if (want == BAD) {
		ck_assert_str_eq(verdict, "violated");
		ck_assert_int_eq(status, 1);
		check_schedule(r, memory);
	} else {
		ck_assert_msg(n == want,
			      "%s %s under %s: %d executions, not %d",
			      r->program, r->defines, memory, n, want);
		ck_assert_str_eq(verdict, "holds");
		ck_assert_int_eq(status, 0);
	}
	ck_assert_str_eq(json_string_value(json_object_get(j, "memory")),
			 memory);
	json_decref(j);
}

START_TEST(counts_sc)
{
	check(&rows[_i], "sc", rows[_i].sc);
}
END_TEST

START_TEST(counts_tso)
{
	check(&rows[_i], "tso", rows[_i].tso);
}
END_TEST

START_TEST(counts_lkmm)
{
	check(&rows[_i], "lkmm", rows[_i].lkmm);
}
END_TEST

static const struct {
	const char *defines, *says;
} mistakes[] = {
	{ "-DLATE_USE", "use-after-free" },
	{ "-DTWICE", "double-free" },
	{ "-DINSIDE", "bad-free" },
	{ "-DNULL_POINTER", "null pointer" },
};

START_TEST(memory_mistakes)
{
	ck_assert_int_eq(run("memory", mistakes[_i].defines, "sc"), 1);
	ck_assert_msg(strstr(output, mistakes[_i].says) != NULL, "%s", output);
}
END_TEST

static const struct {
	const char *defines, *says;
	int status;
} edges[] = {
	{ "-DBIG=8000000", "\"holds\"", 0 },
	{ "-DBIG=9000000", "the stack overflows: it has 8 MiB", 1 },
	{ "-DMANY", "more than 128 threads", 2 },
	{ "-DLAST", "\"holds\"", 0 },
};

START_TEST(at_the_edge)
{
	ck_assert_int_eq(run("refused", edges[_i].defines, "sc"),
			 edges[_i].status);
	ck_assert_msg(strstr(output, edges[_i].says) != NULL, "%s", output);
}
END_TEST

START_TEST(endless)
{
	ck_assert_int_eq(run("endless", "", "sc"), 1);
	ck_assert_msg(strstr(output, "livelock") != NULL, "%s", output);
	ck_assert_int_eq(run("endless", "-DCOUNT", "sc"), 2);
	ck_assert_msg(strstr(output, "an execution does not end") != NULL, "%s",
		      output);
	ck_assert_int_eq(run("endless", "-DBUSY", "sc"), 2);
	ck_assert_msg(strstr(output,
			     "3 seconds of processor time without an access "
			     "that others could see") != NULL,
		      "%s", output);
}
END_TEST

/* The time is over within one execution: at an operation, or between two. */
static const struct {
	const char *program, *defines;
} late[] = {
	{ "endless", "-DCOUNT --budget 0.1s" },
	{ "endless", "-DBUSY --budget 0.1s" },
	{ "endless", "-DBUSY --budget 0.1s -j2" },
	{ "endless", "-DBUSY --budget 0.1s --bound 2" },
	{ "construct", "-DENDLESS --budget 0.1s" },
};

START_TEST(out_of_time)
{
	ck_assert_int_eq(run(late[_i].program, late[_i].defines, "sc"), 3);
	ck_assert_msg(strstr(output, "\"undecided\"") != NULL, "%s", output);
	ck_assert_msg(strstr(output, "\"executions\":0") != NULL, "%s", output);
}
END_TEST

/*
 * Threads that wait for a lock and threads that try it: who comes first in the
 * program makes no difference. A try that fails has seen one who holds the lock.
 */
static const struct {
	const char *threads;
	int want;
} tries[] = {
	{ "RRW", 14 },
	/* two readers and a writer, 14; or r fails in W's section, 2 */
	{ "RrW", 16 },
	/* 3!; or w fails in one of two sections, in either order */
	{ "RwW", 10 },
	/* 14; or w fails with one or both inside, 2 + 2 + 4 * 3 */
	{ "RwR", 30 },
	/* 3!; one fails, 4 + 4; or both */
	{ "rwW", 15 },
};

START_TEST(any_order)
{
	static const int orders[][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
	};
	const char *t = tries[_i].threads;

	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		const int *o = orders[i];
		char defines[64];

		snprintf(defines, sizeof(defines), "-DA=%c -DB=%c -DC=%c",
			 t[o[0]], t[o[1]], t[o[2]]);
		check(&(struct row){ "tries", defines, 0, 0, 0 }, "sc",
		      tries[_i].want);
	}
}
END_TEST

/* A pass says how far it reaches, whoever did the work. */
START_TEST(bound)
{
	static const struct {
		const char *command, *says;
	} bounds[] = {
		{ "cond.c", "bound: 1 early wake-up)" },
		{ "cond.c --early-wakeups 2", "bound: 2 early wake-ups)" },
		{ "items.c --jobs 2", "bound: 1 early wake-up)" },
		{ "barrier.c", "bound: none)" },
	};
	char command[256];
	FILE *p;

	for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++) {
		snprintf(command, sizeof(command),
			 "cd " PROGRAMS " && " TRAPLINE " explore %s",
			 bounds[i].command);
		p = popen(command, "r");
		ck_assert_ptr_nonnull(p);
		output[fread(output, 1, sizeof(output) - 1, p)] = '\0';
		ck_assert_int_eq(pclose(p), 0);
		ck_assert_msg(strstr(output, bounds[i].says) != NULL, "%s",
			      output);
	}
}
END_TEST

START_TEST(budget)
{
	json_t *j;

	ck_assert_int_eq(run("nwriters", "-DN=7 --budget 100", "sc"), 3);
	j = last_line();
	ck_assert_str_eq(json_string_value(json_object_get(j, "verdict")),
			 "undecided");
	json_decref(j);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("counts");
	TCase *tc = tcase_create("programs");
	int failed, n = sizeof(rows) / sizeof(rows[0]);
	int fd = mkstemp(schedule);

	if (fd < 0)
		return 1;
	close(fd);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, counts_sc, 0, n);
	tcase_add_loop_test(tc, counts_tso, 0, n);
	tcase_add_loop_test(tc, counts_lkmm, 0, n);
	tcase_add_loop_test(tc, memory_mistakes, 0, 4);
	tcase_add_loop_test(tc, at_the_edge, 0,
			    sizeof(edges) / sizeof(edges[0]));
	tcase_add_loop_test(tc, any_order, 0, sizeof(tries) / sizeof(tries[0]));
	tcase_add_test(tc, endless);
	tcase_add_loop_test(tc, out_of_time, 0, sizeof(late) / sizeof(late[0]));
	tcase_add_test(tc, bound);
	tcase_add_test(tc, budget);
	suite_add_tcase(s, tc);
	failed = suite_run(s, CK_FORK_GETENV);
	unlink(schedule);
	return failed;
}
