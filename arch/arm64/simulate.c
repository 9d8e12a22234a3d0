// SPDX-License-Identifier: GPL-2.0-only
/*
 * simulate.c - branches, calls, returns, addresses and literals as effects.
 *
 * They depend on their own address, so no copy can run them. Register 31 is the
 * zero register in all of them: reads as 0, and what goes there is dropped.
 *
 * pstate.BTYPE says by which branch an instruction was reached, and its target
 * has to be a landing pad if its page is guarded. It is 0 afterwards, as the
 * CPU leaves it but for br and blr: whether the next page is guarded is not
 * known here. So a probed br or blr may go to where there is no landing pad,
 * as with the kernel's probes.
 */
#include "arm64.h"

struct sim {
	unsigned int word;
	unsigned long vaddr;
	long distance;
	struct pt_regs *regs; /* of the effect: before, then after */
	struct arch_effect *out;
};

static unsigned long get(const struct sim *s, unsigned int low)
{
	unsigned int reg = s->word >> low & 31;

	return reg < 31 ? s->regs->a64.regs[reg] : 0;
}

static void jump(struct sim *s, unsigned long to)
{
	s->regs->a64.pc = to;
}

static void link(struct sim *s)
{
	s->regs->a64.regs[A64_LR] = s->vaddr + A64_INSN;
}

static void nop(struct sim *s)
{
}

static void b(struct sim *s)
{
	jump(s, s->vaddr + s->distance);
}

static void bl(struct sim *s)
{
	link(s);
	b(s);
}

/*
 * The states of the flags NZCV, 0 to 15, in which a condition holds. They come
 * in pairs, the odd one is the negation; but the last two both mean always.
 */
static const unsigned short holds[8] = {
	0xf0f0, /* eq: Z */
	0xcccc, /* cs: C */
	0xff00, /* mi: N */
	0xaaaa, /* vs: V */
	0x0c0c, /* hi: C and not Z */
	0xaa55, /* ge: N is V */
	0x0a05, /* gt: that, and not Z */
	0xffff,
};

static void b_cond(struct sim *s)
{
	unsigned int nzcv = s->regs->a64.pstate >> 28 & 15;
	bool yes = holds[s->word >> 1 & 7] >> nzcv & 1;

	if (yes != (s->word & 1) || (s->word & 14) == 14)
		b(s);
}

/* Bit 24 of both: branch if not zero. */
static void branch_if_zero(struct sim *s, bool zero)
{
	if (zero != (s->word >> 24 & 1))
		b(s);
}

static void cb(struct sim *s)
{
	unsigned long reg = get(s, 0);

	branch_if_zero(s, s->word >> 31 ? !reg : !(unsigned int)reg);
}

static void tb(struct sim *s)
{
	unsigned int bit = s->word >> 31 << 5 | (s->word >> 19 & 31);

	branch_if_zero(s, !(get(s, 0) >> bit & 1));
}

static void br(struct sim *s)
{
	jump(s, get(s, 5));
}

/* The target first: it may be x30. */
static void blr(struct sim *s)
{
	br(s);
	link(s);
}

static void set(struct sim *s, unsigned long val)
{
	unsigned int reg = s->word & 31;

	if (reg < 31)
		s->regs->a64.regs[reg] = val;
}

static void adr(struct sim *s)
{
	set(s, s->vaddr + s->distance);
}

/* 4 KiB also where pages are larger. */
static void adrp(struct sim *s)
{
	set(s, (s->vaddr & ~0xffful) + s->distance);
}

static void load(struct sim *s, unsigned int size)
{
	unsigned int reg = s->word & 31;

	s->out->access = ARCH_LOAD;
	s->out->addr = s->vaddr + s->distance;
	s->out->size = size;
	s->out->load_to = reg < 31 ? (int)reg : -1;
}

static void ldr_lit(struct sim *s)
{
	load(s, s->word & 1u << 30 ? 8 : 4);
}

static void ldrsw_lit(struct sim *s)
{
	load(s, 4);
	s->out->load_signed = true;
}

static void (*const simulations[A64_NR_CLASSES])(struct sim *s) = {
	[A64_NOP] = nop,
	[A64_B] = b,
	[A64_BL] = bl,
	[A64_B_COND] = b_cond,
	[A64_CB] = cb,
	[A64_TB] = tb,
	[A64_BR] = br,
	[A64_BLR] = blr,
	[A64_RET] = br,
	[A64_ADR] = adr,
	[A64_ADRP] = adrp,
	[A64_LDR_LIT] = ldr_lit,
	[A64_LDRSW_LIT] = ldrsw_lit,
};

bool a64_simulate(const struct arch_insn *insn, unsigned long vaddr,
		  const struct pt_regs *regs, struct arch_effect *out)
{
	struct sim s = { a64_word(insn->bytes), vaddr, insn->disp, &out->regs,
			 out };

	if (insn->how != ARCH_EMULATE)
		return false;
	*out = (struct arch_effect){ .regs = *regs, .load_to = -1 };
	out->regs.a64.pstate &= ~A64_BTYPE;
	jump(&s, vaddr + A64_INSN);
	simulations[insn->op](&s);
	return true;
}
