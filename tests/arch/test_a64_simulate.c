// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_a64_simulate.c - what simulated arm64 instructions do, by hand: the
 * vectors, every condition; and slots, text patching, calls and registers.
 */
#include <stdlib.h>
#include <string.h>

#include "a64_vectors.h"
#include "arch.h"
#include "../suite.h"

#define arch (&arch_arm64)
#define BTYPE 0xc00ul

static const struct arch_rules kprobe = { true, ARCH_NEWEST };

/* By the rules of kprobes, which simulate all that uprobes do. */
static void analyze(unsigned int word, struct arch_insn *insn)
{
	unsigned char bytes[4] = { word, word >> 8, word >> 16, word >> 24 };
	const char *why;

	ck_assert_int_eq(arch->judge(&kprobe, bytes, 4, 0, insn, &why),
			 ARCH_OK);
	ck_assert_int_eq(insn->how, ARCH_EMULATE);
}

START_TEST(vectors)
{
	const struct a64_vector *v = &a64_vectors[_i];
	unsigned long *word, pstate = (unsigned long)v->flags << 28;
	struct pt_regs before, after;
	struct arch_effect e;
	struct arch_insn insn;

	memset(&before, 0, sizeof(before));
	for (unsigned int i = 0; i < 31; i++)
		before.a64.regs[i] = a64_fill(i);
	before.a64.sp = a64_fill(31);
	if (v->before.reg != A64_NO)
		before.a64.regs[v->before.reg] = v->before.val;
	before.a64.pc = v->vaddr;
	before.a64.pstate = pstate | BTYPE;
	after = before;
	if (v->after.reg != A64_NO)
		after.a64.regs[v->after.reg] = v->after.val;
	after.a64.pc = v->to ? v->to : v->vaddr + v->pc;
	after.a64.pstate = pstate;

	analyze(v->word, &insn);
	ck_assert(arch->emulate(&insn, v->vaddr, &before, &e));
	ck_assert_int_eq(e.access, v->size ? ARCH_LOAD : ARCH_NO_ACCESS);
	ck_assert(!e.trace_trap);
	if (v->size) {
		ck_assert_uint_eq(e.addr, v->from);
		ck_assert_uint_eq(e.size, v->size);
		arch_loaded(&e,
			    v->size == 8 ? v->memory : (unsigned int)v->memory);
	}
	word = (unsigned long *)&e.regs;
	for (unsigned int i = 0; i < sizeof(after) / sizeof(*word); i++)
		ck_assert_msg(word[i] == ((unsigned long *)&after)[i],
			      "%s (%08x): word %u is %lx, not %lx", v->text,
			      v->word, i, word[i],
			      ((unsigned long *)&after)[i]);
}
END_TEST

/* All conditions in all states of the flags, as the manual words them. */
START_TEST(conditions)
{
	for (unsigned int f = 0; f < 16; f++) {
		bool n = f & 8, z = f & 4, c = f & 2, v = f & 1,
		     holds[] = {
			     z,
			     !z,
			     c,
			     !c,
			     n,
			     !n,
			     v,
			     !v,
			     c && !z,
			     !(c && !z),
			     n == v,
			     n != v,
			     !z && n == v,
			     z || n != v,
			     true,
			     true,
		     };
		struct pt_regs regs = { .a64 = { .pc = 0x1000 } };
		struct arch_effect e;
		struct arch_insn insn;

		regs.a64.pstate = (unsigned long)f << 28;
		for (unsigned int cc = 0; cc < 16; cc++) {
			analyze(0x54000100 | cc, &insn);
			ck_assert(arch->emulate(&insn, 0x1000, &regs, &e));
			ck_assert_msg(e.regs.a64.pc ==
					      (holds[cc] ? 0x1020 : 0x1004),
				      "condition %u, flags %x", cc, f);
		}
	}
}
END_TEST

/* What is stepped is not simulated. */
START_TEST(others)
{
	static const unsigned char add[] = { 0x20, 0x04, 0x00, 0x91 };
	struct pt_regs regs = { 0 };
	struct arch_effect e;
	struct arch_insn insn;

	ck_assert_int_eq(arch->analyze(add, 4, &insn), ARCH_OK);
	ck_assert(!arch->emulate(&insn, 0x1000, &regs, &e));
}
END_TEST

/* ---- slots ------------------------------------------------------------------------------- */

START_TEST(slot)
{
	static const unsigned char add[] = { 0x20, 0x04, 0x00, 0x91 };
	struct pt_regs regs, before;
	struct arch_effect e;
	struct arch_insn insn;
	struct arch_step step;
	unsigned char to[ARCH_JUMP_MAX];

	arch->analyze(add, 4, &insn);
	memset(&regs, 0x5a, sizeof(regs));
	regs.a64.pc = 0x1000;
	before = regs;
	ck_assert(arch->pre_xol(&insn, 0x1000, 0x7000, &regs, &step));
	ck_assert_uint_eq(regs.a64.pc, 0x7000);
	regs.a64.pc = 0x1000;
	ck_assert(!memcmp(&regs, &before, sizeof(regs)));

	/* stepped, or stopped by the breakpoint behind it: the same */
	regs.a64.pc = 0x7004;
	regs.a64.regs[0] = 7;
	arch->post_xol(&insn, 0x1000, 0x7000, &regs, &step, &e);
	ck_assert_int_eq(e.access, ARCH_NO_ACCESS);
	ck_assert(!e.trace_trap);
	before.a64.pc = 0x1004;
	before.a64.regs[0] = 7;
	ck_assert(!memcmp(&e.regs, &before, sizeof(regs)));

	regs.a64.pc = 0x7000;
	arch->abort_xol(&insn, 0x1000, &regs, &step);
	ck_assert_uint_eq(regs.a64.pc, 0x1000);
	ck_assert_uint_eq(arch->jump_to(to, 0x1000), 0);
}
END_TEST

/* Which pairs of words may change under other CPUs. */
START_TEST(patching)
{
	static const struct {
		unsigned int word;
		bool safe;
	} words[] = {
		{ 0x14000000, true },  { 0x97ffffff, true },
		{ 0xd42000a0, true },  { 0xd503201f, true },
		{ 0xd4000001, true },  { 0xd4000002, true },
		{ 0xd4000003, true },  { 0xd5033fdf, true },
		{ 0xd4000000, false }, { 0x54000000, false },
		{ 0xd503203f, false }, { 0xd65f03c0, false },
		{ 0x91000420, false }, { 0xd4400000, false },
		{ 0xd503233f, false }, { 0x34000000, false },
	};
	unsigned int n = sizeof(words) / sizeof(*words);

	for (unsigned int i = 0; i < n; i++)
		for (unsigned int k = 0; k < n; k++)
			ck_assert_int_eq(
				arch->patch_running((void *)&words[i].word,
						    (void *)&words[k].word),
				words[i].safe && words[k].safe);
	/* of x86, one byte */
	ck_assert(arch_x86_64.patch_running((unsigned char *)"\x55",
					    arch_x86_64.bp));
}
END_TEST

/* ---- calls ------------------------------------------------------------------------------- */

static bool alive(unsigned long stack, enum arch_rp_check ctx, unsigned long sp)
{
	return arch->is_alive(stack, ctx, &(struct pt_regs){ .a64.sp = sp });
}

/* A frame entered with sp 0x1000; a leaf keeps sp, and ret does not move it. */
START_TEST(frames)
{
	ck_assert(alive(0x1000, ARCH_RP_CALL, 0xff0));
	ck_assert(!alive(0x1000, ARCH_RP_CALL, 0x1000));
	ck_assert(alive(0x1000, ARCH_RP_CHAIN_CALL, 0xff0));
	ck_assert(alive(0x1000, ARCH_RP_CHAIN_CALL, 0x1000));
	ck_assert(!alive(0x1000, ARCH_RP_CHAIN_CALL, 0x1010));
	ck_assert(alive(0x1000, ARCH_RP_RET, 0xff0));
	ck_assert(!alive(0x1000, ARCH_RP_RET, 0x1000));
}
END_TEST

START_TEST(registers)
{
	struct pt_regs regs = { 0 };
	unsigned long addr;

	for (int i = 0; i < 31; i++)
		regs.a64.regs[i] = i + 1;
	regs.a64.sp = 0x1000;
	regs.a64.pc = 0x2000;
	for (unsigned int n = 1; n <= 6; n++)
		ck_assert_uint_eq(arch->get_arg(&regs, n), n);
	ck_assert_uint_eq(arch->get_arg(&regs, 0), 0);
	ck_assert_uint_eq(arch->get_arg(&regs, 7), 0);
	ck_assert_uint_eq(arch->get_retval(&regs), 1);
	ck_assert(!arch->ret_in_memory(&regs, &addr));
	ck_assert_uint_eq(arch->get_lr(&regs), 31);
	arch->set_lr(&regs, 5);
	ck_assert_uint_eq(regs.a64.regs[30], 5);
	ck_assert_uint_eq(arch->get_sp(&regs), 0x1000);
	ck_assert_uint_eq(arch->get_ip(&regs), 0x2000);
	arch->set_ip(&regs, 0x3000);
	ck_assert_uint_eq(regs.a64.pc, 0x3000);
}
END_TEST

START_TEST(signatures)
{
	ck_assert_uint_eq(arch->strip(0xaaaabbbb0004), 0xaaaabbbb0004);
	ck_assert_uint_eq(arch->strip(0x002faaaabbbb0004), 0xaaaabbbb0004);
	ck_assert_uint_eq(arch->strip(0xff7faaaabbbb0004), 0xaaaabbbb0004);
	/* the kernel's half */
	ck_assert_uint_eq(arch->strip(0xffff800008000000), 0xffff800008000000);
	ck_assert_uint_eq(arch->strip(0x12b4800008000000), 0xffff800008000000);
	ck_assert_uint_eq(arch_x86_64.strip(0xff2faaaabbbb0004),
			  0xff2faaaabbbb0004);
}
END_TEST

START_TEST(table)
{
	static const unsigned char brk5[] = { 0xa0, 0x00, 0x20, 0xd4 };
	const struct arch_reg *r;

	ck_assert_str_eq(arch->name, "arm64");
	ck_assert_uint_eq(arch->bp_len, 4);
	ck_assert(!memcmp(arch->bp, brk5, 4));
	ck_assert_uint_eq(arch->bp_ip_adjust, 0);
	ck_assert_uint_eq(arch->insn_align, 4);
	/* an instruction and the breakpoint behind it; whole slots in a page */
	ck_assert_uint_ge(arch->slot_bytes, 4 + arch->bp_len);
	ck_assert_uint_eq(4096 % arch->slot_bytes, 0);
	for (r = arch->reg; r < arch->reg + arch->nr_reg; r++) {
		ck_assert_int_eq(r->word, r - arch->reg);
		if (r->word < 31)
			ck_assert_int_eq(atoi(r->name + 1), r->word);
		if (r->word < 31)
			ck_assert_int_eq(atoi(r->low32 + 1), r->word);
	}
	ck_assert_str_eq(arch->reg[30].full, "lr");
	ck_assert_str_eq(arch->reg[31].name, "sp");
	ck_assert_str_eq(arch->reg[32].name, "pc");
	ck_assert_str_eq(arch->reg[33].name, "pstate");
	ck_assert_uint_eq(arch->nr_reg, 34);

	ck_assert_ptr_eq(arch_by_name("arm64"), arch);
	ck_assert_ptr_eq(arch_by_name("x86-64"), &arch_x86_64);
	ck_assert_ptr_null(arch_by_name("vax"));
	ck_assert_ptr_eq(arch_by_machine(183), arch);
	ck_assert_ptr_eq(arch_by_machine(62), &arch_x86_64);
	ck_assert_ptr_null(arch_by_machine(40));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arch/a64-simulate");
	TCase *tc = tcase_create("arm64");

	tcase_add_loop_test(tc, vectors, 0, a64_nr_vectors);
	tcase_add_test(tc, conditions);
	tcase_add_test(tc, others);
	tcase_add_test(tc, slot);
	tcase_add_test(tc, patching);
	tcase_add_test(tc, frames);
	tcase_add_test(tc, registers);
	tcase_add_test(tc, signatures);
	tcase_add_test(tc, table);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_NOFORK);
}
