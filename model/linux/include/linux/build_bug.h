/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/build_bug.h - conditions that must hold at compile time.
 *
 * Leaves out the forms inside expressions. Context: none needed.
 */
#ifndef LINUX_BUILD_BUG_H
#define LINUX_BUILD_BUG_H

#define BUILD_BUG_ON(cond) _Static_assert(!(cond), "BUILD_BUG_ON: " #cond)
#define static_assert(expr, ...) _Static_assert(expr, #expr)

#endif /* LINUX_BUILD_BUG_H */
