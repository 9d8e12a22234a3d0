/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control.h - what the entry loop asks of the probe logic beside the kernel's
 * own entry points. Not the kernel's.
 */
#ifndef MODEL_UPROBES_CONTROL_H
#define MODEL_UPROBES_CONTROL_H

struct arch_insn;

/*
 * The instruction that the current task has to run in its slot before anything
 * else, and its probed address; NULL if it is not in a step. Valid until the
 * step ends. Task context.
 */
const struct arch_insn *uprobe_pending_step(unsigned long *vaddr);

#endif /* MODEL_UPROBES_CONTROL_H */
