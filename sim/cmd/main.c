// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - the program `trapline`: one table of subcommands.
 */
#include <stdio.h>
#include <string.h>

#include "cmd.h"

#ifndef TRAPLINE_VERSION
#define TRAPLINE_VERSION "unknown"
#endif

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *line;
} commands[] = {
	{ "trace", cmd_trace, "run a program and print hits of probes in it" },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

static void overview(FILE *to)
{
	unsigned int i;

	fputs("usage: trapline COMMAND ...\n\n", to);
	for (i = 0; i < NR_COMMANDS; i++)
		fprintf(to, "  %-10s%s\n", commands[i].name, commands[i].line);
	fputs("\n  trapline trace -e p:libc.so.6:malloc -- ls\n"
	      "  trapline COMMAND --help\n",
	      to);
}

int main(int argc, char **argv)
{
	char name[64];
	unsigned int i;

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
	err("there is no command '%s'; trapline --help lists them", argv[1]);
	return CMD_USAGE;
}
