// SPDX-License-Identifier: GPL-2.0-only
/*
 * swaplib.c - a library of one function, NAME, with a frame of SIZE bytes.
 */
#include "target.h"

long NAME(long (*fn)(void));

long NAME(long (*fn)(void))
{
	volatile char frame[SIZE];

	frame[0] = 1;
	return fn() + frame[0];
}
