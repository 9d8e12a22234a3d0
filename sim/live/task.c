// SPDX-License-Identifier: GPL-2.0-only
/*
 * task.c - one task's kernel side: from a ptrace stop back to user mode.
 *
 * The fibre sleeps while the task runs in user mode. What a stop means is found
 * out here; what is done about it is decided by the model.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "regs.h"
#include "tracee.h"

struct live_task *live_self(void)
{
	struct runq_fiber *f = runq_self();

	/* The kernel's own fibres have nobody in user mode. */
	return f ? f->priv : NULL;
}

/* ---- leaving ---------------------------------------------------------------- */

/* Killed in its slot: the model leaves the step as for any fatal signal. */
static void die_in_step(struct live_task *t)
{
	struct sim_resume how;

	t->step.on = false;
	sim_user_trap(SIM_TRAP_SIGNAL, SIGKILL, &t->regs);
	sim_user_resume(&t->regs, &how);
}

/* Nothing of it runs in user mode again. */
static void leave_model(struct live_task *t)
{
	t->dying = true;
	if (!t->task)
		return;
	if (t->step.on)
		die_in_step(t);
	sim_task_exit(t->task);
	sim_task_free(t->task);
	t->task = t->fiber.task = NULL;
	live_sigtrap_end(t);
	live_keep_gone(t);
	live_mm_put(t->mm);
	t->mm = NULL;
}

/* The task is no more, for us. */
static void __attribute__((noreturn)) end(struct live_task *t)
{
	struct live_task *found;

	leave_model(t);
	HASH_FIND_INT(live.tasks, &t->tid, found);
	if (found == t)
		HASH_DEL(live.tasks, t);
	runq_exit();
}

/*
 * It is about to exit. Its wait status may be long in coming: that of a first
 * thread comes when all others have ended, whether we trace them or not.
 */
static void exiting(struct live_task *t)
{
	leave_model(t);
	t->exited = true;
	ptrace(PTRACE_CONT, t->tid, 0, 0);
}

void live_task_leave(struct live_task *t, int sig)
{
	sig = live_take_signal(t, sig);
	tracee_resume(t, PTRACE_DETACH, sig);
	end(t);
}

static bool may_go(void *arg)
{
	struct live_task *t = arg;

	return live.detached || t->has_status;
}

/*
 * The model lets go of the task; ptrace does when all breakpoints are out.
 * Until then it stays stopped, or it would run into one.
 */
static void park(struct live_task *t, int sig)
{
	live_returns_reveal(t);
	sim_user_detach(&t->regs);
	live_step_end(t);
	live_jump_leave(t);
	tracee_setregs(t);
	t->parked = true;
	runq_await(may_go, t);
	if (!t->has_status && !t->kicked)
		live_detach_unmap(t, sig);
	if (!t->has_status && !t->kicked)
		live_task_leave(t, sig);
}

/* ---- back to user mode ------------------------------------------------------- */

static bool watched(const struct live_task *t)
{
	return !live.config->fast || t->mm->watch || t->mm->fresh;
}

/*
 * Not at a system call: whether it has to be made again is known at the stop
 * behind it, which is there for us already or asked for here.
 */
static void leave(struct live_task *t, int sig)
{
	if (WSTOPSIG(t->status) != LIVE_SYSCALL_STOP) {
		park(t, sig);
		return;
	}
	ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
	tracee_resume(t, PTRACE_CONT, 0);
}

void live_task_run(struct live_task *t, int sig)
{
	if (live.detaching) {
		leave(t, sig);
		return;
	}
	sig = live_take_signal(t, sig);
	if (sig && live_sigtrap_deliver(t, sig)) {
		t->failed_call = -1;
		tracee_resume(t, PTRACE_SINGLESTEP, sig);
		return;
	}
	live_call_again(t, sig);
	tracee_resume(t, watched(t) ? PTRACE_SYSCALL : PTRACE_CONT, sig);
}

/*
 * Behind a return the link register still has where the function returned to:
 * not where that was us.
 */
static void hide_trampoline(struct live_task *t)
{
	if (arch_native->link_register &&
	    arch_native->get_lr(&t->regs) == t->mm->xol)
		arch_native->set_lr(&t->regs, arch_native->get_ip(&t->regs));
}

static void return_to_user(struct live_task *t, int sig)
{
	bool returns = t->mm->xol &&
		       arch_native->get_ip(&t->regs) -
				       arch_native->bp_ip_adjust ==
			       t->mm->xol;
	struct sim_resume how;

	sim_user_resume(&t->regs, &how);
	if (returns)
		hide_trampoline(t);
	live_unwinder_enter(t);
	live_keep_returns(t);
	if (t->mm->rescan)
		live_linker_update(t);
	if (t->trapped && how.force_sig != SIGTRAP)
		live_sigtrap_undo(t);
	t->trapped = false;
	if (how.force_sig) {
		/* The signal of this very stop has its information already. */
		sig = how.force_sig;
		if (sig != WSTOPSIG(t->status))
			tracee_setsiginfo(t,
					  &(siginfo_t){ .si_signo = sig,
							.si_code = SI_KERNEL });
	}
	if (how.trace_trap)
		live_hold(t,
			  &(siginfo_t){ .si_signo = SIGTRAP,
					.si_code = TRAP_TRACE,
					.si_addr = (void *)arch_native->get_ip(
						&t->regs) });
	if (!how.step || live.detaching)
		live_task_run(t, sig);
	else if (!live_jump_start(t, &how))
		live_step_start(t, &how);
}

/* ---- stops ----------------------------------------------------------------------- */

/* A fault is reported where the program wrote the instruction. */
static void correct_fault(struct live_task *t, siginfo_t *info)
{
	unsigned long at = (unsigned long)info->si_addr;
	const struct live_stepping *s = &t->step;

	if (at < s->slot || at - s->slot >= s->insn->len)
		return;
	info->si_addr = (void *)(s->vaddr + (at - s->slot));
	tracee_setsiginfo(t, info);
}

static void step_complete(struct live_task *t)
{
	live_step_report(t);
	sim_user_trap(SIM_TRAP_STEP, 0, &t->regs);
	return_to_user(t, 0);
}

/*
 * For detach: it may have run its instruction, and not reached the breakpoint
 * behind it. Then it must not run again.
 */
static void step_leave(struct live_task *t)
{
	if (!t->step.jump && arch_native->get_ip(&t->regs) != t->step.slot)
		step_complete(t);
	else
		park(t, 0);
}

/*
 * The model has nothing to do with it. If it is a fault, it comes again when the
 * signal that waits has been delivered.
 */
static void jump_step_stop(struct live_task *t, siginfo_t *info)
{
	if (live_step_classify(t, info) == STEP_AGAIN && !live.detaching) {
		live_step_continue(t);
		return;
	}
	live_step_end(t);
	live_jump_leave(t);
	live_sigtrap_undo(t);
	live_task_run(t, 0);
}

static void jump_stop(struct live_task *t, siginfo_t *info)
{
	if (!live.detaching && live_jump_hold(t, info))
		return;
	live_jump_correct(t, info);
	live_jump_leave(t);
	live_task_run(t, info->si_signo);
}

static void step_stop(struct live_task *t, siginfo_t *info)
{
	switch (live_step_classify(t, info)) {
	case STEP_AGAIN:
		if (live.detaching)
			step_leave(t);
		else
			live_step_continue(t);
		return;
	case STEP_COMPLETE:
		t->trapped = true;
		step_complete(t);
		return;
	case STEP_FAULT:
		correct_fault(t, info);
		live_step_end(t);
		sim_user_trap(SIM_TRAP_FAULT, info->si_signo, &t->regs);
		return_to_user(t, info->si_signo);
		return;
	}
}

/*
 * A signal comes between a return into the trampoline and its breakpoint. The
 * handler's frame would hold our address; so return first.
 */
static void returned_early(struct live_task *t, int sig)
{
	arch_native->set_ip(&t->regs, t->mm->xol + arch_native->bp_ip_adjust);
	sim_user_trap(SIM_TRAP_BREAKPOINT, SIGTRAP, &t->regs);
	return_to_user(t, sig);
}

/*
 * A breakpoint: ours, or the program's own. If the program blocks SIGTRAP, or it
 * was sent one meanwhile, it may come with that signal, which waits.
 */
static bool is_breakpoint(struct live_task *t, const siginfo_t *info)
{
	if (info->si_signo == SIGTRAP && info->si_code == regs_abi.breakpoint)
		return true;
	if (!live_sigtrap_forced(t) && !live_trap_merged(t, info))
		return false;
	live_hold(t, info);
	return true;
}

static void signal_stop(struct live_task *t, int sig)
{
	siginfo_t info;

	if (tracee_getsiginfo(t, &info) || tracee_getregs(t))
		return;
	if (t->step.on && t->step.jump) {
		jump_step_stop(t, &info);
	} else if (t->step.on) {
		step_stop(t, &info);
	} else if (live_sigtrap_entered(t, &info)) {
		live_task_run(t, 0);
	} else if (live_jump_in(t)) {
		jump_stop(t, &info);
	} else if (is_breakpoint(t, &info)) {
		t->trapped = true;
		t->trapped_regs = t->regs;
		live_mm_find(t->mm, t->tid,
			     arch_native->get_ip(&t->regs) -
				     arch_native->bp_ip_adjust);
		live_unwinder_settle(t);
		if (sim_user_trap(SIM_TRAP_BREAKPOINT, SIGTRAP, &t->regs))
			sig = 0;
		return_to_user(t, sig);
	} else if (t->mm->xol && arch_native->get_ip(&t->regs) == t->mm->xol) {
		returned_early(t, sig);
	} else {
		live_task_run(t, sig);
	}
}

/*
 * Interrupted for detach, anywhere. A trap or fault may have happened whose
 * signal is still queued behind this stop: it must be dealt with while its
 * breakpoint is known, or it would kill the program.
 */
static void interrupted(struct live_task *t)
{
	if (tracee_getregs(t))
		return;
	if (live_step_unreported(t))
		tracee_resume(t, PTRACE_CONT, 0);
	else if (t->step.on)
		step_leave(t);
	else {
		live_call_again(t, 0);
		park(t, 0);
	}
}

static void call_started(struct live_task *t,
			 const struct __ptrace_syscall_info *info)
{
	t->call.arch = info->arch;
	t->call.nr = info->entry.nr;
	memcpy(t->call.arg, info->entry.args, sizeof(t->call.arg));
	live_sigtrap_call(t);
	/* A probed instruction makes it. */
	if (!t->step.on)
		live_task_run(t, 0);
	else if (!tracee_getregs(t))
		step_complete(t);
}

static void call_ended(struct live_task *t,
		       const struct __ptrace_syscall_info *info)
{
	live_sigtrap_result(t, info->exit.is_error);
	live_call_failed(t, info->exit.rval);
	live_linker_syscall(t, info->exit.rval);
	/* It may be anywhere now, and has not run there. */
	if (t->call.nr == SYS_rt_sigreturn)
		tracee_getregs(t);
	t->call.nr = -1;
	/* Nobody can have forbidden it yet. */
	if (t->mm->fresh && !tracee_getregs(t))
		live_xol_map(t);
	t->mm->fresh = false;
	live_task_run(t, 0);
}

static void syscall_stop(struct live_task *t)
{
	struct __ptrace_syscall_info info;

	if (tracee_getcall(t, &info))
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		call_started(t, &info);
	else
		call_ended(t, &info);
}

static void group_stop(struct live_task *t)
{
	t->group_stop = true;
	tracee_resume(t, PTRACE_LISTEN, 0);
}

static void go_on(struct live_task *t)
{
	live_sigtrap_first_stop(t);
	live_task_run(t, 0);
	t->group_stop = false;
}

static void event_stop(struct live_task *t, int sig)
{
	if (live.detaching)
		interrupted(t);
	else if (sig != SIGTRAP)
		group_stop(t);
	else if (t->step.on)
		live_step_continue(t);
	else if (!tracee_getregs(t))
		go_on(t);
}

static void stop(struct live_task *t, int status)
{
	int sig = WSTOPSIG(status);

	switch (status >> 16) {
	case 0:
		if (sig == LIVE_SYSCALL_STOP)
			syscall_stop(t);
		else
			signal_stop(t, sig);
		return;
	case PTRACE_EVENT_STOP:
		event_stop(t, sig);
		return;
	case PTRACE_EVENT_CLONE:
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
		live_child(t, status >> 16);
		return;
	case PTRACE_EVENT_VFORK_DONE:
		t->vforking = false;
		live_task_run(t, 0);
		return;
	case PTRACE_EVENT_EXEC:
		live_exec(t);
		return;
	case PTRACE_EVENT_EXIT:
		exiting(t);
		return;
	default:
		sim_warn("unexpected ptrace event", __FILE__, __LINE__);
		live_task_run(t, 0);
	}
}

/* ---- the fibre ---------------------------------------------------------------------- */

static bool wanted(const struct live_task *t)
{
	return t->has_status || (t->kicked && !t->parked);
}

static bool may_leave(void *arg)
{
	return live.detached || ((struct live_task *)arg)->dying;
}

/* Parked while it slept in vfork; now it has stopped. */
static void late_stop(struct live_task *t, int status)
{
	int sig = status >> 16 ? 0 : WSTOPSIG(status);

	runq_await(may_leave, t);
	live_task_leave(t, sig == LIVE_SYSCALL_STOP ? 0 : sig);
}

static void task_main(void *arg)
{
	struct live_task *t = arg;

	for (;;) {
		while (!wanted(t))
			runq_sleep();
		if (!t->has_status) {
			/* Nothing is known of its registers, or needed. */
			t->regs_valid = false;
			t->regs = (struct pt_regs){ 0 };
			park(t, 0);
			continue;
		}
		t->has_status = false;
		if (!WIFSTOPPED(t->status))
			end(t);
		if (t->parked && !t->dying)
			late_stop(t, t->status);
		stop(t, t->status);
	}
}

static void release(void *arg)
{
	struct live_task *t = arg;

	free(t->revealed);
	free(t);
}

struct live_task *live_task_new(pid_t tid, pid_t tgid, struct live_mm *mm)
{
	struct live_task *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->tid = tid;
	t->tgid = tgid;
	t->mm = mm;
	t->call.nr = t->failed_call = -1;
	if (mm) {
		t->task = sim_task_new(mm->mm, tid, tgid, t);
		if (!t->task)
			goto fail;
		live_mm_get(mm);
	}
	t->fiber.task = t->task;
	t->fiber.release = release;
	if (runq_start(&t->fiber, task_main, t))
		goto fail_task;
	HASH_ADD_INT(live.tasks, tid, t);
	return t;
fail_task:
	if (mm) {
		sim_task_free(t->task);
		live_mm_put(mm);
	}
fail:
	free(t);
	return NULL;
}

void live_task_status(struct live_task *t, int status)
{
	t->status = status;
	t->has_status = true;
	if (!WIFSTOPPED(status) || status >> 16 == PTRACE_EVENT_EXIT)
		t->dying = true;
	runq_wake(&t->fiber);
}
