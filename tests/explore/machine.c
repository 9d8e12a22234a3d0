// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - the operational machine: every interleaving, every flush time.
 *
 * Words, one store buffer per actor (TSO), one atomic step at a time. A section
 * begins without a barrier, and ends when what was stored before its end has left the
 * store buffer. A state
 * holds its own history (source of each read, order of writes), so that equal
 * states have equal classes and are expanded once.
 */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ACCESS 24 /* of one actor to one word */
#define BUFFER 16
#define WAYS 4 /* values are 1 to 3 */
#define PENDING 1
#define RUNNING 2

/* A write: actor and its k-th access to the word; 0 is the initial value. */
typedef uint16_t source;

struct state {
	int pc[ACTORS], sub[ACTORS];
	int last[ACTORS];
	int sections[ACTORS];
	/* bits that a grace period waits for; [0]: a sleeper's flag */
	int seen[ACTORS][THREADS];
	bool started[ACTORS]; /* a timer that claimed its word */
	bool armed[THREADS];
	/* how choices went, by operation; how many allocations failed */
	uint8_t chosen[ACTORS][MAX_OPS];
	int failures;
	int value[W_NR];
	source writer[W_NR];
	uint8_t accesses[ACTORS][W_NR];
	source read[ACTORS][W_NR][MAX_ACCESS]; /* 0xffff: a write */
	source order[W_NR][2 * MAX_ACCESS];
	uint8_t nr_order[W_NR];
	struct {
		int word, value;
		source id;
	} buffer[ACTORS][BUFFER];
	int nr_buffer[ACTORS];
};

/* What an actor does next. */
struct micro {
	enum {
		M_LOAD,
		M_STORE,
		M_RMW,
		M_FENCE,
		M_CHOOSE,
		M_ENTER,
		M_LEAVE,
		M_NONE
	} kind;
	int word, value;
	enum { R_XCHG, R_ADD, R_AND, R_OR, R_XOR, R_READ } how;
	int mask, want;
	bool negate, await;
};

static struct {
	const struct program *p;
	bool tso;
	uint32_t shared;
	struct classes *out;
	struct state **seen;
	size_t n, size;
} m;

/* ---- programs, one access at a time ------------------------------------------ */

static bool is_sleep(enum opcode c)
{
	return c == P_SLEEP || c == P_SLEEP_EARLY;
}

static struct micro decode(const struct state *s, int a)
{
	const struct op *o = &m.p->op[a][s->pc[a]];
	int sub = s->sub[a];
	struct micro u = { .kind = M_NONE };

	if (a >= THREADS && !s->started[a])
		return (struct micro){ .kind = M_RMW,
				       .word = W_TIMER + a - THREADS,
				       .how = R_XOR,
				       .value = PENDING | RUNNING,
				       .mask = PENDING | RUNNING,
				       .want = PENDING,
				       .await = true };
	if (s->pc[a] == m.p->n[a]) {
		if (a >= THREADS)
			return (struct micro){ .kind = M_RMW,
					       .word = W_TIMER + a - THREADS,
					       .how = R_AND,
					       .value = ~RUNNING };
		return u;
	}
	u.word = W_VAR + o->var;
	u.value = o->value;
	u.kind = M_RMW;
	switch (o->code) {
	case P_LOAD:
		u.kind = M_LOAD;
		break;
	case P_STORE:
		u.kind = M_STORE;
		break;
	case P_XCHG:
		u.how = R_XCHG;
		break;
	case P_ADD:
		u.how = R_ADD;
		break;
	case P_CAS:
		u.how = R_XCHG;
		u.mask = ~0;
		u.want = s->last[a];
		break;
	case P_FENCE:
		u.kind = M_FENCE;
		break;
	case P_CHOOSE:
		u.kind = M_CHOOSE; /* among value + 1 */
		break;
	case P_ALLOC:
		u.kind = M_CHOOSE;
		u.value = s->failures < 1;
		break;
	case P_AWAIT:
	case P_SPIN:
		u.kind = M_LOAD;
		u.mask = ~0;
		u.want = o->value;
		u.await = true;
		break;
	case P_LOCK:
	case P_TRY:
		u.word = W_LOCK;
		u.how = R_ADD;
		u.value = 1;
		u.mask = ~0;
		u.await = o->code == P_LOCK;
		break;
	case P_LOCK_SHARED:
	case P_TRY_SHARED:
		u.word = W_LOCK;
		u.how = R_ADD;
		u.value = 2;
		u.mask = 1;
		u.await = o->code == P_LOCK_SHARED;
		break;
	case P_UNLOCK_SHARED:
		u.word = W_LOCK;
		u.how = R_ADD;
		u.value = -2;
		break;
	case P_LOCKED:
		u.kind = M_LOAD;
		u.word = W_LOCK;
		break;
	case P_UNLOCK:
		u.kind = M_STORE;
		u.word = W_LOCK;
		u.value = 0;
		break;
	case P_SLEEP:
	case P_SLEEP_EARLY:
		/* sub 0: state or flag; 1: the other; 2: wait; 3: state = 0 */
		if (sub == (o->code == P_SLEEP ? 1 : 0)) {
			u.kind = M_LOAD;
			u.word = W_FLAG + a;
			break;
		}
		u.word = W_STATE + a;
		u.how = R_XCHG;
		u.value = sub < 2;
		if (sub == 2) {
			u.how = R_READ;
			u.mask = ~0;
			u.await = true;
		}
		break;
	case P_WAKE:
		if (sub == 0) {
			u.kind = M_STORE;
			u.word = W_FLAG + o->var;
			u.value = 1;
			break;
		}
		u.word = W_STATE + o->var;
		u.how = R_XCHG;
		u.value = 0;
		u.mask = ~0;
		u.negate = true;
		break;
	case P_ARM:
		u.word = W_TIMER + a;
		u.how = R_OR;
		u.value = PENDING;
		break;
	case P_DELETE:
		u.word = W_TIMER + a;
		u.how = R_AND;
		u.value = ~PENDING;
		u.mask = RUNNING;
		u.await = true;
		break;
	case P_RCU_LOCK:
		u.kind = M_ENTER;
		u.word = W_READER + a;
		u.value = 1 << s->sections[a];
		break;
	case P_RCU_UNLOCK:
		u.kind = M_LEAVE;
		u.word = W_READER + a;
		u.value = 1 << (s->sections[a] - 1);
		break;
	case P_SYNC:
		u.word = W_READER + sub % THREADS;
		u.kind = sub < THREADS ? M_LOAD : M_RMW;
		u.how = R_READ;
		u.mask = s->seen[a][sub % THREADS];
		u.await = sub >= THREADS;
		break;
	default:
		abort();
	}
	return u;
}

static bool has_sections(int a)
{
	for (int i = 0; a < THREADS && i < m.p->n[a]; i++)
		if (m.p->op[a][i].code == P_RCU_LOCK)
			return true;
	return false;
}

/*
 * A grace period reads every word that somebody writes, then waits for those
 * where it saw sections: sub is the word, beyond THREADS the word to wait for.
 */
static bool skip_words(struct state *s, int a)
{
	while (s->sub[a] < 2 * THREADS &&
	       !(s->sub[a] < THREADS ? has_sections(s->sub[a])
				     : s->seen[a][s->sub[a] - THREADS]))
		s->sub[a]++;
	return s->sub[a] == 2 * THREADS;
}

/* Move to the next operation that is to be executed. */
static void skip(struct state *s, int a)
{
	for (;; s->pc[a]++) {
		const struct op *o = &m.p->op[a][s->pc[a]];

		s->sub[a] = 0;
		if (s->pc[a] == m.p->n[a])
			return;
		if (o->only_if >= 0 && o->only_if != s->last[a])
			continue;
		return;
	}
}

static void next_op(struct state *s, int a)
{
	s->pc[a]++;
	skip(s, a);
}

static void advance(struct state *s, int a, int value)
{
	const struct op *o = &m.p->op[a][s->pc[a]];

	if (a >= THREADS && !s->started[a]) {
		s->started[a] = true;
		s->pc[a] = s->last[a] = 0;
		skip(s, a);
		return;
	}
	if (s->pc[a] == m.p->n[a]) {
		s->started[a] = false;
		s->pc[a] = s->sub[a] = s->last[a] = 0;
		return;
	}
	if (o->code <= P_ALLOC && o->code != P_STORE && o->code != P_FENCE)
		s->last[a] = value;
	if (o->code == P_TRY)
		s->last[a] = value == 0;
	if (o->code == P_TRY_SHARED)
		s->last[a] = !(value & 1);
	if (o->code == P_LOCKED)
		s->last[a] = value;
	if (o->code == P_ARM)
		s->armed[a] = true;
	if (o->code == P_RCU_LOCK)
		s->sections[a]++;
	if (is_sleep(o->code)) {
		int test = o->code == P_SLEEP ? 1 : 0;

		if (s->sub[a] == test)
			s->seen[a][0] = value;
		if (++s->sub[a] == 2 && s->seen[a][0])
			s->sub[a] = 3; /* the flag was set: do not sleep */
		if (s->sub[a] == 4)
			next_op(s, a);
		return;
	}
	if (o->code == P_WAKE && s->sub[a] == 0) {
		s->sub[a] = 1;
		return;
	}
	if (o->code == P_SYNC) {
		if (s->sub[a] < THREADS)
			s->seen[a][s->sub[a]] = value;
		s->sub[a]++;
		if (!skip_words(s, a))
			return;
	}
	memset(s->seen[a], 0, sizeof(s->seen[a]));
	next_op(s, a);
}

/* ---- steps ---------------------------------------------------------------------- */

static source access_id(const struct state *s, int a, int word)
{
	return 1 + a * MAX_ACCESS + s->accesses[a][word];
}

static void note_read(struct state *s, int a, int word, source from)
{
	if (s->accesses[a][word] == MAX_ACCESS)
		abort();
	s->read[a][word][s->accesses[a][word]++] = from;
}

static void commit(struct state *s, int word, int value, source id)
{
	if (word >= W_READER) {
		s->value[word] &= ~value; /* a section ends */
		return;
	}
	s->value[word] = value;
	s->writer[word] = id;
	s->order[word][s->nr_order[word]++] = id;
}

static bool holds(const struct micro *u, int v)
{
	return ((v & u->mask) == u->want) != u->negate;
}

static int result(const struct micro *u, int v)
{
	switch (u->how) {
	case R_XCHG:
		return u->value;
	case R_ADD:
		return v + u->value;
	case R_AND:
		return v & u->value;
	case R_OR:
		return v | u->value;
	default:
		return v ^ u->value;
	}
}

/* One step of actor a, a choice going that way; false if it cannot move so. */
static bool step(struct state *s, int a, int way)
{
	struct micro u = decode(s, a);
	int v, i;

	if (way && u.kind != M_CHOOSE)
		return false;
	switch (u.kind) {
	case M_NONE:
		return false;
	case M_CHOOSE:
		if (way > u.value)
			return false;
		s->chosen[a][s->pc[a]] = 1 + way;
		s->failures += way && m.p->op[a][s->pc[a]].code == P_ALLOC;
		advance(s, a, way);
		return true;
	case M_LOAD:
		/* a grace period begins with a full barrier */
		if (u.word >= W_READER && s->nr_buffer[a])
			return false;
		v = s->value[u.word];
		for (i = s->nr_buffer[a] - 1; i >= 0; i--)
			if (s->buffer[a][i].word == u.word)
				break;
		if (i >= 0)
			v = s->buffer[a][i].value;
		if (u.await && !holds(&u, v))
			return false;
		if (u.word < W_READER)
			note_read(s, a, u.word,
				  i >= 0 ? s->buffer[a][i].id
					 : s->writer[u.word]);
		advance(s, a, v);
		return true;
	case M_ENTER:
		s->value[u.word] |= u.value;
		advance(s, a, 0);
		return true;
	case M_LEAVE:
	case M_STORE: {
		source id = 0;

		if (u.kind == M_STORE) {
			id = access_id(s, a, u.word);
			note_read(s, a, u.word, 0xffff);
		}
		if (m.tso) {
			i = s->nr_buffer[a]++;
			s->buffer[a][i].word = u.word;
			s->buffer[a][i].value = u.value;
			s->buffer[a][i].id = id;
		} else {
			commit(s, u.word, u.value, id);
		}
		advance(s, a, 0);
		return true;
	}
	case M_FENCE:
		if (s->nr_buffer[a])
			return false;
		advance(s, a, 0);
		return true;
	default:
		break;
	}
	v = s->value[u.word];
	if (s->nr_buffer[a] || (u.await && !holds(&u, v)))
		return false;
	if (u.word < W_READER)
		note_read(s, a, u.word, s->writer[u.word]);
	if (u.how != R_READ && holds(&u, v)) {
		source id = access_id(s, a, u.word);

		note_read(s, a, u.word, 0xffff);
		commit(s, u.word, result(&u, v), id);
	}
	advance(s, a, v);
	return true;
}

static bool flush(struct state *s, int a)
{
	if (!s->nr_buffer[a])
		return false;
	commit(s, s->buffer[a][0].word, s->buffer[a][0].value,
	       s->buffer[a][0].id);
	s->nr_buffer[a]--;
	memmove(&s->buffer[a][0], &s->buffer[a][1],
		s->nr_buffer[a] * sizeof(s->buffer[a][0]));
	memset(&s->buffer[a][s->nr_buffer[a]], 0, sizeof(s->buffer[a][0]));
	return true;
}

/* ---- the class of a final state ------------------------------------------------------ */

static char *put(char *p, source id)
{
	if (!id)
		return p + sprintf(p, "i ");
	return p + sprintf(p, "%d.%d ", (id - 1) / MAX_ACCESS,
			   (id - 1) % MAX_ACCESS);
}

static void report(const struct state *s)
{
	char text[8192] = "", *p = text;

	for (int w = 0; w < W_READER; w++) {
		if (!(m.shared >> w & 1))
			continue;
		p += sprintf(p, "w%d:", w);
		for (int i = 0; i < s->nr_order[w]; i++)
			p = put(p, s->order[w][i]);
		for (int a = 0; a < ACTORS; a++) {
			struct micro u = decode(s, a);

			p += sprintf(p, "|");
			for (int k = 0; k < s->accesses[a][w]; k++)
				if (s->read[a][w][k] != 0xffff)
					p = put(p, s->read[a][w][k]);
			/* who waits for ever has seen the last value; a timer
			 * that nobody armed was never there */
			if (u.kind != M_NONE && u.await && u.word == w &&
			    (a < THREADS || s->armed[a - THREADS]))
				p = put(p, s->writer[w]);
		}
	}
	p += sprintf(p, "c:");
	for (int a = 0; a < ACTORS; a++)
		for (int i = 0; i < MAX_OPS; i++)
			if (s->chosen[a][i])
				p += sprintf(p, "%d.%d ", a,
					     s->chosen[a][i] - 1);
	classes_add(m.out, text);
}

/* ---- all of them ---------------------------------------------------------------------- */

static size_t hash(const struct state *s)
{
	const unsigned char *p = (const unsigned char *)s;
	uint64_t h = 1469598103934665603ull;

	for (size_t i = 0; i < sizeof(*s); i += 4) {
		uint32_t w;

		memcpy(&w, p + i, sizeof(w));
		h = (h ^ w) * 1099511628211ull;
	}
	return h ^ h >> 29;
}

static bool is_new(const struct state *s)
{
	size_t i;

	if (2 * m.n >= m.size) {
		struct state **old = m.seen;
		size_t size = m.size;

		m.size = size ? 2 * size : 1024;
		m.seen = calloc(m.size, sizeof(*m.seen));
		for (i = 0; i < size; i++) {
			size_t j;

			if (!old[i])
				continue;
			for (j = hash(old[i]); m.seen[j & (m.size - 1)]; j++)
				;
			m.seen[j & (m.size - 1)] = old[i];
		}
		free(old);
	}
	for (i = hash(s); m.seen[i & (m.size - 1)]; i++)
		if (!memcmp(m.seen[i & (m.size - 1)], s, sizeof(*s)))
			return false;
	m.seen[i & (m.size - 1)] = malloc(sizeof(*s));
	memcpy(m.seen[i & (m.size - 1)], s, sizeof(*s));
	m.n++;
	return true;
}

static void expand(const struct state *s)
{
	bool moved = false;

	for (int a = 0; a < ACTORS; a++) {
		struct state *t = malloc(sizeof(*t));

		for (int way = -1; way < WAYS; way++) {
			memcpy(t, s, sizeof(*t));
			if (!(way < 0 ? flush(t, a) : step(t, a, way)))
				continue;
			moved = true;
			if (is_new(t))
				expand(t);
		}
		free(t);
	}
	if (!moved)
		report(s);
}

void program_run_machine(const struct program *p, bool tso, uint32_t shared,
			 struct classes *out)
{
	struct state *s = calloc(1, sizeof(*s));

	memset(&m, 0, sizeof(m));
	m.p = p;
	m.tso = tso;
	m.shared = shared;
	m.out = out;
	for (int a = 0; a < THREADS; a++)
		skip(s, a);
	if (is_new(s))
		expand(s);
	for (size_t i = 0; i < m.size; i++)
		free(m.seen[i]);
	free(m.seen);
	free(s);
}
