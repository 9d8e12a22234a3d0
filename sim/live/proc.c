// SPDX-License-Identifier: GPL-2.0-only
/*
 * proc.c - numbers that the kernel tells of a task whether it is stopped or not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracee.h"

unsigned long live_proc_number(pid_t tid, const char *key, int base)
{
	char name[64], line[256];
	unsigned long value = 0;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/status", tid);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			value = strtoul(line + strlen(key), NULL, base);
	if (f)
		fclose(f);
	return value;
}
