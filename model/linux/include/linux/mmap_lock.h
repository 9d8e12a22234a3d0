/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/mmap_lock.h - the lock of an address space.
 *
 * 	function			lock		sleeps	sched. point
 * 	mmap_read_lock, _write_lock	takes		yes	yes
 * 	mmap_write_lock_killable	takes		yes	yes; -EINTR
 * 	mmap_read_trylock		takes		no	yes
 * 	mmap_*_unlock			drops		no	yes
 * 	mmap_lock_speculate_try_begin	none		no	yes; acquire
 * 	mmap_lock_speculate_retry	none		no	yes
 * Context: task; speculation: any, in an RCU section. Leaves out downgrading, the
 * locks of single mappings, and being killed while waiting: a task that has to wait
 * gives up if it is killed already.
 */
#ifndef LINUX_MMAP_LOCK_H
#define LINUX_MMAP_LOCK_H

#include <linux/mm_types.h>
#include <linux/rwsem.h>
#include <linux/seqlock.h>

static inline void mmap_read_lock(struct mm_struct *mm)
{
	down_read(&mm->mmap_lock);
}

static inline int mmap_read_trylock(struct mm_struct *mm)
{
	return down_read_trylock(&mm->mmap_lock);
}

static inline void mmap_read_unlock(struct mm_struct *mm)
{
	up_read(&mm->mmap_lock);
}

static inline void mmap_write_lock(struct mm_struct *mm)
{
	down_write(&mm->mmap_lock);
	raw_write_seqcount_begin(&mm->mm_lock_seq);
}

int mmap_write_lock_killable(struct mm_struct *mm);

static inline void mmap_write_unlock(struct mm_struct *mm)
{
	raw_write_seqcount_end(&mm->mm_lock_seq);
	up_write(&mm->mmap_lock);
}

#define mmap_assert_locked(mm) lockdep_assert_held(&(mm)->mmap_lock)
#define mmap_assert_write_locked(mm) lockdep_assert_held(&(mm)->mmap_lock)

/* False if a writer is at work; else *seq says when we looked. */
static __always_inline bool mmap_lock_speculate_try_begin(struct mm_struct *mm,
							  unsigned int *seq)
{
	return raw_seqcount_try_begin(&mm->mm_lock_seq, *seq);
}

static inline bool mmap_lock_speculate_retry(struct mm_struct *mm,
					     unsigned int seq)
{
	return read_seqcount_retry(&mm->mm_lock_seq, seq);
}

DEFINE_GUARD(mmap_read_lock, struct mm_struct *, mmap_read_lock(_T),
	     mmap_read_unlock(_T))

#endif /* LINUX_MMAP_LOCK_H */
