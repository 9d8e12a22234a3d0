/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf_text.h - the machine code of the C library that the test runs with.
 */
#ifndef TESTS_ARCH_ELF_TEXT_H
#define TESTS_ARCH_ELF_TEXT_H

#include <stddef.h>

/*
 * Call fn for every function of the loaded C library, as its unwind table
 * lists them (so static ones too, without debug information), with its
 * address in the file and its bytes. Returns the number of calls, negative on
 * error.
 */
int elf_text_libc(void (*fn)(unsigned long addr, const unsigned char *code,
			     size_t size, void *arg),
		  void *arg);

#endif /* TESTS_ARCH_ELF_TEXT_H */
