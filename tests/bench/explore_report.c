// SPDX-License-Identifier: GPL-2.0-only
/*
 * explore_report.c - the table of `bench explore`, or one JSON object.
 */
#include "explore.h"

#include <jansson.h>
#include <stdio.h>

#include "host.h"

static double rate(const struct search *s)
{
	return s->executions / s->seconds;
}

static double ns(const struct search *s)
{
	return s->seconds * 1e9 / s->events;
}

/* An operation beside the least that it is made of. */
static double times_bare(const struct bench *b, const struct search *s)
{
	return ns(s) / (b->switch_ns + b->callback_ns);
}

static void put_row(const struct bench *b, const struct program *p,
		    enum model m)
{
	const struct search *s = &p->by[m];
	double published = p->known[m].rate, times = rate(s) / published;

	printf("%-17s %-4s %10llu %7llu %10.0f %10.0f %6.0f %6.1f %6.1f %5.1f",
	       m ? "" : p->title, model_names[m], s->executions, s->blocked,
	       rate(s), s->events / s->seconds, ns(s), times_bare(b, s),
	       s->wall * 1e3, s->kib / 1024.0);
	if (published)
		printf(" %9.0f %6.1f %4.0f%s", published, times, reach(m),
		       times >= reach(m) ? "" : " MISSED");
	else
		printf(" %9s", "not run");
	puts(s->kib < REACH_KIB ? "" : " MEMORY");
}

void explore_report_text(const struct bench *b)
{
	printf("%u rounds, least times; all on core %d of %s, Linux %s\n\n",
	       b->rounds, b->core, host_processor(), host_kernel());
	printf("bare: a fibre switch %.1f ns, a callback %.1f ns\n\n",
	       b->switch_ns, b->callback_ns);
	printf("%-17s %-4s %10s %7s %10s %10s %6s %6s %6s %5s %9s %6s %s\n", "",
	       "", "executions", "blocked", "exec/s", "events/s", "ns", "bare",
	       "wall", "MiB", "published", "times", "to reach");
	for (unsigned int i = 0; i < b->nr; i++)
		for (int m = 0; m < NR_MODELS; m++)
			put_row(b, &b->program[i], m);
	printf("\nexec/s, events/s: of the search. ns: of an event, that is, "
	       "one "
	       "operation of one thread, in\nwhichever run; bare: as many "
	       "times "
	       "a switch and a callback. wall: ms of the whole command,\n"
	       "compiled before. published: GenMC's exec/s on another machine, "
	       "start included. Memory: under\n%d MiB.\n",
	       REACH_KIB >> 10);
}

static json_t *search_json(const struct bench *b, const struct program *p,
			   enum model m)
{
	const struct search *s = &p->by[m];
	json_t *o = json_pack(
		"{s:s,s:s,s:I,s:I,s:I,s:f,s:f,s:f,s:f,s:I}", "program",
		p->title, "memory", model_names[m], "executions",
		(json_int_t)s->executions, "blocked", (json_int_t)s->blocked,
		"events", (json_int_t)s->events, "seconds", s->seconds,
		"event_ns", ns(s), "event_bare", times_bare(b, s),
		"wall_seconds", s->wall, "peak_kib", (json_int_t)s->kib);

	if (p->known[m].rate)
		json_object_update_new(o, json_pack("{s:f,s:f,s:f}",
						    "published_rate",
						    p->known[m].rate, "times",
						    rate(s) / p->known[m].rate,
						    "to_reach", reach(m)));
	return o;
}

void explore_report_json(const struct bench *b)
{
	json_t *all = json_pack("{s:s,s:s,s:i,s:i,s:f,s:f,s:[]}", "processor",
				host_processor(), "kernel", host_kernel(),
				"core", b->core, "rounds", (int)b->rounds,
				"switch_ns", b->switch_ns, "callback_ns",
				b->callback_ns, "rows");

	for (unsigned int i = 0; i < b->nr; i++)
		for (int m = 0; m < NR_MODELS; m++)
			json_array_append_new(
				json_object_get(all, "rows"),
				search_json(b, &b->program[i], m));
	json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(8));
	putchar('\n');
	json_decref(all);
}
