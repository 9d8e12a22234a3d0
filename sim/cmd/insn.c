// SPDX-License-Identifier: GPL-2.0-only
/*
 * insn.c - trapline insn: what a probe would do with each instruction, and why.
 *
 * Says what arch/ and trace would say, by asking the same functions. Code that
 * does not decode is shown byte by byte, so that one stray byte hides no more
 * than itself.
 */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "classify.h"
#include "cmd.h"
#include "place_check.h"
#include "process.h"
#include "resolve.h"
#include "symbols.h"

struct insn {
	struct args args;
	const char *hex;
	bool stats, json;
	struct tally tally; /* its arch is NULL until it is given or found */
	struct arch_rules rules;

	/* What is looked at. */
	char path[PATH_MAX];
	const char *file; /* last part of path; NULL: bytes */
	const char *symbol;
	unsigned int symbol_at; /* in the argument */
	struct spec place;
	struct symbols *syms;
	const struct symbol_text *text;
	unsigned int nr_text;
};

/* ---- bytes ------------------------------------------------------------------------ */

static bool bad_hex(const char *text, const char *at, bool second)
{
	bool half = second && (!*at || isspace((unsigned char)*at));

	err_at(text, at - text, 1, "%s, as in 'c5 fd 74 c1' or 'c5fd74c1'",
	       half ? "half a byte; give two digits for each"
		    : "not a hexadecimal digit; give bytes in the order of "
		      "memory");
	return false;
}

/* Room for half as many bytes as characters; false after a message. */
static bool parse_hex(const char *text, unsigned char *to, size_t *n)
{
	const char *s = text;
	unsigned int value, i;

	for (*n = 0; *s; s += isspace((unsigned char)*s) ? 1 : 2) {
		if (isspace((unsigned char)*s))
			continue;
		for (i = 0; i < 2; i++)
			if (!isxdigit((unsigned char)s[i]))
				return bad_hex(text, s + i, i);
		sscanf(s, "%2x", &value);
		to[(*n)++] = value;
	}
	if (!*n)
		err("no bytes; give some, as in --hex 'c5 fd 74 c1'");
	return *n;
}

/* A kernel's rules are asked for: are they known? */
static bool has_rules(const struct insn *x)
{
	if (!x->tally.rules || x->tally.arch->judge)
		return true;
	err("of %s there are the rules of uprobes of one kernel only; leave "
	    "out --kernel and --kprobe",
	    x->tally.arch->name);
	return false;
}

static int insn_hex(struct insn *x)
{
	struct answer a = { 0 };
	unsigned char *bytes;
	size_t at, n, left;
	char *text = NULL;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	if (!x->tally.arch)
		x->tally.arch = arch_native;
	if (!has_rules(x))
		return CMD_USAGE;
	/* Bytes that the shell took apart. */
	fputs(x->hex, f);
	for (i = 0; i < x->args.n; i++)
		fprintf(f, " %s", x->args.v[i]);
	fclose(f);
	bytes = malloc(size + 1);
	if (!bytes || !parse_hex(text, bytes, &n)) {
		free(bytes);
		free(text);
		return CMD_USAGE;
	}
	for (at = 0; at < n; at += a.len) {
		left = n - at < ARCH_INSN_MAX ? n - at : ARCH_INSN_MAX;
		a.addr = at;
		a.before = at < ARCH_LOOK_BACK ? at : ARCH_LOOK_BACK;
		memcpy(a.code + ARCH_LOOK_BACK - a.before,
		       bytes + at - a.before, a.before + left);
		classify(&x->tally, &a, left);
		if (!x->stats)
			classify_print(&x->tally, &a, NULL, x->json);
	}
	free(bytes);
	free(text);
	return CMD_OK;
}

/* ---- functions of a file ------------------------------------------------------------- */

/* The code at a.offset and in front of it, of the same function. */
static long read_code(struct insn *x, const struct symbol_text *t,
		      struct answer *a)
{
	unsigned long before = a->offset - t->offset;
	long n;

	a->before = before < ARCH_LOOK_BACK ? before : ARCH_LOOK_BACK;
	n = symbols_read(x->syms, a->offset - a->before,
			 a->code + ARCH_LOOK_BACK - a->before,
			 ARCH_INSN_MAX + a->before);
	return n - a->before;
}

/* Looks behind the function's end as a probe would, for the last one. */
static void insn_text(struct insn *x, const struct symbol_text *t,
		      unsigned long from)
{
	unsigned long end = t->offset + t->size;
	struct answer a;
	long n;

	x->tally.functions++;
	if (!x->stats && !x->json)
		printf("%s%s (%s+0x%lx, %lu bytes)\n",
		       x->tally.functions > 1 ? "\n" : "",
		       t->name ? t->name : "(no symbol)", x->file, from,
		       end - from);
	for (a.offset = from; a.offset < end; a.offset += a.len) {
		n = read_code(x, t, &a);
		if (n <= 0)
			return;
		a.addr = t->addr + (a.offset - t->offset);
		classify(&x->tally, &a, n);
		if (!x->stats)
			classify_print(&x->tally, &a, t, x->json);
	}
}

/* Each byte once, though functions may overlap. */
static void insn_file(struct insn *x)
{
	unsigned long done = 0;
	unsigned int i;

	for (i = 0; i < x->nr_text; i++) {
		const struct symbol_text *t = &x->text[i];
		unsigned long end = t->offset + t->size;

		if (end <= done)
			continue;
		insn_text(x, t, t->offset > done ? t->offset : done);
		done = end;
	}
}

static int unknown_symbol(struct insn *x)
{
	const char *arg = x->args.v[0], *near;
	unsigned int at = x->symbol_at, len = strlen(x->symbol);

	near = symbols_nearest(x->syms, x->symbol);
	if (!len)
		err_at(arg, at, 1,
		       "name a function behind the colon; FILE alone shows "
		       "all");
	else if (near)
		err_at(arg, at, len,
		       "%s has no symbol '%s'; did you mean '%s'?", x->file,
		       x->symbol, near);
	else
		err_at(arg, at, len,
		       "%s has no symbol '%s'; is it stripped? FILE alone "
		       "shows all functions",
		       x->file, x->symbol);
	return CMD_USAGE;
}

/* Size known or not, there is an end: the next function, or one instruction. */
static void find_text(struct insn *x, const struct symbol *sym,
		      unsigned long offset, struct symbol_text *out)
{
	unsigned int i;

	*out = (struct symbol_text){ sym->name, sym->addr, offset, 1 };
	for (i = 0; i < x->nr_text && x->text[i].offset <= offset; i++)
		out->addr = x->text[i].addr + (offset - x->text[i].offset);
	if (offset == sym->offset) {
		out->addr = sym->addr;
		out->size = sym->size;
	}
	if (i && x->text[i - 1].offset == offset &&
	    (offset != sym->offset || !out->size))
		out->size = x->text[i - 1].size;
	else if (!out->size)
		out->size = i < x->nr_text ? x->text[i].offset - offset : 1;
}

/* Where the symbol's code is, by its place in the file. */
static unsigned long implementation(struct insn *x, const struct symbol *sym)
{
	unsigned long offset = sym->offset;

	if (!sym->ifunc)
		return offset;
	if (symbols_implementation(x->syms, sym->name, &offset))
		err("note: %s is chosen at run time; this is the "
		    "implementation for this processor",
		    sym->name);
	else
		err("note: %s is chosen at run time; this is the "
		    "function that chooses",
		    sym->name);
	return offset;
}

/* From there on, as a probe would be put there. */
static void insn_from(struct insn *x, const struct symbol_text *t,
		      unsigned long from)
{
	struct place place = { x->syms, x->file, from, false };
	struct place_reason why;
	struct arch_insn insn;

	if (place_check(&place, &insn, &why) == PLACE_UNSAFE)
		err("note: %s", why.what);
	insn_text(x, t, from);
}

/* The symbol, from `skip` bytes behind its start on. */
static int insn_symbol(struct insn *x, unsigned long skip)
{
	const char *arg = x->args.v[0];
	struct symbol_text t;
	struct symbol sym;

	if (!symbols_find(x->syms, x->symbol, &sym))
		return unknown_symbol(x);
	if (!sym.code) {
		err_at(arg, x->symbol_at, strlen(x->symbol),
		       "'%s' is data; name a function", x->symbol);
		return CMD_USAGE;
	}
	find_text(x, &sym, implementation(x, &sym), &t);
	if (skip >= t.size) {
		err_at(arg, x->symbol_at, strlen(arg + x->symbol_at),
		       "%s is 0x%lx bytes long; give an offset below that",
		       x->symbol, t.size);
		return CMD_USAGE;
	}
	if (skip)
		insn_from(x, &t, t.offset + skip);
	else
		insn_text(x, &t, t.offset);
	return CMD_OK;
}

/* Up to the end of the function that is there. */
static int insn_offset(struct insn *x, unsigned long offset)
{
	const struct symbol none = { .addr = offset, .offset = ~0ul };
	const char *arg = x->args.v[0];
	struct symbol_text t;

	if (!symbols_executable(x->syms, offset)) {
		err_at(arg, x->symbol_at, strlen(arg + x->symbol_at),
		       "offset 0x%lx of %s is not code; FILE alone shows all "
		       "functions",
		       offset, x->file);
		return CMD_USAGE;
	}
	if (!symbols_function_at(x->syms, offset, &t))
		find_text(x, &none, offset, &t);
	insn_from(x, &t, offset);
	return CMD_OK;
}

static int insn_pattern(struct insn *x)
{
	const char *arg = x->args.v[0];
	struct symbol_text t;
	struct symbol *sym;
	unsigned int i, n;

	sym = symbols_match(x->syms, x->symbol, &n);
	if (!sym) {
		err("out of memory");
		return CMD_BUG;
	}
	if (!n)
		err_at(arg, x->symbol_at, strlen(x->symbol),
		       "no function of %s matches; is it stripped? FILE alone "
		       "shows all functions",
		       x->file);
	for (i = 0; i < n; i++) {
		find_text(x, &sym[i], implementation(x, &sym[i]), &t);
		insn_text(x, &t, t.offset);
	}
	free(sym);
	return n ? CMD_OK : CMD_USAGE;
}

/* A name goes first: those of C++ may have a plus. */
static int insn_place(struct insn *x)
{
	const char *arg = x->args.v[0];
	struct spec_error e;
	struct symbol sym;

	if (!*x->symbol || symbols_find(x->syms, x->symbol, &sym))
		return insn_symbol(x, 0);
	if (spec_parse_place(arg, x->symbol_at, &x->place, &e)) {
		err_at(arg, e.where.at, e.where.len, "%s", e.what);
		return CMD_USAGE;
	}
	x->symbol = x->place.symbol;
	if (!*x->symbol)
		return insn_offset(x, x->place.offset);
	if (symbols_is_pattern(x->symbol))
		return insn_pattern(x);
	return insn_symbol(x, x->place.offset);
}

/* The file's own; naming another is a mistake. */
static bool find_arch(struct insn *x, unsigned int len)
{
	const struct arch_ops *given = x->tally.arch, *arch;
	const char *arg = x->args.v[0];

	arch = arch_by_machine(symbols_machine(x->syms));
	if (!arch)
		err_at(arg, 0, len,
		       "%s: an ELF file for another processor; x86-64 and "
		       "arm64 are known",
		       x->path);
	else if (given && given != arch)
		err_at(arg, 0, len, "%s is for %s; leave out --arch %s",
		       x->path, arch->name, given->name);
	else
		x->tally.arch = arch;
	return x->tally.arch == arch && arch && has_rules(x);
}

/* FILE, or FILE:PLACE; a file's name may hold a colon. */
static int open_file(struct insn *x)
{
	const char *arg = x->args.v[0], *colon = strrchr(arg, ':');
	unsigned int len = strlen(arg);
	char name[PATH_MAX];

	if (colon && access(arg, F_OK)) {
		len = colon - arg;
		x->symbol = colon + 1;
		x->symbol_at = len + 1;
	}
	snprintf(name, sizeof(name), "%.*s", (int)len, arg);
	if (resolve_path(name, x->path)) {
		resolve_no_file(name, arg, 0, len);
		return CMD_USAGE;
	}
	x->syms = symbols_open_any(x->path);
	if (!x->syms) {
		err_at(arg, 0, len, "%s: %s", x->path,
		       resolve_open_error(errno));
		return CMD_USAGE;
	}
	if (!find_arch(x, len))
		return CMD_USAGE;
	symbols_add_debug(x->syms);
	x->file = strrchr(x->path, '/') ? strrchr(x->path, '/') + 1 : x->path;
	x->text = symbols_functions(x->syms, &x->nr_text);
	if (!x->text)
		err("out of memory");
	return x->text ? CMD_OK : CMD_BUG;
}

static int insn_elf(struct insn *x)
{
	int status = open_file(x);

	if (!status && x->symbol)
		status = insn_place(x);
	else if (!status && x->nr_text)
		insn_file(x);
	else if (!status) {
		err("%s: neither symbols nor an unwind table tell of a "
		    "function; give an instruction's bytes with --hex",
		    x->file);
		status = CMD_USAGE;
	}
	if (x->syms)
		symbols_close(x->syms);
	return status;
}

/* ---- command line ----------------------------------------------------------------- */

enum { OPT_HEX = 256, OPT_ARCH, OPT_KERNEL, OPT_KPROBE, OPT_STATS, OPT_FORMAT };

static const struct argp_option options[] = {
	{ "hex", OPT_HEX, "BYTES", 0,
	  "instructions as hexadecimal bytes, in the order of memory", 0 },
	{ "arch", OPT_ARCH, "NAME", 0,
	  "of the bytes: x86-64 or arm64 (this machine's); a file has its own",
	  0 },
	{ "kernel", OPT_KERNEL, "RELEASE", 0,
	  "what that kernel does, right or wrong: 6.1 to 6.18 (arm64 only)",
	  0 },
	{ "kprobe", OPT_KPROBE, NULL, 0,
	  "what it does with a kprobe, not a uprobe (arm64 only)", 0 },
	{ "stats", OPT_STATS, NULL, 0, "print counts only", 0 },
	{ "format", OPT_FORMAT, "text|json", 0,
	  "what to print; json is one object a line", 0 },
	{ 0 }
};

static void arch(struct argp_state *state, const char *name, struct insn *x)
{
	x->tally.arch = arch_by_name(name);
	if (!x->tally.arch)
		argp_error(state, "'%s': architectures are x86-64 and arm64",
			   name);
}

static void kernel(struct argp_state *state, const char *name, struct insn *x)
{
	unsigned int major, minor, release = 0;
	char rest;

	if (sscanf(name, "%3u.%3u%c", &major, &minor, &rest) == 2)
		release = ARCH_RELEASE(major, minor);
	if (release < ARCH_OLDEST || release > ARCH_NEWEST)
		argp_error(state, "'%s': kernels are 6.1 to 6.18", name);
	x->rules.release = release;
	x->tally.rules = &x->rules;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct insn *x = state->input;

	switch (key) {
	case OPT_HEX:
		x->hex = arg;
		return 0;
	case OPT_ARCH:
		arch(state, arg, x);
		return 0;
	case OPT_KERNEL:
		kernel(state, arg, x);
		return 0;
	case OPT_KPROBE:
		x->rules.kprobe = true;
		x->tally.rules = &x->rules;
		return 0;
	case OPT_STATS:
		x->stats = true;
		return 0;
	case OPT_FORMAT:
		x->json = !strncmp(arg, "json", 4);
		if (strcmp(arg, "text") && strcmp(arg, "json") &&
		    strcmp(arg, "jsonl"))
			argp_error(state, "'%s': formats are text and json",
				   arg);
		return 0;
	case ARGP_KEY_ARG:
		args_add(&x->args, "%s", arg);
		return 0;
	case ARGP_KEY_END:
		if (!x->hex && !x->args.n)
			argp_error(state, "expected FILE:SYMBOL, FILE or --hex "
					  "BYTES");
		if (!x->hex && x->args.n > 1)
			argp_error(state, "'%s': one FILE:SYMBOL is enough",
				   x->args.v[1]);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	options,
	parse,
	"FILE[:SYMBOL[+OFF]]\nFILE:0xOFFSET\n--hex BYTES",
	"Show what a probe would do with each instruction, and why: emulate "
	"it, step a copy of it (+fix: more than ip is put right around the "
	"step), or refuse. FILE alone is all its functions; SYMBOL may have * "
	"and "
	"?.\v"
	"  trapline insn libc.so.6:getpid\n"
	"  trapline insn --hex 'c5 fd 74 c1'\n"
	"  trapline insn --stats libcrypto.so.3\n"
	"  trapline insn --arch arm64 --kernel 6.12 --hex '1f 20 03 d5'\n\n"
	"Exit status: 0, also if instructions are refused; 2 usage.",
	NULL,
	NULL,
	NULL
};

int cmd_insn(int argc, char **argv)
{
	struct insn x = { .rules.release = ARCH_NEWEST };
	int status;

	argp_err_exit_status = CMD_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &x);
	status = x.hex ? insn_hex(&x) : insn_elf(&x);
	if (!status && x.stats)
		classify_counts(&x.tally, x.file ? x.path : NULL, x.json);
	args_free(&x.args);
	return status;
}
