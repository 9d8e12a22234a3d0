// SPDX-License-Identifier: GPL-2.0-only
/*
 * expr.c - expressions: registers, numbers, operators, calls of primitives.
 *
 * C leaves open which operand is evaluated first, so an expression that reads
 * shared memory in two of them has no one meaning and is refused.
 */
#include "reader.h"

#include <stdio.h>
#include <string.h>

static struct litmus_expr *new_expr(struct reader *r,
				    enum litmus_expr_kind kind, unsigned int at)
{
	struct litmus_expr *e = reader_alloc(r, sizeof(*e));

	e->kind = kind;
	e->at = at;
	e->loc = e->via = -1;
	return e;
}

void body_require(struct reader *r, const struct litmus_expr *e, bool pointer)
{
	bool null = e->kind == EXPR_CONST && !e->pointer && !e->value;

	if (e->pointer == pointer || (pointer && null))
		return;
	if (pointer)
		reader_fail(r, e->at,
			    "an int, where an address is needed: a parameter, "
			    "or a register of type int *");
	if (e->kind == EXPR_CONST) {
		const char *name = r->t->loc[e->value - LITMUS_ADDRESS].name;

		reader_fail(r, e->at,
			    "%s is shared memory: read it with READ_ONCE(*%s)",
			    name, name);
	}
	reader_fail(r, e->at, "an address, where an int is needed");
}

static void refuse_two_accesses(struct reader *r, const struct litmus_expr *e)
{
	reader_fail(r, e->at,
		    "two accesses in one expression: C does not say which is "
		    "first; read one into a register before");
}

/* ---- calls ---------------------------------------------------------------------- */

/* Does the primitive take words of this type? */
static bool takes(const struct primitive *p, enum litmus_type want,
		  enum litmus_type type)
{
	if (type == TYPE_POINTER && want == TYPE_WORD)
		return p->act != ACT_RMW || p->rmw == SIM_XCHG ||
		       p->rmw == SIM_CMPXCHG;
	return type == want;
}

/* What a call is about: a parameter, or what a register points to. */
static void shared_argument(struct reader *r, struct litmus_expr *e, char kind)
{
	const struct primitive *p = e->call;
	enum litmus_type want = kind == 'l'   ? TYPE_SPINLOCK
				: kind == 's' ? TYPE_SRCU
					      : TYPE_WORD;
	static const char *const types[] = {
		[TYPE_WORD] = "an int or an atomic_t",
		[TYPE_SPINLOCK] = "a spinlock_t",
		[TYPE_SRCU] = "a struct srcu_struct",
	};
	bool star = reader_take(r, "*");
	unsigned int at = r->tok.at;
	const char *name = reader_name(r, "a shared variable");
	int l = reader_location(r, name);
	int reg = reader_register(r, r->thread, name);

	if (reg >= 0 && r->t->thread[r->thread].reg[reg].pointer &&
	    want == TYPE_WORD) {
		e->via = reg;
	} else {
		if (l < 0 || !(r->t->thread[r->thread].params & 1ull << l))
			reader_fail(r, at,
				    "%s is no parameter of P%d: it takes "
				    "shared variables as 'int *%s'",
				    name, r->thread, name);
		if (!takes(p, want, r->t->loc[l].type))
			reader_fail(r, at, "%s takes %s, %s is something else",
				    p->name, types[want], name);
		e->loc = l;
	}
	if (star != (kind == '*'))
		reader_fail(r, at, "%s takes %s%s here", p->name,
			    star ? "" : "*", name);
}

static void value_argument(struct reader *r, struct litmus_expr *call, int n)
{
	struct litmus_expr *v = body_expression(r);

	if (v->accesses && call->accesses)
		refuse_two_accesses(r, v);
	call->arg[n] = v;
	call->accesses |= v->accesses;
}

static const struct primitive *take_primitive(struct reader *r,
					      enum sim_order *order)
{
	const char *name = r->text + r->tok.at, *near;
	unsigned int at = r->tok.at, len = r->tok.len;
	const struct primitive *p = primitive_find(name, len, order);

	if (p) {
		reader_next(r);
		return p;
	}
	near = primitive_near(name, len);
	reader_fail(r, at, "%s is not a primitive that is known here%s%s%s",
		    reader_found(r), near ? ": did you mean " : "",
		    near ? near : "", near ? "?" : "");
}

/* Values are what the word holds. */
static void check_values(struct reader *r, struct litmus_expr *e)
{
	bool pointer = e->loc >= 0 && r->t->loc[e->loc].type == TYPE_POINTER;

	for (int i = 0; i < 2 && e->arg[i]; i++)
		body_require(r, e->arg[i], pointer);
	e->pointer = pointer && e->call->result == RES_OLD;
}

struct litmus_expr *body_call(struct reader *r)
{
	struct litmus_expr *e = new_expr(r, EXPR_CALL, r->tok.at);
	int values = 0;

	reader_deeper(r);
	e->call = take_primitive(r, &e->order);
	reader_expect(r, "(", e->call->name);
	for (const char *a = e->call->args; *a; a++) {
		if (a > e->call->args)
			reader_expect(r, ",", "the argument");
		if (*a == 'v')
			value_argument(r, e, values++);
		else
			shared_argument(r, e, *a);
	}
	reader_expect(r, ")", "the arguments");
	check_values(r, e);
	if (e->call->act == ACT_RCU_SYNC)
		r->t->has_grace_period = true;
	e->accesses = true;
	r->depth--;
	return e;
}

/* ---- operands ------------------------------------------------------------------------ */

static struct litmus_expr *read_register(struct reader *r)
{
	unsigned int at = r->tok.at;
	struct litmus_expr *e = new_expr(r, EXPR_REGISTER, at);
	const char *name = reader_name(r, "a register");

	int l = reader_location(r, name);

	e->reg = reader_register(r, r->thread, name);
	if (e->reg >= 0) {
		e->pointer = r->t->thread[r->thread].reg[e->reg].pointer;
		return e;
	}
	if (l >= 0 && r->t->thread[r->thread].params & 1ull << l) {
		if (r->t->loc[l].type != TYPE_WORD)
			reader_fail(r, at,
				    "%s is no int: only the addresses of ints "
				    "are values",
				    name);
		e->kind = EXPR_CONST;
		e->pointer = true;
		e->value = LITMUS_ADDRESS + l;
		return e;
	}
	reader_fail(r, at,
		    "%s is no register of P%d: declare it with 'int %s;'", name,
		    r->thread, name);
}

static struct litmus_expr *unary(struct reader *r);

static struct litmus_expr *unary_operator(struct reader *r,
					  enum litmus_operator op)
{
	struct litmus_expr *e = new_expr(r, EXPR_OPERATOR, r->tok.at);

	reader_next(r);
	e->op = op;
	e->arg[0] = unary(r);
	if (op != LITMUS_NOT)
		body_require(r, e->arg[0], false);
	e->accesses = e->arg[0]->accesses;
	return e;
}

static bool at_call(const struct reader *r)
{
	unsigned int p = r->pos;

	while (p < r->len && (r->text[p] == ' ' || r->text[p] == '\t'))
		p++;
	return reader_at_name(r) && p < r->len && r->text[p] == '(';
}

static struct litmus_expr *operand(struct reader *r)
{
	struct litmus_expr *e;

	if (r->tok.kind == TOKEN_NUMBER) {
		e = new_expr(r, EXPR_CONST, r->tok.at);
		e->value = reader_number(r);
		return e;
	}
	if (at_call(r)) {
		e = body_call(r);
		if (e->call->result == RES_NONE)
			reader_fail(r, e->at, "%s has no value", e->call->name);
		return e;
	}
	if (reader_at_name(r))
		return read_register(r);
	if (reader_take(r, "(")) {
		e = body_expression(r);
		reader_expect(r, ")", "the expression");
		return e;
	}
	if (reader_at(r, "*"))
		reader_fail(r, r->tok.at,
			    "a plain access: compilers may do anything with "
			    "it; use READ_ONCE or WRITE_ONCE");
	reader_fail(r, r->tok.at, "expected an expression, found %s",
		    reader_found(r));
}

static struct litmus_expr *unary(struct reader *r)
{
	struct litmus_expr *e;

	reader_deeper(r);
	if (reader_at(r, "!"))
		e = unary_operator(r, LITMUS_NOT);
	else if (reader_at(r, "-"))
		e = unary_operator(r, LITMUS_NEGATE);
	else if (reader_at(r, "~"))
		e = unary_operator(r, LITMUS_INVERT);
	else
		e = operand(r);
	r->depth--;
	return e;
}

/* ---- binary operators, by how they bind ------------------------------------------------- */

static const struct {
	const char *text;
	int binds;
	enum litmus_operator op;
} binary[] = {
	{ "||", 1, LITMUS_EITHER },	   { "&&", 2, LITMUS_BOTH },
	{ "|", 3, LITMUS_BIT_OR },	   { "^", 4, LITMUS_BIT_XOR },
	{ "&", 5, LITMUS_BIT_AND },	   { "==", 6, LITMUS_EQUAL },
	{ "!=", 6, LITMUS_DIFFERENT },	   { "<", 7, LITMUS_LESS },
	{ "<=", 7, LITMUS_LESS_EQUAL },	   { ">", 7, LITMUS_GREATER },
	{ ">=", 7, LITMUS_GREATER_EQUAL }, { "+", 8, LITMUS_PLUS },
	{ "-", 8, LITMUS_MINUS },	   { "*", 9, LITMUS_TIMES },
};

static int binary_at(const struct reader *r)
{
	for (size_t i = 0; i < sizeof(binary) / sizeof(binary[0]); i++)
		if (reader_at(r, binary[i].text))
			return i;
	return -1;
}

/* Addresses can be compared and tested, no more. */
static void check_operands(struct reader *r, const struct litmus_expr *e)
{
	const struct litmus_expr *a = e->arg[0], *b = e->arg[1];

	if (e->op == LITMUS_BOTH || e->op == LITMUS_EITHER)
		return;
	if ((a->pointer || b->pointer) &&
	    (e->op == LITMUS_EQUAL || e->op == LITMUS_DIFFERENT)) {
		body_require(r, a, true);
		body_require(r, b, true);
		return;
	}
	body_require(r, a, false);
	body_require(r, b, false);
}

static struct litmus_expr *climb(struct reader *r, int least)
{
	struct litmus_expr *left = unary(r), *e;
	int i;

	while ((i = binary_at(r)) >= 0 && binary[i].binds >= least) {
		e = new_expr(r, EXPR_OPERATOR, r->tok.at);
		reader_deeper(r);
		reader_next(r);
		e->op = binary[i].op;
		e->arg[0] = left;
		e->arg[1] = climb(r, binary[i].binds + 1);
		if (left->accesses && e->arg[1]->accesses &&
		    e->op != LITMUS_BOTH && e->op != LITMUS_EITHER)
			refuse_two_accesses(r, e);
		check_operands(r, e);
		e->accesses = left->accesses || e->arg[1]->accesses;
		left = e;
	}
	return left;
}

struct litmus_expr *body_expression(struct reader *r)
{
	unsigned int depth = r->depth;
	struct litmus_expr *e;

	reader_deeper(r);
	e = climb(r, 1);
	r->depth = depth;
	return e;
}
