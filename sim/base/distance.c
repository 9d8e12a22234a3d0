// SPDX-License-Identifier: GPL-2.0-only
/*
 * distance.c - edit distance of two short words.
 */
#include "distance.h"

#include <string.h>

unsigned int distance(const char *a, const char *b)
{
	unsigned int change, insert, drop, swap;

	if (!*a || !*b)
		return strlen(a) + strlen(b);
	if (*a == *b)
		return distance(a + 1, b + 1);
	change = distance(a + 1, b + 1);
	insert = distance(a + 1, b);
	drop = distance(a, b + 1);
	if (insert < change)
		change = insert;
	if (*a == b[1] && a[1] == *b) {
		swap = distance(a + 2, b + 2);
		if (swap < change)
			change = swap;
	}
	return 1 + (drop < change ? drop : change);
}
