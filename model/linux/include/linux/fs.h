/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/fs.h - files that can be mapped and probed.
 *
 * 	function			lock	sleeps	scheduling point
 * 	i_mmap_lock_{read,write}	takes	yes	yes
 * 	igrab, iput			none	no	yes
 * 	sim_inode_read			none	yes	no
 * Context: task. Leaves out everything else about file systems. A file is opened
 * once for all: struct file lies inside its inode, which is freed by RCU.
 */
#ifndef LINUX_FS_H
#define LINUX_FS_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/rwsem.h>
#include <linux/types.h>

struct address_space {
	struct inode *host;
	struct list_head i_mmap; /* mappings; i_mmap_rwsem */
	struct rw_semaphore i_mmap_rwsem;
};

struct file {
	struct inode *f_inode;
	struct address_space *f_mapping;
};

struct inode {
	unsigned long i_ino;
	struct address_space *i_mapping; /* &i_data */
	struct address_space i_data;
	atomic_t i_count;
	loff_t i_size;

	struct file sim_file;
	int (*sim_fill)(void *priv, unsigned long off, void *to,
			unsigned long n);
	void *sim_priv;
	struct rcu_head sim_rcu;
};

#define file_inode(file) ((file)->f_inode)
#define i_size_read(inode) ((inode)->i_size)

#define i_mmap_lock_read(mapping) down_read(&(mapping)->i_mmap_rwsem)
#define i_mmap_unlock_read(mapping) up_read(&(mapping)->i_mmap_rwsem)
#define i_mmap_lock_write(mapping) down_write(&(mapping)->i_mmap_rwsem)
#define i_mmap_unlock_write(mapping) up_write(&(mapping)->i_mmap_rwsem)

/* One more reference, or NULL if the inode is going away. */
struct inode *igrab(struct inode *inode);
void iput(struct inode *inode);

/* Bytes of the file as it is on disk; -EIO if they cannot be read in full. */
int sim_inode_read(struct inode *inode, loff_t off, void *to, size_t n);

#endif /* LINUX_FS_H */
