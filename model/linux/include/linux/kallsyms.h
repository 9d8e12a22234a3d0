/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/kallsyms.h - the kernel's symbols, of which none has a name here.
 *
 * Context: none needed.
 */
#ifndef LINUX_KALLSYMS_H
#define LINUX_KALLSYMS_H

#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>

/* Not an architecture whose functions are descriptors. */
#define dereference_symbol_descriptor(p) (p)

#endif /* LINUX_KALLSYMS_H */
