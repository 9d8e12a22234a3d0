/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/errno.h - error numbers that the probe code uses.
 *
 * Leaves out the others. Context: none needed, nothing here is code.
 */
#ifndef LINUX_ERRNO_H
#define LINUX_ERRNO_H

#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define E2BIG 7
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22
#define ENOSPC 28
#define ERANGE 34
#define ENOSYS 38
#define EILSEQ 84
#define EOPNOTSUPP 95
#define ETIMEDOUT 110
#define EALREADY 114

#define ERESTARTSYS 512
#define ENOTSUPP 524

#endif /* LINUX_ERRNO_H */
