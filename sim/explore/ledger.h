/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ledger.h - what each thread holds, and what it may therefore not do.
 *
 * world.c tells of every lock, section, timer and possible sleep; the ledger
 * ends the run with a finding if a rule is broken. It makes no events and never
 * changes what a scenario does; it lies outside of what executions reset. All is
 * about the running thread; set-up, which is alone, is not watched.
 *
 * The rules are lockdep's (Documentation/locking/lockdep-design.rst) and
 * might_sleep()'s, but locks are told apart one by one, not by class, and a
 * reader may read again: here no reader waits for a writer that waits.
 */
#ifndef SIM_EXPLORE_LEDGER_H
#define SIM_EXPLORE_LEDGER_H

#include "engine.h"
#include "world.h"

#include <stdio.h>

/* A run begins: nobody holds anything. */
void ledger_begin_run(void);

/* ---- locks --------------------------------------------------------------------- */

/* About to wait for the lock: may it sleep here, and is the order right? */
void ledger_wants(const struct sim_lock *l, enum sim_lock_kind kind,
		  bool shared, const void *pc);
/* Has it now, after waiting or by trylock. */
void ledger_takes(const struct sim_lock *l, enum sim_lock_kind kind,
		  bool shared, const void *pc);
/* It lets softirqs in from here on, whatever it holds. */
void ledger_lets_softirqs_in(const void *pc);
/* Does the running thread hold it as a reader? */
bool ledger_reads(const struct sim_lock *l);
/* Does it as a writer? Such a lock may be taken again, by a mutex that counts. */
bool ledger_writes(const struct sim_lock *l);
void ledger_takes_again(const struct sim_lock *l);
/* Undo the latter. False: it was taken once only. */
bool ledger_drops_again(const struct sim_lock *l);
/* About to drop it; has dropped it. Interrupts may come in between. */
void ledger_may_drop(const struct sim_lock *l, bool shared, const void *pc);
void ledger_drops(const struct sim_lock *l, bool shared);

/* ---- context --------------------------------------------------------------------- */

/* About to do what may sleep; op and addr show it in the report. */
void ledger_may_sleep(enum explore_op op, const void *addr, const void *pc);
/* A read section is open. Those of SRCU may be handed on. */
void ledger_enters(const struct sim_rcu *d, int token, const void *pc);
void ledger_leaves(const struct sim_rcu *d, int token);
/* The running thread leaves a section that it is not in; `tail`: because, or NULL. */
__attribute__((noreturn)) void ledger_not_inside(const struct sim_rcu *d,
						 const char *tail,
						 const void *pc);
/* The running thread, or the function of the timer that it is, is over. */
void ledger_ends(void);

/* ---- timers ---------------------------------------------------------------------- */

/* A timer with this word is armed in this run. */
void ledger_timer_armed(const unsigned long *word);
/* The running thread begins the function of the timer with this word. */
void ledger_timer_runs(const unsigned long *word);
/* Did that function free its own timer? It may (call_timer_fn). */
bool ledger_timer_is_gone(void);
/*
 * The object was freed just now: no timer in it may be armed or run, but the one
 * whose function frees it.
 */
void ledger_frees(int object, const void *pc);

/* ---- the order of locks (order.c) ------------------------------------------------ */

/* All executions share one graph of "taken while held", until: */
void order_forget(void);
/* The running thread takes wanted while it holds held. Does that close a cycle? */
bool order_add(uintptr_t held, uintptr_t wanted, const void *pc);
/* What stands for softirqs among locks; for those that write only: see order.c. */
#define ORDER_SOFTIRQ 1
#define ORDER_WRITERS 2
bool order_has_cycle(void);
/* The k-th order that was seen; and to add one that another process saw. */
struct lock_order {
	uintptr_t held, wanted;
	const char *held_type, *wanted_type;
	int thread;
	struct site site;
};
bool order_get(int k, struct lock_order *out);
bool order_put(const struct lock_order *o);
/* Write what adding it means; and who took the locks of a cycle the other way. */
void order_say(FILE *to, int thread, uintptr_t held, uintptr_t wanted);
void order_explain(FILE *to, uintptr_t held, uintptr_t wanted);

/*
 * A cycle is a finding only if there is no other: a deadlock seen is worth more
 * than one feared. So the search goes on; if it ends without a finding it begins
 * again, strict: then a lock that closes a known cycle ends the run. A sequential
 * run notes the first and goes on; if it ends without a finding, ledger_accuse
 * makes the note one and says how many steps of the run led there.
 */
void ledger_be_strict(bool strict);
bool ledger_accuse(size_t *nr_steps);

/* ---- words ----------------------------------------------------------------------- */

/*
 * Said when the run is over, but before the next. Both change the message only.
 */
void ledger_explain(void);
/* A deadlock: who of those that wait does so for a lock of their own? */
void ledger_explain_deadlock(void);
/* A deadlock, its run in r: whose wake-up came before it slept (lost.c)? */
void lost_explain(const struct explore_result *r);
/* What the finding is about was not performed: fill *step with it. */
bool ledger_step(struct explore_step *step);

#endif /* SIM_EXPLORE_LEDGER_H */
