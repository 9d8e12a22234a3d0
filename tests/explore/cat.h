/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cat.h - the data races of one execution, as linux-kernel.cat defines them.
 *
 * Each relation of the model is a matrix, made from the others as the model says. No
 * part of the engine is used.
 */
#ifndef TESTS_EXPLORE_CAT_H
#define TESTS_EXPLORE_CAT_H

#include <stdbool.h>
#include <stdint.h>

#define CAT_EVENTS 64

/* In the order of their threads; a thread's own in program order. */
struct cat_event {
	enum cat_kind {
		CAT_READ,
		CAT_WRITE,
		CAT_MB,
		CAT_RMB,
		CAT_WMB,
		CAT_ACQUIRE, /* C11's fences: of marked accesses on this side */
		CAT_RELEASE, /* ... on the other */
	} kind;
	int thread, loc;
	bool plain, acquire, release;
	bool half; /* the read of an RMW that writes: its write comes next */
	bool full; /* either half of one with a full barrier on both sides */
	int rf;	   /* of a read: which event, or -1 */
	int rank;  /* of a write: its place in coherence order, from 1 */
};

/* What a pair of conflicting events, at least one of them plain, is. */
enum cat_pair { CAT_NONE, CAT_ORDERED, CAT_WW, CAT_WR, CAT_RW, CAT_PAIRS };

void cat_look(const struct cat_event *e, int n);
/* Of those, after that. */
enum cat_pair cat_pair(int x, int y);

#endif /* TESTS_EXPLORE_CAT_H */
