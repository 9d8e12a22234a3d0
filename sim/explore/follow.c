// SPDX-License-Identifier: GPL-2.0-only
/*
 * follow.c - run once as a schedule says.
 *
 * A choice of data goes as the line that names it says, else it is 0.
 *
 * A line lets its thread move until the thread is just about to perform the
 * line's point. What makes a line fail is said at once: the thread ended, is
 * blocked, or is past the event that was counted.
 */
#include "follow.h"

#include "names.h"
#include "report.h"
#include "schedule.h"
#include "steps.h"
#include "text.h"
#include "told.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct follow {
	const struct sched *sched;
	const char *path;
	size_t at;	    /* current line */
	unsigned int *done; /* per line: times its point was performed */
	/* Per thread: operations performed, and how many when it was last
	 * stopped at an event; equal: it has not moved since. */
	unsigned long *moved, *stopped;
	int threads;
	bool *made; /* per choice: has its thread come to it? */
	struct told told;
	bool goes_on;	     /* others choose after the last line */
	bool counts, strict; /* operations, into steps; compare them */
	struct steps steps;
	char *error;
};

static int find_op(const char *word)
{
	for (int i = 0; i < EXPLORE_NR_OPS; i++) {
		if (!strcmp(explore_op_name(i), word))
			return i;
	}
	return -1;
}

/* object is `name`, or an object without a field that `name` is in. */
static bool names_match(const char *object, const char *name)
{
	size_t n = strlen(object);

	if (strncmp(object, name, n))
		return false;
	return !name[n] || (!strpbrk(object, ".[+") && strchr(".[+", name[n]));
}

/* FILE:LINE; of the file's path the last part will do. */
static bool at_line(const char *word, const struct explore_step *p)
{
	int line, n = strrchr(word, ':') - word;
	const char *file = p->pc ? names_place(p->pc, &line) : NULL;
	int more = file ? (int)strlen(file) - n : -1;

	return more >= 0 && line == atoi(word + n + 1) &&
	       !strncmp(file + more, word, n) &&
	       (!more || file[more - 1] == '/');
}

static bool at_event(const struct sched_run *run, const struct explore_step *p)
{
	int op = find_op(run->word);
	const char *name;

	if (op < 0 && strchr(run->word, ':'))
		return at_line(run->word, p);
	if (op < 0)
		return p->op == OP_CALL && (name = names_operand(p)) &&
		       !strcmp(name, run->word);
	if (p->op != (enum explore_op)op)
		return false;
	if (!run->object)
		return true;
	name = names_operand(p);
	return name && names_match(run->object, name);
}

static char *describe_point(const struct sched_run *run)
{
	char count[16] = "", *text;

	if (run->point == SCHED_END)
		return strdup("its end");
	if (run->point == SCHED_BLOCKED)
		return strdup("being blocked");
	if (run->count)
		snprintf(count, sizeof(count), " #%u", run->count);
	text = text_print("'%s%s%s%s'", run->word, run->object ? " " : "",
			  run->object ? run->object : "", count);
	return text;
}

/* The error "FILE:LINE: ..."; ends the run. */
__attribute__((format(printf, 3, 4))) static int diverge(struct follow *f,
							 unsigned int line,
							 const char *fmt, ...)
{
	char *what;
	va_list ap;

	va_start(ap, fmt);
	what = text_vprint(fmt, ap);
	va_end(ap);
	f->error = text_print("%s:%u: %s", f->path, line, what);
	free(what);
	return -1;
}

static int diverge_at(struct follow *f, const struct sched_run *run,
		      const struct explore_step *p, const char *how)
{
	const char *operand = names_operand(p);
	char *point = describe_point(run);
	int ret;

	if (p->op == OP_END)
		ret = diverge(f, run->line, "%s ended without coming to %s",
			      run->thread, point);
	else
		ret = diverge(f, run->line,
			      "%s did not come to %s: %s '%s%s%s'", run->thread,
			      point, how, explore_op_name(p->op),
			      operand ? " " : "", operand ? operand : "");
	free(point);
	return ret;
}

static int find_thread(const char *name, int n)
{
	for (int i = 0; i < n; i++) {
		if (!strcmp(explore_thread_name(i), name))
			return i;
	}
	return -1;
}

static int no_thread(struct follow *f, const struct sched_run *run, int n)
{
	char *list = NULL;
	size_t len;
	FILE *to = open_memstream(&list, &len);
	int ret;

	if (!to)
		abort();
	for (int i = 0; i < n; i++)
		fprintf(to, "%s%s", i ? ", " : "", explore_thread_name(i));
	fclose(to);
	ret = diverge(f, run->line, "no thread '%s' now; there are: %s",
		      run->thread, list);
	free(list);
	return ret;
}

static bool reached(struct follow *f, const struct sched_run *run, int t,
		    const struct explore_step *p)
{
	switch (run->point) {
	case SCHED_END:
		return p->op == OP_END;
	case SCHED_BLOCKED:
		return p->blocked && p->op != OP_END;
	case SCHED_EVENT:
		break;
	}
	if (!at_event(run, p))
		return false;
	if (run->count)
		return f->done[f->at] + 1 == run->count;
	/* An event that an earlier line stopped at is not the next one. */
	return f->stopped[t] != f->moved[t] + 1;
}

/* Not the run that the schedule was written of: `how` comes before "when ...". */
static int diverge_from_steps(struct follow *f, const struct explore_step *p,
			      const char *how)
{
	const char *operand = names_operand(p), *file = NULL;
	size_t i = f->at < f->sched->nr_runs ? f->at : f->at - 1;
	char place[300] = "";
	int line;

	if (p->pc)
		file = names_place(p->pc, &line);
	if (file)
		snprintf(place, sizeof(place), " at %s:%d", names_path(file),
			 line);
	return diverge(f, f->sched->nr_runs ? f->sched->run[i].line : 0,
		       "strict: %s is about to do '%s%s%s'%s, %s when the "
		       "schedule was written",
		       explore_thread_name(p->thread), explore_op_name(p->op),
		       operand ? " " : "", operand ? operand : "", place, how);
}

/* Thread t moves. */
static int move(struct follow *f, int t, const struct explore_step *p)
{
	if (!f->counts || steps_perform(&f->steps, p))
		return t;
	return diverge_from_steps(f, p, "which did not come here");
}

/* Thread t is going to perform p: count it for every line that counts. */
static int perform(struct follow *f, int t, const struct explore_step *p)
{
	const char *name = explore_thread_name(t);

	for (size_t i = f->at; i < f->sched->nr_runs; i++) {
		const struct sched_run *run = &f->sched->run[i];

		if (run->count && !strcmp(run->thread, name) &&
		    at_event(run, p))
			f->done[i]++;
	}
	f->moved[t]++;
	return move(f, t, p);
}

static void see_threads(struct follow *f, int n)
{
	if (n <= f->threads)
		return;
	f->moved = reallocarray(f->moved, n, sizeof(*f->moved));
	f->stopped = reallocarray(f->stopped, n, sizeof(*f->stopped));
	if (!f->moved || !f->stopped)
		abort();
	for (; f->threads < n; f->threads++)
		f->moved[f->threads] = f->stopped[f->threads] = 0;
}

static int pick(void *arg, const struct explore_step *pending, int n)
{
	struct follow *f = arg;

	see_threads(f, n);
	if (f->error)
		return -1; /* a choice was not there to be made */
	for (; f->at < f->sched->nr_runs; f->at++) {
		const struct sched_run *run = &f->sched->run[f->at];
		int t = find_thread(run->thread, n);

		if (t < 0)
			return no_thread(f, run, n);
		if (!reached(f, run, t, &pending[t])) {
			if (pending[t].op == OP_END)
				return diverge_at(f, run, &pending[t], "");
			if (run->count && f->done[f->at] >= run->count)
				return diverge_at(f, run, &pending[t],
						  "it is past that, at");
			if (pending[t].blocked)
				return diverge_at(f, run, &pending[t],
						  "it is blocked in");
			return perform(f, t, &pending[t]);
		}
		if (run->point == SCHED_EVENT)
			f->stopped[t] = f->moved[t] + 1;
		if (f->counts && !steps_end_line(&f->steps))
			return diverge_from_steps(f, &pending[t],
						  "which came later");
	}
	if (f->goes_on)
		return EXPLORE_GO_ON;
	for (int t = 0; t < n; t++) {
		if (pending[t].op != OP_END && !pending[t].blocked)
			return move(f, t, &pending[t]);
	}
	return -1;
}

/* ---- weaker memory: told.c ---------------------------------------------------------- */

/* Memory's lines and what became of them; the run ends with the first that is wrong. */
static void take_error(struct follow *f)
{
	if (!f->told.error || f->error)
		return;
	diverge(f, f->told.error_line, "%s", f->told.error);
}

static int source(void *arg, const struct explore_step *step,
		  const struct explore_write *co, int n)
{
	struct follow *f = arg;

	return told_source(&f->told, step, co, n);
}

static int place(void *arg, const struct explore_step *step,
		 const struct explore_write *co, int n)
{
	struct follow *f = arg;
	int at = told_place(&f->told, step, co, n);

	take_error(f);
	return at;
}

static void performed(void *arg, const struct explore_step *step)
{
	struct follow *f = arg;

	told_performed(&f->told, step);
}

static void forbidden(void *arg, const struct explore_step *step)
{
	struct follow *f = arg;
	const char *operand = names_operand(step);

	diverge(f, f->told.line,
		"memory %s does not allow this when %s does '%s %s'",
		f->sched->memory, explore_thread_name(step->thread),
		explore_op_name(step->op), operand ? operand : "");
}

/* The run begins, or begins again. */
static void begin(void *arg)
{
	struct follow *f = arg;

	f->at = 0;
	f->threads = 0;
	steps_begin(&f->steps, f->strict ? f->sched->steps : NULL);
	memset(f->done, 0, f->sched->nr_runs * sizeof(*f->done));
	told_begin(&f->told);
	memset(f->made, 0, f->sched->nr_choices * sizeof(*f->made));
}

static uint64_t choose(void *arg, const struct explore_step *step)
{
	struct follow *f = arg;

	for (size_t i = 0; i < f->sched->nr_choices; i++) {
		const struct sched_choice *c = &f->sched->choice[i];

		if (c->count != (unsigned int)step->peer ||
		    strcmp(c->what, explore_op_name(step->op)) ||
		    strcmp(c->thread, explore_thread_name(step->thread)))
			continue;
		f->made[i] = true;
		if (c->value < step->old)
			return c->value;
		diverge(f, c->line, "%s#%u of %s has %llu ways, from 0",
			c->what, c->count, c->thread,
			(unsigned long long)step->old);
		return 0;
	}
	return f->goes_on && f->at == f->sched->nr_runs ? EXPLORE_ANY_WAY : 0;
}

static void check_choices(struct follow *f)
{
	for (size_t i = 0; i < f->sched->nr_choices && !f->error; i++) {
		const struct sched_choice *c = &f->sched->choice[i];

		if (!f->made[i])
			diverge(f, c->line, "%s did not come to %s#%u",
				c->thread, c->what, c->count);
	}
}

static bool needs_graph(const struct sched *s)
{
	return s->nr_reads || s->nr_orders;
}

enum explore_memory follow_memory(const struct sched *s)
{
	enum explore_memory memory = MEMORY_SC;

	if (s->memory)
		report_find_memory(s->memory, &memory);
	return memory;
}

/* What can be known to be wrong without running; true if nothing is. */
static bool check(struct follow *f, bool *calls)
{
	for (size_t i = 0; i < f->sched->nr_runs; i++) {
		const struct sched_run *run = &f->sched->run[i];

		if (run->point != SCHED_EVENT || find_op(run->word) >= 0)
			continue;
		if (run->object) {
			diverge(f, run->line, "no operation is called '%s'",
				run->word);
			return false;
		}
		if (strchr(run->word, ':'))
			continue;
		if (needs_graph(f->sched)) {
			diverge(f, run->line,
				"'%s': with lines about reads and writes, a "
				"function is no point",
				run->word);
			return false;
		}
		*calls = true;
	}
	return true;
}

static void make_room(struct follow *f)
{
	const struct sched *s = f->sched;

	f->made = calloc(s->nr_choices + 1, sizeof(*f->made));
	f->done = calloc(s->nr_runs + 1, sizeof(*f->done));
	told_init(&f->told, s);
	if (!f->done || !f->made)
		abort();
	begin(f);
}

/* What is wrong is the caller's then; *out says nothing in that case. */
static void finish(struct follow *f, struct explore_result *out, char **error)
{
	free(f->made);
	told_free(&f->told);
	free(f->done);
	free(f->moved);
	free(f->stopped);
	*error = f->error;
	if (!f->error)
		return;
	out->verdict = EXPLORE_UNDECIDED;
	out->finding = FIND_NONE;
}

/* steps: the caller's, what the run did; or NULL. */
static void follow(const struct sched *s, const char *path, bool strict,
		   struct explore_result *out, char **error, char **steps)
{
	struct follow f = { .sched = s,
			    .path = path,
			    .counts = strict || steps,
			    .strict = strict };
	struct explore_chooser chooser = { .pick = pick,
					   .choose = choose,
					   .source = source,
					   .place = place,
					   .performed = performed,
					   .forbidden = forbidden,
					   .again = begin,
					   .arg = &f,
					   .leaks = s->expect &&
						    strstr(s->expect, "leak") };

	make_room(&f);
	memset(out, 0, sizeof(*out));
	out->verdict = EXPLORE_UNDECIDED;
	out->thread = -1;
	if (check(&f, &chooser.calls)) {
		if (needs_graph(s))
			explore_guided(&chooser, follow_memory(s), out);
		else
			explore_sequential(&chooser, out);
		check_choices(&f);
		told_check(&f.told, out);
		take_error(&f);
	}
	if (strict && !f.error && !steps_end(&f.steps))
		diverge(&f, s->nr_runs ? s->run[s->nr_runs - 1].line : 0,
			"strict: the run ended earlier than when the schedule "
			"was written");
	if (steps)
		*steps = f.steps.text;
	else
		free(f.steps.text);
	finish(&f, out, error);
}

void follow_run(const struct sched *s, const char *path,
		struct explore_result *out, char **error)
{
	follow(s, path, false, out, error, NULL);
}

void follow_strictly(const struct sched *s, const char *path,
		     struct explore_result *out, char **error)
{
	follow(s, path, true, out, error, NULL);
}

void follow_on(const struct sched *s, const char *path,
	       struct explore_options *opt, struct explore_result *out,
	       char **error)
{
	struct follow f = { .sched = s, .path = path, .goes_on = true };
	struct explore_chooser lead = {
		.pick = pick, .choose = choose, .again = begin, .arg = &f
	};

	make_room(&f);
	memset(out, 0, sizeof(*out));
	out->thread = -1;
	opt->some = SOME_BOUND;
	opt->lead = &lead;
	if (check(&f, &lead.calls))
		explore_run(opt, out);
	finish(&f, out, error);
}

void follow_note_steps(struct sched *s)
{
	struct explore_result unused;
	char *error;

	free(s->steps);
	follow(s, "", false, &unused, &error, &s->steps);
	free(error);
	free(unused.steps);
}
