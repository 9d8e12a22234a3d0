/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/spinlock.h - spin locks and reader-writer spin locks.
 *
 * The world supplies the lock. There are no interrupts on the holder's own CPU:
 * _irq, _irqsave and _bh are the plain forms.
 *
 * 	function			lock	sleeps	scheduling point
 * 	spin_lock*, raw_spin_lock*	takes	no	yes
 * 	spin_trylock			takes	no	yes
 * 	spin_unlock*			drops	no	yes
 * 	read_lock, write_lock and so on	likewise
 * Context: any; the holder may not sleep.
 */
#ifndef LINUX_SPINLOCK_H
#define LINUX_SPINLOCK_H

#include <asm/barrier.h>
#include <linux/cleanup.h>
#include <linux/preempt.h>
#include <linux/spinlock_types.h>

#define spin_lock_init(l) ((l)->sim.word = 0)
#define raw_spin_lock_init(l) ((l)->sim.word = 0)
#define rwlock_init(l) ((l)->sim.word = 0)

#define spin_lock(l) sim_lock(&(l)->sim, SIM_SPINLOCK, 0)
#define spin_trylock(l) sim_trylock(&(l)->sim, SIM_SPINLOCK, 0)
#define spin_unlock(l) sim_unlock(&(l)->sim, SIM_SPINLOCK, 0)
#define spin_lock_irq(l) spin_lock(l)
#define spin_unlock_irq(l) spin_unlock(l)
#define spin_lock_bh(l) spin_lock(l)
#define spin_unlock_bh(l) spin_unlock(l)
#define spin_lock_irqsave(l, irqflags) ((irqflags) = 0, spin_lock(l))
#define spin_unlock_irqrestore(l, irqflags) ((void)(irqflags), spin_unlock(l))

#define raw_spin_lock(l) spin_lock(l)
#define raw_spin_trylock(l) spin_trylock(l)
#define raw_spin_unlock(l) spin_unlock(l)
#define raw_spin_lock_irqsave(l, irqflags) spin_lock_irqsave(l, irqflags)
#define raw_spin_unlock_irqrestore(l, irqflags) \
	spin_unlock_irqrestore(l, irqflags)

#define read_lock(l) sim_lock(&(l)->sim, SIM_RWLOCK, 1)
#define read_unlock(l) sim_unlock(&(l)->sim, SIM_RWLOCK, 1)
#define write_lock(l) sim_lock(&(l)->sim, SIM_RWLOCK, 0)
#define write_unlock(l) sim_unlock(&(l)->sim, SIM_RWLOCK, 0)

DEFINE_GUARD(spinlock, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD(raw_spinlock, raw_spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD(read_lock, rwlock_t *, read_lock(_T), read_unlock(_T))
DEFINE_GUARD(write_lock, rwlock_t *, write_lock(_T), write_unlock(_T))

#endif /* LINUX_SPINLOCK_H */
