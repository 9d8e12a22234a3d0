// SPDX-License-Identifier: GPL-2.0-only
/*
 * format_jsonl.c - hits and the summary as JSON, one object a line.
 */
#include "arch.h"
#include "format.h"

/* Readers of JSON have doubles: beyond 53 bits a number is a string. */
static void value(struct writer *w, enum fetch_type type, const struct value *v)
{
	bool is_signed = type >= FETCH_S8 && type <= FETCH_S64;
	bool negative = is_signed && (long)v->number < 0;
	char one[] = { v->number, '\0' };

	if (v->kind == VALUE_FAULT) {
		put(w, "null");
	} else if (v->kind == VALUE_TEXT) {
		put_json_string(w, v->text);
	} else if (type == FETCH_CHAR) {
		if (*one)
			put_json_string(w, one);
		else
			put(w, "\"\\u0000\"");
	} else if ((negative ? -v->number : v->number) >> 53) {
		put(w, "\"");
		format_number(w, type, v->number);
		put(w, "\"");
	} else {
		put(w, is_signed ? "%ld" : "%lu", v->number);
	}
}

static void stack(struct writer *w, const struct event *e)
{
	const struct live_frame *f;
	unsigned int i;

	for (i = 0; i < e->nr_frames; i++) {
		f = &e->frame[i];
		put(w, "%s{\"address\":\"0x%lx\"", i ? "," : ",\"stack\":[",
		    f->ip);
		if (f->symbol) {
			put(w, ",\"symbol\":");
			put_json_string(w, f->symbol);
		}
		if (f->file) {
			put(w, ",\"offset\":\"0x%lx\",\"file\":", f->offset);
			put_json_string(w, f->file);
		}
		put(w, "}");
	}
	if (i)
		put(w, "]");
}

static void hit(struct writer *w, const struct event *e)
{
	const struct probe_place *p = e->place;
	static struct value v;
	unsigned int i;

	put(w, "{\"type\":\"%s\",\"probe\":", p->spec->ret ? "return" : "hit");
	put_json_string(w, p->name);
	put(w, ",\"tid\":%d,\"time_us\":%.1f,\"address\":\"0x%lx\"",
	    e->hit->tid, e->time_us, e->hit->addr);
	if (p->spec->ret)
		put(w, ",\"ret\":\"0x%lx\"",
		    arch_native->get_retval(e->hit->regs));
	else
		put(w, ",\"how\":\"%s\"", e->how);
	for (i = 0; i < p->spec->nr_args; i++) {
		value_fetch(&p->spec->arg[i], e->hit, &v);
		put(w, "%s\"%s\":", i ? "," : ",\"args\":{",
		    p->spec->arg[i].name);
		value(w, p->spec->arg[i].type, &v);
	}
	if (i)
		put(w, "}");
	stack(w, e);
	put(w, "}");
	writer_end_line(w);
}

/* What was entered and has not returned, and why not. */
static void missed(struct writer *w, unsigned long all, unsigned long too_deep,
		   unsigned long unwound)
{
	put(w, ",\"missed\":%lu", all);
	if (all)
		put(w,
		    ",\"why_missed\":{\"too_deep\":%lu,\"unwound\":%lu,"
		    "\"left\":%lu}",
		    too_deep, unwound, all - too_deep - unwound);
}

static void probe(struct writer *w, const struct probe_place *place,
		  const struct live_probe *probe, const char *how)
{
	put(w, "{\"probe\":");
	put_json_string(w, place->name);
	put(w, ",\"file\":");
	put_json_string(w, place->path);
	put(w, ",\"offset\":\"0x%lx\",\"how\":\"%s\",\"%s\":%lu", place->offset,
	    how, probe->ret ? "returns" : "hits", probe->hits);
	missed(w, probe->lost, probe->too_deep, probe->unwound);
	put(w, "}");
}

static void summary(struct writer *w, const struct probe_set *set,
		    const struct totals *t, bool table)
{
	unsigned int i;

	put(w, "{\"type\":\"summary\",\"hits\":%lu,\"returns\":%lu", t->hits,
	    t->returns);
	missed(w, t->missed, t->too_deep, t->unwound);
	put(w, ",\"probes\":[");
	for (i = 0; i < set->nr; i++) {
		if (i)
			put(w, ",");
		probe(w, &set->place[i], &set->probe[i],
		      probe_how(set, &set->place[i]));
	}
	put(w, "]}");
	writer_end_line(w);
}

const struct format format_jsonl = { NULL, hit, summary };
