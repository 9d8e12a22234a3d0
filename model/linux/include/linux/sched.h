/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/sched.h - tasks.
 *
 * 	function			order	sleeps	scheduling point
 * 	set_current_state		full	no	yes
 * 	__set_current_state		none	no	yes
 * 	schedule			-	yes	yes: until __state is 0
 * 	wake_up_process, wake_up_state	full	no	yes
 * 	set_tsk_thread_flag and so on	as linux/thread_info.h
 * Context: schedule: task, no spin lock held. The others: any. Leaves out
 * everything that the probe code does not look at.
 */
#ifndef LINUX_SCHED_H
#define LINUX_SCHED_H

#include <asm/barrier.h>
#include <asm/processor.h>
#include <asm/ptrace.h>
#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mm_types.h>
#include <linux/preempt.h>
#include <linux/spinlock_types.h>
#include <linux/thread_info.h>
#include <linux/types.h>
#include <sim/world.h>

#define TASK_COMM_LEN 16

/* task_struct.__state */
#define TASK_RUNNING 0x0
#define TASK_INTERRUPTIBLE 0x1
#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_WAKEKILL 0x100
#define TASK_KILLABLE (TASK_WAKEKILL | TASK_UNINTERRUPTIBLE)
#define TASK_NORMAL (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)

/* task_struct.flags; written by the task itself only */
#define PF_EXITING 0x4
#define PF_KTHREAD 0x200000

#define CLONE_VM 0x100
#define CLONE_VFORK 0x4000
#define CLONE_THREAD 0x10000

struct uprobe_task;

/* RCU flavours whose sections nest. */
enum sim_nest { SIM_NEST_RCU, SIM_NEST_TRACE, SIM_NR_NESTS };

struct sim_section {
	int depth; /* only the outermost section is one for the world */
	int token;
};

struct sighand_struct {
	spinlock_t siglock; /* what is pending, and TIF_SIGPENDING with it */
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	unsigned int flags;
	struct mm_struct *mm; /* holds a reference; NULL after exit */
	pid_t pid, tgid;
	char comm[TASK_COMM_LEN];
	struct callback_head *task_works;
	struct sighand_struct *sighand; /* of its own */
	struct uprobe_task *utask;	/* owned by the task itself */
	struct llist_head rethooks;	/* likewise */
	struct thread_struct thread;

	struct pt_regs *sim_regs; /* while in the kernel */
	struct sighand_struct sim_sighand;
	/* Until delivered; siglock. */
	bool sim_signals;    /* the world has some for it */
	int sim_forced_sig;  /* force_sig */
	bool sim_trace_trap; /* force_trace_trap */
	struct sim_section sim_nests[SIM_NR_NESTS]; /* the task's own */
	void *sim_priv;				    /* the world's */
};

_Static_assert(sizeof(struct task_struct) <= SIM_TASK_BYTES,
	       "a world makes it");

#define current sim_current()
#define task_pt_regs(task) ((task)->sim_regs)
#define current_pt_regs() task_pt_regs(current)

#define __set_current_state(state) WRITE_ONCE(current->__state, state)
#define set_current_state(state) smp_store_mb(current->__state, state)
#define task_is_running(task) (READ_ONCE((task)->__state) == TASK_RUNNING)

#define set_tsk_thread_flag(t, f) set_ti_thread_flag(&(t)->thread_info, f)
#define clear_tsk_thread_flag(t, f) clear_ti_thread_flag(&(t)->thread_info, f)
#define test_tsk_thread_flag(t, f) test_ti_thread_flag(&(t)->thread_info, f)
#define test_and_clear_tsk_thread_flag(t, f) \
	test_and_clear_ti_thread_flag(&(t)->thread_info, f)

static __always_inline void schedule(void)
{
	sim_schedule(&current->__state);
}

static __always_inline int wake_up_state(struct task_struct *task,
					 unsigned int mask)
{
	return sim_wake(task, &task->__state, mask);
}

/* Returns whether the task slept. */
static __always_inline int wake_up_process(struct task_struct *task)
{
	return wake_up_state(task, TASK_NORMAL);
}

#define cond_resched() 0

#endif /* LINUX_SCHED_H */
