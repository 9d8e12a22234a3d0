// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame.c - where a function's return address is when it is entered, as the
 * unwind table tells.
 *
 * A function that was called has it on top of the stack, or in the register that
 * the call put it into. What is jumped to looks like a function, too, and has none
 * (a program's start), or has something above it (the linkage table, a part that
 * the compiler moved away, the return from a signal handler).
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "elf_file.h"

/* By DWARF's numbers of registers; the frame begins at sp + pushed. */
static const struct convention {
	unsigned int machine, sp, ret, pushed;
} conventions[] = {
	{ EM_X86_64, 7, 16, 8 },
	{ EM_AARCH64, 31, 30, 0 },
};

static bool is_entry(Dwarf_Frame *frame, const struct convention *c)
{
	Dwarf_Op memory[3], *ops;
	bool signal;
	size_t n;

	if (dwarf_frame_info(frame, NULL, NULL, &signal) == -1 || signal)
		return false;
	if (dwarf_frame_cfa(frame, &ops, &n) || n != 1 ||
	    ops[0].atom != DW_OP_bregx || ops[0].number != c->sp ||
	    ops[0].number2 != c->pushed)
		return false;
	if (dwarf_frame_register(frame, c->ret, memory, &ops, &n))
		return false;
	/* In its register: not elsewhere, nor unknown. */
	if (!c->pushed)
		return !n && !ops;
	return n == 2 && ops[0].atom == DW_OP_call_frame_cfa &&
	       ops[1].atom == DW_OP_plus_uconst &&
	       ops[1].number == -(Dwarf_Word)c->pushed;
}

bool symbols_is_called(struct symbols *s, const struct symbol_text *f)
{
	const struct convention *c = conventions;
	Dwarf_Frame *frame;
	bool called;

	if (!s->cfi)
		s->cfi = dwarf_getcfi_elf(s->elf);
	if (!s->cfi || dwarf_cfi_addrframe(s->cfi, f->addr, &frame))
		return true;
	while (c->machine != s->machine && c < conventions + 1)
		c++;
	called = is_entry(frame, c);
	free(frame);
	return called;
}
