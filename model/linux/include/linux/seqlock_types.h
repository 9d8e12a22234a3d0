/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/seqlock_types.h - sequence counters.
 *
 * The counters that belong to a lock do not remember which. Context: none needed.
 */
#ifndef LINUX_SEQLOCK_TYPES_H
#define LINUX_SEQLOCK_TYPES_H

#include <linux/spinlock_types.h>
#include <linux/types.h>

typedef struct seqcount {
	unsigned int sequence;
} seqcount_t;

typedef struct {
	seqcount_t seqcount;
} seqcount_spinlock_t;

typedef struct {
	seqcount_t seqcount;
} seqcount_rwlock_t;

typedef struct {
	seqcount_t seqcount;
} seqcount_mutex_t;

#define SEQCNT_ZERO(name)     \
	{                     \
		.sequence = 0 \
	}
#define SEQCNT_SPINLOCK_ZERO(name, lock) \
	{                                \
		.seqcount = { 0 }        \
	}
#define SEQCNT_RWLOCK_ZERO(name, lock) \
	{                              \
		.seqcount = { 0 }      \
	}
#define SEQCNT_MUTEX_ZERO(name, lock) \
	{                             \
		.seqcount = { 0 }     \
	}

#endif /* LINUX_SEQLOCK_TYPES_H */
