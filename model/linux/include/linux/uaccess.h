/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/uaccess.h - memory of the current task's program.
 *
 * 	function			lock	sleeps	scheduling point
 * 	copy_{from,to}_user		none	yes	the machine's
 * 	get_user, put_user		none	yes	the machine's
 * 	pagefault_disable, _enable	none	no	no; mean nothing here
 * Context: task with an mm. Returns as in the kernel: bytes not copied, or
 * -EFAULT. Nothing is known about the bytes that were copied before a fault.
 */
#ifndef LINUX_UACCESS_H
#define LINUX_UACCESS_H

#include <linux/errno.h>
#include <linux/sched.h>
#include <machine.h>

static inline unsigned long copy_from_user(void *to, const void __user *from,
					   unsigned long n)
{
	return machine_read(current->mm, (unsigned long)from, to, n) ? n : 0;
}

static inline unsigned long copy_to_user(void __user *to, const void *from,
					 unsigned long n)
{
	return machine_write(current->mm, (unsigned long)to, from, n) ? n : 0;
}

#define get_user(x, ptr) \
	(copy_from_user(&(x), ptr, sizeof(*(ptr))) ? -EFAULT : 0)
#define __get_user(x, ptr) get_user(x, ptr)
#define put_user(x, ptr)                                                    \
	({                                                                  \
		__typeof__(*(ptr)) sim_val = (x);                           \
		copy_to_user(ptr, &sim_val, sizeof(sim_val)) ? -EFAULT : 0; \
	})
#define __put_user(x, ptr) put_user(x, ptr)

#define pagefault_disable() barrier()
#define pagefault_enable() barrier()

#endif /* LINUX_UACCESS_H */
