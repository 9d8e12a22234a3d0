/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * graph.h - execution graphs: who reads from whom, in which order each location
 * was written, and what that puts before what.
 *
 * An event keeps its slot number until it is deleted, so sets of events are bit
 * sets over slots. `porf` is what an event depends on (program order, reads-from,
 * thread creation and join); `before` is the memory model's global order, closed
 * under transitivity. The model decides only which program-order and reads-from
 * pairs enter `before` (SC: all; TSO: all but write to later read, and no
 * reads-from inside a thread). See search.c for how graphs grow.
 */
#ifndef SIM_EXPLORE_GRAPH_H
#define SIM_EXPLORE_GRAPH_H

#include "explore.h"

#include <stdio.h>
#include <string.h>

#define GRAPH_THREADS 128
#define GRAPH_MAX_EVENTS 4096

enum event_kind {
	EV_READ,
	EV_WRITE,
	EV_FENCE, /* full */
	EV_CREATE,
	EV_JOIN,
	EV_JOIN_ALL, /* after every thread that has to end */
	EV_FREE,
	EV_CHOOSE, /* among `operand` ways: val */
	EV_POINT,  /* nothing, but interrupts may come before it */
};

enum event_flag {
	EVF_RMW = 1,	/* either half of a read-modify-write */
	EVF_AWAIT = 2,	/* a read that blocks unless its condition holds */
	EVF_DAEMON = 8, /* of a thread that need not end */
	EVF_PLAIN = 16, /* not marked: neither volatile nor atomic */
	EVF_RACY = 64,	/* plain, and said to race: no report */
	EVF_RETRIED =
		128,	/* plain, and inside of a sequence counter's section */
	EVF_SPLIT = 32, /* marked, and a part only of what was accessed */
};

/* What the kernel's model knows of an access or a fence beyond its kind. */
enum event_order {
	ORDER_ACQUIRE = 1,
	ORDER_RELEASE = 2,
	ORDER_FULL = 4, /* of an RMW: if it writes */
	ORDER_MB =
		8, /* a fence; or of an access: there is one right before it */
	ORDER_RMB = 16,
	ORDER_MB_FAILED =
		16, /* not of a fence: ... of an RMW that does not write */
	ORDER_WMB = 32,
	ORDER_SPIN = 32,    /* not of a fence: of a spin lock */
	ORDER_ADDRESS = 64, /* of a read: what is reached through its value */
	ORDER_ACQUIRE_FAILED = 128, /* of an RMW that does not write */
};

/*
 * An await that waits has no source. It stays in the graph, since it has been
 * passed over: what it might have read before has been tried.
 */
#define RF_WAITING (-2)
#define MAX_PINS 4

/* ((v & mask) == want) != negate */
struct condition {
	uint64_t mask, want;
	bool negate;
};

enum rmw_kind {
	RMW_NONE,
	RMW_XCHG,
	RMW_ADD,
	RMW_AND,
	RMW_OR,
	RMW_XOR,
	RMW_NAND
};

struct event {
	uint8_t kind, op, flags, thread;
	uint8_t off, size; /* bytes within the location */
	uint8_t rmw;	   /* of a read: what its write half does */
	uint8_t negate;
	uint8_t order;	 /* enum event_order */
	int16_t through; /* 1 + index of the read that gave the address, or 0 */
	int16_t loc;	 /* dense location number, or -1 */
	int16_t index;	 /* in its thread */
	int16_t prev;	 /* program order, slot or -1 */
	int16_t rf;	 /* of a read: slot, -1 initial, RF_WAITING */
	int16_t rank;	 /* of a write: place in coherence order, from 1 */
	int16_t peer;	 /* thread created or joined; number of the choice */
	int16_t pp[4];	 /* program-order predecessors in `before` */
	int16_t last_r, last_w; /* latest read-like, write-like up to here */
	int16_t link;		/* next event of the location */
	uint32_t stamp;		/* order of addition */
	uint32_t served;	/* when an await got its source, else stamp */
	int32_t object;		/* heap object, or -1 */
	uint64_t val;		/* read: value; write: value */
	uint64_t operand, mask, want;
	uintptr_t addr;
	/* of a write: awaits that read earlier ones until it came */
	struct pin {
		int16_t thread, index;
	} pins[MAX_PINS];
	uint8_t nr_pins;
};

struct graph {
	int words; /* of a bit set */
	int cap;   /* slots */
	int hi;	   /* slots in use are below this */
	int nr_loc;
	int nr_threads; /* all that occur are below this */
	uint32_t stamp;
	int16_t last[GRAPH_THREADS];
	int16_t creator[GRAPH_THREADS];
	uint64_t *live;
	int16_t *loc_head;
	struct event *ev;
	uint64_t *porf, *before;
};

enum graph_model { GRAPH_SC, GRAPH_TSO, GRAPH_LKMM };

struct graph *graph_new(int cap, int nr_loc);
void graph_free(struct graph *g);
void graph_clear(struct graph *g);
/* Both of the same capacity and number of locations. */
void graph_copy(struct graph *to, const struct graph *from);

/* To and from a process that runs the same program. NULL: it did not all come. */
bool graph_write(FILE *to, const struct graph *g);
struct graph *graph_read(FILE *from);

/* Add *e (kind .. addr filled) at the end of e->thread; returns its slot, -1 if
 * the graph is full. A read has no source yet, a write no place. */
int graph_add(struct graph *g, enum graph_model m, const struct event *e);
/* list[0] = -1, list[k] = the write of rank k; returns the number of writes. */
int graph_co(const struct graph *g, int loc, int16_t *list);
/* Smallest rank that event a may read from / must exceed, by its own thread. */
int graph_floor(const struct graph *g, int a);
static inline int graph_rank(const struct graph *g, int w)
{
	return w < 0 ? 0 : g->ev[w].rank;
}
/* May a read the write just before next in co (next: -1 if it is the last)? */
bool graph_read_ok(const struct graph *g, enum graph_model m, int a, int next);
/* Read r goes back to waiting; nothing follows it. */
void graph_unset_rf(struct graph *g, int r);
void graph_set_rf(struct graph *g, enum graph_model m, int a, int w, int next);
/* Would placing write a right after list[k] close a cycle? */
bool graph_place_ok(const struct graph *g, enum graph_model m, int a,
		    const int16_t *list, int n, int k);
void graph_place(struct graph *g, enum graph_model m, int a,
		 const int16_t *list, int n, int k);
/* Place without updating `before`; graph_check follows. */
void graph_shift(struct graph *g, int a, const int16_t *list, int n, int k);
/* Remove the events of set `dead` (last in porf), close up the ranks. */
void graph_remove(struct graph *g, const uint64_t *dead);
/* Recompute `before` (not for LKMM); false if the model's orders have a cycle. */
bool graph_check(struct graph *g, enum graph_model m);
/* The same, with grace periods ended as grace.last says, and not as g has it. */
bool graph_recheck(struct graph *g, enum graph_model m);
/* The last event of a thread that has ended, or the event that created it, or -1. */
int graph_thread_end(const struct graph *g, int t);
/* Does a lead to itself by program order, reads-from, coherence and overwriting? */
bool graph_leads_back(const struct graph *g, int a);
/*
 * Is g consistent by linux-kernel.cat (lkmm.c)? It was before event a was added, or read
 * b (-1: none) changed to read from a: nothing follows them in their threads.
 */
bool lkmm_consistent(struct graph *g, int a, int b);
/*
 * It is. From now on, until either is called again: if x and y, on different CPUs,
 * conflict, does the model put x before y (plain.c)?
 */
void plain_order(struct graph *g);
bool plain_before(int x, int y);
/*
 * Of the ways in which g's grace periods may come to pass, is it the one that counts?
 * g is spoiled.
 */
bool witness_is_first(struct graph *g, enum graph_model m);
/*
 * Read a is to read w, not the latest: is the one that counts certainly another, if a
 * may (or not) read what w overwrote?
 */
bool witness_is_later(const struct graph *g, enum graph_model m, int a, int w,
		      bool or_earlier);
/* Value of a location of `size` bytes at write w (slot, or -1: initial). */
uint64_t graph_value(const struct graph *g, int loc, unsigned int size, int w,
		     uint64_t initial);

static inline int graph_size(const struct graph *g)
{
	int n = 0;

	for (int i = 0; i < g->words; i++)
		n += __builtin_popcountll(g->live[i]);
	return n;
}

/* ---- bit sets ---------------------------------------------------------- */

static inline bool bit_test(const uint64_t *b, int i)
{
	return b[i >> 6] >> (i & 63) & 1;
}

static inline void bit_set(uint64_t *b, int i)
{
	b[i >> 6] |= 1ull << (i & 63);
}

static inline void bit_clear(uint64_t *b, int i)
{
	b[i >> 6] &= ~(1ull << (i & 63));
}

static inline void bits_or(uint64_t *to, const uint64_t *from, int words)
{
	for (int i = 0; i < words; i++)
		to[i] |= from[i];
}

/* for each i in the set; the set may lose members meanwhile */
#define for_each_bit(i, set, words)                                       \
	for (int w__##i = 0; w__##i < (words); w__##i++)                  \
		for (uint64_t b__##i = (set)[w__##i];                     \
		     b__##i &&                                            \
		     ((i) = w__##i * 64 + __builtin_ctzll(b__##i), true); \
		     b__##i &= b__##i - 1)

static inline uint64_t *graph_porf(const struct graph *g, int a)
{
	return g->porf + (size_t)a * g->words;
}

static inline uint64_t *graph_before(const struct graph *g, int a)
{
	return g->before + (size_t)a * g->words;
}

static inline bool graph_is_before(const struct graph *g, int x, int y)
{
	return bit_test(graph_before(g, y), x);
}

/* ---- CPUs -------------------------------------------------------------- */

static inline bool graph_is_irq(const struct graph *g, int x)
{
	return x >= 0 && g->ev[x].op == OP_IRQ;
}

/* The CPU of thread t: an interrupt handler's is that of whom it interrupts. */
static inline int graph_cpu(const struct graph *g, int t)
{
	while (graph_is_irq(g, g->creator[t]))
		t = g->ev[g->creator[t]].thread;
	return t;
}

/* A CPU's program order goes through its handlers: the event before x, or -1. */
static inline int graph_cpu_prev(const struct graph *g, int x)
{
	const struct event *e = &g->ev[x];

	if (e->op == OP_IRET && g->last[e->peer] >= 0)
		return g->last[e->peer];
	if (e->prev >= 0)
		return e->prev;
	return graph_is_irq(g, g->creator[e->thread]) ? g->creator[e->thread]
						      : -1;
}

/* Are they of one CPU, and x before y? */
static inline bool graph_cpu_before(const struct graph *g, int x, int y)
{
	const struct event *e = &g->ev[x], *f = &g->ev[y];

	if (e->thread == f->thread)
		return e->index < f->index;
	return graph_cpu(g, e->thread) == graph_cpu(g, f->thread) &&
	       bit_test(graph_porf(g, y), x);
}

static inline uint64_t size_mask(unsigned int size)
{
	return size >= 8 ? ~0ull : (1ull << (size * 8)) - 1;
}

static inline bool condition_holds(const struct event *e, uint64_t v)
{
	return ((v & e->mask) == e->want) != e->negate;
}

/* What the write half of read e writes if it read v; false: it does not. */
static inline bool rmw_result(const struct event *e, uint64_t v, uint64_t *out)
{
	if (e->rmw == RMW_NONE || !condition_holds(e, v))
		return false;
	switch (e->rmw) {
	case RMW_XCHG:
		*out = e->operand;
		break;
	case RMW_ADD:
		*out = v + e->operand;
		break;
	case RMW_AND:
		*out = v & e->operand;
		break;
	case RMW_OR:
		*out = v | e->operand;
		break;
	case RMW_NAND:
		*out = ~(v & e->operand);
		break;
	default:
		*out = v ^ e->operand;
		break;
	}
	*out &= size_mask(e->size);
	return true;
}

#endif /* SIM_EXPLORE_GRAPH_H */
