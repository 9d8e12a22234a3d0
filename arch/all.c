// SPDX-License-Identifier: GPL-2.0-only
/*
 * all.c - the architectures there are, by name and by ELF's number, and what is
 * the same in all of them.
 */
#include <string.h>

#include "arch.h"

const struct arch_ops *const arch_all[] = { &arch_x86_64, &arch_arm64, NULL };

#ifdef __aarch64__
const struct arch_ops *const arch_native = &arch_arm64;
#else
const struct arch_ops *const arch_native = &arch_x86_64;
#endif

const struct arch_ops *arch_by_name(const char *name)
{
	const struct arch_ops *const *a = arch_all;

	while (*a && strcmp((*a)->name, name))
		a++;
	return *a;
}

const struct arch_ops *arch_by_machine(unsigned int machine)
{
	const struct arch_ops *const *a = arch_all;

	while (*a && (*a)->machine != machine)
		a++;
	return *a;
}

void arch_loaded(struct arch_effect *effect, unsigned long val)
{
	unsigned int shift = 64 - 8 * effect->size;

	val <<= shift;
	val = effect->load_signed ? (unsigned long)((long)val >> shift)
				  : val >> shift;
	if (effect->load_to >= 0)
		((unsigned long *)&effect->regs)[effect->load_to] = val;
}
