// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwinds.c - who walks the stack, or leaves frames, without an exception: what
 * they find and clean up is printed, by name, so that two runs can be compared.
 * Built with -fexceptions and -rdynamic.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unwind.h>

#include "target.h"

static volatile int sink;

/* Frames of this program only: the library's names depend on what is there. */
static void print(const char *who, void *const *frame, int n)
{
	Dl_info info;
	int i;

	printf("%s:", who);
	for (i = 0; i < n; i++)
		if (dladdr(frame[i], &info) && info.dli_sname &&
		    strstr(info.dli_fname, "unwinds"))
			printf(" %s+%ld", info.dli_sname,
			       (long)(frame[i] - info.dli_saddr));
	printf(" (%d)\n", n);
}

PROBED long probed_backtrace(const char *who)
{
	void *frame[64];
	int n = backtrace(frame, 64);

	print(who, frame, n);
	return n;
}

struct walk {
	void *frame[64];
	int n;
	jmp_buf *out;
};

PROBED _Unwind_Reason_Code probed_visit(struct _Unwind_Context *c, void *arg)
{
	struct walk *w = arg;

	w->frame[w->n++] = (void *)_Unwind_GetIP(c);
	/* An unwinder within, at its third frame; or out of it. */
	if (w->n == 3 && w->out)
		longjmp(*w->out, 1);
	if (w->n == 3)
		probed_backtrace("inner");
	return w->n < 64 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

PROBED long probed_walks(jmp_buf *out)
{
	struct walk w = { .out = out };

	_Unwind_Backtrace(probed_visit, &w);
	print("outer", w.frame, w.n);
	return w.n;
}

PROBED long probed_deep(long n, long (*fn)(void *), void *arg)
{
	long r = n ? probed_deep(n - 1, fn, arg) : fn(arg);

	sink++;
	return r;
}

PROBED void probed_handler(int sig)
{
	probed_backtrace("handler");
	sink++;
}

PROBED long probed_raises(void *unused)
{
	return raise(SIGUSR1);
}

/* ---- threads that end in the middle --------------------------------------------- */

static void say(void *what)
{
	printf("clean up %s\n", *(const char **)what);
}

PROBED long probed_cleanup(long n, long (*fn)(void *), void *arg)
{
	static const char *const name[] = { "0", "1", "2", "3", "4" };
	const char *what __attribute__((cleanup(say), unused)) = name[n];
	long r = n ? probed_cleanup(n - 1, fn, arg) : fn(arg);

	sink++;
	return r;
}

PROBED void probed_pushed(void *arg)
{
	probed_backtrace(arg);
	sink++;
}

PROBED long probed_exits(void *arg)
{
	pthread_exit(arg);
}

PROBED long probed_sleeps(void *ready)
{
	pthread_barrier_wait(ready);
	for (;;)
		pause();
}

PROBED long probed_spins(void *ready)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	pthread_barrier_wait(ready);
	for (;;)
		sink++;
}

static pthread_barrier_t ready;

PROBED void *probed_thread(void *fn)
{
	long (*what)(void *) = fn;

	pthread_cleanup_push(probed_pushed, "pushed");
	probed_cleanup(4, what, &ready);
	pthread_cleanup_pop(0);
	return NULL;
}

static void ends(long (*fn)(void *), void *expect)
{
	pthread_t t;
	void *result;

	CHECK(!pthread_create(&t, NULL, probed_thread, fn));
	if (expect == PTHREAD_CANCELED) {
		pthread_barrier_wait(&ready);
		CHECK(!pthread_cancel(t));
	}
	CHECK(!pthread_join(t, &result) && result == expect);
}

/* ---------------------------------------------------------------------------------- */

/* In main's stead: how main is called depends on who starts the program. */
PROBED long probed_main(void)
{
	jmp_buf out;
	int i;

	probed_deep(4, (long (*)(void *))probed_backtrace, "backtrace");
	probed_deep(3, (long (*)(void *))probed_walks, NULL);
	if (!setjmp(out)) {
		probed_deep(3, (long (*)(void *))probed_walks, &out);
		CHECK(0);
	}
	signal(SIGUSR1, probed_handler);
	for (i = 0; i < 3; i++)
		CHECK(!probed_deep(2, probed_raises, NULL));
	CHECK(!pthread_barrier_init(&ready, NULL, 2));
	for (i = 0; i < 3; i++) {
		ends(probed_exits, &ready);
		ends(probed_sleeps, PTHREAD_CANCELED);
		ends(probed_spins, PTHREAD_CANCELED);
	}
	return probed_deep(5, (long (*)(void *))probed_backtrace, "end");
}

int main(void)
{
	return probed_main() < 5;
}
