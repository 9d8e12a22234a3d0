// SPDX-License-Identifier: GPL-2.0-only
/*
 * tsan.c - what the compiler's instrumentation calls before each access.
 *
 * -fsanitize=thread at compile time only; these definitions take the place of
 * libtsan. Plain and volatile accesses are only announced (access.c); the
 * __tsan_atomic calls perform them.
 */
#include "hook.h"

#include <stdio.h>

#define PC __builtin_return_address(0)
#define NO_INSTR __attribute__((noinline))

/* clang-format off */
#define ACCESS(name, size, write, plain)                                       \
	void __tsan_##name(void *p);                                           \
	void __tsan_##name(void *p)                                            \
	{                                                                      \
		hook_access((uintptr_t)p, size, write, plain, PC);             \
	}
#define SIZES(prefix, write, plain)                                            \
	ACCESS(prefix##1, 1, write, plain)                                     \
	ACCESS(prefix##2, 2, write, plain)                                     \
	ACCESS(prefix##4, 4, write, plain)                                     \
	ACCESS(prefix##8, 8, write, plain)                                     \
	ACCESS(prefix##16, 16, write, plain)
/* clang-format on */

SIZES(read, false, true)
SIZES(write, true, true)
SIZES(unaligned_read, false, true)
SIZES(unaligned_write, true, true)
SIZES(volatile_read, false, false)
SIZES(volatile_write, true, false)
SIZES(unaligned_volatile_read, false, false)
SIZES(unaligned_volatile_write, true, false)

void __tsan_read_range(void *p, unsigned long size);
void __tsan_read_range(void *p, unsigned long size)
{
	hook_access((uintptr_t)p, size, false, true, PC);
}

void __tsan_write_range(void *p, unsigned long size);
void __tsan_write_range(void *p, unsigned long size)
{
	hook_access((uintptr_t)p, size, true, true, PC);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *call_site);
void __tsan_func_entry(void *call_site)
{
	struct thread *t;

	if (!engine || engine->cur < 0)
		return;
	access_settle();
	t = &engine->t[engine->cur];
	if (t->depth < SHADOW_STACK)
		t->shadow[t->depth] = call_site;
	t->depth++;
	if (engine->calls && engine->mode == RUN_SEQUENTIAL) {
		struct request q = { .ev = { .kind = EV_FENCE,
					     .op = OP_CALL,
					     .loc = -1,
					     .object = -1 },
				     .pc = PC };

		runtime_point(&q);
	}
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
	struct thread *t;

	if (!engine || engine->cur < 0)
		return;
	access_settle();
	t = &engine->t[engine->cur];
	if (--t->depth < t->seq_reads)
		t->seq_reads = 0;
}

/* ---- C11 atomics ----------------------------------------------------------- */

/*
 * C11 orders in the kernel's terms: relaxed, acquire and release are the same there. A
 * seq_cst access is an acquire and a release with a full barrier right before it, as
 * compilers for Power have it ("leading sync"). So there is one between any two of a
 * thread, which makes them sequentially consistent. What follows one may overtake it,
 * unless it is seq_cst itself: C11 says no more. What comes before may not, though C11
 * and x86 let a seq_cst load overtake a release store; TSO is the model that shows that.
 */
static unsigned int seq_cst(int order)
{
	return order == __ATOMIC_SEQ_CST ? HOOK_MB : 0;
}

static unsigned int load_order(int order)
{
	return order == __ATOMIC_RELAXED ? 0 : HOOK_ACQUIRE | seq_cst(order);
}

static unsigned int store_order(int order)
{
	return order == __ATOMIC_RELAXED ? 0 : HOOK_RELEASE | seq_cst(order);
}

static unsigned int rmw_order(int order)
{
	switch (order) {
	case __ATOMIC_RELAXED:
		return 0;
	case __ATOMIC_RELEASE:
		return HOOK_RELEASE;
	case __ATOMIC_ACQ_REL:
	case __ATOMIC_SEQ_CST:
		return HOOK_ACQUIRE | HOOK_RELEASE | seq_cst(order);
	default:
		return HOOK_ACQUIRE;
	}
}

/* One that fails is a load of its own order. */
static unsigned int cas_order(int order, int fail_order)
{
	unsigned int failed = load_order(fail_order);

	return rmw_order(order) |
	       (failed & HOOK_ACQUIRE ? HOOK_ORDER(ORDER_ACQUIRE_FAILED) : 0) |
	       (failed & HOOK_MB ? HOOK_ORDER(ORDER_MB_FAILED) : 0);
}

/* Under TSO a seq_cst store drains the store buffer, as on x86. */
static void atomic_store(uintptr_t addr, unsigned int size, uint64_t v,
			 int order, const void *pc)
{
	hook_write(addr, size, v, OP_WRITE | store_order(order), pc);
	if (order == __ATOMIC_SEQ_CST && engine->model == GRAPH_TSO)
		hook_fence(pc);
}

static uint64_t atomic_rmw(uintptr_t addr, unsigned int size, enum rmw_kind k,
			   enum explore_op op, uint64_t operand, int order,
			   const void *pc)
{
	return hook_rmw(addr, size,
			&(struct hook_op){ .op = op | rmw_order(order),
					   .rmw = k,
					   .operand = operand },
			pc);
}

#define ATOMIC(bits, type)                                                     \
	type __tsan_atomic##bits##_load(const volatile type *p, int order);    \
	type __tsan_atomic##bits##_load(const volatile type *p, int order)     \
	{                                                                      \
		return hook_read((uintptr_t)p, sizeof(type),                   \
				 OP_READ | load_order(order), PC);             \
	}                                                                      \
	void __tsan_atomic##bits##_store(volatile type *p, type v, int order); \
	void __tsan_atomic##bits##_store(volatile type *p, type v, int order)  \
	{                                                                      \
		atomic_store((uintptr_t)p, sizeof(type), v, order, PC);        \
	}                                                                      \
	ATOMIC_RMW(bits, type, exchange, RMW_XCHG, OP_XCHG, v)                 \
	ATOMIC_RMW(bits, type, fetch_add, RMW_ADD, OP_ADD, v)                  \
	ATOMIC_RMW(bits, type, fetch_sub, RMW_ADD, OP_ADD, -v)                 \
	ATOMIC_RMW(bits, type, fetch_and, RMW_AND, OP_AND, v)                  \
	ATOMIC_RMW(bits, type, fetch_or, RMW_OR, OP_OR, v)                     \
	ATOMIC_RMW(bits, type, fetch_xor, RMW_XOR, OP_XOR, v)                  \
	ATOMIC_RMW(bits, type, fetch_nand, RMW_NAND, OP_NAND, v)               \
	ATOMIC_CAS(bits, type, strong)                                         \
	ATOMIC_CAS(bits, type, weak)

#define ATOMIC_RMW(bits, type, name, kind, op, operand)                        \
	type __tsan_atomic##bits##_##name(volatile type *p, type v,            \
					  int order);                          \
	type __tsan_atomic##bits##_##name(volatile type *p, type v, int order) \
	{                                                                      \
		return atomic_rmw((uintptr_t)p, sizeof(type), kind, op,        \
				  (type)(operand), order, PC);                 \
	}

#define ATOMIC_CAS(bits, type, kind)                                         \
	int __tsan_atomic##bits##_compare_exchange_##kind(                   \
		volatile type *p, type *expected, type v, int order,         \
		int fail_order);                                             \
	int __tsan_atomic##bits##_compare_exchange_##kind(                   \
		volatile type *p, type *expected, type v, int order,         \
		int fail_order)                                              \
	{                                                                    \
		uintptr_t e = (uintptr_t)expected;                           \
		type want = hook_read(e, sizeof(type), OP_READ | HOOK_PLAIN, \
				      PC);                                   \
		type old = hook_cmpxchg((uintptr_t)p, sizeof(type), want, v, \
					cas_order(order, fail_order), PC);   \
                                                                             \
		if (old != want)                                             \
			hook_write(e, sizeof(type), old,                     \
				   OP_WRITE | HOOK_PLAIN, PC);               \
		return old == want;                                          \
	}

/* `expected` and the order arguments are used by name in the macros only */
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	switch (order) {
	case __ATOMIC_RELAXED:
		break;
	case __ATOMIC_SEQ_CST:
		hook_fence(PC);
		break;
	case __ATOMIC_RELEASE:
		hook_barrier(ORDER_RELEASE, PC);
		break;
	case __ATOMIC_ACQ_REL:
		hook_barrier(ORDER_ACQUIRE | ORDER_RELEASE, PC);
		break;
	default:
		hook_barrier(ORDER_ACQUIRE, PC);
	}
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
	(void)order;
}
