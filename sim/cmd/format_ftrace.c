// SPDX-License-Identifier: GPL-2.0-only
/*
 * format_ftrace.c - hits as the file `trace` of the kernel's tracefs has them.
 *
 * What only the kernel can know (interrupts off, preemption) is dots, and its
 * count of entries at the top is left out, as it is known at the end only.
 * Strings are as they are in memory, as there. The summary is a comment.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "format.h"

struct thread {
	char name[64];
	int cpu;
};

/* The CPU is the 39th field of the thread's stat, the name in parentheses. */
static void look_up(int tid, struct thread *t)
{
	char path[64], line[1024] = "", *name, *end, *field;
	FILE *f;
	int i;

	*t = (struct thread){ "<...>", 0 };
	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	f = fopen(path, "re");
	if (!f)
		return;
	name = fgets(line, sizeof(line), f) ? strchr(line, '(') : NULL;
	end = name ? strrchr(name, ')') : NULL;
	fclose(f);
	if (!end)
		return;
	*end = '\0';
	snprintf(t->name, sizeof(t->name), "%s", name + 1);
	field = end + 1;
	for (i = 2; field && i < 39; i++)
		field = strchr(field + 1, ' ');
	if (field)
		sscanf(field, "%d", &t->cpu);
}

static void header(struct writer *w)
{
	static const char *const lines[] = {
		"# tracer: nop", "#",
		"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION",
		"#              | |         |   |||||     |         |"
	};
	unsigned int i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		put(w, "%s", lines[i]);
		writer_end_line(w);
	}
}

/* An event's name is an identifier; of a place alone it is the kernel's. */
static void put_name(struct writer *w, const struct probe_place *p)
{
	const char *s, *base = format_base(p->path);

	if (!p->spec->event[0] && !p->spec->symbol[0]) {
		put(w, "p_%.*s_0x%lx", (int)strcspn(base, ".-_"), base,
		    p->offset);
		return;
	}
	for (s = p->name; *s; s++)
		put(w, "%c", isalnum((unsigned char)*s) ? *s : '_');
}

static void value(struct writer *w, enum fetch_type type, const struct value *v)
{
	if (v->kind == VALUE_FAULT)
		put(w, "(fault)");
	else if (v->kind == VALUE_TEXT)
		put(w, "\"%s\"", v->text);
	else if (type == FETCH_CHAR)
		put(w, "'%c'", (char)v->number);
	else
		format_number(w, type, v->number);
}

static void start_line(struct writer *w, const struct event *e)
{
	struct timespec now;
	struct thread t;

	look_up(e->hit->tid, &t);
	clock_gettime(CLOCK_MONOTONIC, &now);
	put(w, "%16s-%-7d [%03d] ..... %5ld.%06ld: ", t.name, e->hit->tid,
	    t.cpu, now.tv_sec, now.tv_nsec / 1000);
}

/* As with the option userstacktrace: addresses only. */
static void stack(struct writer *w, const struct event *e)
{
	unsigned int i;

	if (!e->nr_frames)
		return;
	start_line(w, e);
	put(w, "<user stack trace>");
	writer_end_line(w);
	for (i = 0; i < e->nr_frames; i++) {
		put(w, " =>  <%016lx>", e->frame[i].ip);
		writer_end_line(w);
	}
}

static void hit(struct writer *w, const struct event *e)
{
	const struct spec *s = e->place->spec;
	static struct value v;
	unsigned int i;

	start_line(w, e);
	put_name(w, e->place);
	if (s->ret)
		put(w, ": (0x%lx <- 0x%lx)", e->hit->regs->ip, e->hit->addr);
	else
		put(w, ": (0x%lx)", e->hit->addr);
	for (i = 0; i < s->nr_args; i++) {
		value_fetch(&s->arg[i], e->hit, &v);
		put(w, " %s=", s->arg[i].name);
		value(w, s->arg[i].type, &v);
	}
	writer_end_line(w);
	stack(w, e);
}

/* The table is for people: it goes with -c, where there are no lines of hits. */
static void summary(struct writer *w, const struct probe_set *set,
		    const struct totals *t, bool table)
{
	if (!table)
		put(w, "# ");
	format_text.summary(w, set, t, table);
}

const struct format format_ftrace = { header, hit, summary };
