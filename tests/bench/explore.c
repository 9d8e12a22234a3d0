// SPDX-License-Identifier: GPL-2.0-only
/*
 * explore.c - bench explore: how many executions a second, and what an operation
 * costs beside a bare fibre switch and a bare callback.
 *
 * The command is run as a user runs it, on one core and, if that is allowed, before
 * anybody else. Each search takes its turn, round by round. A count that is not the
 * known one ends it: a wrong search may be as fast as it likes.
 */
#include "explore.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bare.h"
#include "host.h"
#include "options.h"

const char *const model_names[NR_MODELS] = { "sc", "tso", "lkmm" };

/*
 * Counts: known by formula, or because other checkers agree (tests/explore). The
 * published rates are those of GenMC 0.10 for sc and tso, and of GenMC 0.9, the last
 * one that knew the kernel's model, for lkmm.
 */
static struct program programs[] = {
	{ .title = "fib N=5",
	  .file = "fib.c",
	  .define = "-DN=5",
	  .known = { { 8953, 11780 }, { 19404, 14061 }, { 19404, 12936 } } },
	{ .title = "seqlock NR=2",
	  .file = "seqlock.c",
	  .define = "-DNR=2",
	  .known = { { 1369, 15211 }, { 1369, 12445 }, { 1521, 0 } } },
	{ .title = "treiber NT=3 K=1",
	  .file = "treiber.c",
	  .define = "-DNT=3 -DK=1",
	  .known = { { 2463, 10262 }, { 2463, 8210 }, { 2463, 4561 } } },
	{ .title = "nwriters N=7",
	  .file = "nwriters.c",
	  .define = "-DN=7",
	  .known = { { 5040, 25200 }, { 5040, 22909 }, { 5040, 7099 } } },
	{ .title = "lastzero N=10",
	  .file = "lastzero.c",
	  .define = "-DN=10",
	  .known = { { 3328, 5839 }, { 3328, 6792 }, { 5632, 2595 } } },
};

__attribute__((noreturn)) static void die(const struct program *p, enum model m,
					  const char *why)
{
	fprintf(stderr, "bench explore: %s, %s: %s\n", p->title, model_names[m],
		why);
	exit(1);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* ---- one run of the command ------------------------------------------------------- */

__attribute__((noreturn)) static void become_command(const struct program *p,
						     enum model m, int out)
{
	char command[1024];

	snprintf(command, sizeof(command),
		 "exec %s explore %s/%s %s --memory %s --format json",
		 TRAPLINE_PATH, PROGRAMS_PATH, p->file, p->define,
		 model_names[m]);
	dup2(out, STDOUT_FILENO);
	if (!ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

static long peak(pid_t pid)
{
	char path[64], line[256];
	long kib = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f) &&
	       sscanf(line, "VmHWM: %ld", &kib) != 1)
		;
	if (f)
		fclose(f);
	return kib;
}

/*
 * See it to its end. Its memory is looked at when it ends: what wait4() tells has
 * the compiler in it, which the command waited for.
 */
static bool follow(pid_t pid, long *kib)
{
	const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC |
			     PTRACE_O_TRACEEXIT;
	bool first = true;
	int status, sig;

	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		sig = WSTOPSIG(status);
		if (first)
			ptrace(PTRACE_SETOPTIONS, pid, NULL, options);
		if (status >> 16 == PTRACE_EVENT_EXIT)
			*kib = peak(pid);
		if (first || status >> 16)
			sig = 0;
		first = false;
		ptrace(PTRACE_CONT, pid, NULL, (long)sig);
	}
	return WIFEXITED(status);
}

static json_t *run(const struct program *p, enum model m, double *wall,
		   long *kib)
{
	double start = now();
	json_t *o;
	pid_t pid;
	int out[2];
	FILE *from;

	/* an object is short: it fits into the pipe */
	if (pipe2(out, O_CLOEXEC))
		die(p, m, "no pipe");
	pid = fork();
	if (!pid)
		become_command(p, m, out[1]);
	close(out[1]);
	if (pid < 0 || !follow(pid, kib))
		die(p, m, "the command cannot be run");
	*wall = now() - start;
	from = fdopen(out[0], "r");
	o = from ? json_loadf(from, 0, NULL) : NULL;
	if (!o)
		die(p, m, "the command gave no JSON object");
	fclose(from);
	return o;
}

static unsigned long long number(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static void measure(struct program *p, enum model m, bool first)
{
	struct search *s = &p->by[m];
	const char *verdict;
	double wall, seconds;
	json_t *o;
	long kib;

	o = run(p, m, &wall, &kib);
	verdict = json_string_value(json_object_get(o, "verdict"));
	seconds = json_number_value(json_object_get(o, "seconds"));
	s->executions = number(o, "executions");
	s->blocked = number(o, "blocked");
	s->events = number(o, "events");
	if (!verdict || strcmp(verdict, "holds") ||
	    s->executions != p->known[m].executions || !s->events ||
	    !(seconds > 0))
		die(p, m, "not the executions that there are");
	if (first || seconds < s->seconds)
		s->seconds = seconds;
	if (first || wall < s->wall)
		s->wall = wall;
	if (kib > s->kib)
		s->kib = kib;
	json_decref(o);
}

/* So that no round has to compile. */
static void compile(struct program *p)
{
	double wall;
	long kib;

	json_decref(run(p, SC, &wall, &kib));
}

int main(int argc, char **argv)
{
	struct options o = { .rounds = 5, .most = 1000 };
	struct bench b = { .program = programs,
			   .nr = sizeof(programs) / sizeof(*programs) };

	options_parse(&o, "Measure how fast searches are.", argc, argv);
	b.rounds = o.rounds;
	b.core = host_pin();
	if (b.core < 0) {
		fprintf(stderr, "bench explore: cannot choose a core\n");
		return 1;
	}
	for (unsigned int i = 0; i < b.nr; i++)
		compile(&programs[i]);
	if (!host_before_others())
		fprintf(stderr, "no real-time priority: other programs "
				"disturb\n");
	b.switch_ns = bare_switch();
	b.callback_ns = bare_callback();
	if (b.callback_ns < 0) {
		fprintf(stderr, "bench explore: the bare callback did not "
				"run\n");
		return 1;
	}
	for (unsigned int round = 0; round < o.rounds; round++)
		for (unsigned int i = 0; i < b.nr; i++)
			for (int m = 0; m < NR_MODELS; m++)
				measure(&programs[i], m, !round);
	if (o.json)
		explore_report_json(&b);
	else
		explore_report_text(&b);
	return 0;
}
