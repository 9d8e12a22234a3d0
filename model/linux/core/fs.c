// SPDX-License-Identifier: GPL-2.0-only
/*
 * fs.c - files that can be mapped and probed.
 *
 * Stands for fs/inode.c. The world owns the file and hands out its bytes.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <sim/entry.h>

struct inode *sim_inode_new(void *priv, unsigned long size,
			    int (*read)(void *priv, unsigned long off, void *to,
					unsigned long n))
{
	static atomic64_t last_ino;
	struct inode *inode = kzalloc_obj(struct inode);

	if (!inode)
		return NULL;
	inode->i_ino = atomic64_inc_return(&last_ino);
	inode->i_mapping = &inode->i_data;
	inode->i_data.host = inode;
	INIT_LIST_HEAD(&inode->i_data.i_mmap);
	init_rwsem(&inode->i_data.i_mmap_rwsem);
	atomic_set(&inode->i_count, 1);
	inode->i_size = size;
	inode->sim_file.f_inode = inode;
	inode->sim_file.f_mapping = inode->i_mapping;
	inode->sim_fill = read;
	inode->sim_priv = priv;
	return inode;
}

struct inode *igrab(struct inode *inode)
{
	return atomic_inc_not_zero(&inode->i_count) ? inode : NULL;
}

void iput(struct inode *inode)
{
	/* Lockless readers of a mapping may still follow its vm_file. */
	if (inode && atomic_dec_and_test(&inode->i_count))
		kfree_rcu(inode, sim_rcu);
}

void sim_inode_put(struct inode *inode)
{
	iput(inode);
}

int sim_inode_read(struct inode *inode, loff_t off, void *to, size_t n)
{
	if (off < 0 || off > inode->i_size || n > (u64)(inode->i_size - off))
		return -EIO;
	return inode->sim_fill(inode->sim_priv, off, to, n);
}
