/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * series.h - times of bursts, as a traced loop prints them.
 */
#ifndef TESTS_BENCH_SERIES_H
#define TESTS_BENCH_SERIES_H

#define SERIES_MAX 4096

struct series {
	double ns[SERIES_MAX]; /* of one hit */
	unsigned int nr;
};

/* Of a series that is not empty. */
double series_min(const struct series *s);
double series_median(struct series *s); /* sorts it */

/* Read lines "ns NUMBER" up to the end of fd; others are passed over. */
void series_read(struct series *s, int fd);

/*
 * Run a program and read its output; what it says on stderr is dropped. Its
 * wait status, or -1.
 */
int series_run(struct series *s, char *const argv[]);

#endif /* TESTS_BENCH_SERIES_H */
