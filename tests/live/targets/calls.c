// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls.c - system call instructions of the program's own, each `probed` at the
 * instruction itself: results, children, interruption and restart.
 */
#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

#include "target.h"

/* number, then up to four arguments; cx and r11 as the call leaves them. */
long call(long nr, long a, long b, long c, long d);
extern char probed_syscall[];
ASM_FUNCTION(call, "mov %rdi,%rax\n mov %rsi,%rdi\n mov %rdx,%rsi\n"
		   "mov %rcx,%rdx\n mov %r8,%r10\n"
		   ".globl probed_syscall\n.type probed_syscall,@function\n"
		   "probed_syscall: syscall\n"
		   "mov %rcx,seen_cx(%rip)\n mov %r11,seen_r11(%rip)\n"
		   "ret\n"
		   ".size probed_syscall,.-probed_syscall");

/* What a handler returns to. */
extern char entry_sigreturn[];
__asm__(".text\n"
	".globl entry_sigreturn\n.type entry_sigreturn,@function\n"
	"restorer: mov $15,%eax\n"
	"entry_sigreturn: syscall\n"
	".size entry_sigreturn,.-entry_sigreturn");
extern char restorer[];

unsigned long seen_cx, seen_r11;
static volatile int signals;
static volatile unsigned long interrupted;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	signals++;
	interrupted = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

static void plain(void)
{
	unsigned long after = (unsigned long)probed_syscall + 2;

	CHECK(call(SYS_getpid, 0, 0, 0, 0) == getpid());
	CHECK(seen_cx == after);
	CHECK(!(seen_r11 & 0x100)); /* no trap flag */
	CHECK(call(SYS_write, -1, 0, 0, 0) == -EBADF);
	CHECK(call(-1, 0, 0, 0, 0) == -ENOSYS);
}

static int status_of(pid_t pid)
{
	int status;

	CHECK(waitpid(pid, &status, __WALL) == pid);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* The child returns from the same instruction. */
static void children(bool by_clone3)
{
	struct clone_args args = { .exit_signal = SIGCHLD };
	long pid = by_clone3 ? call(SYS_clone3, (long)&args, sizeof(args), 0, 0)
			     : call(SYS_fork, 0, 0, 0, 0);

	CHECK(pid >= 0);
	if (!pid)
		call(SYS_exit_group,
		     seen_cx == (unsigned long)probed_syscall + 2 ? 11 : 12, 0,
		     0, 0);
	CHECK(status_of(pid) == 11);
}

/* Until the process sleeps: in a call, as it does nothing else that waits. */
static void wait_for_sleep(pid_t pid)
{
	char name[64], state;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	do {
		usleep(1000);
		f = fopen(name, "r");
		CHECK(f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1);
		fclose(f);
	} while (state != 'S');
}

/* A handler interrupts; without SA_RESTART that ends the call. */
static void interruption(int flags)
{
	struct sigaction sa = { .sa_sigaction = on_signal,
				.sa_flags = SA_SIGINFO | flags };
	int fd[2], i;
	char c = 'x';
	long pid, ret;

	CHECK(!sigaction(SIGALRM, &sa, NULL));
	CHECK(!pipe(fd));
	for (i = 0; i < 3; i++) {
		signals = 0;
		pid = fork();
		if (!pid) {
			wait_for_sleep(getppid());
			CHECK(!kill(getppid(), SIGALRM));
			usleep(30000);
			_exit(write(fd[1], &c, 1) != 1);
		}
		ret = call(SYS_read, fd[0], (long)&c, 1, 0);
		CHECK(signals == 1);
		/* Behind the call that failed, or on it to do it again. */
		CHECK(interrupted ==
		      (unsigned long)probed_syscall + (flags ? 0 : 2));
		if (flags) {
			CHECK(ret == 1);
		} else {
			CHECK(ret == -EINTR);
			CHECK(read(fd[0], &c, 1) == 1);
		}
		CHECK(status_of(pid) == 0);
	}
	close(fd[0]);
	close(fd[1]);
}

/* A call that waits under another mask must have that mask. */
static void masked(void)
{
	unsigned long all = ~0ul, none = 0;
	struct sigaction sa = { .sa_sigaction = on_signal,
				.sa_flags = SA_SIGINFO };

	CHECK(!sigaction(SIGUSR1, &sa, NULL));
	CHECK(!call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, 8));
	signals = 0;
	CHECK(!raise(SIGUSR1));
	CHECK(!signals);
	CHECK(call(SYS_rt_sigsuspend, (long)&none, 8, 0, 0) == -EINTR);
	CHECK(signals == 1);
	CHECK(!call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, 8));
}

/* Stopped and continued, a sleep goes on where it was. */
static void stopped(void)
{
	struct timespec t = { 0, 80000000 }, a, b;
	pid_t me = getpid(), pid = fork();

	if (!pid) {
		usleep(20000);
		kill(me, SIGSTOP);
		usleep(20000);
		kill(me, SIGCONT);
		_exit(0);
	}
	clock_gettime(CLOCK_MONOTONIC, &a);
	CHECK(!call(SYS_nanosleep, (long)&t, 0, 0, 0));
	clock_gettime(CLOCK_MONOTONIC, &b);
	CHECK((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec >=
	      t.tv_nsec);
	CHECK(status_of(pid) == 0);
}

/* A thread that ends without its library's help. */
static void *leaves(void *arg)
{
	*(int *)arg = 1;
	call(SYS_exit, 0, 0, 0, 0);
	return NULL;
}

static void thread(void)
{
	pthread_t id;
	int begun = 0;

	CHECK(!pthread_create(&id, NULL, leaves, &begun));
	CHECK(!pthread_join(id, NULL));
	CHECK(begun);
}

/* Registers and mask come back from a handler's frame. */
static void handled(void)
{
	struct {
		void (*handler)(int, siginfo_t *, void *);
		unsigned long flags;
		void *restorer;
		unsigned long mask;
	} sa = { on_signal, SA_SIGINFO | 0x4000000, restorer, 1 };
	unsigned long mask = 0;
	int before = signals;
	long nr = SYS_kill, in = 12345, out = 0;

	CHECK(!syscall(SYS_rt_sigaction, SIGUSR2, &sa, NULL, 8));
	/* kill(getpid(), SIGUSR2), and a register that no call changes */
	__asm__ volatile("mov %2,%%r15\n syscall\n mov %%r15,%1"
			 : "+a"(nr), "=&r"(out)
			 : "r"(in), "D"((long)getpid()), "S"((long)SIGUSR2)
			 : "rcx", "r11", "r15", "memory");
	CHECK(signals == before + 1 && out == in);
	CHECK(!syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, 8));
	CHECK(mask == 0);
}

int main(void)
{
	char *argv[] = { "sh", "-c", "exit 9", NULL }, *env[] = { NULL };
	pid_t pid;
	int i;

	for (i = 0; i < 20; i++) {
		plain();
		children(false);
		children(true);
		thread();
		handled();
	}
	interruption(0);
	interruption(SA_RESTART);
	masked();
	stopped();
	pid = vfork();
	if (!pid) {
		call(SYS_execve, (long)"/bin/sh", (long)argv, (long)env, 0);
		_exit(1);
	}
	CHECK(status_of(pid) == 9);
	puts("every call made");
	fflush(stdout);
	call(SYS_exit_group, 5, 0, 0, 0);
	return 1;
}
