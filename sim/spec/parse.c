// SPDX-License-Identifier: GPL-2.0-only
/*
 * parse.c - probe specifications, see spec.h for what they look like.
 */
#include "spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	const char *text;
	struct spec *out;
	struct spec_error *err;
};

__attribute__((format(printf, 4, 5))) static int wrong(struct parser *p,
						       unsigned int at,
						       unsigned int len,
						       const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->err->what, sizeof(p->err->what), fmt, ap);
	va_end(ap);
	p->err->where = (struct spec_part){ at, len ? len : 1 };
	return -EINVAL;
}

static void copy(struct parser *p, char *to, struct spec_part part)
{
	memcpy(to, p->text + part.at, part.len);
	to[part.len] = '\0';
}

/* OFF: decimal or 0x..; the whole part. */
static bool number(struct parser *p, struct spec_part part, unsigned long *to)
{
	char digits[32], *end;

	if (!part.len || part.len >= sizeof(digits) ||
	    !isdigit((unsigned char)p->text[part.at]))
		return false;
	copy(p, digits, part);
	errno = 0;
	*to = strtoul(digits, &end, 0);
	return !*end && !errno;
}

static int place(struct parser *p, struct spec_part part)
{
	const char *start = p->text + part.at, *plus;
	struct spec_part off;

	p->out->in_place = part;
	if (!part.len)
		return wrong(p, part.at, 1,
			     "a symbol or a file offset is missing here");
	if (isdigit((unsigned char)*start)) {
		if (number(p, part, &p->out->offset))
			return 0;
		return wrong(p, part.at, part.len,
			     "not a number; write a file offset as 0x1139");
	}
	plus = memrchr(start, '+', part.len);
	if (plus) {
		off.at = plus + 1 - p->text;
		off.len = part.at + part.len - off.at;
		if (!number(p, off, &p->out->offset))
			return wrong(p, off.at, off.len,
				     "not a number; write SYMBOL+0x10");
		part.len = plus - start;
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
		return wrong(p, part.at, part.len,
			     "expected PATH:SYMBOL, as in libc.so.6:malloc");
	if (!path.len)
		return wrong(p, part.at, 1, "the path is missing here");
	copy(p, p->out->path, path);
	p->out->in_path = path;
	return place(p, (struct spec_part){ path.at + path.len + 1,
					    part.len - path.len - 1 });
}

static int event_name(struct parser *p, struct spec_part part)
{
	const char *start = p->text + part.at;
	const char *slash = memchr(start, '/', part.len);
	unsigned int i;

	if (slash) {
		part.at += slash + 1 - start;
		part.len -= slash + 1 - start;
	}
	if (!part.len)
		return wrong(p, part.at, 1, "the event's name is missing here");
	for (i = part.at; i < part.at + part.len; i++)
		if (!isalnum((unsigned char)p->text[i]) && p->text[i] != '_')
			return wrong(p, i, 1,
				     "an event's name has letters, digits and "
				     "_ only");
	copy(p, p->out->event, part);
	return 0;
}

/* What may stand behind PATH:PLACE in a tracefs line, and does not here. */
static int no_more(struct parser *p, unsigned int at)
{
	at += strspn(p->text + at, " \t");
	if (!p->text[at])
		return 0;
	return wrong(p, at, strlen(p->text + at),
		     "arguments are not fetched yet; leave them out");
}

static int tracefs(struct parser *p, unsigned int name_end)
{
	static const char suffix[] = "%return";
	unsigned int n = strlen(suffix), at, len;
	int err;

	if (p->text[1] == ':') {
		err = event_name(p, (struct spec_part){ 2, name_end - 2 });
		if (err)
			return err;
	}
	at = name_end + strspn(p->text + name_end, " \t");
	len = strcspn(p->text + at, " \t");
	err = no_more(p, at + len);
	if (err)
		return err;
	if (len && p->text[at + len - 1] == ')')
		return wrong(p, at, len,
			     "reference counters are not supported yet");
	if (len > n && !strncmp(p->text + at + len - n, suffix, n)) {
		p->out->ret = true;
		len -= n;
	}
	return target(p, (struct spec_part){ at, len });
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
	unsigned int len = strcspn(text, ": \t"), i, word;
	const struct prefix *f;

	memset(out, 0, sizeof(*out));
	if (strlen(text) >= SPEC_MAX)
		return wrong(&p, 0, 1, "longer than %d bytes", SPEC_MAX - 1);
	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		f = &prefixes[i];
		if (strlen(f->text) != len || strncmp(text, f->text, len))
			continue;
		out->ret = f->ret;
		word = strcspn(text, " \t");
		if (f->tracefs && text[word])
			return tracefs(&p, word);
		if (text[len] != ':')
			break;
		return target(&p, (struct spec_part){ len + 1,
						      strlen(text) - len - 1 });
	}
	return wrong(&p, 0, len,
		     "a probe starts with p: (entry) or r: (return), as in "
		     "p:libc.so.6:malloc");
}
