// SPDX-License-Identifier: GPL-2.0-only
/*
 * waits.c - one thread in each of the calls that a stop ends, or that the
 * kernel makes again in ways of its own. Nobody interrupts them but a tracer,
 * so none may fail. Says "ready" when all wait, and goes on when a line comes
 * on stdin.
 *
 * SIGTRAP has a handler, and SIGCHLD comes, which nobody but a tracer notices.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "processor.h"
#include "target.h"

long probed_add(long a, long b);
ASM_FUNCTION(probed_add, ASM_ADD);

static int event, pair[2], sem;
static sigset_t usr1;

static void by_epoll(void)
{
	struct epoll_event e = { .events = EPOLLIN };
	int fd = epoll_create1(0);

	CHECK(!epoll_ctl(fd, EPOLL_CTL_ADD, event, &e));
	CHECK(epoll_wait(fd, &e, 1, -1) == 1);
}

static void by_poll(void)
{
	struct pollfd p = { event, POLLIN, 0 };

	CHECK(poll(&p, 1, -1) == 1);
}

static void by_sem(void)
{
	struct sembuf op = { .sem_op = -1 };

	CHECK(!semop(sem, &op, 1));
}

static void by_signal(void)
{
	CHECK(sigwaitinfo(&usr1, NULL) == SIGUSR1);
}

/* A time-out that never comes makes it fail when it is stopped. */
static void by_socket(void)
{
	struct timeval t = { .tv_sec = 1000 };
	char c;

	CHECK(!setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t)));
	CHECK(read(pair[0], &c, 1) == 1);
}

/* Restarted with the time that is left. */
static void by_sleep(void)
{
	struct timespec t = { 0, 300000000 }, a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	CHECK(!nanosleep(&t, NULL));
	clock_gettime(CLOCK_MONOTONIC, &b);
	CHECK((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec >=
	      t.tv_nsec);
}

static void (*const ways[])(void) = { by_epoll,	 by_poll,   by_sem,
				      by_signal, by_socket, by_sleep };
#define NR (sizeof(ways) / sizeof(*ways))

static pid_t tids[NR];

static void *waits(void *arg)
{
	long n = (long)arg;
	int i;

	tids[n] = syscall(SYS_gettid);
	ways[n]();
	for (i = 0; i < 50; i++)
		CHECK(probed_add(i, n) == i + n);
	return NULL;
}

static void wait_for_sleep(const pid_t *tid)
{
	char name[64], state;
	FILE *f;

	do {
		usleep(1000);
		snprintf(name, sizeof(name), "/proc/self/task/%d/stat", *tid);
		f = fopen(name, "r");
		if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = 'R';
		if (f)
			fclose(f);
	} while (state != 'S');
}

static void on_trap(int sig)
{
	CHECK(0);
}

int main(void)
{
	struct sigaction sa = { .sa_handler = on_trap, .sa_flags = SA_RESTART };
	pthread_t thread[NR];
	uint64_t one = 1;
	sigset_t trap;
	char line[16];
	long i;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	CHECK(!sigaction(SIGTRAP, &sa, NULL));
	CHECK(!pthread_sigmask(SIG_BLOCK, &usr1, NULL));
	CHECK(!pthread_sigmask(SIG_BLOCK, &trap, NULL));
	event = eventfd(0, 0);
	sem = semget(IPC_PRIVATE, 1, 0600);
	CHECK(event >= 0 && sem >= 0);
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	for (i = 0; i < (long)NR; i++) {
		CHECK(!pthread_create(&thread[i], NULL, waits, (void *)i));
		if (ways[i] != by_sleep)
			wait_for_sleep(&tids[i]);
	}
	puts("ready");
	fflush(stdout);
	CHECK(fgets(line, sizeof(line), stdin));
	for (i = 0; i < 5; i++) {
		if (!fork())
			_exit(0);
		usleep(2000);
	}
	CHECK(write(event, &one, sizeof(one)) == sizeof(one));
	CHECK(!semop(sem, &(struct sembuf){ .sem_op = 1 }, 1));
	CHECK(!kill(getpid(), SIGUSR1));
	CHECK(write(pair[1], "", 1) == 1);
	for (i = 0; i < (long)NR; i++)
		CHECK(!pthread_join(thread[i], NULL));
	CHECK(!semctl(sem, 0, IPC_RMID));
	CHECK(!sigaction(SIGTRAP, NULL, &sa));
	CHECK(sa.sa_handler == on_trap && sa.sa_flags & SA_RESTART);
	CHECK(!pthread_sigmask(SIG_BLOCK, NULL, &trap));
	CHECK(sigismember(&trap, SIGTRAP) && sigismember(&trap, SIGUSR1));
	puts("all waited");
	return 0;
}
