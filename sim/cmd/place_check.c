// SPDX-License-Identifier: GPL-2.0-only
/*
 * place_check.c - may a probe be put at this place of a file?
 */
#include "place_check.h"

#include <stdarg.h>
#include <stdio.h>

#include "return_rules.h"

static void say(struct place_reason *why, const char *rule, const char *fmt,
		...)
{
	va_list ap;

	why->rule = rule;
	va_start(ap, fmt);
	vsnprintf(why->what, sizeof(why->what), fmt, ap);
	va_end(ap);
}

/* ---- the instruction ------------------------------------------------------------ */

static const char *hex(const unsigned char *bytes, unsigned int n)
{
	static char text[3 * ARCH_INSN_MAX + 1];
	unsigned int i;

	text[0] = '\0';
	for (i = 0; i < n; i++)
		sprintf(text + 3 * i, i + 1 < n ? "%02x " : "%02x", bytes[i]);
	return text;
}

/* The file's; not NULL, as only such files are opened. */
static const struct arch_ops *arch_of(const struct place *p)
{
	return arch_by_machine(symbols_machine(p->syms));
}

static enum arch_verdict analyze(const struct place *p, unsigned long offset,
				 struct arch_insn *insn)
{
	unsigned char bytes[ARCH_INSN_MAX];
	long n = symbols_read(p->syms, offset, bytes, sizeof(bytes));

	return arch_of(p)->analyze(bytes, n > 0 ? n : 0, insn);
}

/* In an exclusive access of the function around it? */
static bool in_exclusive(const struct place *p)
{
	unsigned char front[ARCH_LOOK_BACK];
	unsigned long n = sizeof(front);
	struct symbol_text f;

	if (!symbols_function_at(p->syms, p->offset, &f))
		return false;
	if (n > p->offset - f.offset)
		n = p->offset - f.offset;
	return symbols_read(p->syms, p->offset - n, front, n) == (long)n &&
	       arch_of(p)->in_exclusive(front, n);
}

/* What the function is called, for messages. */
static const char *name_of(const struct symbol_text *f)
{
	static char text[64];

	if (f->name)
		return f->name;
	snprintf(text, sizeof(text), "the function at 0x%lx", f->offset);
	return text;
}

/*
 * A breakpoint inside an instruction would change what it does. Told by
 * decoding from the function's start; data among the text ends that, and then
 * nothing can be told.
 */
static bool inside(const struct place *p, struct place_reason *why)
{
	struct symbol_text f;
	struct arch_insn insn;
	unsigned long at;

	if (!symbols_function_at(p->syms, p->offset, &f))
		return false;
	for (at = f.offset; at < p->offset; at += insn.len) {
		analyze(p, at, &insn);
		if (!insn.len)
			return false;
	}
	if (at == p->offset)
		return false;
	say(why, "it is inside an instruction",
	    "inside an instruction of %s; the next one is at +%lu%s",
	    name_of(&f), at - f.offset, f.name ? "" : " of it");
	return true;
}

static bool refused(const struct place *p, struct arch_insn *insn,
		    struct place_reason *why)
{
	enum arch_verdict v = analyze(p, p->offset, insn);
	struct symbol_text f;
	unsigned long addr = p->offset;
	char text[128];

	if (v == ARCH_OK && in_exclusive(p))
		v = ARCH_IN_EXCLUSIVE;
	if (v == ARCH_OK)
		return false;
	if (symbols_function_at(p->syms, p->offset, &f))
		addr = f.addr + (p->offset - f.offset);
	arch_of(p)->text(insn->bytes, insn->len, addr, text, sizeof(text));
	say(why, arch_verdict_text(v),
	    "%s+0x%lx (%s: %s) cannot be probed: %s; probe another "
	    "instruction of it with SYMBOL+OFFSET",
	    p->file, p->offset, hex(insn->bytes, insn->len), text,
	    arch_verdict_text(v));
	return true;
}

/* ---- the return address ----------------------------------------------------------- */

static const char *breaks(const struct place *p)
{
	const char *name, *why = NULL;
	unsigned int from = 0;

	while (!why && (name = symbols_name(p->syms, p->offset, &from)))
		why = return_rule(name);
	return why;
}

static bool no_return(const struct place *p, struct place_reason *why)
{
	const char *rule = NULL;
	struct symbol_text f;
	bool known = symbols_function_at(p->syms, p->offset, &f);

	if (p->offset == symbols_entry(p->syms))
		rule = "the program begins here: it is not called, so it has "
		       "no return address to replace";
	else if (known && f.offset != p->offset) {
		say(why, "it is not the start of a function",
		    "a return probe belongs to the function's start, and this "
		    "is +%lu of %s; use that, or p:",
		    p->offset - f.offset, name_of(&f));
		return true;
	} else if (known && !symbols_is_called(p->syms, &f))
		rule = "it is jumped to, not called, so there is no return "
		       "address on top of its stack (says the unwind table)";
	else
		rule = breaks(p);
	if (rule)
		say(why, rule, "no return probe here: %s; use p:", rule);
	return rule;
}

enum place_answer place_check(const struct place *p, struct arch_insn *insn,
			      struct place_reason *why)
{
	if (!symbols_executable(p->syms, p->offset)) {
		say(why, "it is not code",
		    "0x%lx of %s is not code; offsets are those in the file, "
		    "not addresses",
		    p->offset, p->file);
		return PLACE_REFUSED;
	}
	if (inside(p, why))
		return analyze(p, p->offset, insn) ? PLACE_REFUSED
						   : PLACE_UNSAFE;
	if (refused(p, insn, why))
		return PLACE_REFUSED;
	return p->ret && no_return(p, why) ? PLACE_UNSAFE : PLACE_OK;
}
