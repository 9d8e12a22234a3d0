// SPDX-License-Identifier: GPL-2.0-only
/*
 * output.c - hands hits and the summary to the format that was chosen.
 */
#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format.h"

struct output {
	const struct format *format;
	struct writer *writer;
	double start;
	bool header;
	unsigned int stack;
	struct live_frame frame[STACK_MAX];
};

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

const char *format_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

struct output *output_open(const char *path, enum output_format format,
			   unsigned int stack)
{
	static const struct format *const formats[] = {
		[OUTPUT_TEXT] = &format_text,
		[OUTPUT_JSONL] = &format_jsonl,
		[OUTPUT_FTRACE] = &format_ftrace,
	};
	struct output *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->format = formats[format];
	o->writer = writer_open(path);
	o->stack = stack;
	o->start = now_us();
	if (o->writer)
		return o;
	free(o);
	return NULL;
}

void output_hit(struct output *o, const struct probe_place *p, const char *how,
		const struct live_hit *hit)
{
	struct event e = { p, hit, how, now_us() - o->start, o->frame, 0 };

	if (o->stack)
		e.nr_frames = live_hit_stack(hit, o->frame, o->stack);
	if (!o->header && o->format->header)
		o->format->header(o->writer);
	o->header = true;
	o->format->hit(o->writer, &e);
}

void output_summary(struct output *o, const struct probe_set *set, bool table)
{
	struct totals t = { 0 };
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		const struct live_probe *p = &set->probe[i];

		*(p->ret ? &t.returns : &t.hits) += p->hits;
		t.missed += p->lost;
		t.too_deep += p->too_deep;
		t.unwound += p->unwound;
	}
	o->format->summary(o->writer, set, &t, table);
}

int output_close(struct output *o)
{
	int err = writer_close(o->writer);

	free(o);
	return err;
}
