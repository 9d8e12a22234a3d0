// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_data.c - lists, trees, bits, atomics, memory.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/rbtree.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "fixture.h"

struct item {
	int key;
	struct list_head link;
	struct hlist_node hash;
	struct rb_node node;
};

/* The keys in order, as decimal digits. */
static int digits(struct list_head *head)
{
	struct item *pos;
	int sum = 0;

	list_for_each_entry(pos, head, link)
		sum = sum * 10 + pos->key;
	return sum;
}

void case_list_moves(void)
{
	struct item item[4] = {
		{ .key = 1 }, { .key = 2 }, { .key = 3 }, { .key = 4 }
	};
	struct item *pos, *next;
	LIST_HEAD(other);
	LIST_HEAD(head);

	BUG_ON(!list_empty(&head));
	list_add(&item[0].link, &head);
	BUG_ON(!list_is_singular(&head));
	list_add(&item[1].link, &head);
	list_add_tail(&item[2].link, &head);
	BUG_ON(digits(&head) != 213);
	list_move_tail(&item[1].link, &head);
	BUG_ON(digits(&head) != 132 || !list_is_last(&item[1].link, &head));
	list_add(&item[3].link, &other);
	list_splice_init(&head, &other);
	BUG_ON(digits(&other) != 1324 || !list_empty(&head));
	list_for_each_entry_safe(pos, next, &other, link) {
		if (pos->key != 2)
			list_del_init(&pos->link);
	}
	BUG_ON(digits(&other) != 2 || !list_empty(&item[0].link));
	BUG_ON(list_first_entry_or_null(&head, struct item, link));
	list_del_init_careful(&item[1].link);
	BUG_ON(!list_empty_careful(&item[1].link) || !list_empty(&other));
}

void case_list_del_poisons(void)
{
	struct item item = { .key = 1 };
	LIST_HEAD(head);

	list_add(&item.link, &head);
	list_del(&item.link);
	BUG_ON(item.link.next != LIST_POISON1);
	BUG_ON(item.link.prev != LIST_POISON2);
}

/* A reader that stands on a removed entry still gets to the next one. */
void case_list_rcu_unlinks(void)
{
	struct item item[3] = { { .key = 1 }, { .key = 2 }, { .key = 3 } };
	LIST_HEAD(head);

	list_add_rcu(&item[1].link, &head);
	list_add_rcu(&item[0].link, &head);
	list_add_tail_rcu(&item[2].link, &head);
	BUG_ON(digits(&head) != 123);
	list_del_rcu(&item[1].link);
	BUG_ON(digits(&head) != 13);
	BUG_ON(item[1].link.next != &item[2].link);
	BUG_ON(list_first_or_null_rcu(&head, struct item, link) != &item[0]);
	list_replace_rcu(&item[0].link, &item[1].link);
	BUG_ON(digits(&head) != 23);
}

void case_hlist_moves(void)
{
	struct item item[3] = { { .key = 1 }, { .key = 2 }, { .key = 3 } },
		    *pos;
	HLIST_HEAD(head);
	int sum = 0;

	hlist_add_head(&item[0].hash, &head);
	hlist_add_head_rcu(&item[1].hash, &head);
	hlist_add_head(&item[2].hash, &head);
	hlist_del_init(&item[1].hash);
	BUG_ON(!hlist_unhashed(&item[1].hash));
	hlist_for_each_entry(pos, &head, hash)
		sum = sum * 10 + pos->key;
	BUG_ON(sum != 31);
	hlist_del_rcu(&item[2].hash);
	BUG_ON(item[2].hash.next != &item[0].hash);
	hlist_del(&item[0].hash);
	BUG_ON(!hlist_empty(&head));
}

static int cmp_node(struct rb_node *node, const struct rb_node *other)
{
	return rb_entry(node, struct item, node)->key -
	       rb_entry(other, struct item, node)->key;
}

static int cmp_key(const void *key, const struct rb_node *node)
{
	return *(const int *)key - rb_entry(node, struct item, node)->key;
}

/* Exactly the keys with a set bit are there, in order both ways. */
static void check_tree(struct rb_root *root, u64 keys)
{
	struct rb_node *node = rb_first(root), *last = NULL;
	int key;

	for (key = 0; key < 64; key++) {
		struct rb_node *found = rb_find_rcu(&key, root, cmp_key);

		BUG_ON(found != rb_find(&key, root, cmp_key));
		BUG_ON(!found != !(keys & (1ull << key)));
		if (!found)
			continue;
		BUG_ON(found != node);
		BUG_ON(rb_prev(node) != last);
		last = node;
		node = rb_next(node);
	}
	BUG_ON(node);
	BUG_ON(RB_EMPTY_ROOT(root) != !keys);
}

/* 37 and 23 are coprime to 64, so both loops visit every key once. */
void case_tree_sorted(void)
{
	struct rb_root root = RB_ROOT;
	static struct item item[64];
	u64 keys = 0;
	int i;

	for (i = 0; i < 64; i++) {
		int key = i * 37 % 64;

		item[key].key = key;
		BUG_ON(rb_find_add_rcu(&item[key].node, &root, cmp_node));
		keys |= 1ull << key;
		check_tree(&root, keys);
	}
	for (i = 0; i < 64; i++) {
		int key = (i * 23 + 11) % 64;

		rb_erase(&item[key].node, &root);
		keys &= ~(1ull << key);
		check_tree(&root, keys);
	}
}

void case_tree_equal_key(void)
{
	struct item a = { .key = 5 }, b = { .key = 5 };
	struct rb_root root = RB_ROOT;

	RB_CLEAR_NODE(&a.node);
	BUG_ON(!RB_EMPTY_NODE(&a.node));
	BUG_ON(rb_find_add(&a.node, &root, cmp_node));
	BUG_ON(RB_EMPTY_NODE(&a.node));
	BUG_ON(rb_find_add(&b.node, &root, cmp_node) != &a.node);
}

void case_bits_ops(void)
{
	DECLARE_BITMAP(map, 130) = { 0 };

	set_bit(129, map);
	BUG_ON(map[2] != 2 || map[0] || map[1]);
	BUG_ON(!test_bit(129, map) || test_bit(128, map));
	BUG_ON(test_and_set_bit(64, map) || !test_and_set_bit(64, map));
	BUG_ON(map[1] != 1);
	clear_bit(129, map);
	BUG_ON(map[2]);
	BUG_ON(!test_and_clear_bit(64, map) || test_and_clear_bit(64, map));
	BUG_ON(test_and_change_bit(3, map) || !test_bit(3, map));
	change_bit(3, map);
	__set_bit(63, map);
	BUG_ON(map[0] != 1ul << 63);
	__clear_bit(63, map);
	BUG_ON(map[0]);
	BUG_ON(test_and_set_bit_lock(0, map) || map[0] != 1);
	clear_bit_unlock(0, map);
	BUG_ON(map[0]);
}

void case_bits_find(void)
{
	unsigned long map[2] = { ~0ul, ~(1ul << 5) };

	BUG_ON(find_first_zero_bit(map, 128) != 69);
	BUG_ON(find_first_zero_bit(map, 66) != 66);
	BUG_ON(find_next_zero_bit(map, 128, 70) != 128);
	BUG_ON(find_first_bit(map, 128) != 0);
	BUG_ON(find_next_bit(map, 128, 69) != 70);
	BUG_ON(find_first_zero_bit(map, 0) != 0);
}

void case_log2(void)
{
	BUG_ON(ilog2(1) != 0 || ilog2(4096) != 12 || ilog2(~0ul) != 63);
	BUG_ON(!is_power_of_2(1) || !is_power_of_2(1ul << 63));
	BUG_ON(is_power_of_2(0) || is_power_of_2(6));
	BUG_ON(roundup_pow_of_two(1) != 1 || roundup_pow_of_two(5) != 8);
	BUG_ON(roundup_pow_of_two(8) != 8 || rounddown_pow_of_two(9) != 8);
}

/* What does not fit is more than anybody has. */
void case_overflow(void)
{
	struct {
		int head;
		int tail[];
	} *p = NULL;
	u8 sum;

	BUG_ON(struct_size(p, tail, 3) != 16);
	BUG_ON(struct_size(p, tail, SIZE_MAX / 4) != SIZE_MAX);
	BUG_ON(array_size(SIZE_MAX / 2, 3) != SIZE_MAX);
	BUG_ON(array_size(7, 6) != 42 || size_add(7, SIZE_MAX) != SIZE_MAX);
	BUG_ON(check_add_overflow(200, 55, &sum) || sum != 255);
	BUG_ON(!check_add_overflow(200, 56, &sum));
}

void case_cpu_after(void)
{
	BUG_ON(cpumask_next_wrap(nr_cpu_ids - 1, cpu_possible_mask) != 0);
	BUG_ON(cpumask_next_wrap(nr_cpu_ids - 1, cpu_possible_mask, -1, 1) !=
	       0);
	BUG_ON(nr_cpu_ids > 1 && cpumask_next_wrap(0, cpu_online_mask) != 1);
}

void case_atomic_returns(void)
{
	atomic_t v = ATOMIC_INIT(5);
	atomic64_t w = ATOMIC64_INIT(0);

	BUG_ON(atomic_add_return(3, &v) != 8);
	BUG_ON(atomic_fetch_add(2, &v) != 8);
	BUG_ON(atomic_sub_return(4, &v) != 6);
	BUG_ON(atomic_fetch_sub(2, &v) != 6 ||
	       atomic_fetch_sub_acquire(1, &v) != 4);
	BUG_ON(atomic_fetch_sub_release(1, &v) != 3);
	BUG_ON(atomic_fetch_sub_relaxed(1, &v) != 2);
	BUG_ON(atomic_fetch_add_acquire(2, &v) != 1);
	BUG_ON(atomic_fetch_add_release(2, &v) != 3);
	BUG_ON(atomic_fetch_add_relaxed(1, &v) != 5);
	atomic_inc(&v);
	atomic_dec(&v);
	atomic_sub(5, &v);
	BUG_ON(!atomic_dec_and_test(&v));
	BUG_ON(atomic_inc_not_zero(&v) || atomic_read(&v) != 0);
	atomic_set(&v, -1);
	BUG_ON(!atomic_inc_and_test(&v));
	BUG_ON(atomic_xchg(&v, 7) != 0 || atomic_cmpxchg(&v, 1, 2) != 7);
	BUG_ON(!atomic_add_unless(&v, 1, 9) || atomic_read(&v) != 8);
	BUG_ON(atomic_add_unless(&v, 1, 8) || atomic_read(&v) != 8);
	BUG_ON(atomic64_inc_return(&w) != 1);
}

void case_cmpxchg_failure(void)
{
	u8 small = 200;
	u8 old = 100;
	int x = 1, *p = &x, *q = NULL;

	BUG_ON(try_cmpxchg(&small, &old, 3));
	BUG_ON(old != 200 || small != 200);
	BUG_ON(!try_cmpxchg(&small, &old, 3));
	BUG_ON(old != 200 || small != 3);
	BUG_ON(cmpxchg(&small, 3, 255) != 3 || small != 255);
	BUG_ON(xchg(&p, NULL) != &x || p);
	BUG_ON(!try_cmpxchg(&p, &q, &x) || p != &x);
}

static int calls;

static int once(int value)
{
	calls++;
	return value;
}

void case_minmax_once(void)
{
	BUG_ON(min(once(1), max(once(3), once(2))) != 1);
	BUG_ON(calls != 3);
	BUG_ON(min_t(unsigned char, 257, 2) != 1);
	BUG_ON(clamp(7, 1, 5) != 5);
}

void case_string_all(void)
{
	unsigned char a[40], b[40];
	char text[4];
	int i;

	for (i = 0; i < 40; i++)
		a[i] = (unsigned char)(i * 7);
	for (i = 0; i < 20; i++) {
		memset(b, 0xee, sizeof(b));
		memcpy(b + i, a + 1, 19);
		BUG_ON(memcmp(b + i, a + 1, 19) || b[i + 19] != 0xee);
		BUG_ON(i && b[i - 1] != 0xee);
	}
	memmove(a + 3, a, 20);
	BUG_ON(a[3] != 0 || a[22] != (unsigned char)(19 * 7));
	BUG_ON(memcmp("ab", "ac", 2) >= 0 || memcmp("ab", "ac", 1));
	BUG_ON(strlen("abc") != 3 || strcmp("ab", "b") >= 0);
	BUG_ON(strscpy(text, "abc", 4) != 3 || strcmp(text, "abc"));
	BUG_ON(strscpy(text, "abcd", 4) != -E2BIG || strcmp(text, "abc"));
}

void case_slab_realloc(void)
{
	struct item *item = kzalloc_obj(struct item);
	int before = world_objects();
	char *p, *q;

	BUG_ON(!item || item->key || item->link.next);
	p = kmalloc(3, GFP_KERNEL);
	memcpy(p, "abc", 3);
	world_fail_alloc(1);
	BUG_ON(krealloc(p, 100, GFP_KERNEL) || memcmp(p, "abc", 3));
	p = krealloc(p, 100, GFP_KERNEL);
	BUG_ON(memcmp(p, "abc", 3));
	p[99] = 'x';
	q = kmemdup(p, 100, GFP_KERNEL);
	BUG_ON(q == p || memcmp(p, q, 100));
	kfree(p);
	kfree(q);
	kfree(NULL);
	kfree(ZERO_SIZE_PTR);
	BUG_ON(world_objects() != before);
	BUG_ON(kcalloc(~0ul / 2, 4, GFP_KERNEL));
}

void case_refcount_zero(void)
{
	refcount_t r = REFCOUNT_INIT(1);

	BUG_ON(!refcount_inc_not_zero(&r) || refcount_read(&r) != 2);
	BUG_ON(refcount_dec_and_test(&r));
	BUG_ON(!refcount_dec_and_test(&r));
	BUG_ON(refcount_inc_not_zero(&r) || refcount_read(&r) != 0);
}

void case_refcount_saturates(void)
{
	refcount_t r = REFCOUNT_INIT(0);

	world_expect_warnings(5);
	refcount_inc(&r); /* from zero: its object is being freed */
	BUG_ON(world_warnings() != 1);
	BUG_ON(refcount_read(&r) != (unsigned int)REFCOUNT_SATURATED);

	/* Once there, it stays there. */
	BUG_ON(refcount_dec_and_test(&r));
	BUG_ON(refcount_read(&r) != (unsigned int)REFCOUNT_SATURATED);

	refcount_set(&r, REFCOUNT_MAX);
	BUG_ON(!refcount_inc_not_zero(&r));
	BUG_ON(refcount_read(&r) != (unsigned int)REFCOUNT_SATURATED);

	refcount_set(&r, 0);
	BUG_ON(refcount_dec_and_test(&r));
	refcount_set(&r, 1);
	refcount_dec(&r);
	BUG_ON(world_warnings() != 5);
}
