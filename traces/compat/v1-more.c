// SPDX-License-Identifier: GPL-2.0-only
/* The further file of v1.c. */
#include <linux/compiler.h>

int v1_look(const int *place);

int v1_look(const int *place)
{
	return READ_ONCE(*place);
}
