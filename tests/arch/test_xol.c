// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_xol.c - rewritten slots and fix-ups against the original instruction
 * run by the CPU. The slot lies out of reach of any rip-relative operand.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"
#include "../suite.h"

#define TF 0x100ul

static struct native_state state, after;

/* Like native_hex; the letters "DISPDISP" become a reach to `target`. */
static size_t assemble(const char *hex, unsigned long target,
		       unsigned char *out)
{
	const char *d = strstr(hex, "DISPDISP");
	char zeros[64];
	size_t len;
	int disp;

	snprintf(zeros, sizeof(zeros), "%s", hex);
	if (d)
		memset(zeros + (d - hex), '0', 8);
	len = native_hex(zeros, out, ARCH_INSN_MAX);
	if (d) {
		disp = (int)(target - (NATIVE_VADDR + len));
		memcpy(out + (d - hex) / 2, &disp, 4);
	}
	return len;
}

static const char *check_hex(const char *hex)
{
	unsigned char code[ARCH_INSN_MAX];
	size_t len = assemble(hex, NATIVE_DATA + 0x1840, code);

	return native_check(&state, code, len);
}

/* si, di and bx as operands, so that every scratch is chosen somewhere. */
static const struct {
	const char *hex;
	int scratch; /* 6, 7 or 3 */
	const char *needs;
} relative[] = {
	{ "488b05DISPDISP", 6, NULL }, /* mov (%rip), %rax */
	{ "488b35DISPDISP", 7, NULL }, /* ..., %rsi */
	{ "488b3dDISPDISP", 6, NULL }, /* ..., %rdi */
	{ "488b1dDISPDISP", 6, NULL }, /* ..., %rbx */
	{ "4c8b35DISPDISP", 7, NULL }, /* ..., %r14 */
	{ "4c8b3dDISPDISP", 6, NULL }, /* ..., %r15 */
	{ "4d8b05DISPDISP", 6, NULL }, /* with REX.B, ignored by the CPU */
	{ "438b0dDISPDISP", 6, NULL }, /* with REX.XB */
	{ "488935DISPDISP", 7, NULL }, /* mov %rsi, (%rip) */
	{ "8825DISPDISP", 6, NULL },   /* mov %ah, (%rip) */
	{ "40883dDISPDISP", 6, NULL }, /* mov %dil, (%rip) */
	{ "488d3dDISPDISP", 6, NULL }, /* lea (%rip), %rdi */
	{ "488d35DISPDISP", 7, NULL },
	{ "678d05DISPDISP", 6, NULL }, /* lea (%eip), %eax */
	{ "480305DISPDISP", 6, NULL }, /* add */
	{ "480135DISPDISP", 7, NULL },
	{ "483b3dDISPDISP", 6, NULL },	     /* cmp */
	{ "833dDISPDISP05", 6, NULL },	     /* cmpl $5 */
	{ "8135DISPDISP78563412", 7, NULL }, /* xorl $.. is /6 */
	{ "48c705DISPDISP78563412", 6, NULL },
	{ "66c705DISPDISP3412", 6, NULL },
	{ "480faf35DISPDISP", 7, NULL },       /* imul (%rip), %rsi */
	{ "4869b5DISPDISP10000000", 0, NULL }, /* imul off rbp: not relative */
	{ "48693dDISPDISP10000000", 6, NULL },
	{ "48f725DISPDISP", 6, NULL },	   /* mul: implicit ax, dx */
	{ "48d325DISPDISP", 6, NULL },	   /* shl %cl */
	{ "480fa505DISPDISP", 6, NULL },   /* shld %cl */
	{ "480fb115DISPDISP", 6, NULL },   /* cmpxchg %rdx */
	{ "480fb135DISPDISP", 7, NULL },   /* cmpxchg %rsi */
	{ "480fc70dDISPDISP", 6, NULL },   /* cmpxchg16b: implicit bx */
	{ "480fc135DISPDISP", 7, NULL },   /* xadd */
	{ "488735DISPDISP", 7, NULL },	   /* xchg */
	{ "0fbe3dDISPDISP", 6, NULL },	   /* movsbl */
	{ "0f9405DISPDISP", 6, NULL },	   /* sete */
	{ "480f4435DISPDISP", 7, NULL },   /* cmove */
	{ "ff35DISPDISP", 7, NULL },	   /* push (%rip) */
	{ "8f05DISPDISP", 6, NULL },	   /* pop (%rip) */
	{ "ff15DISPDISP", 6, NULL },	   /* call *(%rip) */
	{ "ff25DISPDISP", 6, NULL },	   /* jmp *(%rip) */
	{ "480fbab5DISPDISP03", 0, NULL }, /* btr off rbp */
	{ "480fba35DISPDISP03", 7, NULL }, /* btr */
	{ "0f1005DISPDISP", 6, NULL },	   /* movups */
	{ "660f6f3dDISPDISP", 6, NULL },
	{ "f20f1035DISPDISP", 7, NULL },     /* movsd */
	{ "f2480f2a3dDISPDISP", 6, NULL },   /* cvtsi2sd */
	{ "660f3a0f35DISPDISP08", 7, NULL }, /* palignr */
	{ "0fae15DISPDISP", 6, NULL },	     /* ldmxcsr */
	{ "d905DISPDISP", 6, NULL },	     /* flds */
	{ "d93dDISPDISP", 6, NULL },	     /* fnstcw */
	{ "c5fe6f05DISPDISP", 6, "avx2" },   /* vmovdqu, 2-byte VEX */
	{ "c5fe6f35DISPDISP", 7, "avx2" },
	{ "c5fe7f3dDISPDISP", 6, "avx2" },
	{ "c4e17e6f05DISPDISP", 6, "avx2" },   /* 3-byte VEX */
	{ "c4c17e6f05DISPDISP", 6, "avx2" },   /* B, ignored by the CPU */
	{ "c4817e6f05DISPDISP", 6, "avx2" },   /* X and B */
	{ "c5cdfe05DISPDISP", 7, "avx2" },     /* vpaddd, vvvv = 6 */
	{ "c58dfe05DISPDISP", 7, "avx2" },     /* vvvv = 14 */
	{ "c5c5fe35DISPDISP", 3, "avx2" },     /* 7 and 6 */
	{ "c5cdfe3dDISPDISP", 3, "avx2" },     /* 6 and 7 */
	{ "c4e27d5805DISPDISP", 6, "avx2" },   /* vpbroadcastd */
	{ "c4e3fd0035DISPDISP1b", 7, "avx2" }, /* vpermq */
	{ "c4e2c8f23dDISPDISP", 3, "bmi" },    /* andn: si and di in use */
	{ "c4e2c0f235DISPDISP", 3, "bmi" },
	{ "c4c2c0f235DISPDISP", 3, "bmi" },
	{ "c4e2c8f71dDISPDISP", 7, "bmi" },  /* bextr by rsi */
	{ "c4e2fbf635DISPDISP", 7, "bmi2" }, /* mulx: implicit dx */
	{ "c4e2c3f635DISPDISP", 3, "bmi2" },
	{ "c4e3fbf03dDISPDISP07", 6, "bmi2" },	  /* rorx */
	{ "62f1fe486f05DISPDISP", 6, "avx512f" }, /* vmovdqu64 */
	{ "6291fe486f05DISPDISP", 6, "avx512f" }, /* X and B */
	{ "62f14d48fe05DISPDISP", 7, "avx512f" },
	{ "62f14d48fe3dDISPDISP", 3, "avx512f" },
	{ "62f14558fe35DISPDISP", 3, "avx512f" }, /* broadcast */
};

static bool cpu_has(const char *feature)
{
	if (!feature)
		return true;
	if (!strcmp(feature, "avx2"))
		return __builtin_cpu_supports("avx2");
	if (!strcmp(feature, "bmi"))
		return __builtin_cpu_supports("bmi");
	if (!strcmp(feature, "bmi2"))
		return __builtin_cpu_supports("bmi2");
	return __builtin_cpu_supports("avx512f");
}

static int number_of(int word)
{
	return word == 13 ? 6 : word == 14 ? 7 : word == 5 ? 3 : 0;
}

START_TEST(rip_relative)
{
	const char *hex = relative[_i].hex;
	unsigned char code[ARCH_INSN_MAX];
	struct arch_insn insn;
	size_t len = assemble(hex, NATIVE_DATA + 0x1840, code);

	ck_assert_int_eq(arch_x86_64.analyze(code, len, &insn), ARCH_OK);
	ck_assert_int_eq(insn.len, len);
	ck_assert_msg(number_of(insn.scratch) == relative[_i].scratch,
		      "%s: scratch %d", hex, insn.scratch);
	if (!cpu_has(relative[_i].needs)) {
		printf("%s: not run, this CPU has no %s\n", hex,
		       relative[_i].needs);
		return;
	}
	for (int seed = 0; seed < 8; seed++) {
		const char *diff;

		native_random(&state, 1000 + seed);
		/* a loadable mxcsr; code to call; an even chance to be equal */
		memset(state.data + 0x1840, 0, 4);
		state.data[0x1841] = 0x1f;
		if (code[0] == 0xff)
			memcpy(state.data + 0x1840, &state.regs.di, 8);
		if (seed & 1)
			memcpy(&state.regs.ax, state.data + 0x1840, 8);
		state.regs.bp = state.regs.di;
		diff = native_check(&state, code, len);
		ck_assert_msg(!diff, "%s: %s", hex, diff);
		after = state;
		native_run(&after, NATIVE_VADDR, code, len, NATIVE_STEP);
		ck_assert_msg(!after.sig || !relative[_i].scratch,
			      "%s: faults, so nothing is shown", hex);
	}
}
END_TEST

/* The slot's bytes by hand, also where this CPU would not mind others. */
START_TEST(slot_bytes)
{
	static const char *const pairs[][2] = {
		{ "31c0", "31c0" },
		{ "488b0578563412", "488b8678563412" },
		{ "4f8b0578563412", "4e8b8678563412" }, /* REX.B off */
		{ "48893578563412", "4889b778563412" },
		{ "c5fe6f0578563412", "c5fe6f8678563412" },
		{ "c4817e6f0578563412", "c4e17e6f8678563412" },
		{ "c4e2c8f23d78563412", "c4e2c8f2bb78563412" },
		{ "6291fe486f0578563412", "62f1fe486f8678563412" },
		{ "8fc878c2057856341205", "8fe878c2867856341205" }, /* vprotd */
		{ "e878563412", "e800000000" },
		{ "67e878563412", "67e800000000" },
		{ "e978563412", "e978563412" },
		{ "0f1f0578563412", "0f1f0578563412" },
	};
	unsigned char code[ARCH_INSN_MAX], slot[ARCH_INSN_MAX];
	struct arch_insn insn;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		size_t len = native_hex(pairs[i][0], code, sizeof(code));

		memset(slot, 0, sizeof(slot));
		native_hex(pairs[i][1], slot, sizeof(slot));
		arch_x86_64.analyze(code, len, &insn);
		ck_assert_msg(!memcmp(insn.slot, slot, sizeof(slot)),
			      "%s: %02x %02x %02x %02x %02x", pairs[i][0],
			      insn.slot[0], insn.slot[1], insn.slot[2],
			      insn.slot[3], insn.slot[4]);
	}
}
END_TEST

START_TEST(fix_ups)
{
	static const char *const forms[] = {
		"ffd0",	    "41ffd3",	"ffd4",
		"ff10",	    "ff5308",	"ff542408",
		"ff1424",   "ffe0",	"ff20",
		"ff642410", "c3",	"f3c3",
		"c21000",   "e210",	"e2f0",
		"e110",	    "e010",	"e310",
		"67e3f0",   "9c",	"669c",
		"f3a4",	    "f348a5",	"f3ab",
		"f3a6",	    "f2ae",	"5d",
		"5c",	    "c9",	"c8100000",
		"ff3424",   "8f0424",	"6a80",
		"6655",	    "4883ec08", "31c0",
		"0fa3d0",   "c5fd74c1", "c5fe7f07",
		"c5f877",   "c5fdebc1", "c5fde8c1",
		"c5fde9c1", "660f74c1", "98",
		"fc",	    "f9",	"f5",
		"9f",	    "9e",	"64488b042528000000",
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		for (int seed = 0; seed < 6; seed++) {
			const char *diff;

			native_random(&state, 2000 + seed);
			/* loops that end here, and that do not */
			state.regs.cx = seed >> 1;
			state.regs.bp = state.regs.sp + 0x40;
			if (strncmp(forms[i], "ff", 2) == 0)
				memcpy(state.data, state.stack, NATIVE_SIZE);
			diff = check_hex(forms[i]);
			ck_assert_msg(!diff, "%s: %s", forms[i], diff);
		}
	}
}
END_TEST

/* popf: the program's own TF and direction flag come out, and stay. */
START_TEST(popf)
{
	for (int tf = 0; tf < 2; tf++) {
		unsigned long image = 0x6d7 | (tf ? TF : 0);
		const char *diff;

		native_random(&state, 3);
		memcpy(state.stack + (state.regs.sp - NATIVE_STACK), &image, 8);
		diff = check_hex("9d");
		ck_assert_msg(!diff, "popf: %s", diff);
	}
}
END_TEST

/* Faults: nothing happened, at the probed address, scratch restored. */
START_TEST(faults)
{
	static const char *const forms[] = {
		"488b07",   "0f0b",   "488907", "f3a4", "ff17", "ff27",
		"c5fe7f07", "48f7f1", "0f2807", "ff37", "f3ab", "0fb10f",
	};
	unsigned char code[ARCH_INSN_MAX];
	const char *diff;
	size_t len;

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		native_random(&state, 4);
		state.regs.di = 0x1234;
		state.regs.cx = strcmp(forms[i], "48f7f1") ? 3 : 0;
		diff = check_hex(forms[i]);
		ck_assert_msg(!diff, "%s: %s", forms[i], diff);
		len = native_hex(forms[i], code, sizeof(code));
		after = state;
		native_run(&after, NATIVE_VADDR, code, len, NATIVE_STEP);
		ck_assert_msg(after.sig, "%s: no fault", forms[i]);
	}

	native_random(&state, 5);
	len = assemble("488b35DISPDISP", NATIVE_DATA - 0x4000, code);
	diff = native_check(&state, code, len);
	ck_assert_msg(!diff, "rip-relative fault: %s", diff);

	/* a call that cannot push */
	state.regs.sp = 0x4000;
	diff = check_hex("ffd0");
	ck_assert_msg(!diff, "call: %s", diff);
}
END_TEST

/* getppid from the slot: cx shows the probed program, not the slot. */
START_TEST(syscall_from_slot)
{
	static struct native_state orig;
	unsigned char code[2] = { 0x0f, 0x05 };
	struct arch_insn insn;
	const char *diff;

	native_random(&state, 6);
	state.regs.ax = 110;
	arch_x86_64.analyze(code, 2, &insn);
	orig = state;
	native_run(&orig, NATIVE_VADDR, code, 2, NATIVE_BREAKPOINT);
	ck_assert_uint_eq(orig.regs.ip, NATIVE_VADDR + 2);
	ck_assert_uint_eq(orig.regs.cx, NATIVE_VADDR + 2);
	after = state;
	native_xol(&after, &insn, NATIVE_BREAKPOINT);
	diff = native_diff(&after, &orig);
	ck_assert_msg(!diff, "syscall: %s", diff);
}
END_TEST

/* A call that leaves its own ip and cx behind, as rt_sigreturn does. */
START_TEST(syscall_elsewhere)
{
	struct arch_effect e;
	struct arch_insn insn;
	struct arch_step step;
	struct pt_regs regs;

	native_random(&state, 6);
	regs = state.regs;
	arch_x86_64.analyze((unsigned char[]){ 0x0f, 0x05 }, 2, &insn);
	arch_x86_64.pre_xol(&insn, 0x1000, 0x7000, &regs, &step);
	ck_assert_uint_eq(regs.ip, 0x7000);
	regs.ip = 0x5555;
	regs.cx = 0x7777;
	arch_x86_64.post_xol(&insn, 0x1000, 0x7000, &regs, &step, &e);
	ck_assert_uint_eq(e.regs.ip, 0x5555);
	ck_assert_uint_eq(e.regs.cx, 0x7777);
	regs.ip = 0x7000; /* to be restarted */
	arch_x86_64.post_xol(&insn, 0x1000, 0x7000, &regs, &step, &e);
	ck_assert_uint_eq(e.regs.ip, 0x1000);
}
END_TEST

/* TF of the step never stays, TF of the program always does. */
START_TEST(trap_flag)
{
	static const char *const forms[] = { "90", "31c0", "ffd0", "c3" };
	unsigned char code[ARCH_INSN_MAX];
	struct arch_effect e;
	struct arch_insn insn;
	struct arch_step step;

	native_random(&state, 8);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms) * 4; i++) {
		unsigned long user = i & 1 ? TF : 0, hw = i & 2 ? TF : 0;
		struct pt_regs regs = state.regs;
		size_t len = native_hex(forms[i / 4], code, sizeof(code));

		regs.flags |= user;
		arch_x86_64.analyze(code, len, &insn);
		arch_x86_64.pre_xol(&insn, 0x1000, 0x7000, &regs, &step);
		ck_assert_uint_eq(regs.flags & TF, user);
		regs.flags = (regs.flags & ~TF) | hw;
		arch_x86_64.post_xol(&insn, 0x1000, 0x7000, &regs, &step, &e);
		ck_assert_uint_eq(e.regs.flags & TF, user);
		ck_assert(e.trace_trap == !!user);
		arch_x86_64.abort_xol(&insn, 0x1000, &regs, &step);
		ck_assert_uint_eq(regs.flags & TF, user);
		ck_assert_uint_eq(regs.ip, 0x1000);
	}
}
END_TEST

/* From far away, in one step: all is as it was but ip, so no signal comes between. */
START_TEST(jump_arrives)
{
	unsigned char code[ARCH_JUMP_MAX];
	unsigned int n = arch_x86_64.jump_to(code, NATIVE_VADDR);
	const char *diff;

	ck_assert_uint_gt(n, 0);
	ck_assert_uint_le(n, sizeof(code));
	native_random(&state, 9);
	after = state;
	native_run(&after, NATIVE_SLOT, code, n, NATIVE_STEP);
	state.regs.ip = NATIVE_VADDR;
	diff = native_diff(&after, &state);
	ck_assert_msg(!diff, "after the jump %s", diff);
}
END_TEST

int main(void)
{
	int nr = sizeof(relative) / sizeof(*relative);
	Suite *suite = suite_create("arch/xol");
	TCase *tc = tcase_create("x86");

	tcase_add_unchecked_fixture(tc, native_start, native_stop);
	tcase_add_loop_test(tc, rip_relative, 0, nr);
	tcase_add_test(tc, slot_bytes);
	tcase_add_test(tc, fix_ups);
	tcase_add_test(tc, popf);
	tcase_add_test(tc, faults);
	tcase_add_test(tc, syscall_from_slot);
	tcase_add_test(tc, syscall_elsewhere);
	tcase_add_test(tc, trap_flag);
	tcase_add_test(tc, jump_arrives);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_NOFORK);
}
