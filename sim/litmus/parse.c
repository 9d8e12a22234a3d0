// SPDX-License-Identifier: GPL-2.0-only
/*
 * parse.c - the parts of a litmus test: name, initial state, threads.
 */
#include "reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------- */

int reader_location(const struct reader *r, const char *name)
{
	for (int l = 0; l < r->t->nr_loc; l++)
		if (!strcmp(r->t->loc[l].name, name))
			return l;
	return -1;
}

int reader_register(const struct reader *r, int thread, const char *name)
{
	const struct litmus_thread *t = &r->t->thread[thread];

	for (int i = 0; i < t->nr_reg; i++)
		if (!strcmp(t->reg[i].name, name))
			return i;
	return -1;
}

int reader_add_register(struct reader *r, int thread, const char *name,
			unsigned int at)
{
	struct litmus_thread *t = &r->t->thread[thread];

	if (t->nr_reg == LITMUS_REGISTERS)
		reader_fail(r, at, "more than %d registers in P%d",
			    LITMUS_REGISTERS, thread);
	t->reg[t->nr_reg].name = name;
	return t->nr_reg++;
}

int reader_add_location(struct reader *r, const char *name, unsigned int at)
{
	int l = reader_location(r, name);

	if (l >= 0)
		return l;
	if (r->t->nr_loc == LITMUS_LOCATIONS)
		reader_fail(r, at, "more than %d shared variables",
			    LITMUS_LOCATIONS);
	r->t->loc[r->t->nr_loc].name = name;
	return r->t->nr_loc++;
}

static void set_type(struct reader *r, int l, enum litmus_type type,
		     unsigned int at)
{
	struct litmus_location *loc = &r->t->loc[l];

	if (loc->type == TYPE_UNKNOWN)
		loc->type = type;
	if (loc->type != type)
		reader_fail(r, at,
			    "%s had another type before: it has one in the "
			    "whole test",
			    loc->name);
	if (type != TYPE_WORD && type != TYPE_POINTER && loc->initial)
		reader_fail(r, at, "%s begins as what it is: drop its value",
			    loc->name);
}

/* A type, if the current token begins one. */
static enum litmus_type take_type(struct reader *r)
{
	if (reader_take(r, "int") || reader_take(r, "atomic_t"))
		return TYPE_WORD;
	if (reader_take(r, "spinlock_t"))
		return TYPE_SPINLOCK;
	if (!reader_take(r, "struct"))
		return TYPE_UNKNOWN;
	if (!reader_at(r, "srcu_struct"))
		reader_fail(r, r->tok.at,
			    "struct %s is not known: struct srcu_struct is",
			    reader_found(r));
	reader_next(r);
	return TYPE_SRCU;
}

static void refuse_type(struct reader *r)
{
	reader_fail(r, r->tok.at,
		    "expected a type, found %s: int, atomic_t, spinlock_t and "
		    "struct srcu_struct are known",
		    reader_found(r));
}

/* ---- before the initial state ------------------------------------------------------ */

static void read_head(struct reader *r)
{
	reader_next(r);
	if (!reader_at(r, "C"))
		reader_fail(r, r->tok.at,
			    "expected 'C NAME', found %s: only tests in C are "
			    "known, not in assembly",
			    reader_found(r));
	r->t->name = reader_line(r);
	if (!*r->t->name)
		reader_fail(r, r->tok.at, "expected a name after 'C'");
	for (const char *c = r->t->name; *c; c++)
		if (!isgraph((unsigned char)*c))
			reader_fail(r, r->tok.at,
				    "expected a name after 'C': one word of "
				    "printable letters");
	reader_next(r);
	/* what tools leave there: "text" and Key=value */
	while (r->tok.kind == TOKEN_STRING || reader_at_name(r)) {
		if (r->tok.kind == TOKEN_STRING) {
			reader_next(r);
			continue;
		}
		reader_name(r, "a key");
		if (!reader_at(r, "="))
			reader_fail(r, r->tok.at,
				    "expected '{' with the initial state, or "
				    "Key=value, found %s",
				    reader_found(r));
		reader_line(r);
		reader_next(r);
	}
}

/* ---- the initial state ----------------------------------------------------------------- */

/* Sets *pointer if it is an address: x, &x. */
static int32_t initial_value(struct reader *r, bool *pointer)
{
	unsigned int at;
	int32_t v;

	if (reader_take(r, "ATOMIC_INIT")) {
		reader_expect(r, "(", "ATOMIC_INIT");
		v = reader_number(r);
		reader_expect(r, ")", "the value");
		return v;
	}
	if (!reader_at(r, "&") && !reader_at_name(r))
		return reader_number(r);
	reader_take(r, "&");
	*pointer = true;
	at = r->tok.at;
	return LITMUS_ADDRESS +
	       reader_add_location(r, reader_name(r, "a variable"), at);
}

/* "0:r1 = 5": a register of a thread that is read later. */
static void initial_register(struct reader *r)
{
	unsigned int at = r->tok.at;
	int n = reader_number(r), reg;
	const char *name;

	if (n < 0 || n >= LITMUS_THREADS)
		reader_fail(r, at, "there are at most %d threads",
			    LITMUS_THREADS);
	reader_expect(r, ":", "the number of a thread");
	at = r->tok.at;
	name = reader_name(r, "a register");
	reg = reader_register(r, n, name);
	if (reg < 0)
		reg = reader_add_register(r, n, name, at);
	reader_expect(r, "=", "the register");
	r->t->thread[n].reg[reg].initial =
		initial_value(r, &r->t->thread[n].reg[reg].pointer);
}

static void initial_location(struct reader *r)
{
	enum litmus_type type = take_type(r);
	bool star = type == TYPE_WORD && reader_take(r, "*");
	bool bracket = reader_take(r, "["), pointer = star;
	unsigned int at = r->tok.at;
	int l;

	l = reader_add_location(r, reader_name(r, "a variable"), at);
	if (reader_at_name(r))
		reader_fail(r, at,
			    "the type is not known: int, atomic_t, spinlock_t "
			    "and struct srcu_struct are");
	if (bracket)
		reader_expect(r, "]", "the variable");
	if (reader_at(r, "["))
		reader_fail(r, r->tok.at,
			    "an array: use a variable for each "
			    "element");
	if (reader_take(r, "="))
		r->t->loc[l].initial = initial_value(r, &pointer);
	if (pointer && type == TYPE_WORD && !star)
		reader_fail(r, at, "%s is an int, not a pointer: int *%s",
			    r->t->loc[l].name, r->t->loc[l].name);
	if (pointer && type <= TYPE_WORD)
		type = TYPE_POINTER;
	if (type != TYPE_UNKNOWN)
		set_type(r, l, type, at);
}

static void read_initial_state(struct reader *r)
{
	if (!reader_take(r, "{"))
		reader_fail(r, r->tok.at,
			    "expected '{' with the initial state, found %s",
			    reader_found(r));
	while (!reader_at(r, "}")) {
		if (reader_take(r, ";"))
			continue;
		if (r->tok.kind == TOKEN_NUMBER)
			initial_register(r);
		else
			initial_location(r);
		if (!reader_at(r, ";") && !reader_at(r, "}"))
			reader_fail(r, r->tok.at,
				    "expected ';' or '}' in the initial "
				    "state, found %s",
				    reader_found(r));
	}
	reader_next(r);
}

/* ---- threads -------------------------------------------------------------------------------- */

static void read_parameter(struct reader *r)
{
	unsigned int at;
	enum litmus_type type;
	const char *name;
	int l;

	reader_take(r, "volatile");
	type = take_type(r);
	if (type == TYPE_UNKNOWN)
		refuse_type(r);
	reader_expect(r, "*", "the type");
	if (type == TYPE_WORD && reader_take(r, "*"))
		type = TYPE_POINTER;
	at = r->tok.at;
	name = reader_name(r, "the name of a shared variable");
	if (reader_register(r, r->thread, name) >= 0)
		reader_fail(r, at, "%s is a register of P%d already", name,
			    r->thread);
	l = reader_add_location(r, name, at);
	set_type(r, l, type, at);
	r->t->thread[r->thread].params |= 1ull << l;
}

static void read_thread(struct reader *r)
{
	int n = reader_numbered(r, 'P');

	if (n != r->t->nr_threads)
		reader_fail(r, r->tok.at,
			    "expected P%d, found %s: threads are numbered "
			    "from P0 on",
			    r->t->nr_threads, reader_found(r));
	if (n == LITMUS_THREADS)
		reader_fail(r, r->tok.at, "more than %d threads",
			    LITMUS_THREADS);
	r->thread = r->t->nr_threads++;
	r->in_thread = true;
	reader_next(r);
	reader_expect(r, "(", "the thread");
	if (!reader_take(r, "void"))
		while (!reader_at(r, ")")) {
			read_parameter(r);
			if (!reader_at(r, ")"))
				reader_expect(r, ",", "the parameter");
		}
	reader_expect(r, ")", "the parameters");
	r->t->thread[n].body = body_read(r);
	if (!reader_at(r, "}"))
		reader_fail(r, r->tok.at, "expected '}' after P%d, found %s", n,
			    reader_found(r));
	r->in_thread = false;
	reader_next(r);
}

/* Types of locations may come after the pointers to them. */
static void check_target(struct reader *r, const char *name, int32_t initial)
{
	int l = initial - LITMUS_ADDRESS;

	if (initial && (l < 0 || l >= r->t->nr_loc))
		reader_fail(r, r->tok.at,
			    "the pointer %s begins as a number: it holds 0 or "
			    "an address",
			    name);
	if (initial && r->t->loc[l].type != TYPE_WORD)
		reader_fail(r, r->tok.at,
			    "%s points to %s, which is no int: pointers to "
			    "ints are known",
			    name, r->t->loc[l].name);
}

static void check_threads(struct reader *r)
{
	struct litmus *t = r->t;

	if (!t->nr_threads)
		reader_fail(r, r->tok.at,
			    "expected a thread, P0(...) { ... }, found %s",
			    reader_found(r));
	for (int n = t->nr_threads; n < LITMUS_THREADS; n++)
		if (t->thread[n].nr_reg)
			reader_fail(r, r->tok.at,
				    "the initial state has %d:%s, but there is "
				    "no P%d",
				    n, t->thread[n].reg[0].name, n);
	for (int l = 0; l < t->nr_loc; l++)
		if (t->loc[l].type == TYPE_UNKNOWN)
			t->loc[l].type = TYPE_WORD;
	for (int l = 0; l < t->nr_loc; l++)
		if (t->loc[l].type == TYPE_POINTER)
			check_target(r, t->loc[l].name, t->loc[l].initial);
	for (int n = 0; n < t->nr_threads; n++)
		for (int i = 0; i < t->thread[n].nr_reg; i++)
			if (t->thread[n].reg[i].pointer)
				check_target(r, t->thread[n].reg[i].name,
					     t->thread[n].reg[i].initial);
}

static void read_test(struct reader *r)
{
	read_head(r);
	read_initial_state(r);
	while (reader_at_name(r) && r->text[r->tok.at] == 'P')
		read_thread(r);
	check_threads(r);
	condition_read(r);
}

/* False if it ended early. */
static bool read_whole(struct reader *r, const char *text, size_t len)
{
	char *copy;

	if (setjmp(r->failed))
		return false;
	if (len > LITMUS_MAX)
		reader_fail(r, 0, "the file has more than %u bytes",
			    LITMUS_MAX);
	copy = reader_alloc(r, len + 1);
	memcpy(copy, text, len);
	r->t->text = r->text = copy;
	r->len = len;
	read_test(r);
	return true;
}

struct litmus *litmus_parse(const char *text, size_t len,
			    struct litmus_error *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct litmus *t = calloc(1, sizeof(*t));

	if (!r || !t)
		abort();
	memset(err, 0, sizeof(*err));
	r->t = t;
	r->err = err;
	r->text = "";
	if (!read_whole(r, text, len)) {
		litmus_free(t);
		t = NULL;
	}
	free(r);
	return t;
}
