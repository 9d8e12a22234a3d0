// SPDX-License-Identifier: GPL-2.0-only
/*
 * distance.c - edit distance of two words.
 */
#include "distance.h"

#include <string.h>

#define LONGEST 63

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int distance(const char *a, const char *b)
{
	/* row[i % 3][j]: between the first i letters of a and j of b */
	unsigned int row[3][LONGEST + 1], n = strlen(a), m = strlen(b);
	unsigned int i, j, *now, *last, *before;

	if (n > LONGEST || m > LONGEST)
		return n > m ? n : m;
	for (i = 0; i <= n; i++) {
		now = row[i % 3], last = row[(i + 2) % 3];
		before = row[(i + 1) % 3];
		for (j = 0; j <= m; j++) {
			if (!i || !j) {
				now[j] = i + j;
				continue;
			}
			now[j] = least(last[j], now[j - 1]) + 1;
			now[j] = least(now[j],
				       last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] = least(now[j], before[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}
