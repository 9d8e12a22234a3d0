/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/cpumask.h - the CPUs there are.
 *
 * Every thread of a run, and every timer, callback and work item, has one of its own;
 * all are online. Leaves out masks. Context: any. Scheduling point: no.
 */
#ifndef LINUX_CPUMASK_H
#define LINUX_CPUMASK_H

#include <linux/types.h>
#include <sim/world.h>

#ifdef SIM_EXPLORE
#define nr_cpu_ids ((unsigned int)sim_nr_cpus())
#else
#define nr_cpu_ids 1u
#endif

#define for_each_possible_cpu(cpu) \
	for ((cpu) = 0; (cpu) < (int)nr_cpu_ids; (cpu)++)
#define for_each_online_cpu(cpu) for_each_possible_cpu(cpu)
#define num_possible_cpus() nr_cpu_ids
#define num_online_cpus() nr_cpu_ids
#define cpu_online(cpu) ((unsigned int)(cpu) < nr_cpu_ids)

#endif /* LINUX_CPUMASK_H */
