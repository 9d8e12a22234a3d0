// SPDX-License-Identifier: GPL-2.0-only
/*
 * writer.c - text to a file or to stderr, see writer.h.
 */
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "utf8.h"

struct writer {
	int fd;
	bool line_by_line, own;
	int err;
	size_t used;
	char buf[1 << 16];
};

struct writer *writer_open(const char *path)
{
	struct writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->fd = STDERR_FILENO;
	w->line_by_line = !path;
	if (path) {
		w->own = true;
		w->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			     0666);
	}
	if (w->fd >= 0)
		return w;
	free(w);
	return NULL;
}

static void flush(struct writer *w)
{
	size_t done = 0;
	ssize_t n;

	while (done < w->used) {
		n = write(w->fd, w->buf + done, w->used - done);
		if (n >= 0) {
			done += n;
		} else if (errno != EINTR) {
			w->err = w->err ? w->err : errno;
			break;
		}
	}
	w->used = 0;
}

void put(struct writer *w, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (w->used + WRITER_PIECE > sizeof(w->buf))
		flush(w);
	va_start(ap, fmt);
	n = vsnprintf(w->buf + w->used, sizeof(w->buf) - w->used, fmt, ap);
	va_end(ap);
	w->used += n;
}

void writer_end_line(struct writer *w)
{
	put(w, "\n");
	if (w->line_by_line)
		flush(w);
}

int writer_close(struct writer *w)
{
	int err;

	flush(w);
	if (w->own && close(w->fd) && !w->err)
		w->err = errno;
	err = w->err;
	free(w);
	return err;
}

/* ---- strings that a program may have filled with anything -------------------------- */

void put_json_string(struct writer *w, const char *s)
{
	unsigned int n;

	put(w, "\"");
	for (; *s; s += n ? n : 1) {
		n = utf8(s);
		if (!n)
			put(w, "\\ufffd");
		else if (*s == '"' || *s == '\\')
			put(w, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			put(w, "\\u%04x", *s);
		else
			put(w, "%.*s", n, s);
	}
	put(w, "\"");
}

/* n: bytes of the character, 0 if it is none. */
static void put_escaped(struct writer *w, const char *s, unsigned int n)
{
	unsigned char c = *s;

	if (n > 1)
		put(w, "%.*s", n, s);
	else if (c == '"' || c == '\'' || c == '\\')
		put(w, "\\%c", c);
	else if (c == '\n' || c == '\t')
		put(w, c == '\n' ? "\\n" : "\\t");
	else if (!n || c < ' ' || c == 0x7f)
		put(w, "\\x%02x", c);
	else
		put(w, "%c", c);
}

void put_escaped_string(struct writer *w, const char *s)
{
	unsigned int n;

	for (; *s; s += n ? n : 1) {
		n = utf8(s);
		put_escaped(w, s, n);
	}
}

void put_escaped_char(struct writer *w, char c)
{
	put_escaped(w, &c, (unsigned char)c < 0x80);
}
