/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hook.h - operations as tsan.c, world.c and pthread.c ask for them.
 *
 * Each works in every mode: alone on memory during set-up and for addresses that
 * one thread touches, as an operation of the running thread otherwise.
 */
#ifndef SIM_EXPLORE_HOOK_H
#define SIM_EXPLORE_HOOK_H

#include "engine.h"
#include "world.h"

#include <pthread.h>

/* An operation is enum explore_op, with the order of the access if it has one. */
#define HOOK_ORDER(order) ((order) << 8)
#define HOOK_ACQUIRE HOOK_ORDER(ORDER_ACQUIRE)
#define HOOK_RELEASE HOOK_ORDER(ORDER_RELEASE)
#define HOOK_FULL HOOK_ORDER(ORDER_FULL)
#define HOOK_MB HOOK_ORDER(ORDER_MB)
#define HOOK_ADDRESS HOOK_ORDER(ORDER_ADDRESS)
#define HOOK_SPIN HOOK_ORDER(ORDER_SPIN)
#define HOOK_PLAIN (1u << 16)	/* not marked */
#define HOOK_RACY (1u << 17)	/* EVF_RACY */
#define HOOK_RETRIED (1u << 18) /* EVF_RETRIED */

struct hook_op {
	unsigned int op;
	enum rmw_kind rmw;
	uint64_t operand;
	uint64_t mask, want; /* all zero: unconditional */
	bool negate;
	bool plain_await; /* a loop of reads: no barrier (with await, no rmw) */
	bool await;	  /* wait until the condition holds */
};

/*
 * Fill *q for the first piece of an access within eight aligned bytes; q->ev.size is
 * what of it the piece has. False if that is nobody else's business.
 */
bool hook_prepare(struct request *q, uintptr_t addr, unsigned int size,
		  enum locate_how how, const void *pc);
/* HOOK_PLAIN, with what the running thread is doing. */
unsigned int hook_plain(void);
/* The kind, flags and order of what hook_prepare filled; size: of the access. */
void hook_describe(struct request *q, enum event_kind kind, unsigned int op,
		   size_t size);
/* Of any size, before the compiler's inline access (access.c). */
void hook_access(uintptr_t addr, size_t size, bool write, bool plain,
		 const void *pc);
/* Accesses that we perform: size <= 8. */
uint64_t hook_read(uintptr_t addr, unsigned int size, unsigned int op,
		   const void *pc);
void hook_write(uintptr_t addr, unsigned int size, uint64_t v, unsigned int op,
		const void *pc);
/* Copy, all read before any is written; fill; compare. Plain accesses. */
void hook_copy(void *to, const void *from, size_t n, const void *pc);
void hook_fill(void *to, int c, size_t n, const void *pc);
int hook_compare(const void *a, const void *b, size_t n, const void *pc);
/* Returns the old value; writes if the condition holds and rmw is not none. Lies
 * within eight aligned bytes. */
uint64_t hook_rmw(uintptr_t addr, unsigned int size, const struct hook_op *op,
		  const void *pc);
uint64_t hook_cmpxchg(uintptr_t addr, unsigned int size, uint64_t expected,
		      uint64_t v, unsigned int order, const void *pc);
/* smp_mb; hook_barrier: what enum event_order says of fences. */
void hook_fence(const void *pc);
void hook_barrier(enum event_order kind, const void *pc);
/* A grace period ends: a full barrier, and a node in every model (grace.h). */
void hook_grace_end(const void *pc);
/* Run func(object) on a new thread; `extra` is for the caller's use. */
void hook_defer(const char *name, void (*entry)(void *), void *object,
		void *extra, void (*func)(void *), bool daemon, const void *pc);

/* One of `ways` numbers from 0, every one in some execution. */
unsigned int hook_choose(unsigned int ways, const void *pc);
/* Does this allocation of the running thread fail? Does this wait end early? */
bool hook_alloc_fails(const void *pc);
bool hook_wakes_early(const void *pc);

/* Locks of the kernel's kinds, with the rules of the ledger (world.c). */
void hook_lock(struct sim_lock *l, enum sim_lock_kind kind, bool shared,
	       const void *pc);
bool hook_trylock(struct sim_lock *l, enum sim_lock_kind kind, bool shared,
		  const void *pc);
void hook_unlock(struct sim_lock *l, enum sim_lock_kind kind, bool shared,
		 const void *pc);
/*
 * Those of plain programs (mutex.c), which return what pthread_mutex_lock and _unlock
 * do; and what the latter would, so far as a mutex of that kind says so itself.
 */
int hook_mutex_lock(pthread_mutex_t *m, const void *pc);
int hook_mutex_unlock(pthread_mutex_t *m, const void *pc);
int hook_mutex_refuses(pthread_mutex_t *m, const void *pc);
/* An object is destroyed. In use, that is a finding; `how` ends its sentence. */
void hook_destroy(const void *object, bool in_use, const char *how,
		  const void *pc);

#endif /* SIM_EXPLORE_HOOK_H */
