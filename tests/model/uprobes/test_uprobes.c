// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_uprobes.c - runs the cases of model/uprobes under Check, each in all
 * designs that the logic can be (model/uprobes/variant.h).
 */
#include <stdlib.h>

#include "cases.h"
#include "entry.h"
#include "../../suite.h"

#define X(name)                 \
	START_TEST(test_##name) \
	{                       \
		case_##name();  \
	}                       \
	END_TEST
UPROBE_CASES(X)
#undef X

#define DESIGNS(D)       \
	D(v6_13, "6.13") \
	D(v6_14, "6.14") \
	D(v6_15, "6.15") \
	D(v6_18, "6.18") \
	D(v7_2, "7.2")

#define D(id, name)                                \
	static void set_##id(void)                 \
	{                                          \
		ck_assert(!sim_variant_set(name)); \
	}
DESIGNS(D)
#undef D

/* CK_RUN_CASE=6.18 and CK_INCLUDE_TAGS=hit_stepped choose among them. */
static void add(Suite *suite, const char *release, void (*set)(void),
		const char *name, const TTest *test)
{
	TCase *tc = tcase_create(release);

	tcase_set_tags(tc, name);
	tcase_add_checked_fixture(tc, set, NULL);
	tcase_add_test(tc, test);
	suite_add_tcase(suite, tc);
}

static void add_all(Suite *suite, const char *release, void (*set)(void))
{
#define X(name) add(suite, release, set, #name, test_##name);
	UPROBE_CASES(X)
#undef X
}

int main(void)
{
	Suite *suite = suite_create("model/uprobes");

#define D(id, name) add_all(suite, name, set_##id);
	DESIGNS(D)
#undef D
	return suite_run(suite, CK_FORK_GETENV);
}
