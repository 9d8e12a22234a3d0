// SPDX-License-Identifier: GPL-2.0-only
/*
 * rows.c - the kinds of hits, and how each contender is started for them.
 */
#include "rows.h"

#include <stdarg.h>
#include <stdio.h>

#include "record.h"

#define RECORDED_CALLS 100

struct row rows[] = {
	{
		.name = "emulated",
		.hit = YARDSTICK_EMULATE,
		.options = { "-c" },
		.minimal = "look getregs write:8 setregs cont",
		.gdb_reach = 10,
	},
	{
		.name = "stepped",
		.hit = YARDSTICK_JUMP,
		.options = { "-c" },
		.minimal = "look getregs setregs cont",
		.gdb_reach = 7,
	},
	{
		.name = "stepped, two stops",
		.hit = YARDSTICK_STEP,
		.options = { "-c", "--step", "bp" },
		.minimal = "look getregs setregs cont "
			   "look getregs setregs cont",
	},
	{
		.name = "stepped by the CPU",
		.hit = YARDSTICK_STEP,
		.options = { "-c", "--step", "hw" },
		.minimal = "look getregs setregs step "
			   "look getregs setregs cont",
	},
	{
		.name = "entry and return",
		.hit = YARDSTICK_RETURN,
		.options = { "-c" },
		.minimal = "look getregs read:8 write:8 write:8 setregs cont "
			   "look getregs setregs cont",
	},
	{
		.name = "emulated, JSON",
		.hit = YARDSTICK_EMULATE,
		.options = { "--format", "jsonl" },
	},
	{
		.name = "entry and return, JSON",
		.hit = YARDSTICK_RETURN,
		.options = { "--format", "jsonl" },
	},
};

const unsigned int nr_rows = sizeof(rows) / sizeof(*rows);

struct command {
	char *argv[32];
	unsigned int nr;
	char text[8][256]; /* what had to be put together */
	unsigned int used;
};

static void add(struct command *c, const char *arg)
{
	c->argv[c->nr++] = (char *)arg;
	c->argv[c->nr] = NULL;
}

__attribute__((format(printf, 2, 3))) static void add_text(struct command *c,
							   const char *fmt, ...)
{
	char *to = c->text[c->used++];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(to, sizeof(*c->text), fmt, ap);
	va_end(ap);
	add(c, to);
}

static void add_target(struct command *c, const struct row *row,
		       unsigned int bursts, unsigned int calls)
{
	add(c, TARGET_PATH);
	add(c, yardstick_function(row->hit));
	add_text(c, "%u", bursts);
	add_text(c, "%u", calls);
}

char *const *row_trapline(const struct row *row, unsigned int bursts,
			  unsigned int calls)
{
	static struct command c;
	const char *function = yardstick_function(row->hit);
	unsigned int i;

	c = (struct command){ 0 };
	add(&c, TRAPLINE_PATH);
	add(&c, "trace");
	for (i = 0; row->options[i]; i++)
		add(&c, row->options[i]);
	add(&c, "-o");
	add(&c, OUTPUT_PATH);
	add(&c, "-e");
	add_text(&c, "p:%s:%s", TARGET_PATH, function);
	if (row->hit == YARDSTICK_RETURN) {
		add(&c, "-e");
		add_text(&c, "r:%s:%s", TARGET_PATH, function);
	}
	add(&c, "--");
	add_target(&c, row, bursts, calls);
	return c.argv;
}

char *const *row_gdb(const struct row *row, unsigned int bursts,
		     unsigned int calls)
{
	static struct command c;

	c = (struct command){ 0 };
	add(&c, "gdb");
	add(&c, "-nx");
	add(&c, "-batch");
	add(&c, "-ex");
	add_text(&c, "break *%s if 0", yardstick_function(row->hit));
	add(&c, "-ex");
	add(&c, "run");
	add(&c, "--args");
	add_target(&c, row, bursts, calls);
	return c.argv;
}

int row_record(struct row *row, const char **why)
{
	char *const *argv = row_trapline(row, 1, RECORDED_CALLS);

	switch (record_hit(argv, yardstick_stops(row->hit), &row->same)) {
	case 0:
		return 0;
	case -1:
		*why = "trapline failed";
		return -1;
	default:
		*why = "no two hits make the same system calls";
		return -1;
	}
}
