/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach_check.h - why a process cannot be attached to.
 */
#ifndef SIM_CMD_ATTACH_CHECK_H
#define SIM_CMD_ATTACH_CHECK_H

#include <stdbool.h>

#include "probe_set.h"

/*
 * Is there anything that speaks against it, whoever asks? Then the user is told
 * and the result is false.
 */
bool attach_check(unsigned long pid);

/* Tell which probed files the process does not map; never an error. */
void attach_unmapped(unsigned long pid, const struct probe_set *set);

/* The kernel said no (errno EPERM or EACCES): tell the user why, if known. */
void attach_denied(unsigned long pid);

#endif /* SIM_CMD_ATTACH_CHECK_H */
