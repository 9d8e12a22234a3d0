/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cases.h - the tests of model/linux, each a kernel-side function.
 *
 * Run in the world of one thread. A failed BUG_ON ends the
 * process with the place; Check runs each case in a process of its own.
 */
#ifndef TESTS_MODEL_LINUX_CASES_H
#define TESTS_MODEL_LINUX_CASES_H

#define LINUX_CASES(X)        \
	X(list_moves)         \
	X(list_del_poisons)   \
	X(list_rcu_unlinks)   \
	X(hlist_moves)        \
	X(tree_sorted)        \
	X(tree_equal_key)     \
	X(bits_ops)           \
	X(bits_find)          \
	X(log2)               \
	X(overflow)           \
	X(cpu_after)          \
	X(atomic_returns)     \
	X(cmpxchg_failure)    \
	X(minmax_once)        \
	X(string_all)         \
	X(slab_realloc)       \
	X(refcount_zero)      \
	X(refcount_saturates) \
	X(seq_reader)         \
	X(seq_try_begin)      \
	X(wait_done_already)  \
	X(wait_woken)         \
	X(wait_spurious)      \
	X(wait_signal)        \
	X(wait_leaves_queue)  \
	X(completion_counts)  \
	X(timer_states)       \
	X(timer_rearms)       \
	X(work_once)          \
	X(task_work_order)    \
	X(rcu_nests)          \
	X(rcu_frees_later)    \
	X(srcu_token_moves)   \
	X(guard_scope)        \
	X(mm_find)            \
	X(mm_cut)             \
	X(mm_speculation)     \
	X(mm_put_frees)       \
	X(file_bounds)        \
	X(entry_forced)       \
	X(entry_task_work)    \
	X(entry_idle)

/* The instrumented build only, which runs all of the above, too. */
#define LINUX_ORDER_CASES(X) \
	X(order_atomic)      \
	X(order_bits)        \
	X(order_barriers)    \
	X(order_refcount)    \
	X(order_seqcount)    \
	X(order_publish)     \
	X(order_plain)

#define X(name) void case_##name(void);
LINUX_CASES(X)
LINUX_ORDER_CASES(X)
#undef X

#endif /* TESTS_MODEL_LINUX_CASES_H */
