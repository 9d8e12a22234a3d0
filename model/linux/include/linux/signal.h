/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/signal.h - numbers of the signals that traps raise.
 *
 * Context: none needed, nothing here is code.
 */
#ifndef LINUX_SIGNAL_H
#define LINUX_SIGNAL_H

#define SIGILL 4
#define SIGTRAP 5
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11

#endif /* LINUX_SIGNAL_H */
