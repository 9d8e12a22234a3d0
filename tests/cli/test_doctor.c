// SPDX-License-Identifier: GPL-2.0-only
/*
 * trapline doctor: every line parses, and none says ok of what is forbidden.
 *
 * Forbidden is by a seccomp filter on the test's own process, which Check has
 * forked for it; commands inherit it.
 */
#include "command.h"
#include "../suite.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static const char *const names[] = { "ptrace",	   "attach",	  "proc_mem",
				     "process_vm", "userfaultfd", "unwind",
				     "unwinders",  "uprobes",	  "yama",
				     "seccomp",	   "compiler",	  "trace",
				     "explore" };

#define NR (sizeof(names) / sizeof(*names))

static char word[NR][16]; /* what the last doctor said, by line */

/* Run it; every line is looked at. */
static int doctor(const char *environment)
{
	char *rest, *line, name[32], what[512];
	int status, i = 0;
	bool good;

	status = command("TMPDIR=. %s $T doctor", environment);
	rest = command_out;
	while ((line = strsep(&rest, "\n")) && *line) {
		ck_assert_msg(i < (int)NR, "one too many: %s", line);
		ck_assert_msg(sscanf(line, "%31s %15s %511[^\n]", name, word[i],
				     what) == 3,
			      "%s", line);
		ck_assert_str_eq(name, names[i]);
		good = !strcmp(word[i], "ok");
		ck_assert_msg(good || !strcmp(word[i], "limited") ||
				      !strcmp(word[i], "no"),
			      "%s", line);
		/* The next step. */
		ck_assert_msg(good || strstr(what, "; "), "%s", line);
		i++;
	}
	ck_assert_int_eq(i, NR);
	ck_assert_str_eq(command_err, "");
	good = !strcmp(word[NR - 2], "ok") && !strcmp(word[NR - 1], "ok");
	ck_assert_int_eq(status, good ? 0 : 77);
	/* Nothing is left behind. */
	ck_assert_int_eq(command("ls -d trapline-doctor.*"), 2);
	return status;
}

static const char *said(const char *name)
{
	for (unsigned int i = 0; i < NR; i++)
		if (!strcmp(name, names[i]))
			return word[i];
	ck_abort_msg("no line %s", name);
	return NULL;
}

/* The call fails with that error; 0: it does nothing and reports success. */
static void forbid(unsigned int nr, int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program),
			 0);
}

START_TEST(as_it_is)
{
	doctor("");
	printf("here:");
	for (unsigned int i = 0; i < NR; i++)
		printf(" %s %s%s", names[i], word[i], i + 1 < NR ? "," : "\n");
	/* Tests of explore pass here, so it has to agree. */
	ck_assert_str_eq(said("explore"), "ok");
	ck_assert_int_eq(command("$T doctor now"), 2);
	command_says(command_err, "nothing to choose");
}
END_TEST

START_TEST(kernel_probes_are_removed)
{
	ck_assert_int_eq(command("$T doctor >lines & pid=$!; wait $pid;"
				 "grep -s doctor_$pid "
				 "/sys/kernel/tracing/uprobe_events;"
				 "ls /sys/kernel/tracing/instances 2>&1 |"
				 "grep doctor_$pid"),
			 1);
	ck_assert_str_eq(command_out, "");
}
END_TEST

START_TEST(without_ptrace)
{
	forbid(SYS_ptrace, EPERM);
	ck_assert_int_eq(doctor(""), 77);
	ck_assert_str_eq(said("ptrace"), "no");
	ck_assert_str_eq(said("attach"), "no");
	ck_assert_str_eq(said("proc_mem"), "no");
	ck_assert_str_eq(said("unwind"), "no");
	ck_assert_str_eq(said("trace"), "no");
	ck_assert_str_eq(said("seccomp"), "limited");
	ck_assert_str_eq(said("explore"), "ok");
}
END_TEST

static const struct {
	unsigned int nr;
	const char *line;
} calls[] = {
	{ SYS_process_vm_writev, "process_vm" },
	{ SYS_process_vm_readv, "process_vm" },
	{ SYS_userfaultfd, "userfaultfd" },
	{ SYS_pwrite64, "proc_mem" },
};

START_TEST(without_a_call)
{
	forbid(calls[_i / 2].nr, _i & 1 ? EPERM : 0);
	command("TMPDIR=. $T doctor | grep '^%s '", calls[_i / 2].line);
	command_says(command_out, " no ");
}
END_TEST

/* Files of those names are not enough. */
START_TEST(without_tracefs)
{
	const char *in = "unshare -m sh -ec 'cd /sys/kernel;"
			 "mount -t tmpfs none debug;"
			 "mount -t tmpfs none tracing; %s'";

	if (command(in, "")) {
		printf("no mount namespaces here: %s", command_err);
		return;
	}
	ck_assert_int_eq(command(in, "$T doctor | grep ^uprobes"), 0);
	command_says(command_out, " no ");
	command_says(command_out, "; as root: mount -t tracefs");
	ck_assert_int_eq(command(in, "cd tracing; mkdir -p instances;"
				     "touch uprobe_events uprobe_profile;"
				     "$T doctor | grep ^uprobes"),
			 0);
	command_says(command_out, " no ");
}
END_TEST

START_TEST(without_a_compiler)
{
	ck_assert_int_eq(doctor("TRAPLINE_CC=/no/cc"), 77);
	ck_assert_str_eq(said("compiler"), "no");
	ck_assert_str_eq(said("explore"), "no");
	/* One that succeeds and does nothing. */
	ck_assert_int_eq(doctor("TRAPLINE_CC=true"), 77);
	ck_assert_str_eq(said("compiler"), "no");
	ck_assert_str_eq(said("explore"), "no");
}
END_TEST

START_TEST(without_symbols)
{
	ck_assert_int_eq(command("strip -o bare $T"), 0);
	ck_assert_int_eq(command("./bare doctor | grep -E '^unwind +limited "
				 ".*stripped'"),
			 0);
}
END_TEST

START_TEST(without_room)
{
	ck_assert_int_eq(command("TMPDIR=nowhere $T doctor"), 77);
	command_says(command_err, "name a directory in TMPDIR");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("doctor");
	TCase *tc = tcase_create("doctor");

	tcase_add_checked_fixture(tc, command_setup, command_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, as_it_is);
	tcase_add_test(tc, kernel_probes_are_removed);
	tcase_add_test(tc, without_ptrace);
	tcase_add_loop_test(tc, without_a_call, 0,
			    2 * sizeof(calls) / sizeof(*calls));
	tcase_add_test(tc, without_tracefs);
	tcase_add_test(tc, without_a_compiler);
	tcase_add_test(tc, without_symbols);
	tcase_add_test(tc, without_room);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_FORK_GETENV);
}
