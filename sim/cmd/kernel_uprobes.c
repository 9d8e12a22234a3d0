// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel_uprobes.c - doctor's try of the kernel's own uprobes, through tracefs.
 *
 * What tests compare trapline with. One probe on a function of ours, in a trace
 * buffer of its own; one call; the kernel's count must be one.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor.h"

static const char *const roots[] = { "/sys/kernel/tracing",
				     "/sys/kernel/debug/tracing" };

/* Event files take one command a write, and must not be truncated. */
static bool put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_APPEND | O_CLOEXEC), err;
	bool good = fd >= 0 &&
		    write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	err = errno;
	if (fd >= 0)
		close(fd);
	errno = err;
	return good;
}

/* Where the kernel's breakpoint goes. */
__attribute__((noinline)) static void probed(void)
{
	__asm__ volatile("nop" ::: "memory");
}

static int find_offset(struct dl_phdr_info *info, size_t size, void *arg)
{
	unsigned long at = (unsigned long)probed - info->dlpi_addr;
	const ElfW(Phdr) * ph;

	for (ph = info->dlpi_phdr; ph < info->dlpi_phdr + info->dlpi_phnum;
	     ph++) {
		if (ph->p_type != PT_LOAD || at - ph->p_vaddr >= ph->p_filesz)
			continue;
		*(unsigned long *)arg = at - ph->p_vaddr + ph->p_offset;
		return 1;
	}
	return 1; /* the first is the program, and it is not there */
}

struct event {
	const char *root;
	char name[48], file[128];
};

static bool define(struct event *e)
{
	char exe[PATH_MAX] = "", text[PATH_MAX + 128];
	unsigned long offset = 0;

	if (readlink("/proc/self/exe", exe, sizeof(exe) - 1) < 0)
		return false;
	dl_iterate_phdr(find_offset, &offset);
	snprintf(text, sizeof(text), "p:%s/%s %s:0x%lx", e->name, e->name, exe,
		 offset);
	snprintf(e->file, sizeof(e->file), "%s/uprobe_events", e->root);
	return put(e->file, text);
}

/* The kernel's count of it; -1 if it is not listed. */
static long hits(const struct event *e)
{
	char file[128], line[PATH_MAX + 128], name[64];
	long n = -1, seen;
	FILE *f;

	snprintf(file, sizeof(file), "%s/uprobe_profile", e->root);
	f = fopen(file, "re");
	while (f && n < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %63s %ld", name, &seen) == 2 &&
		    !strcmp(name, e->name))
			n = seen;
	if (f)
		fclose(f);
	return n;
}

/* Enable, call, count, disable. */
static long count_one(const struct event *e)
{
	char dir[128], enable[256];
	long n = -1;

	snprintf(dir, sizeof(dir), "%s/instances/%s", e->root, e->name);
	snprintf(enable, sizeof(enable), "%s/events/%s/%s/enable", dir, e->name,
		 e->name);
	if (mkdir(dir, 0700))
		return -1;
	if (put(enable, "1")) {
		probed();
		n = hits(e);
		put(enable, "0");
	}
	rmdir(dir);
	return n;
}

void doctor_uprobes(struct finding *f)
{
	struct event e = { 0 };
	unsigned int i;
	char text[128];
	long n;

	for (i = 0; i < sizeof(roots) / sizeof(*roots) && !e.root; i++) {
		snprintf(text, sizeof(text), "%s/uprobe_events", roots[i]);
		if (!access(text, F_OK))
			e.root = roots[i];
	}
	if (!e.root) {
		found(f, FAILS,
		      "no uprobe_events in /sys/kernel/tracing; as root: mount "
		      "-t tracefs tracefs /sys/kernel/tracing (only for "
		      "comparison with the kernel)");
		return;
	}
	snprintf(e.name, sizeof(e.name), "trapline_doctor_%d", getpid());
	if (!define(&e)) {
		found(f, FAILS,
		      "%s: %s; be root (only for comparison with the kernel)",
		      e.file, strerror(errno));
		return;
	}
	n = count_one(&e);
	snprintf(text, sizeof(text), "-:%s/%s", e.name, e.name);
	if (!put(e.file, text))
		found(f, LIMITED, "%s stays defined: %s; write '%s' to %s",
		      e.name, strerror(errno), text, e.file);
	else if (n == 1)
		found(f, WORKS, "the kernel counted one hit in %s", e.root);
	else
		found(f, FAILS,
		      "defined, but not hit; look at the kernel's messages "
		      "(only for comparison with the kernel)");
}
