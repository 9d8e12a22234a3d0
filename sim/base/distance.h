/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * distance.h - how far apart two words are, to guess what a user meant.
 *
 * Context: any; thread-safe.
 */
#ifndef SIM_BASE_DISTANCE_H
#define SIM_BASE_DISTANCE_H

/*
 * Letters to insert, delete, change or swap with their neighbour to make b out of a.
 * Of words with more than 63 letters only the longer one's length is told.
 */
unsigned int distance(const char *a, const char *b);

#endif /* SIM_BASE_DISTANCE_H */
