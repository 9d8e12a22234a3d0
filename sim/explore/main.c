// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - main() of a scenario program: search, or replay one schedule.
 *
 * Started by `trapline explore` and `trapline replay`, which compiled the
 * scenario and pass what the schedule's header needs. Linked from the archive
 * only where nobody else defines main (a test does).
 */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "explore.h"
#include "follow.h"
#include "names.h"
#include "options.h"
#include "repeat.h"
#include "report.h"
#include "schedule.h"
#include "sharing.h"
#include "shrink.h"
#include "steps.h"
#include "streams.h"
#include "text.h"

enum exit_code {
	EXIT_HOLDS,
	EXIT_VIOLATED,
	EXIT_USAGE,
	EXIT_UNDECIDED,
	EXIT_INTERNAL
};

struct program {
	struct options options;
	struct report report;
	struct sched header; /* of the schedule to write */
	const char *replay;
	bool goes_on;	    /* behind its end, in every way */
	bool strict;	    /* as it was when the schedule was written */
	const char *shrink; /* where the schedule goes that is smaller */
};

static volatile sig_atomic_t interrupted;

/*
 * One request may arrive twice: timeout(1) signals its child and then its group.
 * So only somebody who asks again later wants to end without a verdict.
 */
static void on_interrupt(int sig)
{
	static time_t first;

	if (!interrupted) {
		first = time(NULL);
		interrupted = 1;
	} else if (time(NULL) > first + 1) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
}

static int exit_code(const struct explore_result *r)
{
	switch (r->verdict) {
	case EXPLORE_HOLDS:
		return EXIT_HOLDS;
	case EXPLORE_VIOLATED:
		return EXIT_VIOLATED;
	case EXPLORE_UNDECIDED:
		return EXIT_UNDECIDED;
	case EXPLORE_REFUSED:
		return EXIT_USAGE;
	}
	return EXIT_INTERNAL;
}

static void print_report(FILE *to, const struct program *o,
			 const struct explore_result *r)
{
	if (o->options.json)
		report_json(to, &o->report, r);
	else if (o->options.changelog)
		report_changelog(to, &o->report, r);
	else
		report_text(to, &o->report, r);
	fflush(to);
}

static void progress(const struct explore_result *sofar, void *arg)
{
	struct program *o = arg;

	if (interrupted) {
		struct explore_result r = *sofar;

		r.verdict = EXPLORE_UNDECIDED;
		r.finding = FIND_NONE;
		o->report.note = "interrupted";
		progress_end(o->options.progress);
		print_report(stdout, o, &r);
		_exit(EXIT_UNDECIDED);
	}
	progress_show(o->options.progress, sofar);
}

/* The report names it. False after one message. */
static bool write_schedule(struct program *o, struct sched *s, const char *path)
{
	FILE *f = fopen(path, "we");
	char *text;

	follow_note_steps(s);
	if (f)
		sched_write(f, s);
	if (!f || fclose(f)) {
		fprintf(stderr, "trapline: cannot write the schedule %s: %s\n",
			path, strerror(errno));
		return false;
	}
	text = text_print("trapline replay %s", path);
	o->report.schedule = path;
	o->report.command = text;
	return true;
}

/*
 * Write the schedule that repeats the violation. The run that it gives is what is
 * reported: a search does not record everything. False: there is none.
 */
static bool repeat(struct program *o, enum repeat_how how,
		   struct explore_result *r)
{
	const char *path = o->options.schedule_out;
	char *text, *error;

	if (!path)
		path = text = text_print("%s.fail.sched", o->report.name);
	if (!repeat_violation(&o->header, path, how, r, &error)) {
		fprintf(stderr,
			"trapline: no schedule written: no run along the steps "
			"found did repeat the violation%s%s\n",
			error ? ": " : "", error ? error : "");
		return false;
	}
	write_schedule(o, &o->header, path);
	return true;
}

static int search(struct program *o)
{
	bool shared = o->options.search.shards || o->options.nr_merge;
	struct sharing *sharing = NULL;
	struct explore_result r = { .thread = -1 };
	struct sigaction sa = { .sa_handler = on_interrupt,
				.sa_flags = SA_RESTART };
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		abort();
	o->options.search.name = names_address;
	o->options.search.progress = progress;
	o->options.search.progress_arg = o;
	sigaction(SIGINT, &sa, NULL);
	if (shared)
		sharing = sharing_begin(&o->options, o->report.name,
					o->header.variant);
	if (shared && !sharing)
		return EXIT_USAGE;
	explore_run(&o->options.search, &r);
	progress_end(o->options.progress);
	if (r.unshared)
		fprintf(stderr,
			"trapline: %llu parts were searched again here: their "
			"shards did not come to memory that is shared, and "
			"others did\n",
			(unsigned long long)r.unshared);
	if (o->options.search.shards)
		return sharing_end(sharing, stdout, &o->report, &r)
			       ? exit_code(&r)
			       : EXIT_INTERNAL;
	/* Now, since names are those of the last run; in case it is needed. */
	print_report(to, o, &r);
	fclose(to);
	/* a race is no event of one run: there is nothing to repeat */
	if (r.verdict == EXPLORE_VIOLATED && r.finding != FIND_RACE &&
	    repeat(o, REPEAT_FEWEST, &r))
		print_report(stdout, o, &r);
	else
		fputs(text, stdout);
	free(text);
	return exit_code(&r);
}

static bool as_expected(const struct sched *s, const struct explore_result *r)
{
	bool violated = r->verdict == EXPLORE_VIOLATED;

	if (!s->expect || !strcmp(s->expect, "holds"))
		return r->verdict == EXPLORE_HOLDS;
	return violated && !strcmp(s->expect + strlen("violated "),
				   report_kind(r->finding));
}

/* Read what is to be followed; false after one message. */
static bool read_schedule(struct program *o, struct sched *s)
{
	struct sched_error err;

	if (sched_read(o->replay, s, &err)) {
		fprintf(stderr, "trapline: %s:%u:%u: %s\n", o->replay, err.line,
			err.column, err.text);
		return false;
	}
	if (s->expect && strcmp(s->expect, "holds") &&
	    !report_find_kind(s->expect + strlen("violated "))) {
		fprintf(stderr,
			"trapline: %s: 'expect: %s': no finding is "
			"called that\n",
			o->replay, s->expect);
		return false;
	}
	if (o->strict && (!s->steps || !steps_good(s->steps))) {
		fprintf(stderr,
			"trapline: %s has no 'steps:' that --strict could "
			"compare; 'trapline shrink' writes a schedule that "
			"has, or leave --strict out\n",
			o->replay);
		return false;
	}
	o->report.memory = follow_memory(s);
	o->report.replay = true;
	return true;
}

/* Follow it, and say so if that cannot be done; false then. */
static bool follow(struct program *o, const struct sched *s,
		   struct explore_result *r)
{
	char *error;

	if (o->strict)
		follow_strictly(s, o->replay, r, &error);
	else
		follow_run(s, o->replay, r, &error);
	if (!error)
		return true;
	printf("DIVERGED  %s\n", error);
	o->report.note = "the steps so far:";
	print_report(stdout, o, r);
	return false;
}

/* All that begins as the schedule says, and what a violation of it does. */
static int go_on(struct program *o)
{
	struct explore_options *opt = &o->options.search;
	struct explore_result r;
	char *error, *note;

	if (!read_schedule(o, &o->header))
		return EXIT_USAGE;
	if (o->report.memory != MEMORY_SC) {
		fprintf(stderr,
			"trapline: %s: --continue goes on under memory sc "
			"only; leave it out\n",
			o->replay);
		return EXIT_USAGE;
	}
	note = text_print("of those that begin as %s says, counted from its "
			  "end",
			  o->replay);
	opt->progress = progress;
	opt->progress_arg = o;
	o->report.replay = false;
	o->report.some = opt;
	o->report.note = note;
	follow_on(&o->header, o->replay, opt, &r, &error);
	if (error) {
		printf("DIVERGED  %s\n", error);
		return EXIT_VIOLATED;
	}
	if (r.verdict == EXPLORE_VIOLATED) {
		sched_drop_body(&o->header);
		repeat(o, REPEAT_AS_FOUND, &r);
	}
	print_report(stdout, o, &r);
	return exit_code(&r);
}

static int replay(struct program *o)
{
	struct explore_result r;
	struct sched s;
	char *note = NULL;
	bool good;

	if (!read_schedule(o, &s))
		return EXIT_USAGE;
	if (!follow(o, &s, &r))
		return EXIT_VIOLATED;
	good = as_expected(&s, &r);
	if (s.expect)
		note = text_print("the schedule expects: %s%s", s.expect,
				  good ? "" : "  <-- not so");
	o->report.note = note;
	print_report(stdout, o, &r);
	sched_free(&s);
	return good ? EXIT_HOLDS : EXIT_VIOLATED;
}

/* The same failure by a smaller schedule. */
static int make_smaller(struct program *o)
{
	struct explore_result r;
	struct sched s;
	size_t lines, preemptions;
	char *note;

	if (!read_schedule(o, &s))
		return EXIT_USAGE;
	if (!follow(o, &s, &r))
		return EXIT_VIOLATED;
	if (r.verdict != EXPLORE_VIOLATED) {
		fprintf(stderr,
			"trapline: %s does not fail: there is nothing that a "
			"smaller schedule could repeat\n",
			o->replay);
		return EXIT_VIOLATED;
	}
	lines = shrink_lines(&s);
	preemptions = shrink_preemptions(&s);
	shrink(&s, &r);
	free(s.expect);
	s.expect = text_print("violated %s", report_kind(r.finding));
	note = text_print(
		"lines %zu -> %zu, preemptions %zu -> %zu: it would not "
		"fail so with one less",
		lines, shrink_lines(&s), preemptions, shrink_preemptions(&s));
	o->report.note = note;
	if (!write_schedule(o, &s, o->shrink) || !follow(o, &s, &r))
		return EXIT_INTERNAL;
	print_report(stdout, o, &r);
	sched_free(&s);
	return EXIT_HOLDS;
}

enum header_key {
	OPT_NAME = 256,
	OPT_SCENARIO,
	OPT_SOURCE,
	OPT_INCLUDE,
	OPT_DEFINE,
	OPT_UNFIX,
	OPT_VARIANT,
	OPT_REPLAY,
	OPT_SHRINK,
	OPT_STRICT,
	OPT_CONTINUE,
};

static const struct argp_option option_table[] = {
	{ "replay", OPT_REPLAY, "FILE", 0, "follow this schedule", 0 },
	{ "strict", OPT_STRICT, NULL, 0, "operation by operation", 0 },
	{ "continue", OPT_CONTINUE, NULL, 0, "go on in every way", 0 },
	{ "shrink", OPT_SHRINK, "OUT", 0, "write one as small as can be", 0 },
	{ "name", OPT_NAME, "NAME", 0, "name in verdicts", 1 },
	{ "scenario", OPT_SCENARIO, "PATH", 0, "header of the schedule:", 1 },
	{ "source", OPT_SOURCE, "PATH", 0, "further file", 1 },
	{ "include", OPT_INCLUDE, "DIR", 0, "directory of headers", 1 },
	{ "define", OPT_DEFINE, "NAME=V", 0, "macro", 1 },
	{ "unfix", OPT_UNFIX, "PATH", 0, "patch", 1 },
	{ "variant", OPT_VARIANT, "NAME", 0, "of the probe logic", 1 },
	{ 0 }
};

static void set_string(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	if (!*to)
		abort();
}

/* There before the set-up, which registers probes. Not linked: no probe logic. */
extern const char *sim_variant_set(const char *name) __attribute__((weak));

static void set_variant(struct program *o, const char *name,
			struct argp_state *state)
{
	const char *why = sim_variant_set ? sim_variant_set(name)
					  : "the scenario has no probe logic; "
					    "leave it out";

	if (why)
		argp_error(state, "variant '%s': %s", name, why);
	set_string(&o->header.variant, name);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct program *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->options;
		return 0;
	case OPT_REPLAY:
		o->replay = arg;
		return 0;
	case OPT_STRICT:
		o->strict = true;
		return 0;
	case OPT_CONTINUE:
		o->goes_on = true;
		return 0;
	case OPT_SHRINK:
		o->shrink = arg;
		return 0;
	case OPT_NAME:
		o->report.name = arg;
		return 0;
	case OPT_SCENARIO:
		set_string(&o->header.scenario, arg);
		return 0;
	case OPT_UNFIX:
		set_string(&o->header.unfix, arg);
		return 0;
	case OPT_VARIANT:
		set_variant(o, arg, state);
		return 0;
	case OPT_SOURCE:
		return -sched_list_add(&o->header.source, arg);
	case OPT_INCLUDE:
		return -sched_list_add(&o->header.include, arg);
	case OPT_DEFINE:
		return -sched_list_add(&o->header.define, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_col < 40)
		return 80;
	return size.ws_col;
}

static struct program
	*program; /* for refused(), which is given a sentence only */

static void refused(const char *sentence)
{
	struct explore_result r = { .verdict = EXPLORE_REFUSED,
				    .finding = FIND_UNSUPPORTED,
				    .thread = -1 };

	fprintf(stderr, "trapline: %s\n", sentence);
	if (!program->options.json)
		return;
	snprintf(r.message, sizeof(r.message), "%s", sentence);
	report_json(stdout, &program->report, &r);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &options_of_programs, 0, NULL, 0 }, { 0 }
	};
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.doc = "A scenario, compiled: explores its interleavings.",
		.children = children,
	};
	struct program o = { .report = { .name = "scenario" },
			     .options.search = { .early_wakeups = 1,
						 .seed = 1 } };
	const char *wrong;
	int ret;

	streams_check();
	argp_err_exit_status = EXIT_USAGE;
	o.report.width = terminal_width();
	set_string(&o.header.scenario, "scenario.c");
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	wrong = options_contradict(&o.options);
	if (wrong) {
		fprintf(stderr, "trapline: %s\n", wrong);
		return EXIT_USAGE;
	}
	o.report.memory = o.options.search.memory;
	o.report.deps = o.options.search.deps;
	if (o.options.search.some)
		o.report.some = &o.options.search;
	o.report.cover = o.options.cover;
	set_string(&o.header.memory, report_memory(o.report.memory));
	program = &o;
	explore_refused = refused;
	ret = explore_init(NULL, NULL);
	if (ret == -ENOEXEC) {
		char *sentence;

		sentence = text_print(
			"%s has nothing to run: neither SCENARIO_THREAD "
			"nor main()",
			o.header.scenario);
		refused(sentence);
		free(sentence);
		return EXIT_USAGE;
	}
	if (ret) {
		fprintf(stderr, "trapline: the scenario cannot be set up: %s\n",
			strerror(-ret));
		return EXIT_INTERNAL;
	}
	return o.shrink	   ? make_smaller(&o)
	       : o.goes_on ? go_on(&o)
	       : o.replay  ? replay(&o)
			   : search(&o);
}
