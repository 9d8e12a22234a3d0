// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_memory.c - everything that is allocated is freed, once, on every path.
 */
#include "fixture.h"

/* One of everything: sessions, a step, nesting, a walk by the timer. */
static void live_a_little(void)
{
	struct counter c[4] = {};
	int added = 0;

	while (added < 4 && !IS_ERR(try_add(&c[added], F, ENTRY | RETURN)))
		added++;
	if (added < 4)
		goto out;
	user_call(USER_TEXT + F, CALLER);
	user_call(USER_TEXT + F, CALLER);
	settle();
	BUG_ON(user_return() != CALLER);
	if (current->utask)
		current->utask->ri_seqcount.sequence++;
	BUG_ON(user_return() != CALLER);
	if (current->utask)
		current->utask->ri_seqcount.sequence++;
out:
	/* An unregistration that finds no memory leaks its uprobe, by design. */
	world_fail_alloc(0);
	while (added--)
		del(&c[added]);
}

void case_memory_balance(void)
{
	int objects, users;

	fixture();
	user_limit_slots(mm, 2);
	objects = world_objects();
	users = atomic_read(&mm->mm_users);

	live_a_little();
	user_exit();
	settle();
	BUG_ON(world_objects() != objects);
	BUG_ON(atomic_read(&mm->mm_users) != users - 1);
}

/* The k-th allocation fails, for every k until none does. */
void case_memory_failures(void)
{
	int k, objects;

	fixture();
	user_limit_slots(mm, 2);
	objects = world_objects();
	for (k = 1; k < 40; k++) {
		world_fail_alloc(k);
		live_a_little();
		uprobe_free_utask(current);
		settle();
		BUG_ON(world_objects() != objects);
		BUG_ON(!no_uprobe_events() || breakpoint_at(F));
	}
	BUG_ON(user_log(task[0])->killed);
}
