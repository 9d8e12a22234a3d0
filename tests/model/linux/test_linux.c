// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_linux.c - runs the cases of model/linux under Check. Built twice, as the
 * model is; with SIM_EXPLORE the cases of the access hooks join.
 */
#include <check.h>
#include <stdlib.h>

#include "cases.h"

#ifdef SIM_EXPLORE
#define CASES(X) LINUX_CASES(X) LINUX_ORDER_CASES(X)
#else
#define CASES(X) LINUX_CASES(X)
#endif

#define X(name)                 \
	START_TEST(test_##name) \
	{                       \
		case_##name();  \
	}                       \
	END_TEST
CASES(X)
#undef X

int main(void)
{
	Suite *suite = suite_create("model/linux");
	TCase *tc = tcase_create("cases");
	SRunner *runner;
	int failed;

#define X(name) tcase_add_test(tc, test_##name);
	CASES(X)
#undef X
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
