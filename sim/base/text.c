// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - see text.h.
 */
#include "text.h"

#include <errno.h>
#include <stdlib.h>

void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

char *text_vprint(const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	return text;
}

char *text_print(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = text_vprint(fmt, ap);
	va_end(ap);
	return text;
}

char *text_read(FILE *from, size_t max, size_t *len)
{
	size_t room = 0, n = 0, got;
	char *text = NULL;
	int why;

	errno = 0;
	do {
		if (room - n < 4096)
			text = need(realloc(text, room = 2 * room + 8192));
		got = room - n - 1;
		got = fread(text + n, 1, got < max - n ? got : max - n, from);
		n += got;
	} while (got && n < max);
	if (ferror(from)) {
		why = errno ? errno : EIO;
		free(text);
		errno = why;
		return NULL;
	}
	text[n] = '\0';
	*len = n;
	return text;
}
