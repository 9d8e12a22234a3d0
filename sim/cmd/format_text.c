// SPDX-License-Identifier: GPL-2.0-only
/*
 * format_text.c - hits and the summary for people.
 */
#include "arch.h"
#include "format.h"

static void value(struct writer *w, enum fetch_type type, const struct value *v)
{
	if (v->kind == VALUE_FAULT) {
		put(w, "(fault)");
	} else if (v->kind == VALUE_TEXT) {
		put(w, "\"");
		put_escaped_string(w, v->text);
		put(w, v->cut ? "\"..." : "\"");
	} else if (type == FETCH_CHAR) {
		put(w, "'");
		put_escaped_char(w, v->number);
		put(w, "'");
	} else {
		format_number(w, type, v->number);
	}
}

void format_number(struct writer *w, enum fetch_type type, unsigned long number)
{
	if (type >= FETCH_X8 && type <= FETCH_X64)
		put(w, "0x%lx", number);
	else if (type >= FETCH_S8 && type <= FETCH_S64)
		put(w, "%ld", (long)number);
	else
		put(w, "%lu", number);
}

static void header(struct writer *w)
{
	put(w, "    TID   TIME(us)  EVENT");
	writer_end_line(w);
}

static void stack(struct writer *w, const struct event *e)
{
	const struct live_frame *f;
	unsigned int i;

	for (i = 0; i < e->nr_frames; i++) {
		f = &e->frame[i];
		put(w, "%16s#%-2u 0x%lx", "", i, f->ip);
		if (f->symbol && f->offset)
			put(w, " %s+0x%lx", f->symbol, f->offset);
		else if (f->symbol)
			put(w, " %s", f->symbol);
		if (f->symbol)
			put(w, " (%s)", format_base(f->file));
		else if (f->file)
			put(w, " %s+0x%lx", format_base(f->file), f->offset);
		writer_end_line(w);
	}
}

static void hit(struct writer *w, const struct event *e)
{
	const struct probe_place *p = e->place;
	static struct value v;
	unsigned int i;

	put(w, "%7d %10.1f  %-16s", e->hit->tid, e->time_us, p->name);
	if (!p->spec->ret)
		put(w, " (%s+0x%lx) %s", format_base(p->path), p->offset,
		    e->how);
	else
		put(w, " <- 0x%lx ", e->hit->regs->ip);
	if (p->spec->ret && !p->spec->nr_args)
		put(w, " ret=0x%lx", arch_native->get_retval(e->hit->regs));
	for (i = 0; i < p->spec->nr_args; i++) {
		value_fetch(&p->spec->arg[i], e->hit, &v);
		put(w, " %s=", p->spec->arg[i].name);
		value(w, p->spec->arg[i].type, &v);
	}
	writer_end_line(w);
	stack(w, e);
}

/* Of a pattern's many functions those that nobody entered are left out. */
static void table(struct writer *w, const struct probe_set *set)
{
	unsigned int i, silent = 0;

	put(w, "      HITS     MISSED  HOW         PROBE");
	writer_end_line(w);
	for (i = 0; i < set->nr; i++) {
		const struct probe_place *place = &set->place[i];
		const struct live_probe *p = &set->probe[i];

		if (place->matched && !p->hits && !p->lost) {
			silent++;
			continue;
		}
		put(w, "%10lu %10lu  %-10s  %c:%s:%s", p->hits, p->lost,
		    probe_how(set, place), p->ret ? 'r' : 'p',
		    format_base(place->path), place->name);
		writer_end_line(w);
	}
	if (!silent)
		return;
	put(w, "%u more probes were never hit", silent);
	writer_end_line(w);
}

static void why_missed(struct writer *w, const struct totals *t)
{
	const char *sep = ":";
	const struct {
		unsigned long n;
		const char *what;
	} why[] = {
		{ t->too_deep, "were nested too deep" },
		{ t->unwound, "were left by an unwinder" },
		{ t->missed - t->too_deep - t->unwound, "did not return" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(why) / sizeof(*why); i++) {
		if (!why[i].n)
			continue;
		put(w, "%s %lu %s", sep, why[i].n, why[i].what);
		sep = ",";
	}
}

static void summary(struct writer *w, const struct probe_set *set,
		    const struct totals *t, bool with_table)
{
	if (with_table)
		table(w, set);
	put(w, "%lu hits (%lu entry, %lu return), %lu missed",
	    t->hits + t->returns, t->hits, t->returns, t->missed);
	why_missed(w, t);
	writer_end_line(w);
}

const struct format format_text = { header, hit, summary };
