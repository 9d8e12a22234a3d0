// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_a64_native.c - simulated arm64 instructions and the CPU, on an arm64
 * machine: the vectors by hand, then random words with random operands.
 *
 * A traced child has text, and literals within a mebibyte on both sides of it.
 * A word is put there, registers are set, one instruction runs, and all that is
 * left has to be what the effect says: registers, sp, pc and flags.
 */
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "a64_spaces.h"
#include "a64_vectors.h"
#include "arch.h"
#include "arm64/arm64.h"
#include "../suite.h"

#define arch (&arch_arm64)
#define FLAGS 0xf0000000ul

#define TEXT 0x400000000000ul
#define REACH (1ul << 20) /* of a literal */
#define AREA (2 * REACH + (1ul << 16))
#define AREA_START (TEXT - REACH - 4096)

static pid_t child;
static int mem;

static void start(void)
{
	char name[64];
	int status;

	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		if (mmap((void *)AREA_START, AREA,
			 PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			 0) == MAP_FAILED)
			_exit(1);
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		_exit(0);
	}
	ck_assert(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
	ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_EXITKILL);
	snprintf(name, sizeof(name), "/proc/%d/mem", child);
	mem = open(name, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(mem, 0);
}

static void stop(void)
{
	close(mem);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void store(unsigned long addr, const void *from, size_t n)
{
	ck_assert(pwrite(mem, from, n, addr) == (ssize_t)n);
}

static unsigned long load(unsigned long addr, unsigned int size)
{
	unsigned long val = 0;

	ck_assert(pread(mem, &val, size, addr) == (ssize_t)size);
	return val;
}

/* x0 to x30, sp, pc and pstate are the first words of both. */
#define NR_WORDS 34

static void step(unsigned int word, unsigned long vaddr, struct pt_regs *regs)
{
	struct iovec iov = { regs, NR_WORDS * sizeof(unsigned long) };
	int status;

	store(vaddr, &word, 4);
	ck_assert(!ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &iov));
	ck_assert(!ptrace(PTRACE_SINGLESTEP, child, 0, 0));
	ck_assert(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
	ck_assert_msg(WSTOPSIG(status) == SIGTRAP, "%08x: signal %d", word,
		      WSTOPSIG(status));
	ck_assert(!ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &iov));
}

static void compare(const char *text, unsigned int word, unsigned long vaddr,
		    const struct pt_regs *before)
{
	static const struct arch_rules kprobe = { true, ARCH_NEWEST };
	struct pt_regs cpu = *before;
	struct arch_effect e;
	struct arch_insn insn;
	const char *why;

	ck_assert(!arch->judge(&kprobe, (unsigned char *)&word, 4, 0, &insn,
			       &why));
	ck_assert(arch->emulate(&insn, vaddr, before, &e));
	if (e.access == ARCH_LOAD)
		arch_loaded(&e, load(e.addr, e.size));
	step(word, vaddr, &cpu);
	cpu.a64.pstate &= FLAGS;
	e.regs.a64.pstate &= FLAGS;
	for (unsigned int i = 0; i < NR_WORDS; i++) {
		unsigned long is = ((unsigned long *)&e.regs)[i];
		unsigned long want = ((unsigned long *)&cpu)[i];

		if (is != want)
			ck_abort_msg(
				"%s %08x at %lx: word %u is %lx, the CPU's "
				"%lx",
				text, word, vaddr, i, is, want);
	}
}

START_TEST(vectors)
{
	unsigned int i, n = 0;

	for (i = 0; i < a64_nr_vectors; i++) {
		const struct a64_vector *v = &a64_vectors[i];
		struct pt_regs regs = { 0 };

		/* Of Armv8.8, and not announced to programs. */
		if (!strncmp(v->text, "bc.", 3))
			continue;
		n++;
		for (unsigned int r = 0; r < 31; r++)
			regs.a64.regs[r] = a64_fill(r);
		regs.a64.sp = a64_fill(31);
		if (v->before.reg != A64_NO)
			regs.a64.regs[v->before.reg] = v->before.val;
		regs.a64.pc = v->vaddr;
		regs.a64.pstate = (unsigned long)v->flags << 28;
		if (v->size)
			store(v->from, &v->memory, v->size);
		compare(v->text, v->word, v->vaddr, &regs);
		step(v->word, v->vaddr, &regs);
		ck_assert_uint_eq(regs.a64.pc,
				  v->to ? v->to : v->vaddr + v->pc);
		if (v->after.reg != A64_NO)
			ck_assert_msg(regs.a64.regs[v->after.reg] ==
					      v->after.val,
				      "%s: %lx", v->text,
				      regs.a64.regs[v->after.reg]);
	}
	printf("%u of %u vectors by hand are the CPU's\n", n, i);
}
END_TEST

/* Small numbers, single bits, and any. */
static unsigned long random_value(void)
{
	unsigned long r = a64_random();

	switch (r & 3) {
	case 0:
		return r >> 2 & 1;
	case 1:
		return 1ul << (r >> 2 & 63);
	default:
		return a64_random();
	}
}

static const struct {
	const char *text;
	unsigned int mask, value;
} forms[] = {
	{ "b", 0xfc000000, 0x14000000 },
	{ "bl", 0xfc000000, 0x94000000 },
	{ "b.cond", 0xff000010, 0x54000000 },
	{ "cbz, cbnz", 0x7e000000, 0x34000000 },
	{ "tbz, tbnz", 0x7e000000, 0x36000000 },
	{ "br", 0xfffffc1f, 0xd61f0000 },
	{ "blr", 0xfffffc1f, 0xd63f0000 },
	{ "ret", 0xfffffc1f, 0xd65f0000 },
	{ "adr", 0x9f000000, 0x10000000 },
	{ "adrp", 0x9f000000, 0x90000000 },
	{ "ldr literal", 0xbf000000, 0x18000000 },
	{ "ldrsw literal", 0xff000000, 0x98000000 },
	{ "nop", 0xffffffff, 0xd503201f },
};

#define PER_FORM 150

START_TEST(random_operands)
{
	for (unsigned int i = 0; i < PER_FORM; i++) {
		unsigned int word = forms[_i].value |
				    (a64_random() & ~forms[_i].mask);
		unsigned long vaddr = TEXT + (a64_random() & 0x3ffc);
		struct pt_regs regs = { 0 };

		for (unsigned int r = 0; r < 31; r++)
			regs.a64.regs[r] = random_value();
		/* Where a branch leads need not be mapped, but has to exist. */
		if (_i >= 5 && _i <= 7)
			for (unsigned int r = 0; r < 31; r++)
				regs.a64.regs[r] &= 0xfffffffffffcul;
		regs.a64.sp = a64_random() & ~15ul;
		regs.a64.pc = vaddr;
		regs.a64.pstate = a64_random() & FLAGS;
		compare(forms[_i].text, word, vaddr, &regs);
	}
	printf("%s: %u random words are the CPU's\n", forms[_i].text, PER_FORM);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arch/a64-native");
	TCase *tc = tcase_create("arm64");

	tcase_add_unchecked_fixture(tc, start, stop);
	tcase_add_test(tc, vectors);
	tcase_add_loop_test(tc, random_operands, 0,
			    sizeof(forms) / sizeof(*forms));
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_NOFORK);
}
