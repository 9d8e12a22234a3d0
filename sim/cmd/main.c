// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - the program `trapline`: one table of subcommands.
 */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "distance.h"
#include "streams.h"

#ifndef TRAPLINE_VERSION
#define TRAPLINE_VERSION "unknown"
#endif

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *line;
} commands[] = {
	{ "trace", cmd_trace, "run a program and print hits of probes in it" },
	{ "repair", cmd_repair, "put right what a killed trace has left" },
	{ "explore", cmd_explore, "run every interleaving of a C program" },
	{ "host", cmd_host, "explore files of a kernel tree, as they are" },
	{ "replay", cmd_replay, "run one interleaving, as a schedule says" },
	{ "shrink", cmd_shrink,
	  "take out of a schedule what its race can do without" },
	{ "races", cmd_races, "list the known races, run one, tell its story" },
	{ "insn", cmd_insn, "tell what a probe would do with instructions" },
	{ "doctor", cmd_doctor, "try what works on this machine" },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

static void overview(FILE *to)
{
	unsigned int i;

	fputs("usage: trapline COMMAND ...\n\n", to);
	for (i = 0; i < NR_COMMANDS; i++)
		fprintf(to, "  %-10s%s\n", commands[i].name, commands[i].line);
	fputs("\n  trapline trace -e p:libc.so.6:malloc -- ls\n"
	      "  trapline explore traces/races/slot-wakeup/scenario.c\n"
	      "  trapline COMMAND --help\n",
	      to);
}

static void unknown(const char *name)
{
	unsigned int i, d, best = 3; /* farther is no misspelling */
	const char *nearest = NULL;

	for (i = 0; i < NR_COMMANDS && strlen(name) < 12; i++) {
		d = distance(name, commands[i].name);
		if (d < best) {
			best = d;
			nearest = commands[i].name;
		}
	}
	if (nearest)
		err("there is no command '%s'; did you mean '%s'?", name,
		    nearest);
	else
		err("there is no command '%s'; trapline --help lists them",
		    name);
}

int main(int argc, char **argv)
{
	char name[64];
	unsigned int i;

	streams_check();
	setlinebuf(stderr); /* a message in one write */
	if (argc < 2) {
		overview(stderr);
		return CMD_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		overview(stdout);
		return CMD_OK;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("trapline " TRAPLINE_VERSION
		     ", probe logic of Linux 6.18");
		return CMD_OK;
	}
	for (i = 0; i < NR_COMMANDS; i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		snprintf(name, sizeof(name), "trapline %s", argv[1]);
		argv[1] = name;
		return commands[i].run(argc - 1, argv + 1);
	}
	unknown(argv[1]);
	return CMD_USAGE;
}
