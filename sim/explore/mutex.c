// SPDX-License-Identifier: GPL-2.0-only
/*
 * mutex.c - mutexes and spin locks of plain programs.
 *
 * Of a mutex two words are used: the first, 0 when it is free, and its kind, where
 * glibc has it, since initialisers write it there. An error-checking mutex knows its
 * owner, a recursive one also how often that has it: both are in the ledger, which
 * is about the running thread, and nobody else asks.
 */
#include "hook.h"
#include "blame.h"
#include "ledger.h"
#include "trapline/plain.h"

#include <errno.h>

#define PC __builtin_return_address(0)

void hook_destroy(const void *object, bool in_use, const char *how,
		  const void *pc)
{
	if (in_use)
		blame_fail(&(struct blame){ .finding = FIND_MISUSE,
					    .verb = "destroys",
					    .object = (uintptr_t)object,
					    .tail = how,
					    .site = blame_site(pc) });
}

/* ---- the word -------------------------------------------------------------------- */

static bool take(void *word, bool await, const void *pc)
{
	uint64_t old = hook_rmw((uintptr_t)word, 4,
				&(struct hook_op){ .op = OP_LOCK | HOOK_ACQUIRE,
						   .rmw = RMW_XCHG,
						   .operand = 1,
						   .mask = ~0u,
						   .await = await },
				pc);

	if (old)
		return false;
	ledger_takes(word, SIM_MUTEX, false, pc);
	return true;
}

static void drop(void *word, const void *pc)
{
	hook_write((uintptr_t)word, 4, 0, OP_UNLOCK | HOOK_RELEASE, pc);
	ledger_drops(word, false);
}

static void destroy(const void *word, const void *pc)
{
	hook_destroy(word, hook_read((uintptr_t)word, 4, OP_READ, pc),
		     ", which is locked", pc);
}

/* ---- kinds ----------------------------------------------------------------------- */

static bool is_kind(int kind)
{
	return kind == PTHREAD_MUTEX_NORMAL ||
	       kind == PTHREAD_MUTEX_RECURSIVE ||
	       kind == PTHREAD_MUTEX_ERRORCHECK ||
	       kind == PTHREAD_MUTEX_ADAPTIVE_NP;
}

static uintptr_t kind_word(pthread_mutex_t *m)
{
	return (uintptr_t)&m->__data.__kind;
}

static int kind_of(pthread_mutex_t *m, const void *pc)
{
	int kind = hook_read(kind_word(m), 4, OP_READ | HOOK_PLAIN, pc);

	if (!is_kind(kind))
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "a mutex is locked that is neither normal, "
			     "recursive nor error-checking: is it one?");
	return kind;
}

/* Of a mutex of this kind, which the running thread has or has not. */
static bool knows_owner(int kind)
{
	return kind == PTHREAD_MUTEX_RECURSIVE ||
	       kind == PTHREAD_MUTEX_ERRORCHECK;
}

/* A loop in which the count goes up is none that waits. */
static void changes_count(void)
{
	engine->t[engine->cur].private_writes++;
}

static int take_again(pthread_mutex_t *m)
{
	ledger_takes_again((struct sim_lock *)m);
	changes_count();
	return 0;
}

/* ---- mutexes --------------------------------------------------------------------- */

int hook_mutex_lock(pthread_mutex_t *m, const void *pc)
{
	int kind = kind_of(m, pc);

	if (knows_owner(kind) && ledger_writes((struct sim_lock *)m))
		return kind == PTHREAD_MUTEX_RECURSIVE ? take_again(m)
						       : EDEADLK;
	take(m, true, pc);
	return 0;
}

int hook_mutex_refuses(pthread_mutex_t *m, const void *pc)
{
	return knows_owner(kind_of(m, pc)) &&
			       !ledger_writes((struct sim_lock *)m)
		       ? EPERM
		       : 0;
}

int hook_mutex_unlock(pthread_mutex_t *m, const void *pc)
{
	int error = hook_mutex_refuses(m, pc);

	if (error)
		return error;
	ledger_may_drop((struct sim_lock *)m, false, pc);
	if (ledger_drops_again((struct sim_lock *)m))
		changes_count();
	else
		drop(m, pc);
	return 0;
}

/* The kind is written only if it is another: what nobody writes costs no event. */
int trapline_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	int kind = PTHREAD_MUTEX_DEFAULT;

	if (attr)
		trapline_mutexattr_gettype(attr, &kind);
	hook_write((uintptr_t)m, 4, 0, OP_WRITE, PC);
	if ((int)hook_read(kind_word(m), 4, OP_READ | HOOK_PLAIN, PC) != kind)
		hook_write(kind_word(m), 4, kind, OP_WRITE | HOOK_PLAIN, PC);
	return 0;
}

int trapline_mutex_destroy(pthread_mutex_t *m)
{
	destroy(m, PC);
	return 0;
}

int trapline_mutex_lock(pthread_mutex_t *m)
{
	return hook_mutex_lock(m, PC);
}

int trapline_mutex_trylock(pthread_mutex_t *m)
{
	if (kind_of(m, PC) == PTHREAD_MUTEX_RECURSIVE &&
	    ledger_writes((struct sim_lock *)m))
		return take_again(m);
	return take(m, false, PC) ? 0 : EBUSY;
}

int trapline_mutex_unlock(pthread_mutex_t *m)
{
	return hook_mutex_unlock(m, PC);
}

/* ---- their attributes: the kind, and nothing else ----------------------------------- */

int trapline_mutexattr_init(pthread_mutexattr_t *a)
{
	hook_write((uintptr_t)a, 4, PTHREAD_MUTEX_DEFAULT,
		   OP_WRITE | HOOK_PLAIN, PC);
	return 0;
}

int trapline_mutexattr_destroy(pthread_mutexattr_t *a)
{
	(void)a;
	return 0;
}

int trapline_mutexattr_settype(pthread_mutexattr_t *a, int kind)
{
	if (!is_kind(kind))
		return EINVAL;
	hook_write((uintptr_t)a, 4, kind, OP_WRITE | HOOK_PLAIN, PC);
	return 0;
}

int trapline_mutexattr_gettype(const pthread_mutexattr_t *a, int *kind)
{
	*kind = hook_read((uintptr_t)a, 4, OP_READ | HOOK_PLAIN, PC);
	return 0;
}

/* ---- spin locks: to who waits, a mutex ----------------------------------------------- */

int trapline_spin_init(pthread_spinlock_t *l, int shared)
{
	(void)shared;
	hook_write((uintptr_t)l, 4, 0, OP_WRITE, PC);
	return 0;
}

int trapline_spin_destroy(pthread_spinlock_t *l)
{
	destroy((const void *)l, PC);
	return 0;
}

int trapline_spin_lock(pthread_spinlock_t *l)
{
	take((void *)l, true, PC);
	return 0;
}

int trapline_spin_trylock(pthread_spinlock_t *l)
{
	return take((void *)l, false, PC) ? 0 : EBUSY;
}

int trapline_spin_unlock(pthread_spinlock_t *l)
{
	ledger_may_drop((void *)l, false, PC);
	drop((void *)l, PC);
	return 0;
}
