/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/kernel.h - what this header brings along in the kernel.
 *
 * Leaves out number parsing, panics and system states. Context: any, pure; but
 * might_sleep(), which the explorer checks: a context that may.
 */
#ifndef LINUX_KERNEL_H
#define LINUX_KERNEL_H

#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/kconfig.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/stddef.h>
#include <linux/stringify.h>
#include <linux/types.h>
#include <sim/world.h>

#ifdef SIM_EXPLORE
#define might_sleep() sim_might_sleep()
#else
#define might_sleep() ((void)0)
#endif

#endif /* LINUX_KERNEL_H */
