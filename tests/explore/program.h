/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - small random programs over every primitive, told twice.
 *
 * A program is data. engine_side.c runs it through the kernel-API hooks under the
 * search; machine.c runs it on an operational machine that tries every
 * interleaving (and every flush time). Both report classes of executions as text:
 * who every read read from, and the order of writes, per shared word.
 */
#ifndef TESTS_EXPLORE_PROGRAM_H
#define TESTS_EXPLORE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define THREADS 4
#define TIMERS 2 /* armed by the thread of the same number */
#define ACTORS (THREADS + TIMERS)
#define MAX_OPS 12

enum opcode {
	P_LOAD,	 /* last = var */
	P_STORE, /* var = value */
	P_XCHG,
	P_ADD,
	P_CAS, /* var: last seen value -> value */
	P_FENCE,
	P_CHOOSE, /* last = one of 0 .. value */
	P_ALLOC,  /* last = does it fail? once in an execution at most */
	P_AWAIT,  /* until var == value */
	P_SPIN,	  /* likewise, in a loop that the engine has to recognise */
	P_LOCK,
	P_UNLOCK,
	P_LOCK_SHARED,
	P_UNLOCK_SHARED,
	P_TRY,	       /* last = did it lock? */
	P_TRY_SHARED,  /* likewise */
	P_LOCKED,      /* last = the word of the lock */
	P_SLEEP,       /* state = 1; if (!flag) schedule(); state = 0 */
	P_SLEEP_EARLY, /* the test before the state: may sleep on */
	P_WAKE,	       /* flag = 1; wake the sleeper */
	P_ARM,
	P_DELETE,
	P_RCU_LOCK,
	P_RCU_UNLOCK,
	P_SYNC,
	P_NR
};

struct op {
	enum opcode code;
	int var; /* variable, lock, or thread to wake */
	int value;
	int only_if; /* execute only if last == this; -1 always */
};

struct program {
	int n[ACTORS]; /* operations; a timer's are its callback */
	struct op op[ACTORS][MAX_OPS];
};

/* Words of a program; both sides number them alike. */
enum word {
	W_VAR,		      /* 2 */
	W_LOCK = W_VAR + 2,   /* 1 */
	W_STATE = W_LOCK + 1, /* per thread */
	W_FLAG = W_STATE + THREADS,
	W_TIMER = W_FLAG + THREADS,
	W_READER = W_TIMER + TIMERS,
	W_NR = W_READER + THREADS
};

/* Sorted set of strings; counts how often each was added. */
struct classes {
	char **text;
	size_t n, cap;
	size_t duplicates;
};

void classes_add(struct classes *c, const char *text);
void classes_free(struct classes *c);
/* Number of strings that are in one and not in the other. */
size_t classes_differ(const struct classes *a, const struct classes *b);

/* Which words two actors touch and one writes (bit per word). */
void program_run_machine(const struct program *p, bool tso, uint32_t shared,
			 struct classes *out);
void program_run_engine(const struct program *p, bool tso, uint32_t *shared,
			struct classes *out, uint64_t *blocked);
void program_print(const struct program *p);

#endif /* TESTS_EXPLORE_PROGRAM_H */
