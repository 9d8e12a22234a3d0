/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * schedule.h - a schedule as text: read strictly, written canonically.
 *
 *	trapline 1 schedule
 *	scenario: traces/races/slot-wakeup/scenario.c
 *	memory: sc
 *	expect: violated deadlock
 *	--
 *	choose user alloc#3 fail
 *	run user until xchg hprobe#1.state
 *	run timer until end
 *
 * `run` lines are followed in their order. A `choose` line holds whenever its
 * thread comes to that choice; what no line names is 0, and does not fail.
 *
 * Of what weaker memory does, two more lines tell; in both, #k counts from the
 * start of the run, reads of an object by all threads, writes by the one named:
 *
 *	read x#2 from init
 *	read x#3 from user#1
 *	order x user#1 before timer#1
 *
 * `steps: LETTERS` in the header tells which operations the run did when the schedule
 * was written (sim/explore/steps.h).
 *
 * A read that no line names reads the latest write, and a write becomes that.
 *
 * Knows the grammar only: whether an operation, an object or a thread exists is
 * the run's business. Lines that begin with '#' are comments, and so is the
 * rest of a body line after a '#' followed by a blank.
 */
#ifndef SIM_TRACE_SCHEDULE_H
#define SIM_TRACE_SCHEDULE_H

#include <stddef.h>
#include <stdio.h>

#define SCHED_MAJOR 1
#define SCHED_MAX_BYTES (1u << 20)

enum sched_point {
	SCHED_END,     /* the thread has ended */
	SCHED_BLOCKED, /* its next operation cannot be performed now */
	SCHED_EVENT,   /* just before it performs `word object` */
};

/* run THREAD until POINT */
struct sched_run {
	char *thread;
	enum sched_point point;
	char *word;	    /* event: an operation, or alone: a function */
	char *object;	    /* event: NULL if the word stands alone */
	unsigned int count; /* event: #k from the start of the run, 0: next */
	unsigned int line;  /* in the file, from 1 */
};

/*
 * choose THREAD choose#K VALUE; or what happens only so often in an execution:
 * choose THREAD alloc#K fail, choose THREAD wakeup#K early
 */
struct sched_choice {
	char *thread;
	char *what; /* "choose", "alloc" or "wakeup" */
	unsigned int count;
	unsigned int value; /* of alloc and wakeup: 1 */
	unsigned int line;
};

/* read OBJECT#K from init, read OBJECT#K from THREAD#K */
struct sched_read {
	char *object;
	unsigned int count;
	char *thread; /* NULL: init */
	unsigned int write;
	unsigned int line;
};

/* order OBJECT THREAD#K before THREAD#K */
struct sched_order {
	char *object;
	char *thread[2];
	unsigned int write[2];
	unsigned int line;
};

/* A list of strings; both levels are owned by the schedule. */
struct sched_list {
	char **item;
	size_t nr;
};

struct sched {
	char *scenario;		  /* path, never NULL after a successful read */
	char *memory;		  /* "sc", "tso" or "lkmm" */
	char *unfix;		  /* path of a patch, or NULL */
	char *variant;		  /* of the probe logic, or NULL: the newest */
	char *expect;		  /* "holds", "violated KIND", or NULL */
	char *steps;		  /* what strict replay compares, or NULL */
	struct sched_list define; /* NAME or NAME=VALUE */
	struct sched_list source; /* further files of the scenario */
	struct sched_list include; /* directories of their headers */
	struct sched_choice *choice;
	size_t nr_choices;
	struct sched_read *read;
	size_t nr_reads;
	struct sched_order *order;
	size_t nr_orders;
	struct sched_run *run;
	size_t nr_runs;
};

/* Where the text is wrong (both from 1; column 0: the line as a whole). */
struct sched_error {
	unsigned int line, column;
	char text[200];
};

/*
 * Parse len bytes of text, which need not end in NUL. Returns 0, -EINVAL with
 * *err filled, or -ENOMEM. *out is the caller's to sched_free in either case.
 */
int sched_parse(const char *text, size_t len, struct sched *out,
		struct sched_error *err);

/*
 * Read and parse a file. As sched_parse; a file that cannot be read gives its
 * errno, with err->line 0 and the reason in err->text.
 */
int sched_read(const char *path, struct sched *out, struct sched_error *err);

/* Write the canonical form: fixed key order, single blanks, no comments. */
void sched_write(FILE *to, const struct sched *s);

void sched_free(struct sched *s);

/* Free all lines; the header stays. */
void sched_drop_body(struct sched *s);
/* The lines of *from, which has no header and is empty then, take their place. */
void sched_move_body(struct sched *to, struct sched *from);

/* Free what belongs to one line; the array it stood in is the caller's. */
void sched_drop_run(struct sched_run *run);
void sched_drop_choice(struct sched_choice *choice);
void sched_drop_read(struct sched_read *read);
void sched_drop_order(struct sched_order *order);

/* Append a copy of text; returns 0 or -ENOMEM. */
int sched_list_add(struct sched_list *list, const char *text);
/* The texts, too; the list itself is the caller's. */
void sched_list_free(struct sched_list *list);

/*
 * Append a run with copies of the strings (word and object may be NULL).
 * Returns the new element, or NULL when out of memory.
 */
struct sched_run *sched_add_run(struct sched *s, const char *thread,
				enum sched_point point, const char *word,
				const char *object, unsigned int count);

/* What a choice of that name is, as a word; "": a number; NULL: there is none. */
const char *sched_choice_word(const char *what);

/* Append a choice with copies of the strings; NULL when out of memory. */
struct sched_choice *sched_add_choice(struct sched *s, const char *thread,
				      const char *what, unsigned int count,
				      unsigned int value);

/* Append a read; thread NULL: from init. NULL when out of memory. */
struct sched_read *sched_add_read(struct sched *s, const char *object,
				  unsigned int count, const char *thread,
				  unsigned int write);

/* Append an order of two writes; NULL when out of memory. */
struct sched_order *sched_add_order(struct sched *s, const char *object,
				    const char *first, unsigned int first_write,
				    const char *second,
				    unsigned int second_write);

#endif /* SIM_TRACE_SCHEDULE_H */
