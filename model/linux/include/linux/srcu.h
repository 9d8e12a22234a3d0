/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/srcu.h - RCU in domains, whose readers may sleep.
 *
 * 	function			sleeps	scheduling point
 * 	srcu_read_lock, _unlock		no	yes; the same task unlocks
 * 	__srcu_read_lock, _unlock	no	yes; any context may unlock
 * 	srcu_down_read, srcu_up_read	no	yes; any context may go up
 * 	*_fast				the same; the token is a pointer
 * 	call_srcu			no	yes
 * 	synchronize_srcu		yes	yes
 * Context: any, but synchronize_srcu: task, outside of the domain's own sections.
 * Leaves out that readers of the fast kind have no barriers: every section is an
 * event, and its kind does not matter.
 */
#ifndef LINUX_SRCU_H
#define LINUX_SRCU_H

#include <linux/cleanup.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

struct srcu_struct {
	struct sim_rcu sim;
};

struct srcu_ctr;

#define __SRCU_STRUCT_INIT(sname)        \
	{                                \
		.sim = {.name = #sname } \
	}
#define DEFINE_SRCU(name) struct srcu_struct name = __SRCU_STRUCT_INIT(name)
#define DEFINE_STATIC_SRCU(name) static DEFINE_SRCU(name)
#define DEFINE_SRCU_FAST(name) DEFINE_SRCU(name)
#define DEFINE_STATIC_SRCU_FAST(name) DEFINE_STATIC_SRCU(name)
#define DEFINE_SRCU_FAST_UPDOWN(name) DEFINE_SRCU(name)
#define DEFINE_STATIC_SRCU_FAST_UPDOWN(name) DEFINE_STATIC_SRCU(name)

int __srcu_read_lock(struct srcu_struct *ssp);
void __srcu_read_unlock(struct srcu_struct *ssp, int idx);
void call_srcu(struct srcu_struct *ssp, struct rcu_head *head,
	       rcu_callback_t func);
void synchronize_srcu(struct srcu_struct *ssp);

/* Who has entered this way must leave; whoever else went down or entered as the
 * innards do (hprobe leases) may be helped out. */
static inline void srcu_read_unlock(struct srcu_struct *ssp, int idx)
{
#ifdef SIM_EXPLORE
	sim_rcu_leaves_own(&ssp->sim, idx);
#endif
	__srcu_read_unlock(ssp, idx);
}

#define srcu_read_lock(ssp) __srcu_read_lock(ssp)
#define srcu_down_read(ssp) __srcu_read_lock(ssp)
#define srcu_up_read(ssp, idx) __srcu_read_unlock(ssp, idx)
#define srcu_read_lock_held(ssp) ((void)(ssp), 1)
#define srcu_dereference(p, ssp) rcu_dereference(p)

/* A token (-1 or more) as a pointer: never NULL, never followed. */
static inline struct srcu_ctr *srcu_read_lock_fast(struct srcu_struct *ssp)
{
	return (struct srcu_ctr *)(__srcu_read_lock(ssp) + 2l);
}

static inline void srcu_read_unlock_fast(struct srcu_struct *ssp,
					 struct srcu_ctr *scp)
{
	srcu_read_unlock(ssp, (int)((long)scp - 2));
}

static inline void srcu_up_read_fast(struct srcu_struct *ssp,
				     struct srcu_ctr *scp)
{
	__srcu_read_unlock(ssp, (int)((long)scp - 2));
}

#define srcu_down_read_fast(ssp) srcu_read_lock_fast(ssp)

DEFINE_LOCK_GUARD_1(srcu, struct srcu_struct,
		    _T->idx = srcu_read_lock(_T->lock),
		    srcu_read_unlock(_T->lock, _T->idx), int idx)
DEFINE_LOCK_GUARD_1(srcu_fast, struct srcu_struct,
		    _T->scp = srcu_read_lock_fast(_T->lock),
		    srcu_read_unlock_fast(_T->lock, _T->scp),
		    struct srcu_ctr *scp)

#endif /* LINUX_SRCU_H */
