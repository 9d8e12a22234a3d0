/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explore.h - run a scenario: every interleaving, or one that a chooser picks.
 *
 * The interface between the engine (graph.c, search.c, runtime.c, seq.c) and
 * what faces people (report, schedules, the scenario program's main). All
 * memory returned is outside the arena that executions reset and lives until
 * the program ends. Not thread-safe; one exploration at a time.
 */
#ifndef SIM_EXPLORE_EXPLORE_H
#define SIM_EXPLORE_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct explore_chooser;
struct shard_records;

#define EXPLORE_GO_ON (-2)
#define EXPLORE_ANY_WAY UINT64_MAX

/* What an operation is called in reports and schedules. */
#define EXPLORE_OPS(X)                                                \
	X(OP_READ, "read")                                            \
	X(OP_WRITE, "write")                                          \
	X(OP_XCHG, "xchg")                                            \
	X(OP_CMPXCHG, "cmpxchg")                                      \
	X(OP_ADD, "add")                                              \
	X(OP_AND, "and")                                              \
	X(OP_OR, "or")                                                \
	X(OP_XOR, "xor")                                              \
	X(OP_NAND, "nand")                                            \
	X(OP_FENCE, "fence")                                          \
	X(OP_LOCK, "lock")                                            \
	X(OP_UNLOCK, "unlock")                                        \
	X(OP_SLEEP, "schedule")                                       \
	X(OP_WAKE, "wake")                                            \
	X(OP_TIMER_ARM, "arm")                                        \
	X(OP_TIMER_FIRE, "fire")                                      \
	X(OP_TIMER_DONE, "fired")                                     \
	X(OP_TIMER_DELETE, "delete")                                  \
	X(OP_RCU_LOCK, "rcu_lock")                                    \
	X(OP_RCU_UNLOCK, "rcu_unlock")                                \
	X(OP_RCU_SNAPSHOT, "gp_begin")                                \
	X(OP_RCU_WAIT, "gp_wait")                                     \
	X(OP_FREE, "free")                                            \
	X(OP_CHOOSE, "choose")                                        \
	X(OP_ALLOC, "alloc")   /* whether it fails is a choice */     \
	X(OP_WAKEUP, "wakeup") /* whether it comes early, too */      \
	X(OP_WAIT, "wait")     /* for a condition */                  \
	X(OP_SIGNAL, "signal")                                        \
	X(OP_BROADCAST, "broadcast")                                  \
	X(OP_ARRIVE, "arrive") /* at a barrier */                     \
	X(OP_ONCE, "once")                                            \
	X(OP_CREATE, "create")                                        \
	X(OP_JOIN, "join")                                            \
	X(OP_IRQ, "interrupt")                                        \
	X(OP_IRET, "iret") /* the interrupted thread goes on */       \
	X(OP_IRQ_OFF, "irq_off")                                      \
	X(OP_BH_OFF, "bh_off")                                        \
	X(OP_IDLE, "idle") /* its thread is over */                   \
	X(OP_CALL, "call") /* function entry; sequential runs only */ \
	X(OP_END, "end")

enum explore_op {
#define X(id, text) id,
	EXPLORE_OPS(X)
#undef X
		EXPLORE_NR_OPS
};

#define EXPLORE_STACK_MAX 24

/* One operation of one thread, as executed or about to be. */
struct explore_step {
	int thread;
	enum explore_op op;
	uintptr_t addr;	   /* 0 if none */
	unsigned int size; /* bytes; 0: what was not performed any more */
	uint64_t old;	   /* value read (reads, RMW, awaits); of a choice,
				 * how many ways there are */
	uint64_t val;	   /* value written, or chosen */
	bool wrote;
	bool shared;   /* about to be done: others may notice */
	bool blocked;  /* an await that is not satisfied: its thread
				 * goes no further */
	bool reads;    /* a read, or a read-modify-write */
	int rf_thread; /* thread read from, -1 the initial value */
	/*
	 * Weaker memory: what is read if it is not the newest write before this
	 * step (index of the writing step + 1; -1: the initial value); the
	 * earlier step, its index + 1, that this write comes right before in the
	 * order of writes. 0: nothing of that.
	 */
	int source, before;
	int peer;	    /* thread created, joined or interrupted; or
				 * which choice of its thread and op, from 1 */
	const void *pc;	    /* call site in instrumented code */
	unsigned int depth; /* entries of stack */
	const void *stack[EXPLORE_STACK_MAX]; /* return addresses, innermost
					       * first (function entry pcs) */
};

/*
 * What can be wrong: its kind in verdicts and schedules, and what is written
 * beside the step in question (or NULL).
 */
/* clang-format off */
#define EXPLORE_FINDINGS(X)                                                    \
	X(FIND_NONE, "none", NULL)                                             \
	/* assert, BUG_ON */                                                   \
	X(FIND_ASSERT, "assert", "assertion fails")                            \
	X(FIND_WARN, "warn", "warning")                                        \
	X(FIND_USE_AFTER_FREE, "use-after-free", "USE AFTER FREE")             \
	X(FIND_DOUBLE_FREE, "double-free", "DOUBLE FREE")                      \
	X(FIND_BAD_FREE, "bad-free", "BAD FREE")                               \
	/* threads wait for what nobody will do */                             \
	X(FIND_DEADLOCK, "deadlock", NULL)                                     \
	/* they turn in loops that nobody will end */                          \
	X(FIND_LIVELOCK, "livelock", NULL)                                     \
	/* of a lock that the thread does not hold */                          \
	X(FIND_BAD_UNLOCK, "bad-unlock", "NOT HELD")                           \
	/* POSIX leaves undefined what would happen */                         \
	X(FIND_MISUSE, "misuse", NULL)                                         \
	/* at the end of its thread or timer function */                       \
	X(FIND_LOCK_HELD, "lock-held", "ends with a lock held")                \
	X(FIND_ATOMIC_SLEEP, "atomic-sleep", "MAY SLEEP")                      \
	/* a cycle of locks taken while others are held */                     \
	X(FIND_LOCK_ORDER, "lock-order", "LOCK ORDER")                         \
	/* of RCU, at the end of its thread */                                 \
	X(FIND_OPEN_SECTION, "open-section", "ends inside a section")          \
	/* it is, or runs, when its object is freed */                         \
	X(FIND_ARMED_TIMER, "armed-timer", "TIMER STILL ARMED")                \
	/* all has ended, and nothing points to an object */                   \
	X(FIND_LEAK, "leak", NULL)                                             \
	/* if races are to be violations */                                    \
	X(FIND_RACE, "data-race", NULL)                                        \
	/* SIGSEGV and its like inside the scenario */                         \
	X(FIND_CRASH, "crash", "crash")                                        \
	/* the scenario does what we refuse, by name */                        \
	X(FIND_UNSUPPORTED, "unsupported", "refused")
/* clang-format on */

enum explore_finding {
#define X(id, kind, mark) id,
	EXPLORE_FINDINGS(X)
#undef X
};

/* Nobody can move, and somebody should. */
static inline bool explore_is_stuck(enum explore_finding f)
{
	return f == FIND_DEADLOCK || f == FIND_LIVELOCK;
}

enum explore_verdict {
	EXPLORE_HOLDS, /* in all executions */
	EXPLORE_VIOLATED,
	EXPLORE_UNDECIDED, /* budget spent; or a schedule that ended early */
	EXPLORE_REFUSED,   /* FIND_UNSUPPORTED, or it did not run */
};

/* Two accesses, one of them plain, one a write, that nothing orders. */
struct explore_race {
	const char *what; /* as explore_options.name said, or NULL */
	uintptr_t addr;
	unsigned int size;
	struct explore_racer {
		int thread, index; /* which of its operations */
		const char *name;  /* of the thread */
		bool write, plain;
		const void *pc;
		unsigned int depth; /* stack: as in a step */
		const void *stack[EXPLORE_STACK_MAX];
	} by[2];
};

struct explore_result {
	enum explore_verdict verdict;
	enum explore_finding finding;
	char message[512]; /* one sentence, no addresses */
	const char *file;  /* of an assertion, or NULL */
	int line;
	int thread;	     /* that failed, or -1 */
	uint64_t executions; /* complete, each once */
	uint64_t blocked;    /* runs that ended early (see search.c) */
	uint64_t events; /* of all runs of a search, also if performed before */
	int threads;	 /* at most, in an execution */
	bool few_wakeups; /* there could have been more early ones than: */
	unsigned int early_wakeups;
	unsigned int preemptions; /* at most; see SOME_BOUND */
	/* Of a violation under SC: can it be had with fewer preemptions? */
	enum explore_fewest {
		FEWEST_UNASKED,
		FEWEST_THESE,  /* no */
		FEWEST_UNKNOWN /* budget spent */
	} fewest;
	uint64_t restarts; /* searches begun again with more shared memory */
	uint64_t unshared; /* parts that shards searched in vain: see shard.c */
	double seconds;
	double done; /* share of the search, for progress; 0: not known */
	/* Violation (or, for a sequential run, always): the run, linearised. */
	struct explore_step *steps;
	size_t nr_steps;
	uintptr_t bad_addr; /* of a memory finding, else 0 */
	/* Data races seen so far, once per pair of places in the code. */
	struct explore_race *races;
	size_t nr_races;
};

enum explore_memory { MEMORY_SC, MEMORY_TSO, MEMORY_LKMM };

/*
 * What lkmm makes of dependencies, which compilation hides: nothing, which is more
 * behaviour than there is; or every read is ordered before all later writes of its
 * thread, as if each depended on it.
 */
enum explore_deps { DEPS_NONE, DEPS_ALL };

enum explore_races { RACES_REPORT, RACES_FAIL, RACES_OFF };

struct explore_options {
	enum explore_memory memory;
	enum explore_deps deps;
	enum explore_races races;
	bool leaks; /* of plain programs, too */
	/* What is at an address, asked while the run that matters is there. */
	const char *(*name)(uintptr_t addr, unsigned int size);
	unsigned int alloc_failures; /* at most, in one execution */
	unsigned int early_wakeups;  /* the same: see posix.c */
	uint64_t max_executions;     /* 0: no limit */
	double max_seconds;	     /* 0: no limit */
	unsigned int jobs;	     /* processes; up to 1: this one alone */
	/* One of so many shards (from 1), whose record goes there; 0: all. */
	unsigned int shard, shards;
	FILE *record;
	/* All, with the help of the records of all shards; or NULL. */
	const struct shard_records *records;
	/* Not all executions, but those of (SC only; jobs has no meaning): */
	enum explore_some {
		SOME_ALL,
		SOME_BOUND,  /* at most `bound` preemptions: all of them */
		SOME_RANDOM, /* so many schedules, each thread as likely */
		SOME_PCT,    /* so many, by priorities: `depth` - 1 change */
	} some;
	unsigned int bound, depth;
	/*
	 * With SOME_BOUND: whose picks and choices count, except EXPLORE_GO_ON
	 * and EXPLORE_ANY_WAY; `again` is called before each run. Or NULL.
	 */
	const struct explore_chooser *lead;
	uint64_t schedules, seed;
	/* Called now and then from explore_run; may be NULL. */
	void (*progress)(const struct explore_result *sofar, void *arg);
	void *progress_arg;
};

/*
 * Told what is wrong with a scenario whose set-up cannot go on; then the program
 * exits with status 2. NULL: it is said on stderr.
 */
extern void (*explore_refused)(const char *sentence);

/*
 * Prepare arena, threads and snapshot: runs the scenario's set-up (or arranges
 * for a plain program's main to be thread 0). With `program`, thread 0 is that, given
 * arg, instead of what was linked. Call once. -errno on failure; -ENOEXEC: there is
 * nothing to run.
 */
int explore_init(void (*program)(void *arg), void *arg);

/* Exhaustive search. Always fills *out. */
void explore_run(const struct explore_options *opt, struct explore_result *out);

/*
 * A violation under SC like *r, which was just found with r->preemptions or fewer:
 * look for one that has less than that, in at most so many steps of runs. It takes the place of
 * *r if there is one (counts stay those of the search), and r->preemptions are its
 * own. r->fewest tells what is known then. Like: the same finding, at the same place.
 */
bool explore_fewer(uint64_t steps, struct explore_result *r);

/* A write that a read may read from, in the order of writes. */
struct explore_write {
	int thread;	    /* -1: none, the initial value */
	unsigned int count; /* of its thread's writes to these bytes, from 1 */
	uintptr_t addr;
	unsigned int size;
};

/*
 * One run on real memory under SC, one operation at a time. pick is called
 * before every step with the pending operation of each thread (op == OP_END for
 * a thread that has ended; `blocked` for one that cannot move now) and returns
 * the thread to move, or -1 to stop the run here. Every access to memory other
 * than the running thread's own stack is an operation. With `calls`, function
 * entries are operations, too. Before a choice of data is performed, choose says
 * how it goes (below step->old); without one each is 0: an allocation does not
 * fail.
 */
struct explore_chooser {
	int (*pick)(void *arg, const struct explore_step *pending, int n);
	uint64_t (*choose)(void *arg, const struct explore_step *step);
	/* of explore_guided only */
	int (*source)(void *arg, const struct explore_step *step,
		      const struct explore_write *co, int n);
	int (*place)(void *arg, const struct explore_step *step,
		     const struct explore_write *co, int n);
	void (*performed)(void *arg, const struct explore_step *step);
	void (*forbidden)(void *arg, const struct explore_step *step);
	void (*again)(void *arg);
	void *arg;
	bool calls;
	bool leaks; /* as in explore_options */
};
void explore_sequential(const struct explore_chooser *c,
			struct explore_result *out);

/*
 * One run under a memory model (guided.c), like explore_sequential, except that
 * only accesses to shared memory are operations. co[0..n] are the writes there are
 * so far, oldest first, co[0] the initial value. source says which a read reads
 * (-1: what it should read is not there: it cannot be performed), place right after
 * which a write comes. `forbidden` is told when the model does not allow that; the
 * run ends. Each time that it begins, maybe once more, `again` is called. Forgets
 * what was known to be shared.
 */
void explore_guided(const struct explore_chooser *c, enum explore_memory memory,
		    struct explore_result *out);

/* Threads of the last run. */
int explore_nr_threads(void);
const char *explore_thread_name(int thread);
/* Does it wait for work for ever, as a timer's does? */
bool explore_thread_is_daemon(int thread);

/*
 * What is at an address: a heap object (type name as allocated, its number
 * among objects of that type in set-up order, then by (thread, k-th)), a global
 * or a stack. Returns false if nothing is known. Names are stable strings.
 */
struct explore_object {
	enum { OBJECT_HEAP, OBJECT_GLOBAL, OBJECT_STACK } kind;
	const char *type;    /* heap: "struct uprobe" or NULL */
	unsigned int number; /* heap: 1, 2, ... per type */
	uintptr_t base;	     /* heap object, or stack */
	size_t size;
	bool freed;
	int thread; /* stack: whose; heap: allocated by, -1 set-up */
};
bool explore_find_object(uintptr_t addr, struct explore_object *out);

/*
 * Is *addr in a CPU's own copy of a variable? Then it becomes the address in the one
 * that debug information knows.
 */
bool explore_percpu(uintptr_t *addr, int *cpu);

/* File and line of the call that allocated the object at addr, or NULL. */
const char *explore_made_at(uintptr_t addr, int *line);

/*
 * The pieces without a branch that the instrumented code at [low, high) is made of,
 * in the order of addresses: each with an address in it, and whether it has run so
 * far, in set-up or in any execution. Without those that only say that an assertion
 * fails. Of code that is not instrumented: none.
 */
void explore_pieces(uintptr_t low, uintptr_t high,
		    void (*fn)(void *arg, uintptr_t at, bool reached),
		    void *arg);

const char *explore_op_name(enum explore_op op);

#endif /* SIM_EXPLORE_EXPLORE_H */
