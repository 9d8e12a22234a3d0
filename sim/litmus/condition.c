// SPDX-License-Identifier: GPL-2.0-only
/*
 * condition.c - what a litmus test asks of the final state.
 *
 *	locations [x; 0:r1;]
 *	filter (0:r1=1)
 *	exists (0:r0=0 /\ (1:r0=0 \/ ~[x]=2))
 *
 * A test without a condition asks whether all executions satisfy `true`.
 */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- items ---------------------------------------------------------------------- */

static bool same(struct litmus_item a, struct litmus_item b)
{
	return a.thread == b.thread && a.index == b.index;
}

static void note_item(struct reader *r, struct litmus_item item)
{
	struct litmus *t = r->t;
	struct litmus_item *bigger;

	for (int i = 0; i < t->nr_items; i++)
		if (same(t->item[i], item))
			return;
	if (!(t->nr_items & (t->nr_items - 1))) {
		size_t room = t->nr_items ? 2 * t->nr_items : 1;

		bigger = reader_alloc(r, room * sizeof(*bigger));
		for (int i = 0; i < t->nr_items; i++)
			bigger[i] = t->item[i];
		t->item = bigger;
	}
	t->item[t->nr_items++] = item;
}

static struct litmus_item read_register_item(struct reader *r)
{
	unsigned int at = r->tok.at;
	struct litmus_item item = { .thread = reader_number(r) };
	const char *name;

	if (item.thread < 0 || item.thread >= r->t->nr_threads)
		reader_fail(r, at, "there is no P%d: the test has %d threads",
			    item.thread, r->t->nr_threads);
	reader_expect(r, ":", "the number of a thread");
	at = r->tok.at;
	name = reader_name(r, "a register");
	item.index = reader_register(r, item.thread, name);
	if (item.index < 0)
		reader_fail(r, at, "P%d has no register %s", item.thread, name);
	return item;
}

static struct litmus_item read_item(struct reader *r)
{
	struct litmus_item item = { .thread = -1 };
	bool bracket;
	unsigned int at;
	const char *name;

	if (r->tok.kind == TOKEN_NUMBER) {
		item = read_register_item(r);
		note_item(r, item);
		return item;
	}
	bracket = reader_take(r, "[");
	at = r->tok.at;
	name = reader_name(r, "a register like 0:r0, or a shared variable");
	item.index = reader_location(r, name);
	if (item.index < 0)
		reader_fail(r, at,
			    "no shared variable is called %s; registers are "
			    "written 0:%s",
			    name, name);
	if (r->t->loc[item.index].type != TYPE_WORD &&
	    r->t->loc[item.index].type != TYPE_POINTER)
		reader_fail(r, at, "%s is no int: its value means nothing",
			    name);
	if (bracket)
		reader_expect(r, "]", "the variable");
	note_item(r, item);
	return item;
}

/* ---- propositions ------------------------------------------------------------------ */

static struct litmus_prop *new_prop(struct reader *r, int kind,
				    struct litmus_prop *left,
				    struct litmus_prop *right)
{
	struct litmus_prop *p = reader_alloc(r, sizeof(*p));

	p->kind = kind;
	p->left = left;
	p->right = right;
	return p;
}

/* A number; of a pointer also x or &x. */
static int32_t read_value(struct reader *r, struct litmus_item item)
{
	bool address = reader_take(r, "&") || reader_at_name(r);
	unsigned int at = r->tok.at;
	int l;

	if (!address)
		return reader_number(r);
	if (!litmus_is_pointer(r->t, item))
		reader_fail(r, at, "expected a number, found %s: %s is an int",
			    reader_found(r), litmus_item_name(r->t, item));
	l = reader_location(r, reader_name(r, "a shared variable"));
	if (l < 0)
		reader_fail(r, at, "there is no such shared variable");
	return LITMUS_ADDRESS + l;
}

static struct litmus_prop *either(struct reader *r);

static struct litmus_prop *atom(struct reader *r)
{
	struct litmus_prop *p;

	if (reader_take(r, "true"))
		return new_prop(r, PROP_TRUE, NULL, NULL);
	if (reader_take(r, "false"))
		return new_prop(r, PROP_FALSE, NULL, NULL);
	if (reader_take(r, "(")) {
		p = either(r);
		reader_expect(r, ")", "the condition");
		return p;
	}
	p = new_prop(r, PROP_EQUAL, NULL, NULL);
	p->item = read_item(r);
	if (reader_take(r, "!="))
		p->kind = PROP_DIFFERENT;
	else if (!reader_take(r, "=") && !reader_take(r, "=="))
		reader_fail(r, r->tok.at, "expected '=' or '!=', found %s",
			    reader_found(r));
	p->value = read_value(r, p->item);
	return p;
}

static struct litmus_prop *negation(struct reader *r)
{
	struct litmus_prop *p;

	reader_deeper(r);
	if (reader_take(r, "~") || reader_take(r, "not"))
		p = new_prop(r, PROP_NOT, negation(r), NULL);
	else
		p = atom(r);
	r->depth--;
	return p;
}

static struct litmus_prop *both(struct reader *r)
{
	struct litmus_prop *p = negation(r);

	while (reader_take(r, "/\\")) {
		reader_deeper(r); /* as deep is the tree */
		p = new_prop(r, PROP_AND, p, negation(r));
	}
	return p;
}

static struct litmus_prop *either(struct reader *r)
{
	struct litmus_prop *p = both(r);

	while (reader_take(r, "\\/")) {
		reader_deeper(r);
		p = new_prop(r, PROP_OR, p, both(r));
	}
	return p;
}

/* ---- clauses -------------------------------------------------------------------------- */

static void read_locations(struct reader *r)
{
	reader_expect(r, "[", "locations");
	while (!reader_at(r, "]")) {
		read_item(r);
		if (!reader_at(r, "]"))
			reader_expect(r, ";", "the location");
	}
	reader_next(r);
}

static void read_quantifier(struct reader *r)
{
	bool not = reader_take(r, "~") || reader_take(r, "not");

	if (reader_take(r, "exists"))
		r->t->quantifier = not ? LITMUS_NOT_EXISTS : LITMUS_EXISTS;
	else if (!not &&reader_take(r, "forall"))
		r->t->quantifier = LITMUS_FORALL;
	else
		reader_fail(r, r->tok.at,
			    "expected a thread, locations, exists, ~exists or "
			    "forall, found %s",
			    reader_found(r));
	if (!reader_at(r, "("))
		reader_fail(r, r->tok.at,
			    "expected '(' before the condition, found %s",
			    reader_found(r));
	r->t->prop = either(r);
}

static int by_place(const void *a, const void *b)
{
	const struct litmus_item *x = a, *y = b;
	/* locations, of thread -1, come last */
	unsigned int s = x->thread, t = y->thread;

	if (s != t)
		return s < t ? -1 : 1;
	return x->index - y->index;
}

void condition_read(struct reader *r)
{
	struct litmus *t = r->t;

	while (reader_take(r, "locations"))
		read_locations(r);
	if (reader_take(r, "filter"))
		t->filter = either(r);
	if (r->tok.kind == TOKEN_END) {
		t->quantifier = LITMUS_FORALL;
		t->prop = new_prop(r, PROP_TRUE, NULL, NULL);
	} else {
		read_quantifier(r);
	}
	reader_take(r, ";");
	if (r->tok.kind != TOKEN_END)
		reader_fail(r, r->tok.at,
			    "expected the end of the file after the "
			    "condition, found %s",
			    reader_found(r));
	if (t->nr_items)
		qsort(t->item, t->nr_items, sizeof(*t->item), by_place);
}

/* ---- as text ---------------------------------------------------------------------------- */

bool litmus_is_pointer(const struct litmus *t, struct litmus_item item)
{
	return item.thread < 0 ? t->loc[item.index].type == TYPE_POINTER
			       : t->thread[item.thread].reg[item.index].pointer;
}

const char *litmus_value_name(const struct litmus *t, struct litmus_item item,
			      int32_t value)
{
	static char buf[80];
	int l = value - LITMUS_ADDRESS;

	if (litmus_is_pointer(t, item) && l >= 0 && l < t->nr_loc)
		snprintf(buf, sizeof(buf), "%s", t->loc[l].name);
	else
		snprintf(buf, sizeof(buf), "%d", value);
	return buf;
}

const char *litmus_item_name(const struct litmus *t, struct litmus_item item)
{
	static char buf[80];

	if (item.thread < 0)
		snprintf(buf, sizeof(buf), "[%s]", t->loc[item.index].name);
	else
		snprintf(buf, sizeof(buf), "%d:%s", item.thread,
			 t->thread[item.thread].reg[item.index].name);
	return buf;
}

/* `inside` is the kind of what it is an operand of. */
static void print(FILE *to, const struct litmus *t, const struct litmus_prop *p,
		  int inside)
{
	bool paren = (p->kind == PROP_OR && inside != PROP_OR) ||
		     (p->kind == PROP_AND && inside == PROP_NOT);

	if (paren)
		fputc('(', to);
	switch (p->kind) {
	case PROP_TRUE:
		fputs("true", to);
		break;
	case PROP_FALSE:
		fputs("false", to);
		break;
	case PROP_EQUAL:
	case PROP_DIFFERENT:
		fprintf(to, "%s%s%s", litmus_item_name(t, p->item),
			p->kind == PROP_EQUAL ? "=" : "!=",
			litmus_value_name(t, p->item, p->value));
		break;
	case PROP_NOT:
		fputc('~', to);
		print(to, t, p->left, PROP_NOT);
		break;
	case PROP_AND:
	case PROP_OR:
		print(to, t, p->left, p->kind);
		fputs(p->kind == PROP_AND ? " /\\ " : " \\/ ", to);
		print(to, t, p->right, p->kind);
		break;
	}
	if (paren)
		fputc(')', to);
}

char *litmus_condition(const struct litmus *t)
{
	static const char *const quantifiers[] = {
		[LITMUS_EXISTS] = "exists",
		[LITMUS_NOT_EXISTS] = "~exists",
		[LITMUS_FORALL] = "forall",
	};
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		abort();
	fprintf(f, "%s (", quantifiers[t->quantifier]);
	print(f, t, t->prop, PROP_OR);
	fputc(')', f);
	fclose(f);
	return text;
}
