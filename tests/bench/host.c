// SPDX-License-Identifier: GPL-2.0-only
/*
 * host.c - where something is measured: which core, and of what.
 */
#include "host.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* The last core: the first often has the interrupts. */
int host_pin(void)
{
	cpu_set_t set;
	int core = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	while (core > 0 && !CPU_ISSET(core, &set))
		core--;
	CPU_ZERO(&set);
	CPU_SET(core, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -1 : core;
}

bool host_before_others(void)
{
	struct sched_param least = { .sched_priority = 1 };

	return !sched_setscheduler(0, SCHED_FIFO, &least);
}

const char *host_processor(void)
{
	static char line[256];
	FILE *f = fopen("/proc/cpuinfo", "re");
	char *name = NULL;

	while (f && !name && fgets(line, sizeof(line), f))
		if (!strncmp(line, "model name", 10))
			name = strchr(line, ':');
	if (f)
		fclose(f);
	if (!name)
		return "unknown processor";
	name[strcspn(name, "\n")] = '\0';
	return name + 2;
}

const char *host_kernel(void)
{
	static struct utsname u;

	return uname(&u) ? "unknown" : u.release;
}
