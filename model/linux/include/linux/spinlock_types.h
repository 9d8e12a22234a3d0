/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/spinlock_types.h - the world's lock word behind each type.
 *
 * Leaves out ticket queues and debugging fields. Context: none needed.
 */
#ifndef LINUX_SPINLOCK_TYPES_H
#define LINUX_SPINLOCK_TYPES_H

#include <linux/lockdep.h>
#include <linux/types.h>
#include <sim/world.h>

typedef struct raw_spinlock {
	struct sim_lock sim;
} raw_spinlock_t;

typedef struct spinlock {
	struct sim_lock sim;
} spinlock_t;

typedef struct {
	struct sim_lock sim;
} rwlock_t;

#define __RAW_SPIN_LOCK_UNLOCKED(name) \
	{                              \
		{                      \
			0              \
		}                      \
	}
#define __SPIN_LOCK_UNLOCKED(name) \
	{                          \
		{                  \
			0          \
		}                  \
	}
#define __RW_LOCK_UNLOCKED(name) \
	{                        \
		{                \
			0        \
		}                \
	}
#define DEFINE_RAW_SPINLOCK(x) raw_spinlock_t x = __RAW_SPIN_LOCK_UNLOCKED(x)
#define DEFINE_SPINLOCK(x) spinlock_t x = __SPIN_LOCK_UNLOCKED(x)
#define DEFINE_RWLOCK(x) rwlock_t x = __RW_LOCK_UNLOCKED(x)

#endif /* LINUX_SPINLOCK_TYPES_H */
