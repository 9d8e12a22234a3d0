/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/types.h - basic types and the nodes that everybody embeds.
 *
 * Leaves out the types of file systems and devices. Size types and NULL come from
 * the compiler. Also declares the structs that the kernel gets through chains of
 * includes. Context: none needed, nothing here is code.
 */
#ifndef LINUX_TYPES_H
#define LINUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/compiler.h>

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;

typedef s8 __s8;
typedef u8 __u8;
typedef s16 __s16;
typedef u16 __u16;
typedef s32 __s32;
typedef u32 __u32;
typedef s64 __s64;
typedef u64 __u64;

typedef u8 uint8_t;
typedef u16 uint16_t;
typedef u32 uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;

typedef long ssize_t;
typedef long long loff_t;
typedef int pid_t;
typedef unsigned int gfp_t;
typedef unsigned int fmode_t;
typedef unsigned long pgoff_t;

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

#define ATOMIC_INIT(i) \
	{              \
		(i)    \
	}
#define ATOMIC64_INIT(i) \
	{                \
		(i)      \
	}

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

struct callback_head {
	struct callback_head *next;
	void (*func)(struct callback_head *head);
} __aligned(sizeof(void *));
#define rcu_head callback_head

typedef void (*rcu_callback_t)(struct rcu_head *head);
typedef void (*call_rcu_func_t)(struct rcu_head *head, rcu_callback_t func);

struct file;
struct inode;
struct mm_struct;
struct page;
struct pt_regs;
struct task_struct;
struct vm_area_struct;

#endif /* LINUX_TYPES_H */
