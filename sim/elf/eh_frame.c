// SPDX-License-Identifier: GPL-2.0-only
/*
 * eh_frame.c - the unwind information itself, for files without a search table.
 *
 * That is how GCC links static programs. The format is that of the Linux
 * Standard Base; libdw takes it apart, but for how addresses are written: here
 * as all assemblers for x86-64 do, relative to where they stand.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "elf_file.h"

#define RELATIVE (DW_EH_PE_pcrel | DW_EH_PE_sdata4)

static Elf_Data *eh_frame(Elf *elf, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, sh) || sh->sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, sh->sh_name);
		if (name && !strcmp(name, ".eh_frame"))
			return elf_rawdata(scn, NULL);
	}
	return NULL;
}

/* Does this CIE say that its FDEs have addresses as we read them? */
static bool is_relative(const Dwarf_CIE *cie)
{
	/* The encoding comes last of what has data; S has none. */
	return cie->augmentation[0] == 'z' && strchr(cie->augmentation, 'R') &&
	       cie->augmentation_data_size &&
	       cie->augmentation_data[cie->augmentation_data_size - 1] ==
		       RELATIVE;
}

static bool cie_is_relative(Elf *elf, Elf_Data *data, Dwarf_Off at)
{
	const unsigned char *ident = (const unsigned char *)elf_getident(elf,
									 NULL);
	Dwarf_CFI_Entry e;
	Dwarf_Off next;

	return !dwarf_next_cfi(ident, data, true, at, &next, &e) &&
	       dwarf_cfi_cie_p(&e) && is_relative(&e.cie);
}

static int by_start(const void *a, const void *b)
{
	const struct symbol_frame *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

struct symbol_frame *symbols_frames(struct symbols *s, unsigned int *nr)
{
	const unsigned char *ident = (const unsigned char *)elf_getident(s->elf,
									 NULL);
	struct symbol_frame *f, *bigger;
	Dwarf_Off at, next = 0;
	Dwarf_CFI_Entry e;
	Elf_Data *data;
	GElf_Shdr sh;
	int range[2];

	*nr = 0;
	f = malloc(sizeof(*f));
	data = eh_frame(s->elf, &sh);
	while (f && data && next < data->d_size) {
		at = next;
		if (dwarf_next_cfi(ident, data, true, at, &next, &e))
			break;
		if (dwarf_cfi_cie_p(&e) ||
		    e.fde.end - e.fde.start < (long)sizeof(range) ||
		    !cie_is_relative(s->elf, data, e.fde.CIE_pointer))
			continue;
		if (!(*nr & (*nr + 1))) {
			bigger = realloc(f, 2 * (*nr + 1) * sizeof(*f));
			if (!bigger)
				break;
			f = bigger;
		}
		memcpy(range, e.fde.start, sizeof(range));
		f[*nr].start =
			sh.sh_addr +
			(e.fde.start - (const unsigned char *)data->d_buf) +
			range[0];
		f[*nr].size = (unsigned int)range[1];
		f[(*nr)++].fde = sh.sh_addr + at;
	}
	if (f)
		qsort(f, *nr, sizeof(*f), by_start);
	return f;
}
