// SPDX-License-Identifier: GPL-2.0-only
/* A program of two files. */
#include <assert.h>

int other_half(int x);

int main(void)
{
	assert(other_half(1) == 1);
	return 0;
}
