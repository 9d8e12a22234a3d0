// SPDX-License-Identifier: GPL-2.0-only
/*
 * facilities.c - doctor's tries of single facilities of the kernel.
 *
 * Those that look into another process do it to one that we fork, so its
 * addresses are ours. It waits for the end of a pipe that we hold, hence ends
 * with us, whatever happens.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <libunwind-ptrace.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "doctor.h"

#define MARK 0x7e57

static volatile long word = MARK;

/* ---- another process ------------------------------------------------------------------ */

struct other {
	pid_t pid;
	int hold; /* it ends when this is closed */
	bool child;
};

static void wait_for_end(const int pipe_fd[2])
{
	char c;

	close(pipe_fd[1]);
	while (read(pipe_fd[0], &c, 1) < 0 && errno == EINTR)
		;
	_exit(0);
}

/* One that is not below us: its parent is gone. */
static pid_t fork_orphan(const int end[2])
{
	pid_t pid, orphan = -1;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		orphan = fork();
		if (!orphan)
			wait_for_end(end);
		_exit(write(fd[1], &orphan, sizeof(orphan)) < 0);
	}
	close(fd[1]);
	if (pid > 0) {
		if (read(fd[0], &orphan, sizeof(orphan)) != sizeof(orphan))
			orphan = -1;
		waitpid(pid, NULL, 0);
	}
	close(fd[0]);
	return orphan;
}

static bool other_start(struct other *o, bool child)
{
	int end[2];

	if (pipe2(end, O_CLOEXEC))
		return false;
	o->child = child;
	o->hold = end[1];
	o->pid = child ? fork() : fork_orphan(end);
	if (!o->pid)
		wait_for_end(end);
	close(end[0]);
	if (o->pid > 0)
		return true;
	close(o->hold);
	return false;
}

static void other_end(struct other *o, bool attached)
{
	if (attached)
		ptrace(PTRACE_DETACH, o->pid, 0, 0);
	close(o->hold);
	if (o->child)
		waitpid(o->pid, NULL, 0);
}

/* Wait, but not for ever: 0, or an errno. */
static int wait_for_stop(pid_t pid, int *status)
{
	const struct timespec step = { 0, 1000000 };
	int tries = 5000;
	pid_t got;

	while (!(got = waitpid(pid, status, __WALL | WNOHANG))) {
		if (!tries--)
			return ETIMEDOUT;
		nanosleep(&step, NULL);
	}
	return got == pid ? 0 : errno;
}

/* 0 and it is stopped, or an errno. */
static int attach(const struct other *o)
{
	int status, err;

	if (ptrace(PTRACE_SEIZE, o->pid, 0, 0) ||
	    ptrace(PTRACE_INTERRUPT, o->pid, 0, 0))
		return errno;
	err = wait_for_stop(o->pid, &status);
	if (err)
		return err;
	return WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_STOP ? 0
								       : EPROTO;
}

/* Start, attach; false after saying so. */
static bool other_stopped(struct finding *f, struct other *o, bool child)
{
	int err;

	if (!other_start(o, child)) {
		found(f, FAILS, "fork: %s; look at limits of processes",
		      strerror(errno));
		return false;
	}
	err = attach(o);
	if (!err)
		return true;
	other_end(o, false);
	found(f, FAILS,
	      child ? "%s; allow ptrace: in a container --cap-add=SYS_PTRACE "
		      "or another seccomp profile"
		    : "%s; only programs that we start can be traced, unless "
		      "as root or with kernel.yama.ptrace_scope=0",
	      strerror(err));
	return false;
}

/* Stopped, read, written, and gone on. */
static void try_ptrace(struct finding *f, bool child)
{
	struct user_regs_struct regs;
	struct iovec all = { &regs, sizeof(regs) };
	struct other o;
	long value;

	if (!other_stopped(f, &o, child))
		return;
	errno = 0;
	if (ptrace(PTRACE_GETREGSET, o.pid, NT_PRSTATUS, &all) ||
	    ptrace(PTRACE_SETREGSET, o.pid, NT_PRSTATUS, &all) ||
	    ptrace(PTRACE_POKEDATA, o.pid, &word, MARK + 1))
		found(f, FAILS, "attached, but: %s; another kernel is needed",
		      strerror(errno));
	else if (value = ptrace(PTRACE_PEEKDATA, o.pid, &word, 0),
		 value != MARK + 1 || word != MARK)
		found(f, FAILS,
		      "what was written is not there; another kernel is "
		      "needed");
	else
		found(f, WORKS, "attached to %s, read and wrote it",
		      child ? "a child" : "a process not below us");
	other_end(&o, true);
}

void doctor_ptrace(struct finding *f)
{
	try_ptrace(f, true);
}

void doctor_attach(struct finding *f)
{
	try_ptrace(f, false);
}

/* Into text that the other process does not run, like a breakpoint. */
void doctor_proc_mem(struct finding *f)
{
	volatile unsigned char *text = (unsigned char *)doctor_userfaultfd;
	unsigned char value = ~*text, before = *text, seen = 0;
	char name[32];
	struct other o;
	int fd;

	if (!other_stopped(f, &o, true))
		return;
	snprintf(name, sizeof(name), "/proc/%d/mem", o.pid);
	fd = open(name, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		found(f, FAILS, "%s: %s; /proc has to be mounted", name,
		      strerror(errno));
	else if (pwrite(fd, &value, 1, (unsigned long)text) != 1 ||
		 pread(fd, &seen, 1, (unsigned long)text) != 1 ||
		 seen != value || *text != before)
		found(f, FAILS,
		      "does not write text; boot without "
		      "proc_mem.force_override=never");
	else
		found(f, WORKS, "wrote another process's text, not our own");
	if (fd >= 0)
		close(fd);
	other_end(&o, true);
}

void doctor_process_vm(struct finding *f)
{
	long value = MARK + 3, seen = 0;
	struct iovec there = { (void *)&word, sizeof(word) };
	struct iovec from = { &value, sizeof(value) };
	struct iovec to = { &seen, sizeof(seen) };
	struct other o;

	if (!other_start(&o, true)) {
		found(f, FAILS, "fork: %s; look at limits of processes",
		      strerror(errno));
		return;
	}
	if (process_vm_writev(o.pid, &from, 1, &there, 1, 0) != sizeof(value) ||
	    process_vm_readv(o.pid, &to, 1, &there, 1, 0) != sizeof(seen))
		found(f, FAILS,
		      "%s; allow it in the sandbox's profile (trace goes "
		      "through /proc/PID/mem and does not need it)",
		      strerror(errno));
	else if (seen != value || word != MARK)
		found(f, FAILS,
		      "what was written is not there; another kernel is "
		      "needed");
	else
		found(f, WORKS, "wrote to a child and read it back");
	other_end(&o, false);
}

/* ---- unwinding ------------------------------------------------------------------------- */

/* Up from a read() to main; counts frames, true if main was among them. */
static bool finds_main(unw_addr_space_t space, void *upt, int *frames)
{
	unw_cursor_t c;
	unw_word_t off;
	char name[256];

	*frames = 0;
	if (unw_init_remote(&c, space, upt))
		return false;
	do {
		++*frames;
		if (!unw_get_proc_name(&c, name, sizeof(name), &off) &&
		    !strcmp(name, "main"))
			return true;
	} while (*frames < 64 && unw_step(&c) > 0);
	return false;
}

void doctor_unwind(struct finding *f)
{
	unw_addr_space_t space;
	struct other o;
	int frames = 0;
	void *upt;

	if (!other_stopped(f, &o, true))
		return;
	space = unw_create_addr_space(&_UPT_accessors, 0);
	upt = _UPT_create(o.pid);
	if (!space || !upt)
		found(f, FAILS, "libunwind does not start; install libunwind8");
	else if (finds_main(space, upt, &frames))
		found(f, WORKS, "%d frames of another process, up to main()",
		      frames);
	else
		found(f, frames > 2 ? LIMITED : FAILS,
		      "%d frames, and no name main; is trapline stripped? "
		      "Install it with its symbols",
		      frames);
	if (upt)
		_UPT_destroy(upt);
	if (space)
		unw_destroy_addr_space(space);
	other_end(&o, true);
}

/* ---- userfaultfd ------------------------------------------------------------------------- */

static void *touch(void *page)
{
	return (void *)(unsigned long)*(volatile unsigned char *)page;
}

/* A page of ours is missing, a thread touches it, we supply it. */
static bool supply_page(int fd, char *page, char *copy, size_t size)
{
	struct uffdio_register range = {
		.range = { (unsigned long)page, size },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	struct uffdio_copy fill = { (unsigned long)page, (unsigned long)copy,
				    size, 0, 0 };
	struct pollfd wait = { fd, POLLIN, 0 };
	struct uffd_msg msg;
	pthread_t thread;
	void *seen = NULL;
	bool good;

	if (ioctl(fd, UFFDIO_REGISTER, &range) ||
	    pthread_create(&thread, NULL, touch, page))
		return false;
	memset(copy, 'u', size);
	good = poll(&wait, 1, 2000) == 1 &&
	       read(fd, &msg, sizeof(msg)) == sizeof(msg) &&
	       msg.event == UFFD_EVENT_PAGEFAULT &&
	       !ioctl(fd, UFFDIO_COPY, &fill);
	if (!good) /* lets the thread go on */
		ioctl(fd, UFFDIO_UNREGISTER, &range.range);
	pthread_join(thread, &seen);
	return good && seen == (void *)'u';
}

void doctor_userfaultfd(struct finding *f)
{
	const int flags = O_CLOEXEC | O_NONBLOCK;
	struct uffdio_api api = { .api = UFFD_API };
	size_t size = sysconf(_SC_PAGESIZE);
	int fd = syscall(SYS_userfaultfd, flags);
	bool all = fd >= 0;
	char *page;

	if (!all)
		fd = syscall(SYS_userfaultfd, flags | UFFD_USER_MODE_ONLY);
	if (fd < 0) {
		found(f, FAILS,
		      "%s; allow it in the sandbox's profile, or set "
		      "vm.unprivileged_userfaultfd=1 (no command needs it yet)",
		      strerror(errno));
		return;
	}
	page = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED || ioctl(fd, UFFDIO_API, &api) ||
	    !supply_page(fd, page, page + size, size))
		found(f, FAILS,
		      "a missing page could not be supplied: %s; another "
		      "kernel is needed",
		      strerror(errno));
	else if (!all)
		found(f, LIMITED,
		      "for faults in user mode only; for all set "
		      "vm.unprivileged_userfaultfd=1, or be root");
	else
		found(f, WORKS, "supplied a missing page");
	if (page != MAP_FAILED)
		munmap(page, 2 * size);
	close(fd);
}
