/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/topology.h - nodes of memory, of which there is one.
 *
 * Context: any, pure.
 */
#ifndef LINUX_TOPOLOGY_H
#define LINUX_TOPOLOGY_H

#define NUMA_NO_NODE (-1)
#define cpu_to_node(cpu) ((void)(cpu), 0)
#define numa_node_id() 0

#endif /* LINUX_TOPOLOGY_H */
