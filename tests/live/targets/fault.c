// SPDX-License-Identifier: GPL-2.0-only
/*
 * fault.c - copied instructions that fault: the handler must see the place that
 * the program has, its own registers, and may repair and go on.
 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "processor.h"
#include "target.h"

#define PAGE 4096

long probed_load(long *p);
ASM_FUNCTION(probed_load, ASM_LOAD);
void probed_bad(void);
ASM_FUNCTION(probed_bad, ASM_BAD);
#ifdef __x86_64__
long probed_div(long a, long b);
ASM_FUNCTION(probed_div, "idiv %rsi\n ret");
long probed_rip(long a, long b);
ASM_FUNCTION(probed_rip, "mov hidden(%rip),%rax\n ret");
void probed_noncanonical(long p);
ASM_FUNCTION(probed_noncanonical, ASM_LOAD);
#endif

long hidden[PAGE / sizeof(long)] __attribute__((aligned(PAGE)));

static struct {
	int sig, count, skip;
	unsigned long ip, addr, arg, second;
} want, got;
static long good = 4711;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	unsigned long *ip = context_ip(context), *arg = context_arg(context);
	unsigned long *second = context_second(context);

	got.sig = sig;
	got.count++;
	got.ip = *ip;
	got.addr = (unsigned long)info->si_addr;
	got.arg = *arg;
	got.second = *second;
	CHECK(info->si_code > 0);
	if (want.skip)
		*ip += want.skip;
	else if (sig == SIGFPE)
		*second = 2;
	else if (want.addr == (unsigned long)hidden)
		mprotect(hidden, PAGE, PROT_READ);
	else
		*arg = (unsigned long)&good;
}

static void expect(int sig, void *ip, unsigned long addr, int skip)
{
	memset(&got, 0, sizeof(got));
	want.sig = sig;
	want.ip = (unsigned long)ip;
	want.addr = addr;
	want.skip = skip;
}

static void check(void)
{
	CHECK(got.count == 1);
	CHECK(got.sig == want.sig);
	CHECK(got.ip == want.ip);
	CHECK(got.addr == want.addr);
}

#ifdef __x86_64__
static long divide(long a, long b)
{
	long r;

	__asm__ volatile("cqo\n call probed_div"
			 : "=a"(r), "+S"(b)
			 : "0"(a)
			 : "rdx", "memory");
	return r;
}

/* What only this processor does, or lets be probed. */
static void faults_of_its_own(void)
{
	expect(SIGFPE, probed_div, (unsigned long)probed_div, 0);
	CHECK(divide(42, 0) == 21);
	check();

	CHECK(!mprotect(hidden, PAGE, PROT_NONE));
	expect(SIGSEGV, probed_rip, (unsigned long)hidden, 0);
	CHECK(probed_rip(0x11, 0x22) == 12);
	check();
	CHECK(got.arg == 0x11 && got.second == 0x22);

	/* No address is told for this kind. */
	expect(SIGSEGV, probed_noncanonical, 0, 3);
	probed_noncanonical(0x1234567890abcdef);
	check();
}
#else
static void faults_of_its_own(void)
{
}
#endif

int main(void)
{
	struct sigaction sa = { .sa_sigaction = on_fault,
				.sa_flags = SA_SIGINFO };
	int i;

	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGILL, &sa, NULL);
	sigaction(SIGFPE, &sa, NULL);
	hidden[0] = 12;
	for (i = 0; i < 50; i++) {
		expect(SIGSEGV, probed_load, 0x1230, 0);
		CHECK(probed_load((long *)0x1230) == 4711);
		check();
		CHECK(got.arg == 0x1230);
		CHECK(probed_load(&good) == 4711);

		expect(SIGILL, probed_bad, (unsigned long)probed_bad,
		       BAD_BYTES);
		probed_bad();
		check();
		faults_of_its_own();
	}
	puts("every fault where it belongs");
	return 0;
}
