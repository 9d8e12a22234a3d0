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

static void add_all(Suite *suite, const char *name, void (*set)(void))
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, set, NULL);
#define X(case) tcase_add_test(tc, test_##case);
	UPROBE_CASES(X)
#undef X
	suite_add_tcase(suite, tc);
}

int main(void)
{
	Suite *suite = suite_create("model/uprobes");

#define D(id, name) add_all(suite, name, set_##id);
	DESIGNS(D)
#undef D
	return suite_run(suite, CK_FORK_GETENV);
}
