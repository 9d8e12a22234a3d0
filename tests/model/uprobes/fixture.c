// SPDX-License-Identifier: GPL-2.0-only
/*
 * fixture.c - see fixture.h.
 */
#include <linux/jiffies.h>
#include <linux/string.h>
#include "fixture.h"
#include "uprobes/variant.h"

struct inode *file;
struct mm_struct *mm;
struct task_struct *task[2];
int order;

void fixture(void)
{
	/* The rest is 0, as the longer nops have it. */
	static const unsigned char text[16] = {
		[F] = USER_INC,	     [G] = USER_NOP,	 [H] = USER_INC,
		[3] = USER_NOP,	     [4] = USER_NOP,	 [5] = USER_NOP,
		[6] = USER_NOP,	     [7] = USER_NOP,	 [REFUSED] = USER_HLT,
		[FOREIGN] = USER_BP, [WIDE] = USER_NOP2, [WIDER] = USER_NOP4,
	};

	file = user_file(text, sizeof(text));
	mm = user_mm(file);
	task[0] = user_task(mm, 1);
	task[1] = user_task(mm, 2);
	user_begin(task[0]);
}

static int handler(struct uprobe_consumer *self, struct pt_regs *regs,
		   u64 *data)
{
	struct counter *c = container_of(self, struct counter, uc);

	c->entries++;
	*data = c->cookie;
	return c->rc;
}

static int ret_handler(struct uprobe_consumer *self, unsigned long func,
		       struct pt_regs *regs, u64 *data)
{
	struct counter *c = container_of(self, struct counter, uc);

	c->returns++;
	c->func = func;
	c->seen = data ? *data : 0;
	c->order = ++order;
	return 0;
}

static bool filter(struct uprobe_consumer *self, struct mm_struct *which)
{
	return !container_of(self, struct counter, uc)->refuse;
}

struct uprobe *try_add(struct counter *c, unsigned long offset, int what)
{
	c->uc.handler = what & ENTRY ? handler : NULL;
	c->uc.ret_handler = what & RETURN ? ret_handler : NULL;
	c->uc.filter = what & FILTER ? filter : NULL;
	c->uprobe = uprobe_register(file, offset, c->ref_ctr_offset, &c->uc);
	return c->uprobe;
}

void add(struct counter *c, unsigned long offset, int what)
{
	BUG_ON(IS_ERR(try_add(c, offset, what)));
}

void del(struct counter *c)
{
	uprobe_unregister_nosync(c->uprobe, &c->uc);
	uprobe_unregister_sync();
}

bool breakpoint_at(unsigned long offset)
{
	return user_text(mm, USER_TEXT + offset) == USER_BP;
}

struct return_instance *innermost(void)
{
	return current->utask->return_instances;
}

void settle(void)
{
	world_advance(HZ);
	world_run_deferred();
}

bool design(const char *row)
{
	return !strcmp(uprobe_variant()->storage->name, row) ||
	       !strcmp(uprobe_variant()->signals->name, row) ||
	       !strcmp(uprobe_variant()->optimize->name, row);
}

void check_idle(void)
{
	struct uprobe_task *utask = current->utask;

	BUG_ON(mm->uprobes_state.xol_area->bitmap[0] != 1);
	BUG_ON(utask->active_uprobe || utask->xol_vaddr);
	BUG_ON(utask->state != UTASK_RUNNING || utask->signal_denied);
}
