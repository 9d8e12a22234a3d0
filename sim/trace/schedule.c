// SPDX-License-Identifier: GPL-2.0-only
/*
 * schedule.c - the schedule itself: made, written in one canonical form, freed,
 * and read from a file. The grammar is in parse.c.
 */
#include "schedule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Room for one more element; sizes grow by doubling at powers of two. */
static void *grow(void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	return reallocarray(array, nr ? nr * 2 : 1, size);
}

int sched_list_add(struct sched_list *list, const char *text)
{
	char **item = grow(list->item, list->nr, sizeof(*item));

	if (!item)
		return -ENOMEM;
	list->item = item;
	item[list->nr] = strdup(text);
	if (!item[list->nr])
		return -ENOMEM;
	list->nr++;
	return 0;
}

struct sched_run *sched_add_run(struct sched *s, const char *thread,
				enum sched_point point, const char *word,
				const char *object, unsigned int count)
{
	struct sched_run *run = grow(s->run, s->nr_runs, sizeof(*run));

	if (!run)
		return NULL;
	s->run = run;
	run += s->nr_runs;
	*run = (struct sched_run){
		.thread = strdup(thread),
		.point = point,
		.word = word ? strdup(word) : NULL,
		.object = object ? strdup(object) : NULL,
		.count = count,
	};
	s->nr_runs++; /* freed with the rest even if a copy failed */
	if (!run->thread || (word && !run->word) || (object && !run->object))
		return NULL;
	return run;
}

struct sched_choice *sched_add_choice(struct sched *s, const char *thread,
				      const char *what, unsigned int count,
				      unsigned int value)
{
	struct sched_choice *c = grow(s->choice, s->nr_choices, sizeof(*c));

	if (!c)
		return NULL;
	s->choice = c;
	c += s->nr_choices++;
	*c = (struct sched_choice){ .thread = strdup(thread),
				    .what = strdup(what),
				    .count = count,
				    .value = value };
	return c->thread && c->what ? c : NULL;
}

struct sched_read *sched_add_read(struct sched *s, const char *object,
				  unsigned int count, const char *thread,
				  unsigned int write)
{
	struct sched_read *r = grow(s->read, s->nr_reads, sizeof(*r));

	if (!r)
		return NULL;
	s->read = r;
	r += s->nr_reads++;
	*r = (struct sched_read){ .object = strdup(object),
				  .count = count,
				  .thread = thread ? strdup(thread) : NULL,
				  .write = write };
	return r->object && !r->thread == !thread ? r : NULL;
}

struct sched_order *sched_add_order(struct sched *s, const char *object,
				    const char *first, unsigned int first_write,
				    const char *second,
				    unsigned int second_write)
{
	struct sched_order *o = grow(s->order, s->nr_orders, sizeof(*o));

	if (!o)
		return NULL;
	s->order = o;
	o += s->nr_orders++;
	*o = (struct sched_order){ .object = strdup(object),
				   .thread = { strdup(first), strdup(second) },
				   .write = { first_write, second_write } };
	return o->object && o->thread[0] && o->thread[1] ? o : NULL;
}

void sched_list_free(struct sched_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->item[i]);
	free(list->item);
}

void sched_drop_run(struct sched_run *run)
{
	free(run->thread);
	free(run->word);
	free(run->object);
}

void sched_drop_choice(struct sched_choice *choice)
{
	free(choice->thread);
	free(choice->what);
}

void sched_drop_read(struct sched_read *read)
{
	free(read->object);
	free(read->thread);
}

void sched_drop_order(struct sched_order *order)
{
	free(order->object);
	free(order->thread[0]);
	free(order->thread[1]);
}

void sched_free(struct sched *s)
{
	free(s->scenario);
	free(s->memory);
	free(s->unfix);
	free(s->variant);
	free(s->expect);
	free(s->steps);
	sched_list_free(&s->define);
	sched_list_free(&s->source);
	sched_list_free(&s->include);
	for (size_t i = 0; i < s->nr_runs; i++)
		sched_drop_run(&s->run[i]);
	free(s->run);
	for (size_t i = 0; i < s->nr_choices; i++)
		sched_drop_choice(&s->choice[i]);
	free(s->choice);
	for (size_t i = 0; i < s->nr_reads; i++)
		sched_drop_read(&s->read[i]);
	free(s->read);
	for (size_t i = 0; i < s->nr_orders; i++)
		sched_drop_order(&s->order[i]);
	free(s->order);
	memset(s, 0, sizeof(*s));
}

static void write_run(FILE *to, const struct sched_run *run)
{
	fprintf(to, "run %s until ", run->thread);
	switch (run->point) {
	case SCHED_END:
		fputs("end", to);
		break;
	case SCHED_BLOCKED:
		fputs("blocked", to);
		break;
	case SCHED_EVENT:
		fputs(run->word, to);
		if (run->object)
			fprintf(to, " %s", run->object);
		if (run->count)
			fprintf(to, " #%u", run->count);
		break;
	}
	fputc('\n', to);
}

const char *sched_choice_word(const char *what)
{
	static const char *const words[][2] = { { "choose", "" },
						{ "alloc", "fail" },
						{ "wakeup", "early" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(what, words[i][0]))
			return words[i][1];
	return NULL;
}

static void write_choice(FILE *to, const struct sched_choice *c)
{
	const char *word = sched_choice_word(c->what);

	fprintf(to, "choose %s %s#%u ", c->thread, c->what, c->count);
	if (*word)
		fprintf(to, "%s\n", word);
	else
		fprintf(to, "%u\n", c->value);
}

static void write_read(FILE *to, const struct sched_read *r)
{
	fprintf(to, "read %s#%u from ", r->object, r->count);
	if (r->thread)
		fprintf(to, "%s#%u\n", r->thread, r->write);
	else
		fputs("init\n", to);
}

static void write_order(FILE *to, const struct sched_order *o)
{
	fprintf(to, "order %s %s#%u before %s#%u\n", o->object, o->thread[0],
		o->write[0], o->thread[1], o->write[1]);
}

void sched_write(FILE *to, const struct sched *s)
{
	fprintf(to, "trapline %d schedule\n", SCHED_MAJOR);
	fprintf(to, "scenario: %s\n", s->scenario);
	for (size_t i = 0; i < s->source.nr; i++)
		fprintf(to, "source: %s\n", s->source.item[i]);
	for (size_t i = 0; i < s->include.nr; i++)
		fprintf(to, "include: %s\n", s->include.item[i]);
	for (size_t i = 0; i < s->define.nr; i++)
		fprintf(to, "define: %s\n", s->define.item[i]);
	fprintf(to, "memory: %s\n", s->memory);
	if (s->unfix)
		fprintf(to, "unfix: %s\n", s->unfix);
	if (s->variant)
		fprintf(to, "variant: %s\n", s->variant);
	if (s->expect)
		fprintf(to, "expect: %s\n", s->expect);
	if (s->steps)
		fprintf(to, "steps: %s\n", s->steps);
	fputs("--\n", to);
	for (size_t i = 0; i < s->nr_choices; i++)
		write_choice(to, &s->choice[i]);
	for (size_t i = 0; i < s->nr_reads; i++)
		write_read(to, &s->read[i]);
	for (size_t i = 0; i < s->nr_orders; i++)
		write_order(to, &s->order[i]);
	for (size_t i = 0; i < s->nr_runs; i++)
		write_run(to, &s->run[i]);
}

static int read_failed(struct sched_error *err, int code)
{
	err->line = err->column = 0;
	snprintf(err->text, sizeof(err->text), "%s", strerror(code));
	return -code;
}

int sched_read(const char *path, struct sched *out, struct sched_error *err)
{
	struct stat st;
	FILE *f;
	char *text;
	size_t len;
	int ret;

	memset(out, 0, sizeof(*out));
	/* a pipe would be waited for */
	if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		read_failed(err, EINVAL);
		snprintf(err->text, sizeof(err->text), "not a file");
		return -EINVAL;
	}
	f = fopen(path, "re");
	if (!f)
		return read_failed(err, errno);
	/* One byte more than the limit, so that the parser sees the excess. */
	text = malloc(SCHED_MAX_BYTES + 1);
	if (!text) {
		fclose(f);
		return read_failed(err, ENOMEM);
	}
	errno = 0;
	len = fread(text, 1, SCHED_MAX_BYTES + 1, f);
	if (ferror(f))
		ret = read_failed(err, errno ? errno : EIO);
	else
		ret = sched_parse(text, len, out, err);
	free(text);
	fclose(f);
	return ret;
}

void sched_drop_body(struct sched *s)
{
	struct sched body = { 0 };

	sched_move_body(s, &body);
}

void sched_move_body(struct sched *to, struct sched *from)
{
	struct sched old = { .run = to->run,
			     .nr_runs = to->nr_runs,
			     .choice = to->choice,
			     .nr_choices = to->nr_choices,
			     .read = to->read,
			     .nr_reads = to->nr_reads,
			     .order = to->order,
			     .nr_orders = to->nr_orders };
	struct sched header = *to;

	*to = *from;
	to->scenario = header.scenario;
	to->memory = header.memory;
	to->unfix = header.unfix;
	to->variant = header.variant;
	to->expect = header.expect;
	to->steps = header.steps;
	to->define = header.define;
	to->source = header.source;
	to->include = header.include;
	*from = (struct sched){ 0 };
	sched_free(&old);
}
