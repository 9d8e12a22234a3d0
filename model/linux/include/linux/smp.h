/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EMPTY: linux/smp.h - a thread is its own CPU.
 */
#ifndef LINUX_SMP_H
#define LINUX_SMP_H

#include <sim/world.h>

#define smp_processor_id() sim_thread()
#define raw_smp_processor_id() sim_thread()

#endif /* LINUX_SMP_H */
