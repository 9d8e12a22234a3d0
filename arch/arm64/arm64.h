/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arm64.h - what the files of arch/arm64 share; private to this folder.
 *
 * The order of work: decode.c finds the class of a word, policy.c the rule of
 * the class, simulate.c describes what needs no slot, xol.c runs the rest in
 * one. A64 only: words are 32 bits and little-endian in memory, whatever the
 * byte order of data.
 */
#ifndef ARCH_ARM64_ARM64_H
#define ARCH_ARM64_ARM64_H

#include "../arch.h"

/* As finely as a rule, a simulation or a scan has to tell them apart. */
enum a64_class {
	A64_OTHER, /* outside the branches, and no rule names it */
	A64_B,
	A64_BL,
	A64_B_COND,
	A64_CB, /* cbz, cbnz */
	A64_TB, /* tbz, tbnz */
	A64_BR,
	A64_BLR,
	A64_RET,
	A64_AUTH_BRANCH, /* braa, blraa, retaa, ... */
	A64_BREAKPOINT,	 /* brk */
	A64_EXCEPTION,	 /* svc, hvc, smc, hlt, dcps, tcancel */
	A64_ERET,
	A64_NOP,
	A64_BTI,
	A64_PAC,  /* hints that sign, and xpaclri */
	A64_HINT, /* all others */
	A64_MSR,  /* and msr immediate, cfinv, axflag, xaflag */
	A64_MRS_DAIF,
	A64_MRS,
	A64_CLREX,
	A64_SYSTEM,	    /* barriers, sys, sysl, wfet, wfit */
	A64_UNKNOWN_BRANCH, /* among the branches, but none that is known */
	A64_ADR,
	A64_ADRP,
	A64_LDR_LIT,
	A64_LDRSW_LIT,
	A64_PRFM_LIT,
	A64_FP_LIT, /* ldr of a vector register */
	A64_LOAD_EX,
	A64_STORE_EX,
	A64_CASP, /* encoded among the exclusive ones */
	A64_MOPS, /* cpy*, set* */
	A64_NR_CLASSES,
};

/* Immediates of brk, as the kernel hands them out. */
enum a64_brk {
	A64_BRK_KPROBE = 4,
	A64_BRK_UPROBE = 5,
	A64_BRK_KPROBE_STEP = 6, /* behind a kprobe's copy */
	A64_BRK_KRETPROBE = 7,	 /* the trampoline of return probes */
	A64_BRK_FAULT = 0x100,
	A64_BRK_KGDB = 0x400,
	A64_BRK_KGDB_COMPILED = 0x401,
	A64_BRK_BUG = 0x800,
};

#define A64_INSN 4u /* bytes */
#define A64_LR 30   /* word of pt_regs, as all from x0 on */
#define A64_SP 31
#define A64_PC 32
#define A64_PSTATE 33
#define A64_BTYPE 0xc00ul /* of pstate: the branch that led here */

static inline unsigned int a64_word(const unsigned char *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 |
	       (unsigned int)bytes[3] << 24;
}

static inline void a64_put(unsigned char *to, unsigned int word)
{
	to[0] = word;
	to[1] = word >> 8;
	to[2] = word >> 16;
	to[3] = word >> 24;
}

static inline unsigned int a64_brk(unsigned int imm)
{
	return 0xd4200000u | imm << 5;
}

enum a64_class a64_decode(unsigned int word);
/* Distance from the word to what it names, in bytes; 0 if it names nothing. */
long a64_distance(enum a64_class class, unsigned int word);

/* The registers that have names. */
#define A64_NR_REG 34
extern const struct arch_reg a64_reg[A64_NR_REG];

/* The functions behind arch_arm64; documented at struct arch_ops. */
enum arch_verdict a64_analyze(const unsigned char *bytes, size_t n,
			      struct arch_insn *out);
const char *a64_why(const unsigned char *bytes, size_t n);
bool a64_in_exclusive(const unsigned char *before, size_t n);
enum arch_verdict a64_judge(const struct arch_rules *rules,
			    const unsigned char *bytes, size_t n, size_t before,
			    struct arch_insn *out, const char **why);
void a64_text(const unsigned char *bytes, size_t n, unsigned long vaddr,
	      char *out, size_t size);
bool a64_simulate(const struct arch_insn *insn, unsigned long vaddr,
		  const struct pt_regs *regs, struct arch_effect *out);
bool a64_pre_xol(const struct arch_insn *insn, unsigned long vaddr,
		 unsigned long slot, struct pt_regs *regs,
		 struct arch_step *step);
void a64_post_xol(const struct arch_insn *insn, unsigned long vaddr,
		  unsigned long slot, const struct pt_regs *regs,
		  const struct arch_step *step, struct arch_effect *out);
void a64_abort_xol(const struct arch_insn *insn, unsigned long vaddr,
		   struct pt_regs *regs, const struct arch_step *step);
unsigned int a64_jump_to(unsigned char *to, unsigned long addr);
bool a64_patch_running(const unsigned char *from, const unsigned char *to);
bool a64_ret_in_memory(const struct pt_regs *regs, unsigned long *addr);
unsigned long a64_strip(unsigned long addr);
bool a64_is_alive(unsigned long stack, enum arch_rp_check ctx,
		  const struct pt_regs *regs);
unsigned long a64_get_retval(const struct pt_regs *regs);
unsigned long a64_get_arg(const struct pt_regs *regs, unsigned int n);

#endif /* ARCH_ARM64_ARM64_H */
