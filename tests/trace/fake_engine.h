/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fake_engine.h - explore.h over tiny programs given as tables.
 *
 * Enough of an engine to test what stands on it: threads are lists of
 * operations on 8-byte words, run one at a time on real memory.
 */
#ifndef TESTS_TRACE_FAKE_ENGINE_H
#define TESTS_TRACE_FAKE_ENGINE_H

#include "explore.h"

struct fake_op {
	enum explore_op op;
	uint64_t *word; /* NULL: the operation has no object */
	uint64_t val;	/* operand; for create and join, the thread */
	bool fails;	/* an assertion fails if `bad` was read */
	uint64_t bad;
	const void *pc;
};

struct fake_thread {
	const char *name;
	const struct fake_op *op;
	size_t nr;
	bool created; /* does not exist until an OP_CREATE names it */
};

struct fake_heap {
	uintptr_t base;
	size_t size;
	const char *type;
	unsigned int number;
};

struct fake_function {
	void (*entry)(void);
	bool reached;
};

struct fake_program {
	const struct fake_thread *thread;
	int threads;
	uint64_t *memory; /* set to 0 before each run */
	size_t words;
	const struct fake_heap *heap;
	size_t heaps;
	const struct fake_function *function; /* those that tell */
	size_t functions;
};

extern struct fake_program fake;

#endif /* TESTS_TRACE_FAKE_ENGINE_H */
