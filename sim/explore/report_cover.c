// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_cover.c - the functions that nobody ever entered, and of the others the
 * branches that nobody ever took.
 *
 * What holds in all executions of code that never ran is worth little. Counted
 * are the functions of the scenario's own files and of the model's uprobe code,
 * the way back to user mode included. A branch is a place in the source where a piece
 * of code begins, other than a function's first: it is reached if any such piece is
 * that the compiler made of it. What only says that an assertion fails is none.
 */
#include "report.h"

#include "debuginfo.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

struct item {
	const char *file;
	const char *name; /* of a function; NULL: a branch */
	int line, column;
	bool reached;
};

/* Sorted: by file, in it the functions by name, then the branches. */
struct cover {
	struct item *item;
	size_t nr;
	size_t functions, functions_reached, branches, branches_reached;
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

static struct item *add(struct cover *c)
{
	if (!(c->nr & (c->nr - 1))) {
		c->item = reallocarray(c->item, c->nr ? 2 * c->nr : 1,
				       sizeof(*c->item));
		if (!c->item)
			abort();
	}
	return &c->item[c->nr++];
}

/* ---- collecting ----------------------------------------------------------------- */

struct function {
	struct cover *cover;
	bool begun, reached;
};

static void add_piece(void *arg, uintptr_t at, bool reached)
{
	struct function *f = arg;
	struct debuginfo_place place;

	f->reached |= reached;
	if (!f->begun) {
		f->begun = true; /* its first is no branch */
		return;
	}
	if (debuginfo_place(at, &place) && counts(place.file))
		*add(f->cover) = (struct item){ .file = names_path(place.file),
						.line = place.line,
						.column = place.column,
						.reached = reached };
}

static void add_function(void *arg, const struct debuginfo_function *f)
{
	struct cover *c = arg;
	struct function seen = { .cover = c };
	size_t before = c->nr;

	if (!counts(f->file))
		return;
	explore_pieces(f->low, f->high, add_piece, &seen);
	if (!seen.reached)
		c->nr = before;
	if (seen.begun)
		*add(c) = (struct item){ .file = names_path(f->file),
					 .name = names_own(f->name),
					 .reached = seen.reached };
}

static int in_order(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int c = strcmp(x->file, y->file);

	if (c || !x->name != !y->name)
		return c ? c : !x->name - !y->name;
	if (x->name)
		return strcmp(x->name, y->name);
	return x->line != y->line ? x->line - y->line : x->column - y->column;
}

/* The pieces of one place are one branch. */
static void merge(struct cover *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nr; i++) {
		if (n && !c->item[i].name &&
		    !in_order(&c->item[n - 1], &c->item[i]))
			c->item[n - 1].reached |= c->item[i].reached;
		else
			c->item[n++] = c->item[i];
	}
	c->nr = n;
}

static void collect(struct cover *c)
{
	*c = (struct cover){ 0 };
	debuginfo_functions(add_function, c);
	if (c->nr)
		qsort(c->item, c->nr, sizeof(*c->item), in_order);
	merge(c);
	for (size_t i = 0; i < c->nr; i++) {
		const struct item *it = &c->item[i];

		c->functions += !!it->name;
		c->functions_reached += it->name && it->reached;
		c->branches += !it->name;
		c->branches_reached += !it->name && it->reached;
	}
}

static bool begins_file(const struct cover *c, size_t i)
{
	return !i || strcmp(c->item[i - 1].file, c->item[i].file);
}

/* A violation ends the search: what it did not reach says nothing. */
static bool is_told(const struct report *how, const struct explore_result *r)
{
	return !how->replay && (how->cover || r->verdict == EXPLORE_HOLDS ||
				r->verdict == EXPLORE_UNDECIDED);
}

/* ---- for people ------------------------------------------------------------------ */

static void put_item(FILE *to, const struct item *it)
{
	if (it->name)
		fprintf(to, "    %s %s\n", it->reached ? "reached" : "never  ",
			it->name);
	else if (!it->reached)
		fprintf(to, "    never   branch %d:%d\n", it->line, it->column);
}

void report_cover(FILE *to, const struct report *how,
		  const struct explore_result *r)
{
	struct cover c;
	size_t functions, branches;

	if (!is_told(how, r))
		return;
	collect(&c);
	functions = c.functions - c.functions_reached;
	branches = c.branches - c.branches_reached;
	if (c.nr && (how->cover || functions || branches))
		fprintf(to,
			"not reached: %zu of %zu function%s, "
			"%zu of %zu branch%s%s\n",
			functions, c.functions, c.functions == 1 ? "" : "s",
			branches, c.branches, c.branches == 1 ? "" : "es",
			how->cover ? "" : " (--cover lists them)");
	for (size_t i = 0; how->cover && i < c.nr; i++) {
		if (begins_file(&c, i))
			fprintf(to, "  %s\n", c.item[i].file);
		put_item(to, &c.item[i]);
	}
	free(c.item);
}

/* ---- for programs ----------------------------------------------------------------- */

/* Of the file that begins at i. */
static void json_items(FILE *to, const struct cover *c, size_t i,
		       bool functions, bool reached)
{
	const char *lead = "";

	do {
		const struct item *it = &c->item[i];

		if (!it->name == functions || it->reached != reached)
			continue;
		if (functions)
			fprintf(to, "%s\"%s\"", lead, it->name);
		else
			fprintf(to, "%s\"%d:%d\"", lead, it->line, it->column);
		lead = ",";
	} while (++i < c->nr && !begins_file(c, i));
}

static void json_file(FILE *to, const struct cover *c, size_t i)
{
	fputs(i ? ",{\"file\":" : "{\"file\":", to);
	report_json_string(to, c->item[i].file);
	fputs(",\"reached\":[", to);
	json_items(to, c, i, true, true);
	fputs("],\"not_reached\":[", to);
	json_items(to, c, i, true, false);
	fputs("],\"branches_not_reached\":[", to);
	json_items(to, c, i, false, false);
	fputs("]}", to);
}

void report_cover_json(FILE *to, const struct report *how,
		       const struct explore_result *r)
{
	struct cover c;

	if (!is_told(how, r))
		return;
	collect(&c);
	fprintf(to,
		",\"functions\":%zu,\"reached\":%zu,\"branches\":%zu,"
		"\"branches_reached\":%zu",
		c.functions, c.functions_reached, c.branches,
		c.branches_reached);
	if (how->cover)
		fputs(",\"cover\":[", to);
	for (size_t i = 0; how->cover && i < c.nr; i++)
		if (begins_file(&c, i))
			json_file(to, &c, i);
	if (how->cover)
		fputc(']', to);
	free(c.item);
}
