// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_linux.c - runs the cases of model/linux under Check. Built twice, as the
 * model is; with SIM_EXPLORE the cases of the access hooks join.
 */

#include "cases.h"
#include "../../suite.h"

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

#define X(name) tcase_add_test(tc, test_##name);
	CASES(X)
#undef X
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}
