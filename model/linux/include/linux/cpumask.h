/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/cpumask.h - the CPUs there are.
 *
 * Every thread of a run, and every timer, callback and work item, has one of its own;
 * all are online. Of masks there are those of all CPUs, by name. Context: any.
 * Scheduling point: no.
 */
#ifndef LINUX_CPUMASK_H
#define LINUX_CPUMASK_H

#include <linux/compiler.h>
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
#define cpu_possible(cpu) cpu_online(cpu)

struct cpumask {
	bool all;
};

#define cpu_possible_mask (&(const struct cpumask){ true })
#define cpu_online_mask cpu_possible_mask

/* The one behind n; behind the last comes the first. */
static __always_inline unsigned int sim_cpu_after(int n,
						  const struct cpumask *mask)
{
	return (unsigned int)(n + 1) < nr_cpu_ids ? n + 1 : 0;
}

/* To 6.14 with two more arguments, where a walk that does not end has -1 and 1. */
#define cpumask_next_wrap(n, mask, ...) sim_cpu_after(n, mask)

#endif /* LINUX_CPUMASK_H */
