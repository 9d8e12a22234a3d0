// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_refused.c - programs that cannot be traced, and such as die meanwhile.
 *
 * The long form (TRAPLINE_FULL=1) kills a hundred times instead of eight.
 */
#include <elf.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "run.h"

/* Killed from outside in the middle of everything. */
START_TEST(survives_the_programs_death)
{
	struct words w;
	struct run r;
	const char *program;
	pid_t pid, child;
	int in;

	/* Half of the times with threads that wait for a slot. */
	program = _i % 4 < 2 ? "busy" : "park";
	trace_words(&w, "-c", _i % 2 ? "--step=hw" : "--step=auto", NULL);
	probe_all(&w, target(program), true, true);
	add_word(&w, "%s", target(program));
	pid = run_start(&w, &in);
	child = child_of(pid);
	usleep(100000 + 3003 * (_i % 50));
	ck_assert_int_eq(kill(child, SIGKILL), 0);
	run_finish(&r, pid);
	ck_assert_msg(r.code == 128 + SIGKILL, "%d %s", r.code, r.err);
	ck_assert_msg(!strstr(r.err, "warning"), "%s", r.err);
	json_decref(summary());
	close(in);
	run_free(&r);
}
END_TEST

/* Who cannot be attached to, each for another reason. */
static const struct unattachable {
	const char *says;
	enum { THREAD, ZOMBIE, KERNEL, TRACED, OTHERS } who;
} unattachable[] = {
	{ "is a thread; name its process", THREAD },
	{ "has ended already", ZOMBIE },
	{ "is a thread of the kernel", KERNEL },
	{ "is traced by process", TRACED },
	{ "belongs to another user", OTHERS },
};

static void *sleeper(void *tid)
{
	*(volatile pid_t *)tid = syscall(SYS_gettid);
	pause();
	return NULL;
}

/* A process of that kind; 0: there is none here. */
static pid_t make(int who)
{
	volatile pid_t tid = 0;
	pthread_t thread;
	pid_t pid;
	char name[64], exe[8];

	if (who == KERNEL) {
		snprintf(name, sizeof(name), "/proc/2/exe");
		return readlink(name, exe, sizeof(exe)) < 0 &&
				       !access("/proc/2", F_OK)
			       ? 2
			       : 0;
	}
	if (who == THREAD) {
		pthread_create(&thread, NULL, sleeper, (void *)&tid);
		while (!tid)
			usleep(1000);
		return tid;
	}
	if (who == OTHERS && geteuid())
		return 0;
	pid = fork();
	if (!pid) {
		if (who == ZOMBIE)
			_exit(0);
		if (who == TRACED)
			ptrace(PTRACE_TRACEME, 0, 0, 0);
		pause();
		_exit(0);
	}
	usleep(100000);
	return pid;
}

START_TEST(says_why_it_cannot_attach)
{
	const struct unattachable *x = &unattachable[_i];
	pid_t pid = make(x->who), tracer;
	struct words w;
	struct run r;

	if (!pid) {
		printf("%s: no such process here\n", x->says);
		return;
	}
	trace_words(&w, "-ep:libc.so.6:malloc", NULL);
	add_word(&w, "-p%d", pid);
	if (x->who == OTHERS) { /* the tests' folder is root's alone */
		unprivileged_words(&w);
		add_word(&w, "%s", TRAPLINE);
		add_word(&w, "trace");
		add_word(&w, "-ep:libc.so.6:malloc");
		add_word(&w, "-p%d", pid);
	}
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 125, "%d %s", r.code, r.err);
	ck_assert_msg(strstr(r.err, x->says) != NULL, "'%s'", r.err);
	tracer = x->who == ZOMBIE || x->who == TRACED || x->who == OTHERS;
	if (tracer) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	run_free(&r);
}
END_TEST

/* An ELF file of 32 bits that only ends, with status 7. */
START_TEST(refuses_a_32_bit_program)
{
	static const unsigned char code[] = { 0xb8, 1, 0, 0, 0,	   0xbb,
					      7,    0, 0, 0, 0xcd, 0x80 };
	const unsigned int at = 0x8048000;
	Elf32_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32,
				       ELFDATA2LSB, EV_CURRENT },
			  .e_type = ET_EXEC,
			  .e_machine = EM_386,
			  .e_version = EV_CURRENT,
			  .e_entry = at + sizeof(eh) + sizeof(Elf32_Phdr),
			  .e_phoff = sizeof(eh),
			  .e_ehsize = sizeof(eh),
			  .e_phentsize = sizeof(Elf32_Phdr),
			  .e_phnum = 1 };
	Elf32_Phdr ph = { .p_type = PT_LOAD,
			  .p_vaddr = at,
			  .p_filesz = sizeof(eh) + sizeof(ph) + sizeof(code),
			  .p_memsz = sizeof(eh) + sizeof(ph) + sizeof(code),
			  .p_flags = PF_R | PF_X,
			  .p_align = 0x1000 };
	const char *path = temporary("small");
	FILE *f = fopen(path, "w");
	struct words w = { 0 };
	struct run r;

	ck_assert(f && fwrite(&eh, sizeof(eh), 1, f) == 1 &&
		  fwrite(&ph, sizeof(ph), 1, f) == 1 &&
		  fwrite(code, sizeof(code), 1, f) == 1 &&
		  !fchmod(fileno(f), 0755) && !fclose(f));
	add_word(&w, "%s", path);
	run(&r, &w, NULL);
	run_free(&r);
	if (r.code != 7) {
		puts("a 32-bit program: not on this kernel");
		return;
	}
	trace_words(&w, "-ep:libc.so.6:malloc", path, NULL);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 125, "%d %s", r.code, r.err);
	ck_assert_msg(strstr(r.err, "only 64-bit programs can be traced") !=
			      NULL,
		      "'%s'", r.err);
	run_free(&r);
}
END_TEST

/* A shell that may be executed but not read, by anybody but root. */
static const char *unreadable_shell(void)
{
	const char *path = temporary("unreadable");
	char command[300];

	snprintf(command, sizeof(command), "cp /bin/sh %s", path);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(chmod(path, 0111), 0);
	ck_assert_int_eq(chmod(temporary("."), 0711), 0);
	return path;
}

static void add_tracer(struct words *w, const char *option)
{
	unprivileged_words(w);
	add_word(w, "%s", TRAPLINE);
	add_word(w, "trace");
	add_word(w, "-cep:libc.so.6:malloc");
	add_word(w, "%s", option);
}

static const char *const unreadable = "may be executed but not read";
static const char *const fast_or_not[] = { "-c", "--fast" };

/* Not by trapline, nor alone when that has gone. */
START_TEST(refuses_an_unreadable_program)
{
	struct words w;
	struct stat st;
	struct run r;

	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	add_tracer(&w, fast_or_not[_i]);
	add_word(&w, "%s", unreadable_shell());
	add_word(&w, "-c");
	add_word(&w, "echo ran");
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 125, "%d %s", r.code, r.err);
	ck_assert_msg(strstr(r.err, unreadable) != NULL, "'%s'", r.err);
	while (wait(NULL) > 0)
		;
	ck_assert_int_eq(stat(temporary("out"), &st), 0);
	ck_assert_int_eq(st.st_size, 0);
	run_free(&r);
}
END_TEST

START_TEST(leaves_who_executes_an_unreadable_program)
{
	struct words w;
	struct run r;

	add_tracer(&w, fast_or_not[_i]);
	add_word(&w, "sh");
	add_word(&w, "-c");
	add_word(&w, "exec %s -c 'echo ran; exit 7'", unreadable_shell());
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 7, "%d %s", r.code, r.err);
	ck_assert_str_eq(r.out, "ran\n");
	ck_assert_msg(strstr(r.err, unreadable) != NULL, "'%s'", r.err);
	run_free(&r);
}
END_TEST

START_TEST(is_left_by_who_executes_an_unreadable_program)
{
	struct words w;
	struct run r, tracer;
	char record[64];
	int in, none;
	pid_t pid, by;

	unprivileged_words(&w);
	add_word(&w, "sh");
	add_word(&w, "-c");
	add_word(&w, "echo ready; read x; exec %s -c 'read x; exit 7'",
		 unreadable_shell());
	pid = run_start(&w, &in);
	wait_for_output("ready");
	add_tracer(&w, fast_or_not[_i]);
	add_word(&w, "-p%d", pid);
	by = run_start_to(&w, &none, "tracer-");
	wait_for_tracer(pid);
	wait_for_sleep(by);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	run_finish_to(&tracer, by, "tracer-");
	ck_assert_msg(tracer.code == 0, "%d %s", tracer.code, tracer.err);
	ck_assert_msg(strstr(tracer.err, unreadable) != NULL, "'%s'",
		      tracer.err);
	snprintf(record, sizeof(record), "/dev/shm/trapline.%d", pid);
	ck_assert_int_ne(access(record, F_OK), 0);
	check_free(pid);
	ck_assert_int_eq(write(in, "go\n", 3), 3);
	run_finish(&r, pid);
	ck_assert_int_eq(r.code, 7);
	close(in);
	close(none);
	run_free(&tracer);
	run_free(&r);
}
END_TEST

START_TEST(says_that_ptrace_is_forbidden)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(*code), code };
	struct words w;
	struct run r;

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog), 0);
	trace_words(&w, "-e", "p:libc.so.6:malloc", "echo", "ran", NULL);
	run(&r, &w, NULL);
	ck_assert_msg(r.code == 125, "%d %s", r.code, r.err);
	ck_assert_str_eq(r.out, "");
	ck_assert_ptr_nonnull(strstr(r.err, "forbidden here"));
	run_free(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("refused");
	TCase *tc = tcase_create("refused");

	tcase_set_timeout(tc, 70);
	tcase_add_loop_test(tc, survives_the_programs_death, 0,
			    getenv("TRAPLINE_FULL") ? 100 : 8);
	tcase_add_test(tc, says_that_ptrace_is_forbidden);
	tcase_add_loop_test(tc, says_why_it_cannot_attach, 0,
			    sizeof(unattachable) / sizeof(*unattachable));
	tcase_add_test(tc, refuses_a_32_bit_program);
	tcase_add_loop_test(tc, refuses_an_unreadable_program, 0, 2);
	tcase_add_loop_test(tc, leaves_who_executes_an_unreadable_program, 0,
			    2);
	tcase_add_loop_test(tc, is_left_by_who_executes_an_unreadable_program,
			    0, 2);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
