// SPDX-License-Identifier: GPL-2.0-only
/*
 * trapline insn: verdicts of bytes and of functions, counts, bad input.
 */
#include "command.h"
#include "../suite.h"

#include <elf.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ---------------------------------------------------------------------------- */

#define A64 "--arch arm64 "

/* One instruction each, behind options; `text` and `why` are parts. */
static const struct row {
	const char *hex, *text, *how, *verdict, *why;
} rows[] = {
	{ "90", "nop", "emulate", "ARCH_OK", "does nothing" },
	{ "f3 0f 1e fa", "endbr64", "emulate", "ARCH_OK", "does nothing" },
	{ "eb05", "jmp 0x7", "emulate", "ARCH_OK", "only ip changes" },
	{ "74c1", "jz", "emulate", "ARCH_OK", "flags decide" },
	{ "e800000000", "call 0x5", "emulate", "ARCH_OK", "return address" },
	{ "55", "push %rbp", "emulate", "ARCH_OK", "stores one register" },
	{ "6655", "push %bp", "step", "ARCH_OK", "16 bits" },
	{ "c3", "ret", "step", "ARCH_OK", "on the stack" },
	{ "e2fe", "loop", "step", "ARCH_OK", "moved back" },
	{ "9c", "pushf", "step", "ARCH_OK", "stores the flags" },
	{ "9d", "popf", "step+fix", "ARCH_OK", "loads the flags" },
	{ "ffd0", "call *%rax", "step+fix", "ARCH_OK", "put right" },
	{ "ff1500010000", "call *0x106", "step+fix", "ARCH_OK", "scratch" },
	{ "ff6308", "jmp *0x08(%rbx)", "step", "ARCH_OK", "given address" },
	{ "ffe0", "jmp *%rax", "step", "ARCH_OK", "given address" },
	{ "488b0510000000", "0x17", "step+fix", "ARCH_OK", "scratch" },
	{ "4889c3", "mov %rax, %rbx", "step", "ARCH_OK", "any address" },

	/* VEX and EVEX whose opcode bytes are je, jo, ja, call, jmp, iret */
	{ "c5fd74c1", "vpcmpeqb", "step", "ARCH_OK", "any address" },
	{ "c5fd70c100", "vpshufd", "step", "ARCH_OK", "any address" },
	{ "c5f877", "vzeroupper", "step", "ARCH_OK", "any address" },
	{ "c5fde8c0", "vpsubsb", "step", "ARCH_OK", "any address" },
	{ "62f17d48ebc0", "vpord", "step", "ARCH_OK", "any address" },
	{ "c4e279cfc1", "vgf2p8mulb", "step", "ARCH_OK", "any address" },
	{ "c5fd740510000000", "0x18", "step+fix", "ARCH_OK", "scratch" },

	{ "f00fb10f", "cmpxchg", "refuse", "ARCH_BAD_PREFIX", "lock" },
	{ "cc", "int3", "refuse", "ARCH_IS_BREAKPOINT", "already" },
	{ "cd80", "int", "refuse", "ARCH_PRIVILEGED", "privileged" },
	{ "f4", "hlt", "refuse", "ARCH_PRIVILEGED", "privileged" },
	{ "8ed0", "mov", "refuse", "ARCH_MASKS_TRAP", "delays the trap" },
	{ "667000", "jo", "refuse", "ARCH_BAD_BRANCH", "operand-size" },
	{ "c7f800000000", "xbegin", "refuse", "ARCH_KEEPS_ADDRESS", "step" },
	{ "06", "(bad)", "refuse", "ARCH_BAD_BYTES", "do not decode" },
	{ "e80000", "(bad)", "refuse", "ARCH_TRUNCATED", "does not end" },
	{ "c5", "(bad)", "refuse", "ARCH_TRUNCATED", "does not end" },

	/* words of arm64, in the order of memory */
	{ A64 "1f2003d5", "nop", "emulate", "ARCH_OK", "does nothing" },
	{ A64 "41000054", "b.ne #8", "emulate", "ARCH_OK", "flags decide" },
	{ A64 "200080d2", "mov", "step", "ARCH_OK", "any address" },
	{ A64 "3f2303d5", "paciasp", "step", "ARCH_OK", "signs" },
	{ A64 "ff0b5fd6", "retaa", "refuse", "ARCH_AUTH_BRANCH", "signature" },
	{ A64 "a00020d4", "brk #0x5", "refuse", "ARCH_IS_BREAKPOINT",
	  "already" },
	{ A64 "00000058", "ldr x0", "refuse", "ARCH_LITERAL",
	  "its own address" },
	{ A64 "1f2003", "(bad)", "refuse", "ARCH_TRUNCATED", "does not end" },
	{ A64 "--kernel 6.1 1f2003d5", "nop", "step", "ARCH_OK", "6.13" },
	{ A64 "--kprobe 00000058", "ldr x0", "emulate", "ARCH_OK", "literal" },
	{ A64 "--kernel 6.11 00000058", "ldr x0", "emulate", "ARCH_OK",
	  "mistake" },
};

static const char *member(json_t *o, const char *name)
{
	const char *s = json_string_value(json_object_get(o, name));

	ck_assert_msg(s != NULL, "no %s in %s", name, json_dumps(o, 0));
	return s;
}

static json_int_t number(json_t *o, const char *name)
{
	ck_assert_msg(json_is_integer(json_object_get(o, name)), "no %s in %s",
		      name, json_dumps(o, 0));
	return json_integer_value(json_object_get(o, name));
}

START_TEST(bytes)
{
	const struct row *r = &rows[_i];
	const char *hex = strrchr(r->hex, ' ');
	char plain[64] = "";
	json_t *o;

	hex = *r->hex == '-' ? hex + 1 : r->hex;
	ck_assert_int_eq(command("$T insn --format json %.*s --hex '%s'",
				 (int)(hex - r->hex), r->hex, hex),
			 0);
	o = json_loads(command_out, 0, NULL);
	ck_assert_msg(o != NULL, "not one object: %s", command_out);
	for (const char *s = hex; *s; s++)
		if (*s != ' ')
			strncat(plain, s, 1);
	ck_assert_str_eq(member(o, "type"), "insn");
	ck_assert_str_eq(member(o, "bytes"), plain);
	ck_assert_str_eq(member(o, "how"), r->how);
	ck_assert_str_eq(member(o, "verdict"), r->verdict);
	command_says(member(o, "text"), r->text);
	command_says(member(o, "why"), r->why);
	json_decref(o);
}
END_TEST

START_TEST(text)
{
	/* Also without quotes; what is cut off is shown as it is. */
	ck_assert_int_eq(command("$T insn --hex 55 c5fd 74c1 06 e8 01"), 0);
	ck_assert_str_eq(command_err, "");
	command_says(command_out, "       0  55 ");
	command_says(command_out, "       1  c5 fd 74 c1 ");
	command_says(command_out, "       5  06 ");
	command_says(command_out, "       6  e8 01 ");
	ck_assert_int_eq(command("$T insn --hex 55c5fd74c106e801 | wc -l"), 0);
	ck_assert_str_eq(command_out, "4\n");
	ck_assert_int_eq(command("$T insn --stats --hex 90 90 c3 cc"), 0);
	ck_assert_str_eq(command_out,
			 "4 instructions\n"
			 "         2  emulate    50.0 %\n"
			 "         1  step       25.0 %\n"
			 "         0  step+fix    0.0 %\n"
			 "         1  refuse     25.0 %\n"
			 "           1  there is a breakpoint already\n");
}
END_TEST

/* ---- bad input ------------------------------------------------------------------------- */

static const struct {
	const char *line, *says, *caret; /* line below the copy, if any */
} bad[] = {
	{ "$T insn", "expected FILE:SYMBOL", NULL },
	{ "$T insn a b", "one FILE:SYMBOL", NULL },
	{ "$T insn --hex ''", "no bytes", NULL },
	{ "$T insn --hex 'c5 fx'", "not a hexadecimal digit", "    ^" },
	{ "$T insn --hex 'c5 f'", "half a byte", "    ^" },
	{ "$T insn --hex 'c 5'", "half a byte", " ^" },
	{ "$T insn --hex 0xc5", "not a hexadecimal digit", " ^" },
	{ "$T insn --arch vax --hex 00", "architectures are x86-64 and arm64",
	  NULL },
	{ "$T insn --arch arm64 --kernel 6.0 --hex 00",
	  "kernels are 6.1 to 6.18", NULL },
	{ "$T insn --arch arm64 --kernel 6 --hex 00", "kernels are 6.1 to 6.18",
	  NULL },
	{ "$T insn --arch arm64 --kernel 6.12x --hex 00",
	  "kernels are 6.1 to 6.18", NULL },
	{ "$T insn --arch x86-64 --kprobe --hex 90",
	  "of x86-64 there are the rules of uprobes of one kernel only", NULL },
	{ "$T insn --kernel 6.12 libc.so.6:getpid",
	  "of x86-64 there are the rules of uprobes of one kernel only", NULL },
	{ "$T insn --format xml --hex 90", "text and json", NULL },
	{ "$T insn nowhere:f", "no such file", "^~~~~~~" },
	{ "$T insn .:f", "not a regular file", "^" },
	{ "$T insn ./text.c:f", "text.c: not an ELF file", "^~~~~~~~" },
	{ "$T insn ./empty:f", "empty: not an ELF file", "^~~~~~~" },
	{ "$T insn ./cut:f", "no symbol 'f'", "      ^" },
	{ "$T insn ./cut", "cut: neither symbols nor an unwind table", NULL },
	{ "$T insn ./i386:f", "a 32-bit ELF file; only 64-bit", "^~~~~~" },
	{ "$T insn --stats ./i386", "a 32-bit ELF file; only 64-bit",
	  "^~~~~~" },
	{ "$T insn ./arm:f", "arm has no symbol 'f'", "      ^" },
	{ "$T insn --arch x86-64 ./arm:f", "arm is for arm64; leave out --arch",
	  "^~~~~" },
	{ "$T insn ./riscv:f",
	  "for another processor; x86-64 and arm64 are known", "^~~~~~~" },
	{ "$T trace -e p:./riscv:f true; test $? = 125 && exit 2",
	  "for another processor; only programs for this one", "  ^~~~~~~" },
	{ "$T insn libc.so.6:mallocc", "did you mean 'malloc'?",
	  "          ^~~~~~~" },
	{ "$T insn libc.so.6:no_such_function_at_all",
	  "libc.so.6 has no symbol 'no_such_function_at_all'; is it stripped?",
	  NULL },
	{ "cp $S/README.md bare; $T insn bare",
	  "there is ./bare here: write ./bare", "^~~~" },
	{ "$T insn libc.so.6:getpid+0x100000", "bytes long; give an offset",
	  "          ^~~~~~~~~~~~~~~" },
	{ "$T insn libc.so.6:getpid+0x10000000000000000",
	  "more than 64 bits; write SYMBOL+0x10",
	  "                 ^~~~~~~~~~~~~~~~~~~" },
	{ "$T insn libc.so.6:getpid+x", "not a number", "                 ^" },
	{ "$T insn libc.so.6:0x10", "0x10 of libc.so.6 is not code",
	  "          ^~~~" },
	{ "$T insn 'libc.so.6:zzz*zzz'", "no function of libc.so.6 matches",
	  "          ^~~~~~~" },
	{ "gcc -c -o o.o text.c; $T insn ./o.o:f", "not yet linked; name the",
	  "^~~~~" },
	{ "$T insn libc.so.6:environ", "'environ' is data", NULL },
	{ "$T insn libc.so.6:", "name a function", "          ^" },
};

static void write_file(const char *name, const void *data, size_t n)
{
	FILE *f = fopen(name, "we");

	ck_assert(f && fwrite(data, 1, n, f) == n && !fclose(f));
}

static void write_odd_files(void)
{
	static const unsigned char ident[EI_NIDENT] = {
		0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT
	};
	Elf64_Ehdr eh = { .e_type = ET_DYN,
			  .e_machine = EM_X86_64,
			  .e_version = EV_CURRENT,
			  .e_ehsize = sizeof(eh) };
	Elf32_Ehdr small = { .e_type = ET_DYN,
			     .e_machine = EM_386,
			     .e_version = EV_CURRENT,
			     .e_ehsize = sizeof(small) };

	memcpy(eh.e_ident, ident, sizeof(ident));
	memcpy(small.e_ident, ident, sizeof(ident));
	small.e_ident[EI_CLASS] = ELFCLASS32;
	write_file("empty", "", 0);
	write_file("text.c", "int f(void);\n", 13);
	write_file("cut", &eh, sizeof(eh));
	write_file("i386", &small, sizeof(small));
	eh.e_machine = EM_AARCH64;
	write_file("arm", &eh, sizeof(eh));
	eh.e_machine = EM_RISCV;
	write_file("riscv", &eh, sizeof(eh));
}

START_TEST(bad_input)
{
	const char *copy;
	char line[128];

	write_odd_files();
	ck_assert_int_eq(command("%s", bad[_i].line), 2);
	command_says(command_err, bad[_i].says);
	ck_assert_str_eq(command_out, "");
	if (!bad[_i].caret)
		return;
	copy = strchr(command_err, '\n');
	ck_assert_ptr_nonnull(copy);
	/* Behind "error: ". */
	snprintf(line, sizeof(line), "\n       %s\n", bad[_i].caret);
	ck_assert_msg(!strncmp(copy, line, strlen(line)), "caret:\n%s",
		      command_err);
}
END_TEST

/* ---- files ------------------------------------------------------------------------------- */

/*
 * A program with bytes changed or cut off: an answer or an error, and an end.
 * What is seen without a crash is the business of tests/elf.
 */
START_TEST(damaged)
{
	unsigned char file[20000];
	unsigned long state = 88172645463325252ul;
	unsigned int i, k, answered = 0;
	size_t n;
	FILE *f;
	int status;

	f = fopen(ODD, "r");
	ck_assert_ptr_nonnull(f);
	for (i = 0; i < (getenv("TRAPLINE_FULL") ? 3000 : 100); i++) {
		rewind(f);
		n = fread(file, 1, sizeof(file), f);
		for (k = 0; k < 1 + i % 4; k++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			file[(state >> 20) % (i % 2 ? 1200 : n)] = state >> 50;
		}
		write_file("damaged", file, i % 5 ? n : (state >> 20) % n);
		if (i % 4)
			status = command(
				"timeout 10 $T insn --stats ./damaged%s",
				i % 3 ? "" : ":main");
		else
			status = command("timeout 10 $T trace -c -e "
					 "'r:./damaged:m*n' true");
		ck_assert_msg(status == 0 || status == (i % 4 ? 2 : 125),
			      "%d: %s", status, command_err);
		answered += !status;
	}
	fclose(f);
	ck_assert_uint_gt(answered, i / 10);
	ck_assert_uint_lt(answered, i);
}
END_TEST

/* The same boundaries as another disassembler's. */
START_TEST(as_objdump)
{
	char *ours;

	ck_assert_int_eq(
		command("$T insn $T:main | sed -nE "
			"'s/^ *([0-9a-f]+)  (([0-9a-f]{2} )+).*/\\1 \\2/p'"),
		0);
	ck_assert_int_gt(strlen(command_out), 100);
	ours = strdup(command_out);
	ck_assert_int_eq(
		command("objdump -dw --disassemble=main $T | sed -nE "
			"'s/^ *([0-9a-f]+):\\t(([0-9a-f]{2} )+).*/\\1 \\2/p'"),
		0);
	ck_assert_str_eq(ours, command_out);
	free(ours);
}
END_TEST

START_TEST(a_function)
{
	ck_assert_int_eq(command("$T insn $T:cmd_insn"), 0);
	ck_assert_int_eq(strncmp(command_out, "cmd_insn (trapline+0x", 21), 0);
	ck_assert_int_eq(command("$T insn libc.so.6:strlen"), 0);
	command_says(command_err, "strlen is chosen at run time");
	ck_assert_int_eq(strncmp(command_out, "strlen (libc.so.6+0x", 20), 0);
	/* A colon in the name of a file. */
	ck_assert_int_eq(command("ln -s $T a:b; $T insn --stats ./a:b:main"),
			 0);
	command_says(command_out, "./a:b: 1 functions, ");
	ck_assert_int_eq(command("$T insn --stats ./a:b"), 0);
}
END_TEST

/*
 * a and b overlap, c is the start of a under another name, nothing tells the
 * size of d; label is no function, and only bytes follow it.
 */
static const char overlap[] = ".globl a, b, c, d, label\n"
			      ".type a, @function\n"
			      ".type b, @function\n"
			      ".type c, @function\n"
			      ".type d, @function\n"
			      "a: nop\n"
			      "b: push %rax\n"
			      "ret\n"
			      ".size a, . - a\n"
			      "int3\n"
			      ".size b, . - b\n"
			      ".set c, a\n"
			      ".size c, 1\n"
			      "d: nop\n"
			      "nop\n"
			      "label: .byte 6\n";

/* As trace names places, beside whole functions. */
START_TEST(places)
{
	static const struct {
		const char *place, *says;
	} cases[] = {
		{ "odd_long", "odd_long (odd+0x" },
		{ "odd_long+10", ", 1 bytes)\n" },
		{ "'odd_l*'", "\nodd_long (odd+0x" },
		{ "odd_l?ng", "odd_long (odd+0x" },
	};
	unsigned int i;
	unsigned long at;
	char *from;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_int_eq(command("$T insn " ODD ":%s", cases[i].place),
				 0);
		ck_assert_str_eq(command_err, "");
		command_says(command_out, cases[i].says);
	}
	from = strstr(command_out, "odd+");
	ck_assert_int_eq(sscanf(from, "odd+%lx, 11 bytes", &at), 1);
	ck_assert_int_eq(command("$T insn " ODD ":0x%lx", at + 1), 0);
	command_says(command_out, ", 10 bytes)\n");
	command_says(command_err, "inside an instruction of odd_long");
}
END_TEST

START_TEST(odd_functions)
{
	write_file("odd.s", overlap, strlen(overlap));
	ck_assert_int_eq(command("cc -shared -nostdlib -o odd.so odd.s"), 0);
	ck_assert_int_eq(command("$T insn ./odd.so | grep ^[a-d].*odd.so"), 0);
	command_says(command_out, ", 3 bytes)\nb (odd.so+0x");
	command_says(command_out, ", 1 bytes)\nd (odd.so+0x");
	ck_assert_int_eq(command("$T insn --stats ./odd.so"), 0);
	command_says(command_out, "odd.so: 3 functions, 7 instructions\n"
				  "         4  emulate ");
	command_says(command_out, "           1  there is a breakpoint");
	command_says(command_out, "           1  the bytes do not decode");
	ck_assert_int_eq(command("$T insn --stats ./odd.so:b"), 0);
	command_says(command_out, " 1 functions, 3 instructions");
	ck_assert_int_eq(command("$T insn --stats ./odd.so:c"), 0);
	command_says(command_out, " 1 functions, 1 instructions");
	ck_assert_int_eq(command("$T insn --stats ./odd.so:label"), 0);
	command_says(command_out, " 1 functions, 1 instructions");
	ck_assert_int_eq(command("$T insn --stats ./odd.so:d"), 0);
	command_says(command_out, " 1 functions, 3 instructions");
}
END_TEST

/* Every byte at most once, in order; and the counts are those of the lines. */
START_TEST(lines_and_counts)
{
	json_int_t lines = 0, end = 0, at, ways = 0;
	json_t *o, *how = json_object(), *n;
	const char *name;
	char *line, *rest;

	/* Stripped, so this is the unwind table. */
	ck_assert_int_eq(command("$T insn --format json /bin/true"), 0);
	rest = command_out;
	while ((line = strsep(&rest, "\n")) && *line) {
		o = json_loads(line, 0, NULL);
		ck_assert_msg(o != NULL, "not an object: %s", line);
		at = strtol(member(o, "offset"), NULL, 16);
		ck_assert_int_ge(at, end);
		end = at + strlen(member(o, "bytes")) / 2;
		name = member(o, "how");
		json_object_set_new(
			how, name,
			json_integer(
				json_integer_value(json_object_get(how, name)) +
				1));
		ck_assert_str_ne(member(o, "why"), "");
		lines++;
		json_decref(o);
	}
	ck_assert_int_gt(lines, 1000);
	ck_assert_int_eq(command("$T insn --stats --format json /bin/true"), 0);
	o = json_loads(command_out, 0, NULL);
	ck_assert_int_eq(number(o, "instructions"), lines);
	json_object_foreach(how, name, n)
	{
		ck_assert_int_eq(number(o, name), json_integer_value(n));
		ways += number(o, name);
	}
	ck_assert_int_eq(ways, lines);
	json_decref(o);
	json_decref(how);
}
END_TEST

static const char *const libraries[] = { "libc.so.6", "libcrypto.so.3",
					 "libcrypto.so.1.1" };

/* Reasons that the analysis may have for a compiler's or assembler's output. */
static bool expected(const char *reason)
{
	static const char *const known[] = { "ARCH_BAD_PREFIX",
					     "ARCH_PRIVILEGED",
					     "ARCH_BAD_BRANCH",
					     "ARCH_KEEPS_ADDRESS" };

	for (unsigned int i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(reason, known[i]))
			return true;
	return false;
}

START_TEST(sweep)
{
	const char *library = libraries[_i], *reason;
	json_int_t refused = 0;
	json_t *o, *n;
	int status;

	status = command("$T insn --stats --format json %s", library);
	if (status == 2 && _i && strstr(command_err, "no such file")) {
		printf("%s: not on this machine\n", library);
		return;
	}
	ck_assert_int_eq(status, 0);
	o = json_loads(command_out, 0, NULL);
	ck_assert_msg(o != NULL, "%s", command_out);
	json_object_foreach(json_object_get(o, "refused"), reason, n)
	{
		ck_assert_msg(expected(reason), "%s in %s", reason, library);
		refused += json_integer_value(n);
	}
	ck_assert_int_eq(number(o, "refuse"), refused);
	ck_assert_int_eq(number(o, "emulate") + number(o, "step") +
				 number(o, "step+fix") + refused,
			 number(o, "instructions"));
	ck_assert_int_gt(number(o, "functions"), 2000);
	ck_assert_int_gt(number(o, "instructions"), 100000);
	ck_assert_int_gt(number(o, "emulate"), 10000);
	ck_assert_int_gt(number(o, "step+fix"), 1000);
	json_decref(o);
	ck_assert_int_eq(command("$T insn --stats %s", library), 0);
	fputs(command_out, stdout);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("insn");
	TCase *tc = tcase_create("insn");

	tcase_add_checked_fixture(tc, command_setup, command_teardown);
	tcase_set_timeout(tc, getenv("TRAPLINE_FULL") ? 600 : 60);
	tcase_add_loop_test(tc, bytes, 0, sizeof(rows) / sizeof(*rows));
	tcase_add_test(tc, text);
	tcase_add_loop_test(tc, bad_input, 0, sizeof(bad) / sizeof(*bad));
	tcase_add_test(tc, damaged);
	tcase_add_test(tc, as_objdump);
	tcase_add_test(tc, a_function);
	tcase_add_test(tc, places);
	tcase_add_test(tc, odd_functions);
	tcase_add_test(tc, lines_and_counts);
	tcase_add_loop_test(tc, sweep, 0,
			    sizeof(libraries) / sizeof(*libraries));
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}
