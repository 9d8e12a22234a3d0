// SPDX-License-Identifier: GPL-2.0-only
/*
 * trapline host on real trees: the packages linux-source-6.1 and -6.12, from which
 * what is needed is unpacked. Without both nothing is tested, and that is said.
 */
#include "command.h"
#include "../suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PACKAGES "/usr/src/linux-source-"
/* With the makefiles, which tell a file's option. */
#define HEADERS                                                        \
	"'*/Makefile' '*/include/linux/*.h' '*/include/asm-generic/*'" \
	" '*/arch/x86/include/asm/*' "
#define UNPACK "tar -xJf " PACKAGES "%s.tar.xz --wildcards "

static const struct {
	const char *release, *files;
} trees[] = {
	{ "6.1", HEADERS "'*/kernel/trace/rethook.c'" },
	{ "6.12", HEADERS "'*/kernel/trace/rethook.c' '*/lib/objpool.c'" },
};

#define NR_TREES (sizeof(trees) / sizeof(*trees))

static bool have(unsigned int i)
{
	char path[64];

	snprintf(path, sizeof(path), PACKAGES "%s.tar.xz", trees[i].release);
	return !access(path, R_OK);
}

static void unpack(void)
{
	command_setup();
	for (unsigned int i = 0; i < NR_TREES; i++)
		ck_assert_int_eq(
			command(UNPACK "%s", trees[i].release, trees[i].files),
			0);
}

#define LIST \
	"6.1 --file include/linux/freelist.h $S/traces/hosted/pool.c -- -q "
#define RINGS "6.12 --file lib/objpool.c $S/traces/hosted/pool.c -- -q "

#define HOOKS "--file kernel/trace/rethook.c $S/traces/hosted/rethook.c -- -q "

static const struct {
	const char *arguments;
	int status;
	const char *says;
} explored[] = {
	{ LIST, 0, "PASS  pool: holds in all 112 executions" },
	{ LIST "-DOBJECTS=2", 0, "holds in all 1520 executions" },
	{ LIST "-DLOOK --memory lkmm", 0, "holds in all 154 executions" },
	{ RINGS, 0, "PASS  pool: holds in all 12 executions" },
	{ RINGS "-DLOOK -DTAKERS=3 --memory tso", 0,
	  "holds in all 297 executions" },
	{ "6.1 " HOOKS, 0, "PASS  rethook: holds in all 6 executions" },
	{ "6.1 " HOOKS "-DNESTED -DNODES=2", 0, "in all 23 executions" },
	{ "6.1 " HOOKS "-DHASTY", 1, "FAIL  use-after-free: " },
	{ "6.12 --file lib/objpool.c " HOOKS, 0, "in all 11 executions" },
	{ "6.12 --file lib/objpool.c " HOOKS "-DNESTED --memory tso", 0,
	  "holds in all 24 executions" },
	{ "6.12 --file lib/objpool.c " HOOKS "-DHASTY", 1, "FAIL  " },
	{ RINGS "--memory lkmm", 1, "FAIL  assert: BUG_ON(!take())" },
};

START_TEST(pool)
{
	ck_assert_int_eq(
		command("$T host linux-source-%s", explored[_i].arguments),
		explored[_i].status);
	command_says(command_out, explored[_i].says);
	ck_assert_str_eq(command_err, "");
}
END_TEST

/* All that a file lacks is told at once, and nothing is compiled. */
START_TEST(lacks)
{
	ck_assert_int_eq(command(UNPACK "'*/kernel/kprobes.c' && "
					"$T host linux-source-6.12 --file "
					"kernel/kprobes.c "
					"$S/traces/hosted/pool.c",
				 "6.12"),
			 2);
	command_says(command_err, "kernel/kprobes.c:33 needs linux/sysctl.h, "
				  "which model/linux/ does not have\n");
	command_says(command_err,
		     "kernel/kprobes.c:32 needs linux/debugfs.h, ");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("kernel");
	TCase *tc = tcase_create("trees");
	unsigned int i, missing = 0;

	for (i = 0; i < NR_TREES; i++) {
		if (have(i))
			continue;
		printf("Skipped: no " PACKAGES "%s.tar.xz (package "
		       "linux-source-%s)\n",
		       trees[i].release, trees[i].release);
		missing++;
	}
	if (missing)
		return getenv("TRAPLINE_FULL") ? 1 : 77;
	tcase_add_unchecked_fixture(tc, unpack, command_teardown);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, pool, 0, sizeof(explored) / sizeof(*explored));
	tcase_add_test(tc, lacks);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}
