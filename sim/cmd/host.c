// SPDX-License-Identifier: GPL-2.0-only
/*
 * host.c - trapline host: explore files of a kernel tree, as they are.
 *
 * They are copied, and compiled with the scenario on the model's headers; from
 * there on it is an exploration like any other, and so are its schedules.
 */
#include "cmd.h"
#include "process.h"
#include "stage.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

struct host {
	struct stage stage;
	const char *scenario;
	struct args pass; /* options of explore */
};

enum { OPT_FILE = 256 };

static const struct argp_option option_table[] = {
	{ "file", OPT_FILE, "PATH", 0,
	  "a file of the tree, as in lib/objpool.c, or a header whose "
	  "functions "
	  "are inline; may be repeated",
	  0 },
	{ "with", OPT_FILE, NULL, OPTION_ALIAS, NULL, 0 },
	{ 0 }
};

static const char doc[] =
	"Run every interleaving of a scenario on files of a kernel tree, which "
	"are "
	"not changed in any way.\v"
	"  trapline host linux-source-6.12 --file lib/objpool.c pool.c\n"
	"  trapline host linux-source-6.12 --file lib/objpool.c pool.c -- "
	"-DN=3\n\n"
	"What follows -- is for `trapline explore`. The scenario sees "
	"LINUX_VERSION_CODE, and the headers that belong to the files. Copies "
	"of "
	"all are put into hosted-RELEASE-HASH, here; schedules refer to "
	"them.\n\n"
	"Exit status: as explore.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct host *h = state->input;

	switch (key) {
	case OPT_FILE:
		return -sched_list_add(&h->stage.file, arg);
	case ARGP_KEY_ARG:
		if (state->quoted && state->next > state->quoted)
			args_add(&h->pass, "%s", arg);
		else if (!h->stage.tree)
			h->stage.tree = arg;
		else if (!h->scenario)
			h->scenario = arg;
		else
			argp_error(state,
				   "one scenario at a time; options of explore "
				   "follow --");
		return 0;
	case ARGP_KEY_END:
		if (!h->scenario)
			argp_error(state,
				   "expected a kernel tree and a scenario");
		if (!h->stage.file.nr)
			argp_error(state,
				   "which file of the tree? --file=PATH");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int explore(const struct host *h)
{
	struct args a = { 0 };
	int status;

	args_add(&a, "trapline explore");
	args_add(&a, "-DLINUX_VERSION_CODE=%u", h->stage.code);
	for (size_t i = 0; i < h->stage.option.nr; i++)
		args_add(&a, "-D%s", h->stage.option.item[i]);
	for (size_t i = 0; i < h->stage.include.nr; i++)
		args_add(&a, "-I%s", h->stage.include.item[i]);
	args_add_all(&a, &h->pass);
	args_add(&a, "--");
	args_add(&a, "%s", h->scenario);
	for (size_t i = 0; i < h->stage.copy.nr; i++)
		args_add(&a, "%s", h->stage.copy.item[i]);
	status = cmd_explore(a.n, a.v);
	args_free(&a);
	return status;
}

int cmd_host(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "TREE SCENARIO.c [-- OPTIONS OF EXPLORE]",
		.doc = doc,
	};
	struct host h = { 0 };
	int status;

	argp_err_exit_status = CMD_USAGE;
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &h);
	status = stage_read(&h.stage);
	if (!status)
		status = stage_write(&h.stage);
	if (!status)
		status = explore(&h);
	stage_free(&h.stage);
	args_free(&h.pass);
	return status;
}
