// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_verdict.c - verdict, length, way and flags of encodings, by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "native.h"
#include "../suite.h"

#define IP ARCH_FIX_IP
#define NEXT (ARCH_FALLS_THROUGH | ARCH_FIX_IP)
#define SI (NEXT | ARCH_FIX_SCRATCH), 13
#define DI (NEXT | ARCH_FIX_SCRATCH), 14
#define BX (NEXT | ARCH_FIX_SCRATCH), 5
#define E ARCH_OK, ARCH_EMULATE
#define S ARCH_OK, ARCH_STEP
#define CALLS (ARCH_FALLS_THROUGH | ARCH_FIX_CALL), -1
#define NO(v) ARCH_##v, ARCH_STEP, 0, -1

/* The length is that of the hex string, but for undecodable bytes: 0. */
static const struct row {
	const char *hex;
	enum arch_verdict verdict;
	enum arch_how how;
	unsigned int flags;
	int scratch;
} rows[] = {
	/* nops, in every form that compilers and assemblers emit */
	{ "90", E, NEXT, -1 },
	{ "6690", E, NEXT, -1 },
	{ "f390", E, NEXT, -1 }, /* pause */
	{ "4890", E, NEXT, -1 },
	{ "0f1f00", E, NEXT, -1 },
	{ "0f1f4000", E, NEXT, -1 },
	{ "0f1f440000", E, NEXT, -1 },
	{ "660f1f440000", E, NEXT, -1 },
	{ "0f1f8000000000", E, NEXT, -1 },
	{ "0f1f840000000000", E, NEXT, -1 },
	{ "660f1f840000000000", E, NEXT, -1 },
	{ "662e0f1f840000000000", E, NEXT, -1 },
	{ "66662e0f1f840000000000", E, NEXT, -1 },
	{ "6666662e0f1f840000000000", E, NEXT, -1 },
	{ "2e0f1f00", E, NEXT, -1 },
	{ "3e90", E, NEXT, -1 },
	{ "0f1f0500000000", E, NEXT, -1 }, /* its operand is not read */
	{ "0f19c0", E, NEXT, -1 },
	{ "f30f1efa", E, NEXT, -1 }, /* endbr64 */
	{ "f30f1efb", E, NEXT, -1 }, /* endbr32 */
	{ "4190", S, NEXT, -1 },     /* xchg %rax, %r8 */
	{ "4990", S, NEXT, -1 },
	{ "f30f1ec8", S, NEXT, -1 }, /* rdsspd */
	{ "0f0d08", S, NEXT, -1 },   /* prefetchw */
	{ "d9d0", S, NEXT, -1 },     /* fnop may raise what is pending */

	/* branches */
	{ "eb05", E, IP, -1 },
	{ "ebfe", E, IP, -1 },
	{ "e978563412", E, IP, -1 },
	{ "f2e900000000", E, IP, -1 }, /* bnd */
	{ "7005", E, IP, -1 },
	{ "7405", E, IP, -1 },
	{ "7f80", E, IP, -1 },
	{ "f27505", E, IP, -1 },
	{ "0f8000000000", E, IP, -1 },
	{ "0f8412345678", E, IP, -1 },
	{ "0f8fffffffff", E, IP, -1 },
	{ "e805000000", E, CALLS },
	{ "67e805000000", E, CALLS }, /* addr32: what the linker relaxes to */
	{ "f2e805000000", E, CALLS },
	{ "66e900000000", NO(BAD_BRANCH) },
	{ "66eb00", NO(BAD_BRANCH) },
	{ "66e800000000", NO(BAD_BRANCH) },
	{ "666648e800000000", NO(BAD_BRANCH) }, /* before __tls_get_addr */
	{ "667400", NO(BAD_BRANCH) },
	{ "660f8400000000", NO(BAD_BRANCH) },
	{ "66e200", NO(BAD_BRANCH) },
	{ "66c3", NO(BAD_BRANCH) },
	{ "66ffd0", NO(BAD_BRANCH) },
	{ "66ffe0", NO(BAD_BRANCH) },
	{ "2e7405", NO(BAD_PREFIX) }, /* not taken */
	{ "3e7405", NO(BAD_PREFIX) }, /* taken */
	{ "e0fe", S, IP, -1 },	      /* loopne */
	{ "e1fe", S, IP, -1 },
	{ "e2fe", S, IP, -1 },
	{ "e3fe", S, IP, -1 }, /* jrcxz */
	{ "67e3fe", S, IP, -1 },
	{ "c3", S, 0, -1 },
	{ "f3c3", S, 0, -1 },
	{ "f2c3", S, 0, -1 },
	{ "c20800", S, 0, -1 },
	{ "cb", S, 0, -1 },
	{ "48cb", S, 0, -1 },
	{ "ca0800", S, 0, -1 },
	{ "ffd0", S, ARCH_FIX_CALL, -1 },
	{ "41ffd3", S, ARCH_FIX_CALL, -1 },
	{ "ff10", S, ARCH_FIX_CALL, -1 },
	{ "ff542408", S, ARCH_FIX_CALL, -1 },
	{ "ff1500000000", S, ARCH_FIX_CALL | ARCH_FIX_SCRATCH, 13 },
	{ "6648ff1500000000", S, ARCH_FIX_CALL | ARCH_FIX_SCRATCH, 13 },
	{ "ffe0", S, 0, -1 },
	{ "ff24c500000000", S, 0, -1 },
	{ "ff2500000000", S, ARCH_FIX_SCRATCH, 13 }, /* plt */
	{ "f2ff2500000000", S, ARCH_FIX_SCRATCH, 13 },
	{ "48ff28", S, 0, -1 },		       /* far jmp */
	{ "3effe0", NO(BAD_PREFIX) },	       /* notrack */
	{ "ff18", NO(KEEPS_ADDRESS) },	       /* far call */
	{ "c7f800000000", NO(KEEPS_ADDRESS) }, /* xbegin */
	{ "0f01d7", NO(KEEPS_ADDRESS) },       /* enclu */
	{ "c6f800", S, NEXT, -1 },	       /* xabort */
	{ "0f01d5", S, NEXT, -1 },	       /* xend */

	/* push and pop */
	{ "50", E, NEXT, -1 },
	{ "54", E, NEXT, -1 },
	{ "57", E, NEXT, -1 },
	{ "4150", E, NEXT, -1 },
	{ "4157", E, NEXT, -1 },
	{ "4855", E, NEXT, -1 },
	{ "6655", S, NEXT, -1 }, /* 16 bits */
	{ "664155", S, NEXT, -1 },
	{ "5d", S, NEXT, -1 },
	{ "415f", S, NEXT, -1 },
	{ "6a01", S, NEXT, -1 },
	{ "6800000000", S, NEXT, -1 },
	{ "ff30", S, NEXT, -1 },
	{ "ff3500000000", S, DI }, /* ff /6: si might be meant */
	{ "8f0500000000", S, SI },
	{ "c9", S, NEXT, -1 },
	{ "c8100000", S, NEXT, -1 },
	{ "9c", S, NEXT | ARCH_READS_FLAGS, -1 },
	{ "669c", S, NEXT | ARCH_READS_FLAGS, -1 },
	{ "9d", S, NEXT | ARCH_FIX_FLAGS, -1 },

	/* the kernel's door */
	{ "0f05", S, IP | ARCH_SYSCALL, -1 },
	{ "0f34", NO(PRIVILEGED) },
	{ "0f35", NO(PRIVILEGED) },
	{ "0faa", NO(PRIVILEGED) }, /* rsm */
	{ "0f07", NO(PRIVILEGED) },
	{ "cd80", NO(PRIVILEGED) },
	{ "cc", NO(IS_BREAKPOINT) },
	{ "cd03", NO(PRIVILEGED) },
	{ "f3cc", NO(PRIVILEGED) },
	{ "cf", NO(PRIVILEGED) },
	{ "48cf", NO(PRIVILEGED) },
	{ "f1", NO(PRIVILEGED) },
	{ "f4", NO(PRIVILEGED) },
	{ "fa", NO(PRIVILEGED) },
	{ "fb", NO(PRIVILEGED) },
	{ "e410", NO(PRIVILEGED) },
	{ "e710", NO(PRIVILEGED) },
	{ "ec", NO(PRIVILEGED) },
	{ "ef", NO(PRIVILEGED) },
	{ "6c", NO(PRIVILEGED) },
	{ "f36f", NO(PRIVILEGED) },
	{ "0f32", NO(PRIVILEGED) }, /* rdmsr */
	{ "0f20c0", NO(PRIVILEGED) },
	{ "0f0138", NO(PRIVILEGED) }, /* invlpg */
	{ "0f01f8", NO(PRIVILEGED) }, /* swapgs */
	{ "8ed0", NO(MASKS_TRAP) },
	{ "8e10", NO(MASKS_TRAP) },
	{ "8ed8", S, NEXT, -1 }, /* mov to ds */
	{ "0f0b", S, NEXT, -1 }, /* ud2 faults where it is probed */
	{ "0fa2", S, NEXT, -1 },
	{ "0f31", S, NEXT, -1 },
	{ "0f01d0", S, NEXT, -1 },     /* xgetbv */
	{ "f3480faec0", S, NEXT, -1 }, /* rdfsbase */
	{ "0faef0", S, NEXT, -1 },     /* mfence */

	/* prefixes */
	{ "f00fb10b", NO(BAD_PREFIX) },
	{ "f0480fc107", NO(BAD_PREFIX) },
	{ "f083042400", NO(BAD_PREFIX) },
	{ "f00fc70e", NO(BAD_PREFIX) },
	{ "268b00", NO(BAD_PREFIX) },
	{ "2e8b00", NO(BAD_PREFIX) },
	{ "368b00", NO(BAD_PREFIX) },
	{ "3e8b00", NO(BAD_PREFIX) },
	{ "64488b042528000000", S, NEXT, -1 }, /* stack protector */
	{ "65488b042500000000", S, NEXT, -1 },
	{ "f3a4", S, NEXT, -1 },
	{ "f348ab", S, NEXT, -1 },
	{ "f2ae", S, NEXT, -1 },
	{ "678b00", S, NEXT, -1 },

	/* the everyday rest */
	{ "4883ec08", S, NEXT, -1 },
	{ "4889e5", S, NEXT, -1 },
	{ "31c0", S, NEXT, -1 },
	{ "48b88877665544332211", S, NEXT, -1 },
	{ "488d442408", S, NEXT, -1 },
	{ "0fb6c0", S, NEXT, -1 },
	{ "0f44c1", S, NEXT, -1 },
	{ "0f38f003", S, NEXT, -1 }, /* movbe; not a lock in map 0f38 */
	{ "660f3a0fc108", S, NEXT, -1 },
	{ "660f74c1", S, NEXT, -1 }, /* pcmpeqb, not je */
	{ "660fefc0", S, NEXT, -1 }, /* pxor, not out */
	{ "0fe8c1", S, NEXT, -1 },   /* psubsb, not call */
	{ "0ffac1", S, NEXT, -1 },   /* psubd, not cli */
	{ "0f6fc1", S, NEXT, -1 },   /* movq, not outs */

	/* VEX, EVEX and XOP are none of the instructions they resemble */
	{ "c5fd74c1", S, NEXT, -1 },		 /* vpcmpeqb, 74 */
	{ "c5fd76c1", S, NEXT, -1 },		 /* vpcmpeqd, 76 */
	{ "c5fe7f07", S, NEXT, -1 },		 /* vmovdqu, 7f */
	{ "c5fe6f06", S, NEXT, -1 },		 /* vmovdqu, 6f */
	{ "c5f877", S, NEXT, -1 },		 /* vzeroupper, 77 */
	{ "c5fdebc1", S, NEXT, -1 },		 /* vpor, eb */
	{ "c5fde8c1", S, NEXT, -1 },		 /* vpsubsb, e8 */
	{ "c5fde9c1", S, NEXT, -1 },		 /* vpsubsw, e9 */
	{ "c5fdefc1", S, NEXT, -1 },		 /* vpxor, ef */
	{ "c5fde707", S, NEXT, -1 },		 /* vmovntdq, e7 */
	{ "c5fdfac1", S, NEXT, -1 },		 /* vpsubd, fa */
	{ "c5f96ec7", S, NEXT, -1 },		 /* vmovd, 6e */
	{ "c4e27d58c1", S, NEXT, -1 },		 /* vpbroadcastd */
	{ "c4e26d90040d00000000", S, NEXT, -1 }, /* vpgatherdd, 90 */
	{ "c4e2f0f2c3", S, NEXT, -1 },		 /* andn, f2 */
	{ "62f1fe486f06", S, NEXT, -1 },	 /* vmovdqu64, 6f */
	{ "62f17d4874c1", S, NEXT, -1 },	 /* vpcmpeqb, 74 */
	{ "62f1fd48efc1", S, NEXT, -1 },	 /* vpxorq, ef */
	{ "62f17d48e707", S, NEXT, -1 },	 /* vmovntdq, e7 */
	{ "8fe97812c0", S, NEXT, -1 },		 /* llwpcb */

	/* rip-relative: the kernel's choice of scratch register */
	{ "488b0500000000", S, SI },
	{ "488b3500000000", S, DI }, /* reg = si */
	{ "488b3d00000000", S, SI }, /* reg = di */
	{ "4c8b3500000000", S, DI }, /* reg = r14, whose low bits are si's */
	{ "488d1d00000000", S, SI }, /* lea */
	{ "833d0000000000", S, SI }, /* cmp is /7 */
	{ "81350000000000000000", S, DI }, /* xor is /6 */
	{ "48f73500000000", S, DI },	   /* div is /6 */
	{ "0fb10d00000000", S, SI },	   /* cmpxchg */
	{ "480fc70d00000000", S, SI },	   /* cmpxchg16b uses bx */
	{ "c5fe6f0500000000", S, SI },
	{ "c5fe6f3500000000", S, DI },	 /* reg = ymm6 */
	{ "c5cdfe0500000000", S, DI },	 /* vvvv = ymm6 */
	{ "c5c5fe3500000000", S, BX },	 /* reg = ymm6, vvvv = ymm7 */
	{ "c5cdfe3d00000000", S, BX },	 /* reg = ymm7, vvvv = ymm6 */
	{ "c4e2c8f23d00000000", S, BX }, /* andn (%rip), %rsi, %rdi */
	{ "c4e2c0f23500000000", S, BX },
	{ "c4e2f8f73d00000000", S, SI }, /* bextr: vvvv = ax */
	{ "62f1fe486f0500000000", S, SI },
	{ "62f1cd48fe3d00000000", NO(BAD_BYTES) }, /* vpaddd has W0 */
	{ "62f14d48fe3d00000000", S, BX },
	{ "67488b0500000000", S, SI }, /* eip-relative */

	/* not instructions, and half ones */
	{ "06", NO(BAD_BYTES) },
	{ "27", NO(BAD_BYTES) },
	{ "60", NO(BAD_BYTES) },
	{ "17", NO(BAD_BYTES) }, /* pop ss */
	{ "9a", NO(BAD_BYTES) },
	{ "ce", NO(BAD_BYTES) },
	{ "d6", NO(BAD_BYTES) },
	{ "ea", NO(BAD_BYTES) },
	{ "f090", NO(BAD_BYTES) },
	{ "c4e1788400000000", NO(BAD_BYTES) }, /* jkzd */
	{ "66666666666666666666666666666690", NO(BAD_BYTES) },
	{ "", NO(TRUNCATED) },
	{ "0f", NO(TRUNCATED) },
	{ "e8000000", NO(TRUNCATED) },
	{ "488b05000000", NO(TRUNCATED) },
	{ "c5fe", NO(TRUNCATED) },
	{ "f3", NO(TRUNCATED) },
};

START_TEST(encodings)
{
	const struct row *r = &rows[_i];
	unsigned char bytes[ARCH_INSN_MAX];
	size_t n = native_hex(r->hex, bytes, sizeof(bytes));
	struct arch_insn insn;
	enum arch_verdict v = arch_x86_64.analyze(bytes, n, &insn);

	ck_assert_msg(v == r->verdict, "%s: %s", r->hex, arch_verdict_name(v));
	if (v == ARCH_BAD_BYTES || v == ARCH_TRUNCATED)
		n = 0;
	ck_assert_msg(insn.len == n, "%s: length %d", r->hex, insn.len);
	ck_assert_msg(insn.how == r->how, "%s: how %d", r->hex, insn.how);
	ck_assert_msg(insn.flags == r->flags, "%s: flags %#x", r->hex,
		      insn.flags);
	ck_assert_msg(insn.scratch == r->scratch, "%s: scratch %d", r->hex,
		      insn.scratch);
	ck_assert(!memcmp(insn.bytes, bytes, n));
}
END_TEST

/* What follows an instruction has no influence, up to the longest one. */
START_TEST(trailing_bytes)
{
	const struct row *r = &rows[_i];
	unsigned char bytes[ARCH_INSN_MAX + 4];
	struct arch_insn insn, padded;
	size_t n;

	memset(bytes, 0xf4, sizeof(bytes));
	n = native_hex(r->hex, bytes, ARCH_INSN_MAX);
	if (arch_x86_64.analyze(bytes, n, &insn))
		return;
	ck_assert_int_eq(arch_x86_64.analyze(bytes, sizeof(bytes), &padded),
			 ARCH_OK);
	ck_assert(!memcmp(&insn, &padded, sizeof(insn)));
}
END_TEST

START_TEST(displacements)
{
	static const struct {
		const char *hex;
		long disp;
	} branches[] = {
		{ "eb05", 5 },
		{ "ebfe", -2 },
		{ "e978563412", 0x12345678 },
		{ "7f80", -128 },
		{ "0f84f0ffffff", -16 },
		{ "e8fbffffff", -5 },
		{ "90", 0 },
		{ "55", 0 },
	};

	for (size_t i = 0; i < sizeof(branches) / sizeof(*branches); i++) {
		unsigned char bytes[ARCH_INSN_MAX];
		size_t n = native_hex(branches[i].hex, bytes, sizeof(bytes));
		struct arch_insn insn;

		arch_x86_64.analyze(bytes, n, &insn);
		ck_assert_int_eq(insn.disp, branches[i].disp);
	}
}
END_TEST

/* Every verdict has a name and a sentence, and its neighbours have none. */
START_TEST(texts)
{
	for (int v = 0; v < ARCH_NR_VERDICTS; v++) {
		ck_assert(!strncmp(arch_verdict_name(v), "ARCH_", 5));
		ck_assert_uint_gt(strlen(arch_verdict_text(v)), 7);
		for (int w = 0; w < v; w++) {
			ck_assert_str_ne(arch_verdict_name(v),
					 arch_verdict_name(w));
			ck_assert_str_ne(arch_verdict_text(v),
					 arch_verdict_text(w));
		}
	}
	ck_assert_str_eq(arch_verdict_name(ARCH_BAD_PREFIX), "ARCH_BAD_PREFIX");
	ck_assert_str_eq(arch_verdict_name(ARCH_NR_VERDICTS), "?");
	ck_assert_str_eq(arch_verdict_name(-1), "?");
	ck_assert_str_eq(arch_verdict_text(-1), "not a verdict");
}
END_TEST

int main(void)
{
	int nr = sizeof(rows) / sizeof(*rows);
	Suite *suite = suite_create("arch/verdict");
	TCase *tc = tcase_create("x86");

	tcase_add_loop_test(tc, encodings, 0, nr);
	tcase_add_loop_test(tc, trailing_bytes, 0, nr);
	tcase_add_test(tc, displacements);
	tcase_add_test(tc, texts);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_NOFORK);
}
