// SPDX-License-Identifier: GPL-2.0-only
/*
 * sharing.c - see sharing.h.
 *
 * A record is put together in memory and written at the end: a shard that was
 * interrupted leaves none.
 */
#include "sharing.h"

#include "shard_file.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sharing {
	const struct options *options;
	char *path, *text;
	size_t len;
};

/* All that changes what a search sees; no limit of time, no way to print. */
static char *text_of_options(const struct explore_options *s,
			     const char *variant)
{
	static const char *const races[] = { [RACES_REPORT] = "report",
					     [RACES_FAIL] = "fail",
					     [RACES_OFF] = "off" };
	char *text;

	text = text_print(
		"memory=%s deps=%s races=%s leaks=%d alloc-failures=%u "
		"early-wakeups=%u budget=%" PRIu64 " variant=%s",
		report_memory(s->memory), report_deps(s->deps), races[s->races],
		s->leaks, s->alloc_failures, s->early_wakeups,
		s->max_executions, variant ? variant : "none");
	return text;
}

static bool complain(char *sentence)
{
	if (sentence)
		fprintf(stderr, "trapline: %s\n", sentence);
	free(sentence);
	return sentence;
}

static bool read_all(struct options *o, const struct shard_of *of)
{
	struct shard_records *r = shard_records_new();

	for (size_t i = 0; i < o->nr_merge; i++)
		if (complain(shard_records_add(r, o->merge[i], of)))
			return false;
	if (complain(shard_records_missing(r)))
		return false;
	o->search.records = r;
	return true;
}

struct sharing *sharing_begin(struct options *o, const char *name,
			      const char *variant)
{
	struct explore_options *x = &o->search;
	struct sharing *s = need(calloc(1, sizeof(*s)));
	struct shard_of of;
	int err = shard_of_this(&of, text_of_options(x, variant));

	s->options = o;
	if (err) {
		fprintf(stderr, "trapline: cannot read /proc/self/exe: %s\n",
			strerror(-err));
		return NULL;
	}
	if (o->nr_merge)
		return read_all(o, &of) ? s : NULL;
	if (o->shard_out)
		s->path = need(strdup(o->shard_out));
	else
		s->path = text_print("%s.%uof%u.shard", name, x->shard,
				     x->shards);
	x->record = need(open_memstream(&s->text, &s->len));
	shard_file_begin(x->record, &of, x->shard, x->shards);
	return s;
}

static bool write_record(struct sharing *s, bool finished)
{
	FILE *to = fopen(s->path, "we");

	fclose(s->options->search.record);
	if (to)
		shard_file_close(to, s->text, s->len, finished);
	if (to && !fclose(to))
		return true;
	fprintf(stderr, "trapline: cannot write the record %s: %s\n", s->path,
		strerror(errno));
	return false;
}

static void say(struct sharing *s, FILE *to, const struct report *how,
		const struct explore_result *r)
{
	const struct explore_options *x = &s->options->search;

	fprintf(to, "SHARD  %s: %u of %u ", how->name, x->shard, x->shards);
	switch (r->verdict) {
	case EXPLORE_VIOLATED:
		fprintf(to, "comes to a violation, %s: %s\n",
			report_kind(r->finding), r->message);
		break;
	case EXPLORE_REFUSED:
		fprintf(to, "comes to what is refused: %s\n", r->message);
		break;
	case EXPLORE_UNDECIDED:
		fputs("was stopped: budget spent\n", to);
		break;
	case EXPLORE_HOLDS:
		fputs("is searched, nothing found\n", to);
	}
	fputs("      (what holds in all executions, or is found first, "
	      "--merge tells)\n",
	      to);
	fprintf(to, "record:   %s\n", s->path);
	fprintf(to, "time:     %.2f s\n", r->seconds);
}

/* A shard decides nothing but that there is a violation. */
static void say_json(struct sharing *s, FILE *to, const struct report *how,
		     const struct explore_result *r)
{
	const struct explore_options *x = &s->options->search;
	bool found = r->finding != FIND_NONE;

	fprintf(to, "{\"schema\":\"trapline/1\",\"name\":");
	report_json_string(to, how->name);
	fprintf(to, ",\"verdict\":\"%s\"",
		r->verdict == EXPLORE_VIOLATED ? "violated" : "undecided");
	if (found) {
		fprintf(to, ",\"finding\":\"%s\",\"message\":",
			report_kind(r->finding));
		report_json_string(to, r->message);
	}
	fprintf(to, ",\"shard\":%u,\"shards\":%u,\"finished\":%s,\"record\":",
		x->shard, x->shards,
		r->verdict == EXPLORE_UNDECIDED ? "false" : "true");
	report_json_string(to, s->path);
	fprintf(to, ",\"memory\":\"%s\",\"seconds\":%.3f}\n",
		report_memory(how->memory), r->seconds);
}

bool sharing_end(struct sharing *s, FILE *to, const struct report *how,
		 const struct explore_result *r)
{
	const struct explore_options *x = &s->options->search;
	bool enough = x->max_executions && r->executions >= x->max_executions;

	if (!write_record(s, r->verdict != EXPLORE_UNDECIDED || enough))
		return false;
	if (s->options->json)
		say_json(s, to, how, r);
	else
		say(s, to, how, r);
	fflush(to);
	return true;
}
