// SPDX-License-Identifier: GPL-2.0-only
/*
 * fault.c - copied instructions that fault: the handler must see the place that
 * the program has, its own registers, and may repair and go on.
 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "target.h"

#define PAGE 4096

long probed_load(long *p);
ASM_FUNCTION(probed_load, "mov (%rdi),%rax\n ret");
void probed_ud2(void);
ASM_FUNCTION(probed_ud2, "ud2\n ret");
long probed_div(long a, long b);
ASM_FUNCTION(probed_div, "idiv %rsi\n ret");
long probed_rip(long a, long b);
ASM_FUNCTION(probed_rip, "mov hidden(%rip),%rax\n ret");
void probed_noncanonical(long p);
ASM_FUNCTION(probed_noncanonical, "mov (%rdi),%rax\n ret");

long hidden[PAGE / sizeof(long)] __attribute__((aligned(PAGE)));

static struct {
	int sig, count, skip;
	unsigned long ip, addr, di, si;
} want, got;
static long good = 4711;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	got.sig = sig;
	got.count++;
	got.ip = r[REG_RIP];
	got.addr = (unsigned long)info->si_addr;
	got.di = r[REG_RDI];
	got.si = r[REG_RSI];
	CHECK(info->si_code > 0);
	if (want.skip)
		r[REG_RIP] += want.skip;
	else if (sig == SIGFPE)
		r[REG_RSI] = 2;
	else if (want.addr == (unsigned long)hidden)
		mprotect(hidden, PAGE, PROT_READ);
	else
		r[REG_RDI] = (unsigned long)&good;
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

static long divide(long a, long b)
{
	long r;

	__asm__ volatile("cqo\n call probed_div"
			 : "=a"(r), "+S"(b)
			 : "0"(a)
			 : "rdx", "memory");
	return r;
}

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
		CHECK(got.di == 0x1230);
		CHECK(probed_load(&good) == 4711);

		expect(SIGILL, probed_ud2, (unsigned long)probed_ud2, 2);
		probed_ud2();
		check();

		expect(SIGFPE, probed_div, (unsigned long)probed_div, 0);
		CHECK(divide(42, 0) == 21);
		check();

		CHECK(!mprotect(hidden, PAGE, PROT_NONE));
		expect(SIGSEGV, probed_rip, (unsigned long)hidden, 0);
		CHECK(probed_rip(0x11, 0x22) == 12);
		check();
		CHECK(got.di == 0x11 && got.si == 0x22);

		/* No address is told for this kind. */
		expect(SIGSEGV, probed_noncanonical, 0, 3);
		probed_noncanonical(0x1234567890abcdef);
		check();
	}
	puts("every fault where it belongs");
	return 0;
}
