// SPDX-License-Identifier: GPL-2.0-only
/*
 * primitive.c - the table of primitives, and how their names are looked up.
 *
 * Arguments are as in the kernel's headers: READ_ONCE and its like take the word
 * itself, the others its address.
 */
#include "primitive.h"

#include <string.h>

/* The three forms of an atomic RMW: void, new value, old value. */
#define ATOMIC_FORMS(id, operation, signum)                                \
	{ .name = "atomic_" #id,                                           \
	  .args = "vp",                                                    \
	  .act = ACT_RMW,                                                  \
	  .rmw = operation,                                                \
	  .sign = signum },                                                \
	{                                                                  \
		.name = "atomic_fetch_" #id, .args = "vp", .act = ACT_RMW, \
		.rmw = operation, .sign = signum, .result = RES_OLD,       \
		.order = SIM_FULL, .suffixes = true                        \
	}

#define ATOMIC_RETURN(id, signum)                                              \
	{                                                                      \
		.name = "atomic_" #id "_return", .args = "vp", .act = ACT_RMW, \
		.rmw = SIM_ADD, .sign = signum, .result = RES_NEW,             \
		.order = SIM_FULL, .suffixes = true                            \
	}

#define ATOMIC_STEP(id, signum)                                 \
	{ .name = "atomic_" #id,                                \
	  .args = "p",                                          \
	  .act = ACT_RMW,                                       \
	  .rmw = SIM_ADD,                                       \
	  .sign = signum },                                     \
		{ .name = "atomic_" #id "_return",              \
		  .args = "p",                                  \
		  .act = ACT_RMW,                               \
		  .rmw = SIM_ADD,                               \
		  .sign = signum,                               \
		  .result = RES_NEW,                            \
		  .order = SIM_FULL,                            \
		  .suffixes = true },                           \
		{ .name = "atomic_fetch_" #id,                  \
		  .args = "p",                                  \
		  .act = ACT_RMW,                               \
		  .rmw = SIM_ADD,                               \
		  .sign = signum,                               \
		  .result = RES_OLD,                            \
		  .order = SIM_FULL,                            \
		  .suffixes = true },                           \
	{                                                       \
		.name = "atomic_" #id "_and_test", .args = "p", \
		.act = ACT_RMW, .rmw = SIM_ADD, .sign = signum, \
		.result = RES_NEW_IS_ZERO, .order = SIM_FULL    \
	}

#define RMW(id, arguments, operation, what)                    \
	{                                                      \
		.name = id, .args = arguments, .act = ACT_RMW, \
		.rmw = operation, .sign = 1, .result = what,   \
		.order = SIM_FULL, .suffixes = true            \
	}

#define LOAD(id, arguments, how)                                \
	{                                                       \
		.name = id, .args = arguments, .act = ACT_LOAD, \
		.result = RES_OLD, .order = how                 \
	}

#define STORE(id, arguments, how)                                             \
	{                                                                     \
		.name = id, .args = arguments, .act = ACT_STORE, .order = how \
	}

#define FENCE(id, what)                                                 \
	{                                                               \
		.name = id, .args = "", .act = ACT_FENCE, .fence = what \
	}

#define CALL(id, arguments, what, gives)                                    \
	{                                                                   \
		.name = id, .args = arguments, .act = what, .result = gives \
	}

static const struct primitive table[] = {
	LOAD("READ_ONCE", "*", SIM_RELAXED),
	LOAD("smp_load_acquire", "p", SIM_ACQUIRE),
	LOAD("rcu_dereference", "*", SIM_ADDRESS),
	LOAD("atomic_read", "p", SIM_RELAXED),
	LOAD("atomic_read_acquire", "p", SIM_ACQUIRE),
	STORE("WRITE_ONCE", "*v", SIM_RELAXED),
	STORE("smp_store_release", "pv", SIM_RELEASE),
	STORE("rcu_assign_pointer", "*v", SIM_RELEASE),
	STORE("atomic_set", "pv", SIM_RELAXED),
	STORE("atomic_set_release", "pv", SIM_RELEASE),
	CALL("smp_store_mb", "*v", ACT_STORE_MB, RES_NONE),

	FENCE("smp_mb", SIM_MB),
	FENCE("smp_rmb", SIM_RMB),
	FENCE("smp_wmb", SIM_WMB),
	CALL("barrier", "", ACT_NOTHING, RES_NONE),
	/* beside an RMW or a lock, where alone the kernel allows them */
	FENCE("smp_mb__before_atomic", SIM_MB_ATOMIC),
	FENCE("smp_mb__after_atomic", SIM_MB_ATOMIC),
	FENCE("smp_mb__after_spinlock", SIM_MB_ATOMIC),
	FENCE("smp_mb__after_unlock_lock", SIM_MB_ATOMIC),

	RMW("xchg", "pv", SIM_XCHG, RES_OLD),
	RMW("cmpxchg", "pvv", SIM_CMPXCHG, RES_OLD),
	RMW("atomic_xchg", "pv", SIM_XCHG, RES_OLD),
	RMW("atomic_cmpxchg", "pvv", SIM_CMPXCHG, RES_OLD),
	ATOMIC_FORMS(add, SIM_ADD, 1),
	ATOMIC_FORMS(sub, SIM_ADD, -1),
	ATOMIC_FORMS(and, SIM_AND, 1),
	ATOMIC_FORMS(or, SIM_OR, 1),
	ATOMIC_FORMS(xor, SIM_XOR, 1),
	ATOMIC_RETURN(add, 1),
	ATOMIC_RETURN(sub, -1),
	ATOMIC_STEP(inc, 1),
	ATOMIC_STEP(dec, -1),
	{ .name = "atomic_sub_and_test",
	  .args = "vp",
	  .act = ACT_RMW,
	  .rmw = SIM_ADD,
	  .sign = -1,
	  .result = RES_NEW_IS_ZERO,
	  .order = SIM_FULL },
	{ .name = "atomic_add_negative",
	  .args = "vp",
	  .act = ACT_RMW,
	  .rmw = SIM_ADD,
	  .sign = 1,
	  .result = RES_NEW_IS_NEGATIVE,
	  .order = SIM_FULL,
	  .suffixes = true },
	{ .name = "atomic_add_unless",
	  .args = "pvv",
	  .act = ACT_RMW,
	  .rmw = SIM_ADD_UNLESS,
	  .sign = 1,
	  .result = RES_WROTE,
	  .order = SIM_FULL },
	{ .name = "atomic_fetch_add_unless",
	  .args = "pvv",
	  .act = ACT_RMW,
	  .rmw = SIM_ADD_UNLESS,
	  .sign = 1,
	  .result = RES_OLD,
	  .order = SIM_FULL },
	{ .name = "atomic_inc_not_zero",
	  .args = "p",
	  .act = ACT_RMW,
	  .rmw = SIM_ADD_UNLESS,
	  .sign = 1,
	  .result = RES_WROTE,
	  .order = SIM_FULL },

	CALL("spin_lock", "l", ACT_SPIN_LOCK, RES_NONE),
	CALL("spin_trylock", "l", ACT_SPIN_TRYLOCK, RES_OLD),
	CALL("spin_unlock", "l", ACT_SPIN_UNLOCK, RES_NONE),
	CALL("spin_is_locked", "l", ACT_SPIN_IS_LOCKED, RES_OLD),
	CALL("rcu_read_lock", "", ACT_RCU_LOCK, RES_NONE),
	CALL("rcu_read_unlock", "", ACT_RCU_UNLOCK, RES_NONE),
	CALL("synchronize_rcu", "", ACT_RCU_SYNC, RES_NONE),
	CALL("synchronize_rcu_expedited", "", ACT_RCU_SYNC, RES_NONE),
	CALL("srcu_read_lock", "s", ACT_SRCU_LOCK, RES_OLD),
	CALL("srcu_read_unlock", "sv", ACT_SRCU_UNLOCK, RES_NONE),
	CALL("synchronize_srcu", "s", ACT_SRCU_SYNC, RES_NONE),
	CALL("synchronize_srcu_expedited", "s", ACT_SRCU_SYNC, RES_NONE),
};

#define NR (sizeof(table) / sizeof(table[0]))

static const struct primitive *find(const char *name, size_t len)
{
	for (size_t i = 0; i < NR; i++)
		if (strlen(table[i].name) == len &&
		    !memcmp(table[i].name, name, len))
			return &table[i];
	return NULL;
}

const struct primitive *primitive_find(const char *name, size_t len,
				       enum sim_order *order)
{
	static const struct {
		const char *text;
		enum sim_order order;
	} suffix[] = {
		{ "_relaxed", SIM_RELAXED },
		{ "_acquire", SIM_ACQUIRE },
		{ "_release", SIM_RELEASE },
	};
	const struct primitive *p = find(name, len);

	if (p) {
		*order = p->order;
		return p;
	}
	for (int i = 0; i < 3; i++) {
		size_t n = strlen(suffix[i].text);

		if (len <= n || memcmp(name + len - n, suffix[i].text, n))
			continue;
		*order = suffix[i].order;
		p = find(name, len - n);
		return p && p->suffixes ? p : NULL;
	}
	return NULL;
}

#define NEAR_MAX 32 /* longer names look like nothing */

/* Letters to change, insert or drop. */
static unsigned int distance(const char *a, size_t n, const char *b)
{
	unsigned int row[NEAR_MAX + 1];
	size_t m = strlen(b);

	if (n > NEAR_MAX || m > NEAR_MAX)
		return NEAR_MAX;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		unsigned int corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			unsigned int change = corner + (a[i - 1] != b[j - 1]);
			unsigned int best = row[j] < row[j - 1] ? row[j]
								: row[j - 1];

			corner = row[j];
			row[j] = best + 1 < change ? best + 1 : change;
		}
	}
	return row[m];
}

const char *primitive_near(const char *name, size_t len)
{
	const char *best = NULL;
	unsigned int least = 4;

	for (size_t i = 0; i < NR; i++) {
		unsigned int d = distance(name, len, table[i].name);

		if (d < least && d * 2 < len) {
			least = d;
			best = table[i].name;
		}
	}
	return best;
}
