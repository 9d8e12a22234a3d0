/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/rcupdate.h - read-copy-update.
 *
 * 	function			sleeps	scheduling point
 * 	rcu_read_lock, _unlock		no	the outermost pair
 * 	rcu_dereference*		no	a marked load (dependency)
 * 	rcu_assign_pointer		no	release; of NULL a marked store
 * 	call_rcu, kfree_rcu		no	yes
 * 	synchronize_rcu, rcu_barrier	yes	yes
 * Context: any, but synchronize_rcu: task, outside of read sections. Sections
 * nest, per task. Leaves out callback batching, and the checks of lockdep.
 */
#ifndef LINUX_RCUPDATE_H
#define LINUX_RCUPDATE_H

#include <sim/access.h>
#include <asm/barrier.h>
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/preempt.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <sim/world.h>

void rcu_read_lock(void);
void rcu_read_unlock(void);
int rcu_read_lock_held(void);
void call_rcu(struct rcu_head *head, rcu_callback_t func);
void synchronize_rcu(void);

#define rcu_read_lock_any_held() rcu_read_lock_held()
#define rcu_is_watching() true

/* Orders the load before what is reached through the pointer, and nothing else. */
#define rcu_dereference(p) sim_read(&(p), SIM_ADDRESS)
#define rcu_dereference_raw(p) rcu_dereference(p)
#define rcu_dereference_check(p, c) rcu_dereference(p)
#define rcu_dereference_protected(p, c) (p)
#define rcu_access_pointer(p) READ_ONCE(p)
#define RCU_INIT_POINTER(p, v) WRITE_ONCE(p, (sim_unqual(p))(v))
#define RCU_INITIALIZER(v) (v)
/* Publishing NULL publishes nothing, so it needs no order. */
#define rcu_assign_pointer(p, v)                                     \
	do {                                                         \
		if (__builtin_constant_p(v) && !(uintptr_t)(v))      \
			WRITE_ONCE(p, (sim_unqual(p))(v));           \
		else                                                 \
			smp_store_release(&(p), (sim_unqual(p))(v)); \
	} while (0)

/*
 * Free `ptr` after a grace period. The callback learns from a table which
 * offset to subtract, so `field` lies in the object's first 512 bytes.
 */
#define SIM_KFREE_RCU_MAX 512
rcu_callback_t sim_kfree_rcu_func(unsigned long offset);
#define kfree_rcu(ptr, field)                                                 \
	do {                                                                  \
		BUILD_BUG_ON(offsetof(__typeof__(*(ptr)), field) >=           \
			     SIM_KFREE_RCU_MAX);                              \
		call_rcu(&(ptr)->field, sim_kfree_rcu_func(offsetof(          \
						__typeof__(*(ptr)), field))); \
	} while (0)

DEFINE_LOCK_GUARD_0(rcu, rcu_read_lock(), rcu_read_unlock())

#endif /* LINUX_RCUPDATE_H */
