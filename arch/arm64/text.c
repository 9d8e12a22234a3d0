// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - a word as assembler text.
 *
 * Capstone knows Armv8.0. What came later and compilers emit has a row here, and
 * is looked up first: signatures, landing pads, atomics. The rest is ".inst".
 * Capstone allocates; nothing else of arch/ does.
 */
#include <capstone/capstone.h>
#include <stdio.h>
#include <string.h>

#include "arm64.h"

/*
 * Formats: a letter behind % is a register by its place (d 0, n 5, m 16), in
 * capitals 31 is sp; w is the one at 0, v that at 16, of 32 bits unless the size
 * (bits 31, 30) is 3. z: b or h by that size. q, Q: acquire and release, as bits
 * 23, 22 and bits 22, 15 say.
 */
static const struct row {
	unsigned int mask, value;
	const char *format;
} rows[] = {
	{ 0xffffffff, 0xd50320ff, "xpaclri" },
	{ 0xffffffff, 0xd503211f, "pacia1716" },
	{ 0xffffffff, 0xd503215f, "pacib1716" },
	{ 0xffffffff, 0xd503219f, "autia1716" },
	{ 0xffffffff, 0xd50321df, "autib1716" },
	{ 0xffffffff, 0xd503221f, "esb" },
	{ 0xffffffff, 0xd503223f, "psb csync" },
	{ 0xffffffff, 0xd503225f, "tsb csync" },
	{ 0xffffffff, 0xd503229f, "csdb" },
	{ 0xffffffff, 0xd503231f, "paciaz" },
	{ 0xffffffff, 0xd503233f, "paciasp" },
	{ 0xffffffff, 0xd503235f, "pacibz" },
	{ 0xffffffff, 0xd503237f, "pacibsp" },
	{ 0xffffffff, 0xd503239f, "autiaz" },
	{ 0xffffffff, 0xd50323bf, "autiasp" },
	{ 0xffffffff, 0xd50323df, "autibz" },
	{ 0xffffffff, 0xd50323ff, "autibsp" },
	{ 0xffffffff, 0xd503241f, "bti" },
	{ 0xffffffff, 0xd503245f, "bti c" },
	{ 0xffffffff, 0xd503249f, "bti j" },
	{ 0xffffffff, 0xd50324df, "bti jc" },
	{ 0xffffffff, 0xd50330ff, "sb" },
	{ 0xffffffff, 0xd500401f, "cfinv" },
	{ 0xffffffe0, 0xd5031000, "wfet %d" },
	{ 0xffffffe0, 0xd5031020, "wfit %d" },
	{ 0xfffffc1f, 0xd61f081f, "braaz %n" },
	{ 0xfffffc1f, 0xd61f0c1f, "brabz %n" },
	{ 0xfffffc1f, 0xd63f081f, "blraaz %n" },
	{ 0xfffffc1f, 0xd63f0c1f, "blrabz %n" },
	{ 0xfffffc00, 0xd71f0800, "braa %n, %D" },
	{ 0xfffffc00, 0xd71f0c00, "brab %n, %D" },
	{ 0xfffffc00, 0xd73f0800, "blraa %n, %D" },
	{ 0xfffffc00, 0xd73f0c00, "blrab %n, %D" },
	{ 0xffffffff, 0xd65f0bff, "retaa" },
	{ 0xffffffff, 0xd65f0fff, "retab" },
	{ 0xffffffff, 0xd69f0bff, "eretaa" },
	{ 0xffffffff, 0xd69f0fff, "eretab" },
	{ 0xfffffc00, 0xdac10000, "pacia %d, %N" },
	{ 0xfffffc00, 0xdac10400, "pacib %d, %N" },
	{ 0xfffffc00, 0xdac10800, "pacda %d, %N" },
	{ 0xfffffc00, 0xdac10c00, "pacdb %d, %N" },
	{ 0xfffffc00, 0xdac11000, "autia %d, %N" },
	{ 0xfffffc00, 0xdac11400, "autib %d, %N" },
	{ 0xfffffc00, 0xdac11800, "autda %d, %N" },
	{ 0xfffffc00, 0xdac11c00, "autdb %d, %N" },
	{ 0xffffffe0, 0xdac143e0, "xpaci %d" },
	{ 0xffffffe0, 0xdac147e0, "xpacd %d" },
	{ 0x3f20fc00, 0x38200000, "ldadd%q%z %v, %w, [%N]" },
	{ 0x3f20fc00, 0x38201000, "ldclr%q%z %v, %w, [%N]" },
	{ 0x3f20fc00, 0x38202000, "ldeor%q%z %v, %w, [%N]" },
	{ 0x3f20fc00, 0x38203000, "ldset%q%z %v, %w, [%N]" },
	{ 0x3f20fc00, 0x38204000, "ldsmax%q%z %v, %w, [%N]" },
	{ 0x3f20fc00, 0x38205000, "ldsmin%q%z %v, %w, [%N]" },
	{ 0x3f20fc00, 0x38206000, "ldumax%q%z %v, %w, [%N]" },
	{ 0x3f20fc00, 0x38207000, "ldumin%q%z %v, %w, [%N]" },
	{ 0x3f20fc00, 0x38208000, "swp%q%z %v, %w, [%N]" },
	{ 0x3ffffc00, 0x38bfc000, "ldapr%z %w, [%N]" },
	{ 0x3fa07c00, 0x08a07c00, "cas%Q%z %v, %w, [%N]" },
};

static const char *name_of(char *to, char kind, unsigned int reg, bool is_sp)
{
	if (reg < 31)
		sprintf(to, "%c%u", kind, reg);
	else if (is_sp)
		strcpy(to, kind == 'x' ? "sp" : "wsp");
	else
		sprintf(to, "%czr", kind);
	return to;
}

static const char *operand(char letter, unsigned int word, char *to)
{
	static const char *const order[] = { "", "l", "a", "al" };
	char sized = word >> 30 == 3 ? 'x' : 'w';

	switch (letter) {
	case 'd':
	case 'D':
		return name_of(to, 'x', word & 31, letter == 'D');
	case 'n':
	case 'N':
		return name_of(to, 'x', word >> 5 & 31, letter == 'N');
	case 'v':
		return name_of(to, sized, word >> 16 & 31, false);
	case 'w':
		return name_of(to, sized, word & 31, false);
	case 'q':
		return order[(word >> 23 & 1) << 1 | (word >> 22 & 1)];
	case 'Q':
		return order[(word >> 22 & 1) << 1 | (word >> 15 & 1)];
	default: /* z */
		return word >> 31 ? "" : word >> 30 & 1 ? "h" : "b";
	}
}

static bool newer(unsigned int word, char *out, size_t size)
{
	const struct row *r = rows;
	char reg[8];
	size_t at = 0;

	while (r < rows + sizeof(rows) / sizeof(*rows) &&
	       (word & r->mask) != r->value)
		r++;
	if (r == rows + sizeof(rows) / sizeof(*rows))
		return false;
	for (const char *f = r->format; *f && at < size; f++) {
		if (*f == '%')
			at += snprintf(out + at, size - at, "%s",
				       operand(*++f, word, reg));
		else
			at += snprintf(out + at, size - at, "%c", *f);
	}
	return true;
}

static bool known(const unsigned char *bytes, unsigned long vaddr, char *out,
		  size_t size)
{
	cs_insn *insn = NULL;
	size_t n = 0;
	csh handle;

	if (cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &handle))
		return false;
	n = cs_disasm(handle, bytes, A64_INSN, vaddr, 1, &insn);
	if (n) {
		snprintf(out, size, "%s%s%s", insn->mnemonic,
			 *insn->op_str ? " " : "", insn->op_str);
		cs_free(insn, n);
	}
	cs_close(&handle);
	return n;
}

void a64_text(const unsigned char *bytes, size_t n, unsigned long vaddr,
	      char *out, size_t size)
{
	if (size < 6)
		return;
	if (n < A64_INSN)
		strcpy(out, "(bad)");
	else if (!newer(a64_word(bytes), out, size) &&
		 !known(bytes, vaddr, out, size))
		snprintf(out, size, ".inst 0x%08x", a64_word(bytes));
}
