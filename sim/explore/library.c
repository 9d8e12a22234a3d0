// SPDX-License-Identifier: GPL-2.0-only
/*
 * library.c - libtrapline-explore: an exploration on behalf of a test.
 *
 * It runs in a child, which the engine, its signal handlers and its memory at fixed
 * addresses have for themselves, and which may be ended by what the scenario does.
 * What comes back is one record: counts, then the texts.
 */
#include "follow.h"
#include "names.h"
#include "repeat.h"
#include "report.h"
#include "schedule.h"
#include "text.h"
#include "trapline/explore.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum text { TEXT_FINDING, TEXT_MESSAGE, TEXT_REPORT, TEXT_SCHEDULE, NR_TEXTS };

struct counts {
	enum trapline_verdict verdict;
	unsigned long long executions, blocked, races;
	size_t length[NR_TEXTS]; /* with its end; 0: none */
};

struct trapline_result {
	struct counts counts;
	char *text[NR_TEXTS];
};

struct task {
	struct report report;
	const char *name;
	void (*scenario)(void *);
	void *arg;
	struct trapline_options options;
	const char *schedule; /* NULL: search */
	int fd;		      /* where the record goes */
};

static struct task
	*task; /* of the child: for refused(), given a sentence only */

/* ---- the child ------------------------------------------------------------------- */

__attribute__((noreturn)) static void hand_over(struct trapline_result *r)
{
	FILE *to = need(fdopen(task->fd, "w"));

	for (int i = 0; i < NR_TEXTS; i++)
		r->counts.length[i] = r->text[i] ? strlen(r->text[i]) + 1 : 0;
	fwrite(&r->counts, sizeof(r->counts), 1, to);
	for (int i = 0; i < NR_TEXTS; i++)
		fwrite(r->text[i] ? r->text[i] : "", 1, r->counts.length[i],
		       to);
	_exit(fclose(to) ? 1 : 0);
}

__attribute__((noreturn)) static void no_run(enum trapline_verdict verdict,
					     const char *sentence)
{
	struct trapline_result r = { .counts.verdict = verdict };

	r.text[TEXT_FINDING] = text_print("none");
	r.text[TEXT_MESSAGE] = text_print("%s", sentence);
	r.text[TEXT_REPORT] = text_print("%s\n", sentence);
	hand_over(&r);
}

static void refused(const char *sentence)
{
	no_run(TRAPLINE_REFUSED, sentence);
}

static void begin(void)
{
	int err;

	explore_refused = refused;
	err = explore_init(task->scenario, task->arg);
	if (err)
		no_run(TRAPLINE_ERROR, strerror(-err));
}

static void take(struct trapline_result *to, const struct explore_result *r)
{
	static const enum trapline_verdict verdicts[] = {
		[EXPLORE_HOLDS] = TRAPLINE_HOLDS,
		[EXPLORE_VIOLATED] = TRAPLINE_VIOLATED,
		[EXPLORE_UNDECIDED] = TRAPLINE_UNDECIDED,
		[EXPLORE_REFUSED] = TRAPLINE_REFUSED,
	};
	FILE *f;
	size_t size;

	to->counts = (struct counts){ .verdict = verdicts[r->verdict],
				      .executions = r->executions,
				      .blocked = r->blocked,
				      .races = r->nr_races };
	for (int i = 0; i < TEXT_SCHEDULE; i++)
		free(to->text[i]);
	to->text[TEXT_FINDING] = text_print("%s", report_kind(r->finding));
	to->text[TEXT_MESSAGE] = text_print("%s", r->message);
	f = need(open_memstream(&to->text[TEXT_REPORT], &size));
	report_text(f, &task->report, r);
	if (fclose(f))
		abort();
}

/* The schedule that repeats it, if there is one. */
static void repeat(struct trapline_result *to, struct explore_result *r)
{
	struct sched s = { 0 };
	char *error;
	size_t size;
	FILE *f;

	s.scenario = text_print("%s", task->name);
	s.memory = text_print("%s", report_memory(task->report.memory));
	if (!repeat_violation(&s, task->name, REPEAT_FEWEST, r, &error))
		return;
	take(to, r);
	f = need(open_memstream(&to->text[TEXT_SCHEDULE], &size));
	sched_write(f, &s);
	if (fclose(f))
		abort();
}

static void search(struct trapline_result *to)
{
	const struct trapline_options *o = &task->options;
	static const enum explore_memory memories[] = {
		[TRAPLINE_SC] = MEMORY_SC,
		[TRAPLINE_TSO] = MEMORY_TSO,
		[TRAPLINE_LKMM] = MEMORY_LKMM,
	};
	static const enum explore_races races[] = {
		[TRAPLINE_RACES_REPORT] = RACES_REPORT,
		[TRAPLINE_RACES_FAIL] = RACES_FAIL,
		[TRAPLINE_RACES_OFF] = RACES_OFF,
	};
	struct explore_options opt = {
		.memory = memories[o->memory],
		.races = races[o->races],
		.leaks = o->leaks,
		.name = names_address,
		.alloc_failures = o->alloc_failures,
		.early_wakeups = o->early_wakeups,
		.jobs = o->jobs,
		.max_executions = o->max_executions,
		.max_seconds = o->max_seconds,
	};
	struct explore_result r = { .thread = -1 };

	task->report.memory = opt.memory;
	explore_run(&opt, &r);
	take(to, &r);
	if (r.verdict == EXPLORE_VIOLATED && r.finding != FIND_RACE)
		repeat(to, &r);
}

static void follow(struct trapline_result *to)
{
	struct sched_error err;
	struct explore_result r;
	struct sched s;
	char *text, *error;

	if (sched_parse(task->schedule, strlen(task->schedule), &s, &err)) {
		text = text_print("schedule:%u:%u: %s", err.line, err.column,
				  err.text);
		no_run(TRAPLINE_ERROR, text);
	}
	task->report.memory = follow_memory(&s);
	task->report.replay = true;
	follow_run(&s, "schedule", &r, &error);
	take(to, &r);
	if (error)
		to->text[TEXT_MESSAGE] = text_print("%s", error);
}

__attribute__((noreturn)) static void be_child(void)
{
	struct trapline_result r = { 0 };

	/* whoever waits for this does not wait for ever */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	task->report.name = task->name;
	task->report.width = 80;
	begin();
	if (task->schedule)
		follow(&r);
	else
		search(&r);
	hand_over(&r);
}

/* ---- the process that asks --------------------------------------------------------- */

/* As text_read(), but the caller may have handlers of signals, which end a read. */
static char *read_all(int fd, size_t *size)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t n;

	*size = 0;
	do {
		if (room - *size < 4096)
			text = need(realloc(text, room = 2 * room + 8192));
		n = read(fd, text + *size, room - *size);
		if (n > 0)
			*size += n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	return text;
}

/* False: it is not the whole record. */
static bool unpack(struct trapline_result *r, const char *text, size_t size)
{
	if (size < sizeof(r->counts))
		return false;
	memcpy(&r->counts, text, sizeof(r->counts));
	text += sizeof(r->counts);
	size -= sizeof(r->counts);
	for (int i = 0; i < NR_TEXTS; i++) {
		size_t n = r->counts.length[i];

		if (n > size)
			return false;
		r->text[i] = n ? need(strndup(text, n)) : NULL;
		text += n;
		size -= n;
	}
	return true;
}

static void broke(struct trapline_result *r, const char *why)
{
	for (int i = 0; i < NR_TEXTS; i++)
		free(r->text[i]);
	memset(r, 0, sizeof(*r));
	r->counts.verdict = TRAPLINE_ERROR;
	r->text[TEXT_FINDING] = text_print("none");
	r->text[TEXT_MESSAGE] = text_print("%s", why);
	r->text[TEXT_REPORT] = text_print("%s\n", why);
}

static void collect(struct trapline_result *r, pid_t child, int fd)
{
	size_t size;
	char *text = read_all(fd, &size), why[80];
	int status = 0;
	pid_t pid;

	do
		pid = waitpid(child, &status, 0);
	while (pid < 0 && errno == EINTR);
	if (!unpack(r, text, size)) {
		snprintf(why, sizeof(why),
			 pid == child && WIFSIGNALED(status)
				 ? "the exploration was ended by signal %d"
				 : "the exploration broke: status %d",
			 WIFSIGNALED(status) ? WTERMSIG(status)
					     : WEXITSTATUS(status));
		broke(r, why);
	}
	free(text);
}

static struct trapline_result *run(struct task *t)
{
	struct trapline_result *r = need(calloc(1, sizeof(*r)));
	pid_t child;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC)) {
		broke(r, strerror(errno));
		return r;
	}
	child = fork();
	if (!child) {
		close(fd[0]);
		t->fd = fd[1];
		task = t;
		be_child();
	}
	close(fd[1]);
	if (child < 0)
		broke(r, strerror(errno));
	else
		collect(r, child, fd[0]);
	close(fd[0]);
	return r;
}

struct trapline_result *trapline_explore(const char *name,
					 void (*scenario)(void *), void *arg,
					 const struct trapline_options *options)
{
	static const struct trapline_options defaults = TRAPLINE_OPTIONS;
	struct task t = { .name = name,
			  .scenario = scenario,
			  .arg = arg,
			  .options = options ? *options : defaults };

	return run(&t);
}

struct trapline_result *trapline_replay(const char *name,
					void (*scenario)(void *), void *arg,
					const char *schedule)
{
	struct task t = { .name = name,
			  .scenario = scenario,
			  .arg = arg,
			  .schedule = schedule };

	return run(&t);
}

enum trapline_verdict trapline_verdict(const struct trapline_result *r)
{
	return r->counts.verdict;
}

unsigned long long trapline_executions(const struct trapline_result *r)
{
	return r->counts.executions;
}

unsigned long long trapline_blocked(const struct trapline_result *r)
{
	return r->counts.blocked;
}

unsigned long long trapline_races(const struct trapline_result *r)
{
	return r->counts.races;
}

const char *trapline_finding(const struct trapline_result *r)
{
	return r->text[TEXT_FINDING];
}

const char *trapline_message(const struct trapline_result *r)
{
	return r->text[TEXT_MESSAGE];
}

const char *trapline_report(const struct trapline_result *r)
{
	return r->text[TEXT_REPORT];
}

const char *trapline_schedule(const struct trapline_result *r)
{
	return r->text[TEXT_SCHEDULE];
}

void trapline_result_free(struct trapline_result *r)
{
	for (int i = 0; r && i < NR_TEXTS; i++)
		free(r->text[i]);
	free(r);
}
