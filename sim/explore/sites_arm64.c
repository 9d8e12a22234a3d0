// SPDX-License-Identifier: GPL-2.0-only
/*
 * sites_arm64.c - sites_cpu.h by breakpoints.
 *
 * A program has no trap flag here. A breakpoint is put where the instruction that is
 * about to run may continue: behind it, and where it branches to. There is one OS
 * thread, so nobody else runs into them.
 */
#include "sites_cpu.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define INSN 4u
#define BRK 0xd4200000u
#define WAYS 2

static struct {
	uint32_t *at; /* NULL: none */
	uint32_t was;
} planted[WAYS];

static void write_text(uint32_t *at, uint32_t word)
{
	uintptr_t size = sysconf(_SC_PAGESIZE);

	if (mprotect((void *)((uintptr_t)at & -size), size,
		     PROT_READ | PROT_WRITE | PROT_EXEC))
		abort();
	*at = word;
	__builtin___clear_cache((char *)at, (char *)(at + 1));
}

static void plant(int way, uintptr_t at)
{
	planted[way].at = (uint32_t *)at;
	planted[way].was = *planted[way].at;
	write_text(planted[way].at, BRK);
}

/* In the other order: both may be at the same place. */
static void take_out(void)
{
	for (int way = WAYS - 1; way >= 0; way--) {
		if (planted[way].at)
			write_text(planted[way].at, planted[way].was);
		planted[way].at = NULL;
	}
}

/* Bits lo .. lo + n - 1, as a signed number. */
static int64_t field(uint32_t word, unsigned int lo, unsigned int n)
{
	return (int64_t)((uint64_t)word << (64 - lo - n)) >> (64 - n);
}

/* ---- branches ------------------------------------------------------------------ */

/* br, blr, ret and those that authenticate; bl. */
static bool is_far(uint32_t word)
{
	return (word & 0xfe000000) == 0xd6000000 ||
	       (word & 0xfc000000) == 0x94000000;
}

static uintptr_t target(uintptr_t pc, uint32_t word)
{
	if ((word & 0x7c000000) == 0x14000000) /* b, bl */
		return pc + INSN * field(word, 0, 26);
	if ((word & 0xff000000) == 0x54000000 || /* b.cond, bc.cond */
	    (word & 0x7e000000) == 0x34000000)	 /* cbz, cbnz */
		return pc + INSN * field(word, 5, 19);
	if ((word & 0x7e000000) == 0x36000000) /* tbz, tbnz */
		return pc + INSN * field(word, 5, 14);
	return pc + INSN;
}

/* ---- what an instruction accesses ------------------------------------------------ */

static uint64_t value_of(const mcontext_t *m, unsigned int reg, bool is_base)
{
	if (reg == 31)
		return is_base ? m->sp : 0;
	return m->regs[reg];
}

/* One register, of 1 << log2 bytes. */
static bool note_one(const mcontext_t *m, uint32_t w, note_access_fn note)
{
	unsigned int opc = w >> 22 & 3, log2 = w >> 30;
	uint64_t addr = value_of(m, w >> 5 & 31, true), index;
	bool vector = w >> 26 & 1, load = vector ? opc & 1 : opc != 0;

	if (!vector && log2 == 3 && opc >= 2)
		return true; /* a prefetch */
	if (vector && opc >= 2)
		log2 = 4;
	if (w & 1u << 24) {
		addr += (uint64_t)(w >> 10 & 0xfff) << log2;
	} else if (!(w & 1u << 21)) {
		if ((w >> 10 & 3) != 1) /* behind it, only the base moves */
			addr += field(w, 12, 9);
	} else if ((w >> 10 & 3) == 2) {
		index = value_of(m, w >> 16 & 31, false);
		if (!(w & 1u << 13)) /* w is extended, x is not */
			index = w & 1u << 15 ? (uint64_t)(int32_t)index
					     : (uint32_t)index;
		addr += w & 1u << 12 ? index << log2 : index;
	} else if ((w >> 10 & 3) == 0) {
		note(addr, 1u << log2, true, true); /* an atomic operation */
		return true;
	} else {
		return false; /* load authenticated */
	}
	note(addr, 1u << log2, load, !load);
	return true;
}

static void note_pair(const mcontext_t *m, uint32_t w, note_access_fn note)
{
	unsigned int opc = w >> 30;
	size_t size = w >> 26 & 1 ? 4u << opc : opc == 2 ? 8 : 4;
	uint64_t addr = value_of(m, w >> 5 & 31, true);
	bool load = w >> 22 & 1;

	if ((w >> 23 & 3) != 1)
		addr += field(w, 15, 7) * (int64_t)size;
	note(addr, 2 * size, load, !load);
}

static bool note_memory(const mcontext_t *m, uint32_t w, note_access_fn note)
{
	if ((w & 0x3a000000) == 0x38000000)
		return note_one(m, w, note);
	if ((w & 0x3a000000) == 0x28000000) {
		note_pair(m, w, note);
		return true;
	}
	/* a literal is a constant; several vectors, exclusives and the rest */
	return (w & 0x3b000000) == 0x18000000;
}

/* Large structures: the compiler calls the C library, which we do not watch. */
static void note_call(const mcontext_t *m, uint32_t w, note_access_fn note)
{
	uintptr_t to = target(m->pc, w);

	if ((w & 0xfc000000) == 0x94000000 &&
	    (to == (uintptr_t)memcpy || to == (uintptr_t)memset ||
	     to == (uintptr_t)memmove))
		note(m->regs[0], m->regs[2], false, true);
}

bool cpu_look(const ucontext_t *context, note_access_fn note)
{
	const mcontext_t *m = &context->uc_mcontext;
	uint32_t word;

	take_out();
	word = *(uint32_t *)m->pc;
	if (is_far(word)) {
		note_call(m, word, note);
		return false;
	}
	/* loads and stores */
	return (word & 0x0a000000) != 0x08000000 || note_memory(m, word, note);
}

void cpu_step(ucontext_t *context)
{
	uintptr_t pc = context->uc_mcontext.pc;

	plant(0, pc + INSN);
	plant(1, target(pc, *(uint32_t *)pc));
}

/* A breakpoint that is not ours would come again and again. */
void cpu_stop(ucontext_t *context)
{
	take_out();
	if ((*(uint32_t *)context->uc_mcontext.pc & 0xffe0001f) == BRK)
		signal(SIGTRAP, SIG_DFL);
}

void cpu_watch(uintptr_t pc)
{
	take_out();
	plant(0, pc);
}
