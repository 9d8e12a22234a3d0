/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/kconfig.h - an option is on if it is defined as 1.
 *
 * Leaves out modules: IS_ENABLED is IS_BUILTIN. Context: none needed.
 */
#ifndef LINUX_KCONFIG_H
#define LINUX_KCONFIG_H

#define CONFIG_SMP 1
#define CONFIG_MMU 1
#define CONFIG_UPROBES 1

#define sim_config_one_1 0,
#define sim_config_second(ignored, val, ...) val
#define sim_config_pick(arg) sim_config_second(arg 1, 0, 0)
#define sim_config_value(val) sim_config_pick(sim_config_one_##val)
#define IS_BUILTIN(option) sim_config_value(option)
#define IS_ENABLED(option) IS_BUILTIN(option)

#endif /* LINUX_KCONFIG_H */
