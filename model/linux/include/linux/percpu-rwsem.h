/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/percpu-rwsem.h - one shared count instead of one per CPU.
 *
 * 	function			lock	sleeps	scheduling point
 * 	percpu_down_{read,write}	takes	yes	yes
 * 	percpu_up_{read,write}		drops	no	yes
 * Context: task. Leaves out the reader's path without a shared write.
 */
#ifndef LINUX_PERCPU_RWSEM_H
#define LINUX_PERCPU_RWSEM_H

#include <linux/cleanup.h>
#include <linux/lockdep.h>
#include <linux/types.h>
#include <sim/world.h>

struct percpu_rw_semaphore {
	struct sim_lock sim;
};

#define DEFINE_PERCPU_RWSEM(name) struct percpu_rw_semaphore name = { { 0 } }
#define DEFINE_STATIC_PERCPU_RWSEM(name) static DEFINE_PERCPU_RWSEM(name)

#define percpu_init_rwsem(s) ((s)->sim.word = 0, 0)
#define percpu_free_rwsem(s) ((void)(s))
#define percpu_down_read(s) sim_lock(&(s)->sim, SIM_PERCPU_RWSEM, 1)
#define percpu_up_read(s) sim_unlock(&(s)->sim, SIM_PERCPU_RWSEM, 1)
#define percpu_down_write(s) sim_lock(&(s)->sim, SIM_PERCPU_RWSEM, 0)
#define percpu_up_write(s) sim_unlock(&(s)->sim, SIM_PERCPU_RWSEM, 0)

DEFINE_GUARD(percpu_read, struct percpu_rw_semaphore *, percpu_down_read(_T),
	     percpu_up_read(_T))
DEFINE_GUARD(percpu_write, struct percpu_rw_semaphore *, percpu_down_write(_T),
	     percpu_up_write(_T))

#endif /* LINUX_PERCPU_RWSEM_H */
