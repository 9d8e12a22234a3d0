// SPDX-License-Identifier: GPL-2.0-only
/*
 * Schedules: what is read, what is refused and where, the canonical form, and
 * that no damaged text does worse than an error.
 */
#include "schedule.h"
#include "../suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "trapline 1 schedule\nscenario: a/b.c\nmemory: sc\n"

static const char sample[] = "trapline 1 schedule\n"
			     "# why this exists\n"
			     "  unfix:  a/fix me.patch \n"
			     "variant: storage=pool, more\n"
			     "scenario: a/b.c\n"
			     "define: N=2\n"
			     "x-author: somebody: else\n"
			     "define: DEBUG\n"
			     "source: a/more.c\n"
			     "memory: tso\n"
			     "expect: violated use-after-free\n"
			     "\n"
			     "--\n"
			     "run user   until xchg hprobe#1.state\n"
			     "# a remark\n"
			     "run timer until end # and another\n"
			     "run user until read x #2\n"
			     "run user until fence\n"
			     "run user until handle_swbp #3\n"
			     "choose  user choose#2 7 # the third way\n"
			     "run user until blocked\n"
			     "choose timer alloc#10 fail\n"
			     "order x#1.y timer#2   before user#1\n"
			     "read hprobe#1.state#3 from init # not yet\n"
			     "read x#2 from a#b#1\n";

static const char canonical[] = "trapline 1 schedule\n"
				"scenario: a/b.c\n"
				"source: a/more.c\n"
				"define: N=2\n"
				"define: DEBUG\n"
				"memory: tso\n"
				"unfix: a/fix me.patch\n"
				"variant: storage=pool, more\n"
				"expect: violated use-after-free\n"
				"--\n"
				"choose user choose#2 7\n"
				"choose timer alloc#10 fail\n"
				"read hprobe#1.state#3 from init\n"
				"read x#2 from a#b#1\n"
				"order x#1.y timer#2 before user#1\n"
				"run user until xchg hprobe#1.state\n"
				"run timer until end\n"
				"run user until read x #2\n"
				"run user until fence\n"
				"run user until handle_swbp #3\n"
				"run user until blocked\n";

static char *format(const struct sched *s)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	sched_write(f, s);
	fclose(f);
	return text;
}

START_TEST(reads_everything)
{
	struct sched_error err;
	struct sched s;

	ck_assert_int_eq(sched_parse(sample, strlen(sample), &s, &err), 0);
	ck_assert_str_eq(s.scenario, "a/b.c");
	ck_assert_str_eq(s.unfix, "a/fix me.patch");
	ck_assert_str_eq(s.variant, "storage=pool, more");
	ck_assert_str_eq(s.memory, "tso");
	ck_assert_str_eq(s.expect, "violated use-after-free");
	ck_assert_uint_eq(s.define.nr, 2);
	ck_assert_str_eq(s.define.item[1], "DEBUG");
	ck_assert_uint_eq(s.source.nr, 1);
	ck_assert_uint_eq(s.nr_runs, 6);
	ck_assert_str_eq(s.run[0].thread, "user");
	ck_assert_str_eq(s.run[0].word, "xchg");
	ck_assert_str_eq(s.run[0].object, "hprobe#1.state");
	ck_assert_uint_eq(s.run[0].count, 0);
	ck_assert_uint_eq(s.run[0].line, 14);
	ck_assert_int_eq(s.run[1].point, SCHED_END);
	ck_assert_uint_eq(s.run[2].count, 2);
	ck_assert_str_eq(s.run[3].word, "fence");
	ck_assert_ptr_null(s.run[3].object);
	ck_assert_uint_eq(s.run[4].count, 3);
	ck_assert_int_eq(s.run[5].point, SCHED_BLOCKED);
	ck_assert_uint_eq(s.nr_reads, 2);
	ck_assert_str_eq(s.read[0].object, "hprobe#1.state");
	ck_assert_uint_eq(s.read[0].count, 3);
	ck_assert_ptr_null(s.read[0].thread);
	ck_assert_str_eq(s.read[1].thread, "a#b");
	ck_assert_uint_eq(s.read[1].write, 1);
	ck_assert_uint_eq(s.nr_orders, 1);
	ck_assert_str_eq(s.order[0].object, "x#1.y");
	ck_assert_str_eq(s.order[0].thread[0], "timer");
	ck_assert_uint_eq(s.order[0].write[0], 2);
	ck_assert_str_eq(s.order[0].thread[1], "user");
	ck_assert_uint_eq(s.order[0].line, 23);
	sched_free(&s);
}
END_TEST

START_TEST(canonical_form_is_stable)
{
	struct sched_error err;
	struct sched s;
	char *once, *twice;

	ck_assert_int_eq(sched_parse(sample, strlen(sample), &s, &err), 0);
	once = format(&s);
	sched_free(&s);
	ck_assert_str_eq(once, canonical);
	ck_assert_int_eq(sched_parse(once, strlen(once), &s, &err), 0);
	twice = format(&s);
	sched_free(&s);
	ck_assert_str_eq(once, twice);
	free(once);
	free(twice);
}
END_TEST

static const struct {
	const char *text;
	unsigned int line, column;
	const char *says;
} wrong[] = {
	{ "", 0, 0, "not a schedule" },
	{ "\177ELF\2\1\1", 1, 1, "control byte" },
	{ "hello\n", 1, 1, "first line" },
	{ "trapline x schedule\n", 1, 10, "version" },
	{ "trapline 2 schedule\n", 1, 10, "newer" },
	{ "trapline 99999999999999999999 schedule\n", 1, 10, "version" },
	{ "trapline 1 events\n", 1, 12, "'events'" },
	{ "trapline 1 schedule now\n", 1, 21, "'now'" },
	{ "trapline 1 schedule\r\n", 1, 20, "LF" },
	{ "trapline 1 schedule", 1, 20, "truncated" },
	{ HEAD, 3, 0, "no end" },
	{ "trapline 1 schedule\nmemory: sc\n--\n", 3, 1, "'scenario:'" },
	{ "trapline 1 schedule\nscenario: a\n--\n", 3, 1, "'memory:'" },
	{ HEAD "memory: sc\n--\n", 4, 1, "twice" },
	{ HEAD "--\nread x from init\n", 5, 6, "OBJECT#K" },
	{ HEAD "--\nread x#0 from init\n", 5, 7, "from #1" },
	{ HEAD "--\nread x#1 of init\n", 5, 10, "'from'" },
	{ HEAD "--\nread x#1 from a\n", 5, 15, "THREAD#K" },
	{ HEAD "--\nread x#1 from init now\n", 5, 20, "'now'" },
	{ HEAD "--\norder\n", 5, 6, "an object" },
	{ HEAD "--\norder x a before b#1\n", 5, 9, "THREAD#K" },
	{ HEAD "--\norder x a#1 after b#1\n", 5, 13, "'before'" },
	{ HEAD "--\norder x a#1 before b\n", 5, 20, "THREAD#K" },
	{ HEAD "colour: red\n--\n", 4, 1, "unknown key 'colour'" },
	{ HEAD "x-: red\n--\n", 4, 1, "unknown key" },
	{ HEAD "expect: maybe\n--\n", 4, 9, "'holds'" },
	{ HEAD "expect: violated\n--\n", 4, 9, "'holds'" },
	{ HEAD "expect: violated a b\n--\n", 4, 9, "'holds'" },
	{ HEAD "define:\n--\n", 4, 8, "no value" },
	{ HEAD "run a until end\n", 4, 1, "KEY: VALUE" },
	{ "trapline 1 schedule\nmemory: arm\n", 2, 9, "sc, tso or lkmm" },
	{ HEAD "-- x\n", 4, 1, "after '--'" },
	{ HEAD "--\nwalk a until end\n", 5, 1, "'walk'" },
	{ HEAD "--\nrun\n", 5, 4, "thread" },
	{ HEAD "--\nrun a\n", 5, 6, "'until'" },
	{ HEAD "--\nrun a until\n", 5, 12, "expected end" },
	{ HEAD "--\nrun a until #2\n", 5, 13, "expected end" },
	{ HEAD "--\nrun a until end now\n", 5, 17, "'now'" },
	{ HEAD "--\nrun a until end #2\n", 5, 17, "'#2'" },
	{ HEAD "--\nrun a until read x #0\n", 5, 20, "#1" },
	{ HEAD "--\nrun a until read x #2k\n", 5, 22, "number" },
	{ HEAD "--\nrun a until read x #99999999999\n", 5, 28, "number" },
	{ HEAD "--\nrun a until read x y\n", 5, 20, "'y'" },
	{ HEAD "--\nrun a until read x #2 y\n", 5, 23, "'y'" },
	{ HEAD "--\nrun a until read \xff\n", 5, 18, "UTF-8" },
	{ HEAD "--\nrun a until read \xc3\n", 5, 18, "UTF-8" },
	{ HEAD "--\nrun a until end", 5, 16, "truncated" },
	{ HEAD "--\nchoose\n", 5, 7, "thread" },
	{ HEAD "--\nchoose a\n", 5, 9, "choose#K, alloc#K or wakeup#K" },
	{ HEAD "--\nchoose a read#1 2\n", 5, 10,
	  "choose#K, alloc#K or wakeup#K" },
	{ HEAD "--\nchoose a choose 2\n", 5, 10,
	  "choose#K, alloc#K or wakeup#K" },
	{ HEAD "--\nchoose a choose#0 2\n", 5, 16, "#1" },
	{ HEAD "--\nchoose a choose#1\n", 5, 18, "a number" },
	{ HEAD "--\nchoose a choose#1 fail\n", 5, 19, "a number" },
	{ HEAD "--\nchoose a choose#1 2x\n", 5, 20, "a number" },
	{ HEAD "--\nchoose a alloc#1 1\n", 5, 18, "'fail'" },
	{ HEAD "--\nchoose a alloc#1 fail 1\n", 5, 23, "'1'" },
	{ HEAD "--\nchoose a wakeup#1 fail\n", 5, 19, "'early'" },
};

START_TEST(errors_name_their_place)
{
	struct sched_error err;
	struct sched s;
	int ret;

	ret = sched_parse(wrong[_i].text, strlen(wrong[_i].text), &s, &err);
	ck_assert_msg(ret == -EINVAL, "accepted: %s", wrong[_i].text);
	ck_assert_msg(
		err.line == wrong[_i].line && err.column == wrong[_i].column,
		"%s: at %u:%u, expected %u:%u: %s", wrong[_i].text, err.line,
		err.column, wrong[_i].line, wrong[_i].column, err.text);
	ck_assert_msg(strstr(err.text, wrong[_i].says) != NULL,
		      "'%s' does not say '%s'", err.text, wrong[_i].says);
	sched_free(&s);
}
END_TEST

START_TEST(oversize_and_nul_are_refused)
{
	size_t len = SCHED_MAX_BYTES + 1;
	char *text = malloc(len);
	struct sched_error err;
	struct sched s;

	memset(text, '\n', len);
	memcpy(text, canonical, strlen(canonical));
	ck_assert_int_eq(sched_parse(text, len, &s, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "larger"));
	sched_free(&s);
	ck_assert_int_eq(sched_parse(text, len - 1, &s, &err), 0);
	sched_free(&s);
	text[30] = 0;
	ck_assert_int_eq(sched_parse(text, 60, &s, &err), -EINVAL);
	ck_assert_uint_eq(err.line, 2);
	ck_assert_uint_eq(err.column, 11);
	sched_free(&s);
	free(text);
}
END_TEST

START_TEST(files)
{
	char path[] = "/tmp/test_schedule.XXXXXX";
	struct sched_error err;
	struct sched s;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, sample, strlen(sample)), strlen(sample));
	close(fd);
	ck_assert_int_eq(sched_read(path, &s, &err), 0);
	ck_assert_uint_eq(s.nr_runs, 6);
	sched_free(&s);
	unlink(path);
	ck_assert_int_eq(sched_read(path, &s, &err), -ENOENT);
	ck_assert_uint_eq(err.line, 0);
	ck_assert_ptr_nonnull(strstr(err.text, "No such file"));
	sched_free(&s);
	ck_assert_int_eq(sched_read("/tmp", &s, &err), -EISDIR);
	sched_free(&s);
}
END_TEST

/* Cut, change, insert, repeat: an error with a place, or a canonical text. */
START_TEST(damaged_text)
{
	static const char bytes[] = " \n\t#:.-0123run until end\377\303\0\r";
	unsigned long seed = 1, accepted = 0;
	size_t len = strlen(sample);

	for (int round = 0; round < 100000; round++) {
		char *text = malloc(len + 1), *once, *twice;
		struct sched_error err;
		struct sched s;
		size_t n = len;

		memcpy(text, sample, len);
		for (int k = round % 3 + 1; k--;) {
			size_t at;

			seed = seed * 6364136223846793005ul + 1;
			at = (seed >> 33) % n;
			if ((seed >> 60) == 0)
				n = at + 1;
			else if ((seed >> 60) == 1)
				memmove(text + at, text + at / 2, n - at);
			else
				text[at] = bytes[(seed >> 20) % sizeof(bytes)];
		}
		/* Exactly as long as the text: a read beyond it is seen. */
		text = realloc(text, n);
		if (!sched_parse(text, n, &s, &err)) {
			accepted++;
			once = format(&s);
			sched_free(&s);
			ck_assert_int_eq(
				sched_parse(once, strlen(once), &s, &err), 0);
			twice = format(&s);
			ck_assert_str_eq(once, twice);
			free(once);
			free(twice);
		} else {
			ck_assert(*err.text);
			ck_assert_uint_le(err.column, n + 1);
		}
		sched_free(&s);
		free(text);
	}
	ck_assert_uint_gt(accepted, 1000);
	ck_assert_uint_lt(accepted, 99000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("schedule");
	TCase *tc = tcase_create("schedule");

	tcase_add_test(tc, reads_everything);
	tcase_add_test(tc, canonical_form_is_stable);
	tcase_add_loop_test(tc, errors_name_their_place, 0,
			    sizeof(wrong) / sizeof(*wrong));
	tcase_add_test(tc, oversize_and_nul_are_refused);
	tcase_add_test(tc, files);
	tcase_add_test(tc, damaged_text);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}
