// SPDX-License-Identifier: GPL-2.0-only
/*
 * run.c - run programs, with and without trapline, and compare.
 */
#include "run.h"
#include "../suite.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <gelf.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/trapline-test-XXXXXX";

void add_word(struct words *w, const char *fmt, ...)
{
	va_list ap;

	ck_assert_uint_lt(w->n, MAX_WORDS - 1);
	va_start(ap, fmt);
	ck_assert_int_ge(vasprintf(&w->word[w->n++], fmt, ap), 0);
	va_end(ap);
	w->word[w->n] = NULL;
}

void unprivileged_words(struct words *w)
{
	w->n = 0;
	if (geteuid())
		return;
	add_word(w, "setpriv");
	add_word(w, "--reuid=65534");
	add_word(w, "--clear-groups");
}

void words_free(struct words *w)
{
	while (w->n)
		free(w->word[--w->n]);
}

const char *target(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s", TARGET_DIR, name);
	return path;
}

const char *temporary(const char *name)
{
	static char path[4][256];
	static unsigned int next;
	char *p = path[next++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", dir, name);
	return p;
}

/* ---- run -------------------------------------------------------------------- */

static int open_output(const char *prefix, const char *name)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s%s", dir, prefix, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	ck_assert_int_ge(fd, 0);
	return fd;
}

pid_t run_start(const struct words *w, int *in)
{
	return run_start_to(w, in, "");
}

pid_t run_start_to(const struct words *w, int *in, const char *prefix)
{
	int pipe_in[2], out, err;
	pid_t pid;

	ck_assert_int_eq(pipe2(pipe_in, O_CLOEXEC), 0);
	/* Here: nobody is to find what another program has said before. */
	out = open_output(prefix, "out");
	err = open_output(prefix, "err");
	/* Check's handlers pass them on to the whole group. */
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		dup2(pipe_in[0], STDIN_FILENO);
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		/* Stays over exec. */
		alarm(getenv("TRAPLINE_FULL") ? 3500 : 60);
		execvp(w->word[0], w->word);
		_exit(127);
	}
	close(pipe_in[0]);
	close(out);
	close(err);
	*in = pipe_in[1];
	return pid;
}

static char *contents(const char *prefix, const char *name)
{
	char file[64];
	FILE *f;
	char *text;
	size_t n;

	snprintf(file, sizeof(file), "%s%s", prefix, name);
	f = fopen(temporary(file), "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_nonnull(text = calloc(1, 1 << 24));
	n = fread(text, 1, (1 << 24) - 1, f);
	fclose(f);
	return realloc(text, n + 1);
}

void run_finish(struct run *r, pid_t pid)
{
	run_finish_to(r, pid, "");
}

void run_finish_to(struct run *r, pid_t pid, const char *prefix)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		ck_assert_int_eq(errno, EINTR);
	r->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				      : WEXITSTATUS(status);
	r->out = contents(prefix, "out");
	r->err = contents(prefix, "err");
}

void run(struct run *r, const struct words *w, const char *input)
{
	int in;
	pid_t pid = run_start(w, &in);

	if (input)
		ck_assert_int_eq(write(in, input, strlen(input)),
				 strlen(input));
	close(in);
	run_finish(r, pid);
}

void run_free(struct run *r)
{
	free(r->out);
	free(r->err);
}

/* ---- trapline trace ------------------------------------------------------------ */

void trace_words(struct words *w, const char *options, ...)
{
	va_list ap;

	w->n = 0;
	add_word(w, "%s", TRAPLINE);
	add_word(w, "trace");
	add_word(w, "--format=jsonl");
	add_word(w, "-o");
	add_word(w, "%s", temporary("json"));
	va_start(ap, options);
	for (; options; options = va_arg(ap, const char *))
		add_word(w, "%s", options);
	va_end(ap);
}

static void probe_one(struct words *w, const char *path, const char *name,
		      bool entry, bool ret)
{
	if (entry) {
		add_word(w, "-e");
		add_word(w, "p:%s:%s", path, name);
	}
	/* No function, but part of one. */
	if (ret && !strstr(name, ".cold")) {
		add_word(w, "-e");
		add_word(w, "r:%s:%s", path, name);
	}
}

void probe_all(struct words *w, const char *path, bool entry, bool ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), i;
	Elf *elf = elf_version(EV_CURRENT) && fd >= 0
			   ? elf_begin(fd, ELF_C_READ, NULL)
			   : NULL;
	Elf_Scn *scn = NULL;
	const char *name;
	Elf_Data *data;
	GElf_Shdr sh;
	GElf_Sym sym;

	ck_assert_ptr_nonnull(elf);
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(scn, NULL);
		for (i = 0; gelf_getsym(data, i, &sym); i++) {
			name = elf_strptr(elf, sh.sh_link, sym.st_name);
			if (sym.st_shndx && !strncmp(name, "probed_", 7))
				probe_one(w, path, name, entry, ret);
		}
	}
	elf_end(elf);
	close(fd);
}

json_t *summary(void)
{
	FILE *f = fopen(temporary("json"), "r");
	json_t *line, *last = NULL;

	ck_assert_ptr_nonnull(f);
	while ((line = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) {
		json_decref(last);
		last = line;
	}
	fclose(f);
	ck_assert_msg(last != NULL, "no JSON was written");
	ck_assert_str_eq(json_string_value(json_object_get(last, "type")),
			 "summary");
	return last;
}

long count_of(json_t *sum, const char *probe, const char *kind)
{
	json_t *p, *n;
	size_t i;

	json_array_foreach(json_object_get(sum, "probes"), i, p)
	{
		n = json_object_get(p, kind);
		if (n && !strcmp(json_string_value(json_object_get(p, "probe")),
				 probe))
			return json_integer_value(n);
	}
	return -1;
}

long number_of(json_t *sum, const char *key)
{
	json_t *n = json_object_get(sum, key);

	ck_assert_msg(json_is_integer(n), "the summary has no %s", key);
	return json_integer_value(n);
}

/* ---- main ------------------------------------------------------------------------ */

static bool may_trace(void)
{
	pid_t pid = fork();
	bool ok;

	if (!pid) {
		pause();
		_exit(0);
	}
	ok = !ptrace(PTRACE_SEIZE, pid, 0, 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return ok;
}

static int remove_one(const char *path, const struct stat *st, int flag,
		      struct FTW *ftw)
{
	return remove(path);
}

int run_suite(Suite *s)
{
	int failed;

	if (!may_trace()) {
		puts("skip: ptrace is not permitted here");
		return 77;
	}
	if (!mkdtemp(dir)) {
		perror("mkdtemp");
		return 1;
	}
	failed = suite_run(s, CK_FORK_GETENV);
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return failed;
}
