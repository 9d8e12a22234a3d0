// SPDX-License-Identifier: GPL-2.0-only
/*
 * rbtree.c - a sorted binary tree under the names of lib/rbtree.c.
 *
 * Not balanced. Lockless readers may run at any time: links that they follow
 * change by one marked store each, and a node that leaves keeps its own links.
 */
#include <linux/rbtree.h>

static void replace_link(struct rb_node *old, struct rb_node *node,
			 struct rb_root *root)
{
	struct rb_node *parent = old->sim_parent;
	struct rb_node **link = !parent			 ? &root->rb_node
				: parent->rb_left == old ? &parent->rb_left
							 : &parent->rb_right;

	if (node)
		node->sim_parent = parent;
	rcu_assign_pointer(*link, node);
}

void rb_erase(struct rb_node *node, struct rb_root *root)
{
	struct rb_node *next;

	if (!node->rb_left || !node->rb_right) {
		replace_link(node, node->rb_left ?: node->rb_right, root);
		return;
	}

	/* Two children: the successor, which has no left child, moves here. */
	next = rb_next(node);
	replace_link(next, next->rb_right, root);
	WRITE_ONCE(next->rb_left, node->rb_left);
	WRITE_ONCE(next->rb_right, node->rb_right);
	next->rb_left->sim_parent = next;
	if (next->rb_right)
		next->rb_right->sim_parent = next;
	replace_link(node, next, root);
}

static struct rb_node *leftmost(struct rb_node *node)
{
	while (node && node->rb_left)
		node = node->rb_left;
	return node;
}

struct rb_node *rb_first(const struct rb_root *root)
{
	return leftmost(root->rb_node);
}

struct rb_node *rb_next(const struct rb_node *node)
{
	struct rb_node *parent;

	if (node->rb_right)
		return leftmost(node->rb_right);
	while ((parent = node->sim_parent) && parent->rb_right == node)
		node = parent;
	return parent;
}

struct rb_node *rb_prev(const struct rb_node *node)
{
	struct rb_node *parent;

	if (node->rb_left) {
		struct rb_node *last = node->rb_left;

		while (last->rb_right)
			last = last->rb_right;
		return last;
	}
	while ((parent = node->sim_parent) && parent->rb_left == node)
		node = parent;
	return parent;
}

struct rb_node *rb_find(const void *key, const struct rb_root *root,
			int (*cmp)(const void *key, const struct rb_node *node))
{
	struct rb_node *node = root->rb_node;
	int c;

	while (node && (c = cmp(key, node)) != 0)
		node = c < 0 ? node->rb_left : node->rb_right;
	return node;
}

struct rb_node *rb_find_rcu(const void *key, const struct rb_root *root,
			    int (*cmp)(const void *key,
				       const struct rb_node *node))
{
	struct rb_node *node = rcu_dereference_raw(root->rb_node);
	int c;

	while (node && (c = cmp(key, node)) != 0)
		node = c < 0 ? rcu_dereference_raw(node->rb_left)
			     : rcu_dereference_raw(node->rb_right);
	return node;
}

struct rb_node *rb_find_add_rcu(struct rb_node *node, struct rb_root *root,
				int (*cmp)(struct rb_node *node,
					   const struct rb_node *other))
{
	struct rb_node **link = &root->rb_node, *parent = NULL;

	while (*link) {
		int c;

		parent = *link;
		c = cmp(node, parent);
		if (!c)
			return parent;
		link = c < 0 ? &parent->rb_left : &parent->rb_right;
	}
	rb_link_node_rcu(node, parent, link);
	return NULL;
}

struct rb_node *rb_find_add(struct rb_node *node, struct rb_root *root,
			    int (*cmp)(struct rb_node *node,
				       const struct rb_node *other))
{
	return rb_find_add_rcu(node, root, cmp);
}
