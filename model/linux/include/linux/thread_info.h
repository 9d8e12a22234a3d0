/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/thread_info.h - per-task flags that the return to user mode
 * looks at.
 *
 * 	function			order		sleeps	sched. point
 * 	set_*_flag, clear_*_flag	none		no	yes
 * 	test_*_flag			none, marked	no	yes
 * 	test_and_{set,clear}_*_flag	full		no	yes
 * Context: any; any task may set another's flag. The numbers are those of x86.
 * Leaves out the rest of the thread.
 */
#ifndef LINUX_THREAD_INFO_H
#define LINUX_THREAD_INFO_H

#include <linux/bitops.h>
#include <linux/types.h>

#define TIF_NOTIFY_RESUME 1 /* task work waits */
#define TIF_SIGPENDING 2
#define TIF_NEED_RESCHED 3
#define TIF_SINGLESTEP 4
#define TIF_UPROBE 12 /* a trap of ours waits to be handled */
#define TIF_NOTIFY_SIGNAL 17

#define _TIF_NOTIFY_RESUME BIT(TIF_NOTIFY_RESUME)
#define _TIF_SIGPENDING BIT(TIF_SIGPENDING)
#define _TIF_UPROBE BIT(TIF_UPROBE)

struct thread_info {
	unsigned long flags;
	u32 status;
};

#define set_ti_thread_flag(ti, flag) set_bit(flag, &(ti)->flags)
#define clear_ti_thread_flag(ti, flag) clear_bit(flag, &(ti)->flags)
#define test_ti_thread_flag(ti, flag) test_bit(flag, &(ti)->flags)
#define test_and_set_ti_thread_flag(ti, flag) \
	test_and_set_bit(flag, &(ti)->flags)
#define test_and_clear_ti_thread_flag(ti, flag) \
	test_and_clear_bit(flag, &(ti)->flags)

/* The forms without a task mean current: linux/sched.h must be included. */
#define current_thread_info() (&current->thread_info)
#define set_thread_flag(flag) set_ti_thread_flag(current_thread_info(), flag)
#define clear_thread_flag(flag) \
	clear_ti_thread_flag(current_thread_info(), flag)
#define test_thread_flag(flag) test_ti_thread_flag(current_thread_info(), flag)
#define test_and_clear_thread_flag(flag) \
	test_and_clear_ti_thread_flag(current_thread_info(), flag)
#define read_thread_flags() READ_ONCE(current_thread_info()->flags)

#endif /* LINUX_THREAD_INFO_H */
