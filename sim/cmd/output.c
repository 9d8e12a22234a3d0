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

static void put_string(struct output *o, const char *s)
{
	put(o, "\"");
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			put(o, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			put(o, "\\u%04x", *s);
		else
			put(o, "%c", *s);
	}
	put(o, "\"");
}

static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void hit_json(struct output *o, const struct probe_place *p,
		     const char *how, const struct live_hit *hit)
{
	put(o, "{\"type\":\"%s\",\"probe\":", p->spec.ret ? "return" : "hit");
	put_string(o, p->name);
	put(o, ",\"tid\":%d,\"time_us\":%.1f,\"address\":\"0x%lx\"", hit->tid,
	    now_us() - o->start, hit->addr);
	if (p->spec.ret)
		put(o, ",\"ret\":\"0x%lx\"}",
		    arch_x86_64.get_retval(hit->regs));
	else
		put(o, ",\"how\":\"%s\"}", how);
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
	if (p->spec.ret)
		put(o, " <- 0x%lx  ret=0x%lx", hit->regs->ip,
		    arch_x86_64.get_retval(hit->regs));
	else
		put(o, " (%s+0x%lx) %s", base(p->path), p->offset, how);
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
