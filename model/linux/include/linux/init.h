/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/init.h - initcalls run as constructors, before main.
 *
 * Leaves out their levels. Context: set-up, alone; may not sleep.
 */
#ifndef LINUX_INIT_H
#define LINUX_INIT_H

#include <linux/compiler.h>

#define sim_initcall(fn)                                             \
	__attribute__((constructor)) static void sim_init_##fn(void) \
	{                                                            \
		fn();                                                \
	}
#define early_initcall(fn) sim_initcall(fn)
#define core_initcall(fn) sim_initcall(fn)
#define subsys_initcall(fn) sim_initcall(fn)
#define late_initcall(fn) sim_initcall(fn)

#endif /* LINUX_INIT_H */
