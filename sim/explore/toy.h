/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * toy.h - the architecture of the in-memory machine: enum user_insn.
 *
 * Just enough of struct arch_ops for the probe logic: one-byte instructions,
 * a breakpoint that leaves ip behind it, return addresses on a stack.
 */
#ifndef SIM_EXPLORE_TOY_H
#define SIM_EXPLORE_TOY_H

#include "arch.h"

#define TOY_SLOT_BYTES 256

extern const struct arch_ops arch_toy;

#endif /* SIM_EXPLORE_TOY_H */
