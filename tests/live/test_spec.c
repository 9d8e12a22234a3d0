// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_spec.c - probe specifications: what they mean, and where they are wrong.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"
#include "../suite.h"

static const struct good {
	const char *text;
	bool ret;
	const char *event, *path, *symbol;
	unsigned long offset, ref_ctr;
} good[] = {
	{ "p:libc.so.6:malloc", false, "", "libc.so.6", "malloc", 0, 0 },
	{ "r:/bin/ls:main", true, "", "/bin/ls", "main", 0, 0 },
	{ "p:./a:f+0x10", false, "", "./a", "f", 16, 0 },
	{ "p:./a:f+7", false, "", "./a", "f", 7, 0 },
	{ "p:./a:0x1139", false, "", "./a", "", 0x1139, 0 },
	{ "p:./a:b:f", false, "", "./a:b", "f", 0, 0 },
	{ "p:./a:operator+", false, "", "./a", NULL, 0, 0 },
	{ "p:./a:a+b+4", false, "", "./a", "a+b", 4, 0 },
	{ "p:./a:*f?", false, "", "./a", "*f?", 0, 0 },
	{ "p ./a:f", false, "", "./a", "f", 0, 0 },
	{ "p:ev ./a:f+4", false, "ev", "./a", "f", 4, 0 },
	{ "r:grp/ev ./a:0x20", true, "ev", "./a", "", 0x20, 0 },
	{ "p:ev  ./a:f%return", true, "ev", "./a", "f", 0, 0 },
	{ "uprobe:./a:f", false, "", "./a", "f", 0, 0 },
	{ "uretprobe:./a:f", true, "", "./a", "f", 0, 0 },
	{ "u:./a:f+1", false, "", "./a", "f", 1, 0 },
	{ "ur:./a:f", true, "", "./a", "f", 0, 0 },
	{ "p:./a:0x1139(0x4010)", false, "", "./a", "", 0x1139, 0x4010 },
	{ "p:./a:f(16) %di", false, "", "./a", "f", 0, 16 },
	{ "r:ev ./a:f+4(0x30)", true, "ev", "./a", "f", 4, 0x30 },
	{ "p:ev ./a:f%return(0x30)", true, "ev", "./a", "f", 0, 0x30 },
	{ "uprobe:./a:f  ", false, "", "./a", "f", 0, 0 },
	{ "p:./my\\ a:f %di", false, "", "./my a", "f", 0, 0 },
	{ "p:ev ./my\\ \\a\\\\ b:f", false, "ev", "./my \\a\\ b", "f", 0, 0 },
	{ "ur:./my\\ a:0x10", true, "", "./my a", "", 16, 0 },
	{ "p:./a(1):f", false, "", "./a(1)", "f", 0, 0 },
};

START_TEST(accepts)
{
	const struct good *g = &good[_i];
	struct spec_error e;
	struct spec s;

	if (!g->symbol) { /* a plus sign promises a number */
		ck_assert_int_eq(spec_parse(g->text, &s, &e), -EINVAL);
		return;
	}
	ck_assert_int_eq(spec_parse(g->text, &s, &e), 0);
	ck_assert_int_eq(s.ret, g->ret);
	ck_assert_str_eq(s.event, g->event);
	ck_assert_str_eq(s.path, g->path);
	ck_assert_str_eq(s.symbol, g->symbol);
	ck_assert_uint_eq(s.offset, g->offset);
	ck_assert_uint_eq(s.ref_ctr, g->ref_ctr);
	ck_assert_int_eq(g->text[s.in_path.at], g->path[0]);
	ck_assert_int_eq(g->text[s.in_path.at + s.in_path.len], ':');
}
END_TEST

static const struct bad {
	const char *text;
	unsigned int at;
	const char *says;
} bad[] = {
	{ "", 0, "starts with p:" },
	{ "x:./a:f", 0, "starts with p:" },
	{ "p", 0, "starts with p:" },
	{ "p:", 2, "expected PATH:SYMBOL" },
	{ "p:f", 2, "expected PATH:SYMBOL" },
	{ "p::f", 2, "path is missing" },
	{ "p:./a:", 6, "missing here" },
	{ "p:./a:12x", 6, "not a number" },
	{ "p:./a:f+", 8, "not a number" },
	{ "p:./a:f+-4", 8, "not a number" },
	{ "p:./a:f+99999999999999999999", 8, "more than 64 bits" },
	{ "p:./a:0x10000000000000000", 6, "more than 64 bits; write a" },
	{ "p:./a:f(0x10000000000000000)", 8, "more than 64 bits; write a" },
	{ "uprobe:./a:f s=+0($arg1):string", 13, "write p:PATH:SYMBOL NAME" },
	{ "ur:./a:f { printf(\"x\"); }", 9, "nor actions; write r:PATH" },
	{ "p:./my a:f", 2, "a path's blank is written '\\ '" },
	{ "p:./a:f*+4", 8, "leave the offset out" },
	{ "p:./a:?f+0x10", 8, "leave the offset out" },
	{ "p:e-v ./a:f", 3, "letters" },
	{ "p:g/ ./a:f", 4, "name is missing" },
	{ "p:ev ", 5, "expected PATH:SYMBOL" },
	{ "p:./a:f(0x30 %di", 7, "ends the place" },
	{ "p:./a:f(0x30)x", 7, "ends the place" },
	{ "p:./a:f(0x30)%return", 7, "ends the place" },
	{ "p:./a:f()", 8, "not a number" },
	{ "p:./a:f(0)", 8, "not a number" },
	{ "p:./a:f(sem)", 8, "not a number" },
	{ "p:ev ./a:f(0x3g)", 11, "not a number" },
	{ "p:./a:f =%di", 8, "name is missing" },
	{ "p:./a:f a-b=%di", 9, "as in C" },
	{ "p:./a:f 1a=%di", 8, "as in C" },
	{ "p:./a:f a12345678901234567890123456789012=%di", 8, "at most" },
	{ "p:./a:f x=%di x=%si", 14, "an argument 'x' already" },
	{ "p:./a:f %di arg1=%si", 12, "an argument 'arg1' already" },
	{ "p:./a:f x=", 10, "missing here" },
	{ "p:./a:f x=:u8", 10, "missing here" },
	{ "p:./a:f x=di", 10, "expected %REGISTER" },
	{ "p:./a:f @0x10", 8, "expected %REGISTER" },
	{ "p:./a:f %dii", 8, "did you mean %di?" },
	{ "p:./a:f x=+8(%rsj)", 13, "did you mean %rsi?" },
	{ "p:./a:f %eaz", 8, "did you mean %eax?" },
	{ "p:./a:f %", 8, "no such register" },
	{ "p:./a:f %xmm0", 8, "no such register" },
	{ "p:./a:f %averylongregistername", 8, "no such register" },
	{ "p:ev ./a:f $retval", 11, "use r:" },
	{ "r:./a:f $arg1", 8, "use p:" },
	{ "p:ev ./a:f%return x=+0($arg1)", 23, "use p:" },
	{ "p:./a:f $arg0", 8, "$arg1 to $arg6" },
	{ "p:./a:f $arg7", 8, "$stack1 is the seventh" },
	{ "p:./a:f $arg", 8, "$arg1 to $arg6" },
	{ "p:./a:f $stackx", 14, "$stack0" },
	{ "p:./a:f $stack-1", 14, "$stack0" },
	{ "p:./a:f $foo", 8, "no such variable" },
	{ "p:./a:f $", 8, "no such variable" },
	{ "p:./a:f 5", 8, "backslash" },
	{ "p:./a:f \\x", 8, "not a number" },
	{ "p:./a:f \\", 8, "not a number" },
	{ "p:./a:f \\99999999999999999999", 8, "more than 64 bits" },
	{ "p:./a:f +8%di", 8, "parentheses" },
	{ "p:./a:f +", 8, "parentheses" },
	{ "p:./a:f +(%di)", 8, "offset: not a number" },
	{ "p:./a:f +0(+x(%di))", 11, "offset: not a number" },
	{ "p:./a:f +0x10000000000000000(%di)", 8, "offset: this number needs" },
	{ "p:./a:f +0(+0(+0(+0(+0(+0(+0(+0(+0(%di)))))))))", 32,
	  "8 parentheses inside each other; fetch one" },
	{ "p:./a:f +0(%di", 14, "1 closing parenthesis is" },
	{ "p:./a:f +0(+8(%di:u8", 17, "2 closing parentheses are" },
	{ "p:./a:f +0(%di))", 14, "no parenthesis is open" },
	{ "p:./a:f %di)", 11, "no parenthesis is open" },
	{ "p:./a:f +0()", 11, "missing here" },
	{ "p:./a:f +0(+0(+0(+0(+0(+0(+0(+0(+0(%di)))))))))", 32, "more than" },
	{ "p:./a:f %di:u7", 12, "no such type" },
	{ "p:./a:f %di:", 12, "no such type" },
	{ "p:./a:f %di:u8[2]", 12, "no such type" },
	{ "p:./a:f %di:string", 12, "write +0(%di):string" },
	{ "p:./a:f \\5:string", 11, "read from memory" },
	{ "p:./a:f $comm:u8", 14, "leave the type out" },
	{ "p:./a:f +0($comm):string", 8, "leave the parentheses out" },
	{ "p:./a:f %di %di %di %di %di %di %di %di %di %di %di %di %di %di "
	  "%di %di %di",
	  72, "more than 16" },
};

START_TEST(points_at_the_error)
{
	const struct bad *b = &bad[_i];
	struct spec_error e;
	struct spec s;

	ck_assert_int_eq(spec_parse(b->text, &s, &e), -EINVAL);
	ck_assert_msg(strstr(e.what, b->says) != NULL, "'%s' says '%s'",
		      b->text, e.what);
	ck_assert_uint_eq(e.where.at, b->at);
	ck_assert_uint_ge(e.where.len, 1);
}
END_TEST

START_TEST(refuses_what_is_too_long)
{
	char text[SPEC_MAX + 1];
	struct spec_error e;
	struct spec s;

	memset(text, 'a', SPEC_MAX);
	memcpy(text, "p:", 2);
	text[SPEC_MAX] = '\0';
	ck_assert_int_eq(spec_parse(text, &s, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.what, "nearer to"));
}
END_TEST

/* What an argument means, by its canonical form. */
static const struct form {
	const char *text, *canonical;
} forms[] = {
	{ "p:./a:f %ax", "arg1=%ax:x64" },
	{ "p:./a:f x=%rax:u8", "x=%ax:u8" },
	{ "p:./a:f x=%eax:s32", "x=%eax:s32" },
	{ "p:./a:f x=%r8", "x=%r8:x64" },
	{ "p:./a:f x=%r15d", "x=%r15d:x64" },
	{ "p:./a:f x=%rflags", "x=%flags:x64" },
	{ "p ./a:f x=%ip", "x=%ip:x64" },
	{ "p:ev ./a:f x=$arg6:char", "x=$arg6:char" },
	{ "p:ev ./a:f%return x=$retval", "x=$retval:x64" },
	{ "p:./a:f%return x=$retval:s32", "x=$retval:s32" },
	{ "r:./a:b:f+0x10 $retval", "arg1=$retval:x64" },
	{ "r:./a:f x=%di", "x=%di:x64" },
	{ "p:./a:f $comm", "arg1=$comm:string" },
	{ "p:./a:f $comm:string", "arg1=$comm:string" },
	{ "p:./a:f $stack", "arg1=$stack:x64" },
	{ "p:./a:f $stack007:u16", "arg1=$stack7:u16" },
	{ "p:./a:f \\010", "arg1=\\8:x64" },
	{ "p:./a:f \\-0x5:x8", "arg1=\\-5:x8" },
	{ "p:./a:f \\+5", "arg1=\\5:x64" },
	{ "p:./a:f \\18446744073709551615", "arg1=\\-1:x64" },
	{ "p:./a:f +0x10(-8(%rdi)):string", "arg1=+16(-8(%di)):string" },
	{ "p:./a:f\t x=+0(%bp) ", "x=+0(%bp):x64" },
	{ "p:./a:f +0(+0(+0(+0(+0(+0(+0(+0(%di))))))))",
	  "arg1=+0(+0(+0(+0(+0(+0(+0(+0(%di)))))))):x64" },
	{ "p:./a:f -9223372036854775808(%di)",
	  "arg1=-9223372036854775808(%di):x64" },
};

/* parse(print(x)) == x for every argument. */
static void check_round_trip(const struct spec *s)
{
	char text[16 + FETCH_TEXT], print[FETCH_TEXT], again[FETCH_TEXT];
	struct spec_error e;
	struct spec t;
	unsigned int i;

	for (i = 0; i < s->nr_args; i++) {
		fetch_print(&s->arg[i], print);
		snprintf(text, sizeof(text), "%c:a:f %s", s->ret ? 'r' : 'p',
			 print);
		ck_assert_msg(!spec_parse(text, &t, &e), "%s: %s", text,
			      e.what);
		ck_assert_uint_eq(t.nr_args, 1);
		ck_assert_msg(!memcmp(&t.arg[0], &s->arg[i], sizeof(t.arg[0])),
			      "%s", text);
		fetch_print(&t.arg[0], again);
		ck_assert_str_eq(again, print);
	}
}

START_TEST(has_a_canonical_form)
{
	const struct form *f = &forms[_i];
	char text[FETCH_TEXT];
	struct spec_error e;
	struct spec s;

	ck_assert_msg(!spec_parse(f->text, &s, &e), "%s: %s", f->text, e.what);
	ck_assert_uint_eq(s.nr_args, 1);
	fetch_print(&s.arg[0], text);
	ck_assert_str_eq(text, f->canonical);
	check_round_trip(&s);
}
END_TEST

START_TEST(keeps_the_order_of_arguments)
{
	struct spec_error e;
	struct spec s;

	ck_assert_int_eq(spec_parse("r:g/ev ./a:f a=%di $retval:s32 %si "
				    "c=+0(%dx):string",
				    &s, &e),
			 0);
	ck_assert(s.ret);
	ck_assert_str_eq(s.event, "ev");
	ck_assert_str_eq(s.path, "./a");
	ck_assert_str_eq(s.symbol, "f");
	ck_assert_uint_eq(s.nr_args, 4);
	ck_assert_str_eq(s.arg[0].name, "a");
	ck_assert_str_eq(s.arg[1].name, "arg2");
	ck_assert_str_eq(s.arg[2].name, "arg3");
	ck_assert_str_eq(s.arg[3].name, "c");
	check_round_trip(&s);
}
END_TEST

/* ---- anything a user may type --------------------------------------------------- */

static unsigned int random_below(unsigned int n)
{
	static unsigned long state = 88172645463325252ul;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

/* Change, insert, drop, double or join with a part of another line. */
static void mutate(char *text, size_t size)
{
	static const char letters[] = "pr:=+-(),%$\\@ \t0179xaeidsuz_\xff[/.";
	char one[2] = "";
	size_t len = strlen(text), at = random_below(len + 1), n;
	const char *other =
		forms[random_below(sizeof(forms) / sizeof(*forms))].text;

	switch (random_below(5)) {
	case 0:
		if (at < len)
			text[at] = letters[random_below(sizeof(letters) - 1)];
		return;
	case 1:
		n = random_below(8);
		n = n < len - at ? n : len - at;
		memmove(text + at, text + at + n, len - at - n + 1);
		return;
	case 2:
		n = strlen(other);
		other += random_below(n);
		break;
	case 3:
		other = strdupa(text + at);
		at = random_below(len + 1);
		break;
	default:
		one[0] = letters[random_below(sizeof(letters) - 1)];
		other = one;
	}
	n = strlen(other);
	if (len + n >= size)
		return;
	memmove(text + at + n, text + at, len - at + 1);
	memcpy(text + at, other, n);
}

/* The text has exactly its own length: a reader of more is seen by ASan. */
START_TEST(survives_any_text)
{
	char text[1100], *exact;
	unsigned int i, j, accepted = 0, args = 0;
	struct spec_error e;
	struct spec s;

	for (i = 0; i < 50000; i++) {
		strcpy(text, forms[i % (sizeof(forms) / sizeof(*forms))].text);
		for (j = random_below(6); j > 0; j--)
			mutate(text, sizeof(text));
		exact = strdup(text);
		memset(&e, 0, sizeof(e));
		if (!spec_parse(exact, &s, &e)) {
			accepted++;
			args += s.nr_args;
			check_round_trip(&s);
		} else {
			ck_assert_msg(e.what[0] != '\0', "'%s'", text);
			ck_assert_msg(e.where.len >= 1 &&
					      e.where.at <= strlen(text),
				      "'%s': %u", text, e.where.at);
		}
		free(exact);
	}
	/* Both ways were taken often. */
	ck_assert_uint_gt(accepted, 5000);
	ck_assert_uint_gt(args, 5000);
	ck_assert_uint_lt(accepted, 45000);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("spec");
	TCase *tc = tcase_create("syntax");

	tcase_set_timeout(tc, 60); /* a busy machine */
	tcase_add_loop_test(tc, accepts, 0, sizeof(good) / sizeof(*good));
	tcase_add_loop_test(tc, points_at_the_error, 0,
			    sizeof(bad) / sizeof(*bad));
	tcase_add_test(tc, refuses_what_is_too_long);
	tcase_add_loop_test(tc, has_a_canonical_form, 0,
			    sizeof(forms) / sizeof(*forms));
	tcase_add_test(tc, keeps_the_order_of_arguments);
	tcase_add_test(tc, survives_any_text);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}
