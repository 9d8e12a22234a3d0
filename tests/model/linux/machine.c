// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - a machine without memory: every access faults.
 */
#include <linux/errno.h>
#include "fixture.h"
#include "machine.h"

int fatal_pending;

int machine_read(struct mm_struct *mm, unsigned long addr, void *to,
		 unsigned long n)
{
	return -EFAULT;
}

int machine_write(struct mm_struct *mm, unsigned long addr, const void *from,
		  unsigned long n)
{
	return -EFAULT;
}

int machine_write_text(struct mm_struct *mm, unsigned long addr,
		       const void *from, unsigned long n)
{
	return -EFAULT;
}

int machine_write_counter(struct mm_struct *mm, unsigned long addr,
			  unsigned short value)
{
	return -EFAULT;
}

int machine_map_xol(struct mm_struct *mm, unsigned long hint, const void *page,
		    unsigned long *size, unsigned long *addr)
{
	return -ENOMEM;
}

int machine_copy_pages(struct mm_struct *mm, struct mm_struct *oldmm,
		       unsigned long start, unsigned long n)
{
	return -EOPNOTSUPP;
}

int machine_map_trampoline(struct mm_struct *mm, unsigned long vaddr,
			   const void *code, unsigned long n,
			   unsigned long *addr)
{
	return -EOPNOTSUPP;
}

int machine_sync_cores(struct mm_struct *mm)
{
	return -EOPNOTSUPP;
}

int machine_write_slot(struct mm_struct *mm, unsigned long addr,
		       const void *from, unsigned long n)
{
	return -EFAULT;
}

int machine_fatal_pending(struct task_struct *task)
{
	return fatal_pending;
}
