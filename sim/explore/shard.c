// SPDX-License-Identifier: GPL-2.0-only
/*
 * shard.c - a search that processes share without a word between them.
 *
 * The search is cut as far from its root as it takes to have many parts: what can be
 * reached from the root by fewer runs everybody follows, and a graph that is so many
 * runs away is a part. Where to cut, which part is whose, and the order of the parts
 * are functions of the program, the options and the number of shards. A shard leaves
 * out the parts of others and writes what it sees in its own (shard_file.h). Merging
 * is the search itself, with a record in the place of each part.
 *
 * Whatever ends the search, makes it begin again or teaches it something is not in
 * the records: such a part is followed again when all is merged, after all that comes
 * before it, as one process would come to it. So all comes out as with one process:
 * counts, races, what was reached, the violation and its schedule.
 *
 * Only one shard may come to memory that turns out to be shared. It begins again
 * with that, as does the merged search when it comes to that part. What the others
 * have seen without knowing it is then of no use, and their parts are followed where
 * all is merged.
 */
#include "search.h"

#include "shard_file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARTS_PER_SHARD 100
#define MAX_DEPTH 60

static struct {
	uint8_t *depth; /* of the graphs on the stack: runs from the root */
	int room;
	unsigned int cut; /* this deep */
	unsigned int shards, part;
	uint64_t knows, section; /* section: of what it knows, and the cut */
	/* of a shard: where it goes on if it had to begin again for lack of room */
	unsigned int done;
} shard;

/* ---- cutting -------------------------------------------------------------------------- */

static void set_depths(int from, unsigned int depth)
{
	if (search->nr > shard.room) {
		shard.room = search->nr * 2 + 64;
		shard.depth = realloc(shard.depth, shard.room);
		if (!shard.depth)
			abort();
	}
	for (int i = from; i < search->nr; i++)
		shard.depth[i] = depth;
}

/* How many parts come before something ends the search. */
static unsigned int count_parts(unsigned int cut, uint64_t *runs)
{
	unsigned int parts = 0;

	search_begin_again();
	set_depths(0, 0);
	while (search->nr) {
		int top = search->nr - 1;
		unsigned int depth = shard.depth[top];

		if (depth == cut) {
			parts++;
			search->nr--;
			continue;
		}
		++*runs;
		search_one();
		if (engine->stop == STOP_RESTART || engine->stop == STOP_TIME ||
		    engine->stop == STOP_VIOLATION)
			break;
		set_depths(top, depth + 1);
	}
	return parts;
}

/*
 * The least depth that gives parts enough, if one does; if it takes too many runs to
 * find that out, then so deep. Nothing that is seen meanwhile may count.
 */
static unsigned int find_cut(unsigned int wanted)
{
	unsigned int cut = 0, parts;
	uint64_t runs = 0;
	pid_t pid = fork();
	int status;

	if (pid < 0)
		abort();
	if (!pid) {
		clock_watch();
		do
			parts = count_parts(++cut, &runs);
		while (parts && parts < wanted && cut < MAX_DEPTH &&
		       runs < 20ull * wanted);
		_exit(cut);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			abort();
	if (!WIFEXITED(status) || !WEXITSTATUS(status))
		abort();
	return WEXITSTATUS(status);
}

/* Parts beside each other are alike: a shard has some of all kinds. */
static unsigned int owner(unsigned int part)
{
	uint64_t z = (part + 1) * 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	return 1 + (z >> 32) % shard.shards;
}

/* ---- following ------------------------------------------------------------------------ */

/* The graph on top, and all that it leads to. */
static enum search_end follow_part(void)
{
	int base = search->nr - 1;
	enum search_end end = SEARCH_GO_ON;

	while (end == SEARCH_GO_ON && search->nr > base)
		end = search_step();
	return end;
}

/* All there is from the root on; each part as told. */
static enum search_end walk(enum search_end (*part)(void))
{
	enum search_end end = SEARCH_GO_ON;

	set_depths(0, 0);
	while (end == SEARCH_GO_ON && search->nr) {
		int top = search->nr - 1;
		unsigned int depth = shard.depth[top];

		if (depth == shard.cut) {
			end = part();
			shard.part++;
			continue;
		}
		end = search_step();
		set_depths(top, depth + 1);
	}
	return end;
}

/* Until nothing more is learned; at_begin is told when the parts are others. */
static void walk_all(unsigned int shards, void (*at_begin)(void),
		     enum search_end (*part)(void))
{
	enum search_end end;

	shard.shards = shards;
	shard.section = 0;
	do {
		uint64_t before = shard.section;

		shard.knows = knowledge();
		shard.cut = find_cut(PARTS_PER_SHARD * shards);
		shard.section = shard.knows * 61 + shard.cut;
		if (shard.section != before && at_begin)
			at_begin();
		shard.part = 0;
		engine->res.verdict = EXPLORE_HOLDS;
		search_begin_again();
		end = walk(part);
		engine->res.restarts += end == SEARCH_LEARNED;
	} while (end == SEARCH_LEARNED);
}

/* ---- one shard ------------------------------------------------------------------------ */

static void begin_section(void)
{
	shard_file_section(search->opt->record, shard.section);
	shard.done = 0;
}

static bool is_enough(void)
{
	uint64_t max = search->opt->max_executions;

	return max && engine->res.executions >= max;
}

static enum search_end search_part(void)
{
	FILE *to = search->opt->record;
	struct record_mark since;
	uint64_t remarks;
	enum search_end end;

	if (owner(shard.part) != search->opt->shard ||
	    shard.part < shard.done) {
		search->nr--;
		return SEARCH_GO_ON;
	}
	since = record_begin();
	remarks = knowledge_remarks();
	end = follow_part();
	if (end == SEARCH_ENDS && engine->res.verdict == EXPLORE_UNDECIDED &&
	    !is_enough())
		return SEARCH_ENDS;
	/* graphs are larger now, the parts the same, if the cut is */
	if (end == SEARCH_LEARNED && knowledge() == shard.knows)
		return end;
	if (end == SEARCH_GO_ON && knowledge_remarks() == remarks) {
		shard_file_part(to, shard.part, false);
		record_write(to, &since);
	} else {
		shard_file_part(to, shard.part, true);
	}
	shard.done = shard.part + 1;
	return end;
}

void shard_search(void)
{
	walk_all(search->opt->shards, begin_section, search_part);
}

/* ---- all of them ---------------------------------------------------------------------- */

/* The limit falls within the part: what counts is where. */
static bool is_too_much(const char *record)
{
	uint64_t max = search->opt->max_executions;

	return max && engine->res.executions + record_executions(record) >= max;
}

static enum search_end merge_part(void)
{
	const char *record = NULL;
	enum shard_found found =
		shard_records_find(search->opt->records, owner(shard.part),
				   shard.section, shard.part, &record);

	if (found == SHARD_STOPPED) {
		engine->res.verdict = EXPLORE_UNDECIDED;
		search->nr--;
		return SEARCH_GO_ON;
	}
	engine->res.unshared += found == SHARD_UNKNOWN;
	if (found != SHARD_RECORD || is_too_much(record))
		return follow_part();
	if (search_out_of_budget())
		return SEARCH_ENDS;
	search->nr--;
	if (!record_take(record))
		runtime_refuse("a record of shard %u/%u says what none does; "
			       "run that shard again",
			       owner(shard.part), shard.shards);
	return SEARCH_GO_ON;
}

void shard_merge(void)
{
	walk_all(shard_records_shards(search->opt->records), NULL, merge_part);
}
