// SPDX-License-Identifier: GPL-2.0-only
/*
 * decode.c - bytes to struct x86_insn, with Zydis.
 *
 * Everything later looks an instruction up by (opcode map, opcode), never by a
 * bare opcode byte: c5 fd 74 c1 (vpcmpeqb) is not 74 c1 (je). Only this file
 * and text.c know Zydis.
 */
#include <Zydis/Zydis.h>

#include "x86.h"

static enum x86_map map_of(const ZydisDecodedInstruction *z)
{
	if (z->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return X86_MAP_OTHER;
	switch (z->opcode_map) {
	case ZYDIS_OPCODE_MAP_DEFAULT:
		return X86_MAP_ONE;
	case ZYDIS_OPCODE_MAP_0F:
		return X86_MAP_0F;
	case ZYDIS_OPCODE_MAP_0F38:
		return X86_MAP_0F38;
	case ZYDIS_OPCODE_MAP_0F3A:
		return X86_MAP_0F3A;
	default:
		return X86_MAP_OTHER;
	}
}

/*
 * An instruction that changes nothing but ip. endbr64 and endbr32 are among
 * them as long as indirect branch tracking is off in user mode, which is so
 * in every released kernel; Linux steps endbr64, at ten times the cost.
 * `pause` only waits. 41 90 (xchg) and rdssp (f3 0f 1e) are not among them.
 */
static bool is_nop(const ZydisDecodedInstruction *z)
{
	switch (z->mnemonic) {
	case ZYDIS_MNEMONIC_NOP:
	case ZYDIS_MNEMONIC_PAUSE:
	case ZYDIS_MNEMONIC_ENDBR64:
	case ZYDIS_MNEMONIC_ENDBR32:
		return true;
	default:
		return false;
	}
}

static void take_prefixes(const ZydisDecodedInstruction *z, struct x86_insn *x)
{
	for (int i = 0; i < z->raw.prefix_count; i++) {
		switch (z->raw.prefixes[i].value) {
		case 0xf0:
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
			x->lock_or_segment = true;
			break;
		case 0x66:
			x->opsize = true;
			break;
		}
	}

	switch (z->encoding) {
	case ZYDIS_INSTRUCTION_ENCODING_VEX:
		x->vex_at = z->raw.vex.offset;
		x->vex_len = z->raw.vex.size;
		x->vvvv = ~z->raw.vex.vvvv & 0xf;
		break;
	case ZYDIS_INSTRUCTION_ENCODING_EVEX:
		x->vex_at = z->raw.evex.offset;
		x->vex_len = 4;
		x->vvvv = ~z->raw.evex.vvvv & 0xf;
		break;
	case ZYDIS_INSTRUCTION_ENCODING_XOP:
		x->vex_at = z->raw.xop.offset;
		x->vex_len = 3;
		x->vvvv = ~z->raw.xop.vvvv & 0xf;
		break;
	default:
		if (!(z->attributes & ZYDIS_ATTRIB_HAS_REX))
			break;
		x->has_rex = true;
		x->rex_at = z->raw.rex.offset;
		x->rex_w = z->raw.rex.W;
		x->rex_b = z->raw.rex.B;
	}
}

enum arch_verdict x86_decode(const unsigned char *bytes, size_t n,
			     struct x86_insn *x)
{
	ZydisDecodedInstruction z;
	ZydisDecoder decoder;
	ZyanStatus status;

	*x = (struct x86_insn){ 0 };
	if (!n)
		return ARCH_TRUNCATED;
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	status = ZydisDecoderDecodeInstruction(&decoder, NULL, bytes, n, &z);
	if (status == ZYDIS_STATUS_NO_MORE_DATA)
		return ARCH_TRUNCATED;
	if (!ZYAN_SUCCESS(status))
		return ARCH_BAD_BYTES;

	x->map = map_of(&z);
	/* jkzd, jknzd: only Knights Corner had VEX branches */
	if (x->map == X86_MAP_OTHER &&
	    z.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE)
		return ARCH_BAD_BYTES;
	x->opcode = z.opcode;
	x->len = z.length;
	if (z.attributes & ZYDIS_ATTRIB_HAS_MODRM) {
		x->modrm_at = z.raw.modrm.offset;
		x->modrm = bytes[x->modrm_at];
		x->rip_relative = z.raw.modrm.mod == 0 && z.raw.modrm.rm == 5 &&
				  z.raw.disp.size == 32;
	}
	take_prefixes(&z, x);
	x->nop = is_nop(&z);
	x->privileged = z.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED;
	x->imm = z.raw.imm[0].value.s;
	x->imm_at = z.raw.imm[0].offset;
	return ARCH_OK;
}
