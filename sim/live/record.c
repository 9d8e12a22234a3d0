// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - the piece of shared memory itself.
 */
#include "record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[16] = "trapline rec 1\n";

static const char *name_of(pid_t pid)
{
	static char name[64];

	snprintf(name, sizeof(name), "/trapline.%d", pid);
	return name;
}

/* In clock ticks since boot: with it a pid is unique. 0 if there is none. */
static unsigned long started(pid_t pid)
{
	unsigned long t = 0;
	char path[64], line[1024];
	const char *p = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (f && fgets(line, sizeof(line), f))
		p = strrchr(line, ')');
	if (f)
		fclose(f);
	if (p)
		sscanf(p + 1,
		       " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u "
		       "%*d %*d %*d %*d %*d %*d %lu",
		       &t);
	return t;
}

static struct record *map(int fd)
{
	struct record *r = mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_NORESERVE, fd, 0);

	close(fd);
	return r == MAP_FAILED ? NULL : r;
}

struct record *record_find(pid_t pid)
{
	int fd = shm_open(name_of(pid), O_RDWR | O_CLOEXEC, 0);
	struct record *r = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	/* Anybody may put a file of that name there. */
	if (fstat(fd, &st) || st.st_uid != geteuid() ||
	    st.st_size != sizeof(*r)) {
		close(fd);
		errno = EPERM;
		return NULL;
	}
	r = map(fd);
	if (r && (memcmp(r->magic, magic, sizeof(magic)) || r->pid != pid ||
		  r->started != started(pid))) {
		munmap(r, sizeof(*r));
		errno = ESTALE;
		return NULL;
	}
	return r;
}

/* Of a process that has ended nothing can be put right, and its memory is ours. */
static void remove_ended(void)
{
	DIR *dir = opendir("/dev/shm");
	struct dirent *e;
	int pid;

	while (dir && (e = readdir(dir))) {
		if (sscanf(e->d_name, "trapline.%d", &pid) != 1 ||
		    strcmp(e->d_name, name_of(pid) + 1))
			continue;
		if (kill(pid, 0) && errno == ESRCH)
			shm_unlink(name_of(pid));
	}
	if (dir)
		closedir(dir);
}

int record_open(pid_t pid, struct record **out)
{
	struct record *r;
	int fd;

	*out = NULL;
	remove_ended();
	r = record_find(pid);
	if (r) {
		munmap(r, sizeof(*r));
		return -EEXIST;
	}
	if (errno == ESTALE)
		shm_unlink(name_of(pid));
	fd = shm_open(name_of(pid), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
		      0600);
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, sizeof(*r))) {
		close(fd);
		shm_unlink(name_of(pid));
		return -errno;
	}
	r = map(fd);
	if (!r)
		return -ENOMEM;
	memcpy(r->magic, magic, sizeof(magic));
	r->pid = pid;
	r->tracer = getpid();
	r->started = started(pid);
	*out = r;
	return 0;
}

void record_remove(struct record *r)
{
	shm_unlink(name_of(r->pid));
	munmap(r, sizeof(*r));
}
