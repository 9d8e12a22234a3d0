/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * toy.h - the architecture of the in-memory machine: enum user_insn.
 *
 * Just enough of struct arch_ops for the probe logic: instructions of one byte, and
 * a few that are longer; a breakpoint that leaves ip behind it, return addresses on
 * a stack.
 */
#ifndef SIM_EXPLORE_TOY_H
#define SIM_EXPLORE_TOY_H

#include "arch.h"

#define TOY_SLOT_BYTES 256
/* The n-th page of code for optimised probes, from 0; a call's operand is n + 1. */
#define TOY_CODE(n) (0x600000ul + (n)*0x1000)
#define TOY_CODES 255
/* Calls in the n-th so many bytes of text reach the n-th page and the next one. */
#define TOY_REACH 32

extern const struct arch_ops arch_toy;

#endif /* SIM_EXPLORE_TOY_H */
