/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/gfp.h - forwards to the flags.
 *
 * Leaves out pages. Context: none needed.
 */
#ifndef LINUX_GFP_H
#define LINUX_GFP_H

#include <linux/gfp_types.h>

#endif /* LINUX_GFP_H */
