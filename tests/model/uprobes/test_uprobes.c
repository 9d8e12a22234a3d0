// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_uprobes.c - runs the cases of model/uprobes under Check.
 */
#include <check.h>
#include <stdlib.h>

#include "cases.h"

#define X(name)                 \
	START_TEST(test_##name) \
	{                       \
		case_##name();  \
	}                       \
	END_TEST
UPROBE_CASES(X)
#undef X

int main(void)
{
	Suite *suite = suite_create("model/uprobes");
	TCase *tc = tcase_create("cases");
	SRunner *runner;
	int failed;

#define X(name) tcase_add_test(tc, test_##name);
	UPROBE_CASES(X)
#undef X
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
