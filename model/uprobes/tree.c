// SPDX-License-Identifier: GPL-2.0-only
/*
 * tree.c - which places are probed, and how long a struct uprobe lives.
 *
 * Mirrors kernel/events/uprobes.c of Linux 6.15..6.18. A tree keyed by
 * (inode, offset) holds no reference. Readers descend without a lock, under
 * tasks-trace RCU, and only a miss has to be checked against the seqcount (P4):
 * a rotation may hide a node from a reader, never show him a wrong one.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/printk.h>
#include <linux/rcupdate_trace.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>
#include "uprobes/uprobes.h"

static struct rb_root uprobes_tree = RB_ROOT;
static DEFINE_RWLOCK(uprobes_treelock);
static seqcount_rwlock_t uprobes_seqcount =
	SEQCNT_RWLOCK_ZERO(uprobes_seqcount, &uprobes_treelock);

struct uprobe_key {
	struct inode *inode;
	loff_t offset;
};

static int uprobe_cmp(const struct uprobe_key *key, const struct uprobe *u)
{
	if (key->inode != u->inode)
		return key->inode < u->inode ? -1 : 1;
	if (key->offset != u->offset)
		return key->offset < u->offset ? -1 : 1;
	return 0;
}

static int uprobe_cmp_key(const void *key, const struct rb_node *node)
{
	return uprobe_cmp(key, rb_entry(node, struct uprobe, rb_node));
}

static int uprobe_cmp_node(struct rb_node *a, const struct rb_node *b)
{
	const struct uprobe *u = rb_entry(a, struct uprobe, rb_node);
	struct uprobe_key key = { u->inode, u->offset };

	return uprobe_cmp_key(&key, b);
}

bool no_uprobe_events(void)
{
	return RB_EMPTY_ROOT(&uprobes_tree);
}

bool uprobe_is_active(struct uprobe *uprobe)
{
	return !RB_EMPTY_NODE(&uprobe->rb_node);
}

struct uprobe *try_get_uprobe(struct uprobe *uprobe)
{
	return refcount_inc_not_zero(&uprobe->ref) ? uprobe : NULL;
}

static void uprobe_free_rcu_tasks_trace(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct uprobe, rcu));
}

static void uprobe_free_srcu(struct rcu_head *rcu)
{
	struct uprobe *uprobe = container_of(rcu, struct uprobe, rcu);

	call_rcu_tasks_trace(&uprobe->rcu, uprobe_free_rcu_tasks_trace);
}

static void uprobe_free_deferred(struct work_struct *work)
{
	struct uprobe *uprobe = container_of(work, struct uprobe, work);

	write_lock(&uprobes_treelock);
	if (uprobe_is_active(uprobe)) {
		write_seqcount_begin(&uprobes_seqcount);
		rb_erase(&uprobe->rb_node, &uprobes_tree);
		write_seqcount_end(&uprobes_seqcount);
	}
	write_unlock(&uprobes_treelock);

	/* Nobody who could add to the list has a reference. */
	delayed_uprobe_remove(uprobe, NULL);

	/* Leases first: see traces/races/free-order. */
	call_srcu(&uretprobes_srcu, &uprobe->rcu, uprobe_free_srcu);
}

/*
 * ri_timer drops references in softirq, where neither the tree lock (not
 * irq-safe) nor a mutex may be taken: hence the work item.
 */
void put_uprobe(struct uprobe *uprobe)
{
	if (!refcount_dec_and_test(&uprobe->ref))
		return;
	INIT_WORK(&uprobe->work, uprobe_free_deferred);
	schedule_work(&uprobe->work);
}

struct uprobe *find_uprobe_rcu(struct inode *inode, loff_t offset)
{
	struct uprobe_key key = { inode, offset };
	struct rb_node *node;
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&uprobes_seqcount);
		node = rb_find_rcu(&key, &uprobes_tree, uprobe_cmp_key);
		if (node)
			return rb_entry(node, struct uprobe, rb_node);
	} while (read_seqcount_retry(&uprobes_seqcount, seq));

	return NULL;
}

/* The uprobe that now stands for this place, referenced: new or another. */
static struct uprobe *insert_uprobe(struct uprobe *new)
{
	struct uprobe *cur = NULL;
	struct rb_node *node;

	write_lock(&uprobes_treelock);
	write_seqcount_begin(&uprobes_seqcount);
	while ((node = rb_find_add_rcu(&new->rb_node, &uprobes_tree,
				       uprobe_cmp_node))) {
		cur = try_get_uprobe(rb_entry(node, struct uprobe, rb_node));
		if (cur)
			break;
		/* A corpse whose work item has not run yet: bury it here. */
		rb_erase(node, &uprobes_tree);
		RB_CLEAR_NODE(node);
	}
	write_seqcount_end(&uprobes_seqcount);
	write_unlock(&uprobes_treelock);

	return cur ?: new;
}

struct uprobe *alloc_uprobe(struct inode *inode, loff_t offset,
			    loff_t ref_ctr_offset)
{
	struct uprobe *uprobe = kzalloc_obj(struct uprobe);
	struct uprobe *cur;

	if (!uprobe)
		return ERR_PTR(-ENOMEM);

	uprobe->inode = inode;
	uprobe->offset = offset;
	uprobe->ref_ctr_offset = ref_ctr_offset;
	INIT_LIST_HEAD(&uprobe->consumers);
	init_rwsem(&uprobe->register_rwsem);
	init_rwsem(&uprobe->consumer_rwsem);
	RB_CLEAR_NODE(&uprobe->rb_node);
	refcount_set(&uprobe->ref, 1);

	cur = insert_uprobe(uprobe);
	if (cur == uprobe)
		return uprobe;
	kfree(uprobe);
	if (cur->ref_ctr_offset != ref_ctr_offset) {
		pr_warn("uprobe: another reference counter is used here\n");
		put_uprobe(cur);
		return ERR_PTR(-EINVAL);
	}
	return cur;
}

/* The leftmost node at or behind the key. Caller holds the tree lock. */
static struct rb_node *first_at_or_after(const struct uprobe_key *key)
{
	struct rb_node *node = uprobes_tree.rb_node, *best = NULL;

	while (node) {
		if (uprobe_cmp_key(key, node) <= 0) {
			best = node;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return best;
}

static struct uprobe *in_range(struct rb_node *node, struct inode *inode,
			       loff_t end)
{
	struct uprobe *u;

	if (!node)
		return NULL;
	u = rb_entry(node, struct uprobe, rb_node);
	return u->inode == inode && u->offset < end ? u : NULL;
}

void build_probe_list(struct inode *inode, loff_t start, unsigned long len,
		      struct list_head *head)
{
	struct uprobe_key key = { inode, start };
	struct rb_node *node;
	struct uprobe *u;

	INIT_LIST_HEAD(head);
	read_lock(&uprobes_treelock);
	for (node = first_at_or_after(&key);
	     (u = in_range(node, inode, start + len)); node = rb_next(node)) {
		if (try_get_uprobe(u))
			list_add(&u->pending_list, head);
	}
	read_unlock(&uprobes_treelock);
}

bool range_has_uprobes(struct inode *inode, loff_t start, unsigned long len)
{
	struct uprobe_key key = { inode, start };
	bool found;

	read_lock(&uprobes_treelock);
	found = in_range(first_at_or_after(&key), inode, start + len);
	read_unlock(&uprobes_treelock);
	return found;
}
