// SPDX-License-Identifier: GPL-2.0-only
/*
 * string.c - memory and text functions in C, so that every access is seen.
 *
 * Stands for lib/string.c. Compiled like the rest of the model: in the
 * instrumented build each word or byte is an access of its own.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/string.h>

#define WORD sizeof(unsigned long)

static bool both_aligned(const void *a, const void *b)
{
	return IS_ALIGNED((unsigned long)a | (unsigned long)b, WORD);
}

void *sim_memcpy(void *to, const void *from, size_t n)
{
	unsigned char *d = to;
	const unsigned char *s = from;

	if (both_aligned(d, s)) {
		for (; n >= WORD; n -= WORD, d += WORD, s += WORD)
			*(unsigned long *)d = *(const unsigned long *)s;
	}
	while (n--)
		*d++ = *s++;
	return to;
}

void *sim_memmove(void *to, const void *from, size_t n)
{
	unsigned char *d = to;
	const unsigned char *s = from;

	if (d <= s || d >= s + n)
		return sim_memcpy(to, from, n);
	while (n--)
		d[n] = s[n];
	return to;
}

void *sim_memset(void *to, int c, size_t n)
{
	unsigned long word = (unsigned char)c * (~0ul / 0xff);
	unsigned char *d = to;

	if (both_aligned(d, d)) {
		for (; n >= WORD; n -= WORD, d += WORD)
			*(unsigned long *)d = word;
	}
	while (n--)
		*d++ = (unsigned char)c;
	return to;
}

int sim_memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (; n--; x++, y++) {
		if (*x != *y)
			return *x - *y;
	}
	return 0;
}

size_t sim_strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

int sim_strcmp(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (unsigned char)*a - (unsigned char)*b;
}

ssize_t strscpy(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		to[i] = from[i];
		if (!from[i])
			return i;
	}
	if (size)
		to[size - 1] = '\0';
	return -E2BIG;
}
