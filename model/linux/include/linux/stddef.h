/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/stddef.h - offsets and sizes of members.
 *
 * Context: none needed, nothing here is code.
 */
#ifndef LINUX_STDDEF_H
#define LINUX_STDDEF_H

#include <stddef.h>

#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define offsetofend(type, member) \
	(offsetof(type, member) + sizeof_field(type, member))

#endif /* LINUX_STDDEF_H */
