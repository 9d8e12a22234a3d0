// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame.c - where a function's return address is when it is entered, as the
 * unwind table tells.
 *
 * A function that was called has it on top of the stack. What is jumped to
 * looks like a function, too, and has none (a program's start), or has something
 * above it (the linkage table, a part that the compiler moved away, the return
 * from a signal handler).
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "elf_file.h"

/* DWARF's numbers of x86-64's registers. */
#define REG_SP 7
#define REG_RETURN 16

static bool is_top(Dwarf_Frame *frame)
{
	Dwarf_Op memory[3], *ops;
	bool signal;
	size_t n;

	if (dwarf_frame_info(frame, NULL, NULL, &signal) == -1 || signal)
		return false;
	/* The frame begins at sp + 8 ... */
	if (dwarf_frame_cfa(frame, &ops, &n) || n != 1 ||
	    ops[0].atom != DW_OP_bregx || ops[0].number != REG_SP ||
	    ops[0].number2 != 8)
		return false;
	/* ... and the return address is 8 before that. */
	return !dwarf_frame_register(frame, REG_RETURN, memory, &ops, &n) &&
	       n == 2 && ops[0].atom == DW_OP_call_frame_cfa &&
	       ops[1].atom == DW_OP_plus_uconst && ops[1].number == -8ul;
}

bool symbols_is_called(struct symbols *s, const struct symbol_text *f)
{
	Dwarf_Frame *frame;
	bool top;

	if (!s->cfi)
		s->cfi = dwarf_getcfi_elf(s->elf);
	if (!s->cfi || dwarf_cfi_addrframe(s->cfi, f->addr, &frame))
		return true;
	top = is_top(frame);
	free(frame);
	return top;
}
