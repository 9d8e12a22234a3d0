// SPDX-License-Identifier: GPL-2.0-only
/*
 * profiled.c - a program that counts who calls whom, by mcount or __fentry__.
 */
#include "target.h"

PROBED static int called(int n)
{
	return n + 1;
}

int main(void)
{
	int i, n = 0;

	for (i = 0; i < 100; i++)
		n = called(n);
	CHECK(n == 100);
	return 0;
}
