// SPDX-License-Identifier: GPL-2.0-only
/*
 * semlib.c - a library with a reference counter, which semaphore.c loads late.
 */
#include "target.h"

SEMAPHORE(late_counter);
int probed_late(int x);

PROBED int probed_late(int x)
{
	late_counter += 0;
	return x + 1;
}
