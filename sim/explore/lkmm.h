/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lkmm.h - the relations of linux-kernel.cat on one graph, for lkmm.c and what fills
 * them in.
 *
 * A relation is a row of successors for each event, as a bit set: what x is before in
 * it. Rows of events that are not in the graph are undefined.
 */
#ifndef SIM_EXPLORE_LKMM_H
#define SIM_EXPLORE_LKMM_H

#include "engine.h"
#include "grace.h"

enum relation {
	RFE,
	OVERWRITE,   /* co and fr */
	FENCE,	     /* ppo: acquire, smp_rmb, addresses; of one thread */
	STRONG,	     /* smp_mb and what acts like it */
	RELEASED,    /* po-rel */
	WMB,	     /* smp_wmb */
	UNLOCK_LOCK, /* po-unlock-lock-po */
	NR_RELATIONS
};

/*
 * What lies behind an event in its thread, and in those that it creates or that wait
 * for its end.
 */
enum behind {
	BEHIND,	      /* any access */
	PAST_MB,      /* behind a full barrier that is behind it */
	PAST_RMB,     /* ... reads behind an smp_rmb */
	PAST_WMB,     /* ... writes behind an smp_wmb */
	PAST_ACQUIRE, /* ... behind an acquire fence */
	RELEASES,     /* release stores, and stores behind a release fence */
	PAST_LOCK,    /* ... behind the taking of a spin lock */
	/* Those above depend on the thread alone. */
	NEXT_OWNER,  /* of an unlock: behind who takes the lock next */
	PAST_UNLOCK, /* ... behind an unlock, and then a lock */
	IN_GRACE, /* of sections that begin after the grace period it is inside of */
	PAST_SECTION, /* ... what RCU's law puts behind it */
	NR_BEHIND
};

struct lkmm {
	struct graph *g;
	int words, cap;
	uint64_t *rows[NR_RELATIONS];
	uint64_t *behind[NR_BEHIND];
	/*
	 * Freeing is a write. Words of RCU are none of these: how they order others is
	 * said by the law alone; but a grace period's look at one counts as an access,
	 * between its barriers, that nobody can observe.
	 */
	uint64_t *reads, *writes, *accesses;
	/*
	 * What orders go through: every event, or, to judge plain accesses, marked ones
	 * only; then plain ones have a place in fences, at their ends, and no more.
	 */
	uint64_t *links, *linked_writes;
	uint64_t *
		later; /* of a location: by place in its order, the writes behind */
};

extern struct lkmm lk;

static inline uint64_t *lkmm_row(enum relation r, int x)
{
	return lk.rows[r] + (size_t)x * lk.words;
}

static inline uint64_t *lkmm_behind(enum behind b, int x)
{
	return lk.behind[b] + (size_t)x * lk.words;
}

/* Is e the read half of an RMW that writes, or that of a lock that is taken? */
static inline bool lkmm_writes(const struct event *e)
{
	uint64_t unused;

	return rmw_result(e, e->val, &unused);
}

/* What comes right before x by program order, creating and joining; how many. */
int lkmm_predecessors(const struct graph *g, int x, int16_t *list);
#define MAX_PREDECESSORS (NR_THREADS + 1)

/* Make all relations, with grace.first and grace.last as they are. */
enum lkmm_links { LINK_ALL, LINK_MARKED };
void lkmm_relate(struct graph *g, enum lkmm_links links);
/* By executes-before (xb): does x lead to y? */
bool lkmm_leads_to(int x, int y);

/* Is a link of `from` also in `to`, or does it lead to one there? */
bool lkmm_lead(const uint64_t *from, const uint64_t *to);
/*
 * Into `at`: the links that write x has propagated to (cumul-fence* ; rfe?, from it or
 * from what a fence ties it to). Does a strong fence behind x or one of them lead to a
 * link in `to`?
 */
bool lkmm_visible(int x, uint64_t *at, const uint64_t *to);

/* Fill in what program order gives: FENCE .. UNLOCK_LOCK (preserved.c). */
void lkmm_preserved(void);

#endif /* SIM_EXPLORE_LKMM_H */
