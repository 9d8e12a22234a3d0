// SPDX-License-Identifier: GPL-2.0-only
/*
 * err.c - messages to the user: what happened, where, and the next step.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"

static char last[1024];

static void message(const char *fmt, va_list ap)
{
	vsnprintf(last, sizeof(last), fmt, ap);
	fprintf(stderr, "trapline: %s\n", last);
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
