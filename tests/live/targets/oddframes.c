// SPDX-License-Identifier: GPL-2.0-only
/*
 * oddframes.c - a signal handler that returns through code of the program, which
 * has no unwind information: only its bytes tell what it is. And a call that is
 * the last instruction of its function, though it returns.
 */
#include <signal.h>
#include <sys/syscall.h>

#include "target.h"

#define SA_RESTORER_FLAG 0x04000000ul

void restorer(void);
ASM_FUNCTION(restorer, "mov $15,%rax\n syscall");

void first(void);
__asm__(".text\n"
	".type first,@function\n"
	"first:\n"
	" .cfi_startproc\n"
	" sub $8,%rsp\n"
	" .cfi_def_cfa_offset 16\n"
	" call probed_called\n"
	" .cfi_endproc\n"
	".size first,.-first\n"
	".type second,@function\n"
	"second:\n"
	" .cfi_startproc\n"
	" .cfi_def_cfa_offset 16\n"
	" add $8,%rsp\n"
	" .cfi_def_cfa_offset 8\n"
	" ret\n"
	" .cfi_endproc\n"
	".size second,.-second\n");

static volatile int sink;

void probed_called(void);
PROBED void probed_called(void)
{
	sink++;
}

PROBED static void probed_leaf(void)
{
	sink++;
}

PROBED static void probed_handler(int sig)
{
	probed_leaf();
	sink++;
}

PROBED static void probed_raises(int sig)
{
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), sig);
	sink++;
}

int main(void)
{
	struct {
		void (*handler)(int sig);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} sa = { probed_handler, SA_RESTORER_FLAG, restorer, 0 };
	int i;

	CHECK(!syscall(SYS_rt_sigaction, SIGUSR1, &sa, NULL, sizeof(sa.mask)));
	for (i = 0; i < 3; i++)
		probed_raises(SIGUSR1);
	CHECK(sink == 9);
	first();
	return 0;
}
