/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reader.h - tokens of a litmus test, and how reading it ends early.
 *
 *	lex.c		tokens, messages, memory
 *	parse.c		the parts of the file
 *	body.c, expr.c	what a thread does
 *	condition.c	what is asked of the final state
 *
 * A first error ends it: reader_fail does not return.
 */
#ifndef SIM_LITMUS_READER_H
#define SIM_LITMUS_READER_H

#include "litmus.h"

#include <setjmp.h>

#define READER_DEPTH 200 /* of blocks, brackets and operators */

enum token_kind {
	TOKEN_END,
	TOKEN_NAME,
	TOKEN_NUMBER,
	TOKEN_STRING,
	TOKEN_SIGN
};

struct token {
	enum token_kind kind;
	unsigned int at, len;
	int32_t value; /* TOKEN_NUMBER */
};

struct reader {
	struct litmus *t;
	const char *text;
	unsigned int len, pos;
	struct token tok; /* the current one */
	/* Inside a thread, where "(*" is no comment. */
	bool in_thread;
	int thread; /* that is being read */
	unsigned int depth;
	struct litmus_error *err;
	jmp_buf failed;
};

void reader_next(struct reader *r);
bool reader_at(const struct reader *r, const char *text);
/* Go on if the current token is `text`. */
bool reader_take(struct reader *r, const char *text);
/* ... and fail if it is not. `after` names what it follows. */
void reader_expect(struct reader *r, const char *text, const char *after);
bool reader_at_name(const struct reader *r);
/* The current token, a name, as a string; goes on. `what` it should be. */
const char *reader_name(struct reader *r, const char *what);
/* A number, with a sign or not. */
int32_t reader_number(struct reader *r);
/* The number behind the letter in a token like P0; -1 if it is none. */
int reader_numbered(const struct reader *r, char letter);
/* Text of the current token, cut to a length that fits a message. */
const char *reader_found(const struct reader *r);
/* What is left of the line, without blanks at its ends; goes on behind it. */
const char *reader_line(struct reader *r);

__attribute__((noreturn, format(printf, 3, 4))) void reader_fail(
	struct reader *r, unsigned int at, const char *fmt, ...);
/* Zeroed; belongs to the test. */
void *reader_alloc(struct reader *r, size_t size);
void reader_deeper(struct reader *r);

/* Location of that name, or -1. */
int reader_location(const struct reader *r, const char *name);
int reader_register(const struct reader *r, int thread, const char *name);
/* The location of that name, made if need be. */
int reader_add_location(struct reader *r, const char *name, unsigned int at);
int reader_add_register(struct reader *r, int thread, const char *name,
			unsigned int at);

/* The current token is the '{' of a thread's body; goes on to its '}'. */
struct litmus_stmt *body_read(struct reader *r);
struct litmus_expr *body_expression(struct reader *r);
/* Fails unless e may be the value of a pointer, or of an int. */
void body_require(struct reader *r, const struct litmus_expr *e, bool pointer);
/* A call, from its name on. */
struct litmus_expr *body_call(struct reader *r);

/* exists, ~exists, forall, locations: to the end of the file. */
void condition_read(struct reader *r);

#endif /* SIM_LITMUS_READER_H */
