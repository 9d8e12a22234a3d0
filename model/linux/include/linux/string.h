/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/string.h - memory and text, in instrumented C.
 *
 * The names are macros: a function called memcpy would replace the C library's in
 * the whole program. Copies go by the largest unit that both sides are aligned
 * to, so every access is seen.
 *
 * 	function			sleeps	scheduling point
 * 	all				no	each access
 * Context: any; locks as the memory wants.
 */
#ifndef LINUX_STRING_H
#define LINUX_STRING_H

#include <linux/types.h>

void *sim_memcpy(void *to, const void *from, size_t n);
void *sim_memmove(void *to, const void *from, size_t n);
void *sim_memset(void *to, int c, size_t n);
int sim_memcmp(const void *a, const void *b, size_t n);
size_t sim_strlen(const char *s);
int sim_strcmp(const char *a, const char *b);
/* Copies with a final NUL; -E2BIG if it was cut. */
ssize_t strscpy(char *to, const char *from, size_t size);

#define memcpy(to, from, n) sim_memcpy(to, from, n)
#define memmove(to, from, n) sim_memmove(to, from, n)
#define memset(to, c, n) sim_memset(to, c, n)
#define memcmp(a, b, n) sim_memcmp(a, b, n)
#define strlen(s) sim_strlen(s)
#define strcmp(a, b) sim_strcmp(a, b)

#endif /* LINUX_STRING_H */
