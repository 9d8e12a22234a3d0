// SPDX-License-Identifier: GPL-2.0-only
/*
 * doctor.c - trapline doctor: what works on this machine.
 *
 * Everything is tried, down to a traced program and an explored one; nothing
 * is concluded from versions or settings, but for the two lines that are about
 * settings (yama, seccomp). A line is NAME, ok, limited or no, and what was
 * found; the latter two end with the next step.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache.h"
#include "cmd.h"
#include "doctor.h"
#include "process.h"
#include "resolve.h"
#include "symbols.h"
#include "toolchain.h"

void found(struct finding *f, enum works works, const char *fmt, ...)
{
	va_list ap;

	f->works = works;
	va_start(ap, fmt);
	vsnprintf(f->what, sizeof(f->what), fmt, ap);
	va_end(ap);
}

/* ---- settings ------------------------------------------------------------------------ */

/* The number behind `key` in a file of /proc; -1 if there is none. */
static long long proc_number(const char *file, const char *key, int base)
{
	FILE *f = fopen(file, "re");
	long long value = -1;
	char line[256];

	while (f && value < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			value = strtoll(line + strlen(key), NULL, base);
	if (f)
		fclose(f);
	return value;
}

static void check_yama(struct finding *f)
{
	long long scope = proc_number("/proc/sys/kernel/yama/ptrace_scope", "",
				      10);
	long long caps = proc_number("/proc/self/status", "CapEff:", 16);
	bool may = caps >= 0 && caps >> 19 & 1; /* CAP_SYS_PTRACE */

	if (scope < 0)
		found(f, WORKS, "not in this kernel, or not visible");
	else if (!scope || (scope < 3 && may))
		found(f, WORKS, "ptrace_scope=%lld%s", scope,
		      scope ? ", and we may override it" : "");
	else if (scope == 1)
		found(f, LIMITED,
		      "ptrace_scope=1: only programs that we start; to attach "
		      "to others be root, or set kernel.yama.ptrace_scope=0");
	else
		found(f, FAILS, "ptrace_scope=%lld: nothing can be traced; %s",
		      scope,
		      scope == 2 ? "be root, or set "
				   "kernel.yama.ptrace_scope=1"
				 : "it stays so until the next boot");
}

static void check_seccomp(struct finding *f)
{
	long long mode = proc_number("/proc/self/status", "Seccomp:", 10);
	long long n = proc_number("/proc/self/status", "Seccomp_filters:", 10);

	if (!mode)
		found(f, WORKS, "no filter on us");
	else if (mode < 0)
		found(f, LIMITED,
		      "/proc/self/status does not tell; if other lines say no, "
		      "look for a sandbox");
	else
		found(f, LIMITED,
		      "%lld filters on us, as in a container; if other lines "
		      "say no, start it with a profile that allows those calls",
		      n < 0 ? 1 : n);
}

/* ---- whole commands ------------------------------------------------------------------ */

static char exe[PATH_MAX], scratch[PATH_MAX - 32];

/* In $TMPDIR; 0 or an errno. */
static int make_scratch(void)
{
	const char *dir = getenv("TMPDIR");

	if ((size_t)snprintf(scratch, sizeof(scratch),
			     "%s/trapline-doctor.XXXXXX",
			     dir && *dir ? dir : "/tmp") >= sizeof(scratch))
		return ENAMETOOLONG;
	return mkdtemp(scratch) ? 0 : errno;
}

/* A file in the scratch directory; name is short. */
static const char *in_scratch(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	return path;
}

/*
 * Run, not longer than a minute, output into "log". Returns the exit status,
 * 128 + n for signal n, or -errno. Unlike process_run, keeps what the program
 * says for ourselves.
 */
static int run(struct args *a)
{
	int fd, status;
	pid_t pid = fork();

	if (!pid) {
		fd = open(in_scratch("log"), O_CREAT | O_TRUNC | O_WRONLY,
			  0600);
		if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 ||
		    dup2(fd, STDERR_FILENO) < 0)
			_exit(126);
		setenv("XDG_CACHE_HOME", scratch, 1);
		alarm(60);
		execvp(a->v[0], a->v);
		_exit(errno == ENOENT ? 127 : 126);
	}
	args_free(a);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* First line of a scratch file with `part` in it, or its last; static. */
static const char *line_of(const char *name, const char *part)
{
	FILE *f = fopen(in_scratch(name), "re");
	static char line[160];
	bool seen = false;

	*line = '\0';
	while (f && !seen && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		seen = part && strstr(line, part);
	}
	if (f)
		fclose(f);
	return !part || seen ? line : "";
}

static const char *compiler(void)
{
	const char *cc = getenv("TRAPLINE_CC");

	return cc && *cc ? cc : TOOLCHAIN_CC;
}

static void check_compiler(struct finding *f)
{
	static const char *const flags[] = { TOOLCHAIN_EXPLORE_FLAGS };
	struct args a = { 0 };
	unsigned int i;
	int status;

	args_add(&a, "%s", compiler());
	for (i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		args_add(&a, "%s", flags[i]);
	args_add(&a, "-xc");
	args_add(&a, "-c");
	args_add(&a, "-o");
	args_add(&a, "%s", in_scratch("empty.o"));
	args_add(&a, "/dev/null");
	status = run(&a);
	if (status == 127) {
		found(f, FAILS,
		      "there is no %s; install gcc, or name one in TRAPLINE_CC",
		      compiler());
		return;
	}
	if (status || access(in_scratch("empty.o"), R_OK)) {
		found(f, FAILS,
		      "%s: %s; install gcc 12, or name one in TRAPLINE_CC",
		      compiler(), line_of("log", NULL));
		return;
	}
	args_add(&a, "%s", compiler());
	args_add(&a, "-dumpfullversion");
	status = run(&a);
	if (!status && atoi(line_of("log", NULL)) == 12)
		found(f, WORKS, "%s %s", compiler(), line_of("log", NULL));
	else
		found(f, LIMITED,
		      "%s compiles, but is not gcc 12, with which explore was "
		      "developed; compare with TRAPLINE_CC=gcc-12",
		      compiler());
}

/* Programs whose unwinder is another say so, see unwinder_check.c. */
static void check_unwinders(struct finding *f)
{
	static const char lib[] = "libgcc_s.so.1";
	struct symbols *syms;
	char path[PATH_MAX];
	struct symbol sym;

	if (resolve_path(lib, path)) {
		found(f, WORKS, "no %s here, so no program has it", lib);
		return;
	}
	syms = symbols_open(path);
	if (syms && symbols_find(syms, "_Unwind_RaiseException", &sym) &&
	    symbols_find(syms, "_Unwind_ForcedUnwind", &sym) &&
	    symbols_find(syms, "_Unwind_Backtrace", &sym))
		found(f, WORKS, "%s: found by symbol", path);
	else
		found(f, LIMITED,
		      "%s: not found by symbol; exceptions end programs under "
		      "return probes, so use p:",
		      path);
	if (syms)
		symbols_close(syms);
}

/* Another trapline writes a line; it must be seen to, in and out. */
static void check_trace(struct finding *f)
{
	struct args a = { 0 };
	int status;

	args_add(&a, "%s", exe);
	args_add(&a, "trace");
	args_add(&a, "--format=jsonl");
	args_add(&a, "-o%s", in_scratch("hits"));
	args_add(&a, "-ep:libc.so.6:write");
	args_add(&a, "-er:libc.so.6:write");
	args_add(&a, "--");
	args_add(&a, "%s", exe);
	args_add(&a, "--version");
	status = run(&a);
	if (!status && *line_of("hits", "\"type\":\"hit\"") &&
	    *line_of("hits", "\"type\":\"return\""))
		found(f, WORKS, "entry and return of write() in a program");
	else if (status)
		found(f, FAILS, "status %d, %s; see ptrace above", status,
		      line_of("log", NULL));
	else
		found(f, FAILS,
		      "no hit of write() in a program that writes; see ptrace "
		      "above");
}

static const char lost_update[] = "#include <linux/bug.h>\n"
				  "#include <linux/compiler.h>\n"
				  "#include <trapline/scenario.h>\n"
				  "static int n;\n"
				  "SCENARIO_THREAD(a)\n"
				  "{\n"
				  "	WRITE_ONCE(n, READ_ONCE(n) + 1);\n"
				  "}\n"
				  "SCENARIO_THREAD(b)\n"
				  "{\n"
				  "	WRITE_ONCE(n, READ_ONCE(n) + 1);\n"
				  "}\n"
				  "SCENARIO_CHECK()\n"
				  "{\n"
				  "	BUG_ON(n != 2);\n"
				  "}\n";

/* The cache is a new one, so this compiles. */
static void check_explore(struct finding *f)
{
	FILE *source = fopen(in_scratch("doctor.c"), "we");
	struct args a = { 0 };
	int status;

	if (!source || fputs(lost_update, source) < 0 || fclose(source)) {
		found(f, FAILS, "%s cannot be written: %s; make room there",
		      in_scratch("doctor.c"), strerror(errno));
		return;
	}
	args_add(&a, "%s", exe);
	args_add(&a, "explore");
	args_add(&a, "%s", in_scratch("doctor.c"));
	args_add(&a, "--schedule-out=%s", in_scratch("doctor.sched"));
	status = run(&a);
	if (status == CMD_VIOLATED && *line_of("log", "BUG_ON(n != 2)"))
		found(f, WORKS, "a lost update was compiled and found");
	else
		found(f, FAILS, "status %d, %s; see compiler above", status,
		      line_of("log", NULL));
}

/* ---- the command ---------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*check)(struct finding *f);
	bool needed;
} checks[] = {
	{ "ptrace", doctor_ptrace, false },
	{ "attach", doctor_attach, false },
	{ "proc_mem", doctor_proc_mem, false },
	{ "process_vm", doctor_process_vm, false },
	{ "userfaultfd", doctor_userfaultfd, false },
	{ "unwind", doctor_unwind, false },
	{ "unwinders", check_unwinders, false },
	{ "uprobes", doctor_uprobes, false },
	{ "yama", check_yama, false },
	{ "seccomp", check_seccomp, false },
	{ "compiler", check_compiler, false },
	{ "trace", check_trace, true },
	{ "explore", check_explore, true },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	argp_error(state, "'%s': there is nothing to choose", arg);
	return EINVAL;
}

static const struct argp argp = {
	NULL,
	parse,
	NULL,
	"Try what trapline needs of this machine, and print a line for each: "
	"ok, limited or no, with the next step.\v"
	"Exit status: 0 if trace and explore work, 77 if not.",
	NULL,
	NULL,
	NULL
};

int cmd_doctor(int argc, char **argv)
{
	static const char *const words[] = {
		[WORKS] = "ok", [LIMITED] = "limited", [FAILS] = "no"
	};
	int status = CMD_OK;
	unsigned int i;

	argp_err_exit_status = CMD_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	if (readlink("/proc/self/exe", exe, sizeof(exe) - 1) <= 0) {
		err("/proc/self/exe: %s; mount /proc", strerror(errno));
		return CMD_IMPOSSIBLE;
	}
	i = make_scratch();
	if (i) {
		err("%s: %s; name a directory in TMPDIR", scratch, strerror(i));
		return CMD_IMPOSSIBLE;
	}
	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		struct finding f = { .works = FAILS };

		checks[i].check(&f);
		printf("%-11s %-7s %s\n", checks[i].name, words[f.works],
		       f.what);
		fflush(stdout);
		if (checks[i].needed && f.works != WORKS)
			status = CMD_IMPOSSIBLE;
	}
	remove_tree(scratch);
	return status;
}
