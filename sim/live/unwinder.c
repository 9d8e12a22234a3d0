// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwinder.c - the program's own unwinders find the stack as it would be
 * without return probes.
 *
 * Exceptions, pthread_exit, cancellation, backtrace() read return addresses, of
 * which some are ours. So probes of our own sit at the entry of the functions
 * that read them, found by symbol in whatever file is mapped. From there on all
 * return addresses of the thread are the true ones; where the function leaves,
 * by its return or into a frame further out, those of the frames that are left
 * become ours again. A frame that an unwinder has skipped will not return.
 *
 * Unwinders nest: what they call may use another, and so may a signal handler.
 * Nothing of what an outer one still has to read is hidden before it is over.
 * One that was left in a way that we did not see (longjmp) is over as soon as
 * the thread runs into a probe with less on its stack.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "regs.h"
#include "symbols.h"
#include "tracee.h"

/*
 * Of GCC, whose names LLVM and libunwind use, too; the inner one reads its own
 * return address. Then of those two: their direct use, and how they leave; more
 * of these have the processor in their name.
 */
#define MAX_ENTRIES 32
static const char *const names[] = {
	"_Unwind_RaiseException",
	"_Unwind_Resume",
	"_Unwind_Resume_or_Rethrow",
	"_Unwind_ForcedUnwind",
	"_Unwind_Backtrace",
	"uw_init_context_1",
	"unw_getcontext",
	"unw_step",
	"unw_resume",
	"unw_backtrace",
	"__unw_getcontext",
	"__unw_step",
	"__unw_resume",
};

/* ---- a thread in one ---------------------------------------------------------- */

/* Signal handlers may have a stack of their own. */
static bool same_stack(struct live_task *t, unsigned long a, unsigned long b)
{
	FILE *maps = live_map_open(t->tid);
	struct live_map map;
	bool same = false;

	while (maps && !same && live_map_next(maps, &map))
		same = map.start <= a && a < map.end && map.start <= b &&
		       b < map.end;
	if (maps)
		fclose(maps);
	return same;
}

static unsigned int depth_of_top(const struct live_task *t)
{
	return t->nr_unwinding ? t->unwinding[t->nr_unwinding - 1].depth : 0;
}

static void hide(struct live_task *t)
{
	sim_ret_hide(depth_of_top(t));
	live_returns_hide(t, depth_of_top(t));
}

/*
 * The thread is, or will be with its next instruction, where its stack is sp.
 * Those that ran deeper in it are over.
 */
static void now_at(struct live_task *t, unsigned long sp)
{
	const struct live_unwinding *top;
	unsigned long innermost = 0;

	while (t->nr_unwinding) {
		top = &t->unwinding[t->nr_unwinding - 1];
		if (top->sp >= sp || !same_stack(t, top->sp, sp))
			break;
		if (!innermost)
			innermost = top->sp;
		t->nr_unwinding--;
	}
	if (!innermost)
		return;
	sim_ret_forget(innermost, sp, live_probes_left);
	hide(t);
}

/* Handlers of our probes, on the thread's fibre. */

static void enters(void *arg, struct pt_regs *regs)
{
	live_self()->enters_unwinder = regs_frame(regs);
}

/* To its caller; its own return address may be one that is to be ours. */
static void returns(void *arg, struct pt_regs *regs)
{
	unsigned long frame = regs_frame(regs);
	struct live_task *t = live_self();

	if (t->nr_unwinding && t->unwinding[t->nr_unwinding - 1].sp == frame) {
		t->nr_unwinding--;
		hide(t);
	} else {
		now_at(t, frame + sizeof(long));
	}
}

/* Into a frame further out; or by a table, in itself. */
static void jumps(void *arg, struct pt_regs *regs)
{
	now_at(live_self(), arch_native->get_sp(regs));
}

void live_unwinder_settle(struct live_task *t)
{
	if (t->nr_unwinding)
		now_at(t, arch_native->get_sp(&t->regs));
}

void live_unwinder_enter(struct live_task *t)
{
	unsigned long sp = t->enters_unwinder;
	struct live_unwinding *top = &t->unwinding[t->nr_unwinding];
	unsigned int depth;

	if (!sp)
		return;
	t->enters_unwinder = 0;
	depth = sim_ret_reveal();
	live_returns_reveal(t);
	/* One that jumps to another becomes that one. */
	if (t->nr_unwinding && top[-1].sp == sp)
		top[-1].depth = depth;
	else if (t->nr_unwinding < LIVE_MAX_UNWINDING)
		t->unwinding[t->nr_unwinding++] =
			(struct live_unwinding){ sp, depth };
}

/* ---- where they are ---------------------------------------------------------------- */

static bool wanted(void)
{
	unsigned int i;

	for (i = 0; i < live.config->nr_probes; i++)
		if (live.config->probes[i].ret)
			return true;
	return false;
}

static void add(struct live_file *f, unsigned long offset,
		void (*handler)(void *arg, struct pt_regs *regs))
{
	struct sim_probe **bigger;
	int err;

	bigger = realloc(f->unwinder, (f->nr_unwinder + 1) * sizeof(*bigger));
	if (!bigger)
		return;
	f->unwinder = bigger;
	bigger += f->nr_unwinder;
	*bigger = sim_probe_add(f->inode, offset, 0, handler, NULL, NULL, &err);
	if (*bigger)
		f->nr_unwinder++;
}

/* At the instructions by which a function can be left. */
static void add_exits(struct live_file *f, struct symbols *syms,
		      const struct symbol *sym)
{
	unsigned char bytes[ARCH_INSN_MAX];
	struct arch_insn insn;
	unsigned long at;
	long n;

	for (at = sym->offset; at < sym->offset + sym->size; at += insn.len) {
		n = symbols_read(syms, at, bytes, sizeof(bytes));
		arch_native->analyze(bytes, n > 0 ? n : 0, &insn);
		if (!insn.len)
			return;
		switch (regs_exit(bytes)) {
		case REGS_RETURNS:
			add(f, at, returns);
			break;
		case REGS_JUMPS:
			add(f, at, jumps);
			break;
		case REGS_STAYS:
			break;
		}
	}
}

static const char *name(unsigned int i)
{
	enum { NR = sizeof(names) / sizeof(*names) };

	return i < NR ? names[i] : regs_abi.unwinders[i - NR];
}

/* Several names may be one function's. */
static void add_all(const char *path, struct symbols *syms)
{
	unsigned long offset[MAX_ENTRIES];
	unsigned int i, j, n = 0;
	struct live_file *f;
	struct symbol sym;

	for (i = 0; name(i) && n < MAX_ENTRIES; i++) {
		if (!symbols_find(syms, name(i), &sym) || !sym.code)
			continue;
		for (j = 0; j < n && offset[j] != sym.offset; j++)
			;
		f = j == n ? live_file_get(path) : NULL;
		if (!f)
			continue;
		offset[n++] = sym.offset;
		add(f, sym.offset, enters);
		add_exits(f, syms, &sym);
	}
}

/* Files that have been looked at. */
struct seen {
	struct seen *next;
	dev_t dev;
	ino_t ino;
};

static bool is_new(const struct live_map *map)
{
	static struct seen *seen;
	struct seen *s;

	for (s = seen; s; s = s->next)
		if (s->dev == map->dev && s->ino == map->ino)
			return false;
	s = malloc(sizeof(*s));
	if (!s)
		return false;
	*s = (struct seen){ seen, map->dev, map->ino };
	seen = s;
	return true;
}

void live_unwinder_map(const struct live_map *map)
{
	struct symbols *syms;
	struct stat st;

	if (!wanted() || !is_new(map) || stat(map->path, &st) ||
	    st.st_ino != map->ino)
		return;
	syms = symbols_open(map->path);
	if (!syms)
		return;
	add_all(map->path, syms);
	symbols_close(syms);
}

void live_unwinder_del(struct live_file *f)
{
	while (f->nr_unwinder)
		sim_probe_del(f->unwinder[--f->nr_unwinder]);
	free(f->unwinder);
	f->unwinder = NULL;
}
