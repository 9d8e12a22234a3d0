// SPDX-License-Identifier: GPL-2.0-only
/*
 * elf_text.c - walk the search table of libc's unwind information (the
 * .eh_frame_hdr of the Linux Standard Base) with libelf.
 */
#define _GNU_SOURCE
#include "elf_text.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

/* The one layout that binutils writes for x86-64. */
struct eh_frame_hdr {
	unsigned char version, ptr_enc, count_enc, table_enc;
	int eh_frame;
	unsigned int count;
	struct {
		int start, fde; /* from the address of the header */
	} table[];
};

struct fde {
	unsigned int length, cie;
	int start; /* from its own address */
	unsigned int size;
};

static int find_libc(struct dl_phdr_info *info, size_t size, void *path)
{
	if (!strstr(info->dlpi_name, "/libc.so"))
		return 0;
	strncpy(path, info->dlpi_name, 255);
	return 1;
}

/* Contents at an address of the file, with at least n bytes, or NULL. */
static const void *at(Elf *elf, unsigned long addr, size_t n)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		gelf_getshdr(scn, &sh);
		if (sh.sh_flags & SHF_ALLOC && sh.sh_type != SHT_NOBITS &&
		    addr >= sh.sh_addr && n <= sh.sh_size &&
		    addr - sh.sh_addr <= sh.sh_size - n)
			return (char *)elf_getdata(scn, NULL)->d_buf +
			       (addr - sh.sh_addr);
	}
	return NULL;
}

static int walk(Elf *elf, unsigned long base, const struct eh_frame_hdr *hdr,
		void (*fn)(unsigned long, const unsigned char *, size_t,
			   void *),
		void *arg)
{
	if (hdr->version != 1 || hdr->count_enc != 0x03 ||
	    hdr->table_enc != 0x3b)
		return -1;
	for (unsigned int i = 0; i < hdr->count; i++) {
		unsigned long start = base + hdr->table[i].start;
		unsigned long fde_at = base + hdr->table[i].fde;
		const struct fde *fde = at(elf, fde_at, sizeof(*fde));
		const unsigned char *code;

		if (!fde || fde_at + 8 + fde->start != start)
			return -1;
		code = at(elf, start, fde->size);
		if (!code)
			return -1;
		fn(start, code, fde->size, arg);
	}
	return hdr->count;
}

int elf_text_libc(void (*fn)(unsigned long, const unsigned char *, size_t,
			     void *),
		  void *arg)
{
	char path[256] = "";
	int fd, calls = -1;
	size_t n = 0;
	Elf *elf;

	if (!dl_iterate_phdr(find_libc, path))
		return -1;
	elf_version(EV_CURRENT);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;

		gelf_getphdr(elf, (int)i, &ph);
		if (ph.p_type == PT_GNU_EH_FRAME)
			calls = walk(elf, ph.p_vaddr, at(elf, ph.p_vaddr, 12),
				     fn, arg);
	}
	elf_end(elf);
	close(fd);
	return calls;
}
