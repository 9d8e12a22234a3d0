// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve.c - from what the user wrote to places that can be probed.
 */
#include "resolve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "cmd.h"
#include "left_out.h"
#include "place_check.h"
#include "symbols.h"
#include "text.h"

struct resolver {
	const char *text;
	const struct spec *spec;
	const char *path, *file; /* file: last part of the path */
	struct symbols *syms;
	bool force;
	struct places *out;
};

static int add(struct resolver *r, const struct probe_place *p)
{
	struct places *out = r->out;
	struct probe_place *bigger;

	if (out->nr == PLACES_MAX) {
		err("%s: more than %d probes; use a narrower pattern", r->text,
		    PLACES_MAX);
		return -1;
	}
	if (!(out->nr & (out->nr - 1))) {
		bigger = realloc(out->place,
				 (out->nr ? 2 * out->nr : 1) * sizeof(*bigger));
		if (!bigger) {
			err("out of memory");
			return -1;
		}
		out->place = bigger;
	}
	out->place[out->nr++] = *p;
	return 0;
}

static enum place_answer check(struct resolver *r, struct probe_place *p,
			       struct place_reason *why)
{
	struct place place = { r->syms, r->file, p->offset, r->spec->ret };

	return place_check(&place, &p->insn, why);
}

/* ---- one place ------------------------------------------------------------------ */

static int unknown_symbol(struct resolver *r)
{
	const struct spec *s = r->spec;
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
static int check_length(struct resolver *r, const char *name,
			unsigned long size)
{
	const struct spec *s = r->spec;
	unsigned int plus = strlen(s->symbol);

	if (!s->offset || !size || s->offset < size)
		return 0;
	err_at(r->text, s->in_place.at + plus, s->in_place.len - plus,
	       "%s is 0x%lx bytes long; give an offset below that", name, size);
	return -1;
}

static int find_implementation(struct resolver *r, unsigned long *offset)
{
	const struct spec *s = r->spec;
	struct symbol_text f;

	if (!symbols_implementation(r->syms, s->symbol, offset)) {
		err_at(r->text, s->in_place.at, s->in_place.len,
		       "'%s' only chooses an implementation at run time (it is "
		       "an IFUNC); name that one, or its file offset",
		       s->symbol);
		return -1;
	}
	if (symbols_function_at(r->syms, *offset, &f) &&
	    check_length(r, s->symbol, f.size))
		return -1;
	err("note: %s is chosen at run time; probing the implementation for "
	    "this processor, at 0x%lx",
	    s->symbol, *offset);
	return 0;
}

static int find_symbol(struct resolver *r, unsigned long *offset)
{
	const struct spec *s = r->spec;
	struct symbol sym;
	int failed;

	if (!symbols_find(r->syms, s->symbol, &sym))
		return unknown_symbol(r);
	if (!sym.code) {
		err_at(r->text, s->in_place.at, s->in_place.len,
		       "'%s' is data; name a function", s->symbol);
		return -1;
	}
	*offset = sym.offset;
	failed = sym.ifunc ? find_implementation(r, offset)
			   : check_length(r, sym.name, sym.size);
	*offset += s->offset;
	return failed;
}

static const char *give_name(const struct spec *s)
{
	if (s->event[0])
		return s->event;
	if (s->symbol[0] && !s->offset)
		return s->symbol;
	if (s->symbol[0])
		return text_print("%s+0x%lx", s->symbol, s->offset);
	return text_print("0x%lx", s->offset);
}

static int one_place(struct resolver *r)
{
	const struct spec *s = r->spec;
	struct probe_place p = { .spec = s,
				 .path = r->path,
				 .name = give_name(s),
				 .offset = s->offset };
	enum place_answer answer;
	struct place_reason why;

	if (s->symbol[0] && find_symbol(r, &p.offset))
		return -1;
	answer = check(r, &p, &why);
	if (answer == PLACE_UNSAFE && r->force)
		err("warning: %s: %s (forced)", r->text, why.what);
	else if (answer) {
		err_at(r->text, s->in_place.at, s->in_place.len, "%s%s",
		       why.what, answer == PLACE_UNSAFE ? ", or --force" : "");
		return -1;
	}
	return add(r, &p);
}

/* ---- a pattern -------------------------------------------------------------------- */

/* The name of one of an event's places. */
static const char *name_in_event(const struct spec *s, const char *symbol)
{
	if (!s->event[0])
		return strdup(symbol);
	return text_print("%s_%s", s->event, symbol);
}

static bool has(const struct places *places, unsigned int from,
		unsigned long offset)
{
	for (; from < places->nr; from++)
		if (places->place[from].offset == offset)
			return true;
	return false;
}

/* Fills p->offset; false if there is no place of its own. */
static bool place_of(struct resolver *r, const struct symbol *sym,
		     unsigned int first, unsigned long *offset,
		     struct left_out *left)
{
	*offset = sym->offset;
	if (!sym->ifunc)
		return true;
	if (symbols_implementation(r->syms, sym->name, offset))
		return !has(r->out, first, *offset);
	left_out_add(left, sym->name,
		     "only chosen at run time (an IFUNC), "
		     "and which one cannot be told here");
	return false;
}

static int match_one(struct resolver *r, const struct symbol *sym,
		     unsigned int first, struct left_out *left)
{
	struct probe_place p = { .spec = r->spec,
				 .path = r->path,
				 .matched = true };
	enum place_answer answer;
	struct place_reason why;

	if (!place_of(r, sym, first, &p.offset, left))
		return 0;
	answer = check(r, &p, &why);
	if (answer)
		left_out_add(left, sym->name, why.rule);
	if (answer && (answer == PLACE_REFUSED || !r->force))
		return 0;
	p.name = name_in_event(r->spec, sym->name);
	if (p.name)
		return add(r, &p);
	err("out of memory");
	return -1;
}

/* Implementations last: they may have names of their own, which match too. */
static int match_all(struct resolver *r, const struct symbol *sym,
		     unsigned int n, struct left_out *left)
{
	unsigned int i, first = r->out->nr;
	int ifunc;

	for (ifunc = 0; ifunc < 2; ifunc++)
		for (i = 0; i < n; i++)
			if (sym[i].ifunc == ifunc &&
			    match_one(r, &sym[i], first, left))
				return -1;
	return 0;
}

static int pattern(struct resolver *r)
{
	const struct spec *s = r->spec;
	struct left_out left = { 0 };
	unsigned int n, first = r->out->nr;
	struct symbol *sym = symbols_match(r->syms, s->symbol, &n);
	int failed = -1;

	if (!sym)
		err("out of memory");
	else if (!n)
		err_at(r->text, s->in_place.at, s->in_place.len,
		       "no function of %s matches; is it stripped? insn shows "
		       "what there is",
		       r->file);
	else
		failed = match_all(r, sym, n, &left);
	if (!failed && first == r->out->nr) {
		err_at(r->text, s->in_place.at, s->in_place.len,
		       "none of the functions of %s that match can be probed",
		       r->file);
		failed = -1;
	}
	left_out_tell(&left, r->text, n, r->force);
	free(sym);
	return failed;
}

/* ---- all of it ----------------------------------------------------------------------- */

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
	if (last)
		symbols_add_debug(last);
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
		return "an ELF file for another processor; only programs for "
		       "this one can be traced";
	case EACCES:
		return "it cannot be read; make it readable, or be its owner "
		       "or "
		       "root";
	case ENOLINK:
		return "an object file, not yet linked; name the program or "
		       "library that it becomes a part of";
	case EMFILE:
		return "too many open files; raise the limit, as with ulimit "
		       "-n 1024";
	default:
		return strerror(err);
	}
}

/* The kernel takes any even offset, and counts nowhere if there is no counter. */
static int check_counter(struct resolver *r)
{
	const struct spec *s = r->spec;

	if (!s->ref_ctr)
		return 0;
	if (s->ref_ctr % 2) {
		err_at(r->text, s->in_ref.at, s->in_ref.len,
		       "a reference counter has an even offset");
		return -1;
	}
	if (!symbols_writable(r->syms, s->ref_ctr)) {
		err_at(r->text, s->in_ref.at, s->in_ref.len,
		       "0x%lx of %s is not writable data; a counter is given "
		       "by its offset in the file, not by its address",
		       s->ref_ctr, r->file);
		return -1;
	}
	return 0;
}

const char *resolve_foreign(const char *path)
{
	const struct arch_ops *arch = arch_by_machine(symbols_machine_of(path));
	static char text[300];

	if (!arch || arch == arch_native)
		return NULL;
	snprintf(text, sizeof(text),
		 "it is for %s, and this machine is %s; copy trapline to an %s "
		 "machine and trace it there, or see here with trapline insn "
		 "what probes on it would do",
		 arch->name, arch_native->name, arch->name);
	return text;
}

int resolve(const char *text, bool force, struct places *out)
{
	struct resolver r = { .text = text, .force = force, .out = out };
	struct spec *spec = malloc(sizeof(*spec));
	char *path = malloc(PATH_MAX);
	const char *why, *foreign;
	struct spec_error e;

	if (!spec || !path) {
		err("out of memory");
		return -1;
	}
	if (spec_parse(text, spec, &e)) {
		err_at(text, e.where.at, e.where.len, "%s", e.what);
		return -1;
	}
	if (resolve_path(spec->path, path)) {
		resolve_no_file(spec->path, text, spec->in_path.at,
				spec->in_path.len);
		return -1;
	}
	r.syms = open_symbols(path);
	if (!r.syms) {
		why = resolve_open_error(errno);
		foreign = resolve_foreign(path);
		err_at(text, spec->in_path.at, spec->in_path.len, "%s: %s",
		       path, foreign ? foreign : why);
		return -1;
	}
	r.spec = spec;
	r.path = path;
	r.file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	if (check_counter(&r))
		return -1;
	return symbols_is_pattern(spec->symbol) ? pattern(&r) : one_place(&r);
}
