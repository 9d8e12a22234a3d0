// SPDX-License-Identifier: GPL-2.0-only
/*
 * own_unwinder.c - does a program walk its stack by means that nobody can find?
 *
 * A program that handles exceptions names the unwinder: imports it, or has it,
 * and then its symbol table says where, unless that is gone. Libraries are not
 * asked: they leave it to the program (libc loads one when it needs it).
 */
#include <string.h>

#include "elf_file.h"

static bool has_section(Elf *elf, const char *wanted)
{
	Elf_Scn *scn = NULL;
	const char *name;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		name = gelf_getshdr(scn, &sh)
			       ? elf_strptr(elf, names, sh.sh_name)
			       : NULL;
		if (name && !strcmp(name, wanted))
			return true;
	}
	return false;
}

static bool names_in(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh,
		     const char *prefix)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *name;
	GElf_Sym sym;
	int i;

	for (i = 1; data && gelf_getsym(data, i, &sym); i++) {
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (name && !strncmp(name, prefix, strlen(prefix)))
			return true;
	}
	return false;
}

/* Also one that is only imported. */
static bool names_symbol(Elf *elf, const char *prefix)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) &&
		    (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM) &&
		    names_in(elf, scn, &sh, prefix))
			return true;
	return false;
}

static bool is_library(Elf *elf)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	GElf_Dyn dyn;
	int i;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(scn, NULL);
		for (i = 0; data && gelf_getdyn(data, i, &dyn); i++)
			if (dyn.d_tag == DT_SONAME)
				return true;
	}
	return false;
}

const char *symbols_own_unwinder(struct symbols *s)
{
	if (has_section(s->elf, ".gopclntab"))
		return "it is a Go program, which walks and moves its stacks "
		       "itself";
	if (has_section(s->elf, ".gcc_except_table") &&
	    !names_symbol(s->elf, "_Unwind_") && !is_library(s->elf))
		return "it handles exceptions, and no symbol tells where its "
		       "unwinder is";
	return NULL;
}
