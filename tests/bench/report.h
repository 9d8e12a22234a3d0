/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - what was measured, for people and for programs.
 */
#ifndef TESTS_BENCH_REPORT_H
#define TESTS_BENCH_REPORT_H

/* All rows are measured; core: where. To stdout. */
void report_text(int core);
void report_json(int core);

#endif /* TESTS_BENCH_REPORT_H */
