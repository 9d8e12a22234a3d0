// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of addresses, values and places, from this program's own debug
 * information.
 */
#include "fake_engine.h"
#include "names.h"
#include "../suite.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct list {
	struct list *next, *prev;
};

struct wrapped {
	struct {
		int counter;
	} inner;
};

struct widget {
	struct wrapped ref;
	unsigned int flags;
	struct list node;
	struct list hash[3];
	union {
		long number;
		char text[8];
	};
	struct {
		short low, high;
	} pair[2];
};

static enum mood { CALM, CROSS = 7 } mood;
static struct widget global_widget;
static _Atomic int counter;
static char *names_of[4];
static const struct fake_heap heap[] = {
	{ 0x10000, sizeof(struct widget), "struct widget", 1 },
	{ 0x20000, 3 * sizeof(struct widget), "struct widget", 2 },
	{ 0x30000, 64, NULL, 1 },
	{ 0x40000, 64, "struct not_defined_here", 1 },
};

#define AT(member) (0x10000 + offsetof(struct widget, member))

static const struct {
	uintptr_t addr;
	unsigned int size;
	const char *name;
} expected[] = {
	{ AT(ref), 4, "widget#1.ref" },
	{ AT(flags), 4, "widget#1.flags" },
	{ AT(node.prev), 8, "widget#1.node.prev" },
	{ AT(hash[2].next), 8, "widget#1.hash[2].next" },
	{ AT(hash) + 8, 16, "widget#1.hash+8" },
	{ AT(number), 8, "widget#1.number" },
	{ AT(text[3]), 1, "widget#1.number+3" },
	{ AT(pair[1].high), 2, "widget#1.pair[1].high" },
	{ AT(ref), 8, "widget#1" },
	{ AT(flags) + 1, 1, "widget#1.flags+1" },
	{ AT(node), 0, "widget#1.node" },
	{ 0x20000 + 2 * sizeof(struct widget) + 4, 4, "widget#2[2].flags" },
	{ 0x20000, 0, "widget#2" },
	{ 0x30000, 8, "heap#1" },
	{ 0x30010, 8, "heap#1+16" },
	{ 0x40008, 8, "not_defined_here#1+8" },
	{ 0, 8, "NULL" },
};

static void use_heap(void)
{
	fake = (struct fake_program){ .heap = heap, .heaps = 4 };
}

START_TEST(heap_objects)
{
	use_heap();
	ck_assert_str_eq(names_address(expected[_i].addr, expected[_i].size),
			 expected[_i].name);
}
END_TEST

START_TEST(globals)
{
	static int inside_a_function[2];

	use_heap();
	inside_a_function[1] = 1;
	ck_assert_str_eq(names_address((uintptr_t)&counter, 4), "counter");
	ck_assert_str_eq(
		names_address((uintptr_t)&global_widget.pair[0].high, 2),
		"global_widget.pair[0].high");
	ck_assert_str_eq(names_address((uintptr_t)&names_of[2], 8),
			 "names_of[2]");
	ck_assert_str_eq(names_address((uintptr_t)&inside_a_function[1], 4),
			 "inside_a_function[1]");
	/* Between variables, there is no name to give. */
	ck_assert_int_eq(strncmp(names_address(0x999999999, 4), "0x", 2), 0);
}
END_TEST

static char *value(uint64_t v, unsigned int size)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	names_value(f, 0, v, size);
	fclose(f);
	return text;
}

START_TEST(values)
{
	use_heap();
	ck_assert_str_eq(value(0, 8), "0");
	ck_assert_str_eq(value(255, 1), "255");
	ck_assert_str_eq(value((uint32_t)-11, 4), "-11");
	ck_assert_str_eq(value(-1ul, 8), "-1");
	ck_assert_str_eq(value(0x12345, 4), "0x12345");
	ck_assert_str_eq(value(0x10000, 8), "&widget#1");
	ck_assert_str_eq(value(AT(node), 8), "&widget#1.node");
	ck_assert_str_eq(value((uintptr_t)&counter, 8), "&counter");
	ck_assert_str_eq(value((uintptr_t)use_heap, 8), "use_heap");
	ck_assert_int_eq(strncmp(value((uintptr_t)use_heap + 1, 8), "0x", 2),
			 0);
}
END_TEST

START_TEST(enumerators)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	mood = CROSS;
	names_value(f, (uintptr_t)&mood, mood, 4);
	fputc(' ', f);
	names_value(f, (uintptr_t)&mood, 3, 4);
	fputc(' ', f);
	names_value(f, (uintptr_t)&counter, 7, 4);
	fclose(f);
	ck_assert_str_eq(text, "CROSS 3 7");
}
END_TEST

static const void *here;

static inline __attribute__((always_inline)) void inlined(void)
{
	here = __builtin_extract_return_addr(&&place);
place:
	__asm__ volatile("nop");
}

__attribute__((noinline)) static const void *caller(void)
{
	return __builtin_return_address(0);
}

START_TEST(places)
{
	const int here_line = __LINE__ + 1;
	struct explore_step step = { .pc = caller() };
	char line[80], *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	snprintf(line, sizeof(line),
		 "    places_fn (tests/trace/test_names.c:%d)\n", here_line);
	names_stack(f, &step, 4);
	fclose(f);
	ck_assert_str_eq(text, line);
	ck_assert_str_eq(names_function(step.pc), "places_fn");
	ck_assert_ptr_null(names_function((void *)16));
	inlined();
	ck_assert_str_eq(names_function((const char *)here + 1), "places_fn");
	ck_assert_str_eq(names_path(TRAPLINE_SOURCE_DIR "/a/b.c"), "a/b.c");
	ck_assert_str_eq(names_path("/else/b.c"), "/else/b.c");
	ck_assert_str_eq(names_path("./b.c"), "b.c");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("names");
	TCase *tc = tcase_create("names");

	tcase_add_loop_test(tc, heap_objects, 0,
			    sizeof(expected) / sizeof(*expected));
	tcase_add_test(tc, globals);
	tcase_add_test(tc, values);
	tcase_add_test(tc, enumerators);
	tcase_add_test(tc, places);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}
