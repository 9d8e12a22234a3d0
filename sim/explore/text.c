// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - functions on text for plain programs, in C that is instrumented as theirs
 * is: every byte that they look at is an access.
 */
#include "trapline/plain.h"

#undef strchr
#undef strcmp
#undef strcpy
#undef strlen
#undef strncmp
#undef strstr

size_t trapline_strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

int trapline_strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++) {
		unsigned char x = *a, y = *b;

		if (x != y)
			return x - y;
		if (!x)
			break;
	}
	return 0;
}

int trapline_strcmp(const char *a, const char *b)
{
	return trapline_strncmp(a, b, (size_t)-1);
}

char *trapline_strcpy(char *to, const char *from)
{
	char *end = to;

	while ((*end++ = *from++))
		;
	return to;
}

char *trapline_strchr(const char *s, int c)
{
	for (;; s++) {
		char at = *s;

		if (at == (char)c)
			return (char *)s;
		if (!at)
			return NULL;
	}
}

char *trapline_strstr(const char *s, const char *part)
{
	size_t n = trapline_strlen(part);

	for (;; s++) {
		if (!trapline_strncmp(s, part, n))
			return (char *)s;
		if (!*s)
			return NULL;
	}
}
