/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86.h - what the files of arch/x86 share; private to this folder.
 *
 * The order of work: decode.c takes the bytes apart, policy.c finds the rule
 * of the instruction, xol.c builds its slot and puts things right after a
 * step, emulate.c describes the few instructions that need no slot.
 */
#ifndef ARCH_X86_X86_H
#define ARCH_X86_X86_H

#include "../arch.h"

/* Legacy opcode maps by name; VEX, EVEX, XOP and 3DNow! are all OTHER. */
enum x86_map {
	X86_MAP_ONE,
	X86_MAP_0F,
	X86_MAP_0F38,
	X86_MAP_0F3A,
	X86_MAP_OTHER,
};

/* Which emulation: arch_insn.op. */
enum x86_op {
	X86_OP_NONE,
	X86_OP_NOP,
	X86_OP_JMP,
	X86_OP_JCC, /* arch_insn.reg is the condition code, 0..15 */
	X86_OP_CALL,
	X86_OP_PUSH, /* arch_insn.reg is the register's word in pt_regs */
};

#define X86_TF 0x100ul

#define X86_WORD(name) \
	((int)(offsetof(struct pt_regs, name) / sizeof(unsigned long)))

/* The register at a word index; pt_regs is an array of words throughout. */
static inline unsigned long *x86_word(struct pt_regs *regs, int word)
{
	return (unsigned long *)regs + word;
}

/* An instruction taken apart. Offsets are from its first byte. */
struct x86_insn {
	enum x86_map map;
	unsigned char opcode;
	unsigned char len;
	unsigned char modrm;	/* 0 where there is none */
	unsigned char modrm_at; /* offset, 0 where there is none */
	unsigned char rex_at;	/* offset of an effective REX, if has_rex */
	unsigned char vex_at;	/* offset of a VEX/EVEX/XOP prefix */
	unsigned char vex_len;	/* its length, 0 where there is none */
	unsigned char vvvv;	/* its extra register operand, 0..15 */
	unsigned char imm_at;	/* offset of the immediate or displacement */
	bool has_rex, rex_w, rex_b;
	bool opsize;	      /* there is an operand-size prefix (66) */
	bool lock_or_segment; /* lock, or cs, ds, es, ss */
	bool rip_relative;    /* its memory operand is at disp32(%rip) */
	bool nop;	      /* does nothing, whatever its bytes */
	bool privileged;      /* faults outside ring 0 */
	long imm;
};

/* Take one instruction apart; ARCH_OK, ARCH_BAD_BYTES or ARCH_TRUNCATED. */
enum arch_verdict x86_decode(const unsigned char *bytes, size_t n,
			     struct x86_insn *out);

/* Fill slot, scratch and the flags that follow from them. */
void x86_build_slot(const struct x86_insn *x, struct arch_insn *insn);

/* The registers that have names. */
#define X86_NR_REG 21
extern const struct arch_reg x86_reg[X86_NR_REG];

/* The functions behind arch_x86_64; documented at struct arch_ops. */
enum arch_verdict x86_analyze(const unsigned char *bytes, size_t n,
			      struct arch_insn *out);
const char *x86_why(const unsigned char *bytes, size_t n);
void x86_text(const unsigned char *bytes, size_t n, unsigned long vaddr,
	      char *out, size_t size);
bool x86_emulate(const struct arch_insn *insn, unsigned long vaddr,
		 const struct pt_regs *regs, struct arch_effect *out);
unsigned int x86_jump_to(unsigned char *to, unsigned long addr);
bool x86_pre_xol(const struct arch_insn *insn, unsigned long vaddr,
		 unsigned long slot, struct pt_regs *regs,
		 struct arch_step *step);
void x86_post_xol(const struct arch_insn *insn, unsigned long vaddr,
		  unsigned long slot, const struct pt_regs *regs,
		  const struct arch_step *step, struct arch_effect *out);
void x86_abort_xol(const struct arch_insn *insn, unsigned long vaddr,
		   struct pt_regs *regs, const struct arch_step *step);
extern const struct arch_opt x86_opt_nop5, x86_opt_nop10;
bool x86_ret_in_memory(const struct pt_regs *regs, unsigned long *addr);
bool x86_is_alive(unsigned long stack, enum arch_rp_check ctx,
		  const struct pt_regs *regs);
unsigned long x86_get_retval(const struct pt_regs *regs);
unsigned long x86_get_arg(const struct pt_regs *regs, unsigned int n);

#endif /* ARCH_X86_X86_H */
