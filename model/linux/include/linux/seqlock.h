/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/seqlock.h - readers that retry if a writer was at work.
 *
 * 	function			order
 * 	read_seqcount_begin		waits until even; acquire
 * 	raw_read_seqcount		acquire
 * 	raw_seqcount_try_begin		acquire; false if odd
 * 	read_seqcount_retry		smp_rmb, then a marked load
 * 	write_seqcount_begin		marked increment, then smp_wmb
 * 	write_seqcount_end		smp_wmb, then a marked increment
 * Context: any. Writers exclude each other by a lock of their own and are not
 * preempted. Readers: locks none, sleep no. Scheduling point: each access.
 * Between begin and retry, and in the writer's section, plain accesses count as marked
 * for race reports. Leaves out seqlock_t, latches, and taking the associated lock while reading.
 */
#ifndef LINUX_SEQLOCK_H
#define LINUX_SEQLOCK_H

#include <asm/barrier.h>
#include <linux/seqlock_types.h>

#ifndef SIM_EXPLORE
#define sim_seqcount_reads(on) ((void)(on))
#define sim_seqcount_writes(on) ((void)(on))
#endif

#define sim_seqcount(s) \
	_Generic(*(s), seqcount_t : (s), default : (seqcount_t *)(s))

static inline void sim_seqcount_init(seqcount_t *s)
{
	s->sequence = 0;
}

/* Writers make the count odd; it comes even again when they are done. */
static __always_inline unsigned int sim_seqcount_begin(const seqcount_t *s)
{
	unsigned int seq = sim_wait_mask(&s->sequence, 1, 0, SIM_ACQUIRE);

	sim_seqcount_reads(1);
	return seq;
}

static __always_inline unsigned int sim_seqcount_read(const seqcount_t *s)
{
	unsigned int seq = smp_load_acquire(&s->sequence);

	sim_seqcount_reads(1);
	return seq;
}

static __always_inline int sim_seqcount_retry(const seqcount_t *s,
					      unsigned int start)
{
	sim_seqcount_reads(0);
	smp_rmb();
	return READ_ONCE(s->sequence) != start;
}

static inline void sim_seqcount_write_begin(seqcount_t *s)
{
	sim_seqcount_writes(1);
	WRITE_ONCE(s->sequence, s->sequence + 1);
	smp_wmb();
}

static inline void sim_seqcount_write_end(seqcount_t *s)
{
	smp_wmb();
	WRITE_ONCE(s->sequence, s->sequence + 1);
	sim_seqcount_writes(0);
}

#define seqcount_init(s) sim_seqcount_init(sim_seqcount(s))
#define seqcount_spinlock_init(s, lock) ((void)(lock), seqcount_init(s))
#define seqcount_rwlock_init(s, lock) ((void)(lock), seqcount_init(s))
#define read_seqcount_begin(s) sim_seqcount_begin(sim_seqcount(s))
#define raw_read_seqcount_begin(s) read_seqcount_begin(s)
#define raw_read_seqcount(s) sim_seqcount_read(sim_seqcount(s))
#define raw_seqcount_try_begin(s, start) \
	(!(((start) = raw_read_seqcount(s)) & 1))
#define read_seqcount_retry(s, start) sim_seqcount_retry(sim_seqcount(s), start)
#define write_seqcount_begin(s) sim_seqcount_write_begin(sim_seqcount(s))
#define write_seqcount_end(s) sim_seqcount_write_end(sim_seqcount(s))
#define raw_write_seqcount_begin(s) write_seqcount_begin(s)
#define raw_write_seqcount_end(s) write_seqcount_end(s)

#endif /* LINUX_SEQLOCK_H */
