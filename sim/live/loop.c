// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop.c - launch the program, hand stops to tasks' fibres, end.
 *
 * The only place that blocks is waitpid. What else must be noticed (timers of
 * the model, a request to end) comes as a signal to ourselves; because one may
 * arrive just before waitpid blocks, a ticker repeats it until it is seen to.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live_world.h"
#include "tracee.h"

#define TICK_NS (20 * 1000 * 1000)
/* Looks before a wait sleeps: about ten times what a hit's instruction takes. */
#define LOOKS 200
/* Waits that sleep at once, after one for which the looks were in vain. */
#define SLEEPS 15

struct live live;

static bool done, leader_gone;
static bool running;  /* launched */
static bool executed; /* it is the program by now, not a copy of us */
static volatile sig_atomic_t asked; /* signal that asks us to end */
static timer_t ticker;
static bool ticking;

void live_fail(enum live_failure failure, int err, const char *what)
{
	if (live.result->failure)
		return;
	live.result->failure = failure;
	live.result->err = err;
	live.result->what = what;
}

/* ---- signals to ourselves --------------------------------------------------- */

static void tick(bool on)
{
	struct itimerspec t = { { 0, TICK_NS }, { 0, TICK_NS } };

	if (!on)
		memset(&t, 0, sizeof(t));
	timer_settime(ticker, 0, &t, NULL);
}

static void on_tick(int sig)
{
}

static void on_end(int sig)
{
	asked = sig;
	tick(true);
}

static void handle(int sig, void (*fn)(int))
{
	struct sigaction old, new = { .sa_handler = fn };

	/* Not restarted: waitpid has to return. Ignored ones stay ignored. */
	if (sigaction(sig, NULL, &old) || old.sa_handler == SIG_IGN)
		return;
	sigaction(sig, &new, NULL);
}

/* What would end us: the program would be killed with us, or stay patched. */
static const int ends[] = { SIGHUP,  SIGINT,  SIGQUIT,	 SIGTERM,
			    SIGUSR1, SIGUSR2, SIGALRM,	 SIGPIPE,
			    SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF };

/* What we inherited and changed; the program gets it as it was. */
static sigset_t inherited_mask;
static struct sigaction inherited_chld;

static int signals_start(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGRTMIN };
	struct sigaction keep = { .sa_handler = SIG_DFL };
	sigset_t ours;
	unsigned int i;

	sigemptyset(&ours);
	sigaddset(&ours, SIGRTMIN);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigprocmask(SIG_UNBLOCK, &ours, &inherited_mask);
	/* If ignored, no status would be kept for us. */
	sigaction(SIGCHLD, &keep, &inherited_chld);
	if (timer_create(CLOCK_MONOTONIC, &event, &ticker))
		return -errno;
	handle(SIGRTMIN, on_tick);
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		handle(ends[i], on_end);
	return 0;
}

/* ---- launch ------------------------------------------------------------------- */

static void __attribute__((noreturn)) child(int go, int report)
{
	char c;
	int err;

	/* Held here until it is traced. */
	if (read(go, &c, 1) == 1) {
		sigaction(SIGCHLD, &inherited_chld, NULL);
		sigprocmask(SIG_SETMASK, &inherited_mask, NULL);
		execvp(live.config->argv[0], live.config->argv);
		err = errno;
		(void)!write(report, &err, sizeof(err));
	}
	_exit(127);
}

static int exec_report = -1;

static void launch(void)
{
	int go[2], report[2];
	pid_t pid;

	if (pipe2(go, O_CLOEXEC) || pipe2(report, O_CLOEXEC)) {
		live_fail(LIVE_SYSTEM, errno, "pipe");
		return;
	}
	pid = fork();
	if (!pid) {
		close(go[1]);
		child(go[0], report[1]);
	}
	close(go[0]);
	close(report[1]);
	exec_report = report[0];
	if (pid < 0) {
		live_fail(LIVE_SYSTEM, errno, "fork");
	} else if (ptrace(PTRACE_SEIZE, pid, 0,
			  LIVE_OPTIONS | PTRACE_O_EXITKILL)) {
		live_fail(LIVE_PTRACE, errno, NULL);
	} else {
		live.leader = pid;
		running = true;
		(void)!write(go[1], "", 1);
	}
	/* Nothing to read: a child that could not be traced ends. */
	close(go[1]);
	if (pid > 0 && !running)
		waitpid(pid, NULL, 0);
}

static void attach(void)
{
	if (live_attach(live.config->pid))
		return;
	live.leader = live.config->pid;
	running = executed = true;
}

static void leader_ended(int status)
{
	int err;

	leader_gone = true;
	live.result->status = status;
	if (read(exec_report, &err, sizeof(err)) == sizeof(err))
		live_fail(LIVE_EXEC, err, NULL);
}

/* If it is not our child, nothing more is heard of it. */
void live_leader_left(int err)
{
	live.result->left = err;
	leader_gone = live.config->pid;
}

/* ---- stops ----------------------------------------------------------------------- */

static struct live_task *find(pid_t tid)
{
	struct live_task *t;

	HASH_FIND_INT(live.tasks, &tid, t);
	return t;
}

/* The launched process before its exec: it is still a copy of ourselves. */
static void before_exec(int status)
{
	struct live_task *t;
	int sig = status >> 16 ? 0 : WSTOPSIG(status);

	if (status >> 16 == PTRACE_EVENT_EXEC) {
		executed = true;
		t = live_task_new(live.leader, live.leader, NULL);
		if (!t)
			sim_bug("out of memory for a task", __FILE__, __LINE__);
		live_task_status(t, status);
	} else {
		ptrace(PTRACE_CONT, live.leader, 0, sig);
	}
}

/*
 * A thread that calls exec gets the id of its process; the thread that had it
 * is gone without a status of its own.
 */
static struct live_task *renamed(struct live_task *t, pid_t tid)
{
	unsigned long former = tid;
	struct live_task *f;

	if (ptrace(PTRACE_GETEVENTMSG, tid, 0, &former) ||
	    former == (unsigned long)tid)
		return t;
	f = find(former);
	if (!f)
		return t;
	if (t) {
		HASH_DEL(live.tasks, t);
		live_task_status(t, 0);
	}
	HASH_DEL(live.tasks, f);
	f->tid = tid;
	HASH_ADD_INT(live.tasks, tid, f);
	return f;
}

void live_dispatch(pid_t tid, int status)
{
	struct live_task *t = find(tid);
	bool stopped = WIFSTOPPED(status);

	if (stopped && status >> 16 == PTRACE_EVENT_EXEC)
		t = renamed(t, tid);
	if (tid == live.leader && !stopped)
		leader_ended(status);
	if (t)
		live_task_status(t, status);
	else if (tid != live.leader)
		live_child_early(tid, status);
	else if (stopped)
		before_exec(status);
}

/* ---- the driver: registers, launches, detaches ------------------------------- */

static bool must_end(void *unused)
{
	/* Before its exec it cannot be left; that takes a moment only. */
	if (running && !executed && !leader_gone)
		return false;
	return asked || live.limit_reached || live.result->failure ||
	       (leader_gone && live_all_gone(NULL));
}

static void driver(void *unused)
{
	struct live_task *t, *next;

	live_probes_add();
	if (!live.result->failure && live.config->pid)
		attach();
	else if (!live.result->failure)
		launch();
	runq_await(must_end, NULL);
	live_detach_begin();
	runq_await(live_all_parked, NULL);
	live_probes_del();
	HASH_ITER(hh, live.tasks, t, next)
		if (t->mm)
			live_xol_return(t->mm);
	live.detached = true;
	runq_await(live_all_gone, NULL);
	live_keep_end();
	done = true;
	runq_exit();
}

/* ---- the loop --------------------------------------------------------------------------- */

/* Fibres of nobody in user mode; `current` is a task of an empty mm. */
static int kernel_fibers(void)
{
	static void (*const fn[])(void *) = { driver, live_world_timers,
					      live_world_callbacks,
					      live_world_worker };
	static struct runq_fiber fibers[4];
	struct mm_struct *mm = sim_mm_new(arch_native, NULL);
	unsigned int i;

	if (!mm)
		return -ENOMEM;
	for (i = 0; i < 4; i++) {
		fibers[i].task = sim_task_new(mm, 0, 0, NULL);
		if (!fibers[i].task || runq_start(&fibers[i], fn[i], NULL))
			return -ENOMEM;
	}
	return 0;
}

/*
 * The next stop. On a machine with nothing else to do, the core we slept on has
 * to be woken for each stop, and that takes several times what a hit does; so
 * look for a while first, as long as that pays. The core is the program's
 * between two looks, should it need this one.
 */
static pid_t wait_for_stop(int *status)
{
	static unsigned int asleep;
	unsigned int looks = 0;
	pid_t tid = 0;

	if (asleep)
		asleep--;
	else
		while (!(tid = waitpid(-1, status, __WALL | WNOHANG)) &&
		       looks++ < LOOKS)
			sched_yield();
	if (tid)
		return tid;
	if (looks)
		asleep = SLEEPS;
	return waitpid(-1, status, __WALL);
}

static void wait_once(void)
{
	bool want = live_world_timeout() >= 0;
	int status;
	pid_t tid;

	if (want != ticking)
		tick(want);
	ticking = want;
	/* In this order: on_end sets `asked` first. */
	if (asked && !live.detaching)
		tick(true);
	tid = wait_for_stop(&status);
	if (tid > 0)
		live_dispatch(tid, status);
	else if (errno == ECHILD)
		pause(); /* only timers are left */
}

/*
 * The program goes on without us; its end is still ours to report. So are its
 * children that died while we let them go: until we have seen them, their parent
 * does not.
 */
static void wait_for_leader(void)
{
	int status;
	pid_t tid;

	while (!asked) {
		tid = waitpid(-1, &status, __WALL);
		if (tid < 0 && errno != EINTR)
			return;
		if (tid > 0 && WIFSTOPPED(status)) {
			live_dispatch(tid, status);
		} else if (tid == live.leader) {
			leader_ended(status);
			return;
		}
	}
}

void live_run(const struct live_config *config, struct live_result *result)
{
	int err;

	memset(result, 0, sizeof(*result));
	live.config = config;
	live.result = result;
	err = signals_start();
	if (!err)
		err = kernel_fibers();
	if (err) {
		live_fail(LIVE_SYSTEM, -err, "set up the run");
		return;
	}
	for (runq_poll(); !done; runq_poll())
		wait_once();
	if (running && !config->pid && !leader_gone && !result->failure)
		wait_for_leader();
	result->signal = asked;
	tick(false);
}
