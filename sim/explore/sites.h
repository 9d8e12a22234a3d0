/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sites.h - what the compiler's code does after it has announced a store.
 *
 * A call to __tsan_write says that memory is about to be written, not when or
 * what else the code does first. That is a property of the place in the code, and
 * it is found out by watching the processor there, once.
 */
#ifndef SIM_EXPLORE_SITES_H
#define SIM_EXPLORE_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum site_kind {
	SITE_NEW,   /* not watched yet */
	SITE_WHOLE, /* writes all that was announced before its next call */
	SITE_PART,  /* reads it first, or leaves some as it is: a bit-field */
	SITE_COPY,  /* announces a read first, then copies */
};

struct site_code {
	uintptr_t pc; /* the announcement returns there */
	enum site_kind kind;
};

/* The place that an announcement returns to; lives until the program ends. */
struct site_code *site_at(const void *pc);

/*
 * From the return to `pc` on, watch the code until its next call, while it
 * writes [addr, addr + size). Fills code->kind, and calls found(code) if that
 * says more than SITE_WHOLE.
 */
void site_watch(struct site_code *code, uintptr_t addr, size_t size,
		void (*found)(struct site_code *code));

/* Take the signal that watching needs. -errno. */
int site_init(void);

#endif /* SIM_EXPLORE_SITES_H */
