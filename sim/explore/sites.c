// SPDX-License-Identifier: GPL-2.0-only
/*
 * sites.c - what the compiler's code does after it has announced a store.
 *
 * gcc announces the store of a statement first, then its load, then performs both;
 * only statements that copy a structure have both. A bit-field is announced as the
 * whole unit that it lies in, of which the code reads some and writes some. So at
 * the first visit the processor's trap flag is set, and each instruction up to the
 * next call is decoded just before it runs, with its registers at hand: no address
 * is guessed.
 */
#include "sites.h"

#include <Zydis/Zydis.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define TRAP_FLAG 0x100
#define MAX_INSNS 100000 /* a `rep` traps once per element */

/* ---- the table ----------------------------------------------------------------- */

/* Entries never move: the table holds pointers. */
static struct {
	struct site_code **slot;
	size_t size, used;
} table;

static struct site_code **find(struct site_code **slot, size_t size,
			       uintptr_t pc)
{
	size_t i = (pc * 0x9e3779b97f4a7c15ull) >> 20;

	while (slot[i & (size - 1)] && slot[i & (size - 1)]->pc != pc)
		i++;
	return &slot[i & (size - 1)];
}

static void grow(void)
{
	size_t size = table.size ? 2 * table.size : 256;
	struct site_code **slot = calloc(size, sizeof(*slot));

	if (!slot)
		abort();
	for (size_t i = 0; i < table.size; i++)
		if (table.slot[i])
			*find(slot, size, table.slot[i]->pc) = table.slot[i];
	free(table.slot);
	table.slot = slot;
	table.size = size;
}

struct site_code *site_at(const void *pc)
{
	struct site_code **s;

	if (2 * table.used >= table.size)
		grow();
	s = find(table.slot, table.size, (uintptr_t)pc);
	if (*s)
		return *s;
	*s = calloc(1, sizeof(**s));
	if (!*s)
		abort();
	(*s)->pc = (uintptr_t)pc;
	table.used++;
	return *s;
}

/* ---- watching -------------------------------------------------------------------- */

static struct {
	struct site_code *code; /* NULL: nothing is watched */
	void (*found)(struct site_code *code);
	uintptr_t addr;
	size_t size, covered;
	uint8_t *done; /* bytes written so far */
	size_t room;
	bool arrived; /* at the code, out of the announcement */
	bool reads;   /* what it has not written */
	unsigned int insns;
} watch;

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

static void note_access(uintptr_t addr, size_t size, bool reads, bool writes)
{
	for (size_t i = 0; i < size; i++) {
		size_t at = addr + i - watch.addr;

		if (addr + i < watch.addr || at >= watch.size)
			continue;
		if (reads && !watch.done[at])
			watch.reads = true;
		if (writes && !watch.done[at]) {
			watch.done[at] = true;
			watch.covered++;
		}
	}
}

static void note_operand(const greg_t *r, const ZydisDecodedInstruction *insn,
			 const ZydisDecodedOperand *op)
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
	note_access(addr, op->size / 8,
		    op->actions & ZYDIS_OPERAND_ACTION_MASK_READ,
		    op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);
}

/* Large structures: the compiler calls the C library, which we do not watch. */
static void note_call(const greg_t *r, const ZydisDecodedInstruction *insn,
		      const ZydisDecodedOperand *op)
{
	uintptr_t to = r[REG_RIP] + insn->length + op->imm.value.s;

	if (op->type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	    (to == (uintptr_t)memcpy || to == (uintptr_t)memset ||
	     to == (uintptr_t)memmove))
		note_access(r[REG_RDI], r[REG_RDX], false, true);
}

static bool ends_here(const ZydisDecodedInstruction *insn)
{
	return insn->meta.category == ZYDIS_CATEGORY_CALL ||
	       insn->meta.category == ZYDIS_CATEGORY_RET;
}

static void conclude(void)
{
	struct site_code *code = watch.code;

	watch.code = NULL;
	code->kind = watch.reads		   ? SITE_PART
		     : watch.covered == watch.size ? SITE_WHOLE
		     : watch.covered		   ? SITE_PART
						   : SITE_COPY;
	if (code->kind != SITE_WHOLE)
		watch.found(code);
}

/* The instruction at RIP is about to run. False: seen enough. */
static bool look(const greg_t *r)
{
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	if ((uintptr_t)r[REG_RIP] == watch.code->pc)
		watch.arrived = true;
	if (!watch.arrived)
		return true;
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, (void *)r[REG_RIP],
					       ZYDIS_MAX_INSTRUCTION_LENGTH,
					       &insn, op)) ||
	    ++watch.insns == MAX_INSNS)
		return false;
	if (insn.meta.category == ZYDIS_CATEGORY_CALL)
		note_call(r, &insn, &op[0]);
	if (ends_here(&insn))
		return false;
	if ((insn.attributes & ZYDIS_ATTRIB_HAS_REP) && !r[REG_RCX])
		return true;
	for (int i = 0; i < insn.operand_count; i++)
		note_operand(r, &insn, &op[i]);
	return watch.covered < watch.size;
}

static void on_trap(int sig, siginfo_t *si, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)sig;
	(void)si;
	if (watch.code && look(r))
		return;
	r[REG_EFL] &= ~TRAP_FLAG;
	if (watch.code)
		conclude();
}

void site_watch(struct site_code *code, uintptr_t addr, size_t size,
		void (*found)(struct site_code *code))
{
	if (watch.room < size) {
		free(watch.done);
		watch.room = size;
		watch.done = malloc(size);
		if (!watch.done)
			abort();
	}
	memset(watch.done, 0, size);
	watch.found = found;
	watch.addr = addr;
	watch.size = size;
	watch.covered = watch.insns = 0;
	watch.arrived = watch.reads = false;
	watch.code = code;
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

int site_init(void)
{
	struct sigaction sa = { .sa_sigaction = on_trap,
				.sa_flags = SA_SIGINFO | SA_NODEFER |
					    SA_ONSTACK };
	sigset_t trap;

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	if (sigaction(SIGTRAP, &sa, NULL) ||
	    sigprocmask(SIG_UNBLOCK, &trap, NULL))
		return -errno;
	return 0;
}
