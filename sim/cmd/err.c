// SPDX-License-Identifier: GPL-2.0-only
/*
 * err.c - messages to the user: what happened, where, and the next step.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "utf8.h"

static char last[1024];

/*
 * The letter at s, safe for a terminal: control bytes, and bytes that are no
 * text, as \xNN. Returns what is behind it, and adds its columns.
 */
static const char *put_letter(const char *s, unsigned int *columns)
{
	unsigned char c = *s;
	unsigned int n = utf8(s);
	bool control = c < ' ' || c == 0x7f ||
		       (c == 0xc2 && (unsigned char)s[1] < 0xa0);

	if (n && !control) {
		*columns += 1;
		return s + fwrite(s, 1, n, stderr);
	}
	*columns += fprintf(stderr, "\\x%02x", c);
	return s + 1;
}

/* Up to `end`, or to the end of a letter that is cut there. */
static const char *put_text(const char *s, const char *end,
			    unsigned int *columns)
{
	while (s < end)
		s = put_letter(s, columns);
	return s;
}

/* A message may have several lines; else no control byte is its own. */
static void put_message(const char *s)
{
	unsigned int columns = 0;

	for (;; fputc(*s++, stderr)) {
		s = put_text(s, s + strcspn(s, "\n\t"), &columns);
		if (!*s)
			return;
	}
}

static void message(const char *fmt, va_list ap)
{
	vsnprintf(last, sizeof(last), fmt, ap);
	fputs("trapline: ", stderr);
	put_message(last);
	fputc('\n', stderr);
}

const char *err_last(void)
{
	return last;
}

void err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(fmt, ap);
	va_end(ap);
}

void err_at(const char *text, unsigned int at, unsigned int len,
	    const char *fmt, ...)
{
	static const char label[] = "error: ";
	const char *end = text + strlen(text), *s;
	unsigned int before = strlen(label), marked = 0, behind = 0;
	va_list ap;

	fputs(label, stderr);
	s = text + strnlen(text, at);
	s = put_text(text, s, &before);
	s = put_text(s, s + strnlen(s, len), &marked);
	put_text(s, end, &behind);
	fprintf(stderr, "\n%*s^", (int)before, "");
	while (marked-- > 1)
		fputc('~', stderr);
	fputc('\n', stderr);
	va_start(ap, fmt);
	message(fmt, ap);
	va_end(ap);
}
