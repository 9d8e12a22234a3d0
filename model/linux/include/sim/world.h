/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/world.h - what each world supplies behind the kernel API (first seam).
 *
 * Not the kernel's: everything here is prefixed sim_. Headers in linux/ map the
 * kernel's names onto these. Basic types only: included by kernel-side and by
 * libc-side files.
 *
 * Two halves. Access hooks exist in the instrumented build (SIM_EXPLORE) only;
 * the plain build uses C11 atomics in place. The blocking half exists in every
 * world: it is what may wait, and so must know how to run somebody else.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

struct task_struct;
struct timer_list;
struct callback_head;
struct work_struct;

/* ---- memory order and kind, as the kernel means them ------------------- */

enum sim_order {
	SIM_RELAXED, /* no ordering */
	SIM_ACQUIRE,
	SIM_RELEASE,
	SIM_FULL,    /* value-returning RMW: full barrier if it succeeds */
	SIM_ADDRESS, /* of a pointer: before what is reached through it */
};

enum sim_fence {
	SIM_MB, /* smp_mb */
	SIM_WMB,
	SIM_RMB,
	SIM_MB_ATOMIC, /* smp_mb__before_atomic, smp_mb__after_atomic */
};

enum sim_rmw {
	SIM_XCHG,
	SIM_ADD, /* operand may be negative */
	SIM_AND,
	SIM_OR,
	SIM_XOR,
	SIM_CMPXCHG,	/* writes operand if old == expected */
	SIM_ADD_UNLESS, /* adds operand unless old == expected */
};

/*
 * A condition on a word: ((word & mask) == want) != negate. What a primitive
 * waits for, and what decides whether a conditional RMW writes.
 */
struct sim_cond {
	unsigned long mask, want;
	int negate;
};

/* ---- access hooks: instrumented build only ------------------------------ */

/* size is 1, 2, 4 or 8; values are zero-extended. Scheduling points. */
unsigned long sim_load(const volatile void *p, int size, enum sim_order order);
void sim_store(volatile void *p, int size, unsigned long v,
	       enum sim_order order);
/* Returns the old value. */
unsigned long sim_rmw(volatile void *p, int size, enum sim_rmw op,
		      unsigned long operand, unsigned long expected,
		      enum sim_order order);
void sim_fence(enum sim_fence kind);
/*
 * A loop that reads until the condition holds, as one event (a loop has no
 * bound). Returns the value that ended it.
 */
unsigned long sim_await(const volatile void *p, int size,
			const struct sim_cond *until, enum sim_order order);

/* ---- the blocking half: every world ------------------------------------- */

/*
 * `current`. In explore a function of the fibre: the task that was set for it, or one
 * of its own, all zero, made when it is first asked for; NULL in set-up.
 */
struct task_struct *sim_current(void);
#define SIM_TASK_BYTES 256 /* room for a struct task_struct */
/* Small dense number of the running thread, 0..SIM_MAX_THREADS-1. */
int sim_thread(void);
#define SIM_MAX_THREADS 128

/*
 * A lock word: 0 free. Exclusive holders set bit 0; shared holders count in
 * steps of 2. The kind comes from the call, never from a zeroed object.
 */
enum sim_lock_kind {
	SIM_SPINLOCK, /* spin_lock*, raw_spin_lock*; never sleeps */
	SIM_RWLOCK,
	SIM_MUTEX, /* sleeps */
	SIM_RWSEM, /* sleeps; also mmap_lock */
	SIM_PERCPU_RWSEM,
};

struct sim_lock {
	unsigned long word;
};

void sim_lock(struct sim_lock *l, enum sim_lock_kind kind, int shared);
int sim_trylock(struct sim_lock *l, enum sim_lock_kind kind, int shared);
void sim_unlock(struct sim_lock *l, enum sim_lock_kind kind, int shared);

/*
 * Sleep and wake. sim_schedule returns once *state is 0 (TASK_RUNNING); if it
 * is 0 already it may return at once (after letting others run). sim_wake sets
 * *state of that task to 0 if (*state & mask), full barrier; returns whether
 * it did. `state` is &task->__state.
 */
void sim_schedule(unsigned int *state);
int sim_wake(struct task_struct *task, unsigned int *state, unsigned int mask);

/*
 * Timers. `word` is a word of the timer: bit 0 pending, bit 1 running.
 * mod: arm to fire `delay` jiffies from now, returns whether it was pending.
 * delete_sync: returns whether it was pending; on return it neither is pending
 * nor runs. In explore an armed timer may fire at any time.
 */
#define SIM_TIMER_PENDING 1ul
#define SIM_TIMER_RUNNING 2ul
int sim_timer_mod(struct timer_list *timer, unsigned long *word,
		  unsigned long delay);
int sim_timer_delete_sync(struct timer_list *timer, unsigned long *word);
/* Called by the world to run a timer that it found pending (linux/timer.h). */
void sim_timer_run(struct timer_list *timer);
/* The word of one that is to run on the CPU that armed it, else NULL. */
unsigned long *sim_timer_pinned(struct timer_list *timer);

/*
 * RCU flavours. A domain has a word of active sections per thread: section k
 * of thread t is bit k of reader[t] (explore); other worlds use count[].
 * lock returns a token that any context may pass to unlock (SRCU leases).
 * sync returns once every section that was active when it began has ended.
 * call runs func(head) after such a grace period, in a context that may not
 * sleep (softirq). Readers of SIM_RCU may not sleep; only those of SIM_SRCU may
 * hand their section on to another context.
 */
enum sim_rcu_kind { SIM_SRCU, SIM_RCU, SIM_RCU_TASKS_TRACE };

struct sim_rcu {
	const char *name;
	enum sim_rcu_kind kind;
	struct sim_rcu *implies; /* a grace period is one of this as well */
	unsigned long reader[SIM_MAX_THREADS];
	unsigned long count[2];
	unsigned long idx;
};
/* Instead of a token, to leave a section that was not entered: the world objects. */
#define SIM_RCU_NONE (-2)
int sim_rcu_lock(struct sim_rcu *d);
void sim_rcu_unlock(struct sim_rcu *d, int token);
void sim_rcu_sync(struct sim_rcu *d);
void sim_rcu_call(struct sim_rcu *d, struct callback_head *head,
		  void (*func)(struct callback_head *head));

/*
 * Called in the instrumented build only. For race reports: between on and off (they
 * nest) the running thread's plain accesses race with nobody; inside of a sequence
 * counter's section they count as marked: a reader's until it asks whether to retry,
 * or leaves the function that began, a writer's until it ends. (KCSAN's rules:
 * linux/compiler.h, linux/seqlock.h.)
 */
void sim_may_race(int on);
void sim_seqcount_reads(int on);
void sim_seqcount_writes(int on);
/* The running thread leaves a section that only itself may have entered. */
void sim_rcu_leaves_own(struct sim_rcu *d, int token);

/*
 * CPUs; called in the instrumented build only. Every thread is a CPU of its own, of
 * the same number, but an interrupt handler runs on that of whom it interrupts.
 * irqs_off returns whether they were off already, which restore takes. preempt_add
 * adds to the running thread's own part of preempt_count(), which is laid out as the
 * kernel's.
 */
#define SIM_SOFTIRQ_SERVING 0x100u
#define SIM_SOFTIRQ_MASK 0xff00u
#define SIM_HARDIRQ 0x10000u
int sim_cpu(void);
int sim_nr_cpus(void); /* numbers are below */
/* What a CPU has for its own of a per-CPU variable, or of a part of one. */
void *sim_percpu_copy(const void *p, int cpu);
unsigned long sim_irqs_off(void);
void sim_irqs_restore(unsigned long were_off);
int sim_irqs_disabled(void);
void sim_preempt_add(int n);
/* fn(arg) will come to this CPU as a softirq, unless the same has yet to. */
void sim_softirq_raise(void (*fn)(void *arg), void *arg);
unsigned int sim_preempt_count(void);

/* Run work->func(work) later, in a context that may sleep. */
void sim_work_queue(struct work_struct *work,
		    void (*func)(struct work_struct *work));

/* Number of the thread that will run what is queued next; instrumented build only. */
int sim_work_number(void);
/* The caller may sleep; likewise. */
void sim_might_sleep(void);

/*
 * Memory. type names the object in findings ("struct uprobe_task"), or NULL.
 * how: bits of enum sim_alloc. NULL when out of memory, or when the world lets an
 * allocation fail that may (SIM_ALLOC_NOFAIL: that may not).
 */
enum sim_alloc {
	SIM_ALLOC_SLEEPS = 1, /* the caller may sleep */
	SIM_ALLOC_NOFAIL = 2,
};
void *sim_alloc(unsigned long size, int zero, const char *type,
		unsigned int how);
void sim_free(const void *p);
/* Bytes asked for when p was allocated. */
unsigned long sim_alloc_size(const void *p);

/* Time in jiffies (HZ = 1000, so milliseconds). Explore: always 0. */
unsigned long sim_jiffies(void);

/* BUG_ON: does not return. WARN: a finding in explore, stderr elsewhere. */
__attribute__((noreturn)) void sim_bug(const char *what, const char *file,
				       int line);
void sim_warn(const char *what, const char *file, int line);
__attribute__((format(printf, 1, 2))) void sim_printk(const char *fmt, ...);

#endif /* SIM_WORLD_H */
