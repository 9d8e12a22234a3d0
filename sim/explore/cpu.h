/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cpu.h - interrupts: which may come to a CPU, and when.
 *
 * Every thread is a CPU of its own, but a handler: that is a thread which comes to
 * the CPU of another, once, between two of its operations. Until it has returned the
 * interrupted thread does nothing. So to the search an interrupt is two events in
 * the interrupted thread, OP_IRQ (which creates the handler's thread) and OP_IRET
 * (which joins it), whose place is chosen: see take_interrupts in grow.c. To a chooser
 * it is a thread that is ready whenever it may come.
 *
 * All is a function of what the CPU itself has done in this run.
 */
#ifndef SIM_EXPLORE_CPU_H
#define SIM_EXPLORE_CPU_H

#include "engine.h"

/* Handlers that the scenario declares; they are numbered from `first` on. */
int cpu_count_handlers(void);
void cpu_start_handlers(int first);

/* Thread n begins, on a CPU of its own. */
void cpu_own(int n);
/*
 * fn(arg) will come to the running thread's CPU as a softirq, once; due: it has to.
 * It may be asked for by fn and arg, and forgotten.
 */
void cpu_expect(const char *name, void (*fn)(void *), void *arg, bool due);
bool cpu_is_expected(void (*fn)(void *), const void *arg);
void cpu_forget(void (*fn)(void *), const void *arg);

/* May handler h come now, to cpu_victim(h), which is about to do something? */
bool cpu_may_come(int h);
int cpu_victim(int h);
/* It has to before the CPU's thread ends, and could where that one is now. */
bool cpu_is_due(int h);
/* Does thread n, which has nothing left to do, wait for such a one? */
bool cpu_is_waited_for(int n);
/* A handler that may come to thread n, above `after`, or -1. */
int cpu_next(int n, int after);

/* The running thread is interrupted by h; and goes on. */
void cpu_enter(int h);
void cpu_leave(int h);
/*
 * The running thread stops letting handlers in (OP_IRQ_OFF, OP_BH_OFF), or has nothing
 * left to do (OP_IDLE): then what has to come comes now. Not an operation if none is
 * expected.
 */
void cpu_point(enum explore_op op);

/* The running thread does what softirqs do, but on a CPU of its own. */
void cpu_softirq(bool on);
/* Is it in task context, and lets its CPU softirqs in? */
bool cpu_lets_softirqs_in(void);

/* Before set-up: each CPU's own variables begin alike. */
void cpu_copy_variables(void);

#endif /* SIM_EXPLORE_CPU_H */
