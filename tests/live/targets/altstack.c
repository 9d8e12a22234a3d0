// SPDX-License-Identifier: GPL-2.0-only
/*
 * altstack.c - handlers on a stack of their own: of signals that come at any
 * time, of faults of probed instructions, and of a stack that has ended.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "processor.h"
#include "target.h"

long probed_add(long a, long b);
ASM_FUNCTION(probed_add, ASM_ADD);
long probed_load(const long *p);
ASM_FUNCTION(probed_load, ASM_LOAD);
/* Goes on until its stack ends; what it pushes is copied. */
void probed_deep(void);
ASM_FUNCTION(probed_deep, ASM_DEEP(probed_deep));

#define STACK (64 * 1024)

static char *stack;
static volatile int ticks, faults;
static long good = 4711;
static sigjmp_buf out;

static bool on_stack(void)
{
	char here;

	return &here > stack && &here < stack + STACK;
}

static void on_tick(int sig)
{
	CHECK(on_stack());
	CHECK(probed_add(3, 4) == 7);
	ticks++;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	unsigned long *ip = context_ip(context), *arg = context_arg(context);
	stack_t now;

	CHECK(on_stack());
	CHECK(!sigaltstack(NULL, &now));
	CHECK(now.ss_sp == stack && now.ss_flags == SS_ONSTACK);
	faults++;
	if (*ip == (unsigned long)probed_load) {
		CHECK(*arg == 16);
		*arg = (unsigned long)&good;
	} else {
		CHECK(*ip >= (unsigned long)probed_deep &&
		      *ip < (unsigned long)probed_deep + 8);
		siglongjmp(out, 1);
	}
}

int main(void)
{
	struct itimerval often = { { 0, 300 * SLOWER }, { 0, 300 * SLOWER } },
			 never = { 0 };
	struct sigaction tick = { .sa_handler = on_tick,
				  .sa_flags = SA_ONSTACK | SA_RESTART };
	struct sigaction fault = { .sa_sigaction = on_fault,
				   .sa_flags = SA_ONSTACK | SA_SIGINFO };
	struct rlimit small = { 256 * 1024, RLIM_INFINITY };
	long i;

	stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(stack != MAP_FAILED);
	CHECK(!sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = STACK },
			   NULL));
	CHECK(!sigaction(SIGALRM, &tick, NULL));
	CHECK(!sigaction(SIGSEGV, &fault, NULL));
	CHECK(!setitimer(ITIMER_REAL, &often, NULL));
	for (i = 0; i < 3000 / SLOWER; i++)
		CHECK(probed_add(i, 5) == i + 5);
	CHECK(!setitimer(ITIMER_REAL, &never, NULL));
	for (i = 0; i < 50; i++)
		CHECK(probed_load((const long *)16) == 4711);
	CHECK(faults == 50);
	CHECK(!setrlimit(RLIMIT_STACK, &small));
	if (!sigsetjmp(out, 1))
		probed_deep();
	CHECK(faults == 51);
	CHECK(probed_add(1, 1) == 2);
	puts("two stacks kept");
	return 0;
}
