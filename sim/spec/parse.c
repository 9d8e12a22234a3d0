// SPDX-License-Identifier: GPL-2.0-only
/*
 * parse.c - probe specifications, see spec.h for what they look like.
 */
#include "spec.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "number.h"

struct parser {
	const char *text;
	struct spec *out;
	struct spec_error *err;
};

static void copy(struct parser *p, char *to, struct spec_part part)
{
	memcpy(to, p->text + part.at, part.len);
	to[part.len] = '\0';
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Bytes up to the next blank that has no backslash before it. */
static unsigned int word(const char *text)
{
	unsigned int n;

	for (n = 0; text[n] && !blank(text[n]); n++)
		if (text[n] == '\\' && blank(text[n + 1]))
			n++;
	return n;
}

/* Of a path; any other backslash is a letter of it. */
static void copy_unescaped(struct parser *p, char *to, struct spec_part part)
{
	const char *s = p->text + part.at, *end = s + part.len;

	for (; s < end; s++)
		if (*s != '\\' || s + 1 == end || !blank(s[1]))
			*to++ = *s;
	*to = '\0';
}

static int place(struct parser *p, struct spec_part part)
{
	const char *start = p->text + part.at, *plus, *why;
	struct spec_part off;

	p->out->in_place = part;
	if (!part.len)
		return spec_wrong(p->err, part.at, 1,
				  "a symbol or a file offset is missing here");
	if (isdigit((unsigned char)*start)) {
		why = spec_number(p->text, part, &p->out->offset);
		if (!why)
			return 0;
		return spec_wrong(p->err, part.at, part.len,
				  "%s; write a file offset as 0x1139", why);
	}
	plus = memrchr(start, '+', part.len);
	if (plus) {
		off.at = plus + 1 - p->text;
		off.len = part.at + part.len - off.at;
		why = spec_number(p->text, off, &p->out->offset);
		if (why)
			return spec_wrong(p->err, off.at, off.len,
					  "%s; write SYMBOL+0x10", why);
		part.len = plus - start;
		if (memchr(start, '*', part.len) ||
		    memchr(start, '?', part.len))
			return spec_wrong(p->err, off.at - 1, off.len + 1,
					  "a pattern names whole functions; "
					  "leave the offset out");
	}
	copy(p, p->out->symbol, part);
	return 0;
}

/* PATH:PLACE; the last colon counts, as a path may have some. */
static int target(struct parser *p, struct spec_part part)
{
	const char *start = p->text + part.at;
	const char *colon = memrchr(start, ':', part.len);
	struct spec_part path = { part.at, colon ? colon - start : 0 };

	if (!colon)
		return spec_wrong(
			p->err, part.at, part.len,
			"expected PATH:SYMBOL, as in libc.so.6:malloc");
	if (!path.len)
		return spec_wrong(p->err, part.at, 1,
				  "the path is missing here");
	copy_unescaped(p, p->out->path, path);
	p->out->in_path = path;
	return place(p, (struct spec_part){ path.at + path.len + 1,
					    part.len - path.len - 1 });
}

/* more: what a name may have besides letters and digits. */
static int check_name(struct parser *p, struct spec_part part, const char *more)
{
	unsigned int i;

	if (!part.len)
		return spec_wrong(p->err, part.at, 1,
				  "the event's name is missing here");
	for (i = part.at; i < part.at + part.len; i++)
		if (!isalnum((unsigned char)p->text[i]) &&
		    !strchr(more, p->text[i]))
			return spec_wrong(
				p->err, i, 1,
				"an event's name has letters, digits and "
				"_ only; a path's blank is written '\\ '");
	return 0;
}

/* [GRP/]EVENT */
static int event_name(struct parser *p, struct spec_part part)
{
	const char *start = p->text + part.at;
	const char *slash = memchr(start, '/', part.len);
	struct spec_part group = { part.at, slash ? slash - start : 0 };

	if (slash) {
		if (check_name(p, group, "_-"))
			return -EINVAL;
		part.at += group.len + 1;
		part.len -= group.len + 1;
	}
	if (check_name(p, part, "_"))
		return -EINVAL;
	copy(p, p->out->event, part);
	return 0;
}

/* Arguments, separated by blanks, up to the end. */
static int arguments(struct parser *p, unsigned int at)
{
	struct spec *s = p->out;
	struct fetch_where where = { .ret = s->ret };
	struct spec_part part;
	unsigned int i;

	for (;; at = part.at + part.len) {
		part.at = at + strspn(p->text + at, " \t");
		part.len = strcspn(p->text + part.at, " \t");
		if (!part.len)
			return 0;
		if (s->nr_args == SPEC_MAX_ARGS)
			return spec_wrong(p->err, part.at, part.len,
					  "more than %d arguments; use a "
					  "second probe",
					  SPEC_MAX_ARGS);
		where.nr = s->nr_args + 1;
		if (fetch_parse(p->text, part, &where, &s->arg[s->nr_args],
				p->err))
			return -EINVAL;
		for (i = 0; i < s->nr_args; i++)
			if (!strcmp(s->arg[i].name, s->arg[s->nr_args].name))
				return spec_wrong(p->err, part.at, part.len,
						  "there is an argument '%s' "
						  "already; write NAME=...",
						  s->arg[i].name);
		s->nr_args++;
	}
}

/* (REF), the rest of `part` from its last bracket on; cut off there. */
static int ref_ctr(struct parser *p, struct spec_part *part)
{
	const char *start = p->text + part->at;
	const char *open = memrchr(start, '(', part->len);
	unsigned int end = part->at + part->len;
	struct spec_part ref, in;
	const char *why;

	/* It may also be in a path. */
	if (!open || memchr(open, ':', start + part->len - open))
		return 0;
	ref.at = open - p->text;
	ref.len = end - ref.at;
	if (p->text[end - 1] != ')')
		return spec_wrong(p->err, ref.at, ref.len,
				  "a reference counter ends the place: "
				  "(0x4010)");
	in = (struct spec_part){ ref.at + 1, ref.len - 2 };
	why = spec_number(p->text, in, &p->out->ref_ctr);
	if (why || !p->out->ref_ctr)
		return spec_wrong(p->err, in.at, in.len,
				  "%s; write a counter's file offset as "
				  "(0x4010)",
				  why ? why : "not a number above 0");
	p->out->in_ref = ref;
	part->len -= ref.len;
	return 0;
}

/* PATH:PLACE[%return][(REF)] ARGUMENTS */
static int place_and_arguments(struct parser *p, unsigned int at)
{
	static const char suffix[] = "%return";
	unsigned int n = strlen(suffix), len = word(p->text + at);
	struct spec_part part = { at, len };
	unsigned int end = at + len;
	int err;

	err = ref_ctr(p, &part);
	if (err)
		return err;
	len = part.len;
	if (len > n && !strncmp(p->text + at + len - n, suffix, n)) {
		p->out->ret = true;
		len -= n;
	}
	err = target(p, (struct spec_part){ at, len });
	return err ? err : arguments(p, end);
}

/* p[:EVENT] PATH:PLACE ..., or p:PATH:PLACE ...: an event has no colon. */
static int tracefs(struct parser *p)
{
	unsigned int first = word(p->text);
	bool event = p->text[1] == ':';
	int err;

	if (event && (!p->text[first] || memchr(p->text + 2, ':', first - 2)))
		return place_and_arguments(p, 2);
	if (event) {
		err = event_name(p, (struct spec_part){ 2, first - 2 });
		if (err)
			return err;
	}
	return place_and_arguments(p, first + strspn(p->text + first, " \t"));
}

/* PATH:PLACE, and nothing behind it. */
static int bpftrace(struct parser *p, unsigned int at)
{
	struct spec_part part = { at, word(p->text + at) }, rest;

	rest.at = part.at + part.len;
	rest.at += strspn(p->text + rest.at, " \t");
	rest.len = strlen(p->text + rest.at);
	if (rest.len)
		return spec_wrong(
			p->err, rest.at, rest.len,
			"bpftrace's form takes neither arguments nor "
			"actions; write %c:PATH:SYMBOL NAME=FETCH, and "
			"a path's blank as '\\ '",
			p->out->ret ? 'r' : 'p');
	return target(p, part);
}

int spec_parse_place(const char *text, unsigned int at, struct spec *out,
		     struct spec_error *err)
{
	struct parser p = { text, out, err };

	memset(out, 0, sizeof(*out));
	if (strlen(text + at) >= SPEC_MAX)
		return spec_wrong(err, at, 1,
				  "longer than %d bytes; name one function",
				  SPEC_MAX - 1);
	return place(&p, (struct spec_part){ at, strlen(text + at) });
}

static const struct prefix {
	const char *text;
	bool ret, tracefs;
} prefixes[] = {
	{ "p", false, true },	    { "r", true, true },
	{ "uprobe", false, false }, { "uretprobe", true, false },
	{ "u", false, false },	    { "ur", true, false },
};

int spec_parse(const char *text, struct spec *out, struct spec_error *err)
{
	struct parser p = { text, out, err };
	unsigned int len = strcspn(text, ": \t"), i;
	const struct prefix *f;

	memset(out, 0, sizeof(*out));
	if (strlen(text) >= SPEC_MAX)
		return spec_wrong(
			err, 0, 1,
			"longer than %d bytes; go to a folder nearer "
			"to the file, or take a second probe for some "
			"of the arguments",
			SPEC_MAX - 1);
	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		f = &prefixes[i];
		if (strlen(f->text) != len || strncmp(text, f->text, len))
			continue;
		out->ret = f->ret;
		if (!text[len])
			break;
		if (f->tracefs)
			return tracefs(&p);
		if (text[len] != ':')
			break;
		return bpftrace(&p, len + 1);
	}
	return spec_wrong(
		err, 0, len,
		"a probe starts with p: (entry) or r: (return), as in "
		"p:libc.so.6:malloc");
}
