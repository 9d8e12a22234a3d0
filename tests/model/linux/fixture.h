/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fixture.h - what the cases of model/linux share.
 */
#ifndef TESTS_MODEL_LINUX_FIXTURE_H
#define TESTS_MODEL_LINUX_FIXTURE_H

#include <linux/bug.h>
#include <linux/sched.h>
#include "cases.h"
#include "../world_plain.h"

/* What machine_fatal_pending says. */
extern int fatal_pending;

/* A new mm with one task, which becomes current. */
struct mm_struct *start_task(void);
/* End the task and the mm of start_task; nothing may be left. */
void end_task(struct mm_struct *mm);

#endif /* TESTS_MODEL_LINUX_FIXTURE_H */
