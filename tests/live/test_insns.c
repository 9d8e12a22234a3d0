// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_insns.c - a probe on every instruction of the target `insns`, which
 * compares itself with an unprobed twin: each way to step, with return probes
 * and under a storm of signals. Only what a rule refuses is left out, and that is
 * counted here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

#define SEEDS 6 /* as the target has it */
#define MAX_PLACES 1024

/* Places that can be probed, as file offsets; and what functions start where. */
static char place[MAX_PLACES][32], start[MAX_PLACES][32];
static unsigned int nr_places, nr_starts;

/* What is refused, and how often the target has it. */
static struct refusal {
	const char *verdict;
	unsigned int want, got;
} refusals[] = {
	{ "ARCH_IS_BREAKPOINT", 2, 0 }, /* int3 */
	{ "ARCH_PRIVILEGED", 1, 0 },	/* hlt */
	{ "ARCH_BAD_PREFIX", 3, 0 },	/* lock */
};
#define NR_REFUSALS (sizeof(refusals) / sizeof(*refusals))

static const char *text_of(json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));

	return text ? text : "";
}

static void add_place(const char *offset, const char *verdict)
{
	unsigned int i;

	if (!strcmp(verdict, "ARCH_OK")) {
		ck_assert_uint_lt(nr_places, MAX_PLACES);
		snprintf(place[nr_places++], 32, "%s", offset);
		return;
	}
	for (i = 0; i < NR_REFUSALS && strcmp(refusals[i].verdict, verdict);)
		i++;
	ck_assert_msg(i < NR_REFUSALS, "%s: %s", offset, verdict);
	refusals[i].got++;
}

static void read_places(void)
{
	char command[8500], function[128] = "";
	const char *symbol, *offset;
	json_t *line;
	unsigned int i;
	FILE *f;

	snprintf(command, sizeof(command), "%s insn --format json %s", TRAPLINE,
		 target("insns"));
	f = popen(command, "r");
	ck_assert_ptr_nonnull(f);
	while ((line = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) {
		symbol = text_of(line, "symbol");
		offset = text_of(line, "offset");
		if (!strncmp(symbol, "probed_", 7)) {
			add_place(offset, text_of(line, "verdict"));
			if (strcmp(symbol, function))
				snprintf(start[nr_starts++], 32, "%s", offset);
			snprintf(function, sizeof(function), "%s", symbol);
		}
		json_decref(line);
	}
	ck_assert_int_eq(pclose(f), 0);
	for (i = 0; i < NR_REFUSALS; i++)
		ck_assert_msg(refusals[i].got == refusals[i].want, "%s: %u",
			      refusals[i].verdict, refusals[i].got);
	ck_assert_uint_gt(nr_places, 600);
	ck_assert_uint_gt(nr_starts, 70);
}

static void run_target(struct run *r, struct words *w, bool storm)
{
	add_word(w, "%s", target("insns"));
	if (storm)
		add_word(w, "storm");
	run(r, w, NULL);
}

/* Traced: says the same and ends as it does alone. Its summary. */
static json_t *trace(const char *way, bool returns, bool storm)
{
	struct words plain = { 0 }, traced;
	struct run a, b;
	unsigned int i;

	run_target(&a, &plain, false);
	ck_assert_msg(a.code == 7, "alone: %d, %s", a.code, a.err);
	trace_words(&traced, "-c", way, NULL);
	for (i = 0; i < nr_places; i++)
		add_word(&traced, "-ep:%s:%s", target("insns"), place[i]);
	for (i = 0; returns && i < nr_starts; i++)
		add_word(&traced, "-er:%s:%s", target("insns"), start[i]);
	add_word(&traced, "--");
	run_target(&b, &traced, storm);
	ck_assert_msg(b.code == a.code, "%s: %d, %s", way, b.code, b.err);
	ck_assert_str_eq(b.out, a.out);
	ck_assert_str_eq(b.err, "");
	run_free(&a);
	run_free(&b);
	return summary();
}

static void same_hits(json_t *a, json_t *b)
{
	unsigned int i;

	for (i = 0; i < nr_places; i++)
		ck_assert_msg(count_of(a, place[i], "hits") ==
				      count_of(b, place[i], "hits"),
			      "%s: %ld hits, and %ld", place[i],
			      count_of(a, place[i], "hits"),
			      count_of(b, place[i], "hits"));
}

static const char *const ways[] = { "--step=bp", "--step=hw", "--step=auto" };

/* However an instruction is run, it is hit as often. */
START_TEST(is_the_same_any_way)
{
	json_t *sum[3];
	unsigned int i;

	read_places();
	for (i = 0; i < 3; i++)
		sum[i] = trace(ways[i], false, false);
	same_hits(sum[0], sum[1]);
	same_hits(sum[0], sum[2]);
	ck_assert_int_eq(count_of(sum[0], place[0], "hits"), SEEDS);
	ck_assert_int_gt(number_of(sum[0], "hits"), 3000);
	for (i = 0; i < 3; i++)
		json_decref(sum[i]);
}
END_TEST

START_TEST(is_the_same_in_a_storm)
{
	read_places();
	json_decref(trace(ways[_i], false, true));
}
END_TEST

START_TEST(is_the_same_with_returns)
{
	json_t *sum;

	read_places();
	sum = trace(ways[_i], true, false);
	ck_assert_int_ge(number_of(sum, "returns"), SEEDS * 50);
	ck_assert_int_eq(count_of(sum, start[0], "returns"), SEEDS);
	json_decref(sum);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("insns");
	TCase *tc = tcase_create("same as the twin");

	tcase_set_timeout(tc, 70);
	tcase_add_test(tc, is_the_same_any_way);
	tcase_add_loop_test(tc, is_the_same_in_a_storm, 0, 3);
	tcase_add_loop_test(tc, is_the_same_with_returns, 0, 3);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
