// SPDX-License-Identifier: GPL-2.0-only
/*
 * process.c - argument vectors, and running other programs with them.
 */
#include "process.h"
#include "text.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void args_add(struct args *a, const char *fmt, ...)
{
	va_list ap;

	a->v = need(reallocarray(a->v, a->n + 2, sizeof(*a->v)));
	va_start(ap, fmt);
	a->v[a->n] = text_vprint(fmt, ap);
	va_end(ap);
	a->v[++a->n] = NULL;
}

void args_add_all(struct args *a, const struct args *more)
{
	for (size_t i = 0; i < more->n; i++)
		args_add(a, "%s", more->v[i]);
}

void args_free(struct args *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->v[i]);
	free(a->v);
	a->v = NULL;
	a->n = 0;
}

static void copy(int fd, FILE *out)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0 ||
	       (n < 0 && errno == EINTR)) {
		if (n > 0)
			fwrite(buf, 1, n, out);
	}
}

int process_run(const struct args *a, FILE *out)
{
	posix_spawn_file_actions_t actions;
	int fd[2] = { -1, -1 }, status, ret;
	pid_t pid;

	if (out && pipe(fd))
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out ? fd[1] : STDERR_FILENO,
					 STDOUT_FILENO);
	if (out) {
		posix_spawn_file_actions_addclose(&actions, fd[0]);
		posix_spawn_file_actions_addclose(&actions, fd[1]);
	}
	ret = posix_spawnp(&pid, a->v[0], &actions, NULL, a->v, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (out) {
		close(fd[1]);
		if (!ret)
			copy(fd[0], out);
		close(fd[0]);
	}
	if (ret)
		return -ret;
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
