// SPDX-License-Identifier: GPL-2.0-only
/*
 * children.c - fork, vfork, clone and spawn inside functions whose entries and
 * returns are probed, by the parent and by the children.
 */
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#include "target.h"

extern char **environ;
static volatile int sink;

PROBED static int probed_leaf(int x)
{
	sink++;
	return x + 1;
}

static int status_of(pid_t pid)
{
	int status;

	CHECK(waitpid(pid, &status, __WALL) == pid);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Returns in both processes, through a return address replaced before. */
PROBED static pid_t probed_forks(void)
{
	pid_t pid = fork();

	sink++;
	return pid;
}

PROBED static pid_t probed_outer(void)
{
	/* Its return address may be far from where it was entered. */
	volatile char room[300] = { 0 };
	pid_t pid = probed_forks();

	sink += 1 + room[pid & 1];
	return pid;
}

static void forks(void)
{
	pid_t pid;
	int i;

	for (i = 0; i < 10; i++) {
		pid = probed_outer();
		CHECK(pid >= 0);
		if (!pid)
			_exit(probed_leaf(i) + 10);
		CHECK(status_of(pid) == i + 11);
		CHECK(probed_leaf(i) == i + 1);
	}
}

PROBED static int probed_vforks(const char *path)
{
	pid_t pid = vfork();

	CHECK(pid >= 0);
	if (!pid) {
		if (probed_leaf(1) != 2)
			_exit(3);
		execl(path, path, "exit 5", NULL);
		_exit(probed_leaf(3));
	}
	return status_of(pid);
}

/* Shares memory but is a process of its own, and goes on beside its parent. */
static int cloned(void *arg)
{
	int i;

	for (i = 0; i < 100; i++)
		if (probed_leaf(i) != i + 1)
			return 1;
	return *(int *)arg;
}

static void clones(void)
{
	static char stack[64 * 1024];
	int code = 9, i;
	pid_t pid;

	pid = clone(cloned, stack + sizeof(stack), CLONE_VM | SIGCHLD, &code);
	CHECK(pid > 0);
	for (i = 0; i < 100; i++)
		CHECK(probed_leaf(i) == i + 1);
	CHECK(status_of(pid) == 9);
}

static void spawns(void)
{
	char *argv[] = { "sh", "-c", "exit 6", NULL };
	pid_t pid;
	int i;

	for (i = 0; i < 5; i++) {
		CHECK(!posix_spawnp(&pid, "sh", NULL, NULL, argv, environ));
		CHECK(status_of(pid) == 6);
		CHECK(WEXITSTATUS(system("exit 4")) == 4);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1) /* it executes itself */
		return atoi(argv[1] + strlen("exit "));
	forks();
	CHECK(probed_vforks(argv[0]) == 5);
	CHECK(probed_vforks("/does/not/exist") == 4);
	clones();
	spawns();
	CHECK(probed_leaf(1) == 2);
	puts("every child as told");
	return 0;
}
