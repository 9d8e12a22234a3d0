// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs for another processor than this one: trapline insn shows them as any,
 * trapline trace says what to do instead. They are assembled here, by binutils
 * for aarch64.
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place_check.h"
#include "../suite.h"

static const char source[] = "	.text\n"
			     "	.globl	f, add, _start\n"
			     "	.type	f, %function\n"
			     "	.type	add, %function\n"
			     "	.type	_start, %function\n"
			     "f:	.cfi_startproc\n"
			     ".Lf:\n"
			     "	paciasp\n"
			     "	stp	x29, x30, [sp, #-16]!\n"
			     "	adrp	x0, .Lf\n"
			     "	bl	.Ladd\n"
			     "	ldr	x1, =0x123456789abcdef0\n"
			     "	nop\n"
			     "	cbz	x0, .Lf\n"
			     "	ldp	x29, x30, [sp], #16\n"
			     "	retaa\n"
			     "	.cfi_endproc\n"
			     "	.size	f, . - f\n"
			     "add:	.cfi_startproc\n"
			     ".Ladd:\n"
			     "	ldaxr	x1, [x0]\n"
			     "	add	x1, x1, #1\n"
			     "	stlxr	w2, x1, [x0]\n"
			     "	cbnz	w2, .Ladd\n"
			     "	ret\n"
			     "	.cfi_endproc\n"
			     "	.size	add, . - add\n"
			     "_start:	.cfi_startproc\n"
			     "	svc	#0\n"
			     "	.cfi_endproc\n"
			     "	.size	_start, . - _start\n";

static void setup(void)
{
	FILE *f;

	command_setup();
	f = fopen("a.s", "we");
	ck_assert(f && fputs(source, f) >= 0 && !fclose(f));
	ck_assert_int_eq(
		command("aarch64-linux-gnu-as -march=armv8.3-a -o a.o "
			"a.s && aarch64-linux-gnu-ld -shared --eh-frame-hdr "
			"-o arm.so a.o && "
			"aarch64-linux-gnu-ld -o arm a.o"),
		0);
}

/* How each instruction of a place is treated, a letter each. */
static const struct {
	const char *args, *ways;
} places[] = {
	{ "./arm.so:f", "SSEEREESR" },
	{ "--arch arm64 ./arm.so:f", "SSEEREESR" },
	{ "--kernel 6.1 ./arm.so:f", "SSEEESESR" },
	{ "--kernel 6.12 ./arm.so:f", "SSEERSESR" },
	{ "--kernel 6.13 ./arm.so:f", "SSEEREESR" },
	{ "--kprobe ./arm.so:f", "SSEEEEESR" },
	{ "--kprobe --kernel 6.12 ./arm.so:f", "SSEEESESR" },
	{ "./arm.so:add", "RRREE" },
	{ "./arm.so:add+4", "RREE" },
	{ "--kprobe ./arm.so:add", "RRREE" },
	{ "--kernel 6.18 ./arm.so:add", "RSREE" },
	{ "./arm:_start", "R" },
};

static char way(const char *line)
{
	if (strstr(line, "\"how\":\"emulate\""))
		return 'E';
	if (strstr(line, "\"how\":\"step\""))
		return 'S';
	return strstr(line, "\"how\":\"refuse\"") ? 'R' : '?';
}

START_TEST(ways)
{
	char got[16] = "", *line;
	unsigned int n = 0;

	ck_assert_int_eq(command("$T insn --format json %s", places[_i].args),
			 0);
	ck_assert_str_eq(command_err, "");
	for (line = strtok(command_out, "\n"); line && n < sizeof(got) - 1;
	     line = strtok(NULL, "\n"))
		got[n++] = way(line);
	ck_assert_str_eq(got, places[_i].ways);
}
END_TEST

START_TEST(listing)
{
	ck_assert_int_eq(command("$T insn ./arm.so:f"), 0);
	command_says(command_out, "f (arm.so+0x");
	command_says(command_out, ", 36 bytes)\n");
	command_says(command_out, "  3f 23 03 d5              paciasp");
	command_says(command_out, "stp x29, x30, [sp, #-0x10]!");
	command_says(command_out, "retaa");
	command_says(command_out, "checks a signature");
	ck_assert_int_eq(command("$T insn ./arm.so:add"), 0);
	command_says(command_out, "an exclusive access is open here");
	ck_assert_int_eq(command("$T insn --stats ./arm.so"), 0);
	command_says(command_out, "arm.so: 3 functions, 15 instructions\n");

	/* stripped: by the unwind table, with search table and without */
	ck_assert_int_eq(command("aarch64-linux-gnu-strip arm.so arm; "
				 "aarch64-linux-gnu-strip -R .dynsym arm.so"),
			 0);
	ck_assert_int_eq(command("$T insn --stats ./arm.so"), 0);
	command_says(command_out, "arm.so: 3 functions, 15 instructions\n");
	ck_assert_int_eq(command("$T insn --stats ./arm"), 0);
	command_says(command_out, "arm: 3 functions, 15 instructions\n");
}
END_TEST

START_TEST(mistakes)
{
	ck_assert_int_eq(command("$T insn --arch x86-64 ./arm.so:f"), 2);
	command_says(command_err, "arm.so is for arm64; leave out --arch");
	ck_assert_int_eq(command("$T insn ./arm.so:f+2"), 0);
	command_says(command_err, "inside an instruction of f; the next one is "
				  "at +4");
}
END_TEST

/* What trace would ask on an arm64 machine. */
START_TEST(inside_exclusive)
{
	struct place place = { .file = "arm.so" };
	struct place_reason why;
	struct arch_insn insn;
	struct symbol add;

	place.syms = symbols_open_any("arm.so");
	ck_assert(place.syms && symbols_find(place.syms, "add", &add));
	place.offset = add.offset + 4;
	ck_assert_int_eq(place_check(&place, &insn, &why), PLACE_REFUSED);
	command_says(why.what, "(21 04 00 91: add x1, x1, #1)");
	command_says(why.what, "an exclusive access is open here");
	place.offset = add.offset + 12;
	ck_assert_int_eq(place_check(&place, &insn, &why), PLACE_OK);
	symbols_close(place.syms);
}
END_TEST

START_TEST(trace)
{
	ck_assert_int_eq(command("$T trace -e p:./arm:f -- ./arm"), 126);
	command_says(command_err,
		     "it is for arm64, and this machine is x86-64; "
		     "copy trapline to an arm64 machine");
	ck_assert_int_eq(command("$T trace -e p:libc.so.6:open -- ./arm"), 126);
	command_says(command_err, "copy trapline to an arm64 machine");
	ck_assert_int_eq(command("$T trace -e p:./arm.so:* -- true"), 125);
	command_says(command_err, "copy trapline to an arm64 machine");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("foreign");
	TCase *tc = tcase_create("arm64");

#ifdef __aarch64__
	puts("skip: arm64 is this machine's own");
	return 77;
#endif
	if (system("aarch64-linux-gnu-as --version >/dev/null 2>&1")) {
		puts("skip: aarch64-linux-gnu-as is missing "
		     "(binutils-aarch64-linux-gnu)");
		return 77;
	}
	tcase_add_checked_fixture(tc, setup, command_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, ways, 0, sizeof(places) / sizeof(*places));
	tcase_add_test(tc, listing);
	tcase_add_test(tc, mistakes);
	tcase_add_test(tc, inside_exclusive);
	tcase_add_test(tc, trace);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}
