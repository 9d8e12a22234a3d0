// SPDX-License-Identifier: GPL-2.0-only
/*
 * returns.c - where the return addresses are that are ours.
 *
 * On x86-64 each is in the word in which the call has left it, which the model
 * knows. Behind a link register that is the register, and then wherever the
 * function has saved it: some word between the innermost of the stack and the
 * start of the function's frame. So such words are looked for. What is left of
 * calls that are over is found as well; in place of that the true address does
 * no harm.
 *
 * A call inside that has its own address replaced has a frame of its own, further
 * in: a word belongs to the innermost call whose frame starts behind it.
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "regs.h"
#include "tracee.h"

#define CHUNK 64 /* words that are read together */
#define FAR \
	(64 * 1024ul) /* less than that is between a frame and another stack */

/*
 * The call that a word belongs to; false: none. *outwards is how many are
 * followed from it on, itself included.
 */
static bool call_of(const struct live_task *t, unsigned long at,
		    unsigned long *orig, unsigned int *outwards)
{
	unsigned long slot, one, best = ~0ul;
	void *cursor = NULL;

	*outwards = 0;
	while (sim_ret_next(t->task, &cursor, &slot, &one)) {
		++*outwards;
		if (slot < at || slot >= best)
			continue;
		best = slot;
		*orig = one;
		*outwards = 1;
	}
	return best != ~0ul;
}

bool live_return_at(const struct live_task *t, unsigned long at,
		    unsigned long *orig)
{
	unsigned long slot;
	unsigned int outwards;
	void *cursor = NULL;

	if (arch_native->link_register)
		return call_of(t, at, orig, &outwards);
	while (sim_ret_next(t->task, &cursor, &slot, orig))
		if (at == slot)
			return true;
	return false;
}

/* Where the frames of the call end that has `slot`: at the next, or here. */
static unsigned long innermost(const struct live_task *t, unsigned long slot)
{
	unsigned long other, orig, at = 0;
	void *cursor = NULL;

	while (sim_ret_next(t->task, &cursor, &other, &orig))
		if (other < slot && other >= at)
			at = other + sizeof(long);
	other = arch_native->get_sp(&t->regs) & -sizeof(long);
	return other <= slot && other > at ? other : at;
}

static void search(const struct live_task *t, unsigned long at,
		   unsigned long slot, unsigned long orig,
		   void (*fn)(void *arg, unsigned long at, unsigned long orig),
		   void *arg)
{
	unsigned long word[CHUNK], i, n;

	for (; at <= slot; at += n * sizeof(long)) {
		n = (slot - at) / sizeof(long) + 1;
		n = n < CHUNK ? n : CHUNK;
		if (machine_read(t->mm->mm, at, word, n * sizeof(long))) {
			/* What is in between is no stack. */
			if (slot - at > FAR)
				at = slot - FAR;
			continue;
		}
		for (i = 0; i < n; i++)
			if (word[i] == t->mm->xol)
				fn(arg, at + i * sizeof(long), orig);
	}
}

/* Of calls with one slot, tail calls, the innermost has all. */
void live_returns_each(const struct live_task *t,
		       void (*fn)(void *arg, unsigned long at,
				  unsigned long orig),
		       void *arg)
{
	unsigned long slot, orig, before = 0;
	void *cursor = NULL;

	if (!arch_native->link_register || !t->mm->xol)
		return;
	while (sim_ret_next(t->task, &cursor, &slot, &orig)) {
		if (slot != before)
			search(t, innermost(t, slot), slot, orig, fn, arg);
		before = slot;
	}
}

bool live_return_in_register(const struct live_task *t, struct pt_regs *regs)
{
	unsigned long orig;

	if (!arch_native->link_register || !t->mm->xol ||
	    arch_native->get_lr(regs) != t->mm->xol ||
	    !live_return_at(t, regs_frame(regs), &orig))
		return false;
	arch_native->set_lr(regs, orig);
	return true;
}

/* ---- true ones, and ours again -------------------------------------------------- */

static void reveal(void *arg, unsigned long at, unsigned long orig)
{
	struct live_task *t = arg;
	struct live_return *bigger;

	bigger = realloc(t->revealed, (t->nr_revealed + 1) * sizeof(*bigger));
	if (bigger) {
		t->revealed = bigger;
		bigger[t->nr_revealed++] = (struct live_return){ at, orig };
	}
	machine_write(t->mm->mm, at, &orig, sizeof(orig));
}

void live_returns_reveal(struct live_task *t)
{
	live_returns_each(t, reveal, t);
	live_return_in_register(t, &t->regs);
}

static bool is_still(const struct live_task *t, const struct live_return *r,
		     unsigned int *outwards)
{
	unsigned long now, orig;

	return call_of(t, r->at, &orig, outwards) && orig == r->orig &&
	       !machine_read(t->mm->mm, r->at, &now, sizeof(now)) &&
	       now == r->orig;
}

void live_returns_hide(struct live_task *t, unsigned int except)
{
	struct live_return *r = t->revealed;
	unsigned int i, kept = 0, outwards;

	for (i = 0; i < t->nr_revealed; i++) {
		if (!is_still(t, &r[i], &outwards))
			continue;
		if (outwards > except)
			machine_write(t->mm->mm, r[i].at, &t->mm->xol,
				      sizeof(t->mm->xol));
		else
			r[kept++] = r[i];
	}
	t->nr_revealed = kept;
}
