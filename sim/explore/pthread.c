// SPDX-License-Identifier: GPL-2.0-only
/*
 * pthread.c - plain C11 programs: threads, assert, assume, malloc.
 *
 * These take the place of libc's for the scenario program; trapline/plain.h gives
 * programs these names. Mutexes are in mutex.c, what else waits in posix.c.
 */
#include "hook.h"
#include "blame.h"
#include "trapline/plain.h"

#undef abort
#undef aligned_alloc
#undef calloc
#undef exit
#undef free
#undef malloc
#undef memcmp
#undef memcpy
#undef memmove
#undef memset
#undef posix_memalign
#undef realloc

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
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

/* Threads are joined or detached, once: after that their names mean nothing. */
static struct thread *claim(pthread_t thread, const char *verb,
			    const char *claimed, const void *pc)
{
	static char sentence[160];
	struct blame b = { .finding = FIND_MISUSE,
			   .verb = sentence,
			   .site = blame_site(pc) };
	struct thread *t = &engine->t[thread < NR_THREADS ? thread : 0];

	if (thread >= NR_THREADS || t->state == THREAD_UNUSED)
		snprintf(sentence, sizeof(sentence), "%s what is no thread",
			 verb);
	else if (t->claimed)
		snprintf(sentence, sizeof(sentence),
			 "%s %s, which was %s before", verb,
			 explore_thread_name(thread), t->claimed);
	else
		sentence[0] = '\0';
	if (sentence[0])
		blame_fail(&b);
	t->claimed = claimed;
	return t;
}

int trapline_pthread_join(pthread_t thread, void **result)
{
	struct request q = { .ev = { .kind = EV_JOIN,
				     .op = OP_JOIN,
				     .loc = -1,
				     .object = -1,
				     .peer = thread },
			     .pc = PC };
	struct thread *t = claim(thread, "joins", "joined", PC);

	runtime_point(&q);
	if (result)
		hook_write((uintptr_t)result, sizeof(*result),
			   (uintptr_t)t->result, OP_WRITE | HOOK_PLAIN, PC);
	return 0;
}

pthread_t trapline_pthread_self(void)
{
	return engine->cur;
}

int trapline_pthread_equal(pthread_t a, pthread_t b)
{
	return a == b;
}

/* All threads run to their end, whether somebody joins them or not. */
int trapline_pthread_detach(pthread_t thread)
{
	claim(thread, "detaches", "detached", PC);
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

static void *allocate(size_t align, size_t size, const void *pc)
{
	void *p = hook_alloc_fails(pc) ? NULL
				       : memory_alloc_aligned(align, size);

	if (p)
		memory_get(memory_object((uintptr_t)p))->site = blame_site(pc);
	return p;
}

void *trapline_malloc(size_t size)
{
	return allocate(1, size, PC);
}

void *trapline_calloc(size_t n, size_t size)
{
	if (size && n > (size_t)-1 / size)
		return NULL;
	return allocate(1, n * size, PC);
}

/* Always to another place. */
void *trapline_realloc(void *p, size_t size)
{
	void *q = p && !size ? NULL : allocate(1, size, PC);
	int o = memory_object((uintptr_t)p);
	size_t old = o < 0 ? 0 : memory_get(o)->size;

	if (p && q)
		hook_copy(q, p, old < size ? old : size, PC);
	if (p && (q || !size))
		runtime_free(p, PC);
	return q;
}

static bool is_power_of_two(size_t n)
{
	return n && !(n & (n - 1));
}

void *trapline_aligned_alloc(size_t align, size_t size)
{
	return is_power_of_two(align) ? allocate(align, size, PC) : NULL;
}

int trapline_posix_memalign(void **to, size_t align, size_t size)
{
	void *p;

	if (!is_power_of_two(align) || align % sizeof(void *))
		return EINVAL;
	p = allocate(align, size, PC);
	if (!p)
		return ENOMEM;
	hook_write((uintptr_t)to, sizeof(p), (uintptr_t)p,
		   OP_WRITE | HOOK_PLAIN, PC);
	return 0;
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
