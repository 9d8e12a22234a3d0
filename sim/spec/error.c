// SPDX-License-Identifier: GPL-2.0-only
/*
 * error.c - mistakes in specifications, see error.h.
 */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int spec_wrong(struct spec_error *err, unsigned int at, unsigned int len,
	       const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err->what, sizeof(err->what), fmt, ap);
	va_end(ap);
	err->where = (struct spec_part){ at, len ? len : 1 };
	return -EINVAL;
}
