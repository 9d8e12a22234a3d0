// SPDX-License-Identifier: GPL-2.0-only
/*
 * fetch.c - fetch arguments, see fetch.h for what they look like.
 */
#include "fetch.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arch.h"
#include "distance.h"
#include "number.h"

#define ARCH arch_native

static const struct {
	const char *name;
	unsigned int size;
} types[] = {
#define X(id, text, size) [id] = { text, size },
	FETCH_TYPES(X)
#undef X
};

unsigned int fetch_size(enum fetch_type type)
{
	return types[type].size;
}

struct parser {
	const char *text;
	const struct fetch_where *where;
	struct fetch *out;
	struct spec_error *err;
};

static bool same(const struct parser *p, struct spec_part part,
		 const char *word)
{
	return word && strlen(word) == part.len &&
	       !strncmp(p->text + part.at, word, part.len);
}

static void skip(struct spec_part *part, unsigned int n)
{
	part->at += n;
	part->len -= n;
}

/* With a sign or none; the whole part. NULL, or what is wrong with it. */
static const char *number(const struct parser *p, struct spec_part part,
			  long *to)
{
	bool minus = part.len && p->text[part.at] == '-';
	unsigned long value = 0;
	const char *why;

	if (part.len && strchr("+-", p->text[part.at]))
		skip(&part, 1);
	why = spec_number(p->text, part, &value);
	*to = minus ? -value : value;
	return why;
}

/* ---- where a value comes from ----------------------------------------------------- */

static int unknown_register(struct parser *p, struct spec_part part)
{
	const char *nearest = NULL;
	char word[12] = "";
	unsigned int i, j, d, best = 3; /* farther is no misspelling */

	if (part.len < sizeof(word))
		memcpy(word, p->text + part.at, part.len);
	for (i = 0; i < ARCH->nr_reg && word[0]; i++) {
		const struct arch_reg *r = &ARCH->reg[i];
		const char *name[] = { r->name, r->full, r->low32 };

		for (j = 0; j < 3; j++) {
			d = name[j] ? distance(word, name[j]) : best;
			if (d >= best || d >= strlen(name[j]))
				continue;
			best = d;
			nearest = name[j];
		}
	}
	if (nearest)
		return spec_wrong(p->err, part.at - 1, part.len + 1,
				  "there is no such register; did you mean "
				  "%%%s?",
				  nearest);
	return spec_wrong(p->err, part.at - 1, part.len + 1,
			  "there is no such register; there are %%ax to %%r15, "
			  "%%sp, %%ip and %%flags");
}

static int a_register(struct parser *p, struct spec_part part)
{
	const struct arch_reg *r = ARCH->reg;
	unsigned int i;

	for (i = 0; i < ARCH->nr_reg; i++, r++) {
		p->out->reg = i;
		p->out->base = FETCH_REG;
		if (same(p, part, r->name) || same(p, part, r->full))
			return 0;
		p->out->base = FETCH_REG_LOW32;
		if (same(p, part, r->low32))
			return 0;
	}
	return unknown_register(p, part);
}

static int a_stack_word(struct parser *p, struct spec_part part)
{
	p->out->base = FETCH_STACK_WORD;
	skip(&part, strlen("$stack"));
	if (!number(p, part, &p->out->value) && p->out->value >= 0 &&
	    p->out->value < 1 << 20)
		return 0;
	return spec_wrong(p->err, part.at, part.len,
			  "a word of the stack is $stack0, $stack1 ...");
}

static int an_argument(struct parser *p, struct spec_part part)
{
	struct spec_part nr = part;

	p->out->base = FETCH_ARG;
	skip(&nr, strlen("$arg"));
	if (p->where->ret)
		return spec_wrong(p->err, part.at, part.len,
				  "arguments are gone when a function returns; "
				  "use p: for them, or $retval");
	if (!number(p, nr, &p->out->value) && p->out->value >= 1 &&
	    p->out->value <= 6)
		return 0;
	return spec_wrong(p->err, part.at, part.len,
			  "arguments in registers are $arg1 to $arg6; at a "
			  "function's start $stack1 is the seventh");
}

static int a_variable(struct parser *p, struct spec_part part)
{
	struct fetch *f = p->out;

	if (same(p, part, "$retval")) {
		f->base = FETCH_RETVAL;
		if (p->where->ret)
			return 0;
		return spec_wrong(p->err, part.at, part.len,
				  "there is no return value at an entry; use "
				  "r: for it, or $arg1");
	}
	f->base = FETCH_STACK;
	if (same(p, part, "$stack"))
		return 0;
	f->base = FETCH_COMM;
	if (same(p, part, "$comm"))
		return 0;
	if (!strncmp(p->text + part.at, "$stack", 6) && part.len > 6)
		return a_stack_word(p, part);
	if (!strncmp(p->text + part.at, "$arg", 4) && part.len >= 4)
		return an_argument(p, part);
	return spec_wrong(p->err, part.at, part.len,
			  "there is no such variable; there are $arg1 to "
			  "$arg6, $retval, $stack, $stack0 ... and $comm");
}

static int base(struct parser *p, struct spec_part part)
{
	struct spec_part rest = part;
	char first = part.len ? p->text[part.at] : '\0';
	const char *why;

	if (!first)
		return spec_wrong(p->err, part.at, 1,
				  "what to fetch is missing here, as in %%di, "
				  "$arg1 or $retval");
	skip(&rest, 1);
	if (first == '%')
		return a_register(p, rest);
	if (first == '$')
		return a_variable(p, part);
	if (first == '\\') {
		p->out->base = FETCH_IMM;
		why = number(p, rest, &p->out->value);
		if (!why)
			return 0;
		return spec_wrong(p->err, part.at, part.len,
				  "%s; write \\5, \\-5 or \\0x5", why);
	}
	if (isdigit((unsigned char)first))
		return spec_wrong(p->err, part.at, part.len,
				  "a number as it is has a backslash, as in "
				  "\\5; memory is +5(%%di)");
	return spec_wrong(p->err, part.at, part.len,
			  "expected %%REGISTER, $VARIABLE, +OFFSET(...) or "
			  "\\NUMBER");
}

/* ---- memory: OFFSET(...) ---------------------------------------------------------- */

/* What is around the innermost; *part is that in the end. */
static int dereferences(struct parser *p, struct spec_part *part)
{
	unsigned int end = part->at + part->len, at = part->at, n, closing = 0;
	struct fetch *f = p->out;
	const char *why;

	while (at < end && strchr("+-", p->text[at])) {
		n = strcspn(p->text + at, "( \t");
		if (at + n >= end)
			return spec_wrong(p->err, at, end - at,
					  "memory is written with parentheses, "
					  "as in +8(%%di)");
		if (f->nr_deref == FETCH_MAX_DEREF)
			return spec_wrong(p->err, at, n,
					  "more than %d parentheses inside "
					  "each other; fetch one of the inner "
					  "values",
					  FETCH_MAX_DEREF);
		why = number(p, (struct spec_part){ at, n },
			     &f->offset[f->nr_deref++]);
		if (why)
			return spec_wrong(p->err, at, n,
					  "the offset: %s; write +8(%%di) "
					  "or -0x10(%%bp)",
					  why);
		at += n + 1;
	}
	while (closing < f->nr_deref && end > at && p->text[end - 1] == ')') {
		end--;
		closing++;
	}
	if (closing < f->nr_deref)
		return spec_wrong(p->err, end, 1, "%u closing %s missing here",
				  f->nr_deref - closing,
				  f->nr_deref - closing == 1
					  ? "parenthesis is"
					  : "parentheses are");
	for (n = at; n < end; n++)
		if (p->text[n] == ')')
			return spec_wrong(p->err, n, 1,
					  "no parenthesis is open here; leave "
					  "it out");
	*part = (struct spec_part){ at, end - at };
	return 0;
}

/* ---- the argument -------------------------------------------------------------------- */

static int name(struct parser *p, struct spec_part part)
{
	unsigned int i;
	char c;

	if (!part.len)
		return spec_wrong(p->err, part.at, 1,
				  "the argument's name is missing here; write "
				  "NAME=, or neither");
	if (part.len >= FETCH_NAME)
		return spec_wrong(p->err, part.at, part.len,
				  "a name has %d letters at most",
				  FETCH_NAME - 1);
	for (i = 0; i < part.len; i++) {
		c = p->text[part.at + i];
		if (c != '_' && !isalpha((unsigned char)c) &&
		    !(i && isdigit((unsigned char)c)))
			return spec_wrong(p->err, part.at + i, 1,
					  "a name is as in C: letters, _, and "
					  "digits behind the first");
	}
	memset(p->out->name, 0, sizeof(p->out->name));
	memcpy(p->out->name, p->text + part.at, part.len);
	return 0;
}

static int type(struct parser *p, struct spec_part part)
{
	unsigned int i;

	for (i = 0; i < FETCH_NR_TYPES; i++) {
		if (!same(p, part, types[i].name))
			continue;
		p->out->type = i;
		return 0;
	}
	return spec_wrong(p->err, part.at, part.len,
			  "there is no such type; there are u8 to u64, s8 to "
			  "s64, x8 to x64, char and string");
}

/* Whether value and type go together; `fetch` and `typed` for messages. */
static int fits(struct parser *p, struct spec_part fetch,
		struct spec_part typed)
{
	const struct fetch *f = p->out;

	if (f->base == FETCH_COMM && f->nr_deref)
		return spec_wrong(p->err, fetch.at, fetch.len,
				  "$comm is a text, not an address; leave the "
				  "parentheses out");
	if (f->base == FETCH_COMM && f->type != FETCH_STRING)
		return spec_wrong(p->err, typed.at, typed.len,
				  "$comm is a text; leave the type out");
	if (f->type == FETCH_STRING && f->base != FETCH_COMM && !f->nr_deref)
		return spec_wrong(p->err, typed.at, typed.len,
				  "a string is read from memory; write "
				  "+0(%.*s):string",
				  fetch.len < 60 ? (int)fetch.len : 0,
				  p->text + fetch.at);
	return 0;
}

int fetch_parse(const char *text, struct spec_part part,
		const struct fetch_where *where, struct fetch *out,
		struct spec_error *err)
{
	struct parser p = { text, where, out, err };
	const char *start = text + part.at, *eq, *colon;
	struct spec_part whole, typed = { 0, 0 };

	memset(out, 0, sizeof(*out));
	snprintf(out->name, sizeof(out->name), "arg%u", where->nr);
	eq = memchr(start, '=', part.len);
	if (eq) {
		if (name(&p, (struct spec_part){ part.at, eq - start }))
			return -EINVAL;
		skip(&part, eq + 1 - start);
		start = eq + 1;
	}
	colon = memchr(start, ':', part.len);
	if (colon) {
		typed.at = colon + 1 - text;
		typed.len = start + part.len - colon - 1;
		part.len = colon - start;
	}
	whole = part;
	if (dereferences(&p, &part) || base(&p, part))
		return -EINVAL;
	out->type = out->base == FETCH_COMM ? FETCH_STRING : FETCH_X64;
	if (colon && type(&p, typed))
		return -EINVAL;
	return fits(&p, whole, typed);
}

/* ---- the canonical form ---------------------------------------------------------------- */

static int print_base(const struct fetch *f, char *to, size_t n)
{
	const struct arch_reg *r = &ARCH->reg[f->reg];

	switch (f->base) {
	case FETCH_REG:
		return snprintf(to, n, "%%%s", r->name);
	case FETCH_REG_LOW32:
		return snprintf(to, n, "%%%s", r->low32);
	case FETCH_RETVAL:
		return snprintf(to, n, "$retval");
	case FETCH_ARG:
		return snprintf(to, n, "$arg%ld", f->value);
	case FETCH_STACK:
		return snprintf(to, n, "$stack");
	case FETCH_STACK_WORD:
		return snprintf(to, n, "$stack%ld", f->value);
	case FETCH_COMM:
		return snprintf(to, n, "$comm");
	case FETCH_IMM:
		return snprintf(to, n, "\\%ld", f->value);
	}
	return 0;
}

void fetch_print(const struct fetch *f, char to[FETCH_TEXT])
{
	unsigned int i;
	int at;

	at = snprintf(to, FETCH_TEXT, "%s=", f->name);
	for (i = 0; i < f->nr_deref; i++)
		at += snprintf(to + at, FETCH_TEXT - at, "%+ld(", f->offset[i]);
	at += print_base(f, to + at, FETCH_TEXT - at);
	for (i = 0; i < f->nr_deref; i++)
		to[at++] = ')';
	snprintf(to + at, FETCH_TEXT - at, ":%s", types[f->type].name);
}
