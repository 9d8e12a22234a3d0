// SPDX-License-Identifier: GPL-2.0-only
/*
 * sealed.c - a program that the kernel kills for any call but a few: under
 * seccomp's strict mode, or (argument "filter") a filter that allows no more.
 * It seals itself, says "ready", and goes on when a line comes on stdin.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "processor.h"
#include "target.h"

long probed_add(long a, long b);
ASM_FUNCTION(probed_add, ASM_ADD);
long probed_push(long a);
ASM_FUNCTION(probed_push, ASM_PUSH);

#define ALLOW(nr)                                        \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static void filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_read),
		ALLOW(SYS_write),
		ALLOW(SYS_exit),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(*code), code };

	CHECK(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	CHECK(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog));
}

static void say(const char *text)
{
	CHECK(write(STDOUT_FILENO, text, strlen(text)) ==
	      (ssize_t)strlen(text));
}

int main(int argc, char **argv)
{
	bool ok = true;
	char line[16];
	int i;

	if (argc > 1)
		filter();
	else
		CHECK(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT));
	say("ready\n");
	ok = read(STDIN_FILENO, line, sizeof(line)) > 0;
	for (i = 0; i < 100; i++)
		ok = ok && probed_add(i, 2) == i + 2 && probed_push(i) == i + 1;
	say(ok ? "sealed to the end\n" : "something is wrong\n");
	/* Once more, for who has left us meanwhile. */
	ok = ok && read(STDIN_FILENO, line, sizeof(line)) > 0;
	syscall(SYS_exit, !ok);
}
