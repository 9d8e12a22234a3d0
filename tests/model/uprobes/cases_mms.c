// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_mms.c - a file that several mms map: breakpoints in each, by its own rules.
 */
#include "fixture.h"

/* Wants mms that are not refused; see wants(). */
struct picky {
	struct uprobe_consumer uc;
	struct uprobe *uprobe;
	struct mm_struct *refused;
	int rc;
};

static struct mm_struct *second;

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs, u64 *data)
{
	return container_of(self, struct picky, uc)->rc;
}

static bool wants(struct uprobe_consumer *self, struct mm_struct *which)
{
	return container_of(self, struct picky, uc)->refused != which;
}

static void two_mms(void)
{
	fixture();
	second = user_mm(file);
}

static void pick(struct picky *p)
{
	p->uc.handler = on_hit;
	p->uc.filter = wants;
	p->uprobe = uprobe_register(file, F, 0, &p->uc);
	BUG_ON(IS_ERR(p->uprobe));
}

static void unpick(struct picky *p)
{
	uprobe_unregister_nosync(p->uprobe, &p->uc);
	uprobe_unregister_sync();
}

static bool probed(struct mm_struct *which)
{
	return user_text(which, USER_TEXT + F) == USER_BP;
}

/* In all of them, out of all of them; and no reference to any is kept. */
void case_mms_all(void)
{
	struct mm_struct *third;
	struct counter c = {};

	two_mms();
	third = user_mm(file);
	add(&c, F, ENTRY);
	BUG_ON(!probed(mm) || !probed(second) || !probed(third));
	BUG_ON(!mm_flags_test(MMF_HAS_UPROBES, third));
	BUG_ON(atomic_read(&third->mm_users) != 1);

	user_begin(user_task(third, 3));
	BUG_ON(!user_hit(USER_TEXT + F) || c.entries != 1);

	del(&c);
	BUG_ON(probed(mm) || probed(second) || probed(third));
	BUG_ON(atomic_read(&third->mm_users) != 2); /* with the task's */
	settle();
	BUG_ON(!no_uprobe_events());
}

/* Flags are an mm's own: what nobody wants in it leaves no trace. */
void case_mms_filter(void)
{
	struct picky p = {}, q = {};

	two_mms();
	p.refused = second;
	pick(&p);
	BUG_ON(!probed(mm) || probed(second));
	BUG_ON(mm_flags_test(MMF_HAS_UPROBES, second));

	q.refused = mm;
	pick(&q);
	BUG_ON(!probed(mm) || !probed(second));
	unpick(&p);
	BUG_ON(probed(mm) || !probed(second));
	unpick(&q);
	BUG_ON(probed(second));
}

/* A filter changes its mind about one mm, and says so. */
void case_mms_apply(void)
{
	struct picky p = {}, q = {};

	two_mms();
	p.refused = second;
	q.refused = second;
	pick(&p);
	pick(&q);

	p.refused = NULL;
	BUG_ON(probed(second));
	BUG_ON(uprobe_apply(p.uprobe, &p.uc, true));
	BUG_ON(!probed(mm) || !probed(second));

	p.refused = mm; /* where the other one still wants it */
	BUG_ON(uprobe_apply(p.uprobe, &p.uc, false));
	BUG_ON(!probed(mm) || !probed(second));
	q.refused = mm;
	BUG_ON(uprobe_apply(q.uprobe, &q.uc, false));
	BUG_ON(probed(mm) || !probed(second));

	unpick(&p);
	BUG_ON(uprobe_apply(q.uprobe, &p.uc, true) != -ENOENT);
	BUG_ON(probed(mm) || !probed(second)); /* q wants that now */
	unpick(&q);
	BUG_ON(probed(second));
}

/* By return code a probe leaves the mm that was hit, no other. */
void case_mms_remove_by_rc(void)
{
	struct picky p = {};

	two_mms();
	pick(&p);
	p.rc = UPROBE_HANDLER_REMOVE;
	p.refused = mm;
	BUG_ON(!user_hit(USER_TEXT + F));
	BUG_ON(probed(mm) || !probed(second));
	unpick(&p);
	BUG_ON(probed(second));
}

/* One that cannot be written: the others are put right, too. */
void case_mms_rollback(void)
{
	struct counter c = {};

	two_mms();
	user_lock_text(mm, true);
	BUG_ON(PTR_ERR(try_add(&c, F, ENTRY)) != -ENOMEM);
	user_lock_text(mm, false);
	user_lock_text(second, true);
	BUG_ON(PTR_ERR(try_add(&c, F, ENTRY)) != -ENOMEM);
	BUG_ON(probed(mm) || probed(second));
	BUG_ON(mm_flags_test(MMF_HAS_UPROBES, mm));
	/* Written, and removed: a later miss finds out that none is left. */
	BUG_ON(!mm_flags_test(MMF_RECALC_UPROBES, second));
	settle();
	BUG_ON(!no_uprobe_events());
}

/* Without memory for the list of mms nothing is written, and nobody is kept. */
void case_mms_no_memory(void)
{
	struct counter c = {};
	int k, err = -ENOMEM, objects;

	two_mms();
	user_mm(file);
	objects = world_objects();
	for (k = 1; err == -ENOMEM; k++) {
		world_fail_alloc(k);
		err = PTR_ERR_OR_ZERO(try_add(&c, F, ENTRY));
		settle();
		BUG_ON(err && (err != -ENOMEM || probed(mm) || probed(second)));
		BUG_ON(err && world_objects() != objects);
		BUG_ON(atomic_read(&second->mm_users) != 1);
	}
	BUG_ON(k != 6); /* the probe, three places in the list, none */
	world_fail_alloc(0);
	del(&c);
}

/* A mapping twice in one mm, elsewhere, or of another place in the file. */
void case_mms_mappings(void)
{
	struct counter c = {};

	two_mms();
	sim_vma_del(second, USER_TEXT, USER_TEXT + PAGE_SIZE);
	BUG_ON(sim_vma_add(second, file, USER_TEXT, USER_TEXT + PAGE_SIZE,
			   PAGE_SIZE, SIM_VM_READ | SIM_VM_EXEC));
	add(&c, F, ENTRY);
	BUG_ON(!probed(mm) || probed(second));

	sim_vma_del(second, USER_TEXT, USER_TEXT + PAGE_SIZE);
	BUG_ON(sim_vma_add(second, file, USER_TEXT, USER_TEXT + PAGE_SIZE, 0,
			   SIM_VM_READ | SIM_VM_EXEC));
	BUG_ON(!probed(second));
	/* Not the file's bytes any more when it goes: they are not touched. */
	sim_vma_del(second, USER_TEXT, USER_TEXT + PAGE_SIZE);
	del(&c);
	BUG_ON(probed(mm) || !probed(second));
}

/* Shared, or writable: nothing is installed there, but what is there is removed. */
void case_mms_valid(void)
{
	struct vm_area_struct *vma;
	struct counter c = {};

	two_mms();
	sim_vma_del(second, USER_TEXT, USER_TEXT + PAGE_SIZE);
	BUG_ON(sim_vma_add(second, file, USER_TEXT, USER_TEXT + PAGE_SIZE, 0,
			   SIM_VM_READ | SIM_VM_EXEC | SIM_VM_SHARED));
	vma = find_vma(mm, USER_TEXT);
	add(&c, F, ENTRY);
	BUG_ON(!probed(mm) || probed(second));

	vma->vm_flags |= VM_WRITE;
	del(&c);
	BUG_ON(probed(mm));
	add(&c, F, ENTRY);
	BUG_ON(probed(mm));
	del(&c);
}
