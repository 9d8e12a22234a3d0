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

#include <stdlib.h>

#define WORDS (GRAPH_MAX_EVENTS / 64)

/* By event, once asked for: writes that it is before as a read; where it is visible. */
static struct {
	uint64_t *early, *visible;
	uint64_t has_early[WORDS], has_visible[WORDS];
	int cap;
} plain;

static void make_room(const struct graph *g)
{
	size_t size = (size_t)g->cap * g->words * sizeof(uint64_t);

	if (plain.cap >= g->cap)
		return;
	free(plain.early);
	free(plain.visible);
	plain.cap = g->cap;
	plain.early = malloc(size);
	plain.visible = malloc(size);
	if (!plain.early || !plain.visible)
		abort();
}

void plain_order(struct graph *g)
{
	make_room(g);
	memset(plain.has_early, 0, sizeof(plain.has_early));
	memset(plain.has_visible, 0, sizeof(plain.has_visible));
	grace_looks(g);
	lkmm_relate(g, LINK_MARKED);
}

/* What a fence of its thread ties x to, but smp_wmb. */
static void add_fenced(int x, uint64_t *to)
{
	for (enum relation r = FENCE; r <= RELEASED; r++)
		bits_or(to, lkmm_row(r, x), lk.words);
}

/* As a read, x is before these: rw-xbstar. */
static const uint64_t *early(int x)
{
	uint64_t *to = plain.early + (size_t)x * lk.words;
	uint64_t from[WORDS] = { 0 }, after[WORDS];
	int y;

	if (bit_test(plain.has_early, x))
		return to;
	bit_set(plain.has_early, x);
	add_fenced(x, from);
	memcpy(to, from, lk.words * sizeof(uint64_t));
	if (bit_test(lk.links, x))
		bit_set(from, x);
	lkmm_after(from, after);
	bits_or(to, after, lk.words);
	for_each_bit(y, after, lk.words) {
		add_fenced(y, to);
		bits_or(to, lkmm_row(WMB, y), lk.words);
	}
	return to;
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

/* Where write x is visible: vis, and what is tied to that. */
static const uint64_t *visible(int x)
{
	uint64_t *to = plain.visible + (size_t)x * lk.words;
	uint64_t at[WORDS], seen[WORDS], own[WORDS], after[WORDS];
	int y;

	if (bit_test(plain.has_visible, x))
		return to;
	bit_set(plain.has_visible, x);
	lkmm_visible(x, at, seen);
	for (int t = 0; t < lk.g->nr_threads; t++) {
		if (!on_cpu(at, t, own))
			continue;
		lkmm_after(own, after);
		on_cpu(after, t, own);
		bits_or(seen, own, lk.words);
	}
	memcpy(to, seen, lk.words * sizeof(uint64_t));
	add_fenced(x, to);
	for_each_bit(y, seen, lk.words)
		add_fenced(y, to);
	return to;
}

bool plain_before(int x, int y)
{
	const struct event *e = &lk.g->ev[x], *f = &lk.g->ev[y];

	if (e->kind == EV_READ)
		return bit_test(early(x), y);
	return bit_test(visible(x), y) &&
	       (f->kind != EV_WRITE || bit_test(lk.links, x) ||
		bit_test(early(x), y));
}
