// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_fork.c - what a child has of its parent's breakpoints, calls and counters.
 */
#include <linux/sched/signal.h>
#include "fixture.h"

static struct task_struct *parent, *child;

static void start(void)
{
	fixture();
	parent = task[0];
}

static struct mm_struct *fork(unsigned int flags)
{
	child = user_fork(flags, 7);
	BUG_ON(!child);
	return sim_task_mm(child);
}

/* Each of them returns to where it was called; child first. */
static void both_return(void)
{
	user_begin(child);
	BUG_ON(user_return() != CALLER || user_log(child)->killed);
	BUG_ON(current->utask->return_instances || current->utask->depth);
	user_begin(parent);
	BUG_ON(user_return() != CALLER || user_log(parent)->killed);
	BUG_ON(current->utask->return_instances || current->utask->depth);
}

static void both_exit(void)
{
	user_begin(child);
	user_exit();
	user_begin(parent);
	user_exit();
}

/* They come with the text; flags say so, and that they may be stale. */
void case_fork_breakpoints(void)
{
	struct counter c = {};
	struct mm_struct *copy;

	start();
	copy = fork(0);
	BUG_ON(mm_flags_test(MMF_HAS_UPROBES, copy));
	BUG_ON(mm_flags_test(MMF_RECALC_UPROBES, copy));

	add(&c, F, ENTRY);
	copy = fork(0);
	BUG_ON(user_text(copy, USER_TEXT + F) != USER_BP);
	BUG_ON(!mm_flags_test(MMF_HAS_UPROBES, copy));
	BUG_ON(!mm_flags_test(MMF_RECALC_UPROBES, copy));
	BUG_ON(atomic_read(&copy->mm_users) != 1);

	user_begin(child);
	BUG_ON(!user_hit(USER_TEXT + F) || c.entries != 1);
	BUG_ON(user_log(child)->ax != 1 || user_log(parent)->ax);
	del(&c);
	BUG_ON(user_text(copy, USER_TEXT + F) != USER_INC || breakpoint_at(F));
	BUG_ON(!user_hit(USER_TEXT + F) || c.entries != 1);
}

/* Even where the filter would refuse the child; it can be got rid of there. */
void case_fork_filter(void)
{
	struct counter c = {};
	struct mm_struct *copy;

	start();
	add(&c, F, ENTRY | FILTER);
	c.refuse = true;
	copy = fork(0);
	user_begin(child);
	BUG_ON(!user_hit(USER_TEXT + F) || c.entries != 1);
	BUG_ON(user_text(copy, USER_TEXT + F) != USER_BP);
	c.rc = UPROBE_HANDLER_REMOVE;
	BUG_ON(!user_hit(USER_TEXT + F) || c.entries != 2);
	BUG_ON(user_text(copy, USER_TEXT + F) != USER_INC || !breakpoint_at(F));
}

/*
 * Inside of a function that is followed: both return, each with an event of its own,
 * the child through a trampoline at its parent's address.
 */
void case_fork_return(void)
{
	struct counter c = { .cookie = 5 };
	struct mm_struct *copy;

	start();
	add(&c, F, ENTRY | RETURN);
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	copy = fork(0);
	BUG_ON(innermost()->hprobe.state != HPROBE_STABLE);
	BUG_ON(child->utask->return_instances->hprobe.state != HPROBE_STABLE);
	BUG_ON(refcount_read(&c.uprobe->ref) != 3);
	BUG_ON(copy->uprobes_state.xol_area); /* not before it runs */

	both_return();
	BUG_ON(c.entries != 1 || c.returns != 2 || c.seen != 5);
	BUG_ON(copy->uprobes_state.xol_area->vaddr !=
	       mm->uprobes_state.xol_area->vaddr);
	BUG_ON(copy->uprobes_state.xol_area == mm->uprobes_state.xol_area);
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);

	/* Nothing is pending: nothing is copied, and any address will do. */
	BUG_ON(fork(0)->uprobes_state.xol_area || child->utask);
	user_begin(child);
	BUG_ON(!user_call(USER_TEXT + F, CALLER) || user_return() != CALLER);
	BUG_ON(c.returns != 3);
	BUG_ON(sim_task_mm(child)->uprobes_state.xol_area->vaddr ==
	       mm->uprobes_state.xol_area->vaddr);
	del(&c);
}

/* The grandchild's trampoline is where the first one's was. */
void case_fork_again(void)
{
	struct counter c = {};
	struct task_struct *first;

	start();
	add(&c, F, RETURN);
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	fork(0);
	first = child;
	user_begin(first);
	fork(0);
	parent = first;
	both_return();
	BUG_ON(c.returns != 2);
}

/* The child goes on on the parent's stack, in its mm; then the parent does. */
void case_fork_vfork(void)
{
	struct counter c = {};

	start();
	add(&c, F, ENTRY | RETURN);
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	BUG_ON(fork(CLONE_VM | CLONE_VFORK) != mm);
	BUG_ON(child->utask->depth != 1 || child->task_works);
	user_begin(child);
	BUG_ON(!user_call(USER_TEXT + F, CALLER) || user_return() != CALLER);
	BUG_ON(c.returns != 1);
	user_exit();

	user_begin(parent);
	BUG_ON(user_return() != CALLER || c.entries != 2 || c.returns != 2);
	settle();
	BUG_ON(refcount_read(&c.uprobe->ref) != 1);
}

/* A thread, or a process with the same memory, has a stack of its own. */
void case_fork_thread(void)
{
	struct counter c = {};

	start();
	add(&c, F, ENTRY | RETURN);
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	BUG_ON(fork(CLONE_VM) != mm || child->utask);
	BUG_ON(innermost()->hprobe.state != HPROBE_LEASED);
	user_begin(child);
	BUG_ON(!user_call(USER_TEXT + F, CALLER) || user_return() != CALLER);
	user_begin(parent);
	BUG_ON(user_return() != CALLER || c.entries != 2 || c.returns != 2);
}

/* Cookies and chains are copied, innermost first. */
void case_fork_sessions(void)
{
	struct counter a = { .cookie = 1 }, b = { .cookie = 2 };
	struct return_instance *ri, *copy;

	start();
	add(&a, F, ENTRY | RETURN);
	add(&b, F, ENTRY | RETURN);
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	BUG_ON(!user_hit(USER_TEXT + F)); /* a tail call */
	fork(0);
	ri = innermost();
	copy = child->utask->return_instances;
	BUG_ON(child->utask->depth != 3);
	for (; ri; ri = ri->next, copy = copy->next) {
		BUG_ON(copy->stack != ri->stack ||
		       copy->chained != ri->chained || copy->cons_cnt != 2);
		BUG_ON(copy->extra_consumers == ri->extra_consumers);
	}
	BUG_ON(copy);

	user_begin(child);
	BUG_ON(user_return() != CALLER || a.returns != 2 || b.returns != 2);
	user_begin(parent);
	BUG_ON(user_return() != CALLER || a.returns != 4 || b.returns != 4);
	BUG_ON(a.seen != 1 || b.seen != 2);
	both_return();
	BUG_ON(a.returns != 6 || b.returns != 6);
	both_exit();
	settle();
	del(&a);
	del(&b);
}

/* The probe is gone already: addresses are needed all the same. */
void case_fork_gone(void)
{
	struct counter c = {};

	start();
	add(&c, F, ENTRY | RETURN);
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	BUG_ON(innermost()->hprobe.state != HPROBE_LEASED);
	uprobe_unregister_nosync(c.uprobe, &c.uc);
	fork(0);
	BUG_ON(innermost()->hprobe.state != HPROBE_GONE);
	BUG_ON(child->utask->return_instances->hprobe.state != HPROBE_GONE);
	uprobe_unregister_sync(); /* nobody has a lease */
	both_return();
	BUG_ON(c.returns);
	settle();
	BUG_ON(!no_uprobe_events());
}

/* Stable, and gone after that: the child has a reference of its own, or none. */
void case_fork_expired(void)
{
	struct counter c = {};

	start();
	add(&c, F, ENTRY | RETURN);
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	settle();
	BUG_ON(innermost()->hprobe.state != HPROBE_STABLE);
	fork(0);
	BUG_ON(refcount_read(&c.uprobe->ref) != 3);
	del(&c);
	fork(0); /* its reference is the probe's life */
	BUG_ON(refcount_read(&c.uprobe->ref) != 3);
	both_return();
	BUG_ON(c.returns);
}

/*
 * Memory runs out anywhere. Either there is no child, or it has what was copied; the
 * parent returns whatever happens, and nothing is left when all have exited.
 */
void case_fork_no_memory(void)
{
	struct counter a = {}, b = {};
	int k, objects = 0, children = 0, failed = 0;

	start();
	add(&a, F, ENTRY | RETURN);
	add(&b, F, ENTRY | RETURN);
	for (k = 0; k < 16; k++) {
		BUG_ON(!user_call(USER_TEXT + F, CALLER));
		BUG_ON(!user_call(USER_TEXT + F, CALLER));
		world_fail_alloc(k);
		child = user_fork(0, 7);
		world_fail_alloc(0);
		if (child) {
			children++;
			user_begin(child);
			if (child->utask && child->utask->depth == 2) {
				BUG_ON(user_return() != CALLER);
				BUG_ON(user_return() != CALLER);
			} else {
				failed++;
			}
			user_exit();
			user_begin(parent);
		}
		BUG_ON(user_return() != CALLER || user_return() != CALLER);
		uprobe_free_utask(current);
		settle();
		BUG_ON(refcount_read(&a.uprobe->ref) != 2);
	}
	BUG_ON(!children || !failed || user_log(parent)->killed);

	/* Nothing but what the machine keeps of an mm, and the child itself. */
	BUG_ON(!user_call(USER_TEXT + F, CALLER));
	for (k = 0; k < 2; k++) {
		if (k)
			objects = world_objects();
		fork(0);
		user_begin(child);
		user_exit();
		sim_task_free(child);
		user_begin(parent);
		settle();
	}
	BUG_ON(world_objects() != objects + 2);
}

/* The child's copy of the counter counts the child's breakpoint. */
void case_fork_counter(void)
{
	struct counter c = { .ref_ctr_offset = USER_DATA_OFFSET };
	struct mm_struct *copy;

	start();
	user_map_data(mm, file);
	add(&c, F, ENTRY);
	copy = fork(0);
	BUG_ON(user_counter(mm, 0) != 1 || user_counter(copy, 0) != 1);
	del(&c);
	BUG_ON(user_counter(mm, 0) || user_counter(copy, 0));
}

/* No child: killed, or half copied. Nothing is kept of either, and probes work. */
void case_fork_fails(void)
{
	struct counter c = {};

	start();
	user_map_data(mm, file);
	add(&c, F, ENTRY);
	user_no_copy(mm, USER_DATA);
	BUG_ON(user_fork(0, 7));
	user_no_copy(mm, 0);
	BUG_ON(!user_fork(0, 7));
	user_signal(task[0], true);
	BUG_ON(user_fork(0, 7));
	BUG_ON(!user_fork(CLONE_VM, 7));

	user_begin(task[1]);
	BUG_ON(!user_hit(USER_TEXT + F) || c.entries != 1);
	del(&c);
	BUG_ON(breakpoint_at(F));
}

/* A copy that failed is left alone by those who still come by it. */
void case_fork_unstable(void)
{
	struct mm_struct *second;
	struct counter c = {};

	start();
	second = user_mm(file);
	mm_flags_set(MMF_UNSTABLE, second);
	add(&c, F, ENTRY);
	BUG_ON(!breakpoint_at(F));
	BUG_ON(user_text(second, USER_TEXT + F) != USER_INC);
	del(&c);
	mm_flags_clear(MMF_UNSTABLE, second);
}

/* Killed while somebody else has the lock: the fork is over at once. */
void case_fork_lock(void)
{
	start();
	mmap_read_lock(mm);
	user_signal(task[0], true);
	BUG_ON(mmap_write_lock_killable(mm) != -EINTR);
	BUG_ON(user_fork(0, 7));
	mmap_read_unlock(mm);
	BUG_ON(mmap_write_lock_killable(mm));
	BUG_ON(!(mm->mm_lock_seq.sequence & 1));
	mmap_write_unlock(mm);
}
