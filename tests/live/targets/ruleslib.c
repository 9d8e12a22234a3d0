// SPDX-License-Identifier: GPL-2.0-only
/*
 * ruleslib.c - asks, as a library, what libc answers by who asks; see rules.c.
 */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

int finds_itself(void)
{
	volatile int yes = dlopen("$ORIGIN/librules.so", RTLD_NOW) != NULL;

	return yes;
}

int finds_itself_in_base(void)
{
	volatile int yes = dlmopen(LM_ID_BASE, "$ORIGIN/librules.so",
				   RTLD_NOW) != NULL;

	return yes;
}

static int is_us(struct dl_phdr_info *info, size_t size, void *found)
{
	unsigned long us = (unsigned long)finds_itself, from;
	int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		if (info->dlpi_phdr[i].p_type == PT_LOAD && us >= from &&
		    us - from < info->dlpi_phdr[i].p_memsz)
			*(int *)found = 1;
	}
	return 0;
}

int is_in_its_list(void)
{
	int found = 0;

	dl_iterate_phdr(is_us, &found);
	return found;
}
