// SPDX-License-Identifier: GPL-2.0-only
/*
 * options.c - see options.h.
 */
#include "options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'j':
		o->json = true;
		return 0;
	case 'n':
		o->rounds = atoi(arg);
		if (o->rounds < 1 || o->rounds > o->most)
			argp_error(state, "rounds: 1 to %u", o->most);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

void options_parse(struct options *o, const char *doc, int argc, char **argv)
{
	char turns[40];
	const struct argp_option known[] = {
		{ "json", 'j', NULL, 0, "print one JSON object", 0 },
		{ "rounds", 'n', "N", 0, turns, 0 },
		{ 0 }
	};
	const struct argp argp = { known, parse, "", doc, NULL, NULL, NULL };

	snprintf(turns, sizeof(turns), "take N turns (default: %u)", o->rounds);
	argp_parse(&argp, argc, argv, 0, NULL, o);
}
