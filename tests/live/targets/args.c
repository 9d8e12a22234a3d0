// SPDX-License-Identifier: GPL-2.0-only
/*
 * args.c - functions whose arguments and results a tracer should see: numbers,
 * the stack, structures, strings. The checks show that they are what they say.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "target.h"

struct point {
	int32_t x;
	int16_t y;
	char letter;
	const char *name;
	struct point *next;
};

_Static_assert(offsetof(struct point, name) == 8, "as the test has it");
_Static_assert(offsetof(struct point, next) == 16, "as the test has it");

static PROBED long eight(long a, long b, long c, long d, long e, long f, long g,
			 long h)
{
	__asm__ volatile("" ::: "memory");
	return a + b + c + d + e + f + g + h;
}

static PROBED const char *strings(const struct point *p, const char *edge,
				  const char *missing, const char *odd)
{
	__asm__ volatile("" ::"r"(edge), "r"(missing), "r"(odd) : "memory");
	return p->next->name;
}

static PROBED int32_t minus(int32_t x)
{
	__asm__ volatile("" ::: "memory");
	return -x;
}

static PROBED void long_string(const char *s)
{
	__asm__ volatile("" ::"r"(s) : "memory");
}

int main(void)
{
	struct point inner = { -70000, -2, 'i', "inner name", NULL };
	struct point outer = { 2147483647, 300, 'o', "", &inner };
	static char big[6000];
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* A string that ends just before a page that is not there. */
	CHECK(page != MAP_FAILED);
	CHECK(!munmap(page + 4096, 4096));
	strcpy(page + 4096 - 5, "edge");
	CHECK(eight(1, -2, 1ul << 53, (1ul << 53) - 1, 0x123456789abcdef0, 'Q',
		    77, -88) == 0x127456789abcdf34);
	CHECK(!strcmp(strings(&outer, page + 4096 - 5, page + 4096,
			      "q\"b\\n\n\xc3\xa9\xff"),
		      "inner name"));
	CHECK(minus(5) == -5);
	memset(big, 'b', sizeof(big) - 1);
	long_string(big);
	return 0;
}
