/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/gfp_types.h - how an allocation may behave.
 *
 * Only "may it sleep", "zero it" and "never fail" mean something. Context: none
 * needed.
 */
#ifndef LINUX_GFP_TYPES_H
#define LINUX_GFP_TYPES_H

#include <linux/types.h>

#define __GFP_DIRECT_RECLAIM ((gfp_t)0x1)
#define __GFP_ZERO ((gfp_t)0x2)
#define __GFP_NOWARN ((gfp_t)0)
#define __GFP_NOFAIL ((gfp_t)0x4)
#define GFP_KERNEL __GFP_DIRECT_RECLAIM
#define GFP_USER __GFP_DIRECT_RECLAIM
#define GFP_HIGHUSER __GFP_DIRECT_RECLAIM
#define GFP_ATOMIC ((gfp_t)0)
#define GFP_NOWAIT ((gfp_t)0)

#endif /* LINUX_GFP_TYPES_H */
