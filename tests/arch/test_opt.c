// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_opt.c - the call of an optimised probe and the code behind it, as bytes
 * and run by the CPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arch.h"
#include "../suite.h"

#define arch (&arch_x86_64)

static bool suits(const char *bytes, size_t n)
{
	struct arch_insn insn;

	ck_assert_int_eq(arch->analyze((const void *)bytes, n, &insn), ARCH_OK);
	return arch->opt_suits(&insn);
}

START_TEST(one_nop_suits)
{
	ck_assert(suits("\x0f\x1f\x44\x00\x00", 5));
	ck_assert(!suits("\x0f\x1f\x44\x00\x01", 5));
	ck_assert(!suits("\x0f\x1f\x40\x00", 4));
	ck_assert(!suits("\x66\x0f\x1f\x44\x00\x00", 6));
	ck_assert(!suits("\x90", 1));
	ck_assert(!suits("\xe8\x00\x00\x00\x00", 5));
	ck_assert_uint_eq(arch->opt_len, 5);
}
END_TEST

static void check_call(unsigned long vaddr, unsigned long code, bool reaches)
{
	unsigned char bytes[8] = { 0 };
	unsigned long target = 0;
	char text[128], expect[128];

	ck_assert_int_eq(arch->opt_call(bytes, vaddr, code), reaches);
	if (!reaches)
		return;
	ck_assert(arch->opt_target(bytes, vaddr, &target));
	ck_assert_uint_eq(target, code);
	arch->text(bytes, 5, vaddr, text, sizeof(text));
	snprintf(expect, sizeof(expect), "call 0x%lx", code);
	ck_assert_str_eq(text, expect);
}

START_TEST(call_reaches_two_gigabytes)
{
	unsigned long at = 0x400000000000;

	check_call(at, at + 0x1000, true);
	check_call(at, at - 0x1000, true);
	check_call(at, at + 5 + 0x7fffffff, true);
	check_call(at, at + 5 + 0x80000000, false);
	check_call(at, at + 5 - 0x80000000, true);
	check_call(at, at + 5 - 0x80000001, false);
	check_call(at, 0x1000, false);
	ck_assert(!arch->opt_target((const unsigned char *)"\xcc\0\0\0\0", at,
				    &at));
	ck_assert(!arch->opt_target((const unsigned char *)"\x0f\x1f\x44\0\0",
				    at, &at));
}
END_TEST

/* Registers before and after a call of the code, and what was at its sp. */
struct state {
	unsigned long ax, cx, r11, ret;
	unsigned long sp, word[ARCH_OPT_WORDS];
};

static void run(struct state *s, const unsigned char *code, unsigned int n)
{
	unsigned char *page = mmap(NULL, 8192,
				   PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long r11 = s->r11, moved;
	int i;

	ck_assert_ptr_ne(page, MAP_FAILED);
	memcpy(page + 4096, code, n);
	ck_assert(arch->opt_call(page, (unsigned long)page,
				 (unsigned long)page + 4096));
	page[5] = 0xc3;
	s->ret = (unsigned long)page + 5;
	s->sp = 0;
	/* Away from the red zone of this function. */
	__asm__ volatile("lea -256(%%rsp),%%rsp\n"
			 "mov %%rsp,%%r12\n"
			 "mov %[r11],%%r11\n"
			 "call *%[page]\n"
			 "mov %%r11,%[r11]\n"
			 "sub %%rsp,%%r12\n"
			 "lea 256(%%rsp,%%r12),%%rsp\n"
			 "mov %%r12,%[moved]\n"
			 : "+a"(s->ax),
			   "+c"(s->cx), [r11] "+r"(r11), [moved] "=&r"(moved)
			 : [page] "r"(page), "d"(&s->sp)
			 : "r11", "r12", "memory", "cc");
	s->r11 = r11;
	for (i = 0; s->sp && i < ARCH_OPT_WORDS; i++)
		s->word[i] = ((volatile unsigned long *)s->sp)[i];
	munmap(page, 8192);
	ck_assert_uint_eq(moved, 0);
}

/* Not in a page that the kernel made for it, the system call fails. */
START_TEST(code_changes_nothing)
{
	struct state s = { .ax = 1, .cx = 2, .r11 = 3 };
	unsigned char code[ARCH_OPT_CODE_MAX];
	unsigned int n = arch->opt_code(code);

	ck_assert_mem_eq(code + arch->opt_ip - 2, "\x0f\x05", 2);
	run(&s, code, n);
	ck_assert_uint_eq(s.ax, 1);
	ck_assert_uint_eq(s.cx, 2);
	ck_assert_uint_eq(s.r11, 3);
}
END_TEST

/* `mov %rsp,(%rdx)` instead of the system call: then that is what it finds. */
START_TEST(words_are_the_registers)
{
	struct state s = { .ax = 1, .cx = 2, .r11 = 3 };
	struct pt_regs regs = { .ip = 7 };
	unsigned char code[ARCH_OPT_CODE_MAX];
	unsigned int n = arch->opt_code(code);

	memcpy(code + arch->opt_ip - 7, "\x48\x89\x22\x90\x90\x90\x90", 7);
	run(&s, code, n);
	regs.sp = s.sp;
	arch->opt_enter(&regs, s.word);
	ck_assert_uint_eq(regs.ax, 1);
	ck_assert_uint_eq(regs.cx, 2);
	ck_assert_uint_eq(regs.r11, 3);
	ck_assert_uint_eq(regs.ip, s.ret - arch->opt_len);
	ck_assert_uint_eq(regs.sp, s.sp + 32);

	regs.ax = 11;
	regs.cx = 12;
	regs.r11 = 13;
	arch->opt_leave(&regs, s.word);
	ck_assert_uint_eq(s.word[0], 11);
	ck_assert_uint_eq(s.word[1], 13);
	ck_assert_uint_eq(s.word[2], 12);
	ck_assert_uint_eq(s.word[3], s.ret);
	ck_assert_uint_eq(regs.sp, s.sp);

	/* A handler sends it elsewhere. */
	arch->opt_enter(&regs, s.word);
	regs.ip = 99;
	arch->opt_leave(&regs, s.word);
	ck_assert_uint_eq(s.word[3], 99);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("opt");
	TCase *tc = tcase_create("opt");

	tcase_add_test(tc, one_nop_suits);
	tcase_add_test(tc, call_reaches_two_gigabytes);
	tcase_add_test(tc, code_changes_nothing);
	tcase_add_test(tc, words_are_the_registers);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}
