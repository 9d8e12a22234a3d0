/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explore.h - what `bench explore` measures, and how it is told.
 */
#ifndef TESTS_BENCH_EXPLORE_H
#define TESTS_BENCH_EXPLORE_H

enum model { SC, TSO, LKMM, NR_MODELS };

/* One program under one model. */
struct search {
	unsigned long long executions, blocked, events;
	double seconds; /* of the search, the least of all rounds */
	double wall;	/* of the command; likewise */
	long kib;	/* peak of its memory, the most of all rounds */
};

/*
 * How many executions there are; and how many GenMC did in a second: measured once,
 * on another machine, its start included. 0: it did not run the program.
 */
struct known {
	unsigned long long executions;
	double rate;
};

struct program {
	const char *title, *file, *define;
	struct known known[NR_MODELS];
	struct search by[NR_MODELS];
};

struct bench {
	struct program *program;
	unsigned int nr, rounds;
	double switch_ns, callback_ns;
	int core;
};

extern const char *const model_names[NR_MODELS];

#define REACH_KIB (16 << 10)
/* Times the published rate that are to be reached. */
static inline double reach(enum model m)
{
	return m == LKMM ? 3 : 10;
}

void explore_report_text(const struct bench *b);
void explore_report_json(const struct bench *b);

#endif /* TESTS_BENCH_EXPLORE_H */
