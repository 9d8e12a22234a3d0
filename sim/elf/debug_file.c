// SPDX-License-Identifier: GPL-2.0-only
/*
 * debug_file.c - symbols that a distribution keeps in a package of their own.
 *
 * The file is found by the build id that both have; its addresses are those of
 * the stripped one.
 */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "elf_file.h"

#define FOLDER "/usr/lib/debug/.build-id"

Elf *elf_debug_file(Elf *elf, int *fd)
{
	char path[sizeof(FOLDER) + 2 * 64 + 16];
	const unsigned char *id;
	const void *bits;
	ssize_t i, n = dwelf_elf_gnu_build_id(elf, &bits);
	int at;

	if (n < 2 || n > 64)
		return NULL;
	id = bits;
	at = sprintf(path, FOLDER "/%02x/", id[0]);
	for (i = 1; i < n; i++)
		at += sprintf(path + at, "%02x", id[i]);
	sprintf(path + at, ".debug");
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return NULL;
	return elf_begin(*fd, ELF_C_READ_MMAP, NULL);
}
