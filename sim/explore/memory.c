// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - what executions share, what they allocate, and how all is reset.
 *
 * Memory is cut into pieces of at most eight bytes, at every place where an access
 * begins or ends; a larger access is one to each piece. A piece costs events only
 * once two threads touch it and one of them writes; this is learned as executions
 * go, and every new shared piece starts the search again. What cannot be cut (a
 * read-modify-write, see mixed.c for the rest) makes one piece of those it covers,
 * and a smaller access is a part of that. What is known never shrinks, so a search
 * is begun again a bounded number of times.
 *
 * Each thread has a heap and a stack of its own at fixed addresses: an address is
 * a function of (thread, k-th allocation), never of the order of replay.
 */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define ARENA 0x500000000000ull /* not where sanitizers put theirs */
#define HEAP_SIZE (16ull << 20)
#define STACK_SIZE (8ull << 20) /* as a thread has it by default */
#define STACK_STRIDE (2 * STACK_SIZE)
#define HEAPS_END (ARENA + (NR_THREADS + 1) * HEAP_SIZE)
#define STACKS HEAPS_END
#define STACKS_END (STACKS + NR_THREADS * STACK_STRIDE)
#define ALIGN_OBJECT 16
#define NO_PIECE 0xff
#define NOBODY 0xff
#define SEVERAL 0xfe

/* Eight aligned bytes; piece s is [s, s + len[s]). */
struct granule {
	uintptr_t key;	  /* address / 8, 0: unused entry */
	uint8_t start[8]; /* of the piece at each byte, or NO_PIECE */
	uint8_t len[8];
	uint8_t whole;	 /* set of pieces that are not cut */
	bool tracked;	 /* in an object that another thread frees */
	int16_t loc[8];	 /* of a shared piece, else -1 */
	uint8_t user[8]; /* who touches a piece: a thread, NOBODY or SEVERAL */
	bool written[8];
};

struct memory {
	struct granule *table;
	size_t size, used; /* power of two; entries */
	int loc_cap;
	size_t data_len;
	size_t setup_len;
};

/* arena.ld: .data and .bss of instrumented files */
extern char trapline_arena_start[] __attribute__((weak));
extern char trapline_arena_stop[] __attribute__((weak));
extern char __data_start[];

/* ---- the table ----------------------------------------------------------------- */

static struct granule *slot_of(struct granule *table, size_t size,
			       uintptr_t key)
{
	size_t i = (key * 0x9e3779b97f4a7c15ull) >> 20;

	for (;; i++) {
		struct granule *g = &table[i & (size - 1)];

		if (g->key == key || !g->key)
			return g;
	}
}

static struct granule *find(uintptr_t addr)
{
	struct memory *m = engine->memory;
	struct granule *g = slot_of(m->table, m->size, addr >> 3);

	return g->key ? g : NULL;
}

static struct granule *find_or_add(uintptr_t addr)
{
	struct memory *m = engine->memory;
	struct granule *g = slot_of(m->table, m->size, addr >> 3);

	if (g->key)
		return g;
	if (m->used * 2 > m->size) {
		struct granule *bigger = calloc(m->size * 2, sizeof(*bigger));

		if (!bigger)
			abort();
		for (size_t i = 0; i < m->size; i++)
			if (m->table[i].key)
				*slot_of(bigger, m->size * 2,
					 m->table[i].key) = m->table[i];
		free(m->table);
		m->table = bigger;
		m->size *= 2;
		g = slot_of(m->table, m->size, addr >> 3);
	}
	m->used++;
	g->key = addr >> 3;
	memset(g->start, NO_PIECE, sizeof(g->start));
	memset(g->loc, -1, sizeof(g->loc));
	return g;
}

static void want_restart(void)
{
	if (engine->mode == RUN_SEARCH && !engine->stop)
		engine->stop = STOP_RESTART;
}

static int new_location(uintptr_t addr, unsigned int size)
{
	struct memory *m = engine->memory;

	if (engine->nr_loc == m->loc_cap) {
		m->loc_cap *= 2;
		engine->loc = realloc(engine->loc,
				      m->loc_cap * sizeof(*engine->loc));
		if (!engine->loc)
			abort();
	}
	engine->loc[engine->nr_loc] = (struct location){ .addr = addr,
							 .size = size };
	want_restart();
	return engine->nr_loc++;
}

/* Thread whose own stack or heap holds addr, or -1. */
static int home_of(uintptr_t addr)
{
	if (addr >= STACKS && addr < STACKS_END)
		return (addr - STACKS) / STACK_STRIDE;
	if (addr >= ARENA && addr < HEAPS_END) {
		unsigned int heap = (addr - ARENA) / HEAP_SIZE;

		return heap == SETUP_HEAP ? -1 : (int)heap;
	}
	return -1;
}

/* ---- pieces -------------------------------------------------------------------- */

/* The bytes [lo, hi) become one piece. */
static void make_piece(struct granule *g, unsigned int lo, unsigned int hi,
		       uint8_t user, bool written, bool shared)
{
	for (unsigned int i = lo; i < hi; i++)
		g->start[i] = lo;
	g->len[lo] = hi - lo;
	g->user[lo] = user;
	g->written[lo] = written;
	g->loc[lo] = shared ? new_location(g->key * 8 + lo, hi - lo) : -1;
}

/* Cut piece s in two before byte `at`. */
static void cut_piece(struct granule *g, unsigned int s, unsigned int at)
{
	unsigned int end = s + g->len[s];
	uint8_t user = g->user[s];
	bool written = g->written[s];
	bool shared = g->loc[s] >= 0;

	make_piece(g, s, at, user, written, shared);
	make_piece(g, at, end, user, written, shared);
}

/* Who has touched what is not in the table: its own thread, maybe. */
static uint8_t user_of_new(int home)
{
	return home >= 0 ? home : NOBODY;
}

static uint8_t both_users(uint8_t a, uint8_t b)
{
	if (a == NOBODY || a == b)
		return b;
	return b == NOBODY ? a : SEVERAL;
}

/* The piece at byte lo, which ends at hi or before, unless it cannot be cut. */
static unsigned int piece_at(struct granule *g, unsigned int lo,
			     unsigned int hi, int home)
{
	unsigned int s = g->start[lo], end = lo;

	if (s == NO_PIECE) {
		while (end < hi && g->start[end] == NO_PIECE)
			end++;
		make_piece(g, lo, end, user_of_new(home), home >= 0, false);
		return lo;
	}
	if (g->whole >> s & 1)
		return s;
	if (s < lo) {
		cut_piece(g, s, lo);
		s = lo;
	}
	if (s + g->len[s] > hi)
		cut_piece(g, s, hi);
	return s;
}

/* Let no piece that can be cut reach across byte `at`. */
static void cut_at(struct granule *g, unsigned int at)
{
	unsigned int s = at < 8 ? g->start[at] : NO_PIECE;

	if (s != NO_PIECE && s < at && !(g->whole >> s & 1))
		cut_piece(g, s, at);
}

/* One piece that holds [lo, hi) and will not be cut. */
static unsigned int whole_piece(struct granule *g, unsigned int lo,
				unsigned int hi, int home)
{
	uint8_t user = user_of_new(home);
	bool written = home >= 0;
	unsigned int s;
	bool shared = false;

	cut_at(g, lo);
	cut_at(g, hi);
	s = g->start[lo];
	if (s != NO_PIECE && s + g->len[s] >= hi) {
		g->whole |= 1u << s;
		return s;
	}
	for (unsigned int i = 0; i < 8; i++) {
		s = g->start[i];
		if (s == NO_PIECE || s >= hi || s + g->len[s] <= lo)
			continue;
		user = both_users(user, g->user[s]);
		written |= g->written[s];
		shared |= g->loc[s] >= 0;
		lo = s < lo ? s : lo;
		hi = s + g->len[s] > hi ? s + g->len[s] : hi;
		g->loc[s] = -1;
		g->whole &= ~(1u << s);
	}
	make_piece(g, lo, hi, user, written, shared);
	g->whole |= 1u << lo;
	return lo;
}

void memory_merge(uintptr_t addr, unsigned int size)
{
	struct granule *g = find_or_add(addr);

	whole_piece(g, addr & 7, (addr & 7) + size, home_of(addr));
	want_restart();
}

void memory_touch(uintptr_t addr)
{
	struct thread *t = &engine->t[engine->cur];
	int o = memory_object(addr);
	struct object *obj;

	if (o < 0)
		return;
	obj = memory_get(o);
	obj->touch[engine->cur] = t->idx;
	if (obj->free_event >= 0 && engine->model == GRAPH_LKMM)
		plain_order(engine->g);
	if (!obj->freed &&
	    (obj->free_event < 0 ||
	     (t->idx < t->nr_rec &&
	      runtime_is_before(t->rec[t->idx], obj->free_event))))
		return;
	engine->res.bad_addr = addr;
	if (!engine->recording && !engine->stop) {
		engine->bad_free = obj->free_event;
		engine->bad_thread = engine->cur;
		engine->bad_index = t->idx;
	}
	runtime_fail(FIND_USE_AFTER_FREE, NULL, 0,
		     "an object is used after it was freed");
}

/*
 * A private access is before what the operation after it is before. Under LKMM
 * program order is not enough for that: there every access to an object that may
 * be freed is an event, and so is all that is done to a word with an order.
 */
static bool counts_anyway(const struct granule *g, enum locate_how how)
{
	return engine->model == GRAPH_LKMM &&
	       (g->tracked || (how & LOCATE_ORDERED));
}

/*
 * What is written must be what executions reset. What is not there, or may not be
 * written, crashes, which says more.
 */
static void check_reset(uintptr_t addr)
{
	unsigned char in_core;

	if ((addr >= ARENA && addr < STACKS_END) || memory_is_global(addr) ||
	    addr < (uintptr_t)__data_start ||
	    mincore((void *)(addr & -4096ul), 1, &in_core))
		return;
	runtime_fail(FIND_UNSUPPORTED, NULL, 0,
		     "memory is written that executions do not reset: a "
		     "variable of a file that is not called *.scenario.c, or "
		     "what was not allocated by the scenario");
}

/* How many bytes from lo on are in no piece. */
static unsigned int unknown_bytes(const struct granule *g, unsigned int lo,
				  unsigned int hi)
{
	unsigned int i = lo;

	while (i < hi && g->start[i] == NO_PIECE)
		i++;
	return i - lo;
}

int memory_locate(uintptr_t addr, unsigned int *size, enum locate_how how,
		  unsigned int *off)
{
	int home = home_of(addr);
	unsigned int lo = addr & 7, hi = lo + *size, s, n;
	struct granule *g;

	if (home == engine->cur) {
		/* nobody else has touched what is not in the table */
		g = how & LOCATE_ORDERED ? find_or_add(addr) : find(addr);
		if (!g)
			return engine->t[home].nr_freed ? LOCATE_TOUCH
							: LOCATE_PRIVATE;
		n = unknown_bytes(g, lo, hi);
		if (n && !(n < *size && (how & LOCATE_WHOLE)) &&
		    !counts_anyway(g, how)) {
			*size = n;
			return g->tracked ? LOCATE_TOUCH : LOCATE_PRIVATE;
		}
	} else {
		g = find_or_add(addr);
	}
	s = how & LOCATE_WHOLE ? whole_piece(g, lo, hi, home)
			       : piece_at(g, lo, hi, home);
	if (s + g->len[s] < hi)
		*size = s + g->len[s] - lo;
	g->user[s] = both_users(g->user[s], engine->cur);
	if ((how & LOCATE_WRITE) && !g->written[s]) {
		g->written[s] = true;
		check_reset(addr);
	}
	if (g->loc[s] < 0) {
		if ((!g->written[s] || g->user[s] != SEVERAL) &&
		    !counts_anyway(g, how))
			return g->tracked ? LOCATE_TOUCH : LOCATE_PRIVATE;
		g->loc[s] = new_location(g->key * 8 + s, g->len[s]);
	}
	*off = lo - s;
	return g->loc[s];
}

/* ---- values ------------------------------------------------------------------------ */

uint64_t memory_read(uintptr_t addr, unsigned int size)
{
	uint64_t v = 0;

	memcpy(&v, (void *)addr, size);
	return v;
}

void memory_write(uintptr_t addr, unsigned int size, uint64_t v)
{
	memcpy((void *)addr, &v, size);
}

uint64_t memory_initial(int loc)
{
	struct location *l = &engine->loc[loc];
	uintptr_t setup = ARENA + SETUP_HEAP * HEAP_SIZE;
	uint64_t v = 0;

	if (l->addr >= (uintptr_t)trapline_arena_start &&
	    l->addr < (uintptr_t)trapline_arena_stop)
		memcpy(&v,
		       engine->data_snapshot + l->addr -
			       (uintptr_t)trapline_arena_start,
		       l->size);
	else if (l->addr >= setup &&
		 l->addr < setup + engine->memory->setup_len)
		memcpy(&v, engine->setup_snapshot + l->addr - setup, l->size);
	return v;
}

/* ---- objects ------------------------------------------------------------------------- */

bool memory_is_global(uintptr_t addr)
{
	return addr >= (uintptr_t)trapline_arena_start &&
	       addr < (uintptr_t)trapline_arena_stop;
}

void memory_globals(uintptr_t *low, uintptr_t *high)
{
	*low = (uintptr_t)trapline_arena_start;
	*high = (uintptr_t)trapline_arena_stop;
}

int memory_nr_objects(int heap)
{
	return heap == SETUP_HEAP ? engine->nr_setup_objects
				  : engine->t[heap].nr_objects;
}

void *memory_alloc(size_t size, const char *type)
{
	void *p = memory_alloc_aligned(ALIGN_OBJECT, size);

	if (p)
		memory_get(memory_object((uintptr_t)p))->type = type;
	return p;
}

/* Its own limits are no failure of an allocation: a program could be blamed for it. */
__attribute__((noreturn)) static void no_room(size_t size)
{
#define TEXT                                                                \
	"%zu bytes are allocated: a thread has %llu at once at most, %llu " \
	"and "                                                              \
	"%d objects in all",                                                \
		size, HEAP_SIZE / 4, HEAP_SIZE, HEAP_OBJECTS
	if (engine->cur < 0)
		runtime_refuse(TEXT);
	runtime_fail(FIND_UNSUPPORTED, NULL, 0, TEXT);
#undef TEXT
}

void *memory_alloc_aligned(size_t align, size_t size)
{
	int heap = engine->mode == RUN_SETUP ? SETUP_HEAP : engine->cur;
	unsigned int k = memory_nr_objects(heap);
	uintptr_t top = engine->heap_top[heap], p = (top + align - 1) & -align;
	struct object *o = &engine->objects[heap][k];

	if (k == HEAP_OBJECTS || size > HEAP_SIZE / 4 || p < top ||
	    p + size + 2 * ALIGN_OBJECT > ARENA + (heap + 1) * HEAP_SIZE)
		no_room(size);
	*o = (struct object){ .base = p, .size = size, .free_event = -1 };
	memset(o->touch, -1, sizeof(o->touch));
	/* one unit of slack, so that the next object is not the end of this */
	engine->heap_top[heap] = p + (size / ALIGN_OBJECT + 2) * ALIGN_OBJECT;
	if (heap == SETUP_HEAP)
		engine->nr_setup_objects++;
	else
		engine->t[heap].nr_objects++;
	return (void *)p;
}

int memory_object(uintptr_t addr)
{
	unsigned int heap = (addr - ARENA) / HEAP_SIZE, lo = 0, hi;
	struct object *o;

	if (addr < ARENA || addr >= HEAPS_END)
		return -1;
	o = engine->objects[heap];
	hi = memory_nr_objects(heap);
	while (hi - lo > 1) {
		unsigned int mid = (lo + hi) / 2;

		if (o[mid].base <= addr)
			lo = mid;
		else
			hi = mid;
	}
	if (hi == 0 || addr < o[lo].base ||
	    addr >= o[lo].base + (o[lo].size ? o[lo].size : 1))
		return -1;
	return heap * HEAP_OBJECTS + lo;
}

struct object *memory_get(int object)
{
	return &engine->objects[object / HEAP_OBJECTS][object % HEAP_OBJECTS];
}

bool memory_free_is_local(int object)
{
	struct object *o = memory_get(object);
	int heap = object / HEAP_OBJECTS;
	bool alone = heap == engine->cur;

	for (uintptr_t a = o->base & ~7ull; a < o->base + o->size; a += 8) {
		struct granule *g = alone ? find(a) : find_or_add(a);

		if (!g)
			continue;
		alone = false;
		break;
	}
	if (alone)
		return true;
	for (uintptr_t a = o->base & ~7ull; a < o->base + o->size; a += 8) {
		struct granule *g = find_or_add(a);

		if (!g->tracked) {
			g->tracked = true;
			want_restart();
		}
	}
	return false;
}

uint64_t memory_knowledge(void)
{
	const struct memory *m = engine->memory;
	uint64_t sum = 0;

	/* in any order: the table's is that of its history */
	for (size_t i = 0; i < m->size; i++)
		if (m->table[i].tracked)
			sum += m->table[i].key * 0x9e3779b97f4a7c15ull;
	return sum;
}

/* ---- stacks ----------------------------------------------------------------------------- */

void *memory_stack(int thread, size_t *size)
{
	*size = STACK_SIZE;
	return (void *)(STACKS + thread * STACK_STRIDE + STACK_STRIDE -
			STACK_SIZE);
}

bool memory_on_stack(uintptr_t addr, int thread)
{
	uintptr_t top = STACKS + (thread + 1ull) * STACK_STRIDE;

	return addr < top && addr >= top - STACK_STRIDE;
}

/* ---- reset -------------------------------------------------------------------------------- */

int memory_init(void)
{
	size_t total = STACKS_END - ARENA;
	struct memory *m = calloc(1, sizeof(*m));
	void *p = mmap((void *)ARENA, total, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			       MAP_FIXED_NOREPLACE,
		       -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	if (!m)
		return -ENOMEM;
	for (int t = 0; t < NR_THREADS; t++)
		if (mprotect((void *)(STACKS + t * STACK_STRIDE),
			     STACK_STRIDE - STACK_SIZE, PROT_NONE))
			return -errno;
	m->size = 1 << 12;
	m->table = calloc(m->size, sizeof(*m->table));
	m->loc_cap = 64;
	engine->loc = malloc(m->loc_cap * sizeof(*engine->loc));
	m->data_len = trapline_arena_stop - trapline_arena_start;
	engine->data_snapshot = malloc(m->data_len);
	engine->memory = m;
	if (!m->table || !engine->loc || !engine->data_snapshot)
		return -ENOMEM;
	for (int h = 0; h <= NR_THREADS; h++) {
		engine->heap_top[h] = ARENA + h * HEAP_SIZE;
		engine->objects[h] = mmap(
			NULL, HEAP_OBJECTS * sizeof(struct object),
			PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (engine->objects[h] == MAP_FAILED)
			return -errno;
	}
	return 0;
}

void memory_snapshot(void)
{
	uintptr_t setup = ARENA + SETUP_HEAP * HEAP_SIZE;
	struct memory *m = engine->memory;

	m->setup_len = engine->heap_top[SETUP_HEAP] - setup;
	engine->setup_snapshot = malloc(m->setup_len + 1);
	if (!engine->setup_snapshot)
		abort();
	memcpy(engine->setup_snapshot, (void *)setup, m->setup_len);
	memcpy(engine->data_snapshot, trapline_arena_start, m->data_len);
}

void memory_forget(void)
{
	struct memory *m = engine->memory;

	memset(m->table, 0, m->size * sizeof(*m->table));
	m->used = 0;
	engine->nr_loc = 0;
}

void memory_reset(void)
{
	struct memory *m = engine->memory;

	memcpy(trapline_arena_start, engine->data_snapshot, m->data_len);
	memcpy((void *)(ARENA + SETUP_HEAP * HEAP_SIZE), engine->setup_snapshot,
	       m->setup_len);
	for (int h = 0; h < engine_threads(); h++) {
		uintptr_t base = ARENA + h * HEAP_SIZE;

		if (engine->heap_top[h] == base)
			continue;
		memset((void *)base, 0, engine->heap_top[h] - base);
		engine->heap_top[h] = base;
	}
	for (unsigned int k = 0; k < engine->nr_setup_objects; k++) {
		struct object *o = &engine->objects[SETUP_HEAP][k];

		o->freed = false;
		o->free_event = -1;
		memset(o->touch, -1, sizeof(o->touch));
	}
}
