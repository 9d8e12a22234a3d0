// SPDX-License-Identifier: GPL-2.0-only
/*
 * output.c - hits and the summary, as text or as JSON lines.
 *
 * Does its own buffering: stdio drops data when a signal interrupts a write,
 * and the live world lives on signals. Lines on stderr go out one by one, so
 * that they keep their place among the program's own.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "value.h"

struct output {
	int fd;
	bool jsonl, line_by_line, own;
	int err;
	double start;
	bool header;
	size_t used;
	char buf[1 << 16];
};

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

struct output *output_open(const char *path, bool jsonl)
{
	struct output *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->fd = STDERR_FILENO;
	if (path) {
		o->own = true;
		o->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			     0666);
	}
	if (o->fd < 0) {
		free(o);
		return NULL;
	}
	o->jsonl = jsonl;
	o->line_by_line = !path;
	o->start = now_us();
	return o;
}

static void flush(struct output *o)
{
	size_t done = 0;
	ssize_t n;

	while (done < o->used) {
		n = write(o->fd, o->buf + done, o->used - done);
		if (n >= 0) {
			done += n;
		} else if (errno != EINTR) {
			o->err = o->err ? o->err : errno;
			break;
		}
	}
	o->used = 0;
}

__attribute__((format(printf, 2, 3))) static void put(struct output *o,
						      const char *fmt, ...)
{
	va_list ap;
	int n;

	/* Longer than any piece that is put at once. */
	if (o->used + 2 * SPEC_MAX > sizeof(o->buf))
		flush(o);
	va_start(ap, fmt);
	n = vsnprintf(o->buf + o->used, sizeof(o->buf) - o->used, fmt, ap);
	va_end(ap);
	o->used += n;
}

static void end_line(struct output *o)
{
	put(o, "\n");
	if (o->line_by_line)
		flush(o);
}

/* Bytes of the UTF-8 character at s; 0 if there is none. */
static unsigned int utf8(const char *s)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char c = *s;
	unsigned int n, i, code;

	if (c < 0x80)
		return 1;
	n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
	if (c < 0xc0 || c >= 0xf8)
		return 0;
	code = c & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if (code < least[n] || code > 0x10ffff || (code & ~0x7ffu) == 0xd800)
		return 0;
	return n;
}

/* For JSON; what is not UTF-8 cannot be told there. */
static void put_string(struct output *o, const char *s)
{
	unsigned int n;

	put(o, "\"");
	for (; *s; s += n ? n : 1) {
		n = utf8(s);
		if (!n)
			put(o, "\\ufffd");
		else if (*s == '"' || *s == '\\')
			put(o, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			put(o, "\\u%04x", *s);
		else
			put(o, "%.*s", n, s);
	}
	put(o, "\"");
}

static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- arguments ------------------------------------------------------------------- */

/* One byte or character for people, on one line and without ambiguity. */
static void put_escaped(struct output *o, const char *s, unsigned int n)
{
	unsigned char c = *s;

	if (n > 1)
		put(o, "%.*s", n, s);
	else if (c == '"' || c == '\'' || c == '\\')
		put(o, "\\%c", c);
	else if (c == '\n' || c == '\t')
		put(o, c == '\n' ? "\\n" : "\\t");
	else if (!n || c < ' ' || c == 0x7f)
		put(o, "\\x%02x", c);
	else
		put(o, "%c", c);
}

static void value_text(struct output *o, enum fetch_type type,
		       const struct value *v)
{
	const char *s = v->text;
	char c = v->number;
	unsigned int n;

	if (v->kind == VALUE_FAULT) {
		put(o, "(fault)");
	} else if (v->kind == VALUE_TEXT) {
		put(o, "\"");
		for (; *s; s += n ? n : 1) {
			n = utf8(s);
			put_escaped(o, s, n);
		}
		put(o, v->cut ? "\"..." : "\"");
	} else if (type == FETCH_CHAR) {
		put(o, "'");
		put_escaped(o, &c, (unsigned char)c < 0x80);
		put(o, "'");
	} else if (type >= FETCH_X8 && type <= FETCH_X64) {
		put(o, "0x%lx", v->number);
	} else if (type >= FETCH_S8 && type <= FETCH_S64) {
		put(o, "%ld", (long)v->number);
	} else {
		put(o, "%lu", v->number);
	}
}

/* Readers of JSON have doubles: beyond 53 bits a number is a string. */
static void value_json(struct output *o, enum fetch_type type,
		       const struct value *v)
{
	bool is_signed = type >= FETCH_S8 && type <= FETCH_S64;
	bool negative = is_signed && (long)v->number < 0;
	char one[] = { v->number, '\0' };

	if (v->kind == VALUE_FAULT) {
		put(o, "null");
	} else if (v->kind == VALUE_TEXT) {
		put_string(o, v->text);
	} else if (type == FETCH_CHAR) {
		if (*one)
			put_string(o, one);
		else
			put(o, "\"\\u0000\"");
	} else if ((negative ? -v->number : v->number) >> 53) {
		put(o, "\"");
		value_text(o, type, v);
		put(o, "\"");
	} else {
		put(o, is_signed ? "%ld" : "%lu", v->number);
	}
}

static void put_arguments(struct output *o, const struct spec *s,
			  const struct live_hit *hit)
{
	static struct value v;
	unsigned int i;

	for (i = 0; i < s->nr_args; i++) {
		value_fetch(&s->arg[i], hit, &v);
		if (o->jsonl) {
			put(o, "%s\"%s\":", i ? "," : ",\"args\":{",
			    s->arg[i].name);
			value_json(o, s->arg[i].type, &v);
		} else {
			put(o, " %s=", s->arg[i].name);
			value_text(o, s->arg[i].type, &v);
		}
	}
	if (i && o->jsonl)
		put(o, "}");
}

/* ---- hits ------------------------------------------------------------------------ */

static void hit_json(struct output *o, const struct probe_place *p,
		     const char *how, const struct live_hit *hit)
{
	put(o, "{\"type\":\"%s\",\"probe\":", p->spec.ret ? "return" : "hit");
	put_string(o, p->name);
	put(o, ",\"tid\":%d,\"time_us\":%.1f,\"address\":\"0x%lx\"", hit->tid,
	    now_us() - o->start, hit->addr);
	if (p->spec.ret)
		put(o, ",\"ret\":\"0x%lx\"", arch_x86_64.get_retval(hit->regs));
	else
		put(o, ",\"how\":\"%s\"", how);
	put_arguments(o, &p->spec, hit);
	put(o, "}");
}

void output_hit(struct output *o, const struct probe_place *p, const char *how,
		const struct live_hit *hit)
{
	if (o->jsonl) {
		hit_json(o, p, how, hit);
		end_line(o);
		return;
	}
	if (!o->header) {
		put(o, "    TID   TIME(us)  EVENT\n");
		o->header = true;
	}
	put(o, "%7d %10.1f  %-16s", hit->tid, now_us() - o->start, p->name);
	if (!p->spec.ret)
		put(o, " (%s+0x%lx) %s", base(p->path), p->offset, how);
	else
		put(o, " <- 0x%lx ", hit->regs->ip);
	if (p->spec.ret && !p->spec.nr_args)
		put(o, " ret=0x%lx", arch_x86_64.get_retval(hit->regs));
	put_arguments(o, &p->spec, hit);
	end_line(o);
}

static void summary_json(struct output *o, const struct probe_place *p,
			 const struct live_probe *probes, unsigned int n,
			 unsigned long hits, unsigned long returns,
			 unsigned long missed)
{
	unsigned int i;

	put(o,
	    "{\"type\":\"summary\",\"hits\":%lu,\"returns\":%lu,"
	    "\"missed\":%lu,\"probes\":[",
	    hits, returns, missed);
	for (i = 0; i < n; i++) {
		put(o, "%s{\"probe\":", i ? "," : "");
		put_string(o, p[i].name);
		put(o, ",\"file\":");
		put_string(o, p[i].path);
		put(o, ",\"offset\":\"0x%lx\",\"%s\":%lu,\"missed\":%lu}",
		    p[i].offset, probes[i].ret ? "returns" : "hits",
		    probes[i].hits, probes[i].lost);
	}
	put(o, "]}");
}

void output_summary(struct output *o, const struct probe_place *p,
		    const struct live_probe *probes, unsigned int n, bool table)
{
	unsigned long hits = 0, returns = 0, missed = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		*(probes[i].ret ? &returns : &hits) += probes[i].hits;
		missed += probes[i].lost;
	}
	if (o->jsonl) {
		summary_json(o, p, probes, n, hits, returns, missed);
		end_line(o);
		return;
	}
	if (table) {
		put(o, "      HITS     MISSED  PROBE");
		end_line(o);
	}
	for (i = 0; table && i < n; i++) {
		put(o, "%10lu %10lu  %c:%s:%s", probes[i].hits, probes[i].lost,
		    probes[i].ret ? 'r' : 'p', base(p[i].path), p[i].name);
		end_line(o);
	}
	put(o, "%lu hits (%lu entry, %lu return), %lu missed", hits + returns,
	    hits, returns, missed);
	end_line(o);
}

int output_close(struct output *o)
{
	int err;

	flush(o);
	if (o->own && close(o->fd) && !o->err)
		o->err = errno;
	err = o->err;
	free(o);
	return err;
}
