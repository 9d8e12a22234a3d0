// SPDX-License-Identifier: GPL-2.0-only
/*
 * task.c - tasks: made and ended by the world, and their registers.
 *
 * Stands for kernel/fork.c (the rest is in fork.c here) and exit.c, as far as probes
 * notice.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <sim/entry.h>
#include "uprobes/uprobes.h"

struct task_struct *sim_task_new(struct mm_struct *mm, int pid, int tgid,
				 void *priv)
{
	struct task_struct *task = kzalloc_obj(struct task_struct);

	if (!task)
		return NULL;
	mmget(mm);
	task->mm = mm;
	task->pid = pid;
	task->tgid = tgid;
	task->sighand = &task->sim_sighand;
	task->sim_priv = priv;
	return task;
}

void sim_task_exit(struct task_struct *task)
{
	struct mm_struct *mm = task->mm;

	task->flags |= PF_EXITING;
	uprobe_free_utask(task);
	task->mm = NULL;
	mmput(mm);
	task_work_run();
}

void sim_task_free(struct task_struct *task)
{
	if (task->mm)
		mmput(task->mm);
	kfree(task);
}

void *sim_task_priv(struct task_struct *task)
{
	return task->sim_priv;
}

struct mm_struct *sim_task_mm(struct task_struct *task)
{
	return task->mm;
}

/* What has no mm is a task of the kernel; the kernel that is hosted is x86-64's. */
unsigned long instruction_pointer(const struct pt_regs *regs)
{
	return current->mm ? current->mm->sim_arch->get_ip(regs) : regs->ip;
}

void instruction_pointer_set(struct pt_regs *regs, unsigned long ip)
{
	if (current->mm)
		current->mm->sim_arch->set_ip(regs, ip);
	else
		regs->ip = ip;
}

unsigned long user_stack_pointer(const struct pt_regs *regs)
{
	return current->mm->sim_arch->get_sp(regs);
}

unsigned long regs_return_value(const struct pt_regs *regs)
{
	return current->mm->sim_arch->get_retval(regs);
}
