// SPDX-License-Identifier: GPL-2.0-only
/*
 * decode.c - the class of a word, by mask and value.
 *
 * Two tables: the architecture's own first split sets branches, exceptions and
 * system instructions apart (op0 = x101). In each the first row that matches
 * holds, so the special stands above the general. What the first table does not
 * name may be a branch of an extension that is not known here; what the second
 * does not name acts the same at any address.
 *
 * Source: Arm Architecture Reference Manual, "A64 instruction set encoding"; the
 * rows are as wide as the masks by which Linux 6.18 tells these classes apart.
 */
#include "arm64.h"

struct row {
	unsigned int mask, value;
	enum a64_class class;
};

static const struct row branches[] = {
	{ 0xfc000000, 0x14000000, A64_B },
	{ 0xfc000000, 0x94000000, A64_BL },
	{ 0xff000000, 0x54000000, A64_B_COND }, /* and bc.cond */
	{ 0x7e000000, 0x34000000, A64_CB },
	{ 0x7e000000, 0x36000000, A64_TB },
	{ 0xfffffc1f, 0xd61f0000, A64_BR },
	{ 0xfffffc1f, 0xd63f0000, A64_BLR },
	{ 0xfffffc1f, 0xd65f0000, A64_RET },
	{ 0xfefff800, 0xd61f0800, A64_AUTH_BRANCH }, /* braa, braaz, ... */
	{ 0xfefff800, 0xd63f0800, A64_AUTH_BRANCH }, /* blraa, blraaz, ... */
	{ 0xfffffbff, 0xd65f0bff, A64_AUTH_BRANCH }, /* retaa, retab */
	{ 0xffe0001f, 0xd4200000, A64_BREAKPOINT },
	{ 0xff000000, 0xd4000000, A64_EXCEPTION },
	{ 0xffffffff, 0xd69f03e0, A64_ERET },
	{ 0xfffffbff, 0xd69f0bff, A64_ERET }, /* eretaa, eretab */

	/* hints, by their seven bits */
	{ 0xffffffff, 0xd503201f, A64_NOP },
	{ 0xffffff3f, 0xd503241f, A64_BTI },
	{ 0xffffffff, 0xd50320ff, A64_PAC }, /* xpaclri */
	{ 0xffffffbf, 0xd503211f, A64_PAC }, /* pacia1716, pacib1716 */
	{ 0xffffff9f, 0xd503231f, A64_PAC }, /* paciaz, .sp, pacibz, .sp */
	{ 0xfffff01f, 0xd503201f, A64_HINT },

	{ 0xfff8f01f, 0xd500401f, A64_MSR }, /* immediate */
	{ 0xfff00000, 0xd5100000, A64_MSR },
	{ 0xffffffe0, 0xd53b4220, A64_MRS_DAIF },
	{ 0xfff00000, 0xd5300000, A64_MRS },
	{ 0xfffff0ff, 0xd503305f, A64_CLREX },
	{ 0xfffff01f, 0xd503301f, A64_SYSTEM }, /* barriers */
	{ 0xffffffc0, 0xd5031000, A64_SYSTEM }, /* wfet, wfit */
	{ 0xfff80000, 0xd5080000, A64_SYSTEM }, /* sys */
	{ 0xfff80000, 0xd5280000, A64_SYSTEM }, /* sysl */
	{ 0, 0, A64_UNKNOWN_BRANCH },
};

static const struct row others[] = {
	{ 0x9f000000, 0x10000000, A64_ADR },
	{ 0x9f000000, 0x90000000, A64_ADRP },
	{ 0xbf000000, 0x18000000, A64_LDR_LIT },
	{ 0xff000000, 0x98000000, A64_LDRSW_LIT },
	{ 0xff000000, 0xd8000000, A64_PRFM_LIT },
	{ 0x3f000000, 0x1c000000, A64_FP_LIT },
	{ 0xbfa07c00, 0x08207c00, A64_CASP },
	{ 0x3fc00000, 0x08400000, A64_LOAD_EX },
	{ 0x3fc00000, 0x08000000, A64_STORE_EX },
	{ 0x3b200c00, 0x19000400, A64_MOPS },
	{ 0, 0, A64_OTHER },
};

enum a64_class a64_decode(unsigned int word)
{
	const struct row *r = (word & 0x1c000000) == 0x14000000 ? branches
								: others;

	while ((word & r->mask) != r->value)
		r++;
	return r->class;
}

/* Where the distance stands in the word, and what it counts. */
static const struct field {
	unsigned char low, bits, shift;
} fields[A64_NR_CLASSES] = {
	[A64_B] = { 0, 26, 2 },		[A64_BL] = { 0, 26, 2 },
	[A64_B_COND] = { 5, 19, 2 },	[A64_CB] = { 5, 19, 2 },
	[A64_TB] = { 5, 14, 2 },	[A64_ADR] = { 5, 19, 2 },
	[A64_ADRP] = { 5, 19, 14 },	[A64_LDR_LIT] = { 5, 19, 2 },
	[A64_LDRSW_LIT] = { 5, 19, 2 }, [A64_PRFM_LIT] = { 5, 19, 2 },
	[A64_FP_LIT] = { 5, 19, 2 },
};

long a64_distance(enum a64_class class, unsigned int word)
{
	const struct field *f = &fields[class];
	unsigned long sign = 1ul << f->bits >> 1;
	unsigned long n = word >> f->low & ((1ul << f->bits) - 1);
	unsigned long low = word >> 29 & 3; /* of adr, adrp: two bits more */

	n = ((n ^ sign) - sign) << f->shift;
	if (class == A64_ADR)
		n |= low;
	if (class == A64_ADRP)
		n |= low << 12;
	return n;
}
