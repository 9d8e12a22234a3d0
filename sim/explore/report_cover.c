// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_cover.c - the functions that nobody ever entered.
 *
 * What holds in all executions of code that never ran is worth little. Counted
 * are the functions of the scenario's own files and of the model's uprobe code,
 * the way back to user mode included. One without code of its own, or that does
 * not tell when it is entered (it touches no memory and calls nothing), cannot
 * be judged and is left out.
 */
#include "report.h"

#include "debuginfo.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

struct function {
	const char *file, *name;
	bool reached;
};

struct cover {
	struct function *f;
	size_t nr, reached;
};

/* Does path begin with one of the names, the last of which is NULL? */
static bool is_among(const char *path, const char *const *name)
{
	while (*name && strncmp(path, *name, strlen(*name)))
		name++;
	return *name;
}

/* Archives keep the path of the tree that they were built in. */
static bool counts(const char *path)
{
	static const char *const logic[] = { "model/uprobes/",
					     "model/linux/core/entry.c", NULL };
	static const char *const others[] = { "model/", "arch/", "sim/", NULL };
	const char *rest = names_path(path);

	if (*path != '/' || rest == path)
		return true;
	return is_among(rest, logic) || !is_among(rest, others);
}

static void add(void *arg, const struct debuginfo_function *f)
{
	struct cover *c = arg;

	if (!counts(f->file) || !explore_tells_entry(f->low, f->high))
		return;
	if (!(c->nr & (c->nr - 1))) {
		c->f = reallocarray(c->f, c->nr ? 2 * c->nr : 1, sizeof(*c->f));
		if (!c->f)
			abort();
	}
	c->f[c->nr++] = (struct function){
		.file = names_path(f->file),
		.name = names_own(f->name),
		.reached = explore_reached(f->low, f->high),
	};
	c->reached += c->f[c->nr - 1].reached;
}

static int by_name(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	int c = strcmp(x->file, y->file);

	return c ? c : strcmp(x->name, y->name);
}

static void collect(struct cover *c)
{
	*c = (struct cover){ 0 };
	debuginfo_functions(add, c);
	if (c->nr)
		qsort(c->f, c->nr, sizeof(*c->f), by_name);
}

static bool begins_file(const struct cover *c, size_t i)
{
	return !i || strcmp(c->f[i - 1].file, c->f[i].file);
}

/* A violation ends the search: what it did not reach says nothing. */
static bool is_told(const struct report *how, const struct explore_result *r)
{
	return !how->replay && (how->cover || r->verdict == EXPLORE_HOLDS ||
				r->verdict == EXPLORE_UNDECIDED);
}

void report_cover(FILE *to, const struct report *how,
		  const struct explore_result *r)
{
	struct cover c;

	if (!is_told(how, r))
		return;
	collect(&c);
	if (c.nr && (how->cover || c.reached < c.nr))
		fprintf(to, "not reached: %zu of %zu function%s%s\n",
			c.nr - c.reached, c.nr, c.nr == 1 ? "" : "s",
			how->cover ? "" : " (--cover lists them)");
	for (size_t i = 0; how->cover && i < c.nr; i++) {
		if (begins_file(&c, i))
			fprintf(to, "  %s\n", c.f[i].file);
		fprintf(to, "    %s %s\n",
			c.f[i].reached ? "reached" : "never  ", c.f[i].name);
	}
	free(c.f);
}

static void json_names(FILE *to, const struct cover *c, size_t i, bool reached)
{
	const char *lead = "";

	do {
		if (c->f[i].reached != reached)
			continue;
		fprintf(to, "%s\"%s\"", lead, c->f[i].name);
		lead = ",";
	} while (++i < c->nr && !begins_file(c, i));
}

void report_cover_json(FILE *to, const struct report *how,
		       const struct explore_result *r)
{
	struct cover c;

	if (!is_told(how, r))
		return;
	collect(&c);
	fprintf(to, ",\"functions\":%zu,\"reached\":%zu", c.nr, c.reached);
	if (how->cover)
		fputs(",\"cover\":[", to);
	for (size_t i = 0; how->cover && i < c.nr; i++) {
		if (!begins_file(&c, i))
			continue;
		fputs(i ? ",{\"file\":" : "{\"file\":", to);
		report_json_string(to, c.f[i].file);
		fputs(",\"reached\":[", to);
		json_names(to, &c, i, true);
		fputs("],\"not_reached\":[", to);
		json_names(to, &c, i, false);
		fputs("]}", to);
	}
	if (how->cover)
		fputc(']', to);
	free(c.f);
}
