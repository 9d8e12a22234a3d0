// SPDX-License-Identifier: GPL-2.0-only
/*
 * copy.c - fork on the in-memory machine: a second mm, a second task.
 *
 * Kernel-side and instrumented. Text and counters are copied when the model says so,
 * by bytes and half words as they are used; the stack by the parent, since nobody
 * else is at it.
 */
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "machine.h"
#include "space_kernel.h"

int machine_copy_pages(struct mm_struct *mm, struct mm_struct *oldmm,
		       unsigned long start, unsigned long n)
{
	struct user_space *s = sim_mm_priv(mm), *from = sim_mm_priv(oldmm);
	unsigned int i;

	if (from->no_copy - start < n)
		return -ENOMEM;
	if (USER_TEXT - start < n) {
		for (i = 0; i < from->text_bytes; i++)
			WRITE_ONCE(s->text[i], READ_ONCE(from->text[i]));
	}
	if (USER_DATA - start < n) {
		for (i = 0; i < USER_COUNTERS; i++)
			WRITE_ONCE(s->counter[i], READ_ONCE(from->counter[i]));
		s->lacks_data = false;
	}
	return 0;
}

void user_no_copy(struct mm_struct *mm, unsigned long addr)
{
	struct user_space *s = sim_mm_priv(mm);

	s->no_copy = addr;
}

/* For a child with an mm of its own. It is kept: somebody may hold that mm. */
static struct user_space *new_space(struct user_space *from)
{
	struct user_space *s = kzalloc_obj(struct user_space), *next;

	if (!s)
		return NULL;
	s->text_bytes = from->text_bytes;
	s->wide = from->wide;
	s->generation = from->generation + 1;
	s->lacks_data = true;
	s->tasks = from->tasks;
	do {
		next = READ_ONCE(from->copies);
		s->next = next;
	} while (!try_cmpxchg(&from->copies, &next, s));
	return s;
}

/* From sp to where that task's stack begins. */
static void copy_stack(struct user_space *s, struct user_space *from,
		       unsigned long sp)
{
	unsigned long word = (sp - USER_STACKS) / sizeof(long);
	unsigned long task = word / USER_STACK_WORDS;

	for (word %= USER_STACK_WORDS; word && word < USER_STACK_WORDS; word++)
		WRITE_ONCE(s->stack[task][word],
			   READ_ONCE(from->stack[task][word]));
}

struct task_struct *user_fork(unsigned int flags, int pid)
{
	struct user_space *from = sim_mm_priv(current->mm), *s = from;
	struct user *u = kzalloc_obj(struct user);
	struct task_struct *task;
	int err;

	if (!u)
		return NULL;
	memcpy(&u->regs, &this_user()->regs, sizeof(u->regs));
	u->new = true;
	if (!(flags & CLONE_VM)) {
		s = new_space(from);
		if (!s)
			goto fail;
		copy_stack(s, from, u->regs.sp);
	} else if (!(flags & CLONE_VFORK)) {
		BUG_ON(s->tasks == USER_MAX_TASKS);
		u->regs.sp = USER_STACKS + ++s->tasks * STACK_BYTES;
	}
	task = sim_task_fork(flags, pid, pid, u, s, &err);
	if (task)
		return task;
fail:
	kfree(u);
	return NULL;
}
