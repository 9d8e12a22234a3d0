// SPDX-License-Identifier: GPL-2.0-only
/*
 * report.c - the verdict, and what led to it, as text.
 *
 * The first line is the verdict. A violation is followed by the table of steps
 * (columns.c), a line that says why, and the stacks of the steps involved.
 */
#include "report.h"

#include "columns.h"
#include "names.h"
#include "slice.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *kind, *mark;
} findings[] = {
#define X(id, kind, mark) [id] = { kind, mark },
	EXPLORE_FINDINGS(X)
#undef X
};
#define NR_FINDINGS (sizeof(findings) / sizeof(*findings))

const char *report_kind(enum explore_finding finding)
{
	return findings[finding].kind;
}

enum explore_finding report_find_kind(const char *kind)
{
	for (size_t i = 0; i < NR_FINDINGS; i++) {
		if (!strcmp(findings[i].kind, kind))
			return i;
	}
	return FIND_NONE;
}

static const char *const memories[] = {
	[MEMORY_SC] = "sc", [MEMORY_TSO] = "tso", [MEMORY_LKMM] = "lkmm"
};

const char *report_memory(enum explore_memory memory)
{
	return memories[memory];
}

bool report_find_memory(const char *name, enum explore_memory *memory)
{
	for (int i = 0; i < 3; i++) {
		if (strcmp(memories[i], name))
			continue;
		*memory = i;
		return true;
	}
	return false;
}

const char *report_deps(enum explore_deps deps)
{
	return deps == DEPS_ALL ? "all" : "none";
}

const char *report_limits(enum explore_memory memory, enum explore_deps deps)
{
	if (memory != MEMORY_LKMM)
		return NULL;
	return deps == DEPS_ALL
		       ? "(load buffering not explored; every read ordered "
			 "before later writes)"
		       : "(load buffering not explored; no dependencies but "
			 "rcu_dereference)";
}

const char *report_condition(enum explore_memory memory, enum explore_deps deps)
{
	return memory == MEMORY_LKMM && deps == DEPS_ALL
		       ? " under --deps=all, not a proof"
		       : "";
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* What is used after whose free, by name; false if the steps do not say. */
static bool use_sentence(FILE *to, const struct explore_result *r)
{
	size_t failed = slice_failed(r), freed = slice_freed(r, failed);
	const struct explore_step *use, *end;
	const char *file;
	int line;

	if (r->finding != FIND_USE_AFTER_FREE || freed == r->nr_steps)
		return false;
	use = &r->steps[failed];
	end = &r->steps[freed];
	fprintf(to, "%s does '%s %s' after %s freed %s",
		explore_thread_name(use->thread), explore_op_name(use->op),
		names_operand(use) ? names_operand(use) : "",
		explore_thread_name(end->thread), names_operand(end));
	file = explore_made_at(r->bad_addr, &line);
	if (file)
		fprintf(to, ", allocated at %s:%d", names_path(file), line);
	return true;
}

/* What was looked at, if it was not all; ends the parenthesis. */
static void scope(FILE *to, const struct report *how,
		  const struct explore_result *r)
{
	const struct explore_options *s = how->some;

	fprintf(to, "%d thread%s, memory %s", r->threads, plural(r->threads),
		report_memory(how->memory));
	if (r->few_wakeups && r->verdict == EXPLORE_HOLDS)
		fprintf(to, ", bound: %u early wake-up%s", r->early_wakeups,
			plural(r->early_wakeups));
	else if (!s && r->verdict == EXPLORE_HOLDS)
		fputs(", bound: none", to);
	if (r->fewest == FEWEST_THESE)
		fprintf(to, ", fewest preemptions: %u", r->preemptions);
	else if (r->fewest == FEWEST_UNKNOWN)
		fprintf(to,
			", preemptions: %u, fewest not decided: budget "
			"spent",
			r->preemptions);
	else if (s && s->some == SOME_BOUND && r->verdict == EXPLORE_UNDECIDED)
		fprintf(to, ", at most %u preemption%s", r->preemptions,
			plural(r->preemptions));
	if (s && s->some >= SOME_RANDOM)
		fprintf(to, ", seed %llu", (unsigned long long)s->seed);
	if (s && s->some == SOME_PCT)
		fprintf(to, ", depth %u", s->depth);
	fprintf(to, ")\n");
}

/*
 * What is counted: executions, each once; but of those that a bound picks, and of random
 * ones, the schedules, of which many may be one execution.
 */
static const char *counted(const struct report *how)
{
	return how->some ? "schedule" : "execution";
}

static void holds(FILE *to, const struct report *how,
		  const struct explore_result *r)
{
	const char *condition = report_condition(how->memory, how->deps);
	unsigned long long n = r->executions;
	unsigned int p = r->preemptions;

	fprintf(to, "PASS  %s: holds%s%s in all %llu %s%s ", how->name,
		condition, *condition ? "," : "", n, counted(how), plural(n));
	if (how->some)
		fprintf(to, "with at most %u preemption%s ", p, plural(p));
	fputc('(', to);
	scope(to, how, r);
}

static void undecided(FILE *to, const struct report *how,
		      const struct explore_result *r)
{
	unsigned long long n = r->executions;

	fprintf(to, "UNDECIDED  %s: ", how->name);
	if (how->some && how->some->some >= SOME_RANDOM)
		fprintf(to, "%llu random schedule%s, none failed (", n,
			plural(n));
	else
		fprintf(to, "budget spent after %llu %s%s, no finding so far (",
			n, counted(how), plural(n));
	scope(to, how, r);
}

static void verdict(FILE *to, const struct report *how,
		    const struct explore_result *r)
{
	const char *limits = report_limits(how->memory, how->deps);
	unsigned long long n = r->executions;

	switch (r->verdict) {
	case EXPLORE_HOLDS:
		if (how->replay)
			fprintf(to,
				"PASS  %s: the schedule ends without a "
				"finding\n",
				how->name);
		else
			holds(to, how, r);
		break;
	case EXPLORE_VIOLATED:
		fprintf(to, "%s%s: ", how->brief ? "" : "FAIL  ",
			report_kind(r->finding));
		if (!use_sentence(to, r))
			fputs(r->message, to);
		if (r->file && !strstr(r->message, r->file))
			fprintf(to, " (%s:%d)", names_path(r->file), r->line);
		fputc('\n', to);
		if (how->replay || how->brief)
			break;
		fprintf(to, "      found after %llu %s%s (", n, counted(how),
			plural(n));
		scope(to, how, r);
		break;
	case EXPLORE_UNDECIDED:
		if (how->replay)
			fprintf(to, "UNDECIDED  %s: the run ended early\n",
				how->name);
		else
			undecided(to, how, r);
		break;
	case EXPLORE_REFUSED:
		fprintf(to, "REFUSED  %s: %s", how->name, r->message);
		if (r->file)
			fprintf(to, " (%s:%d)", names_path(r->file), r->line);
		fputc('\n', to);
		break;
	}
	if (limits && r->verdict != EXPLORE_VIOLATED)
		fprintf(to, "      %s\n", limits);
	if (how->some && r->verdict != EXPLORE_VIOLATED)
		fprintf(to, "      (data races not looked for)\n");
	if (how->note && !how->brief)
		fprintf(to, "      %s\n", how->note);
	if (r->verdict != EXPLORE_VIOLATED && r->blocked)
		fprintf(to, "      %llu run%s ended early, blocked\n",
			(unsigned long long)r->blocked, plural(r->blocked));
}

/* The newest write before step i to what it reads, or nr_steps. */
static size_t newest_before(const struct explore_result *r, size_t i)
{
	const struct explore_step *s = &r->steps[i];

	for (size_t j = i; j--;) {
		if (r->steps[j].wrote && r->steps[j].addr == s->addr)
			return j;
	}
	return r->nr_steps;
}

/* The write that step i read from, or nr_steps: the initial value. */
static size_t source_of(const struct explore_result *r, size_t i)
{
	return slice_source(r, i, newest_before(r, i));
}

/* What real memory, one operation at a time, would not do. */
static void why_weak(FILE *to, const struct report *how,
		     const struct explore_result *r, const unsigned int *number)
{
	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *s = &r->steps[i];
		size_t newest = s->source ? newest_before(r, i) : r->nr_steps;
		const char *writer;

		if (!number[i] || newest == r->nr_steps)
			continue;
		writer = explore_thread_name(r->steps[newest].thread);
		fprintf(to, "\n  why: in step %u %s saw %s = ", number[i],
			explore_thread_name(s->thread), names_operand(s));
		names_value(to, s->addr, s->old, s->size);
		fprintf(to, ", not yet what %s wrote in step %u: ", writer,
			number[newest]);
		if (how->memory == MEMORY_TSO)
			fprintf(to, "that was in %s's store buffer.", writer);
		else
			fprintf(to, "nothing orders the two.");
	}
}

/* A write that is older than one that was performed before it. */
static void why_late(FILE *to, const struct explore_result *r,
		     const unsigned int *number)
{
	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *s = &r->steps[i];
		const struct explore_step *o;

		if (!number[i] || !s->before || !number[s->before - 1])
			continue;
		o = &r->steps[s->before - 1];
		fprintf(to,
			"\n  why: what %s wrote to %s in step %u is "
			"overwritten by what %s wrote in step %u: nothing "
			"orders the two.",
			explore_thread_name(s->thread), names_operand(s),
			number[i], explore_thread_name(o->thread),
			number[s->before - 1]);
	}
}

static void why_freed(FILE *to, const struct explore_result *r,
		      const unsigned int *number, size_t failed)
{
	size_t freed = slice_freed(r, failed);

	if (freed == r->nr_steps)
		return;
	fprintf(to, "\n  why: %s freed %s in step %u; %s %s step %u.\n",
		explore_thread_name(r->steps[freed].thread),
		names_operand(&r->steps[freed]), number[freed],
		explore_thread_name(r->steps[failed].thread),
		r->finding == FIND_DOUBLE_FREE ? "freed it again in"
					       : "still used it in",
		number[failed]);
}

/* The last value that came from another thread, or from before all threads. */
static void why_read(FILE *to, const struct explore_result *r,
		     const unsigned int *number)
{
	for (size_t i = r->nr_steps; i--;) {
		const struct explore_step *s = &r->steps[i];
		size_t from;

		if (s->thread != r->thread || !number[i] || !s->addr ||
		    !s->size || s->op == OP_WRITE || s->op == OP_UNLOCK ||
		    s->op == OP_FREE)
			continue;
		from = source_of(r, i);
		if (from < r->nr_steps && r->steps[from].thread == s->thread)
			continue;
		fprintf(to, "\n  why: in step %u %s saw %s = ", number[i],
			explore_thread_name(s->thread), names_operand(s));
		names_value(to, s->addr, s->old, s->size);
		if (from < r->nr_steps)
			fprintf(to, ", written by %s in step %u.\n",
				explore_thread_name(r->steps[from].thread),
				number[from]);
		else
			fprintf(to, ", the value from before the threads "
				    "ran.\n");
		return;
	}
}

static void why_deadlock(FILE *to, const struct explore_result *r,
			 const unsigned int *number)
{
	const char *lead = "\n  why: ";

	for (size_t i = 0; i < r->nr_steps; i++) {
		const struct explore_step *s = &r->steps[i];
		const char *operand = names_operand(s);
		size_t from;

		if (!s->blocked)
			continue;
		from = s->addr ? source_of(r, i) : r->nr_steps;
		fprintf(to, "%s%s waits in step %u (%s%s%s)", lead,
			explore_thread_name(s->thread), number[i],
			explore_op_name(s->op), operand ? " " : "",
			operand ? operand : "");
		if (from < r->nr_steps && number[from] &&
		    r->steps[from].thread != s->thread)
			fprintf(to, ", last changed by %s in step %u",
				explore_thread_name(r->steps[from].thread),
				number[from]);
		fputs(";\n", to);
		lead = "       ";
	}
	if (*lead == ' ')
		fprintf(to, "%snobody is left to end that.\n", lead);
}

static void stack_of(FILE *to, const struct explore_result *r,
		     const unsigned int *number, size_t i)
{
	const struct explore_step *s = &r->steps[i];
	const char *operand = names_operand(s);

	if (!s->pc)
		return;
	fprintf(to, "\n  step %u, %s: %s%s%s\n", number[i],
		explore_thread_name(s->thread), explore_op_name(s->op),
		operand ? " " : "", operand ? operand : "");
	names_stack(to, s, 6);
}

static void stacks(FILE *to, const struct explore_result *r,
		   const unsigned int *number, size_t failed)
{
	size_t freed = r->bad_addr ? slice_freed(r, failed) : r->nr_steps;

	if (freed < r->nr_steps)
		stack_of(to, r, number, freed);
	if (failed < r->nr_steps)
		stack_of(to, r, number, failed);
	for (size_t i = 0; i < r->nr_steps; i++) {
		if (r->steps[i].blocked)
			stack_of(to, r, number, i);
	}
}

static void story(FILE *to, const struct report *how,
		  const struct explore_result *r)
{
	unsigned int *number = calloc(r->nr_steps + 1, sizeof(*number));
	size_t shown, failed = slice_failed(r);

	if (!number)
		abort();
	shown = columns_number(r, number);
	fputc('\n', to);
	columns_print(to, r, number, findings[r->finding].mark,
		      how->brief ? COLUMNS_CPUS : COLUMNS_RULED, how->width);
	if (shown < r->nr_steps && !how->brief)
		fprintf(to,
			"     (%zu more step%s: private, or without "
			"influence)\n",
			r->nr_steps - shown, plural(r->nr_steps - shown));
	why_weak(to, how, r, number);
	why_late(to, r, number);
	if (explore_is_stuck(r->finding))
		why_deadlock(to, r, number);
	else if (r->bad_addr && failed < r->nr_steps)
		why_freed(to, r, number, failed);
	else
		why_read(to, r, number);
	if (!how->brief) {
		stacks(to, r, number, failed);
		fputc('\n', to);
	}
	free(number);
}

void report_text(FILE *to, const struct report *how,
		 const struct explore_result *r)
{
	verdict(to, how, r);
	if (r->nr_steps && (how->replay || r->verdict == EXPLORE_VIOLATED))
		story(to, how, r);
	if (how->brief)
		return;
	report_races(to, r);
	report_cover(to, how, r);
	if (how->schedule)
		fprintf(to, "schedule: %s\n", how->schedule);
	else if (r->finding == FIND_RACE)
		fputs("schedule: none; a race is seen in the order that an "
		      "execution leaves open, not in one run\n",
		      to);
	if (how->command)
		fprintf(to, "replay:   %s\n", how->command);
	fprintf(to, "time:     %.2f s\n", r->seconds);
}
