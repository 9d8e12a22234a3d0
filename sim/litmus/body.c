// SPDX-License-Identifier: GPL-2.0-only
/*
 * body.c - what a thread does: declarations, assignments, calls, if.
 */
#include "reader.h"

#include <string.h>

static struct litmus_stmt *statements(struct reader *r);

static struct litmus_stmt *assign(struct reader *r, int reg)
{
	struct litmus_stmt *s = reader_alloc(r, sizeof(*s));

	s->kind = STMT_ASSIGN;
	s->reg = reg;
	s->expr = body_expression(r);
	body_require(r, s->expr, r->t->thread[r->thread].reg[reg].pointer);
	return s;
}

static void refuse_keyword(struct reader *r)
{
	static const char *const loops[] = { "while", "for", "do", "goto" };
	static const char *const others[] = { "switch", "return", "break",
					      "continue", "case" };
	static const char *const types[] = { "long",  "unsigned", "char",
					     "short", "void",	  "u32",
					     "u64",   "s32",	  "s64",
					     "bool",  "intptr_t", "volatile" };

	if (reader_at(r, "else"))
		reader_fail(r, r->tok.at, "else without an if before it");
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++)
		if (reader_at(r, loops[i]))
			reader_fail(r, r->tok.at,
				    "%s: litmus tests have no loops; write the "
				    "rounds out, or use a scenario in C",
				    loops[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (reader_at(r, others[i]))
			reader_fail(r, r->tok.at, "%s is not known: use if",
				    others[i]);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (reader_at(r, types[i]))
			reader_fail(r, r->tok.at,
				    "%s is not known: registers are of type "
				    "int",
				    types[i]);
}

/* int r0, r1 = READ_ONCE(*x); gives the assignments, or NULL. */
static struct litmus_stmt *declaration(struct reader *r)
{
	struct litmus_thread *t = &r->t->thread[r->thread];
	struct litmus_stmt *first = NULL, **end = &first;

	do {
		unsigned int at = r->tok.at;
		bool pointer = reader_take(r, "*");
		const char *name;
		int reg, l;

		refuse_keyword(r);
		name = reader_name(r, "a register");
		l = reader_location(r, name);
		if (l >= 0 && t->params & 1ull << l)
			reader_fail(r, at, "%s is a parameter of P%d already",
				    name, r->thread);
		/* the initial state may have named it */
		reg = reader_register(r, r->thread, name);
		if (reg < 0) {
			reg = reader_add_register(r, r->thread, name, at);
			t->reg[reg].pointer = pointer;
		}
		if (t->reg[reg].pointer != pointer)
			reader_fail(r, at, "%s is %s already", name,
				    pointer ? "an int" : "a pointer");
		if (reader_take(r, "=")) {
			*end = assign(r, reg);
			end = &(*end)->next;
		}
	} while (reader_take(r, ","));
	reader_expect(r, ";", "the declaration");
	return first;
}

static struct litmus_stmt *block(struct reader *r)
{
	struct litmus_stmt *s;

	reader_next(r);
	s = statements(r);
	reader_expect(r, "}", "the block");
	return s;
}

static struct litmus_stmt *statement(struct reader *r);

static struct litmus_stmt *if_statement(struct reader *r)
{
	struct litmus_stmt *s = reader_alloc(r, sizeof(*s));

	s->kind = STMT_IF;
	reader_next(r);
	reader_expect(r, "(", "if");
	s->expr = body_expression(r);
	reader_expect(r, ")", "the condition");
	s->then = statement(r);
	if (reader_take(r, "else"))
		s->otherwise = statement(r);
	return s;
}

static struct litmus_stmt *call(struct reader *r)
{
	struct litmus_stmt *s = reader_alloc(r, sizeof(*s));

	if (!reader_at_name(r))
		reader_fail(r, r->tok.at, "expected a call, found %s",
			    reader_found(r));
	s->kind = STMT_CALL;
	s->expr = body_call(r);
	reader_expect(r, ";", "the call");
	return s;
}

/* (void)call(); */
static struct litmus_stmt *void_call(struct reader *r)
{
	reader_next(r);
	reader_expect(r, "void", "'('");
	reader_expect(r, ")", "void");
	return call(r);
}

/* Registers called r0, r1, ... need no declaration, as in herd. */
static int undeclared(struct reader *r, const struct token *name,
		      const char *text)
{
	if (text[0] != 'r' || !text[1] ||
	    text[1 + strspn(text + 1, "0123456789")])
		reader_fail(r, name->at,
			    "%s is no register of P%d: declare it with "
			    "'int %s;'",
			    text, r->thread, text);
	return reader_add_register(r, r->thread, text, name->at);
}

/* NAME = expression; or a call. */
static struct litmus_stmt *simple(struct reader *r)
{
	const unsigned int after = r->pos;
	const struct token name = r->tok;
	struct litmus_stmt *s;
	const char *text;
	int reg;

	text = reader_name(r, "a statement");
	if (reader_at(r, "(")) {
		/* back to the name */
		r->tok = name;
		r->pos = after;
		return call(r);
	}
	reg = reader_register(r, r->thread, text);
	if (reg < 0 && reader_location(r, text) >= 0)
		reader_fail(r, name.at,
			    "%s is shared memory: write it with "
			    "WRITE_ONCE(*%s, ...)",
			    text, text);
	if (reg < 0)
		reg = undeclared(r, &name, text);
	if (!reader_take(r, "="))
		reader_fail(r, r->tok.at,
			    "expected '=', found %s: '%s = ...' is the only "
			    "assignment known",
			    reader_found(r), text);
	s = assign(r, reg);
	reader_expect(r, ";", "the assignment");
	return s;
}

/* NULL for one that does nothing. */
static struct litmus_stmt *statement(struct reader *r)
{
	struct litmus_stmt *s = NULL;

	reader_deeper(r);
	refuse_keyword(r);
	if (reader_at(r, "{"))
		s = block(r);
	else if (reader_at(r, "if"))
		s = if_statement(r);
	else if (reader_take(r, "int"))
		s = declaration(r);
	else if (reader_at(r, "("))
		s = void_call(r);
	else if (reader_at(r, "*"))
		reader_fail(r, r->tok.at,
			    "a plain access: compilers may do anything with "
			    "it; use WRITE_ONCE");
	else if (!reader_take(r, ";"))
		s = simple(r);
	r->depth--;
	return s;
}

static struct litmus_stmt *statements(struct reader *r)
{
	struct litmus_stmt *first = NULL, **end = &first;

	while (r->tok.kind != TOKEN_END && !reader_at(r, "}")) {
		*end = statement(r);
		while (*end)
			end = &(*end)->next;
	}
	return first;
}

struct litmus_stmt *body_read(struct reader *r)
{
	if (!reader_take(r, "{"))
		reader_fail(r, r->tok.at, "expected '{' after P%d, found %s",
			    r->thread, reader_found(r));
	return statements(r);
}
