// SPDX-License-Identifier: GPL-2.0-only
/*
 * moved.c - text that the program moves takes its breakpoints along.
 */
#include <sys/mman.h>

#include "target.h"

#define PAGE 4096

/* Alone in a page. */
long probed_moved(long a);
__asm__(".text\n"
	".balign 4096\n"
	".globl probed_moved\n"
	".type probed_moved,@function\n"
	"probed_moved: lea 1(%rdi),%rax\n"
	"ret\n"
	".size probed_moved,.-probed_moved\n"
	".balign 4096\n");

int main(void)
{
	long (*fn)(long) = probed_moved;
	void *to;
	int i;

	for (i = 0; i < 100; i++)
		CHECK(fn(i) == i + 1);
	to = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(to != MAP_FAILED);
	fn = mremap((void *)fn, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	CHECK((void *)fn == to);
	for (i = 0; i < 100; i++)
		CHECK(fn(i) == i + 1);
	puts("moved and called");
	return 0;
}
