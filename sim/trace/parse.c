// SPDX-License-Identifier: GPL-2.0-only
/*
 * parse.c - the grammar of schedules, read strictly.
 *
 * Everything not in the grammar is an error that names line and column:
 * unknown keys (unless they begin with "x-"), unknown lines, control bytes,
 * text that is not UTF-8, a last line without its newline.
 */
#include "schedule.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	const char *at, *end; /* rest of the text */
	const char *line;     /* current line, without its newline */
	const char *stop;     /* its end */
	unsigned int nr;      /* its number, from 1 */
	struct sched *out;
	struct sched_error *err;
};

/* A word of the current line; empty at its end. */
struct word {
	const char *s;
	int len;
};

__attribute__((format(printf, 3, 4))) static int fail(struct parser *p,
						      const char *where,
						      const char *fmt, ...)
{
	va_list ap;

	p->err->line = p->nr;
	p->err->column = where ? (unsigned int)(where - p->line) + 1 : 0;
	va_start(ap, fmt);
	vsnprintf(p->err->text, sizeof(p->err->text), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* Length of the UTF-8 sequence at s, 0 if there is none. */
static int utf8_length(const char *s, const char *stop)
{
	unsigned char c = *s;
	int n = c < 0x80		? 1
		: c >= 0xc2 && c < 0xe0 ? 2
		: c >= 0xe0 && c < 0xf0 ? 3
		: c >= 0xf0 && c < 0xf5 ? 4
					: 0;

	if (n > stop - s)
		return 0;
	for (int i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
	}
	return n;
}

static int check_bytes(struct parser *p)
{
	const char *s = p->line;

	while (s < p->stop) {
		int n = utf8_length(s, p->stop);

		if (*s == '\r')
			return fail(p, s, "carriage return: lines end in LF");
		if ((n == 1 && (unsigned char)*s < ' ' && *s != '\t') ||
		    *s == 0x7f)
			return fail(p, s, "control byte 0x%02x: not a schedule",
				    (unsigned char)*s);
		if (!n)
			return fail(p, s, "byte 0x%02x is not UTF-8",
				    (unsigned char)*s);
		s += n;
	}
	return 0;
}

/* Next line. Returns 1, 0 at the end of the text, or an error. */
static int next_line(struct parser *p)
{
	const char *nl;
	int ret;

	if (p->at == p->end)
		return 0;
	nl = memchr(p->at, '\n', p->end - p->at);
	p->line = p->at;
	p->stop = nl ? nl : p->end;
	p->nr++;
	ret = check_bytes(p);
	if (ret)
		return ret;
	if (!nl)
		return fail(p, p->stop,
			    "the last line has no newline: is it truncated?");
	p->at = nl + 1;
	return 1;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *s, const char *stop)
{
	while (s < stop && blank(*s))
		s++;
	return s;
}

static struct word next_word(struct parser *p, const char **cursor)
{
	struct word w;
	const char *s = skip_blanks(*cursor, p->stop);

	w.s = s;
	/* A trailing comment, unlike the 2 of `#2`, follows a blank. */
	if (s < p->stop && *s == '#' && (s + 1 == p->stop || blank(s[1])))
		s = p->stop, w.len = 0;
	else {
		while (s < p->stop && !blank(*s))
			s++;
		w.len = s - w.s;
	}
	*cursor = s;
	return w;
}

static bool is(struct word w, const char *text)
{
	return (size_t)w.len == strlen(text) && !memcmp(w.s, text, w.len);
}

/* Comments and empty lines may stand anywhere after the first line. */
static bool nothing_here(struct parser *p)
{
	const char *s = skip_blanks(p->line, p->stop);

	return s == p->stop || *s == '#';
}

/* How much of a wrong word an error repeats. */
static int shown(struct word w)
{
	return w.len < 40 ? w.len : 40;
}

static int parse_magic(struct parser *p)
{
	const char *s;
	struct word w;
	char *end;
	long major;
	int ret = next_line(p);

	if (ret < 0)
		return ret;
	s = p->line;
	if (!ret || !is(next_word(p, &s), "trapline"))
		return fail(p, ret ? p->line : NULL,
			    "not a schedule: the first line must be 'trapline "
			    "%d schedule'",
			    SCHED_MAJOR);
	w = next_word(p, &s);
	errno = 0;
	major = w.len ? strtol(w.s, &end, 10) : 0;
	if (major < 1 || errno || end != w.s + w.len)
		return fail(p, w.s, "expected the format's version, a number");
	if (major > SCHED_MAJOR)
		return fail(p, w.s,
			    "version %ld is newer than this program, which "
			    "reads up to %d: use a newer trapline",
			    major, SCHED_MAJOR);
	w = next_word(p, &s);
	if (!is(w, "schedule"))
		return fail(p, w.s, "kind '%.*s': expected 'schedule'",
			    shown(w), w.s);
	w = next_word(p, &s);
	if (w.len)
		return fail(p, w.s, "'%.*s' after the end of the line's text",
			    shown(w), w.s);
	return 0;
}

static int set_once(struct parser *p, char **to, struct word key,
		    const char *value)
{
	if (*to)
		return fail(p, key.s, "'%.*s' is given twice", key.len, key.s);
	*to = strdup(value);
	return *to ? 0 : -ENOMEM;
}

static int set_key(struct parser *p, struct word key, const char *value,
		   const char *where)
{
	struct sched *out = p->out;

	if (is(key, "scenario"))
		return set_once(p, &out->scenario, key, value);
	if (is(key, "unfix"))
		return set_once(p, &out->unfix, key, value);
	if (is(key, "variant"))
		return set_once(p, &out->variant, key, value);
	if (is(key, "define"))
		return sched_list_add(&out->define, value);
	if (is(key, "source"))
		return sched_list_add(&out->source, value);
	if (is(key, "include"))
		return sched_list_add(&out->include, value);
	if (is(key, "memory")) {
		if (strcmp(value, "sc") && strcmp(value, "tso") &&
		    strcmp(value, "lkmm"))
			return fail(p, where,
				    "memory '%.40s': expected sc, tso or lkmm",
				    value);
		return set_once(p, &out->memory, key, value);
	}
	if (is(key, "steps"))
		return set_once(p, &out->steps, key, value);
	if (is(key, "expect")) {
		if (strcmp(value, "holds") &&
		    (strncmp(value, "violated ", 9) || strchr(value + 9, ' ')))
			return fail(p, where,
				    "expect '%.40s': expected 'holds' or "
				    "'violated KIND'",
				    value);
		return set_once(p, &out->expect, key, value);
	}
	if (key.len > 2 && !memcmp(key.s, "x-", 2))
		return 0;
	return fail(p, key.s,
		    "unknown key '%.*s'; keys of one's own begin with x-",
		    shown(key), key.s);
}

static int parse_key(struct parser *p)
{
	const char *key = skip_blanks(p->line, p->stop);
	const char *colon = memchr(key, ':', p->stop - key);
	const char *s, *stop = p->stop;
	struct word w = { key, 0 };
	char *value;
	int ret;

	if (!colon)
		return fail(p, key,
			    "expected 'KEY: VALUE', or '--' before the "
			    "first run");
	w.len = colon - key;
	s = skip_blanks(colon + 1, stop);
	while (stop > s && blank(stop[-1]))
		stop--;
	if (s == stop)
		return fail(p, s, "'%.*s' has no value", shown(w), w.s);
	value = strndup(s, stop - s);
	if (!value)
		return -ENOMEM;
	ret = set_key(p, w, value, s);
	free(value);
	return ret;
}

static int parse_header(struct parser *p)
{
	int ret;

	while ((ret = next_line(p)) > 0) {
		const char *s = p->line;

		if (nothing_here(p))
			continue;
		if (is(next_word(p, &s), "--")) {
			if (next_word(p, &s).len)
				return fail(p, p->line, "text after '--'");
			if (!p->out->scenario)
				return fail(p, p->line,
					    "the header names no 'scenario:'");
			if (!p->out->memory)
				return fail(p, p->line,
					    "the header names no 'memory:'");
			return 0;
		}
		ret = parse_key(p);
		if (ret)
			return ret;
	}
	return ret ? ret
		   : fail(p, NULL,
			  "the header has no end: expected a line '--'");
}

/* The digits from w.s[from] on. */
static int parse_number(struct parser *p, struct word w, int from,
			const char *expected, unsigned int *number)
{
	unsigned long k = 0;

	for (int i = from; i < w.len; i++) {
		if (w.s[i] < '0' || w.s[i] > '9' || k > 1000000)
			return fail(p, w.s + i, "'%.*s': expected %s", shown(w),
				    w.s, expected);
		k = k * 10 + (w.s[i] - '0');
	}
	*number = k;
	return 0;
}

/* "#k", k >= 1. */
static int parse_count(struct parser *p, struct word w, unsigned int *count)
{
	int ret = parse_number(p, w, 1, "'#' and a number", count);

	if (!ret && !*count)
		return fail(p, w.s, "events are counted from #1");
	return ret;
}

static int parse_point(struct parser *p, const char **s, struct sched_run *run)
{
	struct word w = next_word(p, s), object;
	int ret;

	if (!w.len || *w.s == '#')
		return fail(p, w.s,
			    "expected end, blocked, an operation and "
			    "its object, or a function");
	run->point = is(w, "end")	? SCHED_END
		     : is(w, "blocked") ? SCHED_BLOCKED
					: SCHED_EVENT;
	object = next_word(p, s);
	if (run->point == SCHED_EVENT) {
		run->word = strndup(w.s, w.len);
		if (!run->word)
			return -ENOMEM;
		if (object.len && *object.s != '#') {
			run->object = strndup(object.s, object.len);
			if (!run->object)
				return -ENOMEM;
			object = next_word(p, s);
		}
		if (object.len && *object.s == '#') {
			ret = parse_count(p, object, &run->count);
			if (ret)
				return ret;
			object = next_word(p, s);
		}
	}
	if (object.len)
		return fail(p, object.s, "'%.*s' after the end of the point",
			    shown(object), object.s);
	return 0;
}

/* NAME#K; the name, which may hold other '#', is what is left of *name. */
static int parse_counted(struct parser *p, struct word *name,
			 const char *expected, unsigned int *count)
{
	const char *mark = name->s + name->len;
	struct word number = { NULL, 0 };

	while (mark > name->s && *mark != '#')
		mark--;
	if (mark == name->s)
		return fail(p, name->s, "expected %s", expected);
	number.s = mark;
	number.len = name->s + name->len - mark;
	name->len = mark - name->s;
	return parse_count(p, number, count);
}

static int parse_end(struct parser *p, const char *s)
{
	struct word more = next_word(p, &s);

	return more.len ? fail(p, more.s, "'%.*s' after the end of the line",
			       shown(more), more.s)
			: 0;
}

static int parse_read(struct parser *p, const char *s)
{
	struct word object = next_word(p, &s), from = next_word(p, &s);
	struct word source = next_word(p, &s);
	unsigned int count, write = 0;
	struct sched_read *r;
	char *name, *thread = NULL;
	bool init = is(source, "init");
	int ret;

	ret = parse_counted(p, &object,
			    "an object and which of its reads, "
			    "OBJECT#K",
			    &count);
	if (!ret && !is(from, "from"))
		ret = fail(p, from.s, "expected 'from'");
	if (!ret && !init)
		ret = parse_counted(p, &source,
				    "init, or a thread and which of "
				    "its writes, THREAD#K",
				    &write);
	if (!ret)
		ret = parse_end(p, s);
	if (ret)
		return ret;
	name = strndup(object.s, object.len);
	if (!init)
		thread = strndup(source.s, source.len);
	r = name && (init || thread)
		    ? sched_add_read(p->out, name, count, thread, write)
		    : NULL;
	free(name);
	free(thread);
	if (!r)
		return -ENOMEM;
	r->line = p->nr;
	return 0;
}

static int parse_order(struct parser *p, const char *s)
{
	static const char expected[] = "a thread and which of its writes, "
				       "THREAD#K";
	struct word object = next_word(p, &s), first = next_word(p, &s);
	struct word before = next_word(p, &s), second = next_word(p, &s);
	unsigned int write[2];
	char *name[3];
	struct sched_order *o = NULL;
	int ret = 0;

	if (!object.len)
		ret = fail(p, object.s, "expected an object");
	if (!ret)
		ret = parse_counted(p, &first, expected, &write[0]);
	if (!ret && !is(before, "before"))
		ret = fail(p, before.s, "expected 'before'");
	if (!ret)
		ret = parse_counted(p, &second, expected, &write[1]);
	if (!ret)
		ret = parse_end(p, s);
	if (ret)
		return ret;
	name[0] = strndup(object.s, object.len);
	name[1] = strndup(first.s, first.len);
	name[2] = strndup(second.s, second.len);
	if (name[0] && name[1] && name[2])
		o = sched_add_order(p->out, name[0], name[1], write[0], name[2],
				    write[1]);
	for (int i = 0; i < 3; i++)
		free(name[i]);
	if (!o)
		return -ENOMEM;
	o->line = p->nr;
	return 0;
}

/* WHAT#K of a choice, its count split off; what is a copy, also if it fails. */
static int parse_what(struct parser *p, struct word text, char **what,
		      unsigned int *count)
{
	const char *mark = memchr(text.s, '#', text.len);
	struct word number = { mark, 0 };

	if (mark)
		number.len = text.s + text.len - mark;
	*what = strndup(text.s, text.len - number.len);
	if (!*what)
		return -ENOMEM;
	if (!mark || !sched_choice_word(*what))
		return fail(p, text.s,
			    "expected choose#K, alloc#K or wakeup#K");
	return parse_count(p, number, count);
}

static int parse_value(struct parser *p, struct word value, const char *what,
		       unsigned int *v)
{
	const char *word = sched_choice_word(what);

	*v = 1;
	if (!*word && value.len)
		return parse_number(p, value, 0, "a number", v);
	if (!*word)
		return fail(p, value.s, "expected a number");
	if (!is(value, word))
		return fail(p, value.s, "expected '%s'", word);
	return 0;
}

static int parse_choice(struct parser *p, const char *s)
{
	struct word thread = next_word(p, &s), text = next_word(p, &s);
	struct word value = next_word(p, &s), more = next_word(p, &s);
	char *name = NULL, *what = NULL;
	struct sched_choice *c;
	unsigned int count, v;
	int ret;

	if (!thread.len)
		return fail(p, thread.s, "expected the name of a thread");
	ret = parse_what(p, text, &what, &count);
	ret = ret ? ret : parse_value(p, value, what, &v);
	if (!ret && more.len)
		ret = fail(p, more.s, "'%.*s' after the end of the choice",
			   shown(more), more.s);
	if (!ret) {
		name = strndup(thread.s, thread.len);
		c = name ? sched_add_choice(p->out, name, what, count, v)
			 : NULL;
		if (c)
			c->line = p->nr;
		else
			ret = -ENOMEM;
	}
	free(name);
	free(what);
	return ret;
}

static int parse_line(struct parser *p)
{
	const char *s = p->line;
	struct word w = next_word(p, &s);
	struct sched_run *run;
	char *thread;

	if (is(w, "choose"))
		return parse_choice(p, s);
	if (is(w, "read"))
		return parse_read(p, s);
	if (is(w, "order"))
		return parse_order(p, s);
	if (!is(w, "run"))
		return fail(p, w.s,
			    "'%.*s': expected 'run THREAD until POINT', "
			    "'choose THREAD WHAT VALUE', 'read OBJECT#K from "
			    "...' or 'order OBJECT ... before ...'",
			    shown(w), w.s);
	w = next_word(p, &s);
	if (!w.len)
		return fail(p, w.s, "expected the name of a thread");
	thread = strndup(w.s, w.len);
	if (!thread)
		return -ENOMEM;
	run = sched_add_run(p->out, thread, SCHED_END, NULL, NULL, 0);
	free(thread);
	if (!run)
		return -ENOMEM;
	run->line = p->nr;
	w = next_word(p, &s);
	if (!is(w, "until"))
		return fail(p, w.s, "expected 'until' and a point");
	return parse_point(p, &s, run);
}

int sched_parse(const char *text, size_t len, struct sched *out,
		struct sched_error *err)
{
	struct parser p = { .at = text,
			    .end = text + len,
			    .line = text,
			    .stop = text,
			    .out = out,
			    .err = err };
	int ret;

	memset(out, 0, sizeof(*out));
	memset(err, 0, sizeof(*err));
	if (len > SCHED_MAX_BYTES)
		return fail(&p, NULL, "larger than %u bytes: not a schedule",
			    SCHED_MAX_BYTES);
	ret = parse_magic(&p);
	if (!ret)
		ret = parse_header(&p);
	while (!ret && (ret = next_line(&p)) > 0)
		ret = nothing_here(&p) ? 0 : parse_line(&p);
	if (ret == -ENOMEM)
		fail(&p, NULL, "out of memory");
	return ret;
}
