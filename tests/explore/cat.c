// SPDX-License-Identifier: GPL-2.0-only
/*
 * cat.c - see cat.h. Names are the model's; for programs without dependencies, locks
 * and RCU.
 */
#include "cat.h"

#include <string.h>

struct rel {
	uint64_t row[CAT_EVENTS];
};

static const struct cat_event *ev;
static int nr;
static struct rel ww_race, wr_race, rw_race, pre_race;

/* ---- the language ------------------------------------------------------------------ */

typedef bool pair_test(int x, int y);

static struct rel where(pair_test *holds)
{
	struct rel r = { { 0 } };

	for (int x = 0; x < nr; x++)
		for (int y = 0; y < nr; y++)
			if (holds(x, y))
				r.row[x] |= 1ull << y;
	return r;
}

static struct rel or (struct rel a, struct rel b)
{
	for (int x = 0; x < nr; x++)
		a.row[x] |= b.row[x];
	return a;
}

static struct rel and (struct rel a, struct rel b)
{
	for (int x = 0; x < nr; x++)
		a.row[x] &= b.row[x];
	return a;
}

static struct rel minus(struct rel a, struct rel b)
{
	for (int x = 0; x < nr; x++)
		a.row[x] &= ~b.row[x];
	return a;
}

static struct rel inverse(struct rel a)
{
	struct rel r = { { 0 } };

	for (int x = 0; x < nr; x++)
		for (int y = 0; y < nr; y++)
			r.row[y] |= (a.row[x] >> y & 1) << x;
	return r;
}

/* a ; b */
static struct rel then(struct rel a, struct rel b)
{
	struct rel r = { { 0 } };

	for (int x = 0; x < nr; x++)
		for (int y = 0; y < nr; y++)
			if (a.row[x] >> y & 1)
				r.row[x] |= b.row[y];
	return r;
}

static bool is_same(int x, int y)
{
	return x == y;
}

static struct rel maybe(struct rel a)
{
	return or (a, where(is_same));
}

static struct rel star(struct rel a)
{
	struct rel r = maybe(a);

	for (int k = 1; k < nr; k *= 2)
		r = then(r, r);
	return r;
}

/* ---- events ---------------------------------------------------------------------------- */

static bool is_access(int x)
{
	return ev[x].kind == CAT_READ || ev[x].kind == CAT_WRITE;
}

static bool is_marked(int x, int y)
{
	return x == y && is_access(x) && !ev[x].plain;
}

static bool is_int(int x, int y)
{
	return ev[x].thread == ev[y].thread;
}

static bool is_po(int x, int y)
{
	return is_int(x, y) && x < y;
}

static bool fenced(int x, int y, enum cat_kind kind)
{
	for (int f = x + 1; f < y; f++)
		if (ev[f].kind == kind)
			return true;
	return false;
}

/* The barriers of a full RMW are right before its read and right behind its write. */
static bool is_mb(int x, int y)
{
	if (!is_po(x, y) || !is_access(x) || !is_access(y))
		return false;
	if (fenced(x, y, CAT_MB))
		return true;
	for (int f = x; f <= y; f++) {
		if (!ev[f].full)
			continue;
		if (ev[f].kind == CAT_READ ? f > x : f < y)
			return true;
	}
	return false;
}

static bool is_po_rel(int x, int y)
{
	return is_po(x, y) && is_access(x) && ev[y].kind == CAT_WRITE &&
	       !ev[y].plain && (ev[y].release || fenced(x, y, CAT_RELEASE));
}

static bool is_acq_po(int x, int y)
{
	return is_po(x, y) && is_access(y) && ev[x].kind == CAT_READ &&
	       !ev[x].plain && (ev[x].acquire || fenced(x, y, CAT_ACQUIRE));
}

static bool is_wmb(int x, int y)
{
	return is_po(x, y) && ev[x].kind == CAT_WRITE &&
	       ev[y].kind == CAT_WRITE && fenced(x, y, CAT_WMB);
}

/* [R] ; fencerel(Rmb) ; [R] */
static bool is_rmb(int x, int y)
{
	return is_po(x, y) && ev[x].kind == CAT_READ &&
	       ev[y].kind == CAT_READ && fenced(x, y, CAT_RMB);
}

static bool is_rf(int x, int y)
{
	return ev[y].kind == CAT_READ && ev[y].rf == x;
}

static bool same_place(int x, int y)
{
	return is_access(x) && is_access(y) && ev[x].loc == ev[y].loc;
}

static bool is_co(int x, int y)
{
	return same_place(x, y) && ev[x].kind == CAT_WRITE &&
	       ev[y].kind == CAT_WRITE && ev[x].rank < ev[y].rank;
}

static bool is_fr(int x, int y)
{
	return same_place(x, y) && ev[x].kind == CAT_READ &&
	       ev[y].kind == CAT_WRITE &&
	       (ev[x].rf < 0 ? 0 : ev[ev[x].rf].rank) < ev[y].rank;
}

static bool is_rmw(int x, int y)
{
	return y == x + 1 && ev[x].half;
}

static bool is_conflict(int x, int y)
{
	return !is_int(x, y) && same_place(x, y) &&
	       (ev[x].plain || ev[y].plain) &&
	       (ev[x].kind == CAT_WRITE || ev[y].kind == CAT_WRITE);
}

static bool marked_first(int x, int y)
{
	return is_marked(x, x) && is_access(y);
}

/* ---- the model ------------------------------------------------------------------------- */

void cat_look(const struct cat_event *e, int n)
{
	struct rel in, marked, po_rel, wmb, strong, nonrw, fence, overwrite, rf,
		rfe, co, fr, ppo, rmw_sequence, cumul, prop, hb, pb, xbstar,
		vis, w_pre, r_pre, w_post, r_post, ww_vis, wr_vis, rw_xbstar,
		either;

	ev = e;
	nr = n;
	in = where(is_int);
	marked = where(is_marked);
	po_rel = where(is_po_rel);
	wmb = where(is_wmb);
	strong = where(is_mb);
	nonrw = or (or (strong, po_rel), where(is_acq_po));
	fence = or (or (nonrw, wmb), where(is_rmb));
	rf = where(is_rf);
	rfe = minus(rf, in);
	co = where(is_co);
	fr = where(is_fr);
	overwrite = or (co, fr);
	ppo = or (and(overwrite, in), fence);
	rmw_sequence = star(then(rf, where(is_rmw)));
	cumul = or (then(maybe(then(rfe, marked)), or (strong, po_rel)), wmb);
	cumul = then(then(then(marked, cumul), marked), rmw_sequence);
	prop = then(marked, maybe(minus(overwrite, in)));
	prop = then(then(prop, star(cumul)), marked);
	prop = then(then(prop, maybe(rfe)), marked);
	hb = and(minus(prop, where(is_same)), in);
	hb = then(then(marked, or (or (ppo, rfe), hb)), marked);
	pb = then(then(prop, strong), then(star(hb), marked));
	xbstar = star(or (hb, pb));

	vis = or (then(strong, then(marked, xbstar)), and(xbstar, in));
	vis = then(then(star(cumul), maybe(rfe)), then(marked, vis));
	w_pre = then(marked, maybe(fence));
	r_pre = then(marked, maybe(or (nonrw, where(is_rmb))));
	w_post = then(then(maybe(fence), marked), rmw_sequence);
	r_post = then(maybe(or (nonrw, where(is_rmb))), marked);
	ww_vis = or (or (fence, then(strong, then(xbstar, w_pre))),
		     then(w_post, then(vis, w_pre)));
	wr_vis = or (or (fence, then(strong, then(xbstar, r_pre))),
		     then(w_post, then(vis, r_pre)));
	rw_xbstar = or (fence, then(r_post, then(xbstar, w_pre)));

	pre_race = where(is_conflict);
	either = where(marked_first);
	ww_race = and(ww_vis, or (either, rw_xbstar));
	ww_race = and(ww_race, or (inverse(either), wr_vis));
	ww_race = minus(and(pre_race, co), ww_race);
	wr_race = and(pre_race, then(maybe(co), rf));
	wr_race = minus(minus(wr_race, wr_vis), inverse(rw_xbstar));
	rw_race = minus(and(pre_race, fr), rw_xbstar);
}

enum cat_pair cat_pair(int x, int y)
{
	if (!(pre_race.row[x] >> y & 1))
		return CAT_NONE;
	if ((ww_race.row[x] >> y | ww_race.row[y] >> x) & 1)
		return CAT_WW;
	if ((wr_race.row[x] >> y | wr_race.row[y] >> x) & 1)
		return CAT_WR;
	if ((rw_race.row[x] >> y | rw_race.row[y] >> x) & 1)
		return CAT_RW;
	return CAT_ORDERED;
}
