// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_a64_verdict.c - what becomes of a probe on an arm64 instruction, by hand:
 * ours, and each kernel's uprobes and kprobes.
 */
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "../suite.h"

#define arch (&arch_arm64)

/* simulated (E), stepped (S), refused (-); by 6.1, 6.11, 6.12, 6.13, 6.18 */
#define ALL_E "EEEEE", "EEEEE"
#define ALL_S "SSSSS", "SSSSS"
#define NONE "-----", "-----"
#define SINCE_612 "SS---", "SS---"

static const unsigned int releases[] = {
	ARCH_RELEASE(6, 1),  ARCH_RELEASE(6, 11), ARCH_RELEASE(6, 12),
	ARCH_RELEASE(6, 13), ARCH_RELEASE(6, 18),
};

static const struct row {
	unsigned int word;
	enum arch_verdict verdict; /* ours */
	const char *uprobe, *kprobe, *text;
} rows[] = {
	/* branches; conditions are 0 to 15 */
	{ 0x14000000, ARCH_OK, ALL_E, "b #" },
	{ 0x17ffffff, ARCH_OK, ALL_E, "b #" },
	{ 0x94000000, ARCH_OK, ALL_E, "bl #" },
	{ 0x97ffffff, ARCH_OK, ALL_E, "bl #" },
	{ 0x54000000, ARCH_OK, ALL_E, "b.eq #" },
	{ 0x54ffffef, ARCH_OK, ALL_E, "b.nv #" },
	{ 0x54000010, ARCH_OK, ALL_E, ".inst" }, /* bc.eq */
	{ 0x34000000, ARCH_OK, ALL_E, "cbz w0, #" },
	{ 0xb400001f, ARCH_OK, ALL_E, "cbz xzr, #" },
	{ 0x35000000, ARCH_OK, ALL_E, "cbnz w0, #" },
	{ 0xb5ffffff, ARCH_OK, ALL_E, "cbnz xzr, #" },
	{ 0x36000000, ARCH_OK, ALL_E, "tbz w0, #0, #" },
	{ 0xb7ffffff, ARCH_OK, ALL_E, "tbnz xzr, #0x3f, #" },
	{ 0xd61f0000, ARCH_OK, ALL_E, "br x0" },
	{ 0xd61f03e0, ARCH_OK, ALL_E, "br xzr" },
	{ 0xd63f03c0, ARCH_OK, ALL_E, "blr x30" },
	{ 0xd65f03c0, ARCH_OK, ALL_E, "ret" },
	{ 0xd65f0020, ARCH_OK, ALL_E, "ret x1" },

	/* signatures */
	{ 0xd65f0bff, ARCH_AUTH_BRANCH, NONE, "retaa" },
	{ 0xd65f0fff, ARCH_AUTH_BRANCH, NONE, "retab" },
	{ 0xd61f081f, ARCH_AUTH_BRANCH, NONE, "braaz x0" },
	{ 0xd71f0801, ARCH_AUTH_BRANCH, NONE, "braa x0, x1" },
	{ 0xd61f0fff, ARCH_AUTH_BRANCH, NONE, "brabz xzr" },
	{ 0xd63f081f, ARCH_AUTH_BRANCH, NONE, "blraaz x0" },
	{ 0xd73f0c5f, ARCH_AUTH_BRANCH, NONE, "blrab x2, sp" },
	{ 0xd503233f, ARCH_OK, ALL_S, "paciasp" },
	{ 0xd503237f, ARCH_OK, ALL_S, "pacibsp" },
	{ 0xd503231f, ARCH_OK, ALL_S, "paciaz" },
	{ 0xd503235f, ARCH_OK, ALL_S, "pacibz" },
	{ 0xd503211f, ARCH_OK, ALL_S, "pacia1716" },
	{ 0xd503215f, ARCH_OK, ALL_S, "pacib1716" },
	{ 0xd50320ff, ARCH_OK, ALL_S, "xpaclri" },
	{ 0xd50323bf, ARCH_HINT, NONE, "autiasp" },
	{ 0xd50323ff, ARCH_HINT, NONE, "autibsp" },
	{ 0xd503219f, ARCH_HINT, NONE, "autia1716" },
	{ 0xdac10041, ARCH_OK, ALL_S, "pacia x1, x2" },
	{ 0xdac113e1, ARCH_OK, ALL_S, "autia x1, sp" },
	{ 0xdac143e3, ARCH_OK, ALL_S, "xpaci x3" },

	/* hints; landing pads */
	{ 0xd503201f, ARCH_OK, "SSSEE", "SSSEE", "nop" },
	{ 0xd503241f, ARCH_OK, ALL_S, "bti" },
	{ 0xd503245f, ARCH_OK, ALL_S, "bti c" },
	{ 0xd503249f, ARCH_OK, ALL_S, "bti j" },
	{ 0xd50324df, ARCH_OK, ALL_S, "bti jc" },
	{ 0xd503203f, ARCH_HINT, NONE, "yield" },
	{ 0xd503205f, ARCH_HINT, NONE, "wfe" },
	{ 0xd503207f, ARCH_HINT, NONE, "wfi" },
	{ 0xd503209f, ARCH_HINT, NONE, "sev" },
	{ 0xd503221f, ARCH_HINT, NONE, "esb" },
	{ 0xd503229f, ARCH_HINT, NONE, "csdb" },
	{ 0xd5032fff, ARCH_HINT, NONE, "hint #0x7f" },

	/* exceptions and system */
	{ 0xd4000001, ARCH_PRIVILEGED, NONE, "svc #0" },
	{ 0xd4000002, ARCH_PRIVILEGED, NONE, "hvc #0" },
	{ 0xd4000003, ARCH_PRIVILEGED, NONE, "smc #0" },
	{ 0xd4400000, ARCH_PRIVILEGED, NONE, "hlt #0" },
	{ 0xd4a00001, ARCH_PRIVILEGED, NONE, "dcps1" },
	{ 0xd4200000, ARCH_IS_BREAKPOINT, NONE, "brk #0" },
	{ 0xd4200080, ARCH_IS_BREAKPOINT, NONE, "brk #0x4" },
	{ 0xd42000a0, ARCH_IS_BREAKPOINT, NONE, "brk #0x5" },
	{ 0xd43fffe0, ARCH_IS_BREAKPOINT, NONE, "brk #0xffff" },
	{ 0xd69f03e0, ARCH_PRIVILEGED, NONE, "eret" },
	{ 0xd69f0bff, ARCH_PRIVILEGED, NONE, "eretaa" },
	{ 0xd50342df, ARCH_SYSTEM, NONE, "msr daifset, #2" },
	{ 0xd500401f, ARCH_SYSTEM, NONE, "cfinv" },
	{ 0xd51b4200, ARCH_SYSTEM, NONE, "msr nzcv, x0" },
	{ 0xd51bd040, ARCH_SYSTEM, NONE, "msr tpidr_el0, x0" },
	{ 0xd53b4220, ARCH_SYSTEM, NONE, "mrs x0, daif" },
	{ 0xd53b4200, ARCH_OK, ALL_S, "mrs x0, nzcv" },
	{ 0xd53bd040, ARCH_OK, ALL_S, "mrs x0, tpidr_el0" },
	{ 0xd503305f, ARCH_OK, ALL_S, "clrex" },
	{ 0xd5033bbf, ARCH_OK, ALL_S, "dmb ish" },
	{ 0xd5033f9f, ARCH_OK, ALL_S, "dsb sy" },
	{ 0xd5033fdf, ARCH_OK, ALL_S, "isb" },
	{ 0xd50330ff, ARCH_OK, ALL_S, "sb" },
	{ 0xd50b7420, ARCH_OK, ALL_S, "dc zva, x0" },
	{ 0xd50b7520, ARCH_OK, ALL_S, "ic ivau, x0" },
	{ 0xd5031000, ARCH_OK, ALL_S, "wfet x0" },
	{ 0xd6bf03e0, ARCH_BAD_BYTES, ALL_S, "drps" },
	{ 0x74000000, ARCH_BAD_BYTES, ALL_S, ".inst" }, /* cbgt w0, w0 */
	{ 0x55000000, ARCH_BAD_BYTES, ALL_S, ".inst" },

	/* relative to their own address */
	{ 0x10000000, ARCH_OK, ALL_E, "adr x0, #" },
	{ 0x70ffffff, ARCH_OK, ALL_E, "adr xzr, #" },
	{ 0x90000000, ARCH_OK, ALL_E, "adrp x0, #" },
	{ 0xf0ffffff, ARCH_OK, ALL_E, "adrp xzr, #" },
	{ 0x18000000, ARCH_LITERAL, "EE---", "EEEEE", "ldr w0, #" },
	{ 0x58000000, ARCH_LITERAL, "EE---", "EEEEE", "ldr x0, #" },
	{ 0x98000000, ARCH_LITERAL, "EE---", "EEEEE", "ldrsw x0, #" },
	{ 0xd8000000, ARCH_LITERAL, NONE, "prfm pldl1keep, #" },
	{ 0x1c000000, ARCH_LITERAL, ALL_S, "ldr s0, #" },
	{ 0x5c000000, ARCH_LITERAL, ALL_S, "ldr d0, #" },
	{ 0x9c000000, ARCH_LITERAL, ALL_S, "ldr q0, #" },

	/* exclusive, and what is encoded beside it */
	{ 0xc85f7c20, ARCH_EXCLUSIVE, NONE, "ldxr x0, [x1]" },
	{ 0x885ffc20, ARCH_EXCLUSIVE, NONE, "ldaxr w0, [x1]" },
	{ 0x085f7c20, ARCH_EXCLUSIVE, NONE, "ldxrb w0, [x1]" },
	{ 0xc87f0440, ARCH_EXCLUSIVE, NONE, "ldxp x0, x1, [x2]" },
	{ 0xc8027c20, ARCH_EXCLUSIVE, NONE, "stxr w2, x0, [x1]" },
	{ 0x8802fc20, ARCH_EXCLUSIVE, NONE, "stlxr w2, w0, [x1]" },
	{ 0xc8220440, ARCH_EXCLUSIVE, NONE, "stxp w2, x0, x1, [x2]" },
	{ 0x48207c82, ARCH_EXCLUSIVE, NONE, ".inst" }, /* casp */
	{ 0xc8dffc20, ARCH_OK, ALL_S, "ldar x0, [x1]" },
	{ 0xc89ffc20, ARCH_OK, ALL_S, "stlr x0, [x1]" },
	{ 0xc8a07c41, ARCH_OK, ALL_S, "cas x0, x1, [x2]" },
	{ 0x88e0fc41, ARCH_OK, ALL_S, "casal w0, w1, [x2]" },
	{ 0x38a00041, ARCH_OK, ALL_S, "ldaddab w0, w1, [x2]" },
	{ 0x78608041, ARCH_OK, ALL_S, "swplh w0, w1, [x2]" },
	{ 0xf8bfc041, ARCH_OK, ALL_S, "ldapr x1, [x2]" },

	/* copies and sets in three */
	{ 0x19010440, ARCH_TRIPLET, SINCE_612, ".inst" }, /* cpyfp */
	{ 0x1d810440, ARCH_TRIPLET, SINCE_612, ".inst" }, /* cpye */
	{ 0x19c10440, ARCH_TRIPLET, SINCE_612, ".inst" }, /* setp */
	{ 0x19010040, ARCH_OK, ALL_S, ".inst" },	  /* stlurb */

	/* anything else, what does not exist included */
	{ 0x00000000, ARCH_OK, ALL_S, ".inst 0x00000000" }, /* udf #0 */
	{ 0xffffffff, ARCH_OK, ALL_S, ".inst 0xffffffff" },
	{ 0x91000420, ARCH_OK, ALL_S, "add x0, x1, #1" },
	{ 0xa9bf7bfd, ARCH_OK, ALL_S, "stp x29, x30, [sp, #-0x10]!" },
	{ 0xf9400020, ARCH_OK, ALL_S, "ldr x0, [x1]" },
	{ 0xf9800020, ARCH_OK, ALL_S, "prfm pldl1keep, [x1]" },
	{ 0x1e604000, ARCH_OK, ALL_S, "fmov d0, d0" },
	{ 0x4ea11c20, ARCH_OK, ALL_S, "mov v0.16b, v1.16b" },
	{ 0x04200000, ARCH_OK, ALL_S, ".inst" }, /* of SVE */
};

#define NR_ROWS (int)(sizeof(rows) / sizeof(*rows))

static void put(unsigned char *to, unsigned int word)
{
	for (int i = 0; i < 4; i++)
		to[i] = word >> 8 * i;
}

static char way(enum arch_verdict v, const struct arch_insn *insn)
{
	return v ? '-' : insn->how == ARCH_EMULATE ? 'E' : 'S';
}

START_TEST(ours)
{
	const struct row *r = &rows[_i];
	unsigned char bytes[8], none[ARCH_INSN_MAX] = { 0 };
	struct arch_insn insn;
	enum arch_verdict v;
	char text[128];

	put(bytes, r->word);
	put(bytes + 4, 0x14000000);
	v = arch->analyze(bytes, 8, &insn);
	ck_assert_msg(v == r->verdict, "%08x: %s", r->word,
		      arch_verdict_name(v));
	/* where we accept, we do as the newest kernel */
	if (!v)
		ck_assert_int_eq(way(v, &insn), r->uprobe[4]);
	ck_assert_int_eq(insn.len, 4);
	ck_assert_int_eq(insn.scratch, -1);
	ck_assert(!memcmp(insn.bytes, bytes, 4));
	ck_assert(!memcmp(insn.bytes + 4, none, ARCH_INSN_MAX - 4));
	ck_assert(!memcmp(insn.slot, v ? none : insn.bytes, ARCH_INSN_MAX));
	ck_assert_uint_eq(insn.flags,
			  v ? 0
			    : ARCH_FIX_IP | (insn.how == ARCH_STEP
						     ? ARCH_FALLS_THROUGH
						     : 0));
	if (v)
		ck_assert_str_eq(arch->why(bytes, 8), arch_verdict_text(v));
	else
		ck_assert_uint_gt(strlen(arch->why(bytes, 8)), 7);
	arch->text(bytes, 8, 0, text, sizeof(text));
	ck_assert_msg(!strncmp(text, r->text, strlen(r->text)), "%08x: '%s'",
		      r->word, text);
}
END_TEST

START_TEST(kernels)
{
	const struct row *r = &rows[_i];
	const unsigned int n = sizeof(releases) / sizeof(*releases);
	const char *why, *expected;
	struct arch_rules rules;
	unsigned char bytes[4];
	struct arch_insn insn;
	enum arch_verdict v;

	put(bytes, r->word);
	for (unsigned int i = 0; i < 2 * n; i++) {
		rules.kprobe = i >= n;
		rules.release = releases[i % n];
		expected = rules.kprobe ? r->kprobe : r->uprobe;
		v = arch->judge(&rules, bytes, 4, 0, &insn, &why);
		ck_assert_msg(way(v, &insn) == expected[i % n],
			      "%08x, %s of 6.%u: %s", r->word,
			      rules.kprobe ? "kprobe" : "uprobe",
			      rules.release & 255, why);
		ck_assert_uint_gt(strlen(why), 7);
		ck_assert_int_eq(insn.len, 4);
	}
}
END_TEST

/* Of 128 hints a dozen can run in a slot. */
START_TEST(hints)
{
	static const unsigned char steppable[] = { 7,	 8,    10,  24,
						   25,	 26,   27,  0x20,
						   0x22, 0x24, 0x26 };
	struct arch_insn insn;
	unsigned char bytes[4];

	for (unsigned int hint = 1; hint < 128; hint++) {
		put(bytes, 0xd503201f | hint << 5);
		ck_assert_int_eq(arch->analyze(bytes, 4, &insn) == ARCH_OK,
				 memchr(steppable, hint, sizeof(steppable)) !=
					 NULL);
	}
}
END_TEST

START_TEST(too_short)
{
	static const unsigned char bytes[] = { 0x1f, 0x20, 0x03, 0xd5 };
	const struct arch_rules rules = { true, ARCH_NEWEST };
	struct arch_insn insn;
	char text[16] = "abcdef";
	const char *why;

	for (size_t n = 0; n < 4; n++) {
		ck_assert_int_eq(arch->analyze(bytes, n, &insn),
				 ARCH_TRUNCATED);
		ck_assert_int_eq(insn.len, 0);
		ck_assert_int_eq(arch->judge(&rules, bytes, n, 0, &insn, &why),
				 ARCH_TRUNCATED);
		ck_assert_str_eq(why, arch_verdict_text(ARCH_TRUNCATED));
	}
	arch->text(bytes, 4, 0, text, 5);
	ck_assert_str_eq(text, "abcdef");
	arch->text(bytes, 3, 0, text, 6);
	ck_assert_str_eq(text, "(bad)");
}
END_TEST

START_TEST(distances)
{
	static const struct {
		unsigned int word;
		long distance;
	} is[] = {
		{ 0x14000001, 4 },
		{ 0x17ffffff, -4 },
		{ 0x15ffffff, (1l << 27) - 4 },
		{ 0x16000000, -(1l << 27) },
		{ 0x96000000, -(1l << 27) },
		{ 0x547fffe0, (1l << 20) - 4 },
		{ 0x54800000, -(1l << 20) },
		{ 0xb4800000, -(1l << 20) },
		{ 0xb5ffffe0, -4 },
		{ 0x3603ffe0, (1l << 15) - 4 },
		{ 0xb7040000, -(1l << 15) },
		{ 0x707fffe0, (1l << 20) - 1 },
		{ 0x10800000, -(1l << 20) },
		{ 0x30000000, 1 },
		{ 0xf07fffe0, (1l << 32) - 4096 },
		{ 0x90800000, -(1l << 32) },
		{ 0xb0000000, 4096 },
		{ 0xd503201f, 0 },
		{ 0xd61f0000, 0 },
	};
	unsigned char bytes[4];
	struct arch_insn insn;

	for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++) {
		put(bytes, is[i].word);
		ck_assert_int_eq(arch->analyze(bytes, 4, &insn), ARCH_OK);
		ck_assert_msg(insn.disp == is[i].distance, "%08x: %ld",
			      is[i].word, insn.disp);
	}
}
END_TEST

/* ---- inside an exclusive access -------------------------------------------------------- */

#define LDXR 0xc85f7c20
#define STXR 0xc8027c20
#define LDAR 0xc8dffc20
#define STLR 0xc89ffc20
#define CLREX 0xd5033f5f
#define RET 0xd65f03c0
#define NOP 0xd503201f
#define ADD 0x91000420
#define BNE 0x54000041

static const struct {
	unsigned int before[4]; /* the last one stands at the end */
	bool ours, kernel;
} accesses[] = {
	{ { NOP, NOP, NOP, NOP }, false, false },
	{ { NOP, NOP, NOP, LDXR }, true, true },
	{ { LDXR, ADD, BNE, NOP }, true, true },
	{ { LDXR, ADD, STXR, NOP }, false, false },
	{ { LDXR, ADD, STXR, LDXR }, true, true },
	{ { STXR, LDXR, NOP, NOP }, true, true },
	/* the kernel's scan goes past these ... */
	{ { LDXR, CLREX, NOP, NOP }, false, true },
	{ { LDXR, ADD, RET, NOP }, false, true },
	/* ... and takes these for exclusive */
	{ { NOP, LDAR, NOP, NOP }, false, true },
	{ { LDXR, STLR, NOP, NOP }, true, false },
};

START_TEST(in_exclusive)
{
	struct arch_rules rules = { false, ARCH_NEWEST };
	unsigned char bytes[5 * 4];
	struct arch_insn insn;
	const char *why;

	for (int i = 0; i < 4; i++)
		put(bytes + 4 * i, accesses[_i].before[i]);
	put(bytes + 16, ADD);
	ck_assert_int_eq(arch->in_exclusive(bytes, 16), accesses[_i].ours);
	ck_assert_int_eq(arch->judge(&rules, bytes + 16, 4, 16, &insn, &why),
			 ARCH_OK);
	rules.kprobe = true;
	ck_assert_int_eq(arch->judge(&rules, bytes + 16, 4, 16, &insn, &why),
			 accesses[_i].kernel ? ARCH_IN_EXCLUSIVE : ARCH_OK);
	ck_assert_int_eq(arch->judge(&rules, bytes + 16, 4, 0, &insn, &why),
			 ARCH_OK);
	/* what is refused for itself says so */
	put(bytes + 16, STXR);
	ck_assert_int_eq(arch->judge(&rules, bytes + 16, 4, 16, &insn, &why),
			 ARCH_EXCLUSIVE);
}
END_TEST

/* It looks back at 32 instructions, the kernel's number. */
START_TEST(far_back)
{
	unsigned char bytes[4 * 34];

	for (int i = 0; i < 34; i++)
		put(bytes + 4 * i, i == 1 ? LDXR : ADD);
	ck_assert(!arch->in_exclusive(bytes, sizeof(bytes)));
	ck_assert(arch->in_exclusive(bytes, sizeof(bytes) - 4));
	ck_assert(!arch->in_exclusive(bytes, 0));
	ck_assert(!arch_x86_64.in_exclusive(bytes, sizeof(bytes)));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arch/a64-verdict");
	TCase *tc = tcase_create("arm64");

	tcase_add_loop_test(tc, ours, 0, NR_ROWS);
	tcase_add_loop_test(tc, kernels, 0, NR_ROWS);
	tcase_add_test(tc, hints);
	tcase_add_test(tc, too_short);
	tcase_add_test(tc, distances);
	tcase_add_loop_test(tc, in_exclusive, 0,
			    sizeof(accesses) / sizeof(*accesses));
	tcase_add_test(tc, far_back);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_NOFORK);
}
