/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf_file.h - an open ELF file; private to this folder.
 */
#ifndef SIM_ELF_ELF_FILE_H
#define SIM_ELF_ELF_FILE_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "symbols.h"

struct symbols {
	int fd;
	Elf *elf;
	struct stat st;
	unsigned int machine;
	struct symbol *sym;
	unsigned int nr;
	Elf *debug; /* see symbols_add_debug */
	int debug_fd;
	struct symbol_text *text; /* NULL: not asked for yet */
	unsigned int nr_text;
	struct Dwarf_CFI_s *cfi; /* likewise */
};

/* As for qsort: the plainer of two names first. */
int elf_plainer(const char *a, const char *b);

/*
 * The loaded segment with that address (flag 0), or the one with that offset in
 * the file and flag PF_X or PF_W; or NULL.
 */
const GElf_Phdr *elf_segment(Elf *elf, unsigned long at, unsigned int flag,
			     GElf_Phdr *ph);

/*
 * The file with the symbols that were stripped from this one, or NULL. *fd is -1
 * or open; the caller ends both.
 */
Elf *elf_debug_file(Elf *elf, int *fd);

#endif /* SIM_ELF_ELF_FILE_H */
