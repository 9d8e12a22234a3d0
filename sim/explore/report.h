/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - what people and scripts are told about an exploration.
 *
 * Two runs of the same command print the same bytes, but for the line `time:`
 * of the text and the member "seconds" of the JSON object.
 */
#ifndef SIM_EXPLORE_REPORT_H
#define SIM_EXPLORE_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "explore.h"

struct report {
	const char *name;     /* of the scenario */
	const char *schedule; /* file that repeats the violation, or NULL */
	const char *command;  /* the command that does so, or NULL */
	const char *note;     /* one more line on the verdict, or NULL */
	enum explore_memory memory;
	enum explore_deps deps;
	/* Some executions only, or NULL. */
	const struct explore_options *some;
	int width;   /* characters of a line */
	bool replay; /* one run, not a search */
	bool cover;  /* list what was reached and what was not */
	bool brief;  /* the story alone: no stacks, no files, no times */
};

/* "use-after-free", as in verdicts and in `expect: violated KIND`. */
const char *report_kind(enum explore_finding finding);
/* The reverse; FIND_NONE if there is no such kind. */
enum explore_finding report_find_kind(const char *kind);

/* Verdict, table, why, stacks. */
void report_text(FILE *to, const struct report *how,
		 const struct explore_result *r);

/*
 * What fits into the message of a commit: lines of at most 72 characters (but for
 * longer words), no paths, a column per CPU.
 */
void report_changelog(FILE *to, const struct report *how,
		      const struct explore_result *r);

/* sc, tso, lkmm; and back: false if no model is called that. */
const char *report_memory(enum explore_memory memory);
bool report_find_memory(const char *name, enum explore_memory *memory);

/* What a search under that model leaves out or assumes, or NULL; and in one word. */
const char *report_limits(enum explore_memory memory, enum explore_deps deps);
const char *report_deps(enum explore_deps deps);
/* " under --deps=all, not a proof", or "". */
const char *report_condition(enum explore_memory memory,
			     enum explore_deps deps);

/* The data races of a search, if there are any. */
void report_races(FILE *to, const struct explore_result *r);
/* Members of an object: every race, with both stacks. */
void report_races_json(FILE *to, const struct explore_result *r);

/*
 * How many functions nobody entered, if the search came to an end without a
 * finding; which ones, if asked for.
 */
void report_cover(FILE *to, const struct report *how,
		  const struct explore_result *r);

/* Its members of the JSON object. */
void report_cover_json(FILE *to, const struct report *how,
		       const struct explore_result *r);

/* A string with its quotation marks. */
void report_json_string(FILE *to, const char *s);

/* One object on one line. */
void report_json(FILE *to, const struct report *how,
		 const struct explore_result *r);

#endif /* SIM_EXPLORE_REPORT_H */
