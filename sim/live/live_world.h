/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live_world.h - what the wait loop asks of the world behind the kernel API.
 */
#ifndef SIM_LIVE_WORLD_H
#define SIM_LIVE_WORLD_H

/* Milliseconds until a timer is due, 0 if one is; -1 if none is armed. */
long live_world_timeout(void);

/* Bodies of the kernel's own fibres; they never end. */
void live_world_timers(void *arg);
void live_world_callbacks(void *arg);
void live_world_worker(void *arg);

#endif /* SIM_LIVE_WORLD_H */
