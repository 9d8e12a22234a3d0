// SPDX-License-Identifier: GPL-2.0-only
/*
 * externals.c - refuse by name what a scenario cannot be followed into.
 *
 * Whatever libc does to the program's memory, to threads and to processes happens
 * behind the explorer's back: executions would share it, or not be all there are.
 * So what is left undefined after compiling must be ours, or on a short list of
 * functions that only compute.
 */
#include "externals.h"

#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * They only compute. The compiler copies and clears large structures by memcpy and
 * its kin; programs that say these names call ours (trapline/plain.h).
 */
static const char *const allowed[] = {
	"abs",	  "labs",    "llabs",  "memcpy",
	"memset", "memmove", "memcmp", "_GLOBAL_OFFSET_TABLE_",
};

static const char *const ours[] = { "trapline_", "__tsan_", "__sanitizer_cov_",
				    "__VERIFIER_", "sim_" };

struct names {
	char **v;
	size_t n;
};

static void add(struct names *l, const char *name)
{
	l->v = reallocarray(l->v, l->n + 1, sizeof(*l->v));
	if (!l->v || !(l->v[l->n++] = strdup(name)))
		abort();
}

static bool has(const struct names *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i], name))
			return true;
	return false;
}

static void free_names(struct names *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i]);
	free(l->v);
}

static bool is_ours(const char *name)
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (!strncmp(name, ours[i], strlen(ours[i])))
			return true;
	return false;
}

static bool is_allowed(const char *name)
{
	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++)
		if (!strcmp(name, allowed[i]))
			return true;
	return false;
}

struct scan {
	struct names defined, wanted;
	struct names supplied; /* by our archives */
	char *thread_local_name;
};

static void scan_symbols(struct scan *s, Elf *elf, Elf_Scn *scn,
			 const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;

	for (size_t i = 1; data && i < n; i++) {
		GElf_Sym sym;
		const char *name;

		if (!gelf_getsym(data, i, &sym) ||
		    !(name = elf_strptr(elf, sh->sh_link, sym.st_name)))
			continue;
		if (GELF_ST_TYPE(sym.st_info) == STT_TLS &&
		    !s->thread_local_name)
			s->thread_local_name = strdup(name);
		if (GELF_ST_BIND(sym.st_info) == STB_LOCAL || !*name)
			continue;
		add(sym.st_shndx == SHN_UNDEF ? &s->wanted : &s->defined, name);
	}
}

static bool scan_object(struct scan *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (elf && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			scan_symbols(s, elf, scn, &sh);
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return elf != NULL;
}

/* Kernel code that is compiled for the explorer, unlike the explorer itself. */
static bool is_instrumented(const char *path)
{
	const char *name = strrchr(path, '/');

	return strstr(name, "_explore.a") &&
	       strcmp(name, "/libtrapline_explore.a");
}

static bool scan_archive(struct scan *s, const char *path, bool kernel_style)
{
	bool all = kernel_style && is_instrumented(path);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	size_t n = 0;
	Elf_Arsym *sym = elf ? elf_getarsym(elf, &n) : NULL;

	for (size_t i = 0; sym && i < n; i++)
		if (sym[i].as_name && (all || is_ours(sym[i].as_name)))
			add(&s->supplied, sym[i].as_name);
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return sym != NULL;
}

static void refuse_call(const char *name, const char *called)
{
	if (!strncmp(called, "__tsan_atomic128", 16))
		err("%s has an atomic access to 16 bytes; the explorer knows "
		    "those to 1, 2, 4 and 8",
		    name);
	else
		err("%s calls '%s', which none of its files has and the "
		    "explorer cannot follow; sim/include/trapline/plain.h "
		    "lists what it can",
		    name, called);
}

static bool judge(const struct scan *s, const char *name)
{
	if (s->thread_local_name) {
		err("%s: '%s' is thread-local; the explorer runs all threads "
		    "on one, so give each thread a variable of its own",
		    name, s->thread_local_name);
		return false;
	}
	for (size_t i = 0; i < s->wanted.n; i++) {
		const char *called = s->wanted.v[i];

		if (is_allowed(called) || has(&s->defined, called) ||
		    has(&s->supplied, called))
			continue;
		refuse_call(name, called);
		return false;
	}
	return true;
}

bool externals_allowed(const struct args *objects, const struct args *archives,
		       bool kernel_style, const char *name)
{
	struct scan s = { 0 };
	bool good = true;

	elf_version(EV_CURRENT);
	for (size_t i = 0; good && i < objects->n; i++) {
		good = scan_object(&s, objects->v[i]);
		if (!good)
			err("cannot read the object file of %s", name);
	}
	for (size_t i = 0; good && i < archives->n; i++) {
		good = scan_archive(&s, archives->v[i], kernel_style);
		if (!good)
			err("cannot read the symbols of %s", archives->v[i]);
	}
	good = good && judge(&s, name);
	free_names(&s.defined);
	free_names(&s.wanted);
	free_names(&s.supplied);
	free(s.thread_local_name);
	return good;
}
