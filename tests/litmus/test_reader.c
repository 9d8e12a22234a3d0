// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_reader.c - what the reader of litmus tests accepts, what it says of what it
 * does not, and that no input makes it crash.
 */
#include "litmus.h"
#include "../suite.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test around the body of a thread with parameters x, l, s and registers. */
#define BODY(text)                                                          \
	"C body\n{}\nP0(int *x, spinlock_t *l, struct srcu_struct *s)\n{\n" \
	"int r0; int r1;\n" text "\n}\nexists (0:r0=0)\n"
/* ... around what follows the threads. */
#define END(text) "C end\n{ int x=1; }\nP0(int *x)\n{\nint r0;\n}\n" text "\n"

static const struct {
	const char *text, *says;
	unsigned int line, column;
} mistakes[] = {
	/* the file */
	{ "", "expected 'C NAME', found the end of the file", 1, 1 },
	{ "X86 SB\n", "only tests in C", 1, 1 },
	{ "C\n{}\n", "expected a name after 'C'", 1, 1 },
	{ "C a b\n{}\n", "one word", 1, 1 },
	{ "C a\nP0() {}\n", "'{' with the initial state, or Key=value", 2, 3 },
	{ "C a\n{}\n", "expected a thread, P0(...)", 3, 1 },
	{ "C a\n(* (* *)\n{}\n", "the comment does not end: expected '*)'", 2,
	  1 },
	{ "C a\n{} /*\n", "the comment does not end: expected '*/'", 2, 4 },
	{ "C a \"b\n", "one word", 1, 1 },
	{ "C a\n\"b\n", "the string does not end", 2, 1 },
	{ "C a\n{} \x01\n", "a byte 0x01", 2, 4 },
	/* the initial state */
	{ "C a\n{ int x=y; }\n", "x is an int, not a pointer: int *x", 2, 7 },
	{ "C a\n{ int *x=5; }\nP0() {}\n", "begins as a number", 4, 1 },
	{ "C a\n{ x=&y; }\nP0(spinlock_t *y) {}\n", "y, which is no int", 4,
	  1 },
	{ "C a\n{ x=y; }\nP0(int *x) {}\n", "another type", 3, 9 },
	{ "C a\n{ int x[2]; }\n", "an array", 2, 8 },
	{ "C a\n{ long x; }\n", "the type is not known", 2, 3 },
	{ "C a\n{ struct foo x; }\n", "struct srcu_struct is", 2, 10 },
	{ "C a\n{ int x=1 y=2; }\n", "expected ';' or '}'", 2, 11 },
	{ "C a\n{ int x=99999999999; }\n", "does not fit an int", 2, 9 },
	{ "C a\n{ int x=12ab; }\n", "'12ab' is no number", 2, 9 },
	{ "C a\n{ spinlock_t x=1; }\n", "drop its value", 2, 14 },
	{ "C a\n{ int x; atomic_t x; spinlock_t x; }\n", "another type", 2,
	  33 },
	{ "C a\n{ 7:r0=1; }\nP0() {}\n", "there is no P7", 4, 1 },
	{ "C a\n{ 99:r0=1; }\n", "at most 16 threads", 2, 3 },
	/* threads */
	{ "C a\n{}\nP1() {}\n", "expected P0, found 'P1'", 3, 1 },
	{ "C a\n{}\nP0() {}\nP0() {}\n", "expected P1, found 'P0'", 4, 1 },
	{ "C a\n{}\nP0(long *x) {}\n", "expected a type, found 'long'", 3, 4 },
	{ "C a\n{}\nP0(int x) {}\n", "expected '*' after the type", 3, 8 },
	{ "C a\n{}\nP0(int ***x) {}\n", "expected the name", 3, 10 },
	{ "C a\n{}\nP0(spinlock_t **x) {}\n", "expected the name", 3, 16 },
	{ "C a\n{}\nP0(int *x int *y) {}\n", "expected ',' after the parameter",
	  3, 11 },
	{ "C a\n{}\nP0(int *x) {}\nP1(spinlock_t *x) {}\n", "another type", 4,
	  16 },
	{ "C a\n{ 0:x=1; }\nP0(int *x) {}\n", "a register of P0 already", 3,
	  9 },
	{ "C a\n{}\nP0(int *x)\n{\n", "expected '}' after P0, found the end", 5,
	  1 },
	/* statements */
	{ BODY("r0 = x;"), "x is shared memory: read it with READ_ONCE(*x)", 6,
	  6 },
	{ BODY("r0 = *x;"), "a plain access", 6, 6 },
	{ BODY("*x = 1;"), "a plain access", 6, 1 },
	{ BODY("x = 1;"), "write it with WRITE_ONCE(*x, ...)", 6, 1 },
	{ BODY("tmp = 1;"), "declare it with 'int tmp;'", 6, 1 },
	{ BODY("(int)smp_mb();"), "expected 'void' after '('", 6, 2 },
	{ BODY("(void)r0;"), "is not a primitive that is known", 6, 7 },
	{ BODY("r0 = r2;"), "declare it with 'int r2;'", 6, 6 },
	{ BODY("r0 += 1;"), "'r0 = ...' is the only assignment", 6, 4 },
	{ BODY("r0++;"), "'r0 = ...' is the only assignment", 6, 3 },
	{ BODY("r0 = 1"), "expected ';' after the assignment", 7, 1 },
	{ BODY("int **p;"), "expected a register, found '*'", 6, 6 },
	{ BODY("int *r0;"), "r0 is an int already", 6, 5 },
	/* pointers */
	{ BODY("int *p; p = r0;"), "an int, where an address is needed", 6,
	  13 },
	{ BODY("int *p = x; r0 = p;"), "an address, where an int is needed", 6,
	  18 },
	{ BODY("int *p = x + 1;"), "x is shared memory", 6, 10 },
	{ BODY("int *p = l;"), "l is no int", 6, 10 },
	{ BODY("int *p = x; r0 = READ_ONCE(p);"), "READ_ONCE takes *p here", 6,
	  28 },
	{ BODY("int *p = x; r0 = READ_ONCE(*r0);"), "r0 is no parameter", 6,
	  29 },
	{ BODY("int *p = x; spin_lock(p);"), "p is no parameter", 6, 23 },
	{ BODY("WRITE_ONCE(*x, x);"), "x is shared memory", 6, 16 },
	{ "C a\n{}\nP0(int **p) { atomic_inc(p); }\n",
	  "atomic_inc takes an int or an atomic_t", 3, 26 },
	{ "C a\n{}\nP0(int **p) { WRITE_ONCE(*p, 1); }\n",
	  "an int, where an address is needed", 3, 30 },
	{ BODY("long r5;"), "registers are of type int", 6, 1 },
	{ BODY("int x;"), "x is a parameter of P0 already", 6, 5 },
	{ BODY("while (1) {}"), "litmus tests have no loops", 6, 1 },
	{ BODY("for (;;) {}"), "litmus tests have no loops", 6, 1 },
	{ BODY("return;"), "return is not known", 6, 1 },
	{ BODY("if r0 {}"), "expected '(' after if", 6, 4 },
	{ BODY("else {}"), "else without an if", 6, 1 },
	{ BODY("int while;"), "litmus tests have no loops", 6, 5 },
	/* calls */
	{ BODY("smp_mbb();"), "did you mean smp_mb?", 6, 1 },
	{ BODY("READ_ONCE_NOCHECK(*x);"), "is not a primitive that is known", 6,
	  1 },
	{ BODY("mutex_lock(l);"), "is not a primitive that is known", 6, 1 },
	{ BODY("r0 = smp_mb();"), "smp_mb has no value", 6, 6 },
	{ BODY("r0 = READ_ONCE(x);"), "READ_ONCE takes *x here", 6, 16 },
	{ BODY("r0 = xchg(*x, 1);"), "xchg takes x here", 6, 12 },
	{ BODY("r0 = READ_ONCE(*y);"), "y is no parameter of P0", 6, 17 },
	{ BODY("spin_lock(x);"), "spin_lock takes a spinlock_t", 6, 11 },
	{ BODY("r0 = READ_ONCE(*l);"), "READ_ONCE takes an int or an atomic_t",
	  6, 17 },
	{ BODY("srcu_read_unlock(s);"), "expected ',' after the argument", 6,
	  19 },
	{ BODY("smp_mb(1);"), "expected ')' after the arguments", 6, 8 },
	{ BODY("atomic_add(x, 1);"), "a shared variable, found '1'", 6, 15 },
	{ BODY("r0 = READ_ONCE(*x) + READ_ONCE(*x);"), "two accesses", 6, 20 },
	{ BODY("r0 = cmpxchg(x, READ_ONCE(*x), READ_ONCE(*x));"),
	  "two accesses", 6, 32 },
	{ BODY("r0 = r1 / 2;"), "expected ';' after the assignment", 6, 9 },
	{ BODY("r0 = ;"), "expected an expression, found ';'", 6, 6 },
	{ BODY("r0 = (r1;"), "expected ')' after the expression", 6, 9 },
	/* the condition */
	{ END("exists"), "expected '(' before the condition", 8, 1 },
	{ END("exists (0:r1=0)"), "P0 has no register r1", 7, 11 },
	{ END("exists (1:r0=0)"), "there is no P1", 7, 9 },
	{ END("exists (y=0)"), "no shared variable is called y", 7, 9 },
	{ END("exists (x>0)"), "expected '=' or '!=', found '>'", 7, 10 },
	{ END("exists (x=r0)"), "found 'r0': [x] is an int", 7, 11 },
	{ END("exists (x=&x)"), "found 'x': [x] is an int", 7, 12 },
	{ END("exists (x=0 x=1)"), "expected ')' after the condition", 7, 13 },
	{ END("exists (x=0) x"), "expected the end of the file", 7, 14 },
	{ END("filter x"), "expected '=' or '!=', found the end", 8, 1 },
	{ END("filter (x=0) locations [x]"), "expected a thread, locations", 7,
	  14 },
	{ END("never (x=0)"), "expected a thread, locations, exists", 7, 1 },
	{ END("locations x"), "expected '[' after locations", 7, 11 },
	{ END("locations [x y]"), "expected ';' after the location", 7, 14 },
	{ END("~forall (x=0)"), "expected a thread, locations", 7, 2 },
};

#define NR(a) (int)(sizeof(a) / sizeof((a)[0]))

START_TEST(mistake_is_named)
{
	struct litmus_error e;
	const char *text = mistakes[_i].text;
	struct litmus *t = litmus_parse(text, strlen(text), &e);

	ck_assert_msg(t == NULL, "accepted: %s", text);
	ck_assert_msg(strstr(e.what, mistakes[_i].says) != NULL,
		      "%s\nsays: %s\nnot: %s", text, e.what, mistakes[_i].says);
	ck_assert_msg(e.line == mistakes[_i].line &&
			      e.column == mistakes[_i].column,
		      "%s\n%s: at %u:%u", text, e.what, e.line, e.column);
}
END_TEST

/* ---- accepted --------------------------------------------------------------------- */

static const struct {
	const char *text, *condition;
} forms[] = {
	{ END("exists (x=1)"), "exists ([x]=1)" },
	{ END("exists ([x]=0x10 /\\ 0:r0==-1)"),
	  "exists ([x]=16 /\\ 0:r0=-1)" },
	{ END("~exists (x!=1)"), "~exists ([x]!=1)" },
	{ END("not exists (x=1)"), "~exists ([x]=1)" },
	{ END("forall (true)"), "forall (true)" },
	{ END(""), "forall (true)" },
	{ END("locations [x; 0:r0;]\nexists (false)"), "exists (false)" },
	{ END("locations [x] filter (x=1)\nexists (x=2)"), "exists ([x]=2)" },
	{ END("exists (x=1 \\/ x=2 /\\ 0:r0=3)"),
	  "exists ([x]=1 \\/ [x]=2 /\\ 0:r0=3)" },
	{ END("exists ((x=1 \\/ x=2) /\\ ~(0:r0=3 /\\ x=1))"),
	  "exists (([x]=1 \\/ [x]=2) /\\ ~(0:r0=3 /\\ [x]=1))" },
	{ END("(* why *) exists (* (* *) *) (x=1) // end"), "exists ([x]=1)" },
	{ BODY("if (r0) if (r1) r0 = 1; else r0 = 2; else { ; }"),
	  "exists (0:r0=0)" },
	{ BODY("int r2 = READ_ONCE(*x), r3; /* ( * ) */ r3 = r2; // x"),
	  "exists (0:r0=0)" },
	{ BODY("r2 = 1; r3 = r2; (void)xchg(x, 2);"), "exists (0:r0=0)" },
	{ BODY("WRITE_ONCE(*x, READ_ONCE(*x) + 1);"), "exists (0:r0=0)" },
	{ BODY("r0 = READ_ONCE(*x) && READ_ONCE(*x);"), "exists (0:r0=0)" },
	{ "C a\n{ int *p=&x; 0:r1=y; }\n"
	  "P0(int **p, int *x, int *y)\n{\n"
	  "int *r0 = READ_ONCE(*p); int *r1; int r2;\n"
	  "if (r0 && r0 != y || !r1 || r1 == 0) r2 = READ_ONCE(*r1);\n"
	  "r0 = xchg(p, r1); r0 = cmpxchg(p, x, 0); smp_store_release(r0, 1);"
	  "\n}\nexists (0:r0=x /\\ p=&y /\\ 0:r1=0)\n",
	  "exists (0:r0=x /\\ [p]=y /\\ 0:r1=0)" },
	{ "C a\n\"text\"\nHash=ab12 (* x *)\nRelax=a b c\n{ [x]=1; 0:r1=2 }\n"
	  "P0(volatile int *x) { }\nexists (0:r1=2)\n",
	  "exists (0:r1=2)" },
	{ "C a\n{}\nP0(void) { smp_mb(); }\nexists (true)\n", "exists (true)" },
};

START_TEST(form_is_read)
{
	struct litmus_error e;
	const char *text = forms[_i].text;
	struct litmus *t = litmus_parse(text, strlen(text), &e);
	char *condition;

	ck_assert_msg(t != NULL, "%s\n%u:%u: %s", text, e.line, e.column,
		      e.what);
	condition = litmus_condition(t);
	ck_assert_str_eq(condition, forms[_i].condition);
	free(condition);
	litmus_free(t);
}
END_TEST

/* Deep nesting ends with a message, not with the stack. */
START_TEST(depth)
{
	static const char *const units[] = { "(",	"!",  "{",
					     "if (1) ", "1+", "xchg(x, " };
	struct litmus_error e;

	for (int i = 0; i < NR(units); i++) {
		char *text;
		size_t len;
		FILE *f = open_memstream(&text, &len);

		fputs("C a\n{}\nP0(int *x)\n{ int r0;\n", f);
		if (*units[i] != '{' && *units[i] != 'i')
			fputs("r0 = ", f);
		for (int k = 0; k < 100000; k++)
			fputs(units[i], f);
		fclose(f);
		ck_assert_ptr_null(litmus_parse(text, len, &e));
		ck_assert_msg(strstr(e.what, "split it up") != NULL, "%s: %s",
			      units[i], e.what);
		free(text);
	}
}
END_TEST

/* ---- any input ----------------------------------------------------------------------- */

#define INPUTS 20000

static uint64_t seed;

static unsigned int below(unsigned int n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return n ? (seed >> 20) % n : 0;
}

static char *seeds[256];
static int nr_seeds;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_seeds(void)
{
	DIR *d = opendir(SHAPES);
	struct dirent *e;

	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d)) && nr_seeds < 250) {
		char path[512], *text = calloc(1, 8192);
		FILE *f;

		if (!strstr(e->d_name, ".litmus"))
			continue;
		snprintf(path, sizeof(path), SHAPES "/%s", e->d_name);
		f = fopen(path, "re");
		ck_assert_ptr_nonnull(f);
		ck_assert_uint_gt(fread(text, 1, 8191, f), 0);
		fclose(f);
		seeds[nr_seeds++] = text;
	}
	closedir(d);
	for (int i = 0; i < NR(mistakes) && nr_seeds < 256; i += 9)
		seeds[nr_seeds++] = strdup(mistakes[i].text);
	/* not the order of the directory */
	qsort(seeds, nr_seeds, sizeof(*seeds), by_text);
}

static void change(char *text, size_t *len, size_t room)
{
	static const char *const words[] = {
		"(*",	       "*)",
		"/*",	       "P0",
		"P1(int *x)",  "exists",
		"forall",      "{",
		"}",	       "if (",
		"else",	       "int ",
		"0:r0=",       "[x]",
		"/\\",	       "\\/",
		"~",	       "*x",
		"=",	       "smp_mb",
		"xchg",	       "99999",
		"-",	       "\"",
		"locations [", "struct srcu_struct *s",
		"&&",	       "READ_ONCE(",
	};
	size_t at = below(*len + 1), n = below(24), from;
	const char *other;

	switch (below(5)) {
	case 0: /* change a byte */
		if (at < *len)
			text[at] = below(8) ? 32 + below(95) : below(256);
		return;
	case 1: /* drop some */
		if (at + n > *len)
			n = *len - at;
		memmove(text + at, text + at + n, *len - at - n);
		*len -= n;
		return;
	case 2: /* insert a word */
		other = words[below(NR(words))];
		n = strlen(other);
		break;
	case 3: /* insert some of another test */
		other = seeds[below(nr_seeds)];
		from = below(strlen(other) + 1);
		other += from;
		if (n > strlen(other))
			n = strlen(other);
		break;
	default: /* cut the end off */
		if (!below(8))
			*len = at;
		return;
	}
	if (*len + n > room)
		return;
	memmove(text + at + n, text + at, *len - at);
	memcpy(text + at, other, n);
	*len += n;
}

static size_t mutant(char *text, size_t room, int i)
{
	const char *from = seeds[i % nr_seeds];
	size_t len = strlen(from);

	memcpy(text, from, len);
	for (int k = below(6); k >= 0; k--)
		change(text, &len, room);
	return len;
}

START_TEST(mutants)
{
	static char text[16384];
	int accepted = 0;

	seed = 0x9e3779b97f4a7c15ull;
	read_seeds();
	for (int i = 0; i < INPUTS; i++) {
		size_t len = mutant(text, sizeof(text), i);
		struct litmus_error e;
		struct litmus *t = litmus_parse(text, len, &e);

		if (t) {
			accepted++;
			free(litmus_condition(t));
			litmus_free(t);
			continue;
		}
		ck_assert_uint_le(e.at, len);
		ck_assert_uint_ge(e.line, 1);
		ck_assert_uint_ge(e.column, 1);
		ck_assert_uint_gt(strlen(e.what), 10);
	}
	/* the changes are neither harmless nor all fatal */
	ck_assert_int_gt(accepted, INPUTS / 50);
	ck_assert_int_lt(accepted, INPUTS / 2);
}
END_TEST

/* The whole program on some: it ends, with a status that it knows. */
START_TEST(mutants_run)
{
	static char text[16384];
	char path[] = "/tmp/trapline-mutant.XXXXXX", command[512];
	int fd = mkstemp(path), ran = 0;

	ck_assert_int_ge(fd, 0);
	seed = 88172645463325252ull;
	read_seeds();
	snprintf(command, sizeof(command),
		 "timeout 20 " LITMUS " --budget 2000 --memory tso %s "
		 ">/dev/null 2>&1",
		 path);
	for (int i = 0; ran < 200; i++) {
		size_t len = mutant(text, sizeof(text), i);
		struct litmus_error e;
		struct litmus *t = litmus_parse(text, len, &e);
		FILE *f;
		int status;

		litmus_free(t);
		/* every one that is read, few of those that are not */
		if (!t && i % 16)
			continue;
		ran++;
		f = fopen(path, "we");
		ck_assert_ptr_nonnull(f);
		ck_assert_uint_eq(fwrite(text, 1, len, f), len);
		fclose(f);
		status = system(command);
		ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) <= 3,
			      "status %#x: %.*s", status, (int)len, text);
	}
	remove(path);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("reader");
	TCase *tc = tcase_create("litmus");

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, mistake_is_named, 0, NR(mistakes));
	tcase_add_loop_test(tc, form_is_read, 0, NR(forms));
	tcase_add_test(tc, depth);
	tcase_add_test(tc, mutants);
	tcase_add_test(tc, mutants_run);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}
