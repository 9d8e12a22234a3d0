/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * litmus.h - a litmus test in the kernel's C format, taken apart.
 *
 *	C SB
 *	{ int x=0; int y=0; }
 *	P0(int *x, int *y) { int r0; WRITE_ONCE(*x, 1); r0 = READ_ONCE(*y); }
 *	P1(int *x, int *y) { int r0; WRITE_ONCE(*y, 1); r0 = READ_ONCE(*x); }
 *	exists (0:r0=0 /\ 1:r0=0)
 *
 * Threads share words that they get as parameters and have registers of their
 * own; both hold ints or addresses of shared ints. There are no loops, so that
 * every execution ends or waits. A plain access is refused: what a compiler makes
 * of it is not said here.
 */
#ifndef SIM_LITMUS_LITMUS_H
#define SIM_LITMUS_LITMUS_H

#include "primitive.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LITMUS_THREADS 16
#define LITMUS_LOCATIONS 64
#define LITMUS_REGISTERS 64   /* of one thread */
#define LITMUS_MAX (1u << 20) /* bytes of a file */

/* In all of these `at` is an offset in the text, for messages. */

/* What a pointer to location l holds: this + l. */
#define LITMUS_ADDRESS 0x7fff0000

enum litmus_type {
	TYPE_UNKNOWN, /* named in the initial state only */
	TYPE_WORD,    /* int, atomic_t */
	TYPE_POINTER, /* int *: 0, or the address of a TYPE_WORD */
	TYPE_SPINLOCK,
	TYPE_SRCU,
};

struct litmus_location {
	const char *name;
	enum litmus_type type;
	int32_t initial;
};

enum litmus_operator {
	LITMUS_NEGATE,
	LITMUS_INVERT,
	LITMUS_NOT,
	LITMUS_PLUS,
	LITMUS_MINUS,
	LITMUS_TIMES,
	LITMUS_BIT_AND,
	LITMUS_BIT_OR,
	LITMUS_BIT_XOR,
	LITMUS_EQUAL,
	LITMUS_DIFFERENT,
	LITMUS_LESS,
	LITMUS_LESS_EQUAL,
	LITMUS_GREATER,
	LITMUS_GREATER_EQUAL,
	LITMUS_BOTH,   /* && */
	LITMUS_EITHER, /* || */
};

enum litmus_expr_kind { EXPR_CONST, EXPR_REGISTER, EXPR_OPERATOR, EXPR_CALL };

struct litmus_expr {
	enum litmus_expr_kind kind;
	unsigned int at;
	bool accesses; /* there is a call in it */
	bool pointer;  /* its value is an address */
	int32_t value; /* EXPR_CONST */
	int reg;       /* EXPR_REGISTER */
	enum litmus_operator op;
	const struct primitive *call;
	enum sim_order order;	    /* of the call */
	int loc;		    /* that it is about, or -1: */
	int via;		    /* register with its address, or -1 */
	struct litmus_expr *arg[2]; /* operands; a call's values, in order */
};

struct litmus_stmt {
	enum { STMT_CALL, STMT_ASSIGN, STMT_IF } kind;
	int reg; /* STMT_ASSIGN */
	struct litmus_expr *expr;
	struct litmus_stmt *then, *otherwise; /* STMT_IF; may be NULL */
	struct litmus_stmt *next;
};

struct litmus_thread {
	struct {
		const char *name;
		int32_t initial;
		bool pointer;
	} reg[LITMUS_REGISTERS];
	int nr_reg;
	uint64_t params; /* bit l: location l is a parameter */
	struct litmus_stmt *body;
};

/* What the final state is asked for: a register, or with thread -1 a location. */
struct litmus_item {
	int thread, index;
};

struct litmus_prop {
	enum {
		PROP_TRUE,
		PROP_FALSE,
		PROP_EQUAL,
		PROP_DIFFERENT,
		PROP_NOT,
		PROP_AND,
		PROP_OR
	} kind;
	struct litmus_item item;
	int32_t value;
	struct litmus_prop *left, *right;
};

enum litmus_quantifier { LITMUS_EXISTS, LITMUS_NOT_EXISTS, LITMUS_FORALL };

struct litmus {
	const char *name, *text;
	struct litmus_location loc[LITMUS_LOCATIONS];
	int nr_loc;
	struct litmus_thread thread[LITMUS_THREADS];
	int nr_threads;
	bool has_grace_period; /* synchronize_rcu is called */
	enum litmus_quantifier quantifier;
	struct litmus_prop *prop;
	struct litmus_prop *filter; /* executions that do not are left out */
	struct litmus_item *item;   /* each once: registers, then locations */
	int nr_items;
	struct block *blocks; /* all its memory */
};

struct litmus_error {
	unsigned int at, line, column; /* from 1 */
	char what[240];		       /* what is wrong, and the next step */
};

/*
 * Take len bytes of text apart; they are copied. Returns NULL with *err filled
 * if they are no litmus test, or one that asks for what is not known.
 */
struct litmus *litmus_parse(const char *text, size_t len,
			    struct litmus_error *err);
void litmus_free(struct litmus *t);

bool litmus_is_pointer(const struct litmus *t, struct litmus_item item);
/* "1", or of a pointer "x", in a buffer that the next call overwrites. */
const char *litmus_value_name(const struct litmus *t, struct litmus_item item,
			      int32_t value);
/* "0:r1" or "[x]", in a buffer that the next call overwrites. */
const char *litmus_item_name(const struct litmus *t, struct litmus_item item);
/* "exists (0:r0=0 /\ [x]=1)"; the caller frees it. */
char *litmus_condition(const struct litmus *t);
/* Line, from 1, and column, from 1, of an offset. */
void litmus_place(const char *text, unsigned int at, unsigned int *line,
		  unsigned int *column);

#endif /* SIM_LITMUS_LITMUS_H */
