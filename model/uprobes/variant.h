/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * variant.h - designs that both were in a kernel, along independent axes.
 *
 *	axis	row	in		how
 *	signals	siglock	.. 6.14		a step recomputes what is pending, locked
 *		flag	6.15 ..		it remembers that it denied one
 *	storage	kmalloc	.. 6.13		an instance per call, freed after RCU
 *		pool	6.14 ..		a task reuses its instances
 *	optimize none	.. 6.17		a probe is a breakpoint
 *		nop5	6.18		a nop of five bytes becomes a call
 *		nop10	7.2		one of ten, and the red zone is left alone
 *
 * A row is a table of functions, or of data. sim_variant_set (sim/entry.h)
 * chooses, before the first probe; a release stands for its rows, and rows that
 * no release had together are refused. All that is in no table is 6.15 to 6.18's,
 * also if 7.2 is chosen.
 *
 * The choice costs no event under exploration: tables are constant, and
 * uprobe_variant() is not instrumented. To add a design: a table here, its file,
 * its rows in variant.c.
 */
#ifndef MODEL_UPROBES_VARIANT_H
#define MODEL_UPROBES_VARIANT_H

#include <linux/types.h>
#include "arch.h"

struct return_instance;
struct uprobe_task;

/* Signals during a step; called by the stepping task. signals.c. */
struct uprobe_signals {
	const char *name;
	/* TIF_SIGPENDING is set: take it away until the step is over. */
	void (*deny)(struct uprobe_task *utask);
	/* It is over: set TIF_SIGPENDING if a signal waits. */
	void (*restore)(struct uprobe_task *utask);
};

/* Where return instances come from and go; called by their owner. */
struct ri_storage {
	const char *name;
	/* Without consumers; NULL: out of memory. */
	struct return_instance *(*alloc)(struct uprobe_task *utask);
	/*
	 * Room for a further consumer in extra_consumers, of an instance that
	 * has one or more and is not linked. ri, perhaps moved; NULL: out of
	 * memory, ri is as it was.
	 */
	struct return_instance *(*grow)(struct return_instance *ri);
	/*
	 * A copy of an instance of the current task, for its child; only hprobe
	 * and next are still to be set. NULL: out of memory.
	 */
	struct return_instance *(*dup)(const struct return_instance *old);
	/* ri was linked and is no more; the timer may still be at it. */
	void (*free)(struct uprobe_task *utask, struct return_instance *ri);
	/* ri was never linked, or comes from utask->ri_pool at the end. */
	void (*drop)(struct return_instance *ri);
	/* The timer: ri_expire_all(), in SRCU and RCU sections. */
	void (*expire)(struct uprobe_task *utask);
};

/* Which probes become calls; see optimize.c. */
struct uprobe_optimize {
	const char *name;
	enum arch_opt_form form;
};

struct uprobe_variant {
	const char *release;
	const struct uprobe_signals *signals;
	const struct ri_storage *storage;
	const struct uprobe_optimize *optimize;
};

extern const struct uprobe_optimize uprobe_optimize_none, uprobe_optimize_nop5,
	uprobe_optimize_nop10;
extern const struct uprobe_signals uprobe_signals_siglock, uprobe_signals_flag;
extern const struct ri_storage ri_storage_kmalloc, ri_storage_pool;

/* The one that is chosen. Any context. */
const struct uprobe_variant *uprobe_variant(void);

#endif /* MODEL_UPROBES_VARIANT_H */
