/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * engine.h - the parts of the engine, for each other only.
 *
 *	tsan.c, world.c, sections.c,
 *	pthread.c, mutex.c, posix.c  what instrumented code calls
 *	access.c, sites.c            accesses that it announces and performs itself
 *	runtime.c                    threads on fibres; an operation is a point
 *	threads.c                    those that every run starts with
 *	clock.c                      a run that takes too long
 *	findings.c                   how a run ends badly
 *	memory.c, mixed.c            which addresses are shared; objects; reset
 *	spin.c                       loops that only wait
 *	depend.c                     accesses through pointers that were read
 *	cpu.c                        interrupts (cpu.h)
 *	search.c, search.h           grows graphs until all have been seen
 *	seq.c                        one operation at a time on real memory
 *	guided.c                     one run on a graph
 *	ledger.c                     what threads hold, and may not do (ledger.h)
 *
 * The engine's own memory is not part of what executions reset: that is the
 * region of arena.ld, the heaps of memory.c and nothing else.
 */
#ifndef SIM_EXPLORE_ENGINE_H
#define SIM_EXPLORE_ENGINE_H

#include "fiber.h"
#include "graph.h"

#define NR_THREADS GRAPH_THREADS
#define SHADOW_STACK 256
#define DEFERRED 128 /* timers and callbacks a thread starts */

/* What a thread is about to do. */
struct request {
	struct event ev; /* kind, op, flags, loc, off, size, rmw, ... */
	const void *pc;
	bool touch; /* private, but of an object that may be freed */
	bool idle;  /* of an RMW: writes what it has read */
};

/* Kept per operation of a thread while a run is recorded. */
struct trail {
	const void *pc;
	unsigned int depth;
	const void *stack[EXPLORE_STACK_MAX];
};

/* What grows as needed, outside of what executions reset. */
struct bytes {
	uint8_t *v;
	size_t room;
};

/* A store that the compiler's code has announced and we do not know yet. */
struct store {
	enum {
		STORE_NONE,
		STORE_READS, /* a copy: its source is being read */
		STORE_OPEN,  /* it is done when the next call comes */
	} state;
	bool copied;	    /* the source has been read */
	unsigned int marks; /* HOOK_PLAIN */
	uintptr_t addr;
	size_t size;
	const void *pc;
	struct site_code *code;
};

/* Sequential runs: memory as it was before the thread saw, or wrote, its own. */
struct undo {
	uintptr_t addr;
	size_t size; /* 0: nothing */
	struct bytes old;
};

enum thread_state {
	THREAD_UNUSED,
	THREAD_COMING,	 /* an interrupt handler that nobody ran yet */
	THREAD_RUNNABLE, /* has code to run before its next operation */
	THREAD_PENDING,	 /* waits for the search to take its operation */
	THREAD_WAITING,	 /* replay: its source has not executed yet */
	THREAD_BLOCKED,	 /* an await is not satisfied; assume(false) */
	THREAD_DONE,
};

/* A call from instrumented code, and its callers. */
struct site {
	const void *pc[4]; /* innermost first; NULL: no more */
};

/* What a thread does to the CPU that it is on: see cpu.h. */
struct cpu_state {
	int number;
	enum cpu_level { LEVEL_TASK, LEVEL_SOFTIRQ, LEVEL_HARDIRQ } level;
	int interrupted;    /* the thread below, or -1 */
	unsigned int count; /* of preempt_count: its own disabling */
	bool irqs_off;
	struct site off_at[3]; /* where it last did that */
};

enum cpu_off { OFF_IRQS, OFF_BH, OFF_PREEMPT };

struct thread {
	struct fiber fiber;
	enum thread_state state;
	const char *name;
	void (*fn)(void *);
	void *arg;
	void *result;	     /* of a pthread */
	const char *claimed; /* it was "joined" or "detached"; or NULL */
	bool daemon;
	bool alone;   /* blocked on a word that nobody else touches */
	bool assumed; /* blocked by assume(false) */
	struct cpu_state cpu;
	bool due;	    /* a handler that has to come */
	int after;	    /* that comes after this one, or -1 */
	int interrupted_by; /* a handler, that is to run first, or -1 */
	/* Waits in a loop: index of the first read of its last turn, or -1. */
	int spins_from;
	int reads_in_row;	 /* see spin_begins */
	struct spin *spin;	 /* see spin.c */
	uint64_t private_writes; /* in this run, but to its own stack */
	void *current;		 /* struct task_struct * */
	struct request pending;
	int await;	    /* slot of an unsatisfied await, or -1 */
	struct store store; /* see access.c */
	struct undo undo[2];
	struct bytes bytes, bulk;
	int idx, nr_rec; /* replay position; recorded events */
	int wait_slot;	 /* THREAD_WAITING: for this event */
	unsigned int nr_objects, nr_freed;
	/* what it started: timers, callbacks, work */
	struct deferred {
		void *object, *extra;
		void (*func)(void *object);
	} deferred[DEFERRED];
	unsigned int nr_deferred;
	unsigned int nr_created;
	unsigned int nr_choices, nr_allocs; /* that could have failed */
	unsigned int nr_waits;		    /* that could have ended early */
	unsigned int rcu_sections[8];
	/* see depend.c: what it has pointers to; what it last read; what it is told */
	struct reach *reach;
	unsigned int nr_reach, reach_room;
	int gave, through;
	/* for race reports: see sim_may_race; the depth that a reader began at */
	unsigned int may_race, seq_writes, seq_reads;
	unsigned int depth;
	const void *shadow[SHADOW_STACK];
	int16_t rec[GRAPH_MAX_EVENTS];
	const void *pc[GRAPH_MAX_EVENTS]; /* call sites, by index */
	struct trail *trails;		  /* by index, while recording */
};

/* A heap object of the running execution. */
struct object {
	uintptr_t base;
	uint32_t size;
	bool freed;	    /* by its only user, or in a sequential run */
	int16_t free_event; /* slot, or -1 */
	const char *type;
	struct site site; /* where it was allocated */
	uint32_t reached; /* see leak.c */
	/*
	 * Accesses that cost no event: index of the operation that followed
	 * the last one, per thread; -1 none. It must be before the free.
	 */
	int16_t touch[NR_THREADS];
};

#define HEAP_OBJECTS 4096     /* per thread */
#define SETUP_HEAP NR_THREADS /* index of the set-up's heap */

struct location {
	uintptr_t addr;
	uint32_t size;
	bool awaited;
	bool unchained; /* a write may come before the latest */
};

enum run_mode { RUN_OFF, RUN_SETUP, RUN_SEARCH, RUN_SEQUENTIAL };

enum stop_reason {
	STOP_NONE,
	STOP_VIOLATION,
	STOP_RESTART, /* more shared memory found, or graph too small */
	STOP_DEAD,    /* no consistent continuation */
	STOP_CHOICE,  /* the chooser ended a sequential run */
	STOP_TIME,    /* the budget was spent within the run */
};

struct engine {
	enum run_mode mode;
	enum graph_model model;
	enum explore_deps deps;
	enum stop_reason stop;
	bool recording;
	int cur;      /* thread that runs, or -1 */
	uint64_t ret; /* answer to the operation just taken */
	struct fiber sched;
	struct graph *g; /* of the running execution */
	uint64_t executed[GRAPH_MAX_EVENTS / 64];
	int cap;	    /* of graphs, events */
	uint64_t points;    /* callbacks in this run, against endless loops */
	volatile bool late; /* see clock.c */
	size_t nr_steps;    /* sequential: performed and recorded in this run */
	struct explore_result res;
	/*
	 * Called for every execution and every deadlock instead of stopping at
	 * the latter: for tests, and for those who collect final states.
	 */
	void (*on_complete)(bool deadlock);
	bool calls; /* sequential: function entries are operations */
	unsigned int alloc_failures,
		early_wakeups; /* of an execution, at most */
	bool leaks;	       /* to be looked for in plain programs, too */
	bool mixed;	       /* accesses of different sizes: see mixed.c */
	void (*program)(
		void *); /* thread 0, if there are no scenario threads */
	void *program_arg;
	int nr_static; /* threads of the scenario, its handlers, the check */
	int nr_coming; /* handlers that have not come */
	int top[NR_THREADS]; /* who runs on each CPU; interrupts nest */
	/*
	 * Numbers of created threads, by creator and count, given once and for
	 * all: a thread has the same in every execution. 0: none yet.
	 */
	uint8_t number[NR_THREADS][DEFERRED];
	int nr_numbers;
	struct thread t[NR_THREADS];
	struct object *objects[NR_THREADS + 1]; /* per heap */
	unsigned int nr_setup_objects;
	uintptr_t heap_top[NR_THREADS + 1];
	struct location *loc;
	size_t nr_heads; /* of loops that wait: see spin.c */
	int nr_loc;
	char *data_snapshot, *setup_snapshot;
	struct memory *memory;
	uintptr_t rcu_domains[8];
	void *setup_current;
	/*
	 * Of a use after free: slot of the free, or -1; and the use is event bad_index
	 * of bad_thread, or, if it is private, comes right before that.
	 */
	int bad_free, bad_thread, bad_index;
};

extern struct engine *engine;

/* Numbers of threads are below this; it grows when one is given to a new thread. */
static inline int engine_threads(void)
{
	return engine->nr_static + engine->nr_numbers;
}

/* ---- memory.c ------------------------------------------------------------------ */

int memory_init(void);
void memory_snapshot(void);
void memory_reset(void);
/* Forget what is shared: for tests that run several programs. */
void memory_forget(void);
/*
 * Classify an access of the running thread within eight aligned bytes; *size
 * becomes the part of it that lies in the first piece. Returns the location number
 * if it is shared (then *off is the offset in it); otherwise it costs no event, and
 * LOCATE_TOUCH asks for memory_touch when it is performed, since the object may
 * be freed by somebody. May set engine->stop to STOP_RESTART.
 */
#define LOCATE_PRIVATE (-1)
#define LOCATE_TOUCH (-2)
enum locate_how {
	LOCATE_READ = 0,
	LOCATE_WRITE = 1,
	LOCATE_WHOLE = 2, /* cannot be done in pieces: *size stays */
	/*
	 * Acquires or releases, which under LKMM orders other accesses whoever
	 * else uses the word: it is shared.
	 */
	LOCATE_ORDERED = 4,
};
int memory_locate(uintptr_t addr, unsigned int *size, enum locate_how how,
		  unsigned int *off);
/* From the next search on the bytes, within eight aligned ones, are one piece. */
void memory_merge(uintptr_t addr, unsigned int size);
/* The running thread uses the object at addr; a finding if it is freed. */
void memory_touch(uintptr_t addr);
uint64_t memory_initial(int loc);
uint64_t memory_read(uintptr_t addr, unsigned int size);
void memory_write(uintptr_t addr, unsigned int size, uint64_t v);
bool memory_on_stack(uintptr_t addr, int thread);
void *memory_stack(int thread, size_t *size);
void *memory_alloc(size_t size, const char *type);
/* To a power of two. */
void *memory_alloc_aligned(size_t align, size_t size);
/* Object at addr: index (heap * HEAP_OBJECTS + k), or -1. */
int memory_object(uintptr_t addr);
struct object *memory_get(int object);
int memory_nr_objects(int heap);
bool memory_is_global(uintptr_t addr);
/* All that memory_is_global says yes to: [*low, *high). */
void memory_globals(uintptr_t *low, uintptr_t *high);
/*
 * The running thread frees the object. Returns true if nobody else ever touches
 * it (no event needed); else its accesses are tracked from the next search on.
 */
bool memory_free_is_local(int object);
/* A sum of what is tracked for that reason. */
uint64_t memory_knowledge(void);

/* ---- access.c ------------------------------------------------------------------- */

/* The store announced last has been performed: make it an operation. */
void access_settle_store(void);
static inline void access_settle(void)
{
	if (engine->t[engine->cur].store.state != STORE_NONE ||
	    engine->mode == RUN_SEQUENTIAL)
		access_settle_store();
}

/* It has not been and never will be: the thread ends in the middle. */
void access_forget(void);

/* ---- mixed.c --------------------------------------------------------------------- */

/*
 * Do accesses of different sizes meet in a way that this run does not say right?
 * If so, the search begins again, knowing it, or ends; engine->stop says which.
 */
bool mixed_look(void);

/* ---- threads.c ------------------------------------------------------------------ */

struct trapline_thread;
/* Number of a thread of the scenario. */
int runtime_static_number(const struct trapline_thread *t);
/* Of those that every run starts with. False: they are too many. */
bool runtime_number_static_threads(void);
void runtime_start_static_threads(void);
/* A plain program's main, as a thread; NULL: none is linked. */
void (*runtime_plain_main(void))(void *);

/*
 * The scenario's constructors, in set-up; those of a plain program's main belong to its
 * thread, as its destructors do.
 */
void runtime_construct(void);

/* ---- runtime.c ------------------------------------------------------------------ */

/* Start thread number n (function of the graph) at fn(arg). */
void runtime_start(int n, const char *name, void (*fn)(void *), void *arg,
		   bool daemon);
void runtime_begin_run(void);
/* Switch to thread n until it parks. */
void runtime_resume(int n);
/* Run every fibre up to its next new operation. */
void runtime_settle(void);
/* Thread n's pending operation is the newest event of the graph. */
void runtime_taken(int n);
/* The operation that thread n is parked in returns value; run on. */
void runtime_answer(int n, uint64_t value);
/* Perform one operation of the running thread; the value read. */
uint64_t runtime_point(struct request *q);
/*
 * Thread n, which is about to do something, is interrupted by handler h, as event
 * `slot` of the graph says (on memory: -1).
 */
void runtime_interrupt(int n, int h, int slot);
/* One more access of this run: a run that has too many is refused. */
void runtime_count(void);
uint64_t runtime_rmw(struct request *q);
/* Create a thread from the running one; returns its number. */
int runtime_spawn(const char *name, void (*fn)(void *), void *arg, bool daemon,
		  const void *pc);
void runtime_free(const void *p, const void *pc);
/* A finding in the running thread: ends the run, does not return. */
__attribute__((noreturn, format(printf, 4, 5))) void runtime_fail(
	enum explore_finding f, const char *file, int line, const char *fmt,
	...);
/* Set-up cannot go on: one sentence, and the program exits with 2. */
__attribute__((noreturn, format(printf, 1, 2))) void runtime_refuse(
	const char *fmt, ...);
/* Leave the running fibre for ever (run is over, or assume(false)). */
__attribute__((noreturn)) void runtime_park_forever(void);
/* The running thread has ended. */
__attribute__((noreturn)) void runtime_end_thread(void);
/* Nobody can move and somebody should: names who waits. */
void runtime_deadlock(void);
/* In the graph; within a thread it is the program's order, in any model. */
bool runtime_is_before(int x, int y);
/* Check the newest event against frees; sets a violation. */
void runtime_check_free(int slot);
bool runtime_thread_over(int n);
/*
 * If e, of thread n, waits for others to end, have they? For all of them: every other
 * one that has to end. True of what is no join.
 */
bool runtime_joined(int n, const struct event *e);
/* Number of the thread that `creator` creates next, or -1. */
int runtime_new_thread(int creator);

/* ---- seq.c, guided.c ------------------------------------------------------------------------ */

/* A few runs that find out most of what is shared. False: one was refused. */
bool seq_discover(void);
/* And then: was it the time that is over, or what was refused? */
enum explore_verdict seq_not_discovered(void);
/*
 * Runs one after another, in between seq_begin and seq_end, which share what is
 * learned. seq_one uses the steps of *out again, if there are any.
 */
bool seq_begin(const struct explore_chooser *c);
void seq_one(const struct explore_chooser *c, struct explore_result *out);
void seq_end(void);
/*
 * Can thread n, which is about to do something, do it, as far as others than its
 * await are concerned? Interrupts that are due come first, and who has no more to do
 * waits for them.
 */
bool seq_may_move(int n);
/* What thread n is about to do; `blocked` unless it is ready. */
void seq_describe(int n, bool ready, struct explore_step *s);
/* Those that have not ended, as blocked steps. */
void seq_describe_stuck(struct explore_result *out);
struct explore_step *seq_new_step(struct explore_result *out);
/* What ended the run, from the engine's result. */
void seq_take_finding(struct explore_result *out);

/* ---- clock.c ------------------------------------------------------------------------- */

/* See that no thread computes for ever; once more in a child process. */
void clock_watch(void);
/* From now on for so many seconds runs may go on; 0: for ever. */
void clock_budget(double seconds);

/* ---- spin.c -------------------------------------------------------------------------- */

/*
 * The running thread is about to read, has read, and does something else: the first
 * may not return, if it only waits. Not asked before it has read a few times, unless
 * loops that wait are known.
 */
void spin_arrive(struct request *q);
void spin_saw(const struct request *q, uint64_t value);
void spin_break(struct thread *t);
static inline bool spin_begins(struct thread *t)
{
	return ++t->reads_in_row > 4 || engine->nr_heads;
}
/*
 * It reads what nobody else touches: does not return if it does so for ever. To be
 * asked now and then, in a run that has gone on for long.
 */
void spin_alone(uintptr_t addr, unsigned int size, const void *pc);
static inline bool spin_may_be_alone(void)
{
	return engine->points > 20000 && !(engine->points >> 6 & 63);
}
/* Thread n waits in a loop: has a word changed since? In a search; on memory. */
bool spin_is_stale(int n);
bool spin_turns_in_vain(int n);
/* A sum of the loops that are known. */
uint64_t spin_knowledge(void);

/* ---- depend.c ------------------------------------------------------------------------ */

/* The running thread's read, just performed, has given this. */
void depend_read(const struct request *q, uint64_t value);
/* For event.through of an access of the running thread. */
int depend_address(uintptr_t addr);
/*
 * For who knows where addresses come from: what `through` is for an access through a
 * value that the latest read has given; and what it is for those to come.
 */
int depend_last(void);
void depend_tell(int through);

/* ---- some.c ---------------------------------------------------------------------- */

/* Some executions only, as opt->some says; fills engine->res. */
void some_search(const struct explore_options *opt);

/* ---- frontier.c, await.c: see search.h ---------------------------------------------- */

int frontier_init(void);
/* Await `slot` reads what does not satisfy it: may it wait instead? */
bool await_passed_over(int slot);
/* Somebody waits for this word: the search may have to begin again. */
void await_note_wait(int loc);

/* ---- cover.c ------------------------------------------------------------------------- */

void cover_forget(void);
/* What is known to have run, 64 pieces of code or fewer at a time; to add to it. */
bool cover_next(size_t *at, uint64_t *bits);
void cover_add(size_t at, uint64_t bits);

/* ---- sync.c -------------------------------------------------------------------------- */

/* Find out what the graph's synchronisation orders; false: it has a cycle. */
bool sync_order(void);
/* Since then: is one of the two events, which conflict, before the other? */
bool sync_ordered(int x, int y);

/* ---- races.c ------------------------------------------------------------------------- */

void races_begin(const struct explore_options *opt);
/* Look for data races in the execution that has just been completed. */
void races_look(void);
/* Note a race, unless one between the same places is known. True: it is new. */
bool races_add(const struct explore_race *race);

/* ---- leak.c --------------------------------------------------------------------------- */

/* All threads have ended: a violation if an object is lost. */
bool leak_look(void);

/* ---- linear.c ------------------------------------------------------------------------ */

/* Order the events of the graph as one run with few switches. */
void linearise(const struct graph *g, struct explore_result *out);

#endif /* SIM_EXPLORE_ENGINE_H */
