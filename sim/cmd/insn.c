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

#include "cmd.h"
#include "process.h"
#include "resolve.h"
#include "symbols.h"

enum way { WAY_EMULATE, WAY_STEP, WAY_FIX, WAY_REFUSE, NR_WAYS };

static const char *const way_names[] = {
	[WAY_EMULATE] = "emulate",
	[WAY_STEP] = "step",
	[WAY_FIX] = "step+fix",
	[WAY_REFUSE] = "refuse",
};

/* Refusals are counted by verdict; one that only trace knows comes last. */
#define NR_REFUSALS (ARCH_NR_VERDICTS + 1)

struct insn {
	const struct arch_ops *arch;
	struct args args;
	const char *hex;
	bool stats, json;

	/* What is looked at. */
	char path[PATH_MAX];
	const char *file; /* last part of path; NULL: bytes */
	const char *symbol;
	struct symbols *syms;
	struct symbol_text *text;
	unsigned int nr_text;

	unsigned long functions, insns, ways[NR_WAYS], refused[NR_REFUSALS];
	const char *refusals[NR_REFUSALS];
};

/* ---- one instruction ------------------------------------------------------------ */

/* An instruction at an address, and what would become of it. */
struct answer {
	unsigned long addr, offset;
	unsigned char bytes[ARCH_INSN_MAX];
	unsigned int len; /* of what is shown */
	enum arch_verdict verdict;
	enum way way;
	const char *why;
};

static enum way way_of(const struct arch_insn *insn)
{
	if (insn->how == ARCH_EMULATE)
		return WAY_EMULATE;
	return insn->flags & (ARCH_FIX_CALL | ARCH_FIX_FLAGS |
			      ARCH_FIX_SCRATCH | ARCH_SYSCALL)
		       ? WAY_FIX
		       : WAY_STEP;
}

/* n bytes, at least 1; counts it. */
static void answer(struct insn *x, struct answer *a, unsigned int n)
{
	unsigned int refusal;
	struct arch_insn insn;
	const char *no;

	a->verdict = x->arch->analyze(a->bytes, n, &insn);
	a->way = a->verdict ? WAY_REFUSE : way_of(&insn);
	a->why = x->arch->why(a->bytes, n);
	a->len = insn.len ? insn.len : a->verdict == ARCH_TRUNCATED ? n : 1;
	refusal = a->verdict;
	no = a->verdict ? NULL : resolve_no_insn(&insn);
	if (no) {
		a->way = WAY_REFUSE;
		a->why = no;
		refusal = ARCH_NR_VERDICTS;
	}
	x->insns++;
	x->ways[a->way]++;
	if (a->way == WAY_REFUSE) {
		x->refused[refusal]++;
		x->refusals[refusal] = a->why;
	}
}

static void json_string(const char *name, const char *s)
{
	printf("\"%s\":\"", name);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		if ((unsigned char)*s < ' ')
			printf("\\u%04x", *s);
		else
			putchar(*s);
	}
	putchar('"');
}

static void print_json(const struct insn *x, const struct answer *a,
		       const struct symbol_text *t, const char *text)
{
	unsigned int i;

	printf("{\"type\":\"insn\",");
	if (t) {
		json_string("symbol", t->name ? t->name : "");
		printf(",\"offset\":\"0x%lx\",", a->offset);
	}
	printf("\"address\":\"0x%lx\",\"bytes\":\"", a->addr);
	for (i = 0; i < a->len; i++)
		printf("%02x", a->bytes[i]);
	printf("\",");
	json_string("text", text);
	printf(",\"how\":\"%s\",\"verdict\":\"%s\",", way_names[a->way],
	       arch_verdict_name(a->verdict));
	json_string("why", a->why);
	puts("}");
}

static void print(const struct insn *x, const struct answer *a,
		  const struct symbol_text *t)
{
	char text[128], hex[3 * ARCH_INSN_MAX + 1] = "";
	unsigned int i;

	x->arch->text(a->bytes, a->len, a->addr, text, sizeof(text));
	if (x->json) {
		print_json(x, a, t, text);
		return;
	}
	for (i = 0; i < a->len; i++)
		sprintf(hex + 3 * i, "%02x ", a->bytes[i]);
	printf("%8lx  %-24s %-36s %-9s %s\n", a->addr, hex, text,
	       way_names[a->way], a->why);
}

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

static int insn_hex(struct insn *x)
{
	struct answer a = { 0 };
	unsigned char *bytes;
	size_t at, n, left;
	char *text = NULL;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

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
		memcpy(a.bytes, bytes + at, left);
		answer(x, &a, left);
		if (!x->stats)
			print(x, &a, NULL);
	}
	free(bytes);
	free(text);
	return CMD_OK;
}

/* ---- functions of a file ------------------------------------------------------------- */

/* Looks behind the function's end as a probe would, for the last one. */
static void insn_text(struct insn *x, const struct symbol_text *t,
		      unsigned long from)
{
	unsigned long end = t->offset + t->size;
	struct answer a;
	long n;

	x->functions++;
	if (!x->stats && !x->json)
		printf("%s%s (%s+0x%lx, %lu bytes)\n",
		       x->functions > 1 ? "\n" : "",
		       t->name ? t->name : "(no symbol)", x->file, from,
		       end - from);
	for (a.offset = from; a.offset < end; a.offset += a.len) {
		n = symbols_read(x->syms, a.offset, a.bytes, sizeof(a.bytes));
		if (n <= 0)
			return;
		a.addr = t->addr + (a.offset - t->offset);
		answer(x, &a, n);
		if (!x->stats)
			print(x, &a, t);
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
	unsigned int at = x->symbol - arg, len = strlen(x->symbol);

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

static int insn_symbol(struct insn *x)
{
	const char *arg = x->args.v[0];
	struct symbol_text t;
	struct symbol sym;
	unsigned long offset;

	if (!symbols_find(x->syms, x->symbol, &sym))
		return unknown_symbol(x);
	if (!sym.code) {
		err_at(arg, x->symbol - arg, strlen(x->symbol),
		       "'%s' is data; name a function", x->symbol);
		return CMD_USAGE;
	}
	offset = sym.offset;
	if (sym.ifunc) {
		if (symbols_implementation(x->syms, x->symbol, &offset))
			err("note: %s is chosen at run time; this is the "
			    "implementation for this processor",
			    x->symbol);
		else
			err("note: %s is chosen at run time; this is the "
			    "function that chooses",
			    x->symbol);
	}
	find_text(x, &sym, offset, &t);
	insn_text(x, &t, t.offset);
	return CMD_OK;
}

/* FILE, or FILE:SYMBOL; a file's name may hold a colon. */
static int open_file(struct insn *x)
{
	const char *arg = x->args.v[0], *colon = strrchr(arg, ':');
	unsigned int len = strlen(arg);
	char name[PATH_MAX];

	if (colon && access(arg, F_OK)) {
		len = colon - arg;
		x->symbol = colon + 1;
	}
	snprintf(name, sizeof(name), "%.*s", (int)len, arg);
	if (resolve_path(name, x->path)) {
		err_at(arg, 0, len,
		       "no such file; give a path, or the name of a library or "
		       "program on the usual search paths");
		return CMD_USAGE;
	}
	x->syms = symbols_open(x->path);
	if (!x->syms) {
		err_at(arg, 0, len, "%s: %s", x->path,
		       resolve_open_error(errno));
		return CMD_USAGE;
	}
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
		status = insn_symbol(x);
	else if (!status && x->nr_text)
		insn_file(x);
	else if (!status) {
		err("%s: neither symbols nor an unwind table tell of a "
		    "function; give an instruction's bytes with --hex",
		    x->file);
		status = CMD_USAGE;
	}
	free(x->text);
	if (x->syms)
		symbols_close(x->syms);
	return status;
}

/* ---- counts ------------------------------------------------------------------------- */

static void stats_json(const struct insn *x)
{
	const char *comma = "";
	unsigned int i;

	printf("{\"type\":\"stats\",");
	if (x->file) {
		json_string("file", x->path);
		printf(",\"functions\":%lu,", x->functions);
	}
	printf("\"instructions\":%lu", x->insns);
	for (i = 0; i < NR_WAYS; i++)
		printf(",\"%s\":%lu", way_names[i], x->ways[i]);
	printf(",\"refused\":{");
	for (i = 0; i < NR_REFUSALS; i++) {
		if (!x->refused[i])
			continue;
		fputs(comma, stdout);
		comma = ",";
		printf("\"%s\":%lu",
		       i < ARCH_NR_VERDICTS ? arch_verdict_name(i) : "TRACE",
		       x->refused[i]);
	}
	puts("}}");
}

static void stats(const struct insn *x)
{
	unsigned int i;

	if (x->json) {
		stats_json(x);
		return;
	}
	if (x->file)
		printf("%s: %lu functions, ", x->file, x->functions);
	printf("%lu instructions\n", x->insns);
	for (i = 0; i < NR_WAYS; i++)
		printf("%10lu  %-8s  %5.1f %%\n", x->ways[i], way_names[i],
		       x->insns ? 100.0 * x->ways[i] / x->insns : 0);
	for (i = 0; i < NR_REFUSALS; i++)
		if (x->refused[i])
			printf("%12lu  %s\n", x->refused[i], x->refusals[i]);
}

/* ---- command line ----------------------------------------------------------------- */

enum { OPT_HEX = 256, OPT_ARCH, OPT_STATS, OPT_FORMAT };

static const struct argp_option options[] = {
	{ "hex", OPT_HEX, "BYTES", 0,
	  "instructions as hexadecimal bytes, in the order of memory", 0 },
	{ "arch", OPT_ARCH, "NAME", 0, "of the bytes: x86-64 (default)", 0 },
	{ "stats", OPT_STATS, NULL, 0, "print counts only", 0 },
	{ "format", OPT_FORMAT, "text|json", 0,
	  "what to print; json is one object a line", 0 },
	{ 0 }
};

static void arch(struct argp_state *state, const char *name, struct insn *x)
{
	if (!strcmp(name, arch_x86_64.name))
		x->arch = &arch_x86_64;
	else if (!strcmp(name, "arm64"))
		argp_error(state, "arm64 is not supported yet; use x86-64");
	else
		argp_error(state, "'%s': the architecture is x86-64", name);
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
	"FILE[:SYMBOL]\n--hex BYTES",
	"Show what a probe would do with each instruction, and why: emulate "
	"it, step a copy of it (+fix: more than ip is put right around the "
	"step), or refuse. FILE alone is all its functions.\v"
	"  trapline insn libc.so.6:getpid\n"
	"  trapline insn --hex 'c5 fd 74 c1'\n"
	"  trapline insn --stats libcrypto.so.3\n\n"
	"Exit status: 0, also if instructions are refused; 2 usage.",
	NULL,
	NULL,
	NULL
};

int cmd_insn(int argc, char **argv)
{
	struct insn x = { .arch = &arch_x86_64 };
	int status;

	argp_err_exit_status = CMD_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &x);
	status = x.hex ? insn_hex(&x) : insn_elf(&x);
	if (!status && x.stats)
		stats(&x);
	args_free(&x.args);
	return status;
}
