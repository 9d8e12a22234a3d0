// SPDX-License-Identifier: GPL-2.0-only
/*
 * linker.c - see libraries when they are mapped, not later.
 *
 * The dynamic linker has a function for debuggers, which it calls before and
 * after it changes what is mapped; a probe of our own sits there. In between,
 * the program also stops at system calls, so that a library's text is probed
 * before the first instruction of it runs (resolvers and initialisers do). A
 * linker without that function is watched all the time. What a program maps by
 * itself is seen where it stops at system calls anyhow (sigtrap.c).
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine.h"
#include "symbols.h"
#include "tracee.h"

/* On the task's fibre, in the probe's handler: scan when that is over. */
static void notified(void *arg, struct pt_regs *regs)
{
	live_self()->mm->rescan = true;
}

static void read_auxv(pid_t tid, unsigned long *base, unsigned long *entry)
{
	Elf64_auxv_t aux[64];
	char name[64];
	ssize_t n = 0;
	int fd, i;

	snprintf(name, sizeof(name), "/proc/%d/auxv", tid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, aux, sizeof(aux));
		close(fd);
	}
	for (i = 0; i < n / (ssize_t)sizeof(*aux); i++) {
		if (aux[i].a_type == AT_BASE)
			*base = aux[i].a_un.a_val;
		if (aux[i].a_type == AT_ENTRY)
			*entry = aux[i].a_un.a_val;
	}
}

static bool path_of(pid_t tid, unsigned long addr, char *path)
{
	FILE *maps = live_map_open(tid);
	struct live_map map;
	bool found = false;

	while (maps && !found && live_map_next(maps, &map))
		found = map.start <= addr && addr < map.end;
	if (maps)
		fclose(maps);
	if (found)
		strcpy(path, map.path);
	return found;
}

/* True if `path`, loaded at `base`, tells of its changes from now on. */
static bool subscribe(struct live_mm *mm, const char *path, unsigned long base)
{
	struct symbol point, debug;
	struct live_file *file = live_file_get(path);
	struct symbols *syms = file ? symbols_open(path) : NULL;
	bool known = false;
	int err = 0;

	if (!syms)
		return false;
	if (symbols_find(syms, "_dl_debug_state", &point)) {
		if (!file->linker_probe)
			file->linker_probe =
				sim_probe_add(file->inode, point.offset, 0,
					      notified, NULL, NULL, &err);
		known = file->linker_probe;
	}
	if (base && symbols_find(syms, "_r_debug", &debug))
		mm->r_state = base + debug.addr +
			      offsetof(struct r_debug, r_state);
	symbols_close(syms);
	return known;
}

void live_linker_start(struct live_task *t)
{
	unsigned long base = 0, entry = 0;
	char path[4096];

	read_auxv(t->tid, &base, &entry);
	/* A static program maps no library; or it is a linker, run by hand. */
	if (!path_of(t->tid, base ? base : entry, path))
		return;
	if (!subscribe(t->mm, path, base))
		t->mm->r_state = 0;
	t->mm->watch = base != 0;
}

void live_linker_update(struct live_task *t)
{
	int state;

	live_mm_scan(t->mm, t->tid);
	if (t->mm->r_state &&
	    !machine_read(t->mm->mm, t->mm->r_state, &state, sizeof(state)))
		t->mm->watch = state != RT_CONSISTENT;
}

/*
 * Text that comes or goes by itself. The linker's may come in pieces, which get
 * their rights later.
 */
static bool changes_text(const struct live_mm *mm, const struct live_call *c,
			 unsigned long result)
{
	bool exec = mm->watch || c->arg[2] & PROT_EXEC;

	switch (c->nr) {
	case SYS_mmap:
		return exec || live_mm_overlaps(mm, result, c->arg[1]);
	case SYS_mprotect:
	case SYS_pkey_mprotect:
		return exec || live_mm_overlaps(mm, c->arg[0], c->arg[1]);
	case SYS_munmap:
		return mm->watch || live_mm_overlaps(mm, c->arg[0], c->arg[1]);
	case SYS_mremap:
		return mm->watch ||
		       live_mm_overlaps(mm, c->arg[0], c->arg[1]) ||
		       live_mm_overlaps(mm, result, c->arg[2]);
	case -1:
		return true;
	}
	return false;
}

void live_linker_syscall(struct live_task *t, unsigned long result)
{
	if (changes_text(t->mm, &t->call, result))
		live_mm_scan(t->mm, t->tid);
}
