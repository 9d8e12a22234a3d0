/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/gfp.h - forwards to the flags, and to what every file that allocates
 * gets through it in the kernel, and counts on.
 *
 * Leaves out pages. Context: none needed.
 */
#ifndef LINUX_GFP_H
#define LINUX_GFP_H

#include <linux/export.h>
#include <linux/gfp_types.h>
#include <linux/kernel.h>
#include <linux/string.h>

#endif /* LINUX_GFP_H */
