// SPDX-License-Identifier: GPL-2.0-only
/*
 * string.c - memory and text functions in C, so that every access is seen.
 *
 * Stands for lib/string.c. Compiled like the rest of the model: in the
 * instrumented build each unit is an access of its own.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/string.h>

/*
 * The largest unit that divides a and n bytes can be cut into: what is copied a
 * pointer or a number at a time is not torn, as the kernel's own copies do not.
 */
static size_t unit(unsigned long a, size_t n)
{
	size_t u = sizeof(unsigned long);

	while (u > 1 && (u > n || !IS_ALIGNED(a, u)))
		u /= 2;
	return u;
}

static void copy_unit(void *to, const void *from, size_t u)
{
	switch (u) {
	case 8:
		*(u64 *)to = *(const u64 *)from;
		break;
	case 4:
		*(u32 *)to = *(const u32 *)from;
		break;
	case 2:
		*(u16 *)to = *(const u16 *)from;
		break;
	default:
		*(u8 *)to = *(const u8 *)from;
	}
}

void *sim_memcpy(void *to, const void *from, size_t n)
{
	unsigned char *d = to;
	const unsigned char *s = from;
	size_t u;

	for (; n; n -= u, d += u, s += u) {
		u = unit((unsigned long)d | (unsigned long)s, n);
		copy_unit(d, s, u);
	}
	return to;
}

void *sim_memmove(void *to, const void *from, size_t n)
{
	unsigned char *d = to;
	const unsigned char *s = from;

	if (d <= s || d >= s + n)
		return sim_memcpy(to, from, n);
	while (n) {
		size_t u = unit((unsigned long)(d + n) | (unsigned long)(s + n),
				n);

		n -= u;
		copy_unit(d + n, s + n, u);
	}
	return to;
}

void *sim_memset(void *to, int c, size_t n)
{
	unsigned long word = (unsigned char)c * (~0ul / 0xff);
	unsigned char *d = to;
	size_t u;

	for (; n; n -= u, d += u) {
		u = unit((unsigned long)d, n);
		copy_unit(d, &word, u);
	}
	return to;
}

static unsigned long get_unit(const void *from, size_t u)
{
	unsigned long v = 0;

	copy_unit(&v, from, u);
	return v;
}

int sim_memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;
	size_t u;

	for (; n; n -= u, x += u, y += u) {
		unsigned long v, w, differ;
		unsigned int shift;

		u = unit((unsigned long)x | (unsigned long)y, n);
		v = get_unit(x, u);
		w = get_unit(y, u);
		differ = v ^ w;
		if (!differ)
			continue;
		/* little endian: the first byte is the lowest */
		shift = __builtin_ctzl(differ) & ~7u;
		return (int)(v >> shift & 0xff) - (int)(w >> shift & 0xff);
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
