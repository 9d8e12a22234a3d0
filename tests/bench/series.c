// SPDX-License-Identifier: GPL-2.0-only
/*
 * series.c - times of bursts: read, and their minimum and median.
 */
#include "series.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

double series_min(const struct series *s)
{
	double least = s->ns[0];
	unsigned int i;

	for (i = 1; i < s->nr; i++)
		if (s->ns[i] < least)
			least = s->ns[i];
	return least;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double series_median(struct series *s)
{
	qsort(s->ns, s->nr, sizeof(*s->ns), compare);
	return (s->ns[(s->nr - 1) / 2] + s->ns[s->nr / 2]) / 2;
}

void series_read(struct series *s, int fd)
{
	FILE *f = fdopen(fd, "r");
	char line[4096];
	double ns;

	while (f && fgets(line, sizeof(line), f))
		if (s->nr < SERIES_MAX && sscanf(line, "ns %lf", &ns) == 1)
			s->ns[s->nr++] = ns;
	if (f)
		fclose(f);
	else
		close(fd);
}

int series_run(struct series *s, char *const argv[])
{
	int out[2], null, status = -1;
	pid_t pid;

	if (pipe2(out, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		null = open("/dev/null", O_RDWR);
		dup2(null, STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(out[1]);
	series_read(s, out[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return status;
}
