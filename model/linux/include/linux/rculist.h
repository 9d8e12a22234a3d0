/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/rculist.h - lists whose readers take no lock.
 *
 * 	function			order
 * 	list_add_rcu, list_add_tail_rcu	release store publishes the entry
 * 	list_del_rcu			marked store; the entry keeps its next
 * 	list_for_each_entry_rcu		marked loads (dependency)
 * Context: writers under the list's lock, readers in a section of the flavour
 * that frees the entries. Sleeps: no. Scheduling point: the accesses. Leaves out
 * splicing and the checks of lockdep.
 */
#ifndef LINUX_RCULIST_H
#define LINUX_RCULIST_H

#include <linux/list.h>
#include <linux/rcupdate.h>

#define list_next_rcu(list) ((list)->next)

static inline void __list_add_rcu(struct list_head *entry,
				  struct list_head *prev,
				  struct list_head *next)
{
	entry->next = next;
	entry->prev = prev;
	rcu_assign_pointer(list_next_rcu(prev), entry);
	next->prev = entry;
}

static inline void list_add_rcu(struct list_head *entry, struct list_head *head)
{
	__list_add_rcu(entry, head, head->next);
}

static inline void list_add_tail_rcu(struct list_head *entry,
				     struct list_head *head)
{
	__list_add_rcu(entry, head->prev, head);
}

static inline void list_del_rcu(struct list_head *entry)
{
	__list_del_entry(entry);
	entry->prev = LIST_POISON2;
}

static inline void list_replace_rcu(struct list_head *old,
				    struct list_head *entry)
{
	entry->next = old->next;
	entry->prev = old->prev;
	rcu_assign_pointer(list_next_rcu(entry->prev), entry);
	entry->next->prev = entry;
	old->prev = LIST_POISON2;
}

#define list_entry_rcu(ptr, type, member) \
	container_of(rcu_dereference_raw(ptr), type, member)
#define list_first_or_null_rcu(head, type, member)                        \
	({                                                                \
		struct list_head *sim_next =                              \
			rcu_dereference_raw((head)->next);                \
		sim_next != (head) ? container_of(sim_next, type, member) \
				   : NULL;                                \
	})
#define list_for_each_entry_rcu(pos, head, member, cond...)                \
	for (pos = list_entry_rcu((head)->next, __typeof__(*pos), member); \
	     &pos->member != (head);                                       \
	     pos = list_entry_rcu(pos->member.next, __typeof__(*pos), member))
#define list_for_each_entry_srcu(pos, head, member, cond...) \
	list_for_each_entry_rcu(pos, head, member)

static inline void hlist_add_head_rcu(struct hlist_node *node,
				      struct hlist_head *head)
{
	struct hlist_node *first = head->first;

	node->next = first;
	WRITE_ONCE(node->pprev, &head->first);
	rcu_assign_pointer(head->first, node);
	if (first)
		WRITE_ONCE(first->pprev, &node->next);
}

static inline void hlist_del_rcu(struct hlist_node *node)
{
	__hlist_del(node);
	WRITE_ONCE(node->pprev, LIST_POISON2);
}

#define hlist_for_each_entry_rcu(pos, head, member, cond...)                 \
	for (pos = hlist_entry_safe(rcu_dereference_raw((head)->first),      \
				    __typeof__(*(pos)), member);             \
	     pos;                                                            \
	     pos = hlist_entry_safe(rcu_dereference_raw((pos)->member.next), \
				    __typeof__(*(pos)), member))

#endif /* LINUX_RCULIST_H */
