// SPDX-License-Identifier: GPL-2.0-only
/*
 * process.c - look at processes that are traced, or are no more.
 */
#include "process.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"

pid_t child_of(pid_t pid)
{
	char name[64];
	int child = 0, i;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/task/%d/children", pid, pid);
	for (i = 0; i < 500 && child <= 0; i++) {
		f = fopen(name, "r");
		ck_assert_ptr_nonnull(f);
		if (fscanf(f, "%d", &child) != 1)
			usleep(10000);
		fclose(f);
	}
	ck_assert_int_gt(child, 0);
	return child;
}

static void read_text(const char *name, char *text, size_t size)
{
	FILE *f = fopen(temporary(name), "r");
	size_t n;

	ck_assert_ptr_nonnull(f);
	n = fread(text, 1, size - 1, f);
	fclose(f);
	text[n] = '\0';
}

void wait_for_output(const char *start)
{
	char text[256];
	FILE *f;
	int i;

	for (i = 0; i < 2000; i++) {
		f = fopen(temporary("out"), "r");
		text[0] = '\0';
		if (f && fgets(text, sizeof(text), f) && strchr(text, '\n') &&
		    !strncmp(text, start, strlen(start))) {
			fclose(f);
			return;
		}
		if (f)
			fclose(f);
		usleep(10000);
	}
	ck_abort_msg("the program did not say '%s': '%s'", start, text);
}

/* Executable file mappings must be byte for byte what the file has. */
void check_text(pid_t pid)
{
	char name[64], line[4352], perms[5], path[4096];
	unsigned long start, end, off, ino, n;
	unsigned char *mem, *file;
	int mem_fd, fd, compared = 0;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	mem_fd = open(name, O_RDONLY);
	ck_assert_int_ge(mem_fd, 0);
	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	maps = fopen(name, "r");
	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %4s %lx %*s %lu %4095s", &start, &end,
			   perms, &off, &ino, path) < 6 ||
		    perms[2] != 'x' || !ino)
			continue;
		n = end - start;
		mem = calloc(1, n);
		file = calloc(1, n);
		fd = open(path, O_RDONLY);
		ck_assert(mem && file && fd >= 0);
		ck_assert_int_eq(pread(mem_fd, mem, n, start), n);
		ck_assert_int_gt(pread(fd, file, n, off), 0);
		ck_assert_msg(!memcmp(mem, file, n), "%s is patched", path);
		close(fd);
		free(mem);
		free(file);
		compared++;
	}
	fclose(maps);
	close(mem_fd);
	ck_assert_int_ge(compared, 2);
}

void check_free(pid_t pid)
{
	char name[300], line[256];
	struct dirent *d;
	DIR *dir;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/task", pid);
	dir = opendir(name);
	ck_assert_ptr_nonnull(dir);
	while ((d = readdir(dir))) {
		if (*d->d_name == '.')
			continue;
		snprintf(name, sizeof(name), "/proc/%d/task/%.20s/status", pid,
			 d->d_name);
		f = fopen(name, "r");
		while (f && fgets(line, sizeof(line), f)) {
			if (!strncmp(line, "State:", 6))
				ck_assert_msg(strchr("RSDZX", line[7]) != NULL,
					      "%s", line);
			if (!strncmp(line, "TracerPid:", 10))
				ck_assert_int_eq(atoi(line + 10), 0);
		}
		if (f)
			fclose(f);
	}
	closedir(dir);
}

/* Left by its parent, it became a child of ours. */
void check_end(pid_t pid, const char *says)
{
	char text[1024];
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	read_text("err", text, sizeof(text));
	ck_assert_msg(status == 0, "the program ended with status %x: %s",
		      status, text);
	read_text("out", text, sizeof(text));
	ck_assert_msg(strstr(text, says) != NULL, "it said '%s'", text);
}

void wait_for_tracer(pid_t pid)
{
	char name[64], line[256], says[1024];
	int tracer = 0, i;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/status", pid);
	for (i = 0; i < 2000 && !tracer; i++) {
		usleep(10000);
		f = fopen(name, "r");
		ck_assert_ptr_nonnull(f);
		while (fgets(line, sizeof(line), f))
			if (!strncmp(line, "TracerPid:", 10))
				tracer = atoi(line + 10);
		fclose(f);
	}
	read_text("tracer-err", says, sizeof(says));
	ck_assert_msg(tracer > 0, "nobody traces it: %s", says);
}

void wait_for_breakpoint(pid_t pid)
{
	unsigned char byte = 0;
	unsigned long at = 0;
	char name[64];
	int fd, i;
	FILE *f;

	f = fopen(temporary("out"), "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "step %lx", &at), 1);
	fclose(f);
	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	fd = open(name, O_RDONLY);
	ck_assert_int_ge(fd, 0);
	for (i = 0; i < 2000 && byte != 0xcc; i++) {
		usleep(10000);
		ck_assert_msg(pread(fd, &byte, 1, at) == 1, "it has ended");
	}
	close(fd);
	ck_assert_int_eq(byte, 0xcc);
}

char state_of(pid_t pid)
{
	char name[300], state = 0, one;
	struct dirent *d;
	DIR *dir;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/task", pid);
	dir = opendir(name);
	ck_assert_ptr_nonnull(dir);
	while ((d = readdir(dir))) {
		snprintf(name, sizeof(name), "/proc/%d/task/%.20s/stat", pid,
			 d->d_name);
		f = *d->d_name == '.' ? NULL : fopen(name, "r");
		if (!f)
			continue;
		if (fscanf(f, "%*d (%*[^)]) %c", &one) == 1)
			state = !state || state == one ? one : '?';
		fclose(f);
	}
	closedir(dir);
	return state;
}

void wait_for_sleep(pid_t pid)
{
	int i, still = 0;

	for (i = 0; i < 2000 && still < 30; i++) {
		usleep(10000);
		still = state_of(pid) == 'S' ? still + 1 : 0;
	}
	ck_assert_int_eq(still, 30);
}
