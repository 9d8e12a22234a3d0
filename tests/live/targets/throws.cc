// SPDX-License-Identifier: GPL-2.0-only
/*
 * throws.cc - exceptions through probed frames, and what is left of the stack
 * afterwards: everything below the catch still returns.
 */
#include <csignal>
#include <exception>
#include <execinfo.h>
#include <pthread.h>

#include "target.h"

static volatile int sink;
static __thread int alive; /* objects of this thread */

struct object {
	object() { alive++; }
	~object() { alive--; }
};

extern "C" {

PROBED long probed_thrower(long n)
{
	sink++;
	if (n >= 0)
		throw n;
	return -n;
}

/* n frames, each with an object, above a throw. */
PROBED long probed_through(long n)
{
	object o;
	long r;

	r = n > 1 ? probed_through(n - 1) : probed_thrower(n);
	sink++;
	return r + 1;
}

/* Frames without anything to clean up. */
PROBED long probed_plain(long n)
{
	long r = n > 1 ? probed_plain(n - 1) : probed_through(3);

	sink++;
	return r;
}

PROBED long probed_catches(long n)
{
	object o;

	try {
		return probed_through(n);
	} catch (long e) {
		return 100 * n + e;
	}
}

/* Caught in the middle: the frames outside return, and may throw again. */
PROBED long probed_outside(long n)
{
	object o;
	long r = n ? probed_outside(n - 1) : probed_catches(5);

	sink++;
	return r + 1;
}

PROBED long probed_rethrows(long n)
{
	object o;

	try {
		return n ? probed_rethrows(n - 1) : probed_plain(4);
	} catch (long e) {
		object another;

		if (n == 3)
			return 1000 + e;
		throw;
	}
}

/* The same exception, thrown once more from an object that kept it. */
PROBED long probed_keeps(long n)
{
	std::exception_ptr kept;

	try {
		probed_through(n);
	} catch (...) {
		kept = std::current_exception();
	}
	try {
		std::rethrow_exception(kept);
	} catch (long e) {
		return e + n;
	}
}

/* An unwinder, called while another is at work on the same stack. */
struct looks {
	int *depth;
	~looks()
	{
		void *buffer[64];

		*depth = backtrace(buffer, 64);
	}
};

PROBED long probed_looks(int *depth)
{
	looks l = { depth };

	return probed_through(2);
}

struct catches {
	long *result;
	~catches() { *result = probed_catches(4); }
};

PROBED long probed_nested(long *result)
{
	catches c = { result };

	return probed_through(2);
}

/* Thrown and caught in a handler that interrupts an unwinding. */
static long handled;

PROBED void probed_handler(int sig)
{
	handled += probed_catches(3);
}

struct raises {
	~raises() { raise(SIGUSR1); }
};

PROBED long probed_raises(long n)
{
	raises r;

	return probed_through(n);
}

/* Three functions, one return address. */
PROBED long probed_last(long n)
{
	return probed_through(n) + 1;
}

long probed_tail1(long n), probed_tail2(long n);
}

__asm__(".text\n.globl probed_tail1\n.type probed_tail1,@function\n"
	"probed_tail1:\n .cfi_startproc\n inc %rdi\n jmp probed_tail2\n"
	" .cfi_endproc\n.size probed_tail1,.-probed_tail1\n"
	".globl probed_tail2\n.type probed_tail2,@function\n"
	"probed_tail2:\n .cfi_startproc\n inc %rdi\n jmp probed_last\n"
	" .cfi_endproc\n.size probed_tail2,.-probed_tail2\n");

#define CAUGHT(call)                    \
	({                              \
		long caught_ = -1;      \
		try {                   \
			call;           \
		} catch (long e) {      \
			caught_ = e;    \
		}                       \
		caught_;                \
	})

static void all(void)
{
	long n, result = 0;
	int depth = 0;

	for (n = 1; n <= 10; n++) {
		CHECK(probed_catches(n) == 100 * n + 1);
		CHECK(CAUGHT(probed_through(n)) == 1);
		CHECK(alive == 0);
	}
	CHECK(CAUGHT(probed_thrower(7)) == 7);
	CHECK(probed_thrower(-7) == 7);
	CHECK(probed_outside(6) == 501 + 7);
	CHECK(probed_rethrows(5) == 1001);
	CHECK(probed_keeps(3) == 4);
	CHECK(CAUGHT(probed_looks(&depth)) == 1);
	CHECK(depth > 3);
	CHECK(CAUGHT(probed_nested(&result)) == 1 && result == 401);
	CHECK(CAUGHT(probed_tail1(1)) == 1);
	CHECK(alive == 0);
}

static void *thread(void *arg)
{
	int i;

	for (i = 0; i < 5; i++)
		all();
	return arg;
}

int main(void)
{
	pthread_t t[3];
	void *result;
	int i;

	all();
	signal(SIGUSR1, probed_handler);
	for (i = 0; i < 10; i++) {
		CHECK(CAUGHT(probed_raises(2)) == 1);
		CHECK(alive == 0);
	}
	CHECK(handled == 3010);
	for (i = 0; i < 3; i++)
		CHECK(!pthread_create(&t[i], NULL, thread, t));
	for (i = 0; i < 3; i++)
		CHECK(!pthread_join(t[i], &result) && result == t);
	puts("every exception caught");
	return 0;
}
