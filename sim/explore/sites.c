// SPDX-License-Identifier: GPL-2.0-only
/*
 * sites.c - what the compiler's code does after it has announced a store.
 *
 * gcc announces the store of a statement first, then its load, then performs both;
 * only statements that copy a structure have both. A bit-field is announced as the
 * whole unit that it lies in, of which the code reads some and writes some. So at
 * the first visit the processor traps at each instruction up to the next call, which
 * is decoded just before it runs, with its registers at hand: no address is guessed.
 */
#include "sites.h"
#include "sites_cpu.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INSNS 100000 /* a `rep` traps once per element */

/* ---- the table ----------------------------------------------------------------- */

/* Entries never move: the table holds pointers. */
static struct {
	struct site_code **slot;
	size_t size, used;
} table;

static struct site_code **find(struct site_code **slot, size_t size,
			       uintptr_t pc)
{
	size_t i = (pc * 0x9e3779b97f4a7c15ull) >> 20;

	while (slot[i & (size - 1)] && slot[i & (size - 1)]->pc != pc)
		i++;
	return &slot[i & (size - 1)];
}

static void grow(void)
{
	size_t size = table.size ? 2 * table.size : 256;
	struct site_code **slot = calloc(size, sizeof(*slot));

	if (!slot)
		abort();
	for (size_t i = 0; i < table.size; i++)
		if (table.slot[i])
			*find(slot, size, table.slot[i]->pc) = table.slot[i];
	free(table.slot);
	table.slot = slot;
	table.size = size;
}

struct site_code *site_at(const void *pc)
{
	struct site_code **s;

	if (2 * table.used >= table.size)
		grow();
	s = find(table.slot, table.size, (uintptr_t)pc);
	if (*s)
		return *s;
	*s = calloc(1, sizeof(**s));
	if (!*s)
		abort();
	(*s)->pc = (uintptr_t)pc;
	table.used++;
	return *s;
}

/* ---- watching -------------------------------------------------------------------- */

static struct {
	struct site_code *code; /* NULL: nothing is watched */
	void (*found)(struct site_code *code);
	uintptr_t addr;
	size_t size, covered;
	uint8_t *done; /* bytes written so far */
	size_t room;
	bool reads; /* what it has not written */
	unsigned int insns;
} watch;

static void note_access(uintptr_t addr, size_t size, bool reads, bool writes)
{
	for (size_t i = 0; i < size; i++) {
		size_t at = addr + i - watch.addr;

		if (addr + i < watch.addr || at >= watch.size)
			continue;
		if (reads && !watch.done[at])
			watch.reads = true;
		if (writes && !watch.done[at]) {
			watch.done[at] = true;
			watch.covered++;
		}
	}
}

static void conclude(void)
{
	struct site_code *code = watch.code;

	watch.code = NULL;
	code->kind = watch.reads		   ? SITE_PART
		     : watch.covered == watch.size ? SITE_WHOLE
		     : watch.covered		   ? SITE_PART
						   : SITE_COPY;
	if (code->kind != SITE_WHOLE)
		watch.found(code);
}

static void on_trap(int sig, siginfo_t *si, void *context)
{
	(void)sig;
	(void)si;
	if (watch.code && ++watch.insns < MAX_INSNS &&
	    cpu_look(context, note_access) && watch.covered < watch.size) {
		cpu_step(context);
		return;
	}
	cpu_stop(context);
	if (watch.code)
		conclude();
}

void site_watch(struct site_code *code, uintptr_t addr, size_t size,
		void (*found)(struct site_code *code))
{
	if (watch.room < size) {
		free(watch.done);
		watch.room = size;
		watch.done = malloc(size);
		if (!watch.done)
			abort();
	}
	memset(watch.done, 0, size);
	watch.found = found;
	watch.addr = addr;
	watch.size = size;
	watch.covered = watch.insns = 0;
	watch.reads = false;
	watch.code = code;
	cpu_watch(code->pc);
}

int site_init(void)
{
	struct sigaction sa = { .sa_sigaction = on_trap,
				.sa_flags = SA_SIGINFO | SA_NODEFER |
					    SA_ONSTACK };
	sigset_t trap;

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	if (sigaction(SIGTRAP, &sa, NULL) ||
	    sigprocmask(SIG_UNBLOCK, &trap, NULL))
		return -errno;
	return 0;
}
