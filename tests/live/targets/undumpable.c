// SPDX-License-Identifier: GPL-2.0-only
/*
 * undumpable.c - a program whose memory is nobody's business but root's, and
 * that forks: its children run what is probed, and return from it.
 */
#include <sys/prctl.h>
#include <sys/wait.h>

#include "target.h"

static volatile int sink;

PROBED static int probed_leaf(int x)
{
	sink++;
	return x + 1;
}

/* Returns in both processes. */
PROBED static pid_t probed_forks(void)
{
	pid_t pid = fork();

	sink++;
	return pid;
}

int main(void)
{
	int i, status;
	pid_t pid;

	CHECK(probed_leaf(1) == 2);
	CHECK(!prctl(PR_SET_DUMPABLE, 0));
	for (i = 0; i < 5; i++) {
		pid = probed_forks();
		CHECK(pid >= 0);
		CHECK(prctl(PR_GET_DUMPABLE) == 0);
		if (!pid)
			_exit(probed_leaf(i));
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == i + 1);
		CHECK(probed_leaf(i) == i + 1);
	}
	puts("kept to itself");
	return 0;
}
