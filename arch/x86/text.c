// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - an instruction as AT&T assembler text, with Zydis.
 */
#include <Zydis/Zydis.h>
#include <string.h>

#include "x86.h"

/* AT&T's star, which Zydis writes for rip-relative ones only: call *%rax. */
static void mark_indirect(const ZydisDecodedInstruction *z,
			  const ZydisDecodedOperand *to, char *text)
{
	char *space = strrchr(text, ' ');

	if ((z->mnemonic != ZYDIS_MNEMONIC_CALL &&
	     z->mnemonic != ZYDIS_MNEMONIC_JMP) ||
	    to->type == ZYDIS_OPERAND_TYPE_IMMEDIATE ||
	    to->type == ZYDIS_OPERAND_TYPE_POINTER || !space || space[1] == '*')
		return;
	memmove(space + 2, space + 1, strlen(space));
	space[1] = '*';
}

static bool format(const unsigned char *bytes, size_t n, unsigned long vaddr,
		   char *out, size_t size)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction z;
	ZydisFormatter f;
	ZydisDecoder d;

	ZydisDecoderInit(&d, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&d, bytes, n, &z, operands)))
		return false;
	ZydisFormatterInit(&f, ZYDIS_FORMATTER_STYLE_ATT);
	/* Addresses as objdump writes them, not in 16 capital digits. */
	ZydisFormatterSetProperty(&f, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE,
				  ZYAN_FALSE);
	ZydisFormatterSetProperty(&f,
				  ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
				  ZYDIS_PADDING_DISABLED);
	/* One less: room for the star. */
	if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(
		    &f, &z, operands, z.operand_count_visible, out, size - 1,
		    vaddr, NULL)))
		return false;
	mark_indirect(&z, operands, out);
	return true;
}

void x86_text(const unsigned char *bytes, size_t n, unsigned long vaddr,
	      char *out, size_t size)
{
	static const char bad[] = "(bad)";

	if (size >= sizeof(bad) && !format(bytes, n, vaddr, out, size))
		memcpy(out, bad, sizeof(bad));
}
