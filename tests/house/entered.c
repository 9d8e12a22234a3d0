// SPDX-License-Identifier: GPL-2.0-only
/*
 * entered.c - which functions of the model a program entered.
 *
 * Linked into trapline with a model compiled with -finstrument-functions. At
 * exit a line "FILE FUNCTION" for each of them is appended to the file that
 * the variable ENTERED names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo.h"

#define ROOM 4096 /* far more than there are functions */

static uintptr_t entered[ROOM];

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

/* Where an address is in the table, or belongs. */
static uintptr_t *slot(uintptr_t at)
{
	size_t i = at / 16 % ROOM;

	while (entered[i] && entered[i] != at)
		i = (i + 1) % ROOM;
	return &entered[i];
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
	*slot((uintptr_t)function) = (uintptr_t)function;
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
}

static void write_one(void *to, const struct debuginfo_function *f)
{
	size_t n = strlen(TRAPLINE_SOURCE_DIR "/");

	if (*slot(f->low) && !strncmp(f->file, TRAPLINE_SOURCE_DIR "/", n))
		fprintf(to, "%s %s\n", f->file + n, f->name);
}

__attribute__((destructor)) static void write_entered(void)
{
	const char *path = getenv("ENTERED");
	FILE *to = path ? fopen(path, "ae") : NULL;

	if (!to)
		return;
	debuginfo_functions(write_one, to);
	fclose(to);
}
