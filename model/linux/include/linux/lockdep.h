/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/lockdep.h - lock assertions evaluate their argument only.
 *
 * Reading a lock word would be an access that the kernel does not make, and so
 * one more thing to explore. Context: any.
 */
#ifndef LINUX_LOCKDEP_H
#define LINUX_LOCKDEP_H

#define lockdep_assert(cond) ((void)(cond))
#define lockdep_assert_held(lock) ((void)(lock))
#define lockdep_assert_held_write(lock) ((void)(lock))
#define lockdep_assert_held_read(lock) ((void)(lock))
#define lockdep_is_held(lock) ((void)(lock), 1)

struct lock_class_key {
	char sim_unused;
};

#endif /* LINUX_LOCKDEP_H */
