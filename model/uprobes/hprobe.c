// SPDX-License-Identifier: GPL-2.0-only
/*
 * hprobe.c - how long a return instance keeps its uprobe alive.
 *
 * Mirrors hprobe_* of kernel/events/uprobes.c, Linux 6.13..6.18. A reference
 * would cost an atomic on a shared line at every call. An SRCU section, the
 * lease, costs none, but holds up every grace period, so ri_timer trades it
 * for a reference when the call takes long. Transitions:
 *
 *	new    -> LEASED		owner, at entry
 *	new    -> STABLE or GONE	owner's parent, in fork: a copy
 *	LEASED -> STABLE or GONE	ri_timer, or owner in fork; cmpxchg, then
 *					closes the lease
 *	LEASED -> CONSUMED		owner, xchg; closes the lease in finalize
 *	STABLE -> CONSUMED		owner, xchg; drops the reference
 *	GONE   -> CONSUMED		owner, xchg; nothing to do
 */
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/srcu.h>
#include "uprobes/uprobes.h"

DEFINE_SRCU(uretprobes_srcu);

/* The instance is not published yet. */
void hprobe_init_leased(struct hprobe *hprobe, struct uprobe *uprobe,
			int srcu_idx)
{
	WARN_ON(srcu_idx < 0);
	hprobe->state = HPROBE_LEASED;
	hprobe->uprobe = uprobe;
	hprobe->srcu_idx = srcu_idx;
}

void hprobe_init_stable(struct hprobe *hprobe, struct uprobe *uprobe)
{
	hprobe->state = uprobe ? HPROBE_STABLE : HPROBE_GONE;
	hprobe->uprobe = uprobe;
	hprobe->srcu_idx = -1;
}

struct uprobe *hprobe_consume(struct hprobe *hprobe, enum hprobe_state *hstate)
{
	*hstate = xchg(&hprobe->state, HPROBE_CONSUMED);
	if (*hstate == HPROBE_LEASED || *hstate == HPROBE_STABLE)
		return hprobe->uprobe;
	return NULL;
}

void hprobe_finalize(struct hprobe *hprobe, enum hprobe_state hstate)
{
	if (hstate == HPROBE_LEASED)
		__srcu_read_unlock(&uretprobes_srcu, hprobe->srcu_idx);
	else if (hstate == HPROBE_STABLE)
		put_uprobe(hprobe->uprobe);
}

/*
 * The reference has to be got before the cmpxchg: from then on nothing but it
 * protects the uprobe. Until then the caller's own SRCU section is meant to; but a
 * grace period may have begun before that did, and wait for the lease only, which
 * somebody else may close. ri_timer is saved by its RCU section, fork is not: see
 * traces/races/fork-reader.
 */
struct uprobe *hprobe_expire(struct hprobe *hprobe, bool get)
{
	enum hprobe_state old = READ_ONCE(hprobe->state);
	struct uprobe *uprobe = NULL;

	if (old == HPROBE_STABLE)
		return get ? try_get_uprobe(hprobe->uprobe) : NULL;
	if (old != HPROBE_LEASED)
		return NULL;

	uprobe = try_get_uprobe(hprobe->uprobe);
	if (try_cmpxchg(&hprobe->state, &old,
			uprobe ? HPROBE_STABLE : HPROBE_GONE)) {
		__srcu_read_unlock(&uretprobes_srcu, hprobe->srcu_idx);
		/* What was got is the hprobe's now. */
		return get && uprobe ? try_get_uprobe(uprobe) : NULL;
	}
	/* Somebody was faster. */
	if (get)
		return uprobe;
	if (uprobe)
		put_uprobe(uprobe);
	return NULL;
}
