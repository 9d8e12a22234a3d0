// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_brute.c - the search against the operational machine on random programs.
 *
 * Equal sets of classes, and no class twice. Deadlocks are classes like others.
 */
#include "program.h"

#include "explore.h"
#include "../suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets of classes ------------------------------------------------------------ */

void classes_add(struct classes *c, const char *text)
{
	if (c->n == c->cap) {
		c->cap = c->cap ? 2 * c->cap : 64;
		c->text = realloc(c->text, c->cap * sizeof(*c->text));
	}
	c->text[c->n++] = strdup(text);
}

void classes_free(struct classes *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->text[i]);
	free(c->text);
	memset(c, 0, sizeof(*c));
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_unique(struct classes *c)
{
	size_t n = 0;

	qsort(c->text, c->n, sizeof(*c->text), compare);
	for (size_t i = 0; i < c->n; i++) {
		if (n && !strcmp(c->text[n - 1], c->text[i])) {
			c->duplicates++;
			free(c->text[i]);
		} else {
			c->text[n++] = c->text[i];
		}
	}
	c->n = n;
}

size_t classes_differ(const struct classes *a, const struct classes *b)
{
	size_t i = 0, j = 0, n = 0;

	while (i < a->n || j < b->n) {
		int d = i == a->n   ? 1
			: j == b->n ? -1
				    : strcmp(a->text[i], b->text[j]);

		n += d != 0;
		if (d && getenv("BRUTE_VERBOSE"))
			fprintf(stderr, "only %s: %s\n",
				d < 0 ? "search" : "machine",
				d < 0 ? a->text[i] : b->text[j]);
		i += d <= 0;
		j += d >= 0;
	}
	return n;
}

/* ---- programs -------------------------------------------------------------------- */

static const char *const names[] = {
	"load",	      "store",	"xchg",	       "add",		"cas",
	"fence",      "choose", "alloc",       "await",		"spin",
	"lock",	      "unlock", "lock_shared", "unlock_shared", "try",
	"try_shared", "locked", "sleep",       "sleep_early",	"wake",
	"arm",	      "delete", "rcu_lock",    "rcu_unlock",	"sync",
};

void program_print(const struct program *p)
{
	for (int a = 0; a < ACTORS; a++) {
		fprintf(stderr, "%s %d:", a < THREADS ? "thread" : "timer", a);
		for (int i = 0; i < p->n[a]; i++) {
			const struct op *o = &p->op[a][i];

			fprintf(stderr, " ");
			if (o->only_if >= 0)
				fprintf(stderr, "[%d?]", o->only_if);
			fprintf(stderr, "%s(%d,%d)", names[o->code], o->var,
				o->value);
		}
		fprintf(stderr, "\n");
	}
}

static uint64_t seed;

static unsigned int rnd(unsigned int n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % n;
}

static void put(struct program *p, int a, enum opcode code, int var)
{
	static int next_value;
	struct op *o = &p->op[a][p->n[a]++];

	*o = (struct op){ code, var, 1 + next_value++ % 3, -1 };
	if (code <= P_SPIN && rnd(5) == 0)
		o->only_if = rnd(3);
}

static void basic(struct program *p, int a)
{
	static const enum opcode mix[] = { P_LOAD,  P_LOAD,  P_LOAD, P_STORE,
					   P_STORE, P_STORE, P_XCHG, P_ADD,
					   P_CAS,   P_FENCE };

	put(p, a, mix[rnd(10)], rnd(2));
}

enum mix {
	BASIC,
	AWAITS,
	FLAGS,
	SPINS,
	LOCKS,
	HELD,
	TRIES,
	PRIMITIVES,
	CHOICES
};

/*
 * Two to three threads of loads, stores, RMWs, fences, conditions; or with waits
 * for a value that may come and go, or never come.
 */
static void random_basic(struct program *p, int max, enum mix mix)
{
	int threads = 2 + rnd(2);

	memset(p, 0, sizeof(*p));
	for (int a = 0; a < threads; a++)
		for (int n = 2 + rnd(max - 1); n > 0; n--) {
			bool lock = mix != BASIC && rnd(4) == 0;

			if (lock)
				put(p, a, P_LOCK, 0);
			if (mix != BASIC && rnd(3) == 0)
				put(p, a, mix == SPINS ? P_SPIN : P_AWAIT,
				    rnd(2));
			else
				basic(p, a);
			if (lock)
				put(p, a, P_UNLOCK, 0);
		}
}

/* Words that are set in no order, by threads that wait for each other. */
static void random_flags(struct program *p)
{
	memset(p, 0, sizeof(*p));
	for (int a = 0; a < 3; a++)
		for (int n = 2 + rnd(2); n > 0; n--) {
			put(p, a, rnd(5) < 3 ? P_STORE : P_AWAIT, rnd(2));
			p->op[a][p->n[a] - 1].value = 1 + rnd(2);
		}
}

/* Threads that want one lock at once: several of them wait for one write. */
static void random_locks(struct program *p)
{
	memset(p, 0, sizeof(*p));
	for (int a = 0; a < 3; a++)
		for (int n = 1 + (a == 0 || rnd(3) == 0); n > 0; n--) {
			put(p, a, P_LOCK, 0);
			if (rnd(2))
				basic(p, a);
			put(p, a, P_UNLOCK, 0);
			if (rnd(3) == 0)
				basic(p, a);
		}
}

/*
 * Who holds a lock waits for a value that the others write before they want it: one
 * that has been overwritten since, so that all of them wait when it is let go.
 */
static void random_held(struct program *p)
{
	enum opcode how = rnd(2) ? P_ADD : P_STORE;
	int threads = 3 + rnd(2), holder = rnd(threads);

	memset(p, 0, sizeof(*p));
	for (int a = 0; a < threads; a++) {
		if (a != holder) {
			put(p, a, how, 0);
			p->op[a][0].value = 1 + rnd(2);
			if (rnd(3) == 0)
				basic(p, a);
		}
		put(p, a, P_LOCK, 0);
		if (a == holder) {
			put(p, a, P_AWAIT, 0);
			p->op[a][1].value = 1 + rnd(2);
		}
		put(p, a, P_UNLOCK, 0);
		if (a != holder)
			continue;
		if (rnd(2))
			put(p, a, rnd(2) ? P_STORE : P_ADD, 1);
		if (threads == 3 && rnd(2)) {
			put(p, a, P_LOCK, 0);
			put(p, a, P_UNLOCK, 0);
		}
	}
}

/* Readers and writers of one lock, who wait for it or only try. */
static void random_tries(struct program *p)
{
	memset(p, 0, sizeof(*p));
	for (int a = 0; a < 3; a++)
		for (int n = 1 + (a == 0 && rnd(2)); n > 0; n--) {
			bool shared = rnd(2), try = rnd(3) == 0;

			put(p, a,
			    try ? (shared ? P_TRY_SHARED : P_TRY)
				: (shared ? P_LOCK_SHARED : P_LOCK),
			    0);
			put(p, a, shared ? P_UNLOCK_SHARED : P_UNLOCK, 0);
			if (try)
				p->op[a][p->n[a] - 1].only_if = 1;
			if (rnd(4) == 0)
				put(p, a, P_LOCKED, 0);
		}
}

/* Loads, stores and RMWs that depend on choices of data. */
static void random_choices(struct program *p)
{
	int threads = 2 + rnd(2);

	memset(p, 0, sizeof(*p));
	for (int a = 0; a < threads; a++)
		for (int n = 2, at = rnd(3); n > 0; n--) {
			if (n == at)
				put(p, a, rnd(2) ? P_CHOOSE : P_ALLOC, 0);
			basic(p, a);
			if (n == at)
				p->op[a][p->n[a] - 1].only_if = rnd(2);
		}
}

/* Each thread does one or two things with primitives around plain accesses. */
static void random_primitives(struct program *p)
{
	int threads = 2 + rnd(2);

	memset(p, 0, sizeof(*p));
	for (int a = 0; a < threads; a++)
		for (int n = threads == 2 ? 3 : 2; n > 0; n--) {
			switch (rnd(6)) {
			case 0:
				put(p, a, P_LOCK, 0);
				basic(p, a);
				put(p, a, P_UNLOCK, 0);
				break;
			case 1:
				put(p, a, rnd(3) ? P_SLEEP : P_SLEEP_EARLY, 0);
				break;
			case 2:
				put(p, a, P_WAKE, (a + 1) % threads);
				break;
			case 3:
				put(p, a, P_RCU_LOCK, 0);
				basic(p, a);
				put(p, a, P_RCU_UNLOCK, 0);
				break;
			case 4:
				put(p, a, P_SYNC, 0);
				basic(p, a);
				break;
			default:
				if (a >= TIMERS) {
					basic(p, a);
					break;
				}
				put(p, a, P_ARM, 0);
				if (!p->n[THREADS + a])
					basic(p, THREADS + a);
				if (rnd(2))
					put(p, a, P_DELETE, 0);
			}
		}
}

/* ---- the comparison ----------------------------------------------------------------- */

static uint64_t total[2], blocked_runs[2];

static void compare_both(const struct program *p, bool tso, int number)
{
	struct classes *engine_side = calloc(1, sizeof(*engine_side));
	struct classes *machine_side = calloc(1, sizeof(*machine_side));
	uint32_t shared;
	uint64_t blocked;
	size_t differ;

	program_run_engine(p, tso, &shared, engine_side, &blocked);
	program_run_machine(p, tso, shared, machine_side);
	sort_unique(engine_side);
	sort_unique(machine_side);
	differ = classes_differ(engine_side, machine_side);
	if (differ || engine_side->duplicates) {
		program_print(p);
		ck_abort_msg("program %d %s: %zu classes differ, %zu twice "
			     "(search %zu, machine %zu)",
			     number, tso ? "tso" : "sc", differ,
			     engine_side->duplicates, engine_side->n,
			     machine_side->n);
	}
	total[tso] += engine_side->n;
	blocked_runs[tso] += blocked;
	classes_free(engine_side);
	classes_free(machine_side);
	free(engine_side);
	free(machine_side);
}

/* Of the programs one in so many: a guest takes its time. */
#ifndef BRUTE_SHARE
#define BRUTE_SHARE 1
#endif

static void run_programs(int n, uint64_t first_seed, enum mix mix, int max)
{
	struct program *p = malloc(sizeof(*p));
	uint64_t classes[2] = { 0, 0 }, blocked[2] = { 0, 0 };

	if (getenv("TRAPLINE_FULL")) /* ./dev check --full */
		n *= 10;
	n /= BRUTE_SHARE;
	for (int i = 0; i < n; i++) {
		seed = first_seed + i * 7919ull;
		if (mix == PRIMITIVES)
			random_primitives(p);
		else if (mix == LOCKS)
			random_locks(p);
		else if (mix == FLAGS)
			random_flags(p);
		else if (mix == HELD)
			random_held(p);
		else if (mix == TRIES)
			random_tries(p);
		else if (mix == CHOICES)
			random_choices(p);
		else
			random_basic(p, max, mix);
		for (int tso = 0; tso < 2; tso++) {
			total[tso] = blocked_runs[tso] = 0;
			compare_both(p, tso, i);
			classes[tso] += total[tso];
			blocked[tso] += blocked_runs[tso];
		}
	}
	static const char *const with[] = { "",
					    " with awaits",
					    " with words in no order",
					    " with loops that wait",
					    " that want a lock",
					    " that want one held in a wait",
					    " that try a lock",
					    " with primitives",
					    " with choices" };

	printf("%d programs%s: %lu classes under sc, %lu under tso; "
	       "runs without one: %lu, %lu\n",
	       n, with[mix], classes[0], classes[1], blocked[0], blocked[1]);
	free(p);
}

/* Programs of one mix; each a test case, so that one can be asked for by name. */
static const struct {
	const char *name;
	int n;
	uint64_t seed;
	enum mix mix;
	int max; /* operations of a thread */
} batches[] = {
	{ "basic", 3000, 1, BASIC, 3 },
	{ "longer", 200, 5000000, BASIC, 5 },
	{ "awaits", 1000, 3000000, AWAITS, 4 },
	{ "flags", 1000, 4000000, FLAGS, 0 },
	{ "loops", 1000, 3000000, SPINS, 4 },
	{ "locks", 200, 1000000, LOCKS, 0 },
	{ "held", 100, 2000000, HELD, 0 },
	{ "tries", 200, 1000000, TRIES, 0 },
	{ "primitives", 400, 9000000, PRIMITIVES, 0 },
	{ "choices", 600, 7000000, CHOICES, 0 },
};

START_TEST(batch)
{
	ck_assert_int_eq(explore_init(NULL, NULL), 0);
	run_programs(batches[_i].n, batches[_i].seed, batches[_i].mix,
		     batches[_i].max);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("brute");

	for (size_t i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
		TCase *tc = tcase_create(batches[i].name);

		tcase_set_timeout(tc, 600);
		tcase_add_loop_test(tc, batch, i, i + 1);
		suite_add_tcase(s, tc);
	}
	return suite_run(s, CK_FORK_GETENV);
}
