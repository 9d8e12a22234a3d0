// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_races.c - what is reported as a data race, and what is none.
 */
#include <stdlib.h>

#include "../suite.h"
#include "command.h"

#define NR(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const char *member(const json_t *j, const char *key)
{
	return json_string_value(json_object_get(j, key));
}

/* The object that it ends with. */
static json_t *explore(const char *program, const char *arguments)
{
	command("cd " PROGRAMS " && " TRAPLINE
		" explore %s.c %s --schedule-out /dev/null --format json 2>&1",
		program, arguments);
	return last_line();
}

static int races_of(const json_t *j)
{
	return json_integer_value(json_object_get(j, "races"));
}

/* ---- exempt ------------------------------------------------------------------------ */

static const struct {
	const char *defines;
	int races;
	const char *object;
} exempt[] = {
	{ "-DRACE", 0, NULL },	  { "-DRACE -DWRONG", 1, "data" },
	{ "-DCOUNTER", 0, NULL }, { "-DCOUNTER -DWRONG", 1, "data" },
	{ "-DPACKED", 0, NULL },  { "-DPACKED -DWRONG", 1, "data.element[0]" },
};

START_TEST(race_or_not)
{
	json_t *j = explore("exempt", exempt[_i].defines), *race, *by;

	ck_assert_str_eq(member(j, "verdict"), "holds");
	ck_assert_int_eq(races_of(j), exempt[_i].races);
	race = json_array_get(json_object_get(j, "race_list"), 0);
	ck_assert(!race == !exempt[_i].races);
	if (!race)
		return;
	/* what, and by both: who, how, and from where */
	ck_assert_str_eq(member(race, "object"), exempt[_i].object);
	for (int k = 0; k < 2; k++) {
		by = json_array_get(json_object_get(race, "by"), k);
		ck_assert_str_eq(member(by, "access"),
				 k ? "plain write" : "plain read");
		ck_assert_str_eq(member(by, "thread"), k ? "writer" : "reader");
		by = json_object_get(by, "stack");
		ck_assert_uint_eq(json_array_size(by), k ? 1 : 2);
	}
	ck_assert_ptr_nonnull(strstr(json_string_value(json_array_get(by, 0)),
				     "writer (exempt.c:"));
	json_decref(j);
}
END_TEST

/* ---- by the kernel's rule ------------------------------------------------------------- */

#define UAF -1 /* violated: use after free */

/* A payload behind a flag, which both ways it is tied to; by what the reader does. */
static const struct {
	const char *set, *get, *first;
	int read, write, once, free;
} flags[] = {
	/* seen is not ordered, unless on both sides */
	{ "relaxed", "relaxed", "write", 1, 1, 1, UAF },
	{ "release", "relaxed", "write", 1, 1, 1, UAF },
	{ "relaxed", "acquire", "write", 1, 1, 1, UAF },
	{ "release", "acquire", "write", 0, 0, 0, 0 },
	{ "mb", "mb", "write", 0, 0, 0, 0 },
	/* smp_wmb orders no read, not even that which may become of a plain write */
	{ "wmb", "acquire", "read", 0, 1, 1, UAF },
	{ "wmb", "acquire", "write", 0, 1, 1, 0 },
	{ "wmb", "acquire", "once", 0, 0, 0, 0 },
	/* and smp_rmb no write */
	{ "release", "rmb", "write", 0, 1, 1, UAF },
	/* a plain flag is a race itself, and orders nothing at all */
	{ "plain", "plain", "write", 2, 2, 2, UAF },
};

static void behind_a_flag(int row, const char *then, int expected)
{
	char arguments[256];
	json_t *j;

	snprintf(arguments, sizeof(arguments),
		 "-DSET=%s -DGET=%s -DFIRST=%s -DTHEN=%s --memory lkmm",
		 flags[row].set, flags[row].get, flags[row].first, then);
	j = explore("plain", arguments);
	if (expected == UAF) {
		ck_assert_msg(
			!strcmp(member(j, "verdict"), "violated") &&
				!strcmp(member(j, "finding"), "use-after-free"),
			"%s: %s", arguments, output);
	} else {
		ck_assert_msg(!strcmp(member(j, "verdict"), "holds") &&
				      races_of(j) == expected,
			      "%s: %s", arguments, output);
	}
	json_decref(j);
}

START_TEST(tied_to_a_flag)
{
	behind_a_flag(_i, "read", flags[_i].read);
	behind_a_flag(_i, "write", flags[_i].write);
	behind_a_flag(_i, "once", flags[_i].once);
	behind_a_flag(_i, "free", flags[_i].free);
}
END_TEST

#define C11(set, get) "-DSET=memory_order_" #set " -DGET=memory_order_" #get

static const struct {
	const char *program, *arguments;
	int races;
} others[] = {
	{ "plain_three", "-DLOCK", 0 },
	{ "plain_three", "-DLOCK -DWRONG", 1 },
	{ "plain_three", "-DRCU", 0 },
	{ "plain_three", "-DRCU -DWRONG", 1 },
	{ "plain_three", "-DDEREF", 0 },
	{ "plain_three", "-DDEREF -DWRONG", 1 },
	{ "plain_three", "-DCHAIN", 0 },
	{ "plain_three", "-DCHAIN -DWRONG", 1 },
	{ "plain_c11", C11(relaxed, relaxed), 1 },
	{ "plain_c11", C11(release, relaxed), 1 },
	{ "plain_c11", C11(relaxed, acquire), 1 },
	{ "plain_c11", C11(release, acquire), 0 },
	{ "plain_c11", C11(seq_cst, seq_cst), 0 },
	{ "plain_c11", C11(release, acquire) " -DFENCES=1", 0 },
	{ "plain_c11", C11(release, acquire) " -DFENCES=2", 0 },
	{ "plain_c11", C11(release, acquire) " -DFENCES=3", 0 },
	{ "plain_c11", C11(acquire, acquire) " -DFENCES=3", 1 },
	{ "plain_c11", C11(release, release) " -DFENCES=3", 1 },
	/* a read-modify-write carries on what was released */
	{ "plain_c11", C11(release, acquire) " -DADDED", 0 },
	{ "plain_c11", C11(relaxed, acquire) " -DADDED", 1 },
};

START_TEST(tied_otherwise)
{
	char arguments[256];
	json_t *j;

	snprintf(arguments, sizeof(arguments), "%s --memory lkmm",
		 others[_i].arguments);
	j = explore(others[_i].program, arguments);
	ck_assert_msg(!strcmp(member(j, "verdict"), "holds") &&
			      races_of(j) == others[_i].races,
		      "%s %s: %s", others[_i].program, arguments, output);
	json_decref(j);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("races");
	TCase *tc = tcase_create("races");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, race_or_not, 0, NR(exempt));
	tcase_add_loop_test(tc, tied_to_a_flag, 0, NR(flags));
	tcase_add_loop_test(tc, tied_otherwise, 0, NR(others));
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}
