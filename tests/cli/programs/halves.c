// SPDX-License-Identifier: GPL-2.0-only
/* A program of two files. */
#include <assert.h>

#ifndef X
#define X 1
#endif

int other_half(int x);

int main(void)
{
	assert(other_half(X) == 1);
	return 0;
}
