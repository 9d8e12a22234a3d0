// SPDX-License-Identifier: GPL-2.0-only
/*
 * number.c - numbers in specifications, see number.h.
 */
#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

const char *spec_number(const char *text, struct spec_part part,
			unsigned long *to)
{
	const char *start = text + part.at;
	char *end;

	if (!part.len || !isdigit((unsigned char)*start))
		return "not a number";
	errno = 0;
	*to = strtoul(start, &end, 0);
	if (end != start + part.len)
		return "not a number";
	return errno ? "this number needs more than 64 bits" : NULL;
}
