// SPDX-License-Identifier: GPL-2.0-only
/*
 * mm.c - address spaces and probed files, as the model is told of them.
 *
 * The model learns of executable private mappings, and of writable ones if there
 * are reference counters in the file. The kernel also puts breakpoints into
 * mappings made for reading; a program that looks at its own library's file
 * would see them there, and nothing would be gained.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tracee.h"

/* ---- files -------------------------------------------------------------------- */

static int read_file(void *priv, unsigned long off, void *to, unsigned long n)
{
	struct live_file *f = priv;
	ssize_t got;

	do {
		got = pread(f->fd, to, n, off);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	/* The page cache shows zeros behind the end of a file. */
	memset((char *)to + got, 0, n - got);
	return 0;
}

static struct live_file *find_file(dev_t dev, ino_t ino)
{
	struct live_file *f;

	for (f = live.files; f; f = f->next)
		if (f->dev == dev && f->ino == ino)
			return f;
	return NULL;
}

struct live_file *live_file_get(const char *path)
{
	struct live_file *f;
	struct stat st;
	/* Not a pipe that has come in the file's place. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st))
		goto fail;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		goto fail;
	}
	f = find_file(st.st_dev, st.st_ino);
	if (f) {
		close(fd);
		return f;
	}
	f = calloc(1, sizeof(*f));
	if (!f)
		goto fail;
	f->fd = fd;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->inode = sim_inode_new(f, st.st_size, read_file);
	if (!f->inode) {
		free(f);
		errno = ENOMEM;
		goto fail;
	}
	f->next = live.files;
	live.files = f;
	return f;
fail:
	close(fd);
	return NULL;
}

/* ---- /proc/PID/maps ------------------------------------------------------------ */

FILE *live_map_open(pid_t tid)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/maps", tid);
	return fopen(name, "re");
}

bool live_map_next(FILE *maps, struct live_map *map)
{
	unsigned int major, minor;
	char line[4352];
	int at = 0;

	if (!fgets(line, sizeof(line), maps))
		return false;
	if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &map->start, &map->end,
		   map->perms, &map->off, &major, &minor, &map->ino, &at) < 7)
		return false;
	map->dev = makedev(major, minor);
	snprintf(map->path, sizeof(map->path), "%.*s",
		 (int)strcspn(line + at, "\n"), line + at);
	return true;
}

/* On a stacked file system the map names another device than stat does. */
static struct live_file *file_of(const struct live_map *map)
{
	struct live_file *f = find_file(map->dev, map->ino);
	struct stat st;

	if (!f && *map->path == '/' && !stat(map->path, &st))
		f = find_file(st.st_dev, st.st_ino);
	return f;
}

static bool has(const struct live_vma *list, unsigned int n,
		const struct live_vma *v)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (list[i].start == v->start && list[i].end == v->end &&
		    list[i].off == v->off && list[i].file == v->file &&
		    list[i].flags == v->flags)
			return true;
	return false;
}

static bool matters(const struct live_map *map, const struct live_file *f)
{
	return map->perms[2] == 'x' || (map->perms[1] == 'w' && f->counted);
}

/* False: the task is going and has no mappings to show. */
static bool read_maps(pid_t tid, struct live_vma **out, unsigned int *n)
{
	struct live_vma *list = NULL, *bigger;
	FILE *maps = live_map_open(tid);
	struct live_map map;
	struct live_file *f;
	bool any = false;

	*n = 0;
	while (maps && live_map_next(maps, &map)) {
		any = true;
		if (map.perms[3] != 'p' || !map.ino)
			continue;
		live_unwinder_map(&map);
		f = file_of(&map);
		if (!f || !matters(&map, f))
			continue;
		bigger = realloc(list, (*n + 1) * sizeof(*list));
		if (!bigger)
			break;
		list = bigger;
		list[(*n)++] = (struct live_vma){
			.start = map.start,
			.end = map.end,
			.off = map.off,
			.file = f,
			.flags = (map.perms[0] == 'r' ? SIM_VM_READ : 0) |
				 (map.perms[1] == 'w' ? SIM_VM_WRITE : 0) |
				 (map.perms[2] == 'x' ? SIM_VM_EXEC : 0),
		};
	}
	if (maps)
		fclose(maps);
	*out = list;
	return any;
}

/*
 * v is no more, but pieces of it may be: mprotect splits a mapping, and what was
 * written there stays; mremap takes it along.
 */
static void forget(struct live_mm *mm, const struct live_vma *v)
{
	unsigned long at = v->start;
	const struct live_vma *w;

	for (w = mm->vma; w < mm->vma + mm->nr_vma; w++)
		live_patch_moved(mm, v, w);
	for (w = mm->vma; w < mm->vma + mm->nr_vma; w++) {
		if (w->file != v->file || w->end <= at || w->start >= v->end ||
		    w->start - w->off != v->start - v->off)
			continue;
		live_patch_forget(mm, at, w->start);
		at = w->end;
	}
	live_patch_forget(mm, at, v->end);
}

/* ---- address spaces -------------------------------------------------------------- */

struct live_mm *live_mm_new(pid_t tid)
{
	struct live_mm *mm = calloc(1, sizeof(*mm));
	char name[64];

	if (!mm)
		return NULL;
	snprintf(name, sizeof(name), "/proc/%d/mem", tid);
	mm->mem = open(name, O_RDWR | O_CLOEXEC);
	if (mm->mem < 0)
		goto fail;
	mm->users = 1;
	mm->mm = sim_mm_new(arch_native, mm);
	if (mm->mm)
		return mm;
	close(mm->mem);
	errno = ENOMEM;
fail:
	free(mm);
	return NULL;
}

void live_mm_get(struct live_mm *mm)
{
	mm->users++;
}

void live_mm_put(struct live_mm *mm)
{
	unsigned int i;

	if (--mm->users)
		return;
	for (i = 0; i < mm->nr_vma; i++)
		sim_vma_del(mm->mm, mm->vma[i].start, mm->vma[i].end);
	live_unwind_free(mm);
	sim_mm_put(mm->mm);
	close(mm->mem);
	live_jump_free(mm);
	free(mm->vma);
	free(mm->patch);
	free(mm->counter);
	free(mm);
}

void live_mm_scan(struct live_mm *mm, pid_t tid)
{
	struct live_vma *old, *now;
	unsigned int i, nr_old, n;

	sim_lock(&mm->scan, SIM_MUTEX, 0);
	mm->rescan = false;
	mm->scans++;
	if (!read_maps(tid, &now, &n))
		goto out;
	old = mm->vma;
	nr_old = mm->nr_vma;
	mm->vma = now;
	mm->nr_vma = n;
	for (i = 0; i < nr_old; i++)
		if (!has(now, n, &old[i])) {
			sim_vma_del(mm->mm, old[i].start, old[i].end);
			forget(mm, &old[i]);
		}
	for (i = 0; i < n; i++)
		if (!has(old, nr_old, &now[i]))
			sim_vma_add(mm->mm, now[i].file->inode, now[i].start,
				    now[i].end, now[i].off, now[i].flags);
	free(old);
out:
	sim_unlock(&mm->scan, SIM_MUTEX, 0);
}

bool live_mm_overlaps(const struct live_mm *mm, unsigned long start,
		      unsigned long n)
{
	unsigned int i;

	for (i = 0; i < mm->nr_vma; i++)
		if (mm->vma[i].end > start && mm->vma[i].start < start + n)
			return true;
	return false;
}

void live_mm_find(struct live_mm *mm, pid_t tid, unsigned long addr)
{
	bool known;

	/* A scan that is under way comes to its end. */
	sim_lock(&mm->scan, SIM_MUTEX, 0);
	/* Or the trampoline. */
	known = addr == mm->xol || live_mm_overlaps(mm, addr, 1);
	sim_unlock(&mm->scan, SIM_MUTEX, 0);
	if (!known)
		live_mm_scan(mm, tid);
}
