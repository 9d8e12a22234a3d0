// SPDX-License-Identifier: GPL-2.0-only
/*
 * world_hooks.c - see world_hooks.h. Values come and go as in world.h: extended
 * with zeros.
 */
#include "world_hooks.h"

#include <string.h>

#include "world.h"
#include "world_plain.h"

struct world_hook world_last;
const unsigned int *world_watch;
static int nr_plain, nr_volatile;

static unsigned long get(const volatile void *p, int size)
{
	unsigned long v = 0;

	memcpy(&v, (const void *)p, size);
	return v;
}

static void hooked(struct world_hook h)
{
	h.watched = world_watch ? *world_watch : 0;
	world_last = h;
}

static void check_bits(unsigned long v, int size)
{
	if (size < 8 && v >> (8 * size))
		sim_bug("a value is wider than its access", __FILE__, __LINE__);
}

unsigned long sim_load(const volatile void *p, int size, enum sim_order order)
{
	hooked((struct world_hook){
		.kind = HOOK_LOAD, .size = size, .order = order });
	return get(p, size);
}

void sim_store(volatile void *p, int size, unsigned long v,
	       enum sim_order order)
{
	check_bits(v, size);
	hooked((struct world_hook){ .kind = HOOK_STORE,
				    .size = size,
				    .order = order,
				    .operand = v });
	memcpy((void *)p, &v, size);
}

unsigned long sim_rmw(volatile void *p, int size, enum sim_rmw op,
		      unsigned long operand, unsigned long expected,
		      enum sim_order order)
{
	unsigned long old = get(p, size), v = old;

	check_bits(operand, size);
	check_bits(expected, size);
	hooked((struct world_hook){ .kind = HOOK_RMW,
				    .size = size,
				    .op = op,
				    .order = order,
				    .operand = operand,
				    .expected = expected });
	switch (op) {
	case SIM_XCHG:
		v = operand;
		break;
	case SIM_ADD:
		v = old + operand;
		break;
	case SIM_AND:
		v = old & operand;
		break;
	case SIM_OR:
		v = old | operand;
		break;
	case SIM_XOR:
		v = old ^ operand;
		break;
	case SIM_CMPXCHG:
		v = old == expected ? operand : old;
		break;
	case SIM_ADD_UNLESS:
		v = old != expected ? old + operand : old;
		break;
	}
	memcpy((void *)p, &v, size);
	return old;
}

void sim_fence(enum sim_fence kind)
{
	hooked((struct world_hook){ .kind = HOOK_FENCE, .op = kind });
}

unsigned long sim_await(const volatile void *p, int size,
			const struct sim_cond *until, enum sim_order order)
{
	unsigned long v = get(p, size);

	hooked((struct world_hook){
		.kind = HOOK_AWAIT, .size = size, .order = order });
	if (((v & until->mask) == until->want) == !!until->negate)
		sim_bug("waits for a word", __FILE__, __LINE__);
	return v;
}

static int take(int *count)
{
	int n = *count;

	*count = 0;
	return n;
}

int world_plain(void)
{
	return take(&nr_plain);
}

int world_volatile(void)
{
	return take(&nr_volatile);
}

/* ---- what the compiler calls -------------------------------------------------- */

#define ACCESS(name, counter)        \
	void __tsan_##name(void *p); \
	void __tsan_##name(void *p)  \
	{                            \
		(counter)++;         \
	}
#define SIZES(prefix, counter)     \
	ACCESS(prefix##1, counter) \
	ACCESS(prefix##2, counter) \
	ACCESS(prefix##4, counter) \
	ACCESS(prefix##8, counter) \
	ACCESS(prefix##16, counter)

SIZES(read, nr_plain)
SIZES(write, nr_plain)
SIZES(unaligned_read, nr_plain)
SIZES(unaligned_write, nr_plain)
SIZES(volatile_read, nr_volatile)
SIZES(volatile_write, nr_volatile)
ACCESS(read_range, nr_plain)
ACCESS(write_range, nr_plain)

void __tsan_init(void);
void __sanitizer_cov_trace_pc(void);
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);

void __tsan_init(void)
{
}

void __sanitizer_cov_trace_pc(void)
{
}

void __tsan_func_entry(void *pc)
{
}

void __tsan_func_exit(void)
{
}

/* Here, nobody looks for races, and every section is the one thread's. */
void sim_may_race(int on)
{
}

void sim_seqcount_reads(int on)
{
}

void sim_seqcount_writes(int on)
{
}

void sim_rcu_leaves_own(struct sim_rcu *d, int token)
{
}

/* One CPU, to which no interrupt comes. */
static unsigned long irqs_off;
static unsigned int preempt_count;

int sim_cpu(void)
{
	return 0;
}

int sim_nr_cpus(void)
{
	return 1;
}

void *sim_percpu_copy(const void *p, int cpu)
{
	return (void *)p;
}

unsigned long sim_irqs_off(void)
{
	unsigned long were_off = irqs_off;

	irqs_off = 1;
	return were_off;
}

void sim_irqs_restore(unsigned long were_off)
{
	irqs_off = were_off;
}

int sim_irqs_disabled(void)
{
	return irqs_off;
}

void sim_preempt_add(int n)
{
	preempt_count += n;
}

unsigned int sim_preempt_count(void)
{
	return preempt_count;
}

int sim_work_number(void)
{
	return 0;
}

void sim_might_sleep(void)
{
}
