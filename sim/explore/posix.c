// SPDX-License-Identifier: GPL-2.0-only
/*
 * posix.c - what threads of plain programs wait with, besides mutexes and joins.
 *
 * Of each object some words are used, all zero in an object that is fresh:
 *
 *	condition	a bit for each thread that waits. wait: set mine, drop the
 *			mutex, await that it is clear; signal: clear one, whichever
 *	barrier		arrivals so far, a bit for each round that is complete
 *	once		0, 1 while the function runs, 3
 *	rwlock		a lock as the kernel's are (world.c); a reader never waits
 *			for a writer that waits
 *
 * A wait on a condition may also end early, with nobody having asked for it: it then
 * drops the mutex and takes it again, and no signal is spent on it.
 */
#include "hook.h"
#include "ledger.h"
#include "trapline/plain.h"

#include <errno.h>

#define PC __builtin_return_address(0)
#define WORD_BITS 64
#define WAIT_WORDS ((NR_THREADS + WORD_BITS - 1) / WORD_BITS)

/* ---- conditions ---------------------------------------------------------------- */

_Static_assert(sizeof(pthread_cond_t) >= WAIT_WORDS * sizeof(uint64_t),
	       "a bit for each thread");

static uintptr_t wait_word(pthread_cond_t *c, unsigned int i)
{
	return (uintptr_t)c + i * sizeof(uint64_t);
}

int trapline_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
	(void)attr;
	for (unsigned int i = 0; i < WAIT_WORDS; i++)
		hook_write(wait_word(c, i), 8, 0, OP_WRITE | HOOK_PLAIN, PC);
	return 0;
}

int trapline_cond_destroy(pthread_cond_t *c)
{
	for (unsigned int i = 0; i < WAIT_WORDS; i++)
		hook_destroy(c, hook_read(wait_word(c, i), 8, OP_READ, PC),
			     ", which a thread waits for", PC);
	return 0;
}

/* Who signals under the mutex, or later, sees the bit. */
static void await_signal(pthread_cond_t *c, pthread_mutex_t *m, const void *pc)
{
	uintptr_t word = wait_word(c, engine->cur / WORD_BITS);
	uint64_t me = 1ull << engine->cur % WORD_BITS;

	hook_rmw(word, 8,
		 &(struct hook_op){ .op = OP_WAIT | HOOK_FULL,
				    .rmw = RMW_OR,
				    .operand = me },
		 pc);
	hook_mutex_unlock(m, pc);
	hook_rmw(word, 8,
		 &(struct hook_op){ .op = OP_WAIT | HOOK_ACQUIRE,
				    .rmw = RMW_NONE,
				    .mask = me,
				    .await = true },
		 pc);
}

int trapline_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	int error = hook_mutex_refuses(m, PC);

	if (error)
		return error;
	if (hook_wakes_early(PC))
		hook_mutex_unlock(m, PC);
	else
		await_signal(c, m, PC);
	hook_mutex_lock(m, PC);
	return 0;
}

/* Wake the k-th of those that waited. False: somebody else has just done so. */
static bool wake(pthread_cond_t *c, const uint64_t *waits, unsigned int k,
		 const void *pc)
{
	unsigned int i = 0;
	uint64_t bits, bit;

	while (k >= (unsigned int)__builtin_popcountll(waits[i]))
		k -= __builtin_popcountll(waits[i++]);
	for (bits = waits[i]; k; k--)
		bits &= bits - 1;
	bit = bits & -bits;
	return hook_rmw(wait_word(c, i), 8,
			&(struct hook_op){ .op = OP_SIGNAL | HOOK_FULL,
					   .rmw = RMW_AND,
					   .operand = ~bit,
					   .mask = bit,
					   .want = bit },
			pc) &
	       bit;
}

int trapline_cond_signal(pthread_cond_t *c)
{
	uint64_t waits[WAIT_WORDS];
	unsigned int n;

	do {
		n = 0;
		/* it synchronises memory (POSIX, 4.12) */
		hook_fence(PC);
		for (unsigned int i = 0; i < WAIT_WORDS; i++) {
			waits[i] = hook_read(wait_word(c, i), 8,
					     OP_SIGNAL | HOOK_ACQUIRE, PC);
			n += __builtin_popcountll(waits[i]);
		}
	} while (n && !wake(c, waits, n > 1 ? hook_choose(n, PC) : 0, PC));
	return 0;
}

int trapline_cond_broadcast(pthread_cond_t *c)
{
	hook_fence(PC);
	for (unsigned int i = 0; i < WAIT_WORDS; i++)
		hook_rmw(wait_word(c, i), 8,
			 &(struct hook_op){ .op = OP_BROADCAST | HOOK_FULL,
					    .rmw = RMW_XCHG,
					    .mask = ~0ull,
					    .negate = true },
			 PC);
	return 0;
}

/* ---- barriers ------------------------------------------------------------------ */

#define ROUNDS 64

struct barrier {
	uint32_t arrivals, count;
	uint64_t complete; /* bit r: all of round r are there */
};

_Static_assert(sizeof(pthread_barrier_t) >= sizeof(struct barrier), "it fits");

int trapline_barrier_init(pthread_barrier_t *barrier,
			  const pthread_barrierattr_t *attr, unsigned int count)
{
	struct barrier *b = (struct barrier *)barrier;

	(void)attr;
	if (!count)
		return EINVAL;
	hook_write((uintptr_t)&b->arrivals, 4, 0, OP_WRITE | HOOK_PLAIN, PC);
	hook_write((uintptr_t)&b->count, 4, count, OP_WRITE | HOOK_PLAIN, PC);
	hook_write((uintptr_t)&b->complete, 8, 0, OP_WRITE | HOOK_PLAIN, PC);
	return 0;
}

int trapline_barrier_destroy(pthread_barrier_t *barrier)
{
	struct barrier *b = (struct barrier *)barrier;
	uint32_t count = hook_read((uintptr_t)&b->count, 4,
				   OP_READ | HOOK_PLAIN, PC);
	uint32_t arrivals = hook_read((uintptr_t)&b->arrivals, 4, OP_READ, PC);

	hook_destroy(b, count && arrivals % count, ", which a thread waits at",
		     PC);
	return 0;
}

/* The last to arrive is told that it was. */
int trapline_barrier_wait(pthread_barrier_t *barrier)
{
	struct barrier *b = (struct barrier *)barrier;
	uint32_t count = hook_read((uintptr_t)&b->count, 4,
				   OP_READ | HOOK_PLAIN, PC);
	uint32_t before;
	struct hook_op op = { .op = OP_ARRIVE | HOOK_FULL,
			      .rmw = RMW_ADD,
			      .operand = 1 };

	if (!count)
		runtime_fail(FIND_MISUSE, NULL, 0,
			     "a barrier is waited for before "
			     "pthread_barrier_init()");
	before = hook_rmw((uintptr_t)&b->arrivals, 4, &op, PC);
	if (before / count >= ROUNDS)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "a barrier with more than %d rounds", ROUNDS);
	if (before % count == count - 1) {
		op.rmw = RMW_OR;
		op.operand = 1ull << before / count;
	} else {
		op = (struct hook_op){ .op = OP_ARRIVE | HOOK_ACQUIRE,
				       .rmw = RMW_NONE,
				       .mask = 1ull << before / count,
				       .negate = true,
				       .await = true };
	}
	hook_rmw((uintptr_t)&b->complete, 8, &op, PC);
	return before % count == count - 1 ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* ---- once ---------------------------------------------------------------------- */

int trapline_once(pthread_once_t *once, void (*fn)(void))
{
	if (hook_rmw((uintptr_t)once, 4,
		     &(struct hook_op){ .op = OP_ONCE | HOOK_ACQUIRE,
					.rmw = RMW_OR,
					.operand = 1,
					.mask = ~0u,
					.want = 1,
					.negate = true,
					.await = true },
		     PC))
		return 0;
	fn();
	hook_write((uintptr_t)once, 4, 3, OP_ONCE | HOOK_RELEASE, PC);
	return 0;
}

/* ---- read-write locks ---------------------------------------------------------- */

int trapline_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
	(void)attr;
	hook_write((uintptr_t)l, 8, 0, OP_WRITE | HOOK_PLAIN, PC);
	return 0;
}

int trapline_rwlock_destroy(pthread_rwlock_t *l)
{
	hook_destroy(l, hook_read((uintptr_t)l, 8, OP_READ, PC),
		     ", which is locked", PC);
	return 0;
}

int trapline_rwlock_rdlock(pthread_rwlock_t *l)
{
	hook_lock((struct sim_lock *)l, SIM_RWSEM, true, PC);
	return 0;
}

int trapline_rwlock_wrlock(pthread_rwlock_t *l)
{
	hook_lock((struct sim_lock *)l, SIM_RWSEM, false, PC);
	return 0;
}

int trapline_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	return hook_trylock((struct sim_lock *)l, SIM_RWSEM, true, PC) ? 0
								       : EBUSY;
}

int trapline_rwlock_trywrlock(pthread_rwlock_t *l)
{
	return hook_trylock((struct sim_lock *)l, SIM_RWSEM, false, PC) ? 0
									: EBUSY;
}

int trapline_rwlock_unlock(pthread_rwlock_t *lock)
{
	struct sim_lock *l = (struct sim_lock *)lock;

	hook_unlock(l, SIM_RWSEM, ledger_reads(l), PC);
	return 0;
}
