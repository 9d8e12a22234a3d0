// SPDX-License-Identifier: GPL-2.0-only
/*
 * policy.c - the rule of every class: refused and why, simulated, or run in a
 * slot; and where the kernels differ from that.
 *
 * analyze() is what we do, which is what Linux 6.18 does with uprobes, but for:
 *  - ldr of a vector register from a literal is refused (the kernel steps it,
 *    and it reads what lies near the copy);
 *  - what stands among the branches and is not known is refused (the kernel
 *    steps it; a branch of a later extension would go wrong).
 * judge() is what a kernel of a given release does. Releases are counted as
 * upstream does; what is a mere fix came to older ones later, to those that are
 * maintained. That 6.12 tells mops is from its point releases (upstream 6.13).
 */
#include <string.h>

#include "arm64.h"

struct rule {
	unsigned char verdict, how;
	const char *why; /* a phrase; what is refused has its verdict's */
};

#define NO(verdict)                   \
	{                             \
		verdict, ARCH_STEP, 0 \
	}
#define SIMULATE(why)                      \
	{                                  \
		ARCH_OK, ARCH_EMULATE, why \
	}
#define STEP(why)                       \
	{                               \
		ARCH_OK, ARCH_STEP, why \
	}

#define WHY_LITERAL "a literal: read at a distance from the original address"

static const struct rule rules[A64_NR_CLASSES] = {
	[A64_OTHER] = STEP(
		"acts the same at any address and continues at the next "
		"instruction"),
	[A64_B] = SIMULATE("a branch: only pc changes"),
	[A64_BL] = SIMULATE("a call: the return address in x30, and pc"),
	[A64_B_COND] =
		SIMULATE("a conditional branch: flags decide, only pc changes"),
	[A64_CB] = SIMULATE(
		"a branch: a register decides, zero or not, only pc changes"),
	[A64_TB] = SIMULATE(
		"a branch: a bit of a register decides, only pc changes"),
	[A64_BR] = SIMULATE("a branch: pc is loaded from a register"),
	[A64_BLR] = SIMULATE(
		"a call: the return address in x30, pc from a register"),
	[A64_RET] = SIMULATE("a return: pc is loaded from a register"),
	[A64_AUTH_BRANCH] = NO(ARCH_AUTH_BRANCH),
	[A64_BREAKPOINT] = NO(ARCH_IS_BREAKPOINT),
	[A64_EXCEPTION] = NO(ARCH_PRIVILEGED),
	[A64_ERET] = NO(ARCH_PRIVILEGED),
	[A64_NOP] = SIMULATE("does nothing"),
	[A64_BTI] = STEP("a landing pad: the breakpoint is one, too, and the "
			 "copy's page asks for none"),
	[A64_PAC] = STEP("signs or strips an address, whatever its own"),
	[A64_HINT] = NO(ARCH_HINT),
	[A64_MSR] = NO(ARCH_SYSTEM),
	[A64_MRS_DAIF] = NO(ARCH_SYSTEM),
	[A64_MRS] = STEP("reads a system register, the same one anywhere"),
	[A64_CLREX] = STEP("closes an exclusive access, as the trap does"),
	[A64_SYSTEM] = STEP("a barrier or system operation, whatever its "
			    "address"),
	[A64_UNKNOWN_BRANCH] = NO(ARCH_BAD_BYTES),
	[A64_ADR] = SIMULATE(
		"an address relative to its own: only a register changes"),
	[A64_ADRP] = SIMULATE("an address relative to its own 4 KiB: only a "
			      "register changes"),
	[A64_LDR_LIT] = NO(ARCH_LITERAL),
	[A64_LDRSW_LIT] = NO(ARCH_LITERAL),
	[A64_PRFM_LIT] = NO(ARCH_LITERAL),
	[A64_FP_LIT] = NO(ARCH_LITERAL),
	[A64_LOAD_EX] = NO(ARCH_EXCLUSIVE),
	[A64_STORE_EX] = NO(ARCH_EXCLUSIVE),
	[A64_CASP] = NO(ARCH_EXCLUSIVE),
	[A64_MOPS] = NO(ARCH_TRIPLET),
};

/* ---- where kernels differ --------------------------------------------------------- */

enum { UPROBE = 1, KPROBE = 2, BOTH = 3 };

#define ALWAYS ARCH_OLDEST, ~0u
#define BEFORE(minor) ARCH_OLDEST, ARCH_RELEASE(6, minor)

static const struct difference {
	enum a64_class class;
	unsigned int probes;
	unsigned int from, before; /* releases */
	struct rule rule;
} differences[] = {
	{ A64_NOP, BOTH, BEFORE(13),
	  STEP("does nothing; simulated from 6.13 on") },
	{ A64_LDR_LIT, KPROBE, ALWAYS, SIMULATE(WHY_LITERAL) },
	{ A64_LDRSW_LIT, KPROBE, ALWAYS, SIMULATE(WHY_LITERAL) },
#define WHY_BROKEN                                                       \
	"a literal, read as if it were the kernel's memory: a mistake, " \
	"refused from 6.12 on"
	{ A64_LDR_LIT, UPROBE, BEFORE(12), SIMULATE(WHY_BROKEN) },
	{ A64_LDRSW_LIT, UPROBE, BEFORE(12), SIMULATE(WHY_BROKEN) },
	{ A64_FP_LIT, BOTH, ALWAYS,
	  STEP("a literal of a vector register, read near the copy: a "
	       "mistake") },
	{ A64_MOPS, BOTH, BEFORE(12),
	  STEP("one of three that must follow one another: a mistake, "
	       "refused from 6.12 on") },
	{ A64_UNKNOWN_BRANCH, BOTH, ALWAYS,
	  STEP("not known: stepped, wrongly if it is a branch") },
};

static const struct rule *rule_of(enum a64_class class,
				  const struct arch_rules *of)
{
	const unsigned int probe = of->kprobe ? KPROBE : UPROBE;
	const struct difference *d = differences;

	for (; d < differences + sizeof(differences) / sizeof(*d); d++) {
		if (d->class == class && d->probes & probe &&
		    d->from <= of->release && of->release < d->before)
			return &d->rule;
	}
	return &rules[class];
}

/* ---- exclusive accesses ------------------------------------------------------------ */

/* How far a scan goes back, in instructions: as far as the kernel's. */
#define SCAN_MAX (ARCH_LOOK_BACK / A64_INSN)

/* 1: opens an access, -1: ends it, or nothing gets past it; 0: neither. */
static int opens(unsigned int word)
{
	switch (a64_decode(word)) {
	case A64_LOAD_EX:
		return 1;
	case A64_STORE_EX:
	case A64_CLREX:
	case A64_B:
	case A64_BR:
	case A64_RET:
	case A64_AUTH_BRANCH:
		return -1;
	default:
		return 0;
	}
}

/*
 * As the kernel has it: by masks that take acquire, release and cas for
 * exclusive, and by nothing but loads and stores.
 */
static int opens_in_kernel(unsigned int word)
{
	if ((word & 0x3f000000) != 0x08000000)
		return 0;
	return word & 1u << 22 ? 1 : -1;
}

static bool scan(const unsigned char *before, size_t n,
		 int (*look)(unsigned int))
{
	unsigned int left = SCAN_MAX;
	int found = 0;

	for (; !found && left && n >= A64_INSN; left--) {
		n -= A64_INSN;
		found = look(a64_word(before + n));
	}
	return found > 0;
}

bool a64_in_exclusive(const unsigned char *before, size_t n)
{
	return scan(before, n, opens);
}

/* ---- asked from outside ------------------------------------------------------------ */

static const struct rule too_short = NO(ARCH_TRUNCATED);

/* In a local: the caller's memory is written once, as a whole. */
static void fill(const struct rule *r, enum a64_class class, unsigned int word,
		 struct arch_insn *out)
{
	struct arch_insn insn = { .scratch = -1, .how = r->how };

	if (r != &too_short) {
		insn.len = A64_INSN;
		a64_put(insn.bytes, word);
	}
	if (r->verdict == ARCH_OK) {
		a64_put(insn.slot, word);
		insn.op = class;
		insn.flags = ARCH_FIX_IP;
		insn.disp = a64_distance(class, word);
		if (r->how == ARCH_STEP)
			insn.flags |= ARCH_FALLS_THROUGH;
	}
	*out = insn;
}

static const struct rule *find(const unsigned char *bytes, size_t n,
			       const struct arch_rules *of,
			       struct arch_insn *out)
{
	const struct rule *r = &too_short;
	enum a64_class class = A64_OTHER;
	unsigned int word = 0;

	if (n >= A64_INSN) {
		word = a64_word(bytes);
		class = a64_decode(word);
		r = of ? rule_of(class, of) : &rules[class];
	}
	fill(r, class, word, out);
	return r;
}

static const char *why(const struct rule *r)
{
	return r->verdict ? arch_verdict_text(r->verdict) : r->why;
}

enum arch_verdict a64_analyze(const unsigned char *bytes, size_t n,
			      struct arch_insn *out)
{
	return find(bytes, n, NULL, out)->verdict;
}

const char *a64_why(const unsigned char *bytes, size_t n)
{
	struct arch_insn insn;

	return why(find(bytes, n, NULL, &insn));
}

enum arch_verdict a64_judge(const struct arch_rules *of,
			    const unsigned char *bytes, size_t n, size_t before,
			    struct arch_insn *out, const char **because)
{
	static const struct rule inside = NO(ARCH_IN_EXCLUSIVE);
	const struct rule *r = find(bytes, n, of, out);

	/* Only kprobes look back; a uprobe's user waits for ever. */
	if (!r->verdict && of->kprobe &&
	    scan(bytes - before, before, opens_in_kernel)) {
		r = &inside;
		fill(r, A64_OTHER, a64_word(bytes), out);
	}
	*because = why(r);
	return r->verdict;
}
