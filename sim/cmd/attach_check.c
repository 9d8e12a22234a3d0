// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_check.c - why a process cannot be attached to, or will not hit, from
 * /proc.
 */
#include "attach_check.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"

struct process {
	char state;
	unsigned long tgid, tracer, uid;
	bool user_memory;
};

static bool look(unsigned long pid, struct process *p)
{
	char name[64], line[256];
	FILE *f;

	*p = (struct process){ 0 };
	snprintf(name, sizeof(name), "/proc/%lu/status", pid);
	f = fopen(name, "re");
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f)) {
		sscanf(line, "State: %c", &p->state);
		sscanf(line, "Tgid: %lu", &p->tgid);
		sscanf(line, "TracerPid: %lu", &p->tracer);
		sscanf(line, "Uid: %*u %lu", &p->uid);
		p->user_memory |= !strncmp(line, "VmSize:", 7);
	}
	fclose(f);
	return p->state;
}

bool attach_check(unsigned long pid)
{
	struct process p;

	if (!look(pid, &p))
		err("there is no process %lu; ps -e lists those there are",
		    pid);
	else if (pid == (unsigned long)getpid())
		err("process %lu is trapline itself", pid);
	else if (p.tgid != pid)
		err("%lu is a thread; name its process, -p %lu", pid, p.tgid);
	else if (p.state == 'Z' || p.state == 'X')
		err("process %lu has ended already, and waits for its parent "
		    "to see that",
		    pid);
	else if (!p.user_memory)
		err("process %lu is a thread of the kernel, which no tracer "
		    "can attach to",
		    pid);
	else if (p.tracer)
		err("process %lu is traced by process %lu already; end that "
		    "first",
		    pid, p.tracer);
	else
		return true;
	return false;
}

void attach_denied(unsigned long pid)
{
	struct process p;

	if (!attach_check(pid) || !look(pid, &p))
		return;
	if (p.uid != geteuid())
		err("process %lu belongs to another user (%lu); run trapline "
		    "as that user, or as root",
		    pid, p.uid);
	else
		err("process %lu may not be traced: it has privileges of its "
		    "own, or only its parent may (kernel.yama.ptrace_scope), "
		    "or a container's seccomp profile forbids it; start it "
		    "with trapline, or be root",
		    pid);
}

/* A line of /proc/PID/maps; its path is as the process sees it. */
static bool is_map_of(const char *line, unsigned long pid,
		      const struct stat *file)
{
	char path[2 * PATH_MAX];
	const char *name = strchr(line, '/');
	struct stat st;

	if (!name)
		return false;
	snprintf(path, sizeof(path), "/proc/%lu/root%.*s", pid,
		 (int)strcspn(name, "\n"), name);
	return !stat(path, &st) && st.st_dev == file->st_dev &&
	       st.st_ino == file->st_ino;
}

/* Also if it cannot be told. */
static bool maps(unsigned long pid, const char *path)
{
	char name[64], line[PATH_MAX + 128];
	bool found = false;
	struct stat file;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%lu/maps", pid);
	f = fopen(name, "re");
	if (!f || stat(path, &file))
		found = true;
	while (!found && fgets(line, sizeof(line), f))
		found = is_map_of(line, pid, &file);
	if (f)
		fclose(f);
	return found;
}

/* Is the file of this probe that of an earlier one? */
static bool seen(const struct probe_set *set, unsigned int nr)
{
	unsigned int i;

	for (i = nr; i-- > 0;)
		if (!strcmp(set->place[i].path, set->place[nr].path))
			return true;
	return false;
}

void attach_unmapped(unsigned long pid, const struct probe_set *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (!seen(set, i) && !maps(pid, set->place[i].path))
			err("note: process %lu does not map %s (yet), so there "
			    "is nothing to hit; /proc/%lu/exe names what it "
			    "runs",
			    pid, set->place[i].path, pid);
}
