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

/* Each test but the first is run for both. */
static const enum arch_opt_form forms[] = { ARCH_OPT_NOP5, ARCH_OPT_NOP10 };

static const struct arch_opt *form(int i)
{
	return arch->opt[forms[i]];
}

static void check_text(const unsigned char *bytes, size_t n, const char *expect)
{
	char text[128];

	arch->text(bytes, n, 0, text, sizeof(text));
	ck_assert_str_eq(text, expect);
}

START_TEST(nops)
{
	const struct arch_opt *opt = form(0);

	ck_assert_ptr_null(arch->opt[ARCH_OPT_NONE]);
	ck_assert_uint_eq(opt->len, 5);
	ck_assert_mem_eq(opt->nop, "\x0f\x1f\x44\0\0", 5);
	check_text(opt->nop, opt->len, "nop %eax, (%rax,%rax,1)");
	ck_assert_uint_eq(opt->red_zone, 0);
	ck_assert_uint_eq(opt->undo_len, 5);

	opt = form(1);
	ck_assert_uint_eq(opt->len, 10);
	ck_assert_mem_eq(opt->nop, "\x66\x2e\x0f\x1f\x84\0\0\0\0\0", 10);
	check_text(opt->nop, opt->len, "nop %ax, (%rax,%rax,1)");
	ck_assert_uint_eq(opt->red_zone, 128);
	ck_assert_uint_eq(opt->undo_len, 5);
}
END_TEST

static bool is_nop(const unsigned char *bytes, size_t n)
{
	struct arch_insn insn;

	return arch->analyze(bytes, n, &insn) == ARCH_OK && insn.len == n &&
	       insn.how == ARCH_EMULATE;
}

/* Probes are put on it, and on what it is when a call was undone. */
START_TEST(undone_is_nop)
{
	const struct arch_opt *opt = form(_i);
	static const long distance[] = { 0, -1, 0x7fffffff, -0x80000000l,
					 0x12345678 };
	unsigned long at = 0x400000000000, target;
	unsigned char bytes[16];
	struct arch_insn insn;
	unsigned int i;

	ck_assert(is_nop(opt->nop, opt->len));
	for (i = 0; i < sizeof(distance) / sizeof(*distance); i++) {
		ck_assert(
			opt->call(opt, bytes, at, at + opt->len + distance[i]));
		ck_assert_int_eq(arch->analyze(bytes, opt->len, &insn),
				 ARCH_OK);
		memcpy(bytes, opt->nop, opt->undo_len);
		ck_assert(is_nop(bytes, opt->len));
		ck_assert(!opt->target(opt, bytes, at, &target));
	}
}
END_TEST

static void check_call(const struct arch_opt *opt, unsigned long vaddr,
		       long distance, bool reaches)
{
	unsigned long code = vaddr + opt->len + distance, target = 0;
	unsigned int lead = opt->len - 5;
	unsigned char bytes[16] = { 0 };
	char text[128], expect[128];

	ck_assert_int_eq(opt->call(opt, bytes, vaddr, code), reaches);
	if (!reaches)
		return;
	ck_assert(opt->target(opt, bytes, vaddr, &target));
	ck_assert_uint_eq(target, code);
	arch->text(bytes + lead, 5, vaddr + lead, text, sizeof(text));
	snprintf(expect, sizeof(expect), "call 0x%lx", code);
	ck_assert_str_eq(text, expect);
	if (lead)
		check_text(bytes, lead, "lea -0x80(%rsp), %rsp");
	/* Neither the call alone nor what is in front of it. */
	bytes[lead] ^= 1;
	ck_assert(!opt->target(opt, bytes, vaddr, &target));
	bytes[lead] ^= 1;
	bytes[0] ^= 1;
	ck_assert(!opt->target(opt, bytes, vaddr, &target));
}

START_TEST(call_reaches_two_gigabytes)
{
	const struct arch_opt *opt = form(_i);
	unsigned long at = 0x400000000000;

	check_call(opt, at, 0x1000, true);
	check_call(opt, at, -0x1000, true);
	check_call(opt, at, 0x7fffffff, true);
	check_call(opt, at, 0x80000000, false);
	check_call(opt, at, -0x80000000l, true);
	check_call(opt, at, -0x80000001l, false);
	check_call(opt, at, 0x1000 - at, false);
	ck_assert(!opt->target(opt, opt->nop, at, &at));
}
END_TEST

/* Registers before and after a call of the code, and what was at its sp. */
struct state {
	unsigned long ax, cx, r11, ret;
	unsigned long sp, word[ARCH_OPT_WORDS];
	unsigned long at;  /* sp of the caller */
	unsigned long red; /* its first word below, 0x5eed before */
};

static void run(const struct arch_opt *opt, struct state *s,
		const unsigned char *code)
{
	unsigned char *page = mmap(NULL, 8192,
				   PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long r11 = s->r11, moved, at;
	unsigned int i;

	ck_assert_ptr_ne(page, MAP_FAILED);
	memcpy(page + 4096, code, opt->code_len);
	ck_assert(opt->call(opt, page, (unsigned long)page,
			    (unsigned long)page + 4096));
	memcpy(page + opt->len, "\x41\xff\xe5", 3); /* jmp *%r13 */
	s->ret = (unsigned long)page + opt->len;
	s->sp = 0;
	/* Away from the red zone of this function. */
	__asm__ volatile("lea -256(%%rsp),%%rsp\n"
			 "mov %%rsp,%%r12\n"
			 "mov %[r11],%%r11\n"
			 "lea 1f(%%rip),%%r13\n"
			 "movq $0x5eed,-8(%%rsp)\n"
			 "jmp *%[page]\n"
			 "1: mov %%r11,%[r11]\n"
			 "mov %%r12,%[at]\n"
			 "sub %%rsp,%%r12\n"
			 "lea 256(%%rsp,%%r12),%%rsp\n"
			 "mov %%r12,%[moved]\n"
			 : "+a"(s->ax), "+c"(s->cx), [r11] "+r"(r11),
			   [moved] "=&r"(moved), [at] "=&r"(at)
			 : [page] "r"(page), "d"(&s->sp)
			 : "r11", "r12", "r13", "memory", "cc");
	s->r11 = r11;
	s->at = at;
	s->red = ((volatile unsigned long *)at)[-1];
	for (i = 0; s->sp && i < ARCH_OPT_WORDS; i++)
		s->word[i] = ((volatile unsigned long *)s->sp)[i];
	munmap(page, 8192);
	ck_assert_uint_eq(moved, 0);
}

/* Not in a page that the kernel made for it, the system call fails. */
START_TEST(code_changes_nothing)
{
	struct state s = { .ax = 1, .cx = 2, .r11 = 3 };
	const struct arch_opt *opt = form(_i);

	ck_assert_mem_eq(opt->code + opt->code_ip - 2, "\x0f\x05", 2);
	run(opt, &s, opt->code);
	ck_assert_uint_eq(s.ax, 1);
	ck_assert_uint_eq(s.cx, 2);
	ck_assert_uint_eq(s.r11, 3);
	/* The mistake of 6.18: it was the function's own word. */
	if (opt->red_zone)
		ck_assert_uint_eq(s.red, 0x5eed);
	else
		ck_assert_uint_eq(s.red, s.ret);
}
END_TEST

/* `mov %rsp,(%rdx)` instead of the system call: then that is what it finds. */
START_TEST(words_are_the_registers)
{
	struct state s = { .ax = 1, .cx = 2, .r11 = 3 };
	const struct arch_opt *opt = form(_i);
	struct pt_regs regs = { .ip = 7 };
	unsigned char code[32];

	ck_assert_uint_le(opt->code_len, sizeof(code));
	memcpy(code, opt->code, opt->code_len);
	memcpy(code + opt->code_ip - 7, "\x48\x89\x22\x90\x90\x90\x90", 7);
	run(opt, &s, code);
	regs.sp = s.sp;
	opt->enter(opt, &regs, s.word);
	ck_assert_uint_eq(regs.ax, 1);
	ck_assert_uint_eq(regs.cx, 2);
	ck_assert_uint_eq(regs.r11, 3);
	ck_assert_uint_eq(regs.ip, s.ret - opt->len);
	ck_assert_uint_eq(regs.sp, s.at);

	regs.ax = 11;
	regs.cx = 12;
	regs.r11 = 13;
	opt->leave(opt, &regs, s.word);
	ck_assert_uint_eq(s.word[0], 11);
	ck_assert_uint_eq(s.word[1], 13);
	ck_assert_uint_eq(s.word[2], 12);
	ck_assert_uint_eq(s.word[3], s.ret);
	ck_assert_uint_eq(regs.sp, s.sp);

	/* A handler sends it elsewhere. */
	opt->enter(opt, &regs, s.word);
	regs.ip = 99;
	opt->leave(opt, &regs, s.word);
	ck_assert_uint_eq(s.word[3], 99);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("opt");
	TCase *tc = tcase_create("opt");

	tcase_add_test(tc, nops);
	tcase_add_loop_test(tc, undone_is_nop, 0, 2);
	tcase_add_loop_test(tc, call_reaches_two_gigabytes, 0, 2);
	tcase_add_loop_test(tc, code_changes_nothing, 0, 2);
	tcase_add_loop_test(tc, words_are_the_registers, 0, 2);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}
