/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/slab.h - memory from the world.
 *
 * 	function			sleeps			scheduling point
 * 	kmalloc, kzalloc, kcalloc, ..	if gfp allows it	no
 * 	kzalloc_obj, kmalloc_obj	likewise
 * 	kfree				no			yes
 * Context: any, without __GFP_DIRECT_RECLAIM; task with it. NULL: no memory.
 * Leaves out caches and nodes. kzalloc_obj(struct x[, gfp]) names the object
 * "struct x" in findings; of an expression (*p) the type stays unnamed.
 */
#ifndef LINUX_SLAB_H
#define LINUX_SLAB_H

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/overflow.h>
#include <linux/topology.h>
#include <linux/types.h>
#include <sim/world.h>

#define ZERO_SIZE_PTR ((void *)16)
#define ZERO_OR_NULL_PTR(x) ((unsigned long)(x) <= (unsigned long)ZERO_SIZE_PTR)

void *kmalloc(size_t size, gfp_t gfp);
void *kzalloc(size_t size, gfp_t gfp);
void *kcalloc(size_t n, size_t size, gfp_t gfp);
void *kmalloc_array(size_t n, size_t size, gfp_t gfp);
/* Grows or shrinks; p stays valid if NULL is returned. */
void *krealloc(const void *p, size_t size, gfp_t gfp);
void *kmemdup(const void *from, size_t size, gfp_t gfp);
void kfree(const void *p);

#define kvfree(p) kfree(p)
#define kmalloc_node(size, gfp, node) ((void)(node), kmalloc(size, gfp))
#define kzalloc_node(size, gfp, node) ((void)(node), kzalloc(size, gfp))

void *sim_kmalloc(size_t size, gfp_t gfp, const char *type);

#define sim_type_text(x) (__builtin_strncmp(#x, "struct ", 7) == 0 ? #x : NULL)
#define sim_alloc_obj(x, text, zero, gfp)                                    \
	((__typeof__(x) *)sim_kmalloc(sizeof(__typeof__(x)), (gfp) | (zero), \
				      text))
#define sim_gfp(a, gfp, ...) gfp
#define kzalloc_obj(x, gfp...)                         \
	sim_alloc_obj(x, sim_type_text(x), __GFP_ZERO, \
		      sim_gfp(0, ##gfp, GFP_KERNEL))
#define kmalloc_obj(x, gfp...) \
	sim_alloc_obj(x, sim_type_text(x), 0, sim_gfp(0, ##gfp, GFP_KERNEL))

DEFINE_FREE(kfree, void *, if (!IS_ERR_OR_NULL(_T)) kfree(_T))

#endif /* LINUX_SLAB_H */
