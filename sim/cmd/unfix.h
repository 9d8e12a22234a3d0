/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unfix.h - a patch that puts one bug into a copy of one file of the model.
 */
#ifndef SIM_CMD_UNFIX_H
#define SIM_CMD_UNFIX_H

/*
 * The file that a patch changes, relative to the source tree: exactly one .c
 * file of model/. Caller frees; NULL after one message.
 */
char *unfix_target(const char *patch);

/*
 * Copy the target from the source tree to dir/src and apply the patch there,
 * without fuzz. Returns the copy's path, which the caller frees, or NULL after
 * one message.
 */
char *unfix_apply(const char *patch, const char *target, const char *source,
		  const char *dir);

#endif /* SIM_CMD_UNFIX_H */
