/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/module.h - there are no modules.
 */
#ifndef LINUX_MODULE_H
#define LINUX_MODULE_H

#include <linux/export.h>
#include <linux/init.h>

#define MODULE_LICENSE(text)
#define MODULE_DESCRIPTION(text)
#define THIS_MODULE ((struct module *)0)

struct module;

#endif /* LINUX_MODULE_H */
