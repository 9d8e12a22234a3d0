/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/ftrace.h - calls at the start of functions, of which there are none.
 *
 * Context: none needed.
 */
#ifndef LINUX_FTRACE_H
#define LINUX_FTRACE_H

#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/linkage.h>
#include <linux/ptrace.h>
#include <linux/types.h>

struct ftrace_ops;

#endif /* LINUX_FTRACE_H */
