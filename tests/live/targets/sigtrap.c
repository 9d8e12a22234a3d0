// SPDX-License-Identifier: GPL-2.0-only
/*
 * sigtrap.c - SIGTRAP is the program's own: blocked, ignored, handled, by one
 * thread and not the other, by children, over exec, in handlers of others. The
 * probed function runs in each of these states, and nothing of them changes.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "processor.h"
#include "target.h"

/* One that is stepped and one that is emulated; the last calls itself. */
long probed_add(long a, long b);
ASM_FUNCTION(probed_add, ASM_ADD);
long probed_push(long a);
ASM_FUNCTION(probed_push, ASM_PUSH);

static volatile int raised;
static volatile bool nested;

static void probes(void)
{
	CHECK(probed_add(1, 2) == 3);
	CHECK(probed_push(4) == 5);
}

static bool blocked(void)
{
	sigset_t now;

	CHECK(!pthread_sigmask(SIG_BLOCK, NULL, &now));
	return sigismember(&now, SIGTRAP);
}

static void block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	CHECK(!pthread_sigmask(how, &set, NULL));
}

static void *handler(void)
{
	struct sigaction now;

	CHECK(!sigaction(SIGTRAP, NULL, &now));
	return now.sa_handler;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	/* Before any system call: what is blocked is so by the handler's start. */
	probes();
	CHECK(info->si_code == SI_TKILL && info->si_pid == getpid());
	CHECK(blocked() == !nested);
	raised++;
}

static void set(void (*fn)(int, siginfo_t *, void *), int flags)
{
	struct sigaction sa = { .sa_sigaction = fn,
				.sa_flags = SA_SIGINFO | flags };

	nested = flags & SA_NODEFER;
	sigaddset(&sa.sa_mask, SIGUSR2);
	CHECK(!sigaction(SIGTRAP, &sa, NULL));
}

/* Handler, flags and mask are all as they were set. */
static void check_set(int flags)
{
	struct sigaction now;

	CHECK(!sigaction(SIGTRAP, NULL, &now));
	CHECK(now.sa_sigaction == on_trap);
	CHECK((now.sa_flags & ~0x4000000) == (int)(SA_SIGINFO | flags));
	CHECK(sigismember(&now.sa_mask, SIGUSR2));
	CHECK(!sigismember(&now.sa_mask, SIGUSR1));
}

/* It handles SIGTRAP, and blocks it: what was raised stays pending. */
static void blocks(void)
{
	sigset_t pending;
	int i;

	set(on_trap, 0);
	raised = 0;
	for (i = 0; i < 5; i++) {
		probes();
		block(SIG_BLOCK);
		probes();
		CHECK(blocked());
		raise(SIGTRAP);
		probes();
		CHECK(raised == i && blocked());
		sigpending(&pending);
		CHECK(sigismember(&pending, SIGTRAP));
		probes();
		check_set(0);
		block(SIG_UNBLOCK);
		CHECK(raised == i + 1 && !blocked());
	}
	/* Of its own, and once. */
	set(on_trap, SA_RESETHAND | SA_NODEFER);
	block(SIG_BLOCK);
	probes();
	raise(SIGTRAP);
	block(SIG_UNBLOCK);
	CHECK(raised == 6 && handler() == SIG_DFL);
	probes();
	set(on_trap, SA_NODEFER);
	raise(SIGTRAP);
	check_set(SA_NODEFER);
	CHECK(raised == 7);
}

static void ignores(void)
{
	signal(SIGTRAP, SIG_IGN);
	probes();
	CHECK(handler() == SIG_IGN);
	raise(SIGTRAP);
	block(SIG_BLOCK);
	probes();
	CHECK(handler() == SIG_IGN && blocked());
	raise(SIGTRAP);
	block(SIG_UNBLOCK);
	raise(SIGTRAP);
	signal(SIGTRAP, SIG_DFL);
	probes();
	CHECK(handler() == SIG_DFL);
}

/* Another signal's handler blocks it; so does a wait under another mask. */
static void on_other(int sig, siginfo_t *info, void *context)
{
	probes();
	CHECK(blocked());
	raised++;
}

static void other_handlers(void)
{
	struct sigaction sa = { .sa_sigaction = on_other,
				.sa_flags = SA_SIGINFO };
	sigset_t set, wait;

	sigaddset(&sa.sa_mask, SIGTRAP);
	CHECK(!sigaction(SIGUSR1, &sa, NULL));
	raised = 0;
	raise(SIGUSR1);
	CHECK(raised == 1 && !blocked());
	probes();

	/* The mask comes from the call alone. */
	sigemptyset(&sa.sa_mask);
	CHECK(!sigaction(SIGUSR1, &sa, NULL));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	sigfillset(&wait);
	sigdelset(&wait, SIGUSR1);
	CHECK(sigsuspend(&wait) == -1 && errno == EINTR);
	CHECK(raised == 2 && !blocked());
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	probes();
}

/* The action is the process's, the mask the thread's. */
static void *visitor(void *unused)
{
	int i;

	for (i = 0; i < 200; i++) {
		block(SIG_BLOCK);
		probes();
		CHECK(blocked());
		check_set(0);
		block(SIG_UNBLOCK);
		CHECK(!blocked());
	}
	return NULL;
}

static void threads(void)
{
	pthread_t thread[2];
	int i;

	set(on_trap, 0);
	for (i = 0; i < 2; i++)
		CHECK(!pthread_create(&thread[i], NULL, visitor, NULL));
	for (i = 0; i < 200; i++) {
		check_set(0);
		set(on_trap, 0);
	}
	for (i = 0; i < 2; i++)
		CHECK(!pthread_join(thread[i], NULL));
	check_set(0);
}

static int status_of(pid_t pid)
{
	int status;

	CHECK(waitpid(pid, &status, __WALL) == pid);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Shares the memory, not the action. */
static int child(void *unused)
{
	CHECK(blocked() && handler() == (void *)on_trap);
	probes();
	CHECK(blocked() && handler() == (void *)on_trap);
	signal(SIGTRAP, SIG_IGN);
	probes();
	CHECK(handler() == SIG_IGN);
	return 7;
}

static void children(char *self, const char *arg)
{
	static char stack[64 * 1024];
	pid_t pid;

	set(on_trap, 0);
	block(SIG_BLOCK);
	pid = clone(child, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
	CHECK(status_of(pid) == 7);
	check_set(0);
	pid = fork();
	if (!pid) {
		check_set(0);
		CHECK(blocked());
		_exit(8);
	}
	CHECK(status_of(pid) == 8);
	signal(SIGTRAP, SIG_IGN);
	fflush(stdout);
	execl(self, self, arg, NULL);
	CHECK(0);
}

int main(int argc, char **argv)
{
	if (argc == 1) {
		blocks();
		ignores();
		other_handlers();
		threads();
		children(argv[0], "again");
	}
	/* By exec, or as its parent wants it. */
	CHECK(blocked() && handler() == SIG_IGN);
	probes();
	CHECK(blocked() && handler() == SIG_IGN);
	puts("no trap lost");
	return 0;
}
