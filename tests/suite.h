/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suite.h - how every test program ends: run the suite, say how it went.
 */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

/*
 * Run s, each case in a process of its own (CK_FORK_GETENV, so that a debugger can
 * ask otherwise) or in this one (CK_NOFORK), and free it. CK_VERBOSITY says how much is
 * printed. 1 if a case failed or none ran, else 0: the status of main().
 */
static inline int suite_run(Suite *s, enum fork_status how)
{
	SRunner *sr = srunner_create(s);
	int failed;

	srunner_set_fork_status(sr, how);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr) || !srunner_ntests_run(sr);
	srunner_free(sr);
	return failed;
}

#endif /* TESTS_SUITE_H */
