// SPDX-License-Identifier: GPL-2.0-only
/*
 * sites_x86.c - sites_cpu.h by the trap flag, and Zydis.
 */
#include "sites_cpu.h"

#include <Zydis/Zydis.h>
#include <string.h>

#define TRAP_FLAG 0x100

/* Where it gets interesting, out of the announcement; 0: there already. */
static uintptr_t start;

static uint64_t value_of(const greg_t *r, ZydisRegister reg)
{
	static const int map[] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX,
				   REG_RSP, REG_RBP, REG_RSI, REG_RDI,
				   REG_R8,  REG_R9,  REG_R10, REG_R11,
				   REG_R12, REG_R13, REG_R14, REG_R15 };

	if (reg >= ZYDIS_REGISTER_RAX && reg <= ZYDIS_REGISTER_R15)
		return r[map[reg - ZYDIS_REGISTER_RAX]];
	if (reg >= ZYDIS_REGISTER_EAX && reg <= ZYDIS_REGISTER_R15D)
		return (uint32_t)r[map[reg - ZYDIS_REGISTER_EAX]];
	return 0;
}

static void note_operand(const greg_t *r, const ZydisDecodedInstruction *insn,
			 const ZydisDecodedOperand *op, note_access_fn note)
{
	uintptr_t addr;

	/* what is hidden at the stack pointer belongs to the instruction */
	if (op->type != ZYDIS_OPERAND_TYPE_MEMORY ||
	    op->mem.type == ZYDIS_MEMOP_TYPE_AGEN ||
	    (op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	     op->mem.base == ZYDIS_REGISTER_RSP))
		return;
	addr = op->mem.disp.value;
	if (op->mem.base == ZYDIS_REGISTER_RIP)
		addr += r[REG_RIP] + insn->length;
	else
		addr += value_of(r, op->mem.base);
	addr += value_of(r, op->mem.index) * op->mem.scale;
	note(addr, op->size / 8, op->actions & ZYDIS_OPERAND_ACTION_MASK_READ,
	     op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);
}

/* Large structures: the compiler calls the C library, which we do not watch. */
static void note_call(const greg_t *r, const ZydisDecodedInstruction *insn,
		      const ZydisDecodedOperand *op, note_access_fn note)
{
	uintptr_t to = r[REG_RIP] + insn->length + op->imm.value.s;

	if (op->type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	    (to == (uintptr_t)memcpy || to == (uintptr_t)memset ||
	     to == (uintptr_t)memmove))
		note(r[REG_RDI], r[REG_RDX], false, true);
}

bool cpu_look(const ucontext_t *context, note_access_fn note)
{
	const greg_t *r = context->uc_mcontext.gregs;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	if (start && (uintptr_t)r[REG_RIP] != start)
		return true;
	start = 0;
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, (void *)r[REG_RIP],
					       ZYDIS_MAX_INSTRUCTION_LENGTH,
					       &insn, op)))
		return false;
	if (insn.meta.category == ZYDIS_CATEGORY_CALL)
		note_call(r, &insn, &op[0], note);
	if (insn.meta.category == ZYDIS_CATEGORY_CALL ||
	    insn.meta.category == ZYDIS_CATEGORY_RET)
		return false;
	if ((insn.attributes & ZYDIS_ATTRIB_HAS_REP) && !r[REG_RCX])
		return true;
	for (int i = 0; i < insn.operand_count; i++)
		note_operand(r, &insn, &op[i], note);
	return true;
}

/* The flag stays as it is. */
void cpu_step(ucontext_t *context)
{
}

void cpu_stop(ucontext_t *context)
{
	context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

void cpu_watch(uintptr_t pc)
{
	start = pc;
	/* below the red zone: this function may keep something there */
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
			 "pushfq\n\t"
			 "orq %0, (%%rsp)\n\t"
			 "popfq\n\t"
			 "lea 128(%%rsp), %%rsp"
			 :
			 : "i"(TRAP_FLAG)
			 : "memory", "cc");
}
