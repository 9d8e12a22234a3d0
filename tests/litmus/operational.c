// SPDX-License-Identifier: GPL-2.0-only
/*
 * operational.c - all runs of a litmus test, one step at a time.
 *
 * What a thread does next is found by interpreting it from its beginning with the
 * results that it got so far; the first operation without a result is the next.
 *
 * Under TSO a section begins without a barrier and ends when what was stored before
 * its end has left the store buffer.
 */
#include "operational.h"

#include "engine.h"
#include "interpret.h"
#include "world.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPS 40	  /* of one thread */
#define BUFFER 16 /* stores */
#define SECTIONS 8
#define WORDS (LITMUS_LOCATIONS + 1)
#define DOMAIN_RCU LITMUS_LOCATIONS

struct op {
	enum {
		O_END,
		O_LOAD,
		O_STORE,
		O_RMW,
		O_FENCE,
		O_LOCK,
		O_TRYLOCK,
		O_UNLOCK,
		O_ENTER,
		O_LEAVE,
		O_SYNC_BEGIN,
		O_SYNC_END,
	} kind;
	int word;
	enum sim_rmw rmw;
	uint32_t value, expected;
};

struct state {
	uint32_t word[WORDS];
	struct {
		int nr;
		uint32_t result[OPS];
		struct {
			int word;
			bool section; /* not a store: section `value` ends */
			uint32_t value;
		} buffer[BUFFER];
		int buffered;
		int domain[SECTIONS]; /* of its sections, by token */
		int begun;	      /* sections so far */
		uint32_t open;	      /* bit k: section k has not ended */
		/* bits that its grace period waits for, by thread */
		uint32_t waits[OPERATIONAL_THREADS];
	} t[OPERATIONAL_THREADS];
};

static struct {
	struct interpreter in;
	bool tso;
	/* looking for the next operation of thread cur */
	const struct state *s;
	int cur, at;
	struct op next;
	jmp_buf found;
	uint64_t *seen;
	size_t nr_seen, room;
	char **line;
	size_t nr_lines;
	struct sim_rcu cell[WORDS]; /* only their addresses matter */
} m;

/* ---- the hooks that the interpreter calls ------------------------------------- */

static int word_of(const volatile void *p)
{
	return (const volatile struct sim_rcu *)p - m.cell;
}

static uint32_t perform(struct op o)
{
	if (m.at < m.s->t[m.cur].nr)
		return m.s->t[m.cur].result[m.at++];
	m.next = o;
	longjmp(m.found, 1);
}

unsigned long sim_load(const volatile void *p, int size, enum sim_order order)
{
	return perform((struct op){ .kind = O_LOAD, .word = word_of(p) });
}

void sim_store(volatile void *p, int size, unsigned long v,
	       enum sim_order order)
{
	perform((struct op){ .kind = O_STORE, .word = word_of(p), .value = v });
}

unsigned long sim_rmw(volatile void *p, int size, enum sim_rmw op,
		      unsigned long operand, unsigned long expected,
		      enum sim_order order)
{
	return perform((struct op){ .kind = O_RMW,
				    .word = word_of(p),
				    .rmw = op,
				    .value = operand,
				    .expected = expected });
}

void sim_fence(enum sim_fence kind)
{
	if (kind == SIM_MB)
		perform((struct op){ .kind = O_FENCE });
}

void sim_lock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	perform((struct op){ .kind = O_LOCK, .word = word_of(l) });
}

int sim_trylock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	return perform((struct op){ .kind = O_TRYLOCK, .word = word_of(l) });
}

void sim_unlock(struct sim_lock *l, enum sim_lock_kind kind, int shared)
{
	perform((struct op){ .kind = O_UNLOCK, .word = word_of(l) });
}

int sim_rcu_lock(struct sim_rcu *d)
{
	return perform((struct op){ .kind = O_ENTER, .word = word_of(d) });
}

void sim_rcu_unlock(struct sim_rcu *d, int token)
{
	perform((struct op){
		.kind = O_LEAVE, .word = word_of(d), .value = token });
}

void sim_rcu_sync(struct sim_rcu *d)
{
	perform((struct op){ .kind = O_SYNC_BEGIN, .word = word_of(d) });
	perform((struct op){ .kind = O_SYNC_END });
}

void runtime_fail(enum explore_finding f, const char *file, int line,
		  const char *fmt, ...)
{
	fprintf(stderr, "%s:%d: %s\n", file, line, fmt);
	abort();
}

/* It performs all in order. */
int depend_last(void)
{
	return 0;
}

void depend_tell(int through)
{
	(void)through;
}

/* ---- one step -------------------------------------------------------------------- */

static struct op next_op(const struct state *s, int n)
{
	m.s = s;
	m.cur = n;
	m.at = 0;
	if (!setjmp(m.found)) {
		interpret(&m.in.actor[n]);
		m.next.kind = O_END;
	}
	return m.next;
}

static void commit(struct state *s, int n, int word, bool section,
		   uint32_t value)
{
	if (section)
		s->t[n].open &= ~(1u << value);
	else
		s->word[word] = value;
}

static bool flush(struct state *s, int n)
{
	if (!s->t[n].buffered)
		return false;
	commit(s, n, s->t[n].buffer[0].word, s->t[n].buffer[0].section,
	       s->t[n].buffer[0].value);
	s->t[n].buffered--;
	memmove(&s->t[n].buffer[0], &s->t[n].buffer[1],
		s->t[n].buffered * sizeof(s->t[n].buffer[0]));
	memset(&s->t[n].buffer[s->t[n].buffered], 0, sizeof(s->t[n].buffer[0]));
	return true;
}

static void store(struct state *s, int n, int word, bool section,
		  uint32_t value)
{
	int i = s->t[n].buffered;

	if (!m.tso) {
		commit(s, n, word, section, value);
		return;
	}
	if (i == BUFFER)
		abort();
	s->t[n].buffer[i].word = word;
	s->t[n].buffer[i].section = section;
	s->t[n].buffer[i].value = value;
	s->t[n].buffered++;
}

static uint32_t load(const struct state *s, int n, int word)
{
	for (int i = s->t[n].buffered - 1; i >= 0; i--)
		if (!s->t[n].buffer[i].section &&
		    s->t[n].buffer[i].word == word)
			return s->t[n].buffer[i].value;
	return s->word[word];
}

static uint32_t rmw(struct state *s, const struct op *o)
{
	uint32_t old = s->word[o->word], new = o->value;

	switch (o->rmw) {
	case SIM_ADD:
		new = old + o->value;
		break;
	case SIM_AND:
		new = old & o->value;
		break;
	case SIM_OR:
		new = old | o->value;
		break;
	case SIM_XOR:
		new = old ^ o->value;
		break;
	case SIM_CMPXCHG:
		new = old == o->expected ? o->value : old;
		break;
	case SIM_ADD_UNLESS:
		new = old == o->expected ? old : old + o->value;
		break;
	default:
		break;
	}
	s->word[o->word] = new;
	return old;
}

static uint32_t of_domain(const struct state *s, int n, int word)
{
	uint32_t set = 0;

	for (int k = 0; k < s->t[n].begun; k++)
		if (s->t[n].domain[k] == word)
			set |= s->t[n].open & 1u << k;
	return set;
}

static uint32_t enter(struct state *s, int n, int word)
{
	int k = s->t[n].begun++;

	if (k == SECTIONS)
		abort();
	s->t[n].domain[k] = word;
	s->t[n].open |= 1u << k;
	return k;
}

static bool drains(const struct op *o)
{
	switch (o->kind) {
	case O_END:
	case O_RMW:
	case O_FENCE:
	case O_LOCK:
	case O_TRYLOCK:
	case O_SYNC_BEGIN:
		return true;
	default:
		return false;
	}
}

static bool has_ended(const struct state *s, int n)
{
	for (int i = 0; i < OPERATIONAL_THREADS; i++)
		if (s->t[n].waits[i] & s->t[i].open)
			return false;
	return true;
}

/* False if thread n cannot move now, or is at its end. */
static bool step(struct state *s, int n)
{
	struct op o = next_op(s, n);
	uint32_t result = 0;

	if (o.kind == O_END || (drains(&o) && s->t[n].buffered))
		return false;
	switch (o.kind) {
	case O_LOAD:
		result = load(s, n, o.word);
		break;
	case O_STORE:
		store(s, n, o.word, false, o.value);
		break;
	case O_UNLOCK:
		store(s, n, o.word, false, 0);
		break;
	case O_RMW:
		result = rmw(s, &o);
		break;
	case O_LOCK:
	case O_TRYLOCK:
		result = !s->word[o.word];
		if (!result && o.kind == O_LOCK)
			return false;
		s->word[o.word] = 1;
		break;
	case O_ENTER:
		result = enter(s, n, o.word);
		break;
	case O_LEAVE:
		store(s, n, o.word, true, o.value);
		break;
	case O_SYNC_BEGIN:
		for (int i = 0; i < OPERATIONAL_THREADS; i++)
			s->t[n].waits[i] = of_domain(s, i, o.word);
		break;
	case O_SYNC_END:
		if (!has_ended(s, n))
			return false;
		memset(s->t[n].waits, 0, sizeof(s->t[n].waits));
		break;
	default:
		break;
	}
	if (s->t[n].nr == OPS)
		abort();
	s->t[n].result[s->t[n].nr++] = result;
	return true;
}

/* ---- all of them --------------------------------------------------------------------- */

static uint64_t hash(const struct state *s)
{
	const uint32_t *p = (const uint32_t *)s;
	uint64_t h = 1469598103934665603ull;

	for (size_t i = 0; i < sizeof(*s) / 4; i++)
		h = (h ^ p[i] ^ h >> 29) * 1099511628211ull;
	return h | 1;
}

static void insert(uint64_t h)
{
	size_t i = h & (m.room - 1);

	while (m.seen[i])
		i = (i + 1) & (m.room - 1);
	m.seen[i] = h;
}

static bool is_new(const struct state *s)
{
	uint64_t h = hash(s);

	if (2 * m.nr_seen >= m.room) {
		uint64_t *old = m.seen;
		size_t room = m.room;

		m.room = room ? 2 * room : 4096;
		m.seen = calloc(m.room, sizeof(*m.seen));
		for (size_t i = 0; i < room; i++)
			if (old[i])
				insert(old[i]);
		free(old);
	}
	for (size_t i = h & (m.room - 1); m.seen[i]; i = (i + 1) & (m.room - 1))
		if (m.seen[i] == h)
			return false;
	insert(h);
	m.nr_seen++;
	return true;
}

static void add_line(const struct state *s)
{
	const struct litmus *t = m.in.t;
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (int i = 0; i < t->nr_items; i++) {
		struct litmus_item item = t->item[i];

		int32_t v = item.thread < 0
				    ? (int32_t)s->word[item.index]
				    : m.in.actor[item.thread].reg[item.index];

		fprintf(f, "%s%s=", i ? " " : "", litmus_item_name(t, item));
		fprintf(f, "%s;", litmus_value_name(t, item, v));
	}
	fclose(f);
	for (size_t i = 0; i < m.nr_lines; i++)
		if (!strcmp(m.line[i], text)) {
			free(text);
			return;
		}
	m.line = realloc(m.line, (m.nr_lines + 1) * sizeof(*m.line));
	m.line[m.nr_lines++] = text;
}

static void explore(const struct state *s)
{
	bool over = true;

	for (int n = 0; n < m.in.t->nr_threads; n++) {
		struct state c = *s;

		if (step(&c, n) && is_new(&c))
			explore(&c);
		c = *s;
		if (flush(&c, n) && is_new(&c))
			explore(&c);
		/* leaves the thread's registers as they are now */
		over &= next_op(s, n).kind == O_END && !s->t[n].buffered;
	}
	if (over)
		add_line(s);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char *operational_states(const struct litmus *t, bool tso)
{
	struct state s;
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	memset(&s, 0, sizeof(s));
	memset(&m, 0, sizeof(m));
	m.in.t = t;
	m.in.rcu = &m.cell[DOMAIN_RCU];
	m.tso = tso;
	if (t->nr_threads > OPERATIONAL_THREADS)
		abort();
	for (int l = 0; l < t->nr_loc; l++) {
		m.in.word[l] = &m.cell[l];
		s.word[l] = t->loc[l].initial;
	}
	for (int n = 0; n < t->nr_threads; n++)
		m.in.actor[n] = (struct actor){ .in = &m.in, .number = n };
	explore(&s);
	qsort(m.line, m.nr_lines, sizeof(*m.line), by_text);
	for (size_t i = 0; i < m.nr_lines; i++) {
		fprintf(f, "%s\n", m.line[i]);
		free(m.line[i]);
	}
	fclose(f);
	free(m.line);
	free(m.seen);
	return text;
}
