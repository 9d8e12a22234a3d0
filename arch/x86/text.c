// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - an instruction as AT&T assembler text, with Zydis.
 */
#include <Zydis/Zydis.h>
#include <string.h>

#include "x86.h"

void x86_text(const unsigned char *bytes, size_t n, unsigned long vaddr,
	      char *out, size_t size)
{
	ZydisDisassembledInstruction z;
	const char *text = "(bad)";
	size_t len;

	if (ZYAN_SUCCESS(ZydisDisassembleATT(ZYDIS_MACHINE_MODE_LONG_64, vaddr,
					     bytes, n, &z)))
		text = z.text;
	if (!size)
		return;
	len = strlen(text);
	if (len >= size)
		len = size - 1;
	memcpy(out, text, len);
	out[len] = '\0';
}
