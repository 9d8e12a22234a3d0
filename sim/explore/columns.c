// SPDX-License-Identifier: GPL-2.0-only
/*
 * columns.c - a run as a table: one column per thread, one row per step.
 *
 *   #  reader                  | writer
 *  --- ------------------------+------------------------
 *   1  read x = 0              |
 *      (preempted)             |
 *   2                          | write x = 1
 *
 * Which steps are shown is decided in visible.c, what a cell says in cells.c;
 * here they are laid out, and each switch gets its reason. In a changelog the
 * columns are CPUs, and nothing is between them:
 *
 *      CPU0 (reader)            CPU1 (writer)
 *      -------------            -------------
 *   1  read x = 0
 */
#include "columns.h"

#include "cells.h"
#include "explore.h"
#include "names.h"
#include "slice.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define FOLD_RUN 24 /* longer runs of one thread are folded */
#define FOLD_KEEP 8 /* rows kept at both ends of a folded run */

struct row {
	int thread;
	unsigned int number; /* 0: a remark, no step */
	char *text;
};

struct table {
	struct row *row;
	size_t nr, room;
	int *width;   /* per column, 0: nothing in it */
	int *word;    /* per column, the longest word: never broken */
	char **title; /* per column */
	int threads;  /* columns: one per thread */
	enum columns_style style;
};

static void add_row(struct table *t, int thread, unsigned int number,
		    char *text)
{
	int len = strlen(text);

	if (t->nr == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->row = reallocarray(t->row, t->room, sizeof(*t->row));
		if (!t->row)
			abort();
	}
	t->row[t->nr++] = (struct row){ thread, number, text };
	if (len > t->width[thread])
		t->width[thread] = len;
	for (const char *s = text; *s; s += strspn(s, " ")) {
		len = strcspn(s, " ");
		if (len > t->word[thread])
			t->word[thread] = len;
		s += len;
	}
}

/* End (exclusive) of the run of shown steps of one thread that begins at i. */
static size_t run_end(const struct explore_result *r,
		      const unsigned int *number, size_t i, size_t *shown)
{
	int thread = r->steps[i].thread;

	*shown = 0;
	for (; i < r->nr_steps; i++) {
		if (!number[i])
			continue;
		if (r->steps[i].thread != thread)
			break;
		(*shown)++;
	}
	return i;
}

static char *folded(size_t n)
{
	return text_print("... %zu more steps", n);
}

static void build(struct table *t, const struct explore_result *r,
		  const unsigned int *number, const char *mark)
{
	size_t failed = slice_failed(r), i = 0, end, shown;
	char *why;

	while (i < r->nr_steps && !number[i])
		i++;
	for (; i < r->nr_steps; i = end) {
		int thread = r->steps[i].thread;
		size_t k = 0;

		end = run_end(r, number, i, &shown);
		for (size_t j = i; j < end; j++) {
			if (!number[j])
				continue;
			k++;
			if (shown > FOLD_RUN && k == FOLD_KEEP + 1)
				add_row(t, thread, 0,
					folded(shown - 2 * FOLD_KEEP));
			if (shown > FOLD_RUN && k > FOLD_KEEP &&
			    k <= shown - FOLD_KEEP)
				continue;
			add_row(t, thread, number[j],
				cell_step(&r->steps[j],
					  j == failed ? mark : NULL));
		}
		why = cell_switch(r, thread, end, number);
		if (why)
			add_row(t, thread, 0, why);
	}
}

/* Share the line among the columns that want more than their part. */
static void fit(struct table *t, int width)
{
	int columns = 0, wide = 0, left = width - 5, share;

	for (int i = 0; i < t->threads; i++)
		columns += t->width[i] > 0;
	if (!columns)
		return;
	left -= 3 * (columns - 1);
	share = left / columns;
	/* What narrow columns leave over goes to the wide ones. */
	for (int i = 0; i < t->threads; i++) {
		if (t->width[i] > share)
			wide++;
		else
			left -= t->width[i];
	}
	if (!wide)
		return;
	share = left / wide;
	for (int i = 0; i < t->threads; i++) {
		if (t->width[i] > share)
			t->width[i] = share > t->word[i] ? share : t->word[i];
	}
}

/* How much of the text goes on a line of that width. */
static int break_at(const char *text, int width)
{
	int n = strlen(text);

	if (n <= width)
		return n;
	for (n = width; n > 0 && text[n] != ' '; n--)
		;
	return n ? n : width;
}

/* One line: every column but `thread` is blank. */
static void print_line(FILE *to, const struct table *t, unsigned int number,
		       int thread, const char *text, int len)
{
	int pending = 0; /* blanks owed: none are left at a line's end */

	if (number)
		fprintf(to, "%4u ", number);
	else
		pending = 5;
	for (int i = 0, first = 1; i < t->threads; i++) {
		if (!t->width[i])
			continue;
		if (!first && t->style == COLUMNS_RULED) {
			fprintf(to, "%*s |", pending, "");
			pending = 1;
		} else if (!first) {
			pending += 3;
		}
		first = 0;
		if (i == thread) {
			fprintf(to, "%*s%.*s", pending, "", len, text);
			pending = t->width[i] - len;
		} else {
			pending += t->width[i];
		}
	}
	fputc('\n', to);
}

static void print_row(FILE *to, const struct table *t, const struct row *row)
{
	const char *s = row->text;
	unsigned int number = row->number;

	while (*s) {
		int n = break_at(s, t->width[row->thread]);

		int len = n;

		while (len && s[len - 1] == ' ')
			len--;
		print_line(to, t, number, row->thread, s, len);
		number = 0;
		s += n;
		while (*s == ' ')
			s++;
	}
}

static void print_head(FILE *to, const struct table *t)
{
	const char *separator = "";
	int pending = 0;

	fputs(t->style == COLUMNS_RULED ? "   # " : "     ", to);
	for (int i = 0; i < t->threads; i++) {
		if (!t->width[i])
			continue;
		fprintf(to, "%*s%s%s", pending, "", separator, t->title[i]);
		pending = t->width[i] - strlen(t->title[i]);
		separator = t->style == COLUMNS_RULED ? " | " : "   ";
	}
	fputc('\n', to);
}

static void print_dashes(FILE *to, int n)
{
	while (n-- > 0)
		fputc('-', to);
}

static void print_rule(FILE *to, const struct table *t)
{
	bool ruled = t->style == COLUMNS_RULED;
	int pending = 0;

	fputs(ruled ? "----" : "    ", to);
	for (int i = 0, first = 1; i < t->threads; i++) {
		int len = ruled ? t->width[i] : (int)strlen(t->title[i]);

		if (!t->width[i])
			continue;
		if (ruled)
			fputs(first ? " " : "-+-", to);
		else
			fprintf(to, "%*s", first ? 1 : pending + 3, "");
		first = 0;
		print_dashes(to, len);
		pending = t->width[i] - len;
	}
	fputc('\n', to);
}

static char *title_of(enum columns_style style, int cpu, int thread)
{
	const char *name = explore_thread_name(thread);

	if (style == COLUMNS_RULED)
		return strdup(name);
	return text_print("CPU%d (%s)", cpu, name);
}

/* Columns that have something in them are CPUs, from 0 on. */
static void name_columns(struct table *t)
{
	int cpu = 0;

	for (int i = 0; i < t->threads; i++) {
		t->title[i] = title_of(t->style, cpu, i);
		if (!t->title[i])
			abort();
		cpu += t->width[i] > 0;
	}
}

/* A column is as wide as its title at least. */
static void widen(struct table *t)
{
	for (int i = 0; i < t->threads; i++) {
		int len = strlen(t->title[i]);

		if (t->width[i] && t->width[i] < len)
			t->width[i] = len;
	}
}

static bool too_wide(const struct table *t, int width)
{
	int all = 5 - 3;

	for (int i = 0; i < t->threads; i++)
		all += t->width[i] ? t->width[i] + 3 : 0;
	return all > width;
}

/* One column for all; each row says whose it is. */
static void merge(struct table *t, int width)
{
	for (size_t i = 0; i < t->nr; i++) {
		struct row *row = &t->row[i];
		char *text;

		text = text_print("%s: %s", t->title[row->thread], row->text);
		free(row->text);
		row->text = text;
		row->thread = 0;
	}
	memset(t->width, 0, t->threads * sizeof(*t->width));
	t->width[0] = width - 5;
}

void columns_print(FILE *to, const struct explore_result *r,
		   const unsigned int *number, const char *mark,
		   enum columns_style style, int width)
{
	struct table t = { .threads = explore_nr_threads(), .style = style };
	bool merged = false;

	t.width = calloc(t.threads, sizeof(*t.width));
	t.word = calloc(t.threads, sizeof(*t.word));
	t.title = calloc(t.threads, sizeof(*t.title));
	if (!t.width || !t.word || !t.title)
		abort();
	build(&t, r, number, mark);
	name_columns(&t);
	fit(&t, width);
	widen(&t);
	if (style == COLUMNS_CPUS && too_wide(&t, width)) {
		merge(&t, width);
		merged = true;
	}
	if (t.nr && !merged) {
		print_head(to, &t);
		print_rule(to, &t);
	}
	for (size_t i = 0; i < t.nr; i++) {
		print_row(to, &t, &t.row[i]);
		free(t.row[i].text);
	}
	for (int i = 0; i < t.threads; i++)
		free(t.title[i]);
	free(t.row);
	free(t.width);
	free(t.word);
	free(t.title);
}
