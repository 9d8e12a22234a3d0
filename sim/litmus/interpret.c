// SPDX-License-Identifier: GPL-2.0-only
/*
 * interpret.c - statements and expressions of a thread, over the hooks.
 *
 * int arithmetic wraps, as the kernel's does. Mistakes that the kernel's own
 * debugging would find end the exploration: unlocking what is not held, leaving a
 * section that was not entered.
 */
#include "interpret.h"

#include "engine.h"

#include <string.h>

__attribute__((noreturn)) static void mistake(const struct actor *a,
					      const struct litmus_expr *e,
					      const char *what)
{
	unsigned int line, column;

	litmus_place(a->in->t->text, e->at, &line, &column);
	runtime_fail(FIND_ASSERT, a->in->path, line, "P%d: %s %s", a->number,
		     e->call->name, what);
}

/* ---- calls ---------------------------------------------------------------------- */

static uint32_t applied(const struct primitive *p, uint32_t old, uint32_t v)
{
	switch (p->rmw) {
	case SIM_ADD:
		return old + v;
	case SIM_AND:
		return old & v;
	case SIM_OR:
		return old | v;
	case SIM_XOR:
		return old ^ v;
	default:
		return v;
	}
}

static int32_t rmw(const struct litmus_expr *e, void *word, const int32_t *v)
{
	const struct primitive *p = e->call;
	bool has_value = strchr(p->args, 'v') != NULL;
	uint32_t operand = (has_value ? (uint32_t)v[0] : 1) * p->sign;
	uint32_t expected = has_value ? v[1] : 0;
	uint32_t old, left;

	/* cmpxchg(x, expected, new) */
	if (p->rmw == SIM_CMPXCHG) {
		operand = v[1];
		expected = v[0];
	}
	old = sim_rmw(word, sizeof(int32_t), p->rmw, operand, expected,
		      e->order);
	left = applied(p, old, operand);
	switch (p->result) {
	case RES_NEW:
		return left;
	case RES_NEW_IS_ZERO:
		return left == 0;
	case RES_NEW_IS_NEGATIVE:
		return (int32_t)left < 0;
	case RES_WROTE:
		return old != expected;
	default:
		return old;
	}
}

static int32_t spin(struct actor *a, const struct litmus_expr *e, void *word)
{
	struct sim_lock *lock = word;
	uint64_t bit = 1ull << e->loc;
	bool taken = true;

	switch (e->call->act) {
	case ACT_SPIN_LOCK:
		sim_lock(lock, SIM_SPINLOCK, 0);
		break;
	case ACT_SPIN_TRYLOCK:
		taken = sim_trylock(lock, SIM_SPINLOCK, 0);
		break;
	case ACT_SPIN_IS_LOCKED:
		return sim_load(&lock->word, sizeof(lock->word), SIM_RELAXED) !=
		       0;
	default:
		if (!(a->held & bit))
			mistake(a, e, "of a lock that it does not hold");
		a->held &= ~bit;
		sim_unlock(lock, SIM_SPINLOCK, 0);
		return 0;
	}
	if (taken) {
		a->held |= bit;
		a->took[e->loc] = e;
	}
	return taken;
}

static void may_sleep(const struct actor *a, const struct litmus_expr *e)
{
	if (a->held)
		mistake(a, e, "sleeps, but a spin lock is held");
	if (a->rcu_depth)
		mistake(a, e, "sleeps in a section of RCU");
}

/* Sections nest; the outermost counts. Without a grace period none does. */
static void rcu(struct actor *a, const struct litmus_expr *e)
{
	bool counts = a->in->t->has_grace_period;

	switch (e->call->act) {
	case ACT_RCU_LOCK:
		a->entered = e;
		if (!a->rcu_depth++ && counts)
			a->rcu_token = sim_rcu_lock(a->in->rcu);
		break;
	case ACT_RCU_UNLOCK:
		if (!a->rcu_depth)
			mistake(a, e, "outside of a section");
		if (!--a->rcu_depth && counts)
			sim_rcu_unlock(a->in->rcu, a->rcu_token);
		break;
	default:
		if (a->rcu_depth)
			mistake(a, e, "in a section waits for itself");
		may_sleep(a, e);
		sim_rcu_sync(a->in->rcu);
		break;
	}
}

static int32_t srcu(struct actor *a, const struct litmus_expr *e, void *word,
		    int32_t token)
{
	struct sim_rcu *domain = word;

	switch (e->call->act) {
	case ACT_SRCU_LOCK:
		return sim_rcu_lock(domain);
	case ACT_SRCU_UNLOCK:
		if (token < 0 || token / 64 >= SIM_MAX_THREADS)
			mistake(a, e, "with what srcu_read_lock did not give");
		sim_rcu_unlock(domain, token);
		return 0;
	default:
		may_sleep(a, e);
		sim_rcu_sync(domain);
		return 0;
	}
}

static void *word_of(const struct actor *a, const struct litmus_expr *e)
{
	int l = e->loc;

	if (e->via >= 0) {
		l = a->reg[e->via] - LITMUS_ADDRESS;
		if (l < 0 || l >= a->in->t->nr_loc)
			mistake(a, e, "through a null pointer");
	}
	return l < 0 ? NULL : a->in->word[l];
}

static int32_t evaluate(struct actor *a, const struct litmus_expr *e);

static int32_t call(struct actor *a, const struct litmus_expr *e)
{
	int32_t v[2] = { 0, 0 };
	void *word;

	for (int i = 0; i < 2 && e->arg[i]; i++)
		v[i] = evaluate(a, e->arg[i]);
	a->waits_in = e;
	word = word_of(a, e);
	depend_tell(e->via >= 0 ? a->from[e->via] : 0);
	switch (e->call->act) {
	case ACT_NOTHING:
		return 0;
	case ACT_LOAD:
		return sim_load(word, sizeof(int32_t), e->order);
	case ACT_STORE:
		sim_store(word, sizeof(int32_t), (uint32_t)v[0], e->order);
		return 0;
	case ACT_STORE_MB:
		sim_store(word, sizeof(int32_t), (uint32_t)v[0], SIM_RELAXED);
		sim_fence(SIM_MB);
		return 0;
	case ACT_RMW:
		return rmw(e, word, v);
	case ACT_FENCE:
		sim_fence(e->call->fence);
		return 0;
	case ACT_SPIN_LOCK:
	case ACT_SPIN_TRYLOCK:
	case ACT_SPIN_UNLOCK:
	case ACT_SPIN_IS_LOCKED:
		return spin(a, e, word);
	case ACT_RCU_LOCK:
	case ACT_RCU_UNLOCK:
	case ACT_RCU_SYNC:
		rcu(a, e);
		return 0;
	case ACT_SRCU_LOCK:
	case ACT_SRCU_UNLOCK:
	case ACT_SRCU_SYNC:
		return srcu(a, e, word, v[0]);
	}
	return 0;
}

/* ---- expressions ------------------------------------------------------------------- */

static int32_t operator(struct actor *a, const struct litmus_expr *e)
{
	int32_t x = evaluate(a, e->arg[0]), y;

	switch (e->op) {
	case LITMUS_NEGATE:
		return -(uint32_t)x;
	case LITMUS_INVERT:
		return ~x;
	case LITMUS_NOT:
		return !x;
	case LITMUS_BOTH:
		return x && evaluate(a, e->arg[1]);
	case LITMUS_EITHER:
		return x || evaluate(a, e->arg[1]);
	default:
		break;
	}
	y = evaluate(a, e->arg[1]);
	switch (e->op) {
	case LITMUS_PLUS:
		return (uint32_t)x + (uint32_t)y;
	case LITMUS_MINUS:
		return (uint32_t)x - (uint32_t)y;
	case LITMUS_TIMES:
		return (uint32_t)x * (uint32_t)y;
	case LITMUS_BIT_AND:
		return x & y;
	case LITMUS_BIT_OR:
		return x | y;
	case LITMUS_BIT_XOR:
		return x ^ y;
	case LITMUS_EQUAL:
		return x == y;
	case LITMUS_DIFFERENT:
		return x != y;
	case LITMUS_LESS:
		return x < y;
	case LITMUS_LESS_EQUAL:
		return x <= y;
	case LITMUS_GREATER:
		return x > y;
	default:
		return x >= y;
	}
}

static int32_t evaluate(struct actor *a, const struct litmus_expr *e)
{
	switch (e->kind) {
	case EXPR_CONST:
		return e->value;
	case EXPR_REGISTER:
		return a->reg[e->reg];
	case EXPR_OPERATOR:
		return operator(a, e);
	case EXPR_CALL:
		return call(a, e);
	}
	return 0;
}

/* ---- statements ------------------------------------------------------------------------ */

/* The read whose value is that of e, if it is one that what it leads to depends on. */
static int source_of(const struct actor *a, const struct litmus_expr *e)
{
	if (e->kind == EXPR_CALL && e->call->act == ACT_LOAD)
		return depend_last();
	return e->kind == EXPR_REGISTER ? a->from[e->reg] : 0;
}

static void execute(struct actor *a, const struct litmus_stmt *s)
{
	for (; s; s = s->next) {
		int32_t v = evaluate(a, s->expr);

		if (s->kind == STMT_ASSIGN) {
			a->reg[s->reg] = v;
			a->from[s->reg] = source_of(a, s->expr);
		} else if (s->kind == STMT_IF) {
			execute(a, v ? s->then : s->otherwise);
		}
	}
}

void interpret(void *arg)
{
	struct actor *a = arg;
	const struct litmus_thread *t = &a->in->t->thread[a->number];

	for (int i = 0; i < t->nr_reg; i++) {
		a->reg[i] = t->reg[i].initial;
		a->from[i] = 0;
	}
	a->held = 0;
	a->rcu_depth = a->rcu_token = 0;
	execute(a, t->body);
	if (a->held)
		mistake(a, a->took[__builtin_ctzll(a->held)],
			"of a lock that is never dropped");
	if (a->rcu_depth)
		mistake(a, a->entered, "of a section that does not end");
	a->waits_in = NULL;
}
