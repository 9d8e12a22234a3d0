// SPDX-License-Identifier: GPL-2.0-only
/*
 * moved.c - text that the program moves takes its breakpoints along, and text
 * that it maps by itself gets its own; a child has none of them.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "processor.h"
#include "target.h"

#define PAGE 4096

/* Alone in a page. */
long probed_moved(long a);
__asm__(".text\n"
	".balign 4096\n"
	".globl probed_moved\n"
	".type probed_moved,@function\n"
	"probed_moved: " ASM_ONE_MORE "\n"
	".size probed_moved,.-probed_moved\n"
	".balign 4096\n");

static void calls(void *text)
{
	long (*fn)(long) = text;
	int i;

	for (i = 0; i < 100; i++)
		CHECK(fn(i) == i + 1);
}

static unsigned long offset_of(unsigned long addr)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start, end, off;
	char line[4352];

	CHECK(maps);
	do {
		CHECK(fgets(line, sizeof(line), maps));
		CHECK(sscanf(line, "%lx-%lx %*s %lx", &start, &end, &off) == 3);
	} while (addr < start || addr >= end);
	fclose(maps);
	return off + (addr - start);
}

static void maps_itself(void)
{
	unsigned long off = offset_of((unsigned long)probed_moved);
	int fd = open("/proc/self/exe", O_RDONLY);
	void *text;

	text = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, off);
	CHECK(text != MAP_FAILED);
	calls(text);
	CHECK(!munmap(text, PAGE));
	text = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, off);
	CHECK(text != MAP_FAILED);
	CHECK(!mprotect(text, PAGE, PROT_READ | PROT_EXEC));
	calls(text);
}

static void child_calls(void *text)
{
	int status;
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (!pid) {
		calls(text);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
}

int main(void)
{
	void *fn = probed_moved, *to;

	calls(fn);
	maps_itself();
	to = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(to != MAP_FAILED);
	fn = mremap(fn, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	CHECK(fn == to);
	child_calls(fn);
	calls(fn);
	child_calls(fn);
	puts("moved and called");
	return 0;
}
