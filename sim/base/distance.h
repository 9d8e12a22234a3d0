/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * distance.h - how far apart two words are, to guess what a user meant.
 *
 * Context: any; thread-safe.
 */
#ifndef SIM_BASE_DISTANCE_H
#define SIM_BASE_DISTANCE_H

/*
 * Letters to insert, delete or change to make b out of a. The time grows
 * with 3^length: for words of a dozen letters at most.
 */
unsigned int distance(const char *a, const char *b);

#endif /* SIM_BASE_DISTANCE_H */
