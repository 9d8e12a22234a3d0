/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arch.h - pure instruction knowledge, one table of functions per architecture.
 *
 * From bytes and registers to verdicts, slot bytes and effects. Nothing here
 * performs I/O, allocates, keeps state or returns an errno. An emulated
 * instruction is not executed: it is described as an effect (the registers
 * after it and at most one memory access), which the caller performs and may
 * fail to perform. Included by the model (kernel side) and by sim/ (libc side),
 * so it uses the compiler's own headers only.
 *
 * Context of every function: any, never sleeps, takes no locks, thread-safe.
 * Source of the rules: what Linux 6.18 does, except where that would change what
 * the program does; x86/policy.c and arm64/policy.c list where. What a kernel
 * decides, right or wrong, is asked of judge().
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>

#define ARCH_INSN_MAX 16   /* bytes copied from the probed address */
#define ARCH_JUMP_MAX 16   /* bytes of a jump to anywhere */
#define ARCH_LOOK_BACK 128 /* bytes in front of a place that matter at most */
#define ARCH_OPT_WORDS 4 /* on the stack in an optimised probe's system call */

/*
 * User registers. x86-64 has the kernel's names, in the order of
 * struct user_regs_struct, so that PTRACE_GETREGS fills it directly.
 */
struct pt_regs {
	union {
		struct {
			unsigned long r15, r14, r13, r12, bp, bx;
			unsigned long r11, r10, r9, r8, ax, cx, dx, si, di;
			unsigned long orig_ax, ip, cs, flags, sp, ss;
			unsigned long fs_base, gs_base, ds, es, fs, gs;
		};
		struct {
			unsigned long regs[31];
			unsigned long sp, pc, pstate;
		} a64;
	};
};

/* Verdict of the analysis: 0 = accepted; the sentence is shown to the user. */
#define ARCH_VERDICTS(X)                                                       \
	X(ARCH_OK, "accepted")                                                 \
	X(ARCH_BAD_BYTES, "the bytes do not decode to an instruction")         \
	X(ARCH_TRUNCATED, "the instruction does not end within the bytes")     \
	X(ARCH_IS_BREAKPOINT, "there is a breakpoint already")                 \
	X(ARCH_BAD_PREFIX, "a lock or segment prefix is refused")              \
	X(ARCH_PRIVILEGED,                                                     \
	  "the instruction is privileged or enters the kernel")                \
	X(ARCH_MASKS_TRAP, "the instruction delays the trap after it")         \
	X(ARCH_BAD_BRANCH, "a branch with an operand-size prefix is refused")  \
	X(ARCH_KEEPS_ADDRESS,                                                  \
	  "the instruction keeps its own address in a way that cannot be put " \
	  "right after a step (far call, transaction, enclave; "               \
	  "stricter than Linux)")                                              \
	X(ARCH_LITERAL, "it reads memory at a distance from its own address")  \
	X(ARCH_EXCLUSIVE,                                                      \
	  "it is part of an exclusive access, which fails whenever a trap "    \
	  "comes in between")                                                  \
	X(ARCH_IN_EXCLUSIVE,                                                   \
	  "an exclusive access is open here, which fails whenever a trap "     \
	  "comes in between")                                                  \
	X(ARCH_AUTH_BRANCH,                                                    \
	  "a branch that checks a signature is not simulated")                 \
	X(ARCH_HINT,                                                           \
	  "a hint that waits, may fault or ends with the next trap")           \
	X(ARCH_SYSTEM, "it writes a system register or reads the trap mask")   \
	X(ARCH_TRIPLET,                                                        \
	  "it is one of three that copy or set memory and must follow one "    \
	  "another")                                                           \
	X(ARCH_MODE, "only 64-bit programs can be probed")

enum arch_verdict {
#define X(name, text) name,
	ARCH_VERDICTS(X)
#undef X
		ARCH_NR_VERDICTS
};

enum arch_how {
	ARCH_EMULATE, /* described as an effect, no slot needed */
	ARCH_STEP,    /* runs in a slot */
};

/* arch_insn.flags */
#define ARCH_FALLS_THROUGH \
	1u		     /* always continues at the next byte: a
				    * breakpoint after the copy ends the slot */
#define ARCH_FIX_IP 2u	     /* ip is relative to the slot afterwards */
#define ARCH_FIX_CALL 4u     /* pushed a return address inside the slot */
#define ARCH_FIX_FLAGS 8u    /* wrote the flags register: TF is its own */
#define ARCH_FIX_SCRATCH 16u /* rip-relative, rewritten on `scratch` */
#define ARCH_READS_FLAGS \
	32u		 /* stores the flags image (pushf): must not
				     * be run by hardware single step */
#define ARCH_SYSCALL 64u /* enters the kernel from the slot */

/* One analysed instruction. Plain data; the model copies and compares it. */
struct arch_insn {
	unsigned char bytes[ARCH_INSN_MAX]; /* original */
	unsigned char slot[ARCH_INSN_MAX];  /* what runs out of line */
	unsigned char len;		    /* of the instruction, bytes */
	unsigned char how;		    /* enum arch_how */
	unsigned char op;		    /* arch private: which emulation */
	unsigned char reg;		    /* arch private */
	unsigned int flags;
	int scratch; /* index into pt_regs words, or -1 */
	long disp;   /* branch displacement */
};

/* At most one memory access that goes with an emulation or a fix-up. */
enum arch_access { ARCH_NO_ACCESS, ARCH_LOAD, ARCH_STORE };

struct arch_effect {
	struct pt_regs regs; /* registers afterwards */
	enum arch_access access;
	unsigned long addr, val; /* of the access; val of a store */
	unsigned int size;	 /* bytes */
	int load_to;		 /* of a load: word of regs, or -1 */
	bool load_signed;	 /* the value is signed */
	bool trace_trap; /* the program single-steps: it traps behind this */
};

/* State kept between pre_xol and post_xol/abort_xol; lives in the task. */
struct arch_step {
	unsigned long saved_scratch;
	bool user_tf; /* the program itself single-steps */
};

/* Whose decision is asked for: a kernel's release, and the kind of its probe. */
struct arch_rules {
	bool kprobe;
	unsigned int release; /* ARCH_RELEASE(6, 12) */
};

#define ARCH_RELEASE(major, minor) ((major) << 8 | (minor))
#define ARCH_OLDEST ARCH_RELEASE(6, 1)
#define ARCH_NEWEST ARCH_RELEASE(6, 18)

/* Question asked of is_alive; as the kernel's enum rp_check. */
enum arch_rp_check { ARCH_RP_CALL, ARCH_RP_CHAIN_CALL, ARCH_RP_RET };

/* A register by its names; a name that it does not have is NULL. */
struct arch_reg {
	const char *name;  /* as the kernel has it: ax */
	const char *full;  /* as the assembler has it: rax */
	const char *low32; /* of its lower 32 bits: eax */
	unsigned int word; /* its place in struct pt_regs */
};

/*
 * Optimised probes: a nop becomes a call to code that makes a system call. The
 * forms, by the names of their designs.
 */
enum arch_opt_form {
	ARCH_OPT_NONE,
	ARCH_OPT_NOP5,
	ARCH_OPT_NOP10,
	ARCH_NR_OPT_FORMS
};

struct arch_opt {
	const unsigned char *nop; /* the one that it suits */
	unsigned int len;	  /* of the nop, and of what it becomes */
	/*
	 * So many bytes of the nop, written over what it became, are a nop of
	 * len bytes again: the others become its operand. A task may be in front
	 * of them, and they are its call.
	 */
	unsigned int undo_len;
	unsigned int red_zone;	   /* bytes below sp that it leaves alone */
	const unsigned char *code; /* what is called */
	unsigned int code_len;
	unsigned int code_ip; /* bytes from there to ip in the system call */

	/* What the nop at vaddr becomes; false: the code is too far away. */
	bool (*call)(const struct arch_opt *opt, unsigned char *to,
		     unsigned long vaddr, unsigned long code);
	/* What the len bytes at vaddr call; false: they are no such call. */
	bool (*target)(const struct arch_opt *opt, const unsigned char *bytes,
		       unsigned long vaddr, unsigned long *code);
	/*
	 * In the system call, with the words at sp: regs become those at the
	 * probed nop; and back, with what handlers made of them. Afterwards the
	 * words and sp are to be put there; ip is the caller's.
	 */
	void (*enter)(const struct arch_opt *opt, struct pt_regs *regs,
		      const unsigned long *word);
	void (*leave)(const struct arch_opt *opt, struct pt_regs *regs,
		      unsigned long *word);
};

struct arch_ops {
	const char *name;     /* "x86-64", "arm64" */
	unsigned int machine; /* as ELF's e_machine has it */
	unsigned int bp_len;  /* bytes of the breakpoint instruction */
	unsigned char bp[4];
	unsigned int bp_ip_adjust; /* trap ip - breakpoint address */
	unsigned int slot_bytes;   /* size of one XOL slot */
	unsigned int insn_align;   /* of a probed address */
	bool link_register;	   /* a call leaves its return address there */
	const struct arch_reg *reg;
	unsigned int nr_reg;

	/* Fill *out from n bytes at a probed address. */
	enum arch_verdict (*analyze)(const unsigned char *bytes, size_t n,
				     struct arch_insn *out);
	/* Why the verdict, or the way it runs, is that; a phrase, not NULL. */
	const char *(*why)(const unsigned char *bytes, size_t n);
	/*
	 * Do the n bytes in front of a place, from the start of its function
	 * if they reach that far, leave an exclusive access open? A probe there
	 * would make it fail for ever, wherever it is resumed.
	 */
	bool (*in_exclusive)(const unsigned char *before, size_t n);
	/*
	 * What a kernel decides, right or wrong, from ARCH_OLDEST to
	 * ARCH_NEWEST; `before` bytes in front of the place can be read. Fills
	 * *out as analyze, and *why. NULL: there is but one set of rules.
	 */
	enum arch_verdict (*judge)(const struct arch_rules *rules,
				   const unsigned char *bytes, size_t n,
				   size_t before, struct arch_insn *out,
				   const char **why);
	/*
	 * The instruction as assembler text, branch targets as if it were at
	 * vaddr; "(bad)" if it does not decode or does not fit. 128 bytes are
	 * enough for any; fewer than 6 are left alone.
	 */
	void (*text)(const unsigned char *bytes, size_t n, unsigned long vaddr,
		     char *out, size_t size);
	/* True if *out was filled; insn->how must be ARCH_EMULATE. */
	bool (*emulate)(const struct arch_insn *insn, unsigned long vaddr,
			const struct pt_regs *regs, struct arch_effect *out);
	/* Move regs into the slot; no side effect if it returns false. */
	bool (*pre_xol)(const struct arch_insn *insn, unsigned long vaddr,
			unsigned long slot, struct pt_regs *regs,
			struct arch_step *step);
	/* After the copy ran: *out is what remains to be done. */
	void (*post_xol)(const struct arch_insn *insn, unsigned long vaddr,
			 unsigned long slot, const struct pt_regs *regs,
			 const struct arch_step *step, struct arch_effect *out);
	/* The copy did not complete: back to the probed address. */
	void (*abort_xol)(const struct arch_insn *insn, unsigned long vaddr,
			  struct pt_regs *regs, const struct arch_step *step);

	/*
	 * Bytes that continue at addr, from any address, and change nothing
	 * but ip; at most ARCH_JUMP_MAX. How many there are; 0: none do.
	 */
	unsigned int (*jump_to)(unsigned char *to, unsigned long addr);
	/*
	 * May bp_len bytes of text be replaced while others run into them, each
	 * to see the old or the new ones? Otherwise all have to stop meanwhile.
	 */
	bool (*patch_running)(const unsigned char *from,
			      const unsigned char *to);

	/* Optimised probes, by form; NULL: there are none of that. */
	const struct arch_opt *opt[ARCH_NR_OPT_FORMS];

	unsigned long (*get_ip)(const struct pt_regs *regs);
	void (*set_ip)(struct pt_regs *regs, unsigned long ip);
	unsigned long (*get_sp)(const struct pt_regs *regs);
	unsigned long (*get_retval)(const struct pt_regs *regs);
	/* n-th integer argument (1..6) at function entry. */
	unsigned long (*get_arg)(const struct pt_regs *regs, unsigned int n);
	/*
	 * Where the return address is at function entry: memory (true, *addr
	 * set, 8 bytes) or the link register (false).
	 */
	bool (*ret_in_memory)(const struct pt_regs *regs, unsigned long *addr);
	unsigned long (*get_lr)(const struct pt_regs *regs);
	void (*set_lr)(struct pt_regs *regs, unsigned long lr);
	/* A code address without its signature, if it has one. */
	unsigned long (*strip)(unsigned long addr);
	/* Is a frame whose entry sp was `stack` still live? */
	bool (*is_alive)(unsigned long stack, enum arch_rp_check ctx,
			 const struct pt_regs *regs);
};

extern const struct arch_ops arch_x86_64, arch_arm64;

/* All of them, up to NULL; and this machine's. */
extern const struct arch_ops *const arch_all[], *const arch_native;
/* By name or by ELF's e_machine; NULL: there is none. */
const struct arch_ops *arch_by_name(const char *name);
const struct arch_ops *arch_by_machine(unsigned int machine);

/* A load of an effect gave `val`: its register is filled in. */
void arch_loaded(struct arch_effect *effect, unsigned long val);

/* The sentence and the identifier of a verdict; never NULL. */
const char *arch_verdict_text(enum arch_verdict v);
const char *arch_verdict_name(enum arch_verdict v);

#endif /* ARCH_ARCH_H */
