// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_plain.c - in random programs of plain and marked accesses and barriers, what
 * the engine says of each pair under lkmm against what linux-kernel.cat says (cat.c).
 */
#include "cat.h"

#include "engine.h"
#include "hook.h"
#include "trapline/scenario.h"
#include "world.h"
#include "../suite.h"

#include <stdlib.h>

#define PC __builtin_return_address(0)
#define THREADS 3
#define WORDS 3
#define MAX_OPS 5

enum opcode {
	P_READ,
	P_WRITE,
	P_READ_ONCE,
	P_WRITE_ONCE,
	P_ACQUIRE,
	P_RELEASE,
	P_ADD,
	P_ADD_RELAXED,
	P_CMPXCHG,
	P_LOAD_SC, /* C11's, see tsan.c */
	P_STORE_SC,
	P_ADD_SC,
	P_CMPXCHG_SC,
	P_MB,
	P_RMB,
	P_WMB,
	P_FENCE_ACQUIRE,
	P_FENCE_RELEASE,
	P_NR
};

/* How often each comes up. */
static const struct {
	const char *name;
	int weight;
} codes[P_NR] = {
	[P_READ] = { "read", 4 },
	[P_WRITE] = { "write", 4 },
	[P_READ_ONCE] = { "READ_ONCE", 4 },
	[P_WRITE_ONCE] = { "WRITE_ONCE", 4 },
	[P_ACQUIRE] = { "acquire", 5 },
	[P_RELEASE] = { "release", 4 },
	[P_ADD] = { "add", 1 },
	[P_ADD_RELAXED] = { "add_relaxed", 1 },
	[P_CMPXCHG] = { "cmpxchg", 1 },
	[P_LOAD_SC] = { "load_sc", 1 },
	[P_STORE_SC] = { "store_sc", 1 },
	[P_ADD_SC] = { "add_sc", 1 },
	[P_CMPXCHG_SC] = { "cmpxchg_sc", 1 },
	[P_MB] = { "mb", 2 },
	[P_RMB] = { "rmb", 3 },
	[P_WMB] = { "wmb", 4 },
	[P_FENCE_ACQUIRE] = { "acquire fence", 2 },
	[P_FENCE_RELEASE] = { "release fence", 2 },
};

static struct {
	int n[THREADS];
	struct op {
		enum opcode code;
		int word;
	} op[THREADS][MAX_OPS];
} program;

/* The scenario's memory: what the search resets. */
static struct {
	unsigned long word[WORDS];
} mem __attribute__((section("trapline_arena")));

/* ---- the program ----------------------------------------------------------------- */

static void run_thread(int t)
{
	for (int i = 0; i < program.n[t]; i++) {
		const struct op *o = &program.op[t][i];
		uintptr_t at = (uintptr_t)&mem.word[o->word];
		struct hook_op add = { .op = OP_ADD,
				       .rmw = RMW_ADD,
				       .operand = 1 };

		switch (o->code) {
		case P_READ:
			hook_read(at, 8, OP_READ | HOOK_PLAIN, PC);
			break;
		case P_WRITE:
			hook_write(at, 8, 1, OP_WRITE | HOOK_PLAIN, PC);
			break;
		case P_READ_ONCE:
			hook_read(at, 8, OP_READ, PC);
			break;
		case P_WRITE_ONCE:
			hook_write(at, 8, 1, OP_WRITE, PC);
			break;
		case P_ACQUIRE:
			hook_read(at, 8, OP_READ | HOOK_ACQUIRE, PC);
			break;
		case P_RELEASE:
			hook_write(at, 8, 1, OP_WRITE | HOOK_RELEASE, PC);
			break;
		case P_ADD:
			add.op |= HOOK_FULL;
			hook_rmw(at, 8, &add, PC);
			break;
		case P_ADD_RELAXED:
			hook_rmw(at, 8, &add, PC);
			break;
		case P_CMPXCHG:
			hook_cmpxchg(at, 8, 0, 1, HOOK_FULL, PC);
			break;
		case P_LOAD_SC:
			hook_read(at, 8, OP_READ | HOOK_MB | HOOK_ACQUIRE, PC);
			break;
		case P_STORE_SC:
			hook_write(at, 8, 1, OP_WRITE | HOOK_MB | HOOK_RELEASE,
				   PC);
			break;
		case P_ADD_SC:
			add.op |= HOOK_MB | HOOK_ACQUIRE | HOOK_RELEASE;
			hook_rmw(at, 8, &add, PC);
			break;
		case P_CMPXCHG_SC:
			hook_cmpxchg(at, 8, 0, 1,
				     HOOK_MB | HOOK_ACQUIRE | HOOK_RELEASE |
					     HOOK_ORDER(ORDER_MB_FAILED) |
					     HOOK_ORDER(ORDER_ACQUIRE_FAILED),
				     PC);
			break;
		case P_MB:
			hook_fence(PC);
			break;
		case P_RMB:
			hook_barrier(ORDER_RMB, PC);
			break;
		case P_WMB:
			hook_barrier(ORDER_WMB, PC);
			break;
		case P_FENCE_ACQUIRE:
			hook_barrier(ORDER_ACQUIRE, PC);
			break;
		case P_FENCE_RELEASE:
			hook_barrier(ORDER_RELEASE, PC);
			break;
		default:
			abort();
		}
	}
}

SCENARIO_THREAD(t0)
{
	run_thread(0);
}

SCENARIO_THREAD(t1)
{
	run_thread(1);
}

SCENARIO_THREAD(t2)
{
	run_thread(2);
}

/* What the world asks of a scenario; there are no timers. */
unsigned long *sim_timer_pinned(struct timer_list *timer)
{
	return NULL;
}

void sim_timer_run(struct timer_list *timer)
{
}

static uint64_t seed;

static unsigned int rnd(unsigned int n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % n;
}

static enum opcode random_code(void)
{
	int left = 0;

	for (int c = 0; c < P_NR; c++)
		left += codes[c].weight;
	left = rnd(left);
	for (int c = 0; c < P_NR; c++)
		if ((left -= codes[c].weight) < 0)
			return c;
	abort();
}

/*
 * Two threads, or three, that touch the first word plainly, and others mostly as flags.
 */
static void random_program(void)
{
	memset(&program, 0, sizeof(program));
	for (int t = 0; t < THREADS; t++) {
		int n = 2 + rnd(MAX_OPS - 1), at = rnd(n);

		if (t == 2 && rnd(3))
			n = 0;
		program.n[t] = n;
		for (int i = 0; i < n; i++) {
			struct op *o = &program.op[t][i];

			o->code = random_code();
			o->word = o->code <= P_WRITE ? 0 : 1 + !rnd(3);
			if (rnd(12) == 0)
				o->word = rnd(WORDS);
			if (i == at && t < 2)
				*o = (struct op){ rnd(2) ? P_READ : P_WRITE,
						  0 };
		}
	}
}

static void print(void)
{
	for (int t = 0; t < THREADS; t++) {
		fprintf(stderr, "thread %d:", t);
		for (int i = 0; i < program.n[t]; i++)
			fprintf(stderr, " %s(%d)",
				codes[program.op[t][i].code].name,
				program.op[t][i].word);
		fprintf(stderr, "\n");
	}
}

/* ---- the comparison ----------------------------------------------------------------- */

static uint64_t pairs[CAT_PAIRS];
static int wrong;

static enum cat_kind kind_of(const struct event *e)
{
	if (e->kind != EV_FENCE)
		return e->kind == EV_READ ? CAT_READ : CAT_WRITE;
	return e->order & ORDER_MB	  ? CAT_MB
	       : e->order & ORDER_RMB	  ? CAT_RMB
	       : e->order & ORDER_WMB	  ? CAT_WMB
	       : e->order & ORDER_ACQUIRE ? CAT_ACQUIRE
					  : CAT_RELEASE;
}

static void describe(struct cat_event *to, const struct event *e)
{
	uint64_t unused;
	bool half = e->kind == EV_READ && rmw_result(e, e->val, &unused);
	bool rmw = half || ((e->flags & EVF_RMW) && e->kind == EV_WRITE);

	*to = (struct cat_event){
		.kind = kind_of(e),
		.thread = e->thread,
		.loc = e->loc,
		.plain = e->flags & EVF_PLAIN,
		.acquire = e->order &
			   (e->rmw == RMW_NONE || half ? ORDER_ACQUIRE
						       : ORDER_ACQUIRE_FAILED),
		.release = e->order & ORDER_RELEASE,
		.half = half,
		.full = rmw && (e->order & ORDER_FULL),
		.rf = e->rf,
		.rank = e->rank,
	};
}

/* Is there a full barrier before it? */
static bool is_fenced(const struct event *e, const struct cat_event *c)
{
	if (e->kind == EV_READ && e->rmw != RMW_NONE && !c->half)
		return e->order & ORDER_MB_FAILED;
	return (e->kind == EV_READ ||
		(e->kind == EV_WRITE && !(e->flags & EVF_RMW))) &&
	       (e->order & ORDER_MB);
}

/* The execution for cat.c; slot[]: where the events are in the graph, or -1. */
static int tell(struct cat_event *to, int *slot)
{
	int number[GRAPH_MAX_EVENTS], n = 0;

	for (int t = 0; t < THREADS; t++)
		for (int i = 0; i < engine->t[t].nr_rec; i++) {
			int x = engine->t[t].rec[i];
			const struct event *e = &engine->g->ev[x];
			struct cat_event c;

			describe(&c, e);
			if (is_fenced(e, &c)) {
				to[n] = (struct cat_event){ .kind = CAT_MB,
							    .thread = t };
				slot[n++] = -1;
			}
			to[n] = c;
			number[x] = n;
			slot[n++] = x;
		}
	for (int i = 0; i < n; i++)
		if (to[i].kind == CAT_READ && to[i].rf >= 0)
			to[i].rf = number[to[i].rf];
	return n;
}

static void look(bool deadlock)
{
	struct cat_event e[CAT_EVENTS];
	int slot[CAT_EVENTS], n = tell(e, slot);

	(void)deadlock;
	cat_look(e, n);
	sync_order();
	for (int x = 0; x < n; x++)
		for (int y = 0; y < x; y++) {
			enum cat_pair is = cat_pair(x, y);

			pairs[is]++;
			if (is == CAT_NONE ||
			    (is == CAT_ORDERED) ==
				    sync_ordered(slot[x], slot[y]))
				continue;
			fprintf(stderr,
				"events %d and %d: cat says %d; reads from:", y,
				x, is);
			for (int i = 0; i < n; i++)
				fprintf(stderr, " %d:%d", i,
					e[i].kind == CAT_READ ? e[i].rf
							      : -e[i].rank);
			fprintf(stderr, "\n");
			wrong++;
		}
}

START_TEST(as_the_cat_says)
{
	struct explore_options opt = { .memory = MEMORY_LKMM,
				       .races = RACES_OFF };
	int n = getenv("TRAPLINE_FULL") ? 50000 : 4000;
	struct explore_result r;
	uint64_t executions = 0;

	ck_assert_int_eq(explore_init(NULL, NULL), 0);
	engine->on_complete = look;
	for (int i = 0; i < n; i++) {
		seed = 1 + i * 7919ull;
		random_program();
		memory_snapshot();
		explore_run(&opt, &r);
		executions += r.executions;
		memory_forget();
		if (wrong)
			print();
		ck_assert_msg(!wrong, "program %d: %d pairs differ", i, wrong);
	}
	printf("%d programs, %lu executions; pairs ordered: %lu; races ww: "
	       "%lu, wr: %lu, rw: %lu\n",
	       n, executions, pairs[CAT_ORDERED], pairs[CAT_WW], pairs[CAT_WR],
	       pairs[CAT_RW]);
	for (enum cat_pair p = CAT_ORDERED; p < CAT_PAIRS; p++)
		ck_assert_uint_gt(pairs[p], 1000);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("plain");
	TCase *tc = tcase_create("random");

	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, as_the_cat_says);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}
