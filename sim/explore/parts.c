// SPDX-License-Identifier: GPL-2.0-only
/*
 * parts.c - a search by several processes, with the result of one.
 *
 * What is to be followed is a list of parts, in the order in which one process would
 * come to them; a part is a stack of graphs. A worker is a fork of this process: it
 * follows the graphs of one part for a while, writes a record of what it has seen
 * (record.c) and the graphs that are left, and ends. What is left takes the part's
 * place, in pieces if others have nothing to do.
 *
 * Records are taken in the order of the list, no matter who was first. And what would
 * change how the others search, or end the search, is not in them: a worker that
 * finds a violation, more shared memory, or a thread that had no number, only says
 * so. When all parts before have been taken, the part is followed here, from its
 * beginning. So what happens here happens in the order in which it happens to one
 * process, and gives the same result: counts, races, what was reached, the violation
 * and its schedule.
 */
#include "search.h"
#include "text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALONE 0.03    /* seconds: a search this short needs no workers */
#define SHORTEST 0.03 /* of what a worker does, while others wait */
#define LONGEST 1.0   /* while none does */
#define POLL_MS 100

struct part {
	struct part *next;
	enum {
		PART_OPEN,
		PART_TAKEN, /* by a worker */
		PART_DONE,  /* its record is here, what is left follows it */
		PART_AGAIN, /* to be followed here */
	} state;
	struct graph **graph; /* the last one comes first */
	int nr;
	char *record;
};

struct worker {
	pid_t pid; /* 0: none */
	int fd;
	struct part *part;
	char *text;
	size_t size, room;
};

static struct {
	struct part *first;
	struct worker *worker;
	struct pollfd *poll; /* per worker */
	unsigned int nr_workers;
	volatile enum { ORDER_NONE, ORDER_SHARE, ORDER_STOP } * order;
} parts;

/* ---- the list ---------------------------------------------------------------------- */

static struct part *insert(struct part **at, struct graph **graph, int nr)
{
	struct part *p = need(calloc(1, sizeof(*p)));

	p->graph = need(malloc(nr * sizeof(*graph)));
	memcpy(p->graph, graph, nr * sizeof(*graph));
	p->nr = nr;
	p->next = *at;
	*at = p;
	return p;
}

static void drop(struct part *p)
{
	for (int i = 0; i < p->nr; i++)
		graph_free(p->graph[i]);
	free(p->graph);
	free(p->record);
	free(p);
}

static void drop_first(void)
{
	struct part *p = parts.first;

	parts.first = p->next;
	drop(p);
}

/* The oldest graphs lead to most: those go one by one. */
static void insert_rest(struct part **at, struct graph **graph, int nr)
{
	int pieces = parts.nr_workers;

	if (pieces >= nr)
		pieces = nr - 1;
	for (int i = 0; i < pieces; i++)
		insert(at, graph + i, 1);
	if (nr)
		insert(at, graph + pieces, nr - pieces);
}

static void insert_frontier(struct part **at)
{
	struct graph **graph = need(malloc((search->nr + 1) * sizeof(*graph)));

	for (int i = 0; i < search->nr; i++) {
		graph[i] = need(graph_new(engine->cap, engine->nr_loc));
		graph_copy(graph[i], search->stack[i]);
	}
	insert_rest(at, graph, search->nr);
	free(graph);
}

static void load(const struct part *p)
{
	frontier_clear();
	for (int i = 0; i < p->nr; i++) {
		graph_copy(frontier_top(), p->graph[i]);
		frontier_keep();
	}
}

/* Of knowledge.c's sums, what is quickly told: asked after each run. */
static uint64_t known_so_far(void)
{
	uint64_t sum = engine->cap * 31 + engine->nr_loc;

	sum = (sum * 31 + engine->nr_numbers) * 31 + engine->nr_heads;
	return sum * 31 + knowledge_remarks();
}

/* ---- in a worker ------------------------------------------------------------------- */

static bool is_called_back(double start)
{
	double spent = search_now() - start;

	return *parts.order == ORDER_STOP || spent > LONGEST ||
	       (*parts.order == ORDER_SHARE && spent > SHORTEST);
}

static bool follow_part(const struct part *p)
{
	double start = search_now();
	uint64_t known = known_so_far();

	load(p);
	do {
		search_one();
		if (engine->stop == STOP_RESTART || engine->stop == STOP_TIME ||
		    engine->stop == STOP_VIOLATION || known_so_far() != known)
			return false;
	} while (search->nr && !is_called_back(start));
	return true;
}

/* Nothing is written: the part is to be followed again. */
__attribute__((noreturn)) static void work(const struct part *p, int fd)
{
	FILE *to = fdopen(fd, "w");
	struct record_mark since = record_begin();

	clock_watch();
	if (!to || !follow_part(p))
		_exit(1);
	record_write(to, &since);
	fputc('\0', to);
	for (int i = 0; i < search->nr; i++)
		if (!graph_write(to, search->stack[i]))
			_exit(1);
	_exit(fclose(to) ? 1 : 0);
}

/* ---- workers ----------------------------------------------------------------------- */

static void hire(struct worker *w, struct part *p)
{
	pid_t parent = getpid();
	int fd[2];

	if (pipe(fd))
		abort();
	w->pid = fork();
	if (w->pid < 0)
		abort();
	if (!w->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGINT, SIG_IGN);
		close(fd[0]);
		if (getppid() != parent)
			_exit(1);
		work(p, fd[1]);
	}
	close(fd[1]);
	w->fd = fd[0];
	w->part = p;
	w->size = 0;
	p->state = PART_TAKEN;
}

static void dismiss(struct worker *w)
{
	if (!w->pid)
		return;
	kill(w->pid, SIGKILL);
	waitpid(w->pid, NULL, 0);
	close(w->fd);
	w->pid = 0;
}

static void dismiss_all(void)
{
	for (unsigned int i = 0; i < parts.nr_workers; i++)
		dismiss(&parts.worker[i]);
	while (parts.first)
		drop_first();
	*parts.order = ORDER_NONE;
}

/* The record, and the graphs that are left. False: it did not all come. */
static bool understand(struct worker *w)
{
	size_t n = strnlen(w->text, w->size) + 1;
	struct graph **graph = NULL;
	FILE *from;
	int nr = 0;

	if (n > w->size)
		return false;
	from = n < w->size ? fmemopen(w->text + n, w->size - n, "r") : NULL;
	while (from && ftell(from) < (long)(w->size - n)) {
		graph = need(realloc(graph, (nr + 1) * sizeof(*graph)));
		graph[nr++] = need(graph_read(from));
	}
	if (from)
		fclose(from);
	insert_rest(&w->part->next, graph, nr);
	free(graph);
	w->part->record = need(strdup(w->text));
	return true;
}

static void let_go(struct worker *w)
{
	int status;
	bool good = waitpid(w->pid, &status, 0) == w->pid && !status;

	close(w->fd);
	w->pid = 0;
	w->part->state = good && understand(w) ? PART_DONE : PART_AGAIN;
}

static void listen_to(struct worker *w)
{
	ssize_t n;

	if (w->room - w->size < 65536) {
		w->room = w->room * 2 + 65536;
		w->text = need(realloc(w->text, w->room));
	}
	n = read(w->fd, w->text + w->size, w->room - w->size);
	if (n > 0)
		w->size += n;
	else if (!n || errno != EINTR)
		let_go(w);
}

/* Until somebody has something to say, or for a moment. */
static void wait_for_workers(void)
{
	for (unsigned int i = 0; i < parts.nr_workers; i++)
		parts.poll[i] = (struct pollfd){
			.fd = parts.worker[i].pid ? parts.worker[i].fd : -1,
			.events = POLLIN,
		};
	if (poll(parts.poll, parts.nr_workers, POLL_MS) <= 0)
		return;
	for (unsigned int i = 0; i < parts.nr_workers; i++)
		if (parts.poll[i].fd >= 0 && parts.poll[i].revents)
			listen_to(&parts.worker[i]);
}

static struct part *first_open(void)
{
	struct part *p = parts.first;

	while (p && p->state != PART_OPEN)
		p = p->next;
	return p;
}

static void hire_all(void)
{
	bool idle = false;

	for (unsigned int i = 0; i < parts.nr_workers; i++) {
		struct part *p = first_open();

		if (parts.worker[i].pid)
			continue;
		if (p)
			hire(&parts.worker[i], p);
		else
			idle = true;
	}
	*parts.order = idle ? ORDER_SHARE : ORDER_NONE;
}

static bool anybody_works(void)
{
	for (unsigned int i = 0; i < parts.nr_workers; i++)
		if (parts.worker[i].pid)
			return true;
	return false;
}

/* ---- in order ---------------------------------------------------------------------- */

/* What all have seen so far, in order or not. */
static uint64_t executions_so_far(void)
{
	uint64_t n = engine->res.executions;

	for (const struct part *p = parts.first; p; p = p->next)
		if (p->state == PART_DONE)
			n += record_executions(p->record);
	return n;
}

/* The limit falls within the part: what counts is where. */
static bool is_too_much(const struct part *p)
{
	uint64_t max = search->opt->max_executions;

	return max &&
	       engine->res.executions + record_executions(p->record) >= max;
}

/*
 * Follow the first part here: to its end, or for a time, or until something has
 * been learned.
 */
static enum search_end follow_here(double seconds)
{
	double start = search_now();
	uint64_t known = known_so_far();

	load(parts.first);
	while (search->nr) {
		enum search_end end = search_step();

		if (end == SEARCH_ENDS)
			return end;
		if (end == SEARCH_LEARNED) {
			dismiss_all();
			search_begin_again();
			insert_frontier(&parts.first);
			known = known_so_far();
			start = search_now();
			seconds = ALONE;
		}
		if (known_so_far() != known || search_now() - start > seconds)
			break;
	}
	insert_frontier(&parts.first->next);
	drop_first();
	return SEARCH_GO_ON;
}

static enum search_end take_record(void)
{
	if (is_too_much(parts.first))
		return follow_here(1e9);
	if (!record_take(parts.first->record))
		abort();
	drop_first();
	return SEARCH_GO_ON;
}

/* The time is over: what they have seen by now counts, too. */
static void call_in(void)
{
	*parts.order = ORDER_STOP;
	while (anybody_works())
		wait_for_workers();
	for (; parts.first; drop_first())
		if (parts.first->state == PART_DONE &&
		    !record_take(parts.first->record))
			abort();
}

/* The same question as search_out_of_budget, of everybody's work. */
static bool is_out_of_time(void)
{
	struct explore_result all = engine->res;
	const struct explore_options *opt = search->opt;

	all.executions = executions_so_far();
	all.seconds = search_now() - search->start;
	if (opt->progress)
		opt->progress(&all, opt->progress_arg);
	return opt->max_seconds > 0 && all.seconds > opt->max_seconds;
}

static enum search_end wait_for_first(void)
{
	if (search->opt->max_executions &&
	    engine->res.executions >= search->opt->max_executions) {
		engine->res.verdict = EXPLORE_UNDECIDED;
		return SEARCH_ENDS;
	}
	hire_all();
	wait_for_workers();
	if (!is_out_of_time())
		return SEARCH_GO_ON;
	call_in();
	engine->res.verdict = EXPLORE_UNDECIDED;
	return SEARCH_ENDS;
}

static void begin(void)
{
	parts.nr_workers = search->opt->jobs;
	parts.worker = need(calloc(parts.nr_workers, sizeof(*parts.worker)));
	parts.poll = need(calloc(parts.nr_workers, sizeof(*parts.poll)));
	parts.order = mmap(NULL, sizeof(*parts.order), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (parts.order == MAP_FAILED)
		abort();
	*parts.order = ORDER_NONE;
	search_begin_again();
	insert_frontier(&parts.first);
}

static void finish(void)
{
	dismiss_all();
	for (unsigned int i = 0; i < parts.nr_workers; i++)
		free(parts.worker[i].text);
	free(parts.worker);
	free(parts.poll);
	munmap((void *)parts.order, sizeof(*parts.order));
}

void parts_search(void)
{
	enum search_end end;

	begin();
	end = follow_here(ALONE);
	while (end == SEARCH_GO_ON && parts.first) {
		switch (parts.first->state) {
		case PART_DONE:
			end = take_record();
			break;
		case PART_AGAIN:
			end = follow_here(2 * LONGEST);
			break;
		default:
			end = wait_for_first();
		}
	}
	finish();
}
