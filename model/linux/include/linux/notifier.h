/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/notifier.h - who is told of what happens elsewhere.
 *
 * Context: none needed. Leaves out the chains: whoever hosts a file calls what it
 * would have been told by.
 */
#ifndef LINUX_NOTIFIER_H
#define LINUX_NOTIFIER_H

struct notifier_block;

typedef int (*notifier_fn_t)(struct notifier_block *self, unsigned long action,
			     void *data);

struct notifier_block {
	notifier_fn_t notifier_call;
	struct notifier_block *next;
	int priority;
};

#define NOTIFY_DONE 0x0000
#define NOTIFY_OK 0x0001
#define NOTIFY_STOP_MASK 0x8000
#define NOTIFY_BAD (NOTIFY_STOP_MASK | 0x0002)
#define NOTIFY_STOP (NOTIFY_STOP_MASK | NOTIFY_OK)

#endif /* LINUX_NOTIFIER_H */
