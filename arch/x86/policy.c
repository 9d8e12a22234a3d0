// SPDX-License-Identifier: GPL-2.0-only
/*
 * policy.c - the rule of every instruction: refused and why, emulated, or run
 * in a slot, and what is to be put right afterwards.
 *
 * Follows arch_uprobe_analyze_insn() of Linux 6.18 and what that kernel was
 * seen to do, with these differences:
 *  - VEX, EVEX and XOP instructions are looked up in no legacy table, so none
 *    is mistaken for a branch or refused for its opcode byte;
 *  - the privileged instructions of map 0f are refused (the kernel has such a
 *    table and never reaches it), and so is sysenter;
 *  - nops are accepted with any prefix; endbr64 is emulated;
 *  - every push of a full register is emulated, whatever its REX prefix.
 */
#include <string.h>

#include "x86.h"

/* What an operand-size prefix (66) does to a row. */
enum on_66 {
	SAME,
	REFUSE,	  /* lengths and targets differ between vendors */
	REFUSE16, /* the same, unless REX.W overrides the prefix */
	STEP16,	  /* not emulated */
};

struct x86_rule {
	unsigned char map;	   /* enum x86_map, a legacy one */
	unsigned char first, last; /* opcodes */
	unsigned char mask, bits;  /* applies if (modrm & mask) == bits */
	unsigned char verdict;
	unsigned char op; /* emulation, X86_OP_NONE: runs in a slot */
	unsigned char on_66;
	unsigned int flags;
	const char *why; /* a phrase; a refused row has its verdict's */
};

#define ANY 0, 0
#define REG(n) 0x38, (n) << 3 /* opcode extension in modrm.reg */
#define BYTE(b) 0xff, b	      /* the whole modrm */
#define NEXT (ARCH_FALLS_THROUGH | ARCH_FIX_IP)

#define NO(map, first, last, modrm, verdict)                              \
	{                                                                 \
		X86_MAP_##map, first, last, modrm, verdict, 0, 0, 0, NULL \
	}
#define EMULATE(map, first, last, op, on_66, flags, why)                    \
	{                                                                   \
		X86_MAP_##map, first, last, ANY, ARCH_OK, op, on_66, flags, \
			why                                                 \
	}
#define STEP(map, first, last, modrm, on_66, flags, why)                     \
	{                                                                    \
		X86_MAP_##map, first, last, modrm, ARCH_OK, 0, on_66, flags, \
			why                                                  \
	}

#define WHY_JCC "a conditional jump: flags decide, only ip changes"
#define WHY_JMP "a jump: only ip changes"
#define WHY_FAR "jumps to a segment and an address, whatever its own"

/*
 * The first row that applies counts; without one an instruction is accepted,
 * stepped, and continues at the next byte. So every instruction that may
 * continue elsewhere has to be here.
 */
static const struct x86_rule rules[] = {
	/* emulated; flags are those of the copy, should it be stepped */
	EMULATE(ONE, 0x70, 0x7f, X86_OP_JCC, REFUSE, ARCH_FIX_IP, WHY_JCC),
	EMULATE(0F, 0x80, 0x8f, X86_OP_JCC, REFUSE, ARCH_FIX_IP, WHY_JCC),
	EMULATE(ONE, 0xeb, 0xeb, X86_OP_JMP, REFUSE, ARCH_FIX_IP, WHY_JMP),
	EMULATE(ONE, 0xe9, 0xe9, X86_OP_JMP, REFUSE, ARCH_FIX_IP, WHY_JMP),
	EMULATE(ONE, 0xe8, 0xe8, X86_OP_CALL, REFUSE,
		ARCH_FALLS_THROUGH | ARCH_FIX_CALL,
		"a call: stores its return address and jumps"),
	EMULATE(ONE, 0x50, 0x57, X86_OP_PUSH, STEP16, NEXT,
		"a push: stores one register"),

	/* branches that are stepped: ip is absolute but after loop, jrcxz */
	STEP(ONE, 0xe0, 0xe3, ANY, REFUSE, ARCH_FIX_IP,
	     "a branch relative to the copy: ip is moved back"),
	STEP(ONE, 0xc2, 0xc3, ANY, REFUSE16, 0,
	     "returns to the address on the stack, whatever its own"),
	STEP(ONE, 0xca, 0xcb, ANY, SAME, 0,
	     "returns to the address on the stack, whatever its own"),
	STEP(ONE, 0xff, 0xff, REG(2), REFUSE16, ARCH_FIX_CALL,
	     "the return address it stores is the copy's: put right"),
	STEP(ONE, 0xff, 0xff, REG(4), REFUSE16, 0,
	     "jumps to a given address, whatever its own"),
	STEP(ONE, 0xff, 0xff, REG(5), SAME, 0, WHY_FAR),
	STEP(0F, 0x01, 0x01, BYTE(0xec), SAME, 0, WHY_FAR), /* uiret */

	/* flags */
	STEP(ONE, 0x9c, 0x9c, ANY, SAME, NEXT | ARCH_READS_FLAGS,
	     "stores the flags, so it runs to a breakpoint, never with the "
	     "trap flag set"),
	STEP(ONE, 0x9d, 0x9d, ANY, SAME, NEXT | ARCH_FIX_FLAGS,
	     "loads the flags: the trap flag it loads is the program's own"),

	STEP(0F, 0x05, 0x05, ANY, SAME, ARCH_FIX_IP | ARCH_SYSCALL,
	     "enters the kernel: ip and cx are moved back"),

	/* refused; with them all that faults outside ring 0 (hlt, ..) */
	NO(ONE, 0x8e, 0x8e, REG(2), ARCH_MASKS_TRAP),	     /* mov to ss */
	NO(ONE, 0x6c, 0x6f, ANY, ARCH_PRIVILEGED),	     /* ins, outs */
	NO(ONE, 0xcc, 0xcd, ANY, ARCH_PRIVILEGED),	     /* int3, int n */
	NO(ONE, 0xcf, 0xcf, ANY, ARCH_PRIVILEGED),	     /* iret */
	NO(ONE, 0xe4, 0xe7, ANY, ARCH_PRIVILEGED),	     /* in, out */
	NO(ONE, 0xec, 0xef, ANY, ARCH_PRIVILEGED),	     /* in, out */
	NO(ONE, 0xf1, 0xf1, ANY, ARCH_PRIVILEGED),	     /* int1 */
	NO(ONE, 0xfa, 0xfb, ANY, ARCH_PRIVILEGED),	     /* cli, sti */
	NO(0F, 0x34, 0x34, ANY, ARCH_PRIVILEGED),	     /* sysenter */
	NO(0F, 0xaa, 0xaa, ANY, ARCH_PRIVILEGED),	     /* rsm */
	NO(ONE, 0xff, 0xff, REG(3), ARCH_KEEPS_ADDRESS),     /* far call */
	NO(ONE, 0xc7, 0xc7, BYTE(0xf8), ARCH_KEEPS_ADDRESS), /* xbegin */
	NO(0F, 0x01, 0x01, BYTE(0xd7), ARCH_KEEPS_ADDRESS),  /* enclu */
};

static const struct x86_rule nop_rule = EMULATE(ONE, 0x90, 0x90, X86_OP_NOP,
						SAME, NEXT, "does nothing");
static const struct x86_rule default_rule =
	STEP(ONE, 0, 0, ANY, SAME, NEXT,
	     "acts the same at any address and continues at the next byte");

static const struct x86_rule *find_rule(const struct x86_insn *x)
{
	const struct x86_rule *r;

	if (x->nop)
		return &nop_rule;
	for (r = rules; r < rules + sizeof(rules) / sizeof(*rules); r++) {
		if (r->map == x->map && r->first <= x->opcode &&
		    x->opcode <= r->last && (x->modrm & r->mask) == r->bits)
			return r;
	}
	return &default_rule;
}

static enum arch_verdict verdict_of(const struct x86_insn *x,
				    const struct x86_rule *r)
{
	if (r != &nop_rule && x->lock_or_segment)
		return ARCH_BAD_PREFIX;
	if (x->privileged)
		return ARCH_PRIVILEGED;
	if (x->opsize &&
	    (r->on_66 == REFUSE || (r->on_66 == REFUSE16 && !x->rex_w)))
		return ARCH_BAD_BRANCH;
	return r->verdict;
}

/* Registers by number, as words of pt_regs. */
static const unsigned char reg_words[16] = {
	X86_WORD(ax),  X86_WORD(cx),  X86_WORD(dx),  X86_WORD(bx),
	X86_WORD(sp),  X86_WORD(bp),  X86_WORD(si),  X86_WORD(di),
	X86_WORD(r8),  X86_WORD(r9),  X86_WORD(r10), X86_WORD(r11),
	X86_WORD(r12), X86_WORD(r13), X86_WORD(r14), X86_WORD(r15),
};

static unsigned char private_reg(const struct x86_insn *x, enum x86_op op)
{
	if (op == X86_OP_JCC)
		return x->opcode & 0xf;
	if (op == X86_OP_PUSH)
		return reg_words[(x->opcode & 7) | x->rex_b << 3];
	return 0;
}

static enum arch_verdict analyze(const unsigned char *bytes, size_t n,
				 struct arch_insn *out)
{
	const struct x86_rule *r;
	enum arch_verdict v;
	struct x86_insn x;

	if (n > ARCH_INSN_MAX)
		n = ARCH_INSN_MAX;
	*out = (struct arch_insn){ .scratch = -1, .how = ARCH_STEP };
	v = x86_decode(bytes, n, &x);
	if (v)
		return v;
	out->len = x.len;
	memcpy(out->bytes, bytes, x.len);
	if (bytes[0] == 0xcc)
		return ARCH_IS_BREAKPOINT;
	r = find_rule(&x);
	v = verdict_of(&x, r);
	if (v)
		return v;

	out->flags = r->flags;
	if (r->op && !(r->on_66 == STEP16 && x.opsize && !x.rex_w)) {
		out->how = ARCH_EMULATE;
		out->op = r->op;
		out->reg = private_reg(&x, r->op);
		if (r->op != X86_OP_NOP && r->op != X86_OP_PUSH)
			out->disp = x.imm;
	}
	x86_build_slot(&x, out);
	return ARCH_OK;
}

/*
 * The caller's memory is written once, as a whole: another task may look at
 * it, and an explorer counts each write.
 */
enum arch_verdict x86_analyze(const unsigned char *bytes, size_t n,
			      struct arch_insn *out)
{
	struct arch_insn insn;
	enum arch_verdict v = analyze(bytes, n, &insn);

	*out = insn;
	return v;
}

const char *x86_why(const unsigned char *bytes, size_t n)
{
	struct arch_insn insn;
	struct x86_insn x;
	enum arch_verdict v = analyze(bytes, n, &insn);

	if (v)
		return arch_verdict_text(v);
	if (insn.flags & ARCH_FIX_SCRATCH)
		return "its operand is relative to ip: the copy finds it "
		       "through a scratch register";
	x86_decode(bytes, n, &x);
	if (insn.how == ARCH_STEP && find_rule(&x)->op)
		return "stores 16 bits of a register, which is not emulated";
	return find_rule(&x)->why;
}
