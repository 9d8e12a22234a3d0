// SPDX-License-Identifier: GPL-2.0-only
/*
 * slab.c - allocation over the world's heap.
 *
 * Stands for mm/slub.c. The world decides where memory comes from, and when
 * there is none.
 */
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

void *sim_kmalloc(size_t size, gfp_t gfp, const char *type)
{
	return sim_alloc(size, !!(gfp & __GFP_ZERO), type,
			 (gfp & __GFP_DIRECT_RECLAIM ? SIM_ALLOC_SLEEPS : 0) |
				 (gfp & __GFP_NOFAIL ? SIM_ALLOC_NOFAIL : 0));
}

void *kmalloc(size_t size, gfp_t gfp)
{
	return sim_kmalloc(size, gfp, NULL);
}

void *kzalloc(size_t size, gfp_t gfp)
{
	return sim_kmalloc(size, gfp | __GFP_ZERO, NULL);
}

void *kmalloc_array(size_t n, size_t size, gfp_t gfp)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	return kmalloc(bytes, gfp);
}

void *kcalloc(size_t n, size_t size, gfp_t gfp)
{
	return kmalloc_array(n, size, gfp | __GFP_ZERO);
}

void *kmemdup(const void *from, size_t size, gfp_t gfp)
{
	void *p = kmalloc(size, gfp);

	if (p)
		memcpy(p, from, size);
	return p;
}

void *krealloc(const void *p, size_t size, gfp_t gfp)
{
	void *to = kmalloc(size, gfp);

	if (!to || ZERO_OR_NULL_PTR(p))
		return to;
	memcpy(to, p, min(size, (size_t)sim_alloc_size(p)));
	kfree(p);
	return to;
}

void kfree(const void *p)
{
	if (!ZERO_OR_NULL_PTR(p))
		sim_free(p);
}
