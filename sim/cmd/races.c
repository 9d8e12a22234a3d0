// SPDX-License-Identifier: GPL-2.0-only
/*
 * races.c - trapline races: the catalogue of races, one of them run, its story.
 *
 * A race is a folder of traces/races, beside the model's source or installed with it;
 * traces/README.md tells what is in it. Running one is `trapline explore` with what
 * its file `expect` says, and its columns are those of `trapline replay`.
 */
#include "cmd.h"
#include "distance.h"
#include "locate.h"
#include "process.h"
#include "text.h"

#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIDES 8 /* the model, and patches, and other designs */

static const char *const memories[] = { "sc", "tso", "lkmm" };

#define NR_MEMORIES (sizeof(memories) / sizeof(*memories))

/* What `expect` says; strings are of the file's text. */
struct race {
	char *text;
	const char *bug, *kind;
	unsigned int memory; /* that it is about */
	unsigned int nr;
	struct side {
		const char *name; /* "model", a patch, or "variant=NAME" */
		const char *verdict[NR_MEMORIES]; /* NULL: not said */
	} side[SIDES];
};

/* ---- the catalogue ------------------------------------------------------------- */

static char *catalogue(void)
{
	char *path = text_print("%s/traces/races", locate_source());
	char *here = locate_here(path);

	if (!here)
		return path;
	free(path);
	return here;
}

/* The whole file, or NULL with errno set. */
static char *read_file(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text;
	size_t len;

	if (!f)
		return NULL;
	text = text_read(f, SIZE_MAX, &len);
	fclose(f);
	return text;
}

/* The number of a memory model, or NR_MEMORIES. */
static unsigned int memory_number(const char *name, size_t len)
{
	unsigned int m;

	for (m = 0; m < NR_MEMORIES; m++) {
		if (strlen(memories[m]) == len &&
		    !strncmp(memories[m], name, len))
			break;
	}
	return m;
}

/* "model" and so on; of another memory model than the race's, "tso model". */
static void take_verdict(struct race *r, const char *key, const char *verdict)
{
	size_t len = strcspn(key, " ");
	unsigned int m = r->memory, s;

	if (key[len]) {
		m = memory_number(key, len);
		key += len + 1;
	}
	for (s = 0; s < r->nr && strcmp(r->side[s].name, key); s++)
		;
	if (m == NR_MEMORIES || s == SIDES)
		return;
	r->side[s].name = key;
	r->side[s].verdict[m] = verdict;
	if (s == r->nr)
		r->nr++;
}

static void take(struct race *r, const char *key, const char *value)
{
	unsigned int m;

	if (!strcmp(key, "bug")) {
		r->bug = value;
	} else if (!strcmp(key, "kind")) {
		r->kind = value;
	} else if (!strcmp(key, "memory")) {
		m = memory_number(value, strlen(value));
		r->memory = m < NR_MEMORIES ? m : 0;
	} else {
		take_verdict(r, key, value);
	}
}

/* False: it is no race; nothing is printed. */
static bool read_race(struct race *r, const char *dir, const char *name)
{
	char *path = text_print("%s/%s/expect", dir, name), *line, *rest,
	     *value;

	*r = (struct race){ .bug = "-", .kind = "-" };
	r->text = rest = read_file(path);
	free(path);
	while (rest && (line = strsep(&rest, "\n"))) {
		value = strstr(line, ": ");
		if (*line == '#' || !value)
			continue;
		*value = '\0';
		take(r, line, value + 2);
	}
	return r->text != NULL;
}

static int is_name(const struct dirent *e)
{
	return *e->d_name != '.';
}

/* Names in order, or a negative number after a message. */
static int list_names(const char *dir, struct dirent ***names)
{
	int n = scandir(dir, names, is_name, alphasort);

	if (n < 0)
		err("no races in %s: %s; TRAPLINE_SOURCE names the directory "
		    "with traces/races",
		    dir, strerror(errno));
	return n;
}

/* A verdict in a table: what is violated says so by its kind. */
static const char *in_short(const char *verdict)
{
	static const char violated[] = "violated ";
	size_t n = strlen(violated);

	if (!verdict)
		return "-";
	return strncmp(verdict, violated, n) ? verdict : verdict + n;
}

/* Is it one of what is expected: "violated KIND|KIND" of a story with several ends? */
static bool is_expected(const char *verdict, const char *expected)
{
	const char *kind = in_short(verdict), *kinds = in_short(expected);
	size_t n = strlen(kind);

	if ((kind == verdict) != (kinds == expected))
		return false;
	for (; *kinds; kinds += strspn(kinds, "|")) {
		size_t len = strcspn(kinds, "|");

		if (len == n && !strncmp(kinds, kind, n))
			return true;
		kinds += len;
	}
	return false;
}

static void list_race(const char *name, const struct race *r)
{
	printf("%-19s%-5s%-8s", name, r->bug, r->kind);
	for (unsigned int s = 0; s < r->nr; s++) {
		printf("%*s%-18s", s ? 32 : 0, "", r->side[s].name);
		for (unsigned int m = 0; m < NR_MEMORIES; m++)
			printf("%-*s%s", m + 1 < NR_MEMORIES ? 15 : 0,
			       in_short(r->side[s].verdict[m]),
			       m + 1 < NR_MEMORIES ? " " : "\n");
	}
}

static int list(const char *dir)
{
	struct dirent **names;
	struct race r;
	int n = list_names(dir, &names);

	if (n < 0)
		return CMD_USAGE;
	printf("%-19s%-5s%-8s%-18s%-16s%-16s%s\n", "NAME", "BUG", "KIND", "OF",
	       "SC", "TSO", "LKMM");
	for (int i = 0; i < n; i++) {
		if (read_race(&r, dir, names[i]->d_name)) {
			list_race(names[i]->d_name, &r);
			free(r.text);
		}
		free(names[i]);
	}
	free(names);
	return CMD_OK;
}

static void unknown(const char *dir, const char *name)
{
	unsigned int d, best = 4; /* farther is no misspelling */
	const char *nearest = NULL;
	struct dirent **names;
	int n = list_names(dir, &names);

	if (n < 0)
		return;
	for (int i = 0; i < n; i++) {
		d = distance(name, names[i]->d_name);
		if (d < best) {
			best = d;
			nearest = names[i]->d_name;
		}
	}
	if (nearest)
		err("there is no race '%s'; did you mean '%s'?", name, nearest);
	else
		err("there is no race '%s'; trapline races lists them", name);
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

/* ---- one of them ------------------------------------------------------------------ */

/* Explore one side; does it come out as expected? */
static bool as_expected(const char *dir, const char *name,
			const struct side *side, unsigned int memory)
{
	const char *expected = side->verdict[memory];
	bool variant = !strncmp(side->name, "variant=", 8);
	bool model = !strcmp(side->name, "model"), good;
	struct args a = { 0 };
	char *report = NULL, *verdict, *kind;
	size_t len;
	FILE *out = need(open_memstream(&report, &len));
	int status;

	args_add(&a, "/proc/self/exe");
	args_add(&a, "explore");
	args_add(&a, "%s/%s/scenario.c", dir, name);
	args_add(&a, "--memory=%s", memories[memory]);
	if (variant)
		args_add(&a, "--%s", side->name);
	else if (!model)
		args_add(&a, "--unfix=%s/%s/%s", dir, name, side->name);
	status = process_run(&a, out);
	args_free(&a);
	fclose(out);
	fputs(report, stdout);

	kind = report + strspn(report, "FAIL ");
	verdict = status == CMD_OK ? text_print("holds")
		  : status == CMD_VIOLATED
			  ? text_print("violated %.*s", (int)strcspn(kind, ":"),
				       kind)
			  : text_print("undecided");
	good = is_expected(verdict, expected);
	if (good)
		printf("expected: %s\n", verdict);
	else
		err("%s: expected of %s: %s; this is: %s", name, side->name,
		    expected, verdict);
	free(verdict);
	free(report);
	return good;
}

/* The sides that fail; or, fixed, those that hold. */
static int run(const char *dir, const char *name, const struct race *r,
	       unsigned int memory, bool fixed)
{
	bool good = true, any = false;

	for (unsigned int i = 0; i < r->nr; i++) {
		const char *verdict = r->side[i].verdict[memory];

		if (!verdict || fixed != !strcmp(verdict, "holds"))
			continue;
		any = true;
		good &= as_expected(dir, name, &r->side[i], memory);
	}
	if (any)
		return good ? CMD_OK : CMD_VIOLATED;
	err("%s: nothing %s under %s, as far as is known; trapline races lists "
	    "what is",
	    name, fixed ? "holds" : "fails", memories[memory]);
	return CMD_USAGE;
}

/* A schedule written by hand follows the story step by step. */
static char *schedule_of(const char *dir, const char *name)
{
	char *path = text_print("%s/%s/by-hand.sched", dir, name);

	if (access(path, R_OK)) {
		free(path);
		path = text_print("%s/%s/found.sched", dir, name);
	}
	return path;
}

static int why(const char *dir, const char *name)
{
	char *path = text_print("%s/%s/story.md", dir, name), *schedule;
	char *story = read_file(path);
	struct args a = { 0 };
	int status;

	if (!story) {
		err("%s: %s", path, strerror(errno));
		return CMD_USAGE;
	}
	/* The first line names the licence. */
	fputs(story + strcspn(story, "\n") + (strchr(story, '\n') != NULL),
	      stdout);
	schedule = schedule_of(dir, name);
	printf("\n# The schedule %s:\n\n", schedule);
	fflush(stdout);
	args_add(&a, "/proc/self/exe");
	args_add(&a, "replay");
	args_add(&a, "%s", schedule);
	status = process_run(&a, stdout);
	args_free(&a);
	free(schedule);
	free(story);
	free(path);
	return status < 0 ? CMD_BUG : status;
}

/* ---- the command line ------------------------------------------------------------- */

struct command_line {
	const char *what, *name;
	bool fixed;
	unsigned int memory; /* NR_MEMORIES: the race's own */
};

enum { OPT_FIXED = 256, OPT_MEMORY };

static const struct argp_option options[] = {
	{ "fixed", OPT_FIXED, NULL, 0, "run: the side where it is right", 0 },
	{ "memory", OPT_MEMORY, "sc|tso|lkmm", 0,
	  "run: under this memory model (the one that the race is about)", 0 },
	{ 0 }
};

static const char doc[] =
	"List the races of the catalogue, run one, or tell its story.\v"
	"  trapline races\n"
	"  trapline races run slot-wakeup\n"
	"  trapline races run slot-wakeup --fixed\n"
	"  trapline races why slot-wakeup\n\n"
	"BUG is the number of the bug, - if it has none. KIND: fixed, a fix of "
	"the kernel undone; seeded, a mistake that never shipped; latent, the "
	"model does what the kernel does, and violates. OF: the model, or with "
	"which patch, or in which other design; then, by memory model, holds "
	"or what is violated.\n\n"
	"Exit status: 0 it came out as the catalogue says, 1 it did not, "
	"2 usage, 4 internal error.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command_line *c = state->input;

	switch (key) {
	case OPT_FIXED:
		c->fixed = true;
		return 0;
	case OPT_MEMORY:
		c->memory = memory_number(arg, strlen(arg));
		if (c->memory == NR_MEMORIES)
			argp_error(state, "'%s': expected sc, tso or lkmm",
				   arg);
		return 0;
	case ARGP_KEY_ARG:
		if (!c->what && strcmp(arg, "run") && strcmp(arg, "why"))
			argp_error(state, "'%s': expected run or why", arg);
		if (c->name)
			argp_error(state, "one race at a time");
		if (!c->what)
			c->what = arg;
		else
			c->name = arg;
		return 0;
	case ARGP_KEY_END:
		if (c->what && !c->name)
			argp_error(state,
				   "%s: which race? trapline races lists "
				   "them",
				   c->what);
		if ((c->fixed || c->memory < NR_MEMORIES) &&
		    (!c->what || strcmp(c->what, "run")))
			argp_error(state, "--fixed and --memory are for run");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_races(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "\nrun NAME\nwhy NAME",
		.doc = doc,
	};
	struct command_line c = { .memory = NR_MEMORIES };
	struct race r;
	char *dir;
	int status;

	argp_err_exit_status = CMD_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &c);
	dir = catalogue();
	if (!c.what) {
		status = list(dir);
	} else if (strchr(c.name, '/') || !read_race(&r, dir, c.name)) {
		unknown(dir, c.name);
		status = CMD_USAGE;
	} else {
		if (c.memory == NR_MEMORIES)
			c.memory = r.memory;
		status = !strcmp(c.what, "run")
				 ? run(dir, c.name, &r, c.memory, c.fixed)
				 : why(dir, c.name);
		free(r.text);
	}
	free(dir);
	return status;
}
