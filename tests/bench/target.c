// SPDX-License-Identifier: GPL-2.0-only
/*
 * target.c - the loop as a program: target FUNCTION BURSTS CALLS.
 */
#include <stdlib.h>

#include "loop.h"

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	return bench_loop(argv[1], atoi(argv[2]), atoi(argv[3]));
}
