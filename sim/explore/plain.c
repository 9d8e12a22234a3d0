// SPDX-License-Identifier: GPL-2.0-only
/*
 * plain.c - the kernel's rule for plain accesses: which of them its model orders with
 * what conflicts with them.
 *
 * After "plain accesses and data races" of linux-kernel.cat. The compiler may tear,
 * repeat or move a plain access, so no order goes through it: that it read or overwrote
 * something orders nothing, and only a fence ties it to a marked access of its thread.
 * Marked ones lead on (xb). With that
 *
 *	a read is before a write	if xb leads from the one to the other (rw-xbstar);
 *	a write is before a read	if it is visible there (wr-vis): it has propagated
 *					to the read's CPU, or a strong fence has come in
 *					between;
 *	a write is before a write	if it is visible there, and if it is plain, also as
 *					a read would be: the compiler may read first;
 *	anything is before a free	as before a marked write, but that the compiler may
 *					read first does no harm there.
 *
 * Creating and joining threads are full barriers. C11's fences make acquires and releases
 * of marked accesses; what they order may be plain.
 *
 * The search itself takes plain accesses for marked ones, and so leaves out what only
 * racy programs do; a race is there, too, where nothing was made of it yet.
 */
#include "lkmm.h"

#define WORDS (GRAPH_MAX_EVENTS / 64)

/*
 * Links that lead to event `of`: it itself, or what a fence ties it to; `wide` is with
 * smp_wmb, `of` -1: nobody has asked since the graph has changed.
 */
static struct {
	int of;
	uint64_t near[WORDS], wide[WORDS];
} ends;

void plain_order(struct graph *g)
{
	ends.of = -1;
	grace_looks(g);
	lkmm_relate(g, LINK_MARKED);
}

/* Does a fence of its thread, but smp_wmb, tie x to y behind it? */
static bool is_tied(int x, int y)
{
	for (enum relation r = FENCE; r <= RELEASED; r++)
		if (bit_test(lkmm_row(r, x), y))
			return true;
	return false;
}

static void find_ends(int y)
{
	int x;

	if (ends.of == y)
		return;
	ends.of = y;
	memset(ends.near, 0, lk.words * sizeof(uint64_t));
	memset(ends.wide, 0, lk.words * sizeof(uint64_t));
	for_each_bit(x, lk.links, lk.words) {
		if (x == y || is_tied(x, y))
			bit_set(ends.near, x);
		else if (bit_test(lkmm_row(WMB, x), y))
			bit_set(ends.wide, x);
	}
	bits_or(ends.wide, ends.near, lk.words);
}

/* As a read, is x before y? rw-xbstar */
static bool is_early(int x, int y)
{
	uint64_t from[WORDS] = { 0 };

	if (is_tied(x, y))
		return true;
	for (enum relation r = FENCE; r <= RELEASED; r++)
		bits_or(from, lkmm_row(r, x), lk.words);
	bit_set(from, x);
	return lkmm_lead(from, ends.wide);
}

/* Those of `set` on a CPU; false: there are none. */
static bool on_cpu(const uint64_t *set, int cpu, uint64_t *own)
{
	bool any = false;
	int x;

	memset(own, 0, lk.words * sizeof(uint64_t));
	for_each_bit(x, set, lk.words) {
		if (graph_cpu(lk.g, lk.g->ev[x].thread) != cpu)
			continue;
		bit_set(own, x);
		any = true;
	}
	return any;
}

/* Is write x visible at y? wr-vis */
static bool is_visible(int x, int y)
{
	uint64_t at[WORDS], from[WORDS], to[WORDS];

	if (is_tied(x, y) || lkmm_visible(x, at, ends.near))
		return true;
	for (int t = 0; t < lk.g->nr_threads; t++)
		if (on_cpu(ends.near, t, to) && on_cpu(at, t, from) &&
		    lkmm_lead(from, to))
			return true;
	return false;
}

bool plain_before(int x, int y)
{
	const struct event *e = &lk.g->ev[x], *f = &lk.g->ev[y];

	find_ends(y);
	if (e->kind == EV_READ)
		return is_early(x, y);
	return is_visible(x, y) &&
	       (f->kind != EV_WRITE || bit_test(lk.links, x) || is_early(x, y));
}
