// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_values.c - random C, explored, must compute what the same C computes alone.
 *
 * Functions of random statements (fields, bit-fields, structures of many sizes
 * copied, accesses that overlap, straddle words or are not aligned, volatile ones,
 * memcpy and its kin) run on shared memory, in two threads, under a lock. Which ran
 * when is logged. At the end the same functions run in that order on memory that
 * nobody else knows, which the explorer lets alone: it must look the same. Since the
 * lock orders everything, the number of executions is that of its orders, under any
 * memory model, and nothing may be refused.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../suite.h"
#include "command.h"

/* Half of the functions are each thread's. */
struct shape {
	int functions, statements;
	const char *memory[3];
	const char *says;
};

static const struct shape shapes[] = {
	{ 6, 5, { "sc", "tso" }, "holds in all 20 executions" },
	/* that model is slow with many accesses */
	{ 2, 2, { "sc", "tso", "lkmm" }, "holds in all 2 executions" },
};

static const struct shape *shape;
static char dir[] = "/tmp/values.XXXXXX";
static uint32_t seed;

static unsigned int rnd(unsigned int n)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)(seed >> 8) % n;
}

/* ---- the text of a program ------------------------------------------------------- */

static const char types[] =
	"struct bits { unsigned a : 3, b : 5, c : 8, d : 20; unsigned long e : "
	"40;\n"
	"	unsigned short f : 9; };\n"
	"struct mixed { char c; short s; int i; long l; };\n"
	"#define SIZES(X) X(1) X(2) X(3) X(4) X(5) X(7) X(8) X(9) X(12) X(16) "
	"\\\n"
	"	X(17) X(24) X(31) X(32) X(40)\n"
	"#define X(n) struct s##n { char c[n]; };\n"
	"SIZES(X)\n"
	"#undef X\n"
	"struct odd2 { unsigned short v; } __attribute__((packed));\n"
	"struct odd4 { unsigned int v; } __attribute__((packed));\n"
	"struct odd8 { unsigned long v; } __attribute__((packed));\n"
	"struct words { unsigned int w[4]; };\n"
	"union mem {\n"
	"	unsigned char byte[96]; unsigned short half[48];\n"
	"	unsigned int word[24]; unsigned long quad[12];\n"
	"	struct bits bits[4]; struct mixed mixed[4];\n"
	"	struct words words[6];\n"
	"};\n"
	"static union mem shared, alone;\n"
	"static int order[16], done;\n";

static void say(FILE *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
}

/* Something to read, of any integer type. */
static void value(FILE *f)
{
	static const char fields[] = "abcdef", members[] = "csil";
	static const int odd[] = { 2, 4, 8 };
	int n = odd[rnd(3)];

	switch (rnd(8)) {
	case 0:
		say(f, "m->byte[%u]", rnd(96));
		break;
	case 1:
		say(f, "m->half[%u]", rnd(48));
		break;
	case 2:
		say(f, "m->word[%u]", rnd(24));
		break;
	case 3:
		say(f, "m->quad[%u]", rnd(12));
		break;
	case 4:
		say(f, "m->bits[%u].%c", rnd(4), fields[rnd(6)]);
		break;
	case 5:
		say(f, "m->mixed[%u].%c", rnd(4), members[rnd(4)]);
		break;
	case 6:
		say(f, "((struct odd%d *)&m->byte[%u])->v", n, rnd(88));
		break;
	default:
		say(f, "*(volatile unsigned int *)&m->word[%u]", rnd(24));
	}
}

/* Not overlapping, as memcpy and structure assignment require. */
static void two_places(unsigned int size, unsigned int *to, unsigned int *from)
{
	unsigned int a = rnd(96 - 2 * size + 1);
	unsigned int b = a + size + rnd(96 - 2 * size - a + 1);
	bool swap = rnd(2);

	*to = swap ? a : b;
	*from = swap ? b : a;
}

static void copy(FILE *f)
{
	static const unsigned int sizes[] = { 1,  2,  3,  4,  5,  7,  8, 9,
					      12, 16, 17, 24, 31, 32, 40 };
	unsigned int n = sizes[rnd(15)], to, from;

	two_places(n, &to, &from);
	say(f,
	    "	*(struct s%u *)&m->byte[%u] = *(struct s%u *)&m->byte[%u];\n",
	    n, to, n, from);
}

static void call(FILE *f)
{
	unsigned int n = 1 + rnd(40), to, from;

	two_places(n, &to, &from);
	switch (rnd(4)) {
	case 0:
		say(f, "	memcpy(&m->byte[%u], &m->byte[%u], %u);\n", to,
		    from, n);
		break;
	case 1:
		say(f, "	memmove(&m->byte[%u], &m->byte[%u], %u);\n",
		    rnd(97 - n), rnd(97 - n), n);
		break;
	case 2:
		say(f, "	memset(&m->byte[%u], %u, %u);\n", to, rnd(256),
		    n);
		break;
	default:
		say(f,
		    "	m->half[%u] = memcmp(&m->byte[%u], &m->byte[%u], %u) "
		    "< 0;\n",
		    rnd(48), to, from, n);
	}
}

static void statement(FILE *f)
{
	switch (rnd(7)) {
	case 0:
	case 1:
		copy(f);
		break;
	case 2:
		call(f);
		break;
	case 3:
		say(f, "	m->words[%u] = m->words[%u];\n", rnd(6),
		    rnd(6));
		break;
	case 4:
		say(f, "	m->words[%u] = (struct words){ { %u, 0, ",
		    rnd(6), rnd(9999));
		value(f);
		say(f, " } };\n");
		break;
	default:
		say(f, "	");
		value(f);
		say(f, " = ");
		value(f);
		say(f, rnd(2) ? " + %u;\n" : " * %u;\n", rnd(99) + 1);
	}
}

static void write_functions(FILE *f)
{
	int stride = 1 << rnd(5); /* of the final look: what pieces it makes */

	for (int i = 0; i < shape->functions; i++) {
		say(f, "static void f%d(union mem *m)\n{\n", i);
		for (int k = 0; k < shape->statements; k++)
			statement(f);
		say(f, "}\n");
	}
	say(f, "static void (*const function[])(union mem *) = {");
	for (int i = 0; i < shape->functions; i++)
		say(f, " f%d,", i);
	say(f,
	    " };\n"
	    "static void some(int from, int to)\n{\n"
	    "	for (int i = from; i < to; i++) {\n"
	    "		LOCK;\n		function[i](&shared);\n"
	    "		order[done++] = i;\n		UNLOCK;\n	}\n}\n"
	    "static void compare(void)\n{\n"
	    "	for (int i = 0; i < %d; i++)\n"
	    "		function[order[i]](&alone);\n"
	    "	for (int i = 0; i < 96; i += %d)\n"
	    "		CHECK(!memcmp(&shared.byte[i], &alone.byte[i], "
	    "%d));\n}\n",
	    shape->functions, stride, stride);
}

static void write_program(const char *path, bool kernel)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(kernel ? "#include <linux/bug.h>\n#include <linux/spinlock.h>\n"
		       "#include <linux/string.h>\n"
		       "#include <trapline/scenario.h>\n"
		       "static DEFINE_SPINLOCK(lock);\n"
		       "#define LOCK spin_lock(&lock)\n"
		       "#define UNLOCK spin_unlock(&lock)\n"
		       "#define CHECK(x) BUG_ON(!(x))\n"
		     : "#include <assert.h>\n#include <pthread.h>\n"
		       "#include <string.h>\n"
		       "static pthread_mutex_t lock = "
		       "PTHREAD_MUTEX_INITIALIZER;\n"
		       "#define LOCK pthread_mutex_lock(&lock)\n"
		       "#define UNLOCK pthread_mutex_unlock(&lock)\n"
		       "#define CHECK(x) assert(x)\n",
	      f);
	fputs(types, f);
	write_functions(f);
	if (kernel)
		say(f,
		    "SCENARIO_THREAD(a) { some(0, %d); }\n"
		    "SCENARIO_THREAD(b) { some(%d, %d); }\n"
		    "SCENARIO_CHECK() { compare(); }\n",
		    shape->functions / 2, shape->functions / 2,
		    shape->functions);
	else
		say(f,
		    "static void *a(void *p) { some(0, %d); return p; }\n"
		    "static void *b(void *p) { some(%d, %d); return p; }\n"
		    "int main(void)\n{\n	pthread_t t, u;\n\n"
		    "	pthread_create(&t, NULL, a, NULL);\n"
		    "	pthread_create(&u, NULL, b, NULL);\n"
		    "	pthread_join(t, NULL);\n"
		    "	pthread_join(u, NULL);\n"
		    "	compare();\n	return 0;\n}\n",
		    shape->functions / 2, shape->functions / 2,
		    shape->functions);
	fclose(f);
}

/* ---- running it -------------------------------------------------------------------- */

static int explore(const char *path, const char *memory)
{
	return command(TRAPLINE
		       " explore %s --memory %s --schedule-out /dev/null 2>&1",
		       path, memory);
}

START_TEST(computes_the_same)
{
	char path[64];

	seed = _i + 1;
	shape = &shapes[_i % 2];
	snprintf(path, sizeof(path), "%s/%d.c", dir, _i);
	write_program(path, _i / 2 % 2);
	for (int m = 0; m < 3 && shape->memory[m]; m++) {
		int status = explore(path, shape->memory[m]);

		ck_assert_msg(status == 0 && strstr(output, shape->says),
			      "seed %u under %s: %.900s", _i + 1,
			      shape->memory[m], output);
	}
	unlink(path);
}
END_TEST

int main(void)
{
	int programs = getenv("TRAPLINE_FULL") ? 200 : 12;
	Suite *s = suite_create("values");
	TCase *tc = tcase_create("random");
	int failed;

	if (!mkdtemp(dir))
		return 1;
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, computes_the_same, 0, programs);
	suite_add_tcase(s, tc);
	failed = suite_run(s, CK_FORK_GETENV);
	if (!failed)
		rmdir(dir);
	return failed;
}
