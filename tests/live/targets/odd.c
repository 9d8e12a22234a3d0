// SPDX-License-Identifier: GPL-2.0-only
/*
 * odd.c - places where no probe may be put, each for another reason.
 */
#include "target.h"

void odd_lock(void), odd_syscall(void), odd_ss(void);
long odd_long(void);
ASM_FUNCTION(odd_lock, "lock incl odd_data(%rip)\n ret");
ASM_FUNCTION(odd_syscall, "mov $39,%eax\n syscall\n ret");
ASM_FUNCTION(odd_long, "movabs $0x1122334455667788,%rax\n ret");
ASM_FUNCTION(odd_ss, "mov %eax,%ss\n ret");

int odd_data = 1;

static int chosen_one(void)
{
	return 1;
}

__attribute__((used)) static int (*choose(void))(void)
{
	return chosen_one;
}

int odd_ifunc(void) __attribute__((ifunc("choose")));

int main(void)
{
	odd_lock();
	odd_syscall();
	CHECK(odd_long() == 0x1122334455667788);
	CHECK(odd_ifunc() == 1);
	return 0;
}
