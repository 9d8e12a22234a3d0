// SPDX-License-Identifier: GPL-2.0-only
/*
 * reg.c - names of the user registers, for those who name one in a probe.
 *
 * The first name is what tracefs accepts; it knows x30 as lr, too.
 */
#include "arm64.h"

const struct arch_reg a64_reg[A64_NR_REG] = {
	{ "x0", NULL, "w0", 0 },	{ "x1", NULL, "w1", 1 },
	{ "x2", NULL, "w2", 2 },	{ "x3", NULL, "w3", 3 },
	{ "x4", NULL, "w4", 4 },	{ "x5", NULL, "w5", 5 },
	{ "x6", NULL, "w6", 6 },	{ "x7", NULL, "w7", 7 },
	{ "x8", NULL, "w8", 8 },	{ "x9", NULL, "w9", 9 },
	{ "x10", NULL, "w10", 10 },	{ "x11", NULL, "w11", 11 },
	{ "x12", NULL, "w12", 12 },	{ "x13", NULL, "w13", 13 },
	{ "x14", NULL, "w14", 14 },	{ "x15", NULL, "w15", 15 },
	{ "x16", NULL, "w16", 16 },	{ "x17", NULL, "w17", 17 },
	{ "x18", NULL, "w18", 18 },	{ "x19", NULL, "w19", 19 },
	{ "x20", NULL, "w20", 20 },	{ "x21", NULL, "w21", 21 },
	{ "x22", NULL, "w22", 22 },	{ "x23", NULL, "w23", 23 },
	{ "x24", NULL, "w24", 24 },	{ "x25", NULL, "w25", 25 },
	{ "x26", NULL, "w26", 26 },	{ "x27", NULL, "w27", 27 },
	{ "x28", NULL, "w28", 28 },	{ "x29", NULL, "w29", 29 },
	{ "x30", "lr", "w30", A64_LR }, { "sp", NULL, "wsp", A64_SP },
	{ "pc", NULL, NULL, A64_PC },	{ "pstate", NULL, NULL, A64_PSTATE },
};
