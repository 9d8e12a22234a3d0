/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/completion.h - wait until something is done.
 *
 * 	function			sleeps	scheduling point
 * 	wait_for_completion		yes	yes
 * 	complete, complete_all		no	yes
 * Context: waiting: task. Completing: any. Built on an ordinary wait queue,
 * whose lock protects done. Leaves out timeouts and killable waits.
 */
#ifndef LINUX_COMPLETION_H
#define LINUX_COMPLETION_H

#include <linux/limits.h>
#include <linux/wait.h>

struct completion {
	unsigned int done;
	struct wait_queue_head wait;
};

void init_completion(struct completion *x);
void complete(struct completion *x);
void complete_all(struct completion *x);
void wait_for_completion(struct completion *x);

#endif /* LINUX_COMPLETION_H */
