/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/spinlock.h - spin locks and reader-writer spin locks.
 *
 * The world supplies the lock. _irq and _irqsave turn the CPU's interrupts off, _bh its
 * softirqs. Whoever takes a lock in a handler has to: a handler that waits for what
 * its own CPU holds waits for ever.
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
#include <linux/bottom_half.h>
#include <linux/cleanup.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/spinlock_types.h>

#define spin_lock_init(l) ((l)->sim.word = 0)
#define raw_spin_lock_init(l) ((l)->sim.word = 0)
#define rwlock_init(l) ((l)->sim.word = 0)

#define spin_lock(l) sim_lock(&(l)->sim, SIM_SPINLOCK, 0)
#define spin_trylock(l) sim_trylock(&(l)->sim, SIM_SPINLOCK, 0)
#define spin_unlock(l) sim_unlock(&(l)->sim, SIM_SPINLOCK, 0)
#define sim_with_irq(lock) (local_irq_disable(), lock)
#define sim_with_bh(lock) (local_bh_disable(), lock)
#define sim_with_irqsave(lock, irqflags) (local_irq_save(irqflags), lock)
#define sim_then_irq(unlock) (unlock, local_irq_enable())
#define sim_then_bh(unlock) (unlock, local_bh_enable())
#define sim_then_irqrestore(unlock, irqflags) \
	(unlock, local_irq_restore(irqflags))

#define spin_lock_irq(l) sim_with_irq(spin_lock(l))
#define spin_unlock_irq(l) sim_then_irq(spin_unlock(l))
#define spin_lock_bh(l) sim_with_bh(spin_lock(l))
#define spin_unlock_bh(l) sim_then_bh(spin_unlock(l))
#define spin_lock_irqsave(l, irqflags) sim_with_irqsave(spin_lock(l), irqflags)
#define spin_unlock_irqrestore(l, irqflags) \
	sim_then_irqrestore(spin_unlock(l), irqflags)

#define raw_spin_lock(l) spin_lock(l)
#define raw_spin_trylock(l) spin_trylock(l)
#define raw_spin_unlock(l) spin_unlock(l)
#define raw_spin_lock_irq(l) spin_lock_irq(l)
#define raw_spin_unlock_irq(l) spin_unlock_irq(l)
#define raw_spin_lock_bh(l) spin_lock_bh(l)
#define raw_spin_unlock_bh(l) spin_unlock_bh(l)
#define raw_spin_lock_irqsave(l, irqflags) spin_lock_irqsave(l, irqflags)
#define raw_spin_unlock_irqrestore(l, irqflags) \
	spin_unlock_irqrestore(l, irqflags)

#define read_lock(l) sim_lock(&(l)->sim, SIM_RWLOCK, 1)
#define read_unlock(l) sim_unlock(&(l)->sim, SIM_RWLOCK, 1)
#define write_lock(l) sim_lock(&(l)->sim, SIM_RWLOCK, 0)
#define write_unlock(l) sim_unlock(&(l)->sim, SIM_RWLOCK, 0)
#define read_lock_irq(l) sim_with_irq(read_lock(l))
#define read_unlock_irq(l) sim_then_irq(read_unlock(l))
#define read_lock_bh(l) sim_with_bh(read_lock(l))
#define read_unlock_bh(l) sim_then_bh(read_unlock(l))
#define read_lock_irqsave(l, irqflags) sim_with_irqsave(read_lock(l), irqflags)
#define read_unlock_irqrestore(l, irqflags) \
	sim_then_irqrestore(read_unlock(l), irqflags)
#define write_lock_irq(l) sim_with_irq(write_lock(l))
#define write_unlock_irq(l) sim_then_irq(write_unlock(l))
#define write_lock_bh(l) sim_with_bh(write_lock(l))
#define write_unlock_bh(l) sim_then_bh(write_unlock(l))
#define write_lock_irqsave(l, irqflags) \
	sim_with_irqsave(write_lock(l), irqflags)
#define write_unlock_irqrestore(l, irqflags) \
	sim_then_irqrestore(write_unlock(l), irqflags)

DEFINE_GUARD(spinlock, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD(raw_spinlock, raw_spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD(read_lock, rwlock_t *, read_lock(_T), read_unlock(_T))
DEFINE_GUARD(write_lock, rwlock_t *, write_lock(_T), write_unlock(_T))

#endif /* LINUX_SPINLOCK_H */
