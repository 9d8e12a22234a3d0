// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve.c - find a probe's place, and refuse one that would harm.
 */
#include "resolve.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "symbols.h"

/* ---- functions that a replaced return address breaks ------------------------- */

const char *resolve_no_return(const char *symbol)
{
	static const char twice[] = "it returns twice, the second time from a "
				    "frame that is gone";
	static const char caller[] = "it acts by who calls it, and would see "
				     "the return address that we put there";
	static const char unwinds[] = "it walks its callers' frames, and would "
				      "find our return address there";
	static const char nobody[] = "it is not called, so it has no return "
				     "address to replace";
	static const struct {
		const char *pattern, *why;
	} rules[] = {
		{ "setjmp", twice },	     { "_setjmp", twice },
		{ "__sigsetjmp", twice },    { "sigsetjmp", twice },
		{ "vfork", twice },	     { "__vfork", twice },
		{ "getcontext", twice },     { "swapcontext", twice },
		{ "dlopen", caller },	     { "dlmopen", caller },
		{ "dlsym", caller },	     { "dlvsym", caller },
		{ "_dl_*", caller },	     { "__libc_dlopen*", caller },
		{ "mcount", caller },	     { "_mcount", caller },
		{ "__fentry__", caller },    { "_Unwind_*", unwinds },
		{ "__cxa_throw", unwinds },  { "__cxa_rethrow", unwinds },
		{ "pthread_exit", unwinds }, { "backtrace", unwinds },
		{ "_start", nobody },
	};
	unsigned int i;

	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!fnmatch(rules[i].pattern, symbol, 0))
			return rules[i].why;
	return NULL;
}

/* ---- symbol to offset ----------------------------------------------------------- */

struct resolver {
	const char *text;
	struct probe_place *out;
	struct symbols *syms;
	const char *file; /* last part of the path */
};

static int unknown_symbol(struct resolver *r)
{
	const struct spec *s = r->out->spec;
	const char *nearest = symbols_nearest(r->syms, s->symbol);

	if (nearest)
		err_at(r->text, s->in_place.at, s->in_place.len,
		       "%s has no symbol '%s'; did you mean '%s'?", r->file,
		       s->symbol, nearest);
	else
		err_at(r->text, s->in_place.at, s->in_place.len,
		       "%s has no symbol '%s'; is it stripped? A file offset "
		       "(0x...) can be given instead",
		       r->file, s->symbol);
	return -1;
}

/* What lies behind the symbol's end belongs to another, or to none. */
static int check_length(struct resolver *r, const struct symbol *sym)
{
	const struct spec *s = r->out->spec;
	unsigned int plus = strlen(s->symbol);

	if (!s->offset || !sym->size || s->offset < sym->size)
		return 0;
	err_at(r->text, s->in_place.at + plus, s->in_place.len - plus,
	       "%s is 0x%lx bytes long; give an offset below that", sym->name,
	       sym->size);
	return -1;
}

static int find_symbol(struct resolver *r)
{
	const struct spec *s = r->out->spec;
	struct symbol sym;

	if (!symbols_find(r->syms, s->symbol, &sym))
		return unknown_symbol(r);
	if (!sym.code) {
		err_at(r->text, s->in_place.at, s->in_place.len,
		       "'%s' is data; a probe needs an instruction", s->symbol);
		return -1;
	}
	r->out->offset = sym.offset + s->offset;
	if (!sym.ifunc)
		return check_length(r, &sym);
	if (!symbols_implementation(r->syms, s->symbol, &r->out->offset)) {
		err_at(r->text, s->in_place.at, s->in_place.len,
		       "'%s' only chooses an implementation at run time (it is "
		       "an IFUNC); name that one, or its file offset",
		       s->symbol);
		return -1;
	}
	if (symbols_at(r->syms, r->out->offset, &sym) && check_length(r, &sym))
		return -1;
	r->out->offset += s->offset;
	r->out->chosen_at_runtime = true;
	return 0;
}

/* ---- instruction ------------------------------------------------------------------ */

static const char *hex(const unsigned char *bytes, unsigned int n)
{
	static char text[3 * ARCH_INSN_MAX + 1];
	unsigned int i;

	text[0] = '\0';
	for (i = 0; i < n; i++)
		sprintf(text + 3 * i, i + 1 < n ? "%02x " : "%02x", bytes[i]);
	return text;
}

static enum arch_verdict analyze(struct resolver *r, unsigned long offset,
				 struct arch_insn *insn)
{
	unsigned char bytes[ARCH_INSN_MAX];
	long n = symbols_read(r->syms, offset, bytes, sizeof(bytes));

	return arch_x86_64.analyze(bytes, n > 0 ? n : 0, insn);
}

/* A breakpoint inside an instruction would change what it does. */
static int check_boundary(struct resolver *r)
{
	const struct spec_part *in = &r->out->spec->in_place;
	unsigned long at, offset = r->out->offset;
	struct arch_insn insn;
	struct symbol sym;

	if (!symbols_at(r->syms, offset, &sym))
		return 0;
	for (at = sym.offset; at < offset; at += insn.len) {
		analyze(r, at, &insn);
		if (!insn.len) /* data among the text: nothing can be told */
			return 0;
	}
	if (at == offset)
		return 0;
	err_at(r->text, in->at, in->len,
	       "inside an instruction of %s; the next one is at +%lu", sym.name,
	       at - sym.offset);
	return -1;
}

static int check_insn(struct resolver *r)
{
	const struct spec_part *in = &r->out->spec->in_place;
	struct arch_insn *insn = &r->out->insn;
	enum arch_verdict v;

	if (!symbols_executable(r->syms, r->out->offset)) {
		err_at(r->text, in->at, in->len,
		       "0x%lx of %s is not code; offsets are those in the "
		       "file, "
		       "not addresses",
		       r->out->offset, r->file);
		return -1;
	}
	if (check_boundary(r))
		return -1;
	v = analyze(r, r->out->offset, insn);
	if (v != ARCH_OK) {
		err_at(r->text, in->at, in->len,
		       "%s+0x%lx (%s) cannot be probed: %s; probe another "
		       "instruction of it with SYMBOL+OFFSET",
		       r->file, r->out->offset, hex(insn->bytes, insn->len),
		       arch_verdict_text(v));
		return -1;
	}
	return 0;
}

static int check_return(struct resolver *r)
{
	const struct spec *s = r->out->spec;
	struct symbol sym;
	const char *why;

	if (!s->ret)
		return 0;
	if (s->symbol[0] && s->offset) {
		err_at(r->text, s->in_place.at, s->in_place.len,
		       "a return probe belongs to the function's start; leave "
		       "+%lu out, or use p:",
		       s->offset);
		return -1;
	}
	why = resolve_no_return(s->symbol);
	if (!why && symbols_at(r->syms, r->out->offset, &sym))
		why = resolve_no_return(sym.name);
	if (why) {
		err_at(r->text, s->in_place.at, s->in_place.len,
		       "no return probe here: %s; use p:", why);
		return -1;
	}
	return 0;
}

/* ---- all of it ----------------------------------------------------------------------- */

static const char *give_name(const struct spec *s, unsigned long offset)
{
	char *name = NULL;
	int n;

	if (s->event[0])
		return s->event;
	if (!s->symbol[0])
		n = asprintf(&name, "0x%lx", offset);
	else if (s->offset)
		n = asprintf(&name, "%s+0x%lx", s->symbol, s->offset);
	else
		return s->symbol;
	return n < 0 ? "?" : name;
}

static int place(struct resolver *r)
{
	struct probe_place *p = r->out;

	p->chosen_at_runtime = false;
	p->offset = p->spec->offset;
	if (p->spec->symbol[0] && find_symbol(r))
		return -1;
	if (check_return(r) || check_insn(r))
		return -1;
	p->name = give_name(p->spec, p->offset);
	return 0;
}

/* Most probes are in the file of the one before. */
static struct symbols *open_symbols(const char *path)
{
	static char last_path[PATH_MAX];
	static struct symbols *last;

	if (last && !strcmp(path, last_path))
		return last;
	if (last)
		symbols_close(last);
	last = symbols_open(path);
	strcpy(last_path, path);
	return last;
}

const char *resolve_open_error(int err)
{
	switch (err) {
	case ENXIO: /* a socket: open itself fails */
	case EINVAL:
		return "not a regular file; name the program or library that "
		       "holds the function";
	case ENOEXEC:
		return "not an ELF file; name the program or library that "
		       "holds the function";
	case ENOTSUP:
		return "a 32-bit ELF file; only 64-bit programs can be probed";
	case EXDEV:
		return "an ELF file for another processor; only x86-64 "
		       "programs can be probed";
	default:
		return strerror(err);
	}
}

int resolve(const char *text, struct probe_place *out)
{
	struct resolver r = { .text = text, .out = out };
	struct spec *spec = malloc(sizeof(*spec));
	char *path = malloc(PATH_MAX);
	struct spec_error e;

	if (!spec || !path) {
		err("out of memory");
		return -1;
	}
	out->spec = spec;
	out->path = path;
	if (spec_parse(text, spec, &e)) {
		err_at(text, e.where.at, e.where.len, "%s", e.what);
		return -1;
	}
	if (resolve_path(spec->path, path)) {
		err_at(text, spec->in_path.at, spec->in_path.len,
		       "no such file; give a path, or the name of a library or "
		       "program on the usual search paths");
		return -1;
	}
	r.syms = open_symbols(path);
	if (!r.syms) {
		err_at(text, spec->in_path.at, spec->in_path.len, "%s: %s",
		       path, resolve_open_error(errno));
		return -1;
	}
	r.file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	return place(&r);
}
