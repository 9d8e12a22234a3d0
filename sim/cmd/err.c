// SPDX-License-Identifier: GPL-2.0-only
/*
 * err.c - messages to the user: what happened, where, and the next step.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"

static void message(const char *fmt, va_list ap)
{
	fputs("trapline: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
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
	va_list ap;

	fprintf(stderr, "%s%s\n%*s^", label, text, (int)(strlen(label) + at),
		"");
	while (len-- > 1)
		fputc('~', stderr);
	fputc('\n', stderr);
	va_start(ap, fmt);
	message(fmt, ap);
	va_end(ap);
}
