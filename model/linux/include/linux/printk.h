/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/printk.h - messages of the model.
 *
 * Leaves out levels and rate limits: levels are empty text. Context: any, never
 * sleeps, no scheduling point.
 */
#ifndef LINUX_PRINTK_H
#define LINUX_PRINTK_H

#include <linux/compiler.h>
#include <sim/world.h>

#define KERN_EMERG ""
#define KERN_ALERT ""
#define KERN_CRIT ""
#define KERN_ERR ""
#define KERN_WARNING ""
#define KERN_NOTICE ""
#define KERN_INFO ""
#define KERN_DEBUG ""
#define KERN_CONT ""

#ifndef pr_fmt
#define pr_fmt(fmt) fmt
#endif

#define printk(fmt...) sim_printk(fmt)
#define printk_ratelimited(fmt...) sim_printk(fmt)
#define pr_err(fmt, ...) sim_printk(pr_fmt(fmt), ##__VA_ARGS__)
#define pr_warn(fmt, ...) sim_printk(pr_fmt(fmt), ##__VA_ARGS__)
#define pr_info(fmt, ...) sim_printk(pr_fmt(fmt), ##__VA_ARGS__)

#endif /* LINUX_PRINTK_H */
