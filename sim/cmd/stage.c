// SPDX-License-Identifier: GPL-2.0-only
/*
 * stage.c - files of a kernel tree, ready to be compiled on the model's headers.
 */
#include "stage.h"

#include "cache.h"
#include "cmd.h"
#include "copy.h"
#include "locate.h"
#include "text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARCH_INCLUDE "arch/x86/include"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Headers that belong to one file: its structures, and what goes with them. */
static const char *const owned[] = {
	"linux/objpool.h", "linux/freelist.h", "linux/rethook.h",
	"linux/llist.h",   "linux/kprobes.h",  "linux/uprobes.h",
	"asm/kprobes.h",   "asm/uprobes.h",    "asm/insn.h",
	"asm/inat.h",	   "asm/inat_types.h", "asm-generic/kprobes.h",
};

/* ---- the release ------------------------------------------------------------- */

/* "VERSION = 6" of the tree's Makefile. */
static unsigned int makefile_value(const char *text, const char *name)
{
	size_t n = strlen(name);
	const char *s = text;

	while (s && (strncmp(s, name, n) || s[n] != ' ')) {
		s = strchr(s, '\n');
		s = s ? s + 1 : NULL;
	}
	s = s ? strchr(s, '=') : NULL;
	return s ? strtoul(s + 1, NULL, 10) : 0;
}

static int read_release(struct stage *s)
{
	char *path = text_print("%s/Makefile", s->tree);
	FILE *f = fopen(path, "re");
	size_t len;
	char *text = f ? text_read(f, 1 << 20, &len) : NULL;
	unsigned int version, patchlevel, sublevel;

	if (f)
		fclose(f);
	version = text ? makefile_value(text, "VERSION") : 0;
	if (!version) {
		err("%s is no kernel tree: %s", s->tree,
		    text ? "its Makefile names no VERSION" : strerror(errno));
	} else {
		patchlevel = makefile_value(text, "PATCHLEVEL");
		sublevel = makefile_value(text, "SUBLEVEL");
		s->release = text_print("%u.%u.%u", version, patchlevel,
					sublevel);
		s->code = version << 16 | patchlevel << 8 |
			  (sublevel < 255 ? sublevel : 255);
	}
	free(text);
	free(path);
	return version ? 0 : CMD_USAGE;
}

/* ---- headers ------------------------------------------------------------------ */

static bool listed(const struct sched_list *list, const char *text)
{
	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(list->item[i], text))
			return true;
	return false;
}

static void add(struct sched_list *list, const char *text)
{
	if (sched_list_add(list, text))
		abort();
}

static bool is_owned(const char *name)
{
	for (size_t i = 0; i < COUNT(owned); i++)
		if (!strcmp(owned[i], name))
			return true;
	return false;
}

/* Not compiled by itself: it comes to whoever includes it. */
static bool is_header(const char *path)
{
	size_t n = strlen(path);

	return n > 2 && !strcmp(path + n - 2, ".h");
}

static bool in_model(const char *name)
{
	char *path = text_print("%s/model/linux/include/%s", locate_source(),
				name);
	bool yes = !access(path, R_OK);

	free(path);
	return yes;
}

/* Of a line: what it includes, else NULL. Cuts the line. */
static char *included(char *line)
{
	char *s = line + strspn(line, " \t"), *end;

	if (*s++ != '#')
		return NULL;
	s += strspn(s, " \t");
	if (strncmp(s, "include", 7))
		return NULL;
	s += 7 + strspn(s + 7, " \t");
	end = *s == '<'	  ? strchr(s, '>')
	      : *s == '"' ? strchr(s + 1, '"')
			  : NULL;
	if (!end)
		return NULL;
	*end = '\0';
	return s + 1;
}

static int read_file(struct stage *s, const char *path);

/* Where the tree has it; the architecture is this machine's. */
static char *place(const char *name)
{
	return text_print("%s/%s",
			  strncmp(name, "asm/", 4) ? "include" : ARCH_INCLUDE,
			  name);
}

static int read_header(struct stage *s, const char *name, const char *by,
		       unsigned int line)
{
	char *path;
	int status;

	if (in_model(name))
		return 0;
	if (!is_owned(name)) {
		err("%s:%u needs %s, which model/linux/ does not have", by,
		    line, name);
		return CMD_USAGE;
	}
	path = place(name);
	status = 0;
	if (!listed(&s->header, path)) {
		add(&s->header, path);
		status = read_file(s, path);
	}
	free(path);
	return status;
}

/*
 * Lines that only a configuration has: none is set but that of the files themselves,
 * which are not left out by it.
 */
struct conditions {
	unsigned int depth, off; /* off: at which depth it began; 0: not */
};

static bool left_out(struct conditions *c, const char *line)
{
	const char *s = line + strspn(line, " \t");

	if (*s++ != '#')
		return c->off;
	s += strspn(s, " \t");
	if (!strncmp(s, "if", 2)) {
		c->depth++;
		if (!c->off && !strncmp(s, "ifdef CONFIG_", 13))
			c->off = c->depth;
	} else if (!strncmp(s, "el", 2) && c->off == c->depth) {
		c->off = 0;
	} else if (!strncmp(s, "endif", 5)) {
		if (c->off == c->depth)
			c->off = 0;
		c->depth -= !!c->depth;
	}
	return c->off;
}

/* All that is missing is told, so the first does not end it. */
static int read_file(struct stage *s, const char *path)
{
	char *full = text_print("%s/%s", s->tree, path), *text = NULL, *name;
	FILE *f = fopen(full, "re");
	struct conditions conditions = { 0 };
	unsigned int line = 0;
	size_t room = 0;
	int status = 0;

	if (!f || getline(&text, &room, f) < 0) {
		err("cannot read %s: %s", full,
		    f && !ferror(f) ? "it is empty" : strerror(errno));
		status = CMD_USAGE;
	} else {
		do {
			line++;
			if (left_out(&conditions, text))
				continue;
			name = included(text);
			if (name && read_header(s, name, path, line))
				status = CMD_USAGE;
		} while (getline(&text, &room, f) > 0);
	}
	if (f)
		fclose(f);
	free(text);
	free(full);
	return status;
}

/*
 * "obj-$(CONFIG_RETHOOK) += rethook.o" in the Makefile beside it: the file is there
 * only in a kernel with that option, so the option is set.
 */
static void read_option(struct stage *s, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char *makefile = text_print("%s/%.*sMakefile", s->tree,
				    (int)(name - path), path);
	char *object = text_print(" %.*so", (int)strlen(name) - 1, name);
	char *line = NULL, *end;
	FILE *f = fopen(makefile, "re");
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0) {
		if (strncmp(line, "obj-$(CONFIG_", 13) || !strstr(line, object))
			continue;
		end = strchr(line, ')');
		if (!end)
			continue;
		*end = '\0';
		if (!listed(&s->option, line + 6))
			add(&s->option, line + 6);
	}
	if (f)
		fclose(f);
	free(line);
	free(object);
	free(makefile);
}

int stage_read(struct stage *s)
{
	int status = read_release(s);

	for (size_t i = 0; !status && i < s->file.nr; i++) {
		if (*s->file.item[i] == '/' || strstr(s->file.item[i], "..")) {
			err("%s: name the file as it is called in the tree, as "
			    "in kernel/events/uprobes.c",
			    s->file.item[i]);
			status = CMD_USAGE;
		}
	}
	for (size_t i = 0; !status && i < s->file.nr; i++) {
		read_option(s, s->file.item[i]);
		status = read_file(s, s->file.item[i]);
	}
	return status;
}

/* ---- copies --------------------------------------------------------------------- */

static void digest_list(struct digest *d, const char *tree,
			const struct sched_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		char *path = text_print("%s/%s", tree, list->item[i]);

		digest_string(d, list->item[i]);
		digest_file(d, path);
		free(path);
	}
}

/* Headers are looked for where some are. */
static void search(struct stage *s, const char *include)
{
	char *path = text_print("%s/%s", s->dir, include);

	if (!access(path, X_OK))
		add(&s->include, path);
	free(path);
}

int stage_write(struct stage *s)
{
	struct digest d;
	char *copy;

	digest_init(&d);
	digest_list(&d, s->tree, &s->file);
	digest_list(&d, s->tree, &s->header);
	s->dir = text_print("hosted-%s-%08x", s->release,
			    (unsigned int)(d.state >> 96));
	for (size_t i = 0; i < s->file.nr; i++) {
		copy = copy_into(s->dir, s->tree, s->file.item[i]);
		if (!copy)
			return CMD_BUG;
		if (!is_header(copy))
			add(&s->copy, copy);
		free(copy);
	}
	for (size_t i = 0; i < s->header.nr; i++) {
		copy = copy_into(s->dir, s->tree, s->header.item[i]);
		if (!copy)
			return CMD_BUG;
		free(copy);
	}
	search(s, "include");
	search(s, ARCH_INCLUDE);
	return 0;
}

void stage_free(struct stage *s)
{
	free(s->release);
	free(s->dir);
	sched_list_free(&s->file);
	sched_list_free(&s->header);
	sched_list_free(&s->option);
	sched_list_free(&s->copy);
	sched_list_free(&s->include);
}
