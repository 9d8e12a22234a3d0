/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * number.h - numbers in specifications: decimal, 0x10 or 010, without a sign.
 *
 * Context: any; never sleeps.
 */
#ifndef SIM_SPEC_NUMBER_H
#define SIM_SPEC_NUMBER_H

#include "error.h"

/*
 * The whole part, which ends where the text does or before what is no digit.
 * NULL with *to filled; or what is wrong with it, for a message.
 */
const char *spec_number(const char *text, struct spec_part part,
			unsigned long *to);

#endif /* SIM_SPEC_NUMBER_H */
