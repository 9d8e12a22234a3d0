// SPDX-License-Identifier: GPL-2.0-only
/*
 * hook.c - from an access to an operation, or to plain memory.
 */
#include "hook.h"

#include "cpu.h"
#include "grace.h"

#include "trapline/choose.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_WAYS 256 /* each is a graph to follow */

bool hook_prepare(struct request *q, uintptr_t addr, unsigned int size,
		  enum locate_how how, const void *pc)
{
	unsigned int off = 0;
	int loc;

	q->touch = false;
	q->ev.addr = 0;
	q->ev.size = size;
	if (engine->mode != RUN_SEARCH && engine->mode != RUN_SEQUENTIAL)
		return false;
	/* a null pointer is left to the access itself to trip over */
	if (addr < 4096)
		return false;
	access_settle();
	if (engine->stop)
		runtime_park_forever();
	runtime_count();
	loc = memory_locate(addr, &size, how, &off);
	q->ev.size = size;
	q->touch = loc == LOCATE_TOUCH;
	if (engine->mode == RUN_SEARCH && engine->stop)
		runtime_park_forever();
	if (loc < 0 && (engine->mode == RUN_SEARCH ||
			memory_on_stack(addr, engine->cur))) {
		if ((how & LOCATE_WRITE) && !memory_on_stack(addr, engine->cur))
			engine->t[engine->cur].private_writes++;
		else if (!(how & LOCATE_WRITE) && spin_may_be_alone())
			spin_alone(addr, size, pc);
		return false;
	}
	*q = (struct request){
		.ev = { .loc = loc,
			.off = off,
			.size = size,
			.addr = addr,
			.through = depend_address(addr),
			.object = memory_object(addr) },
		.pc = pc,
	};
	engine->mixed |= loc >= 0 && size != engine->loc[loc].size;
	return true;
}

/* The part of an access that the next eight aligned bytes hold. */
static unsigned int within_word(uintptr_t addr, unsigned int size)
{
	unsigned int n = 8 - (addr & 7);

	return n < size ? n : size;
}

unsigned int hook_plain(void)
{
	const struct thread *t = &engine->t[engine->cur];

	return HOOK_PLAIN | (t->may_race ? HOOK_RACY : 0) |
	       (t->seq_writes || t->seq_reads ? HOOK_RETRIED : 0);
}

void hook_describe(struct request *q, enum event_kind kind, unsigned int op,
		   size_t size)
{
	q->ev.kind = kind;
	q->ev.op = op & 0xff;
	q->ev.order = op >> 8 & 0xff;
	if (op & HOOK_PLAIN) {
		q->ev.flags = EVF_PLAIN | (op & HOOK_RACY ? EVF_RACY : 0) |
			      (op & HOOK_RETRIED ? EVF_RETRIED : 0);
	} else if (q->ev.size < size) {
		q->ev.flags = EVF_SPLIT;
		engine->mixed = true;
	}
}

/* Of an operation, as memory_locate has to know it. */
static enum locate_how ordered(unsigned int op)
{
	return op & (HOOK_ACQUIRE | HOOK_RELEASE | HOOK_FULL) ? LOCATE_ORDERED
							      : 0;
}

uint64_t hook_read(uintptr_t addr, unsigned int size, unsigned int op,
		   const void *pc)
{
	struct request q;
	uint64_t v = 0, part;

	for (unsigned int done = 0; done < size; done += q.ev.size) {
		uintptr_t at = addr + done;

		if (hook_prepare(&q, at, within_word(at, size - done),
				 LOCATE_READ | ordered(op), pc)) {
			hook_describe(&q, EV_READ, op, size);
			part = runtime_point(&q);
		} else {
			if (q.touch)
				memory_touch(at);
			part = memory_read(at, q.ev.size);
		}
		v |= part << 8 * done;
	}
	return v;
}

void hook_write(uintptr_t addr, unsigned int size, uint64_t v, unsigned int op,
		const void *pc)
{
	struct request q;

	for (unsigned int done = 0; done < size; done += q.ev.size) {
		uintptr_t at = addr + done;
		uint64_t part = v >> 8 * done;

		if (hook_prepare(&q, at, within_word(at, size - done),
				 LOCATE_WRITE | ordered(op), pc)) {
			hook_describe(&q, EV_WRITE, op, size);
			q.ev.val = part & size_mask(q.ev.size);
			runtime_point(&q);
		} else {
			if (q.touch)
				memory_touch(at);
			memory_write(at, q.ev.size, part);
		}
	}
}

/* Nobody else touches the word as far as we know: wait for ever. */
static void wait_alone(const struct event *e, uintptr_t addr, const void *pc)
{
	struct thread *t = &engine->t[engine->cur];

	if (engine->cur < 0)
		runtime_refuse("the scenario's set-up waits for ever: a lock "
			       "is taken twice?");
	cpu_point(OP_IDLE);
	t->pending = (struct request){ .ev = *e, .pc = pc };
	t->pending.ev.addr = addr;
	t->state = THREAD_BLOCKED;
	t->alone = true;
	runtime_park_forever();
}

uint64_t hook_rmw(uintptr_t addr, unsigned int size, const struct hook_op *op,
		  const void *pc)
{
	struct request q;
	struct event e = {
		.op = op->op & 0xff,
		.order = op->op >> 8,
		.size = size,
		.rmw = op->rmw,
		.operand = op->operand & size_mask(size),
		.mask = op->mask & size_mask(size),
		.want = op->want & size_mask(size),
		.negate = op->negate,
		.flags = op->await ? EVF_AWAIT : 0,
	};
	uint64_t old, val;

	if ((addr & 7) + size > 8 && engine->cur >= 0)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "an atomic access crosses eight aligned bytes");
	if (!hook_prepare(&q, addr, size,
			  LOCATE_WHOLE | ordered(op->op) |
				  (op->rmw != RMW_NONE ? LOCATE_WRITE : 0),
			  pc)) {
		old = memory_read(addr, size);
		if (op->await && !condition_holds(&e, old))
			wait_alone(&e, addr, pc);
		if (q.touch)
			memory_touch(addr);
		if (rmw_result(&e, old, &val))
			memory_write(addr, size, val);
		/* its word is private, its effect on the order is not */
		if (!op->plain_await && engine->model == GRAPH_TSO &&
		    !grace_is_word(&e))
			hook_fence(pc);
		return old;
	}
	if (op->await && q.ev.loc >= 0)
		await_note_wait(q.ev.loc);
	e.loc = q.ev.loc;
	e.off = q.ev.off;
	e.addr = q.ev.addr;
	e.object = q.ev.object;
	e.through = q.ev.through;
	q.ev = e;
	if (!op->plain_await)
		return runtime_rmw(&q);
	q.ev.kind = EV_READ;
	return runtime_point(&q);
}

uint64_t hook_cmpxchg(uintptr_t addr, unsigned int size, uint64_t expected,
		      uint64_t v, unsigned int order, const void *pc)
{
	return hook_rmw(addr, size,
			&(struct hook_op){ .op = OP_CMPXCHG | order,
					   .rmw = RMW_XCHG,
					   .operand = v,
					   .mask = ~0ull,
					   .want = expected },
			pc);
}

/* Under SC, and in a run on real memory, a fence orders nothing new. */
static bool fence_matters(enum event_order kind)
{
	if (engine->mode != RUN_SEARCH)
		return false;
	return engine->model == GRAPH_LKMM ||
	       (engine->model == GRAPH_TSO && kind == ORDER_MB);
}

static void fence(enum event_order kind, const void *pc)
{
	struct request q = { .ev = { .kind = EV_FENCE,
				     .op = OP_FENCE,
				     .order = kind,
				     .loc = -1,
				     .object = -1 },
			     .pc = pc };

	runtime_point(&q);
}

void hook_barrier(enum event_order kind, const void *pc)
{
	if (fence_matters(kind))
		fence(kind, pc);
}

void hook_fence(const void *pc)
{
	hook_barrier(ORDER_MB, pc);
}

void hook_grace_end(const void *pc)
{
	if (engine->mode == RUN_SEARCH)
		fence(ORDER_MB, pc);
}

void hook_defer(const char *name, void (*entry)(void *), void *object,
		void *extra, void (*func)(void *), bool daemon, const void *pc)
{
	struct thread *t = &engine->t[engine->cur];
	struct deferred *d;

	if (t->nr_deferred == DEFERRED)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "one thread starts more than %d timers and "
			     "callbacks",
			     DEFERRED);
	d = &t->deferred[t->nr_deferred++];
	*d = (struct deferred){ object, extra, func };
	runtime_spawn(name, entry, d, daemon, pc);
}

static uint64_t choose(enum explore_op op, unsigned int ways, int number,
		       const void *pc)
{
	struct request q = { .ev = { .kind = EV_CHOOSE,
				     .op = op,
				     .operand = ways,
				     .peer = number,
				     .loc = -1,
				     .object = -1 },
			     .pc = pc };

	return runtime_point(&q);
}

unsigned int hook_choose(unsigned int ways, const void *pc)
{
	if (engine->cur < 0)
		runtime_refuse("trapline_choose() in set-up, which runs once: "
			       "choose in a thread");
	if (!ways || ways > MAX_WAYS)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "trapline_choose(%u): expected 1 to %u ways", ways,
			     MAX_WAYS);
	return choose(OP_CHOOSE, ways, ++engine->t[engine->cur].nr_choices, pc);
}

bool hook_alloc_fails(const void *pc)
{
	if (engine->cur < 0 ||
	    (engine->mode == RUN_SEARCH && !engine->alloc_failures))
		return false;
	return choose(OP_ALLOC, 2, ++engine->t[engine->cur].nr_allocs, pc);
}

bool hook_wakes_early(const void *pc)
{
	return choose(OP_WAKEUP, 2, ++engine->t[engine->cur].nr_waits, pc);
}

unsigned int trapline_choose(unsigned int ways)
{
	return hook_choose(ways, __builtin_return_address(0));
}
