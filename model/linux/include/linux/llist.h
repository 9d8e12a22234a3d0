/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/llist.h - singly linked lists without a lock.
 *
 * 	function			order	scheduling point
 * 	llist_add, llist_add_batch	full	yes
 * 	llist_del_all			full	yes
 * 	llist_empty			none	yes
 * 	__llist_add, __llist_del_all	none	as plain accesses
 * Context: any. Many may add while one takes all; the functions with underscores are
 * for a list of one task alone. Leaves out taking the first only.
 */
#ifndef LINUX_LLIST_H
#define LINUX_LLIST_H

#include <asm/cmpxchg.h>
#include <linux/container_of.h>
#include <linux/stddef.h>
#include <linux/types.h>

struct llist_head {
	struct llist_node *first;
};

struct llist_node {
	struct llist_node *next;
};

#define LLIST_HEAD_INIT(name) \
	{                     \
		NULL          \
	}
#define LLIST_HEAD(name) struct llist_head name = LLIST_HEAD_INIT(name)
#define llist_entry(p, type, member) container_of(p, type, member)

static __always_inline void init_llist_head(struct llist_head *head)
{
	head->first = NULL;
}

static __always_inline bool llist_empty(const struct llist_head *head)
{
	return !READ_ONCE(head->first);
}

/* Nodes from first to last, in this order. Returns whether the list was empty. */
static __always_inline bool llist_add_batch(struct llist_node *first,
					    struct llist_node *last,
					    struct llist_head *head)
{
	struct llist_node *old = READ_ONCE(head->first);

	do
		last->next = old;
	while (!try_cmpxchg(&head->first, &old, first));
	return !old;
}

static __always_inline bool llist_add(struct llist_node *node,
				      struct llist_head *head)
{
	return llist_add_batch(node, node, head);
}

static __always_inline struct llist_node *llist_del_all(struct llist_head *head)
{
	return xchg(&head->first, NULL);
}

static __always_inline bool __llist_add(struct llist_node *node,
					struct llist_head *head)
{
	node->next = head->first;
	head->first = node;
	return !node->next;
}

static __always_inline struct llist_node *__llist_del_all(
	struct llist_head *head)
{
	struct llist_node *first = head->first;

	head->first = NULL;
	return first;
}

/* Of what was taken: newest first. */
#define llist_for_each(pos, node) for ((pos) = (node); pos; (pos) = (pos)->next)
#define llist_for_each_safe(pos, n, node) \
	for ((pos) = (node); (pos) && ((n) = (pos)->next, true); (pos) = (n))

static __always_inline struct llist_node *llist_reverse_order(
	struct llist_node *node)
{
	struct llist_node *reversed = NULL, *next;

	for (; node; node = next) {
		next = node->next;
		node->next = reversed;
		reversed = node;
	}
	return reversed;
}

#endif /* LINUX_LLIST_H */
