// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwind.c - the stack at a hit, as it would be without probes.
 *
 * libunwind walks it, over accessors of ours: registers are those of the hit,
 * patched text reads as it was, and where a return address is ours, the true
 * one is read: that of a word on the stack, since the same value stands in many.
 * What libunwind has worked out for an address is kept until the mappings
 * change, and so are names.
 */
#include <libunwind.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uthash.h>

#include "machine.h"
#include "modules.h"
#include "regs.h"
#include "symbols.h"
#include "tracee.h"

/* Not in its headers, but made for those who know where a table is. */
#define search_table UNW_OBJ(dwarf_search_unwind_table)
extern int search_table(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di,
			unw_proc_info_t *pi, int need_unwind_info, void *arg);

#define PAGE 4096ul
#define NR_PAGES 64

/*
 * Addresses that no program has: a module's table that is not in its memory
 * reads as if it were here.
 */
#define TABLES (1ul << 63)

struct page {
	unsigned long start; /* 0: nothing was read */
	unsigned char bytes[PAGE];
};

struct name {
	unsigned long addr;
	struct live_frame frame;
	UT_hash_handle hh;
};

/* Of an address space. */
struct live_unwind {
	unw_addr_space_t as;
	struct modules *modules;
	unsigned int scans; /* of the mm when they were looked at */
	struct name *names;
	struct page page[NR_PAGES];
	/* Of the walk that is being done. */
	bool renewed; /* what was found before it is gone */
	struct live_task *task;
	const struct pt_regs *regs;
	const struct module *module; /* whose table is at TABLES */
};

/* ---- mappings ---------------------------------------------------------------- */

static void forget(struct live_unwind *u)
{
	struct name *n, *next;

	if (u->modules)
		modules_free(u->modules);
	u->modules = NULL;
	HASH_ITER(hh, u->names, n, next) {
		HASH_DEL(u->names, n);
		free(n);
	}
	unw_flush_cache(u->as, 0, 0);
}

static void renew(struct live_unwind *u)
{
	if (u->modules && modules_current(u->modules, u->task->tid))
		return;
	forget(u);
	u->modules = modules_read(u->task->tid, u->task->mm->mem);
	u->renewed = true;
}

/* NULL: not code. Mapped without the dynamic linker, it is looked for anew. */
static const struct module_text *text_at(struct live_unwind *u,
					 unsigned long addr)
{
	const struct module_text *text;

	text = u->modules ? modules_find(u->modules, addr) : NULL;
	if (text || u->renewed)
		return text;
	renew(u);
	return u->renewed && u->modules ? modules_find(u->modules, addr) : NULL;
}

/* ---- memory ----------------------------------------------------------------------- */

static const struct page *page_at(struct live_unwind *u, unsigned long start)
{
	struct page *p = &u->page[start / PAGE % NR_PAGES];

	if (p->start == start)
		return p;
	p->start = 0;
	if (pread(u->task->mm->mem, p->bytes, PAGE, start) != PAGE)
		return NULL;
	p->start = start;
	return p;
}

/* The true return address behind ours at `slot`. */
static void undo_return(struct live_unwind *u, unsigned long slot,
			unsigned long *value)
{
	unsigned long orig;

	if (*value && *value == u->task->mm->xol &&
	    live_return_at(u->task, slot, &orig))
		*value = orig;
}

static int read_word(struct live_unwind *u, unsigned long addr,
		     unsigned long *value)
{
	const struct live_mm *mm = u->task->mm;
	unsigned long in_page = addr % PAGE, table_bytes;
	const struct page *p;

	if (addr >= TABLES) {
		addr -= TABLES;
		table_bytes = 2 * sizeof(int) * u->module->nr_table;
		if (addr + sizeof(*value) > table_bytes)
			return -UNW_EINVAL;
		memcpy(value, (char *)u->module->table + addr, sizeof(*value));
		return 0;
	}
	if (in_page > PAGE - sizeof(*value)) {
		if (machine_read(mm->mm, addr, value, sizeof(*value)))
			return -UNW_EINVAL;
	} else {
		p = page_at(u, addr - in_page);
		if (!p)
			return -UNW_EINVAL;
		memcpy(value, p->bytes + in_page, sizeof(*value));
	}
	live_patch_hide(mm, addr, value, sizeof(*value));
	undo_return(u, addr, value);
	return 0;
}

static bool peek(void *arg, unsigned long addr, unsigned long *value)
{
	return !read_word(arg, addr, value);
}

/* ---- libunwind's accessors ------------------------------------------------------------ */

static int access_mem(unw_addr_space_t as, unw_word_t addr, unw_word_t *value,
		      int write, void *arg)
{
	return write ? -UNW_EINVAL : read_word(arg, addr, value);
}

static int access_reg(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *value,
		      int write, void *arg)
{
	struct live_unwind *u = arg;
	const unsigned long *at = regs_unwound(u->regs, reg);

	if (write || !at)
		return -UNW_EBADREG;
	*value = *at;
	undo_return(u, regs_frame(u->regs), value);
	return 0;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t reg,
			unw_fpreg_t *value, int write, void *arg)
{
	return -UNW_EBADREG;
}

static int find_proc_info(unw_addr_space_t as, unw_word_t ip,
			  unw_proc_info_t *pi, int need_unwind_info, void *arg)
{
	struct live_unwind *u = arg;
	const struct module_text *text = text_at(u, ip);
	const struct module *m = text ? text->module : NULL;
	unw_dyn_info_t di = { .format = UNW_INFO_FORMAT_REMOTE_TABLE };

	if (!m || !m->nr_table)
		return -UNW_ENOINFO;
	u->module = m;
	di.start_ip = text->start;
	di.end_ip = text->end;
	di.u.rti.segbase = m->base;
	di.u.rti.table_data = m->table ? TABLES : m->table_addr;
	di.u.rti.table_len = m->nr_table * 2 * sizeof(int) / sizeof(long);
	return search_table(as, ip, &di, pi, need_unwind_info, arg);
}

static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
}

static int get_dyn_info_list_addr(unw_addr_space_t as, unw_word_t *list,
				  void *arg)
{
	return -UNW_ENOINFO;
}

static int resume(unw_addr_space_t as, unw_cursor_t *c, void *arg)
{
	return -UNW_EINVAL;
}

static int get_proc_name(unw_addr_space_t as, unw_word_t ip, char *name,
			 size_t size, unw_word_t *offset, void *arg)
{
	return -UNW_ENOINFO;
}

static struct live_unwind *unwind_new(void)
{
	static unw_accessors_t accessors = {
		.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = get_dyn_info_list_addr,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = access_fpreg,
		.resume = resume,
		.get_proc_name = get_proc_name,
	};
	struct live_unwind *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->as = unw_create_addr_space(&accessors, 0);
	if (!u->as) {
		free(u);
		return NULL;
	}
	unw_set_caching_policy(u->as, UNW_CACHE_GLOBAL);
	return u;
}

void live_unwind_free(struct live_mm *mm)
{
	struct live_unwind *u = mm->unwind;

	if (!u)
		return;
	forget(u);
	unw_destroy_addr_space(u->as);
	free(u);
	mm->unwind = NULL;
}

/* ---- names ---------------------------------------------------------------------------- */

static void look_up(const struct module_text *text, unsigned long addr,
		    struct live_frame *f)
{
	struct symbols *syms;
	struct symbol_text sym;

	if (!text->module)
		return;
	f->file = text->module->path;
	f->offset = addr - text->start + text->off;
	syms = module_symbols(text->module);
	if (!syms || !symbols_function_at(syms, f->offset, &sym) || !sym.name)
		return;
	f->symbol = sym.name;
	f->offset -= sym.offset;
}

/* The frame's code is at addr; false if none is. */
static bool name(struct live_unwind *u, unsigned long addr,
		 struct live_frame *out)
{
	const struct module_text *text;
	struct name *n;

	text = text_at(u, addr);
	if (!text)
		return false;
	HASH_FIND(hh, u->names, &addr, sizeof(addr), n);
	if (!n) {
		n = calloc(1, sizeof(*n));
		if (!n)
			return false;
		n->addr = addr;
		look_up(text, addr, &n->frame);
		HASH_ADD(hh, u->names, addr, sizeof(addr), n);
	}
	*out = n->frame;
	return true;
}

/* ---- the walk ------------------------------------------------------------------------- */

static bool has_unwind_info(struct live_unwind *u, unsigned long ip)
{
	unw_proc_info_t pi;

	return !find_proc_info(u->as, ip, &pi, 0, u);
}

/*
 * A function of no unwind information, at its first instruction: libunwind would
 * believe in a frame pointer, but the return address is where a call leaves it.
 */
static bool step_out(struct live_unwind *u, const struct live_frame *f,
		     struct pt_regs *regs)
{
	unsigned long frame = regs_frame(regs), ip;

	if (!f->symbol || f->offset ||
	    has_unwind_info(u, arch_native->get_ip(regs)) ||
	    !regs_leave(regs, peek, u))
		return false;
	ip = arch_native->get_ip(regs);
	undo_return(u, frame, &ip);
	arch_native->set_ip(regs, ip);
	return true;
}

/* What a signal handler returns to. */
static bool is_sigreturn(struct live_unwind *u, unsigned long ip)
{
	unsigned long word[2];

	return !read_word(u, ip, &word[0]) && !read_word(u, ip + 8, &word[1]) &&
	       !memcmp(word, regs_abi.sigreturn, regs_abi.sigreturn_len);
}

static unsigned int walk(struct live_unwind *u, struct pt_regs *regs,
			 bool exact, struct live_frame *frame, unsigned int max)
{
	bool is_signal, more;
	unw_word_t ip, sp;
	unsigned int n = 0;
	unw_cursor_t c;

	more = max && !unw_init_remote(&c, u->as, u);
	while (more) {
		unw_get_reg(&c, UNW_REG_IP, &ip);
		unw_get_reg(&c, UNW_REG_SP, &sp);
		/* Such a frame was made by the kernel, not by a call. */
		is_signal = is_sigreturn(u, ip);
		exact |= is_signal;
		/* Not code: it was garbage that led here. */
		if (!name(u, ip - !exact, &frame[n]))
			break;
		frame[n].ip = ip;
		frame[n].offset += !exact;
		if (++n == max)
			break;
		if (is_signal)
			more = regs_interrupted(regs, sp, peek, u) &&
			       !unw_init_remote(&c, u->as, u);
		else
			more = unw_step(&c) > 0;
		/* Nor was what it interrupted. */
		exact = is_signal;
	}
	return n;
}

static unsigned int walk_from_hit(struct live_unwind *u,
				  const struct live_hit *hit,
				  struct live_frame *frame, unsigned int max)
{
	struct pt_regs regs = *hit->regs;
	/* At a return, ip is behind the call, perhaps in the next function. */
	unsigned long ip = arch_native->get_ip(&regs);
	bool exact = hit->addr == ip;

	u->regs = &regs;
	if (!exact || !name(u, ip, frame))
		return walk(u, &regs, exact, frame, max);
	frame->ip = ip;
	if (step_out(u, frame, &regs))
		return 1 + walk(u, &regs, false, frame + 1, max - 1);
	return walk(u, &regs, exact, frame, max);
}

unsigned int live_hit_stack(const struct live_hit *hit,
			    struct live_frame *frame, unsigned int max)
{
	struct live_task *t = live_self();
	struct live_unwind *u;
	unsigned int i, n;

	if (!t->mm->unwind)
		t->mm->unwind = unwind_new();
	u = t->mm->unwind;
	if (!u || !max)
		return 0;
	u->task = t;
	for (i = 0; i < NR_PAGES; i++)
		u->page[i].start = 0;
	if (u->scans != t->mm->scans)
		renew(u);
	u->scans = t->mm->scans;
	u->renewed = false;
	n = walk_from_hit(u, hit, frame, max);
	/* Once: names of frames that were found before may be gone. */
	if (u->renewed)
		n = walk_from_hit(u, hit, frame, max);
	return n;
}
