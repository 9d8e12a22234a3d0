// SPDX-License-Identifier: GPL-2.0-only
/*
 * fake_engine.c - explore.h over tiny programs given as tables.
 */
#include "fake_engine.h"

#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 8
#define MAX_STEPS 512

/* The linker's: this program's variables. */
extern char __data_start[], _end[];

struct fake_program fake;

static size_t at[MAX_THREADS];
static bool exists[MAX_THREADS];

const char *explore_op_name(enum explore_op op)
{
	static const char *const names[] = {
#define X(id, text) [id] = text,
		EXPLORE_OPS(X)
#undef X
	};

	return names[op];
}

int explore_nr_threads(void)
{
	return fake.threads;
}

bool explore_thread_is_daemon(int thread)
{
	return false;
}

const char *explore_thread_name(int thread)
{
	return fake.thread[thread].name;
}

bool explore_find_object(uintptr_t addr, struct explore_object *out)
{
	for (size_t i = 0; i < fake.heaps; i++) {
		const struct fake_heap *h = &fake.heap[i];

		if (addr < h->base || addr >= h->base + h->size)
			continue;
		*out = (struct explore_object){
			.kind = OBJECT_HEAP,
			.type = h->type,
			.number = h->number,
			.base = h->base,
			.size = h->size,
			.thread = -1,
		};
		return true;
	}
	if (addr < (uintptr_t)__data_start || addr >= (uintptr_t)_end)
		return false;
	*out = (struct explore_object){ .kind = OBJECT_GLOBAL, .thread = -1 };
	return true;
}

static const struct fake_function *function_at(uintptr_t low)
{
	for (size_t i = 0; i < fake.functions; i++) {
		if ((uintptr_t)fake.function[i].entry == low)
			return &fake.function[i];
	}
	return NULL;
}

const char *explore_made_at(uintptr_t addr, int *line)
{
	return NULL;
}

/* One without a branch. */
void explore_pieces(uintptr_t low, uintptr_t high,
		    void (*fn)(void *arg, uintptr_t at, bool was_reached),
		    void *arg)
{
	const struct fake_function *f = function_at(low);

	if (f)
		fn(arg, low, f->reached);
}

static bool waits(const struct fake_op *op)
{
	switch (op->op) {
	case OP_LOCK:
	case OP_SLEEP:
		return *op->word != 0;
	case OP_JOIN:
		return at[op->val] < fake.thread[op->val].nr;
	default:
		return false;
	}
}

static struct explore_step pending(int t)
{
	struct explore_step s = {
		.thread = t, .op = OP_END, .peer = -1, .blocked = true
	};
	const struct fake_op *op = &fake.thread[t].op[at[t]];

	if (at[t] >= fake.thread[t].nr)
		return s;
	s.op = op->op;
	s.addr = (uintptr_t)op->word;
	s.size = op->word ? 8 : 0;
	s.pc = op->pc;
	s.rf_thread = -1;
	if (op->op == OP_CREATE || op->op == OP_JOIN)
		s.peer = op->val;
	s.blocked = !exists[t] || waits(op);
	return s;
}

static void perform(struct explore_step *s, const struct fake_op *op)
{
	uint64_t v = op->val;

	if (op->op == OP_CREATE)
		exists[op->val] = true;
	if (!op->word)
		return;
	s->old = *op->word;
	s->wrote = op->op != OP_READ && op->op != OP_SLEEP && op->op != OP_FREE;
	switch (op->op) {
	case OP_ADD:
		v += s->old;
		break;
	case OP_LOCK:
		v = 1;
		break;
	case OP_UNLOCK:
	case OP_WAKE:
		v = 0;
		break;
	default:
		break;
	}
	if (s->wrote)
		*op->word = s->val = v;
}

static void finding(struct explore_result *out, enum explore_finding f,
		    int thread, const char *message)
{
	out->verdict = EXPLORE_VIOLATED;
	out->finding = f;
	out->thread = thread;
	strcpy(out->message, message);
}

/* Nobody can move. Whoever has not ended waits for ever. */
static void stuck(struct explore_result *out, const struct explore_step *now,
		  int n)
{
	bool dead = false;

	for (int t = 0; t < n; t++) {
		if (now[t].op == OP_END)
			continue;
		dead = true;
		out->steps[out->nr_steps++] = now[t];
	}
	if (dead)
		finding(out, FIND_DEADLOCK, -1, "threads wait for each other");
	else
		out->verdict = EXPLORE_HOLDS;
}

void explore_sequential(const struct explore_chooser *c,
			struct explore_result *out)
{
	struct explore_step now[MAX_THREADS];

	memset(out, 0, sizeof(*out));
	memset(at, 0, sizeof(at));
	memset(fake.memory, 0, fake.words * sizeof(*fake.memory));
	out->thread = -1;
	out->steps = calloc(MAX_STEPS, sizeof(*out->steps));
	for (int t = 0; t < fake.threads; t++)
		exists[t] = !fake.thread[t].created;
	for (;;) {
		const struct fake_op *op;
		bool can = false;
		int t;

		for (t = 0; t < fake.threads; t++) {
			now[t] = pending(t);
			can |= now[t].op != OP_END && !now[t].blocked;
		}
		if (!can) {
			/* The chooser still sees where its lines end. */
			c->pick(c->arg, now, fake.threads);
			stuck(out, now, fake.threads);
			return;
		}
		t = c->pick(c->arg, now, fake.threads);
		if (t < 0) {
			out->verdict = EXPLORE_UNDECIDED;
			return;
		}
		op = &fake.thread[t].op[at[t]++];
		perform(&now[t], op);
		out->steps[out->nr_steps++] = now[t];
		if (op->fails && now[t].old == op->bad) {
			finding(out, FIND_ASSERT, t, "the value is not bad");
			out->file = "demo.c";
			out->line = 7;
			return;
		}
	}
}

/* Its memory is not weak: whoever asks for that gets what there is. */
void explore_guided(const struct explore_chooser *c, enum explore_memory memory,
		    struct explore_result *out)
{
	c->again(c->arg);
	explore_sequential(c, out);
}

void explore_run(const struct explore_options *opt, struct explore_result *out)
{
	(void)opt;
	memset(out, 0, sizeof(*out));
}

bool explore_percpu(uintptr_t *addr, int *cpu)
{
	return false;
}
