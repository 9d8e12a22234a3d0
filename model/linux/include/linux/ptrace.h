/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/ptrace.h - forwards to the registers.
 *
 * Context: see asm/ptrace.h.
 */
#ifndef LINUX_PTRACE_H
#define LINUX_PTRACE_H

#include <asm/ptrace.h>
#include <linux/sched.h>

#endif /* LINUX_PTRACE_H */
