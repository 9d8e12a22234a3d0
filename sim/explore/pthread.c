// SPDX-License-Identifier: GPL-2.0-only
/*
 * pthread.c - plain C11 programs: threads, mutexes, assert, assume, malloc.
 *
 * These take the place of libc's for the scenario program. Of a mutex only the
 * first word is used, 0 when free. trapline/plain.h gives programs these names.
 */
#include "hook.h"
#include "blame.h"
#include "ledger.h"
#include "trapline/plain.h"

#undef abort
#undef calloc
#undef exit
#undef free
#undef malloc
#undef memcmp
#undef memcpy
#undef memmove
#undef memset

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#define PC __builtin_return_address(0)

void __VERIFIER_assume(int condition);

static void start_thread(void *arg)
{
	struct deferred *d = arg;
	void *(*fn)(void *) = (void *(*)(void *))d->extra;

	engine->t[engine->cur].result = fn(d->object);
}

int trapline_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			    void *(*fn)(void *), void *arg)
{
	struct thread *t = &engine->t[engine->cur];
	struct deferred *d = &t->deferred[t->nr_deferred++];

	(void)attr;
	if (t->nr_deferred == DEFERRED)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "one thread creates more than %d threads",
			     DEFERRED);
	*d = (struct deferred){ arg, (void *)fn, NULL };
	hook_write((uintptr_t)thread, sizeof(*thread),
		   runtime_spawn("thread", start_thread, d, false, PC),
		   OP_WRITE | HOOK_PLAIN, PC);
	return 0;
}

int trapline_pthread_join(pthread_t thread, void **result)
{
	struct request q = { .ev = { .kind = EV_JOIN,
				     .op = OP_JOIN,
				     .loc = -1,
				     .object = -1,
				     .peer = thread },
			     .pc = PC };

	runtime_point(&q);
	if (result)
		hook_write((uintptr_t)result, sizeof(*result),
			   (uintptr_t)engine->t[thread].result,
			   OP_WRITE | HOOK_PLAIN, PC);
	return 0;
}

int trapline_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	(void)attr;
	hook_write((uintptr_t)m, 4, 0, OP_WRITE, PC);
	return 0;
}

int trapline_mutex_destroy(pthread_mutex_t *m)
{
	(void)m;
	return 0;
}

static unsigned int mutex(pthread_mutex_t *m, bool await, const void *pc)
{
	return hook_rmw((uintptr_t)m, 4,
			&(struct hook_op){ .op = OP_LOCK | HOOK_ACQUIRE,
					   .rmw = RMW_XCHG,
					   .operand = 1,
					   .mask = ~0u,
					   .await = await },
			pc);
}

int trapline_mutex_lock(pthread_mutex_t *m)
{
	mutex(m, true, PC);
	ledger_takes((struct sim_lock *)m, SIM_MUTEX, false, PC);
	return 0;
}

int trapline_mutex_trylock(pthread_mutex_t *m)
{
	if (mutex(m, false, PC))
		return EBUSY;
	ledger_takes((struct sim_lock *)m, SIM_MUTEX, false, PC);
	return 0;
}

int trapline_mutex_unlock(pthread_mutex_t *m)
{
	ledger_drops((struct sim_lock *)m, false, PC);
	hook_write((uintptr_t)m, 4, 0, OP_UNLOCK | HOOK_RELEASE, PC);
	return 0;
}

void trapline_pthread_exit(void *result)
{
	engine->t[engine->cur].result = result;
	runtime_end_thread();
}

/* It would end the other threads wherever they are. */
void trapline_exit(int status)
{
	runtime_fail(FIND_UNSUPPORTED, NULL, 0,
		     "the program calls exit(%d): let main return", status);
}

void trapline_abort(void)
{
	runtime_fail(FIND_ASSERT, NULL, 0, "abort()");
}

int trapline_print(const char *format, ...)
{
	(void)format;
	return 0;
}

void trapline_assert_fail(const char *what, const char *file, unsigned int line,
			  const char *function)
{
	(void)function;
	if (engine->cur < 0)
		abort();
	runtime_fail(FIND_ASSERT, file, line, "assert(%s)", what);
}

void __VERIFIER_assume(int condition)
{
	struct thread *t = &engine->t[engine->cur];

	if (condition)
		return;
	access_settle();
	t->assumed = true;
	t->state = THREAD_BLOCKED;
	runtime_park_forever();
}

static void *allocate(size_t size, const void *pc)
{
	void *p = hook_alloc_fails(pc) ? NULL : memory_alloc(size, NULL);

	if (p)
		memory_get(memory_object((uintptr_t)p))->site = blame_site(pc);
	return p;
}

void *trapline_malloc(size_t size)
{
	return allocate(size, PC);
}

void *trapline_calloc(size_t n, size_t size)
{
	if (size && n > (size_t)-1 / size)
		return NULL;
	return allocate(n * size, PC);
}

void trapline_free(void *p)
{
	runtime_free(p, PC);
}

void *trapline_memcpy(void *to, const void *from, size_t n)
{
	hook_copy(to, from, n, PC);
	return to;
}

void *trapline_memmove(void *to, const void *from, size_t n)
{
	hook_copy(to, from, n, PC);
	return to;
}

void *trapline_memset(void *p, int c, size_t n)
{
	hook_fill(p, c, n, PC);
	return p;
}

int trapline_memcmp(const void *a, const void *b, size_t n)
{
	return hook_compare(a, b, n, PC);
}
