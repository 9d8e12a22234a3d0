// SPDX-License-Identifier: GPL-2.0-only
/*
 * cover.c - which code ran: a pass may mean that nothing happened.
 *
 * The compiler puts a call at the beginning of every piece of code that has no
 * branch in it. Such a call sets a bit and then, since once is enough, takes itself
 * out of the program: a search of many executions does not wait for it.
 */
#include "engine.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* what only says that an assertion fails; trapline/plain.h has the first two */
__attribute__((noreturn)) void trapline_assert_fail(const char *what,
						    const char *file,
						    unsigned int line,
						    const char *function);
__attribute__((noreturn)) void trapline_abort(void);

#define CALL 5	/* bytes of the call, which is direct */
#define GRAIN 4 /* bytes that one bit stands for: no two calls end in them */

extern char __executable_start[], etext[];
void __sanitizer_cov_trace_pc(void);

static const unsigned char nothing[CALL] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

static uint64_t *reached;

static size_t words(void)
{
	return (etext - __executable_start) / GRAIN / 64 + 1;
}

static size_t bit_of(uintptr_t pc)
{
	return (pc - (uintptr_t)__executable_start) / GRAIN;
}

static void make_room(void)
{
	if (!reached)
		reached = calloc(words(), sizeof(*reached));
	if (!reached)
		abort();
}

/* A system that forbids it gets its answer, too, only more slowly. */
static bool may_write(void)
{
	static enum { UNKNOWN, YES, NO } answer;

	if (answer == UNKNOWN)
		answer = mprotect(__executable_start,
				  etext - __executable_start,
				  PROT_READ | PROT_WRITE | PROT_EXEC)
				 ? NO
				 : YES;
	return answer == YES;
}

void __sanitizer_cov_trace_pc(void)
{
	uintptr_t pc = (uintptr_t)__builtin_return_address(0);

	if (pc >= (uintptr_t)etext)
		return;
	make_room();
	bit_set(reached, bit_of(pc));
	if (may_write())
		memcpy((void *)(pc - CALL), nothing, CALL);
}

void cover_forget(void)
{
	free(reached);
	reached = NULL;
}

bool cover_next(size_t *at, uint64_t *bits)
{
	while (reached && *at < words() && !reached[*at])
		++*at;
	if (!reached || *at >= words())
		return false;
	*bits = reached[*at];
	return true;
}

void cover_add(size_t at, uint64_t bits)
{
	make_room();
	if (at < words())
		reached[at] |= bits;
}

static bool calls(const unsigned char *insn, const void *function)
{
	int32_t distance;

	if (*insn != 0xe8)
		return false;
	memcpy(&distance, insn + 1, sizeof(distance));
	/* What it names may be anything, and no place in any object. */
	return (uintptr_t)insn + CALL + distance == (uintptr_t)function;
}

static bool was_reached(uintptr_t at)
{
	return reached && bit_test(reached, bit_of(at + CALL));
}

/* The call that a piece begins with, or what it has left. */
static bool begins_piece(uintptr_t at)
{
	const unsigned char *insn = (const void *)at;

	return calls(insn, __sanitizer_cov_trace_pc) ||
	       (was_reached(at) && !memcmp(insn, nothing, CALL));
}

/* Is the code at [low, high) there to say that an assertion fails? */
static bool only_fails(uintptr_t low, uintptr_t high)
{
	static const void *const failures[] = { trapline_assert_fail,
						trapline_abort, sim_bug,
						sim_warn };

	for (; low + CALL <= high; low++)
		for (size_t i = 0; i < sizeof(failures) / sizeof(*failures);
		     i++)
			if (calls((const void *)low, failures[i]))
				return true;
	return false;
}

void explore_pieces(uintptr_t low, uintptr_t high,
		    void (*fn)(void *arg, uintptr_t at, bool yes), void *arg)
{
	uintptr_t at = 0, next;

	if (high > (uintptr_t)etext)
		return;
	for (next = low; next + CALL <= high; next++) {
		if (!begins_piece(next))
			continue;
		if (at && !only_fails(at + CALL, next))
			fn(arg, at, was_reached(at));
		at = next;
	}
	if (at && !only_fails(at + CALL, high))
		fn(arg, at, was_reached(at));
}
