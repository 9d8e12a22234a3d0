/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/rbtree.h - a sorted binary tree, not balanced.
 *
 * 	function			lock		sleeps	sched. point
 * 	rb_add, rb_find_add*, rb_erase	the tree's	no	the accesses
 * 	rb_find, rb_next, rb_prev	the tree's	no	the accesses
 * 	rb_find_rcu			RCU section	no	the accesses
 * Context: any. There are no rotations, so that rb_insert_color has nothing to do;
 * an entry with two children is replaced by its successor when erased, so lockless
 * readers can still miss an entry and must check a sequence count. Stores that
 * lockless readers see are marked. Leaves out cached and augmented trees.
 */
#ifndef LINUX_RBTREE_H
#define LINUX_RBTREE_H

#include <linux/container_of.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

struct rb_node {
	struct rb_node *sim_parent; /* itself: in no tree */
	struct rb_node *rb_right;
	struct rb_node *rb_left;
};

struct rb_root {
	struct rb_node *rb_node;
};

#define RB_ROOT          \
	(struct rb_root) \
	{                \
		NULL     \
	}
#define RB_EMPTY_ROOT(root) (READ_ONCE((root)->rb_node) == NULL)
#define RB_EMPTY_NODE(node) ((node)->sim_parent == (node))
#define RB_CLEAR_NODE(node) ((node)->sim_parent = (node))
#define rb_entry(ptr, type, member) container_of(ptr, type, member)
#define rb_parent(node) ((node)->sim_parent)

/* Hang node below parent, at *link. */
static inline void rb_link_node(struct rb_node *node, struct rb_node *parent,
				struct rb_node **link)
{
	node->sim_parent = parent;
	node->rb_left = node->rb_right = NULL;
	*link = node;
}

static inline void rb_link_node_rcu(struct rb_node *node,
				    struct rb_node *parent,
				    struct rb_node **link)
{
	node->sim_parent = parent;
	node->rb_left = node->rb_right = NULL;
	rcu_assign_pointer(*link, node);
}

#define rb_insert_color(node, root) ((void)(node), (void)(root))

void rb_erase(struct rb_node *node, struct rb_root *root);
struct rb_node *rb_first(const struct rb_root *root);
struct rb_node *rb_next(const struct rb_node *node);
struct rb_node *rb_prev(const struct rb_node *node);

/* cmp(key, node): negative, 0 or positive as key is less, equal or greater. */
struct rb_node *rb_find(const void *key, const struct rb_root *root,
			int (*cmp)(const void *key,
				   const struct rb_node *node));
struct rb_node *rb_find_rcu(const void *key, const struct rb_root *root,
			    int (*cmp)(const void *key,
				       const struct rb_node *node));
/* The equal node that is there already, or NULL and node is inserted. */
struct rb_node *rb_find_add(struct rb_node *node, struct rb_root *root,
			    int (*cmp)(struct rb_node *node,
				       const struct rb_node *other));
struct rb_node *rb_find_add_rcu(struct rb_node *node, struct rb_root *root,
				int (*cmp)(struct rb_node *node,
					   const struct rb_node *other));

#endif /* LINUX_RBTREE_H */
