// SPDX-License-Identifier: GPL-2.0-only
/*
 * lex.c - tokens of a litmus test.
 *
 * Comments are those of C, and outside of threads those of herd as well, which
 * nest; inside, "(*" begins an argument.
 */
#include "reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
	struct block *next;
	max_align_t data[];
};

void *reader_alloc(struct reader *r, size_t size)
{
	struct block *b = calloc(1, sizeof(*b) + size);

	if (!b)
		abort();
	b->next = r->t->blocks;
	r->t->blocks = b;
	return b->data;
}

void litmus_free(struct litmus *t)
{
	while (t && t->blocks) {
		struct block *b = t->blocks;

		t->blocks = b->next;
		free(b);
	}
	free(t);
}

void litmus_place(const char *text, unsigned int at, unsigned int *line,
		  unsigned int *column)
{
	*line = *column = 1;
	for (unsigned int i = 0; i < at; i++) {
		++*column;
		if (text[i] == '\n') {
			++*line;
			*column = 1;
		}
	}
}

void reader_fail(struct reader *r, unsigned int at, const char *fmt, ...)
{
	va_list ap;

	r->err->at = at;
	litmus_place(r->text, at, &r->err->line, &r->err->column);
	va_start(ap, fmt);
	vsnprintf(r->err->what, sizeof(r->err->what), fmt, ap);
	va_end(ap);
	longjmp(r->failed, 1);
}

void reader_deeper(struct reader *r)
{
	if (++r->depth > READER_DEPTH)
		reader_fail(r, r->tok.at,
			    "more than %d brackets and operators in one: "
			    "split it up",
			    READER_DEPTH);
}

/* ---- blanks ------------------------------------------------------------------- */

static bool here(const struct reader *r, const char *text)
{
	size_t n = strlen(text);

	return r->len - r->pos >= n && !memcmp(r->text + r->pos, text, n);
}

static void skip_herd_comment(struct reader *r)
{
	unsigned int start = r->pos, depth = 0;

	while (r->pos < r->len) {
		if (here(r, "(*")) {
			depth++;
			r->pos += 2;
		} else if (here(r, "*)")) {
			r->pos += 2;
			if (!--depth)
				return;
		} else {
			r->pos++;
		}
	}
	reader_fail(r, start, "the comment does not end: expected '*)'");
}

static void skip_c_comment(struct reader *r)
{
	unsigned int start = r->pos;

	for (r->pos += 2; r->pos < r->len; r->pos++) {
		if (here(r, "*/")) {
			r->pos += 2;
			return;
		}
	}
	reader_fail(r, start, "the comment does not end: expected '*/'");
}

static void skip_blanks(struct reader *r)
{
	for (;;) {
		if (r->pos < r->len && isspace((unsigned char)r->text[r->pos]))
			r->pos++;
		else if (here(r, "//"))
			while (r->pos < r->len && r->text[r->pos] != '\n')
				r->pos++;
		else if (here(r, "/*"))
			skip_c_comment(r);
		else if (!r->in_thread && here(r, "(*"))
			skip_herd_comment(r);
		else
			return;
	}
}

/* ---- tokens ---------------------------------------------------------------------- */

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void lex_number(struct reader *r)
{
	struct token *k = &r->tok;
	char copy[16], *end;
	unsigned long long v;

	while (r->pos < r->len && in_name(r->text[r->pos]))
		r->pos++;
	k->kind = TOKEN_NUMBER;
	k->len = r->pos - k->at;
	if (k->len >= sizeof(copy))
		reader_fail(r, k->at, "the number is too long for an int");
	memcpy(copy, r->text + k->at, k->len);
	copy[k->len] = '\0';
	v = strtoull(copy, &end, 0);
	if (*end)
		reader_fail(r, k->at,
			    "'%s' is no number: decimal, 0x and octal ones "
			    "are",
			    copy);
	if (v > UINT32_MAX)
		reader_fail(r, k->at, "%s does not fit an int", copy);
	k->value = (int32_t)(uint32_t)v;
}

static void lex_string(struct reader *r)
{
	do
		r->pos++;
	while (r->pos < r->len && r->text[r->pos] != '"' &&
	       r->text[r->pos] != '\n');
	if (r->pos == r->len || r->text[r->pos] != '"')
		reader_fail(r, r->tok.at,
			    "the string does not end: expected "
			    "'\"' on the same line");
	r->pos++;
	r->tok.kind = TOKEN_STRING;
}

static void lex_sign(struct reader *r)
{
	static const char *const pairs[] = { "/\\", "\\/", "==", "!=",
					     "<=",  ">=",  "&&", "||",
					     "<<",  ">>",  "++", "--" };
	unsigned char c = r->text[r->pos];

	r->tok.kind = TOKEN_SIGN;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (here(r, pairs[i])) {
			r->pos += 2;
			return;
		}
	if (!isprint(c))
		reader_fail(r, r->pos, "a byte 0x%02x: expected plain text", c);
	r->pos++;
}

void reader_next(struct reader *r)
{
	struct token *k = &r->tok;
	char c;

	skip_blanks(r);
	*k = (struct token){ .at = r->pos };
	if (r->pos == r->len)
		return;
	c = r->text[r->pos];
	if (isdigit((unsigned char)c)) {
		lex_number(r);
	} else if (in_name(c)) {
		k->kind = TOKEN_NAME;
		while (r->pos < r->len && in_name(r->text[r->pos]))
			r->pos++;
	} else if (c == '"') {
		lex_string(r);
	} else {
		lex_sign(r);
	}
	k->len = r->pos - k->at;
}

const char *reader_line(struct reader *r)
{
	unsigned int end = r->pos, from = r->pos;
	char *s;

	while (end < r->len && r->text[end] != '\n')
		end++;
	r->pos = end;
	while (from < end && isspace((unsigned char)r->text[from]))
		from++;
	while (end > from && isspace((unsigned char)r->text[end - 1]))
		end--;
	s = reader_alloc(r, end - from + 1);
	memcpy(s, r->text + from, end - from);
	return s;
}

/* ---- the current token ------------------------------------------------------------- */

bool reader_at(const struct reader *r, const char *text)
{
	return r->tok.kind != TOKEN_END && r->tok.kind != TOKEN_STRING &&
	       strlen(text) == r->tok.len &&
	       !memcmp(r->text + r->tok.at, text, r->tok.len);
}

bool reader_take(struct reader *r, const char *text)
{
	if (!reader_at(r, text))
		return false;
	reader_next(r);
	return true;
}

const char *reader_found(const struct reader *r)
{
	static char buf[48];

	if (r->tok.kind == TOKEN_END)
		return "the end of the file";
	snprintf(buf, sizeof(buf), "'%.*s'",
		 r->tok.len < 40 ? (int)r->tok.len : 40, r->text + r->tok.at);
	return buf;
}

void reader_expect(struct reader *r, const char *text, const char *after)
{
	if (!reader_take(r, text))
		reader_fail(r, r->tok.at, "expected '%s' after %s, found %s",
			    text, after, reader_found(r));
}

bool reader_at_name(const struct reader *r)
{
	return r->tok.kind == TOKEN_NAME;
}

const char *reader_name(struct reader *r, const char *what)
{
	char *s;

	if (!reader_at_name(r))
		reader_fail(r, r->tok.at, "expected %s, found %s", what,
			    reader_found(r));
	if (r->tok.len > 60)
		reader_fail(r, r->tok.at, "the name is longer than 60 letters");
	s = reader_alloc(r, r->tok.len + 1);
	memcpy(s, r->text + r->tok.at, r->tok.len);
	reader_next(r);
	return s;
}

int32_t reader_number(struct reader *r)
{
	bool minus = reader_take(r, "-");
	uint32_t v = r->tok.value;

	if (r->tok.kind != TOKEN_NUMBER)
		reader_fail(r, r->tok.at, "expected a number, found %s",
			    reader_found(r));
	reader_next(r);
	return minus ? -v : v;
}

int reader_numbered(const struct reader *r, char letter)
{
	const char *s = r->text + r->tok.at;
	int v = 0;

	if (!reader_at_name(r) || s[0] != letter || r->tok.len < 2 ||
	    r->tok.len > 5)
		return -1;
	for (unsigned int i = 1; i < r->tok.len; i++) {
		if (!isdigit((unsigned char)s[i]))
			return -1;
		v = v * 10 + s[i] - '0';
	}
	return v;
}
