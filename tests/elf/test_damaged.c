// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_damaged.c - a program's file, cut off and with bytes changed, thousands
 * of times: what is asked of it is answered or refused, and ends.
 *
 * The long form (TRAPLINE_FULL=1) does ten times as many, and a build with
 * AddressSanitizer sees what a crash does not show.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols.h"
#include "../suite.h"

#define ROUNDS 3000

static unsigned char *whole;
static size_t size;
static char path[64];
static int fd;

static unsigned int random_below(unsigned int n)
{
	static unsigned long state = 88172645463325252ul;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % n;
}

static void setup(void)
{
	FILE *f = fopen(SUBJECT, "r");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
	size = ftell(f);
	rewind(f);
	whole = malloc(size);
	ck_assert(whole && fread(whole, 1, size, f) == size);
	fclose(f);
	fd = memfd_create("damaged", MFD_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
}

static void write_file(const unsigned char *bytes, size_t n)
{
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(pwrite(fd, bytes, n, 0), n);
}

/* Everything that a user of symbols.h may ask; how many functions there are. */
static unsigned int ask(void)
{
	struct symbols *s = symbols_open(path);
	const struct symbol_text *text;
	unsigned char code[16];
	struct symbol_text at;
	struct symbol sym, *all;
	unsigned int nr, i, from;
	unsigned long offset;

	if (!s) {
		ck_assert(errno == ENOEXEC || errno == ENOTSUP ||
			  errno == EXDEV || errno == EINVAL ||
			  errno == ENOLINK);
		return 0;
	}
	text = symbols_functions(s, &nr);
	ck_assert_ptr_nonnull(text);
	for (i = 0; i < nr; i++) {
		offset = text[i].offset;
		ck_assert_int_le(symbols_read(s, offset, code, sizeof(code)),
				 sizeof(code));
		symbols_executable(s, offset);
		if (symbols_function_at(s, offset + 1, &at))
			symbols_is_called(s, &at);
	}
	if (symbols_find(s, "odd_long", &sym))
		ck_assert_str_eq(sym.name, "odd_long");
	symbols_nearest(s, "odd_lung");
	all = symbols_match(s, "*d*_?o*", &i);
	ck_assert_ptr_nonnull(all);
	while (i-- > 0) {
		from = 0;
		ck_assert_ptr_nonnull(symbols_name(s, all[i].offset, &from));
	}
	free(all);
	symbols_entry(s);
	symbols_close(s);
	return nr;
}

/* Where a change is likely to be read: headers and tables at both ends. */
static size_t somewhere(void)
{
	switch (random_below(4)) {
	case 0:
		return random_below(sizeof(Elf64_Ehdr));
	case 1:
		return random_below(1024);
	case 2:
		return size - 1 - random_below(4096);
	default:
		return random_below(size);
	}
}

static void change(unsigned char *bytes)
{
	static const unsigned char interesting[] = { 0, 1, 0x7f, 0x80, 0xff };
	size_t at = somewhere();

	switch (random_below(3)) {
	case 0:
		bytes[at] ^= 1 << random_below(8);
		break;
	case 1:
		bytes[at] = interesting[random_below(5)];
		break;
	default: /* a number becomes a large one */
		memset(bytes + at, 0xff, size - at < 8 ? size - at : 8);
	}
}

static unsigned int rounds(void)
{
	return getenv("TRAPLINE_FULL") ? 10 * ROUNDS : ROUNDS;
}

/* Both often: still readable, and refused. */
START_TEST(changed)
{
	unsigned char *bytes = malloc(size);
	unsigned int i, k, readable = 0;

	ck_assert_ptr_nonnull(bytes);
	for (i = 0; i < rounds(); i++) {
		memcpy(bytes, whole, size);
		for (k = 1 + random_below(4); k > 0; k--)
			change(bytes);
		write_file(bytes, size);
		alarm(10); /* the end of one that would not end */
		readable += ask() > 0;
	}
	alarm(0);
	ck_assert_uint_gt(readable, rounds() / 4);
	ck_assert_uint_lt(readable, rounds());
	free(bytes);
}
END_TEST

START_TEST(cut_off)
{
	unsigned int i, readable = 0;

	for (i = 0; i < rounds() / 3; i++) {
		write_file(whole, i < 300 ? i : random_below(size));
		alarm(10);
		readable += ask() > 0;
	}
	alarm(0);
	ck_assert_uint_gt(readable, 0);
	write_file(whole, size);
	ck_assert_uint_gt(ask(), 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("damaged");
	TCase *tc = tcase_create("elf");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, changed);
	tcase_add_test(tc, cut_off);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}
