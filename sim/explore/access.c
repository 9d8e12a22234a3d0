// SPDX-License-Identifier: GPL-2.0-only
/*
 * access.c - accesses that the compiler's code announces and then performs itself.
 *
 * A read puts the values that the graph chose in place; the code that follows picks
 * them up. A store is let happen first: no other thread runs until the next call,
 * which finds the bytes in memory and makes them operations. That is program order
 * all the same, since every operation is such a call.
 *
 *	announced	what the code does		operations
 *	write d		d = value			write d
 *	write d		d = d & ~mask | bits		read d, write d
 *	write d, read s	d = s (a structure)		read s, write d
 *
 * Which it is depends on the place in the code (sites.h). An access to several
 * pieces of memory is several operations, others may come in between; but all are
 * read before any is put in place, and all are fetched before any is written.
 *
 * On real memory, one operation at a time, what the code sees or writes for itself
 * must not be seen by others: it is undone when the next call comes.
 */
#include "hook.h"

#include "sites.h"

#include <stdlib.h>

static struct thread *self(void)
{
	return &engine->t[engine->cur];
}

static uint8_t *room_for(struct bytes *b, size_t size)
{
	if (b->room < size) {
		free(b->v);
		b->room = size < 64 ? 64 : size;
		b->v = malloc(b->room);
		if (!b->v)
			abort();
	}
	return b->v;
}

static unsigned int within_word(uintptr_t addr, size_t size)
{
	unsigned int n = 8 - (addr & 7);

	return n < size ? n : size;
}

/* ---- what others must not see --------------------------------------------------- */

static void save(struct undo *u, uintptr_t addr, size_t size)
{
	if (engine->mode != RUN_SEQUENTIAL)
		return;
	memcpy(room_for(&u->old, size), (void *)addr, size);
	u->addr = addr;
	u->size = size;
}

static void undo(struct thread *t)
{
	for (int i = 0; i < 2; i++) {
		if (t->undo[i].size)
			memcpy((void *)t->undo[i].addr, t->undo[i].old.v,
			       t->undo[i].size);
		t->undo[i].size = 0;
	}
}

/* ---- stores ------------------------------------------------------------------------ */

static void write_pieces(const struct store *s, const uint8_t *value)
{
	for (size_t done = 0; done < s->size;) {
		uintptr_t addr = s->addr + done;
		struct request q;

		if (hook_prepare(&q, addr, within_word(addr, s->size - done),
				 LOCATE_WRITE, s->pc)) {
			hook_describe(&q, EV_WRITE, OP_WRITE | s->marks,
				      s->size);
			memcpy(&q.ev.val, value + done, q.ev.size);
			runtime_point(&q);
		} else if (q.touch) {
			memory_touch(addr);
		}
		done += q.ev.size;
	}
}

void access_settle_store(void)
{
	struct thread *t = self();
	struct store s;
	uint8_t *value;

	if (t->store.state == STORE_NONE)
		undo(t);
	if (t->store.state != STORE_OPEN)
		return;
	s = t->store;
	t->store.state = STORE_NONE;
	if (s.code->kind == SITE_COPY && !s.copied)
		runtime_fail(FIND_UNSUPPORTED, NULL, 0,
			     "a store is not where the compiler announced it");
	value = room_for(&t->bytes, s.size);
	memcpy(value, (void *)s.addr, s.size);
	undo(t);
	write_pieces(&s, value);
}

void access_forget(void)
{
	self()->store.state = STORE_NONE;
	undo(self());
}

/* ---- reads -------------------------------------------------------------------------- */

static void read_in_place(uintptr_t addr, size_t size, unsigned int marks,
			  const void *pc)
{
	struct thread *t = self();
	uint8_t *value = room_for(&t->bytes, size);
	bool any = false, one = false;

	for (size_t done = 0; done < size;) {
		uintptr_t at = addr + done;
		struct request q;
		uint64_t v;

		if (hook_prepare(&q, at, within_word(at, size - done),
				 LOCATE_READ, pc)) {
			hook_describe(&q, EV_READ, OP_READ | marks, size);
			v = runtime_point(&q);
			memcpy(value + done, &v, q.ev.size);
			any = true;
		} else if (q.touch) {
			memory_touch(at);
		}
		one = q.ev.size == size;
		if (!one && !q.ev.addr)
			memcpy(value + done, (void *)at, q.ev.size);
		done += q.ev.size;
	}
	if (!any || (one && engine->mode == RUN_SEQUENTIAL))
		return; /* memory shows it already */
	save(&t->undo[1], addr, size);
	memcpy((void *)addr, value, size);
}

/* ---- announcements ------------------------------------------------------------------- */

/* Is any of it more than the thread's own business? */
static bool matters(uintptr_t addr, size_t size, const void *pc)
{
	for (size_t done = 0; done < size;) {
		uintptr_t at = addr + done;
		struct request q;

		if (hook_prepare(&q, at, within_word(at, size - done),
				 LOCATE_WRITE, pc) ||
		    q.touch)
			return true;
		done += q.ev.size;
	}
	return false;
}

static void on_found(struct site_code *code)
{
	/* what was there before the store was not read: once more */
	if (code->kind == SITE_PART && engine->mode == RUN_SEARCH &&
	    !engine->stop)
		engine->stop = STOP_RESTART;
}

static void announce_write(uintptr_t addr, size_t size, unsigned int marks,
			   const void *pc)
{
	struct thread *t = self();
	struct site_code *code;

	if (!matters(addr, size, pc))
		return;
	code = site_at(pc);
	if (code->kind == SITE_PART)
		read_in_place(addr, size, marks, pc);
	/* a restored read comes last: it was saved before it was put in place */
	save(&t->undo[0], addr, size);
	t->store = (struct store){ .state = STORE_OPEN,
				   .marks = marks,
				   .addr = addr,
				   .size = size,
				   .pc = pc,
				   .code = code };
	if (code->kind == SITE_NEW)
		site_watch(code, addr, size, on_found);
}

static void announce_read(uintptr_t addr, size_t size, unsigned int marks,
			  const void *pc)
{
	struct thread *t = self();
	struct store *s = &t->store;

	if (s->state != STORE_OPEN || s->code->kind != SITE_COPY || s->copied) {
		access_settle();
		read_in_place(addr, size, marks, pc);
		return;
	}
	s->state = STORE_READS;
	undo(t);
	read_in_place(addr, size, marks, pc);
	save(&t->undo[0], s->addr, s->size);
	s->state = STORE_OPEN;
	s->copied = true;
}

void hook_access(uintptr_t addr, size_t size, bool write, bool plain,
		 const void *pc)
{
	unsigned int marks;

	if (!engine || engine->cur < 0)
		return;
	marks = plain ? hook_plain() : 0;
	if (write) {
		access_settle();
		announce_write(addr, size, marks, pc);
	} else {
		announce_read(addr, size, marks, pc);
	}
}
