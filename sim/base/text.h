/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.h - texts on the heap. Without memory for one the program ends (abort), so
 * none of these fails for lack of it.
 */
#ifndef SIM_BASE_TEXT_H
#define SIM_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* p, which is not NULL: an allocation that succeeded. */
void *need(void *p);

/* What printf would print. The caller frees it. */
char *text_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *text_vprint(const char *fmt, va_list ap)
	__attribute__((format(printf, 1, 0)));

/*
 * What is left of a file, at most max bytes of it, and a NUL behind that; *len is
 * without the NUL. NULL with errno set if it cannot be read. The caller frees it.
 */
char *text_read(FILE *from, size_t max, size_t *len);

#endif /* SIM_BASE_TEXT_H */
