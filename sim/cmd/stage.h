/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stage.h - files of a kernel tree, ready to be compiled on the model's headers.
 *
 * A file is copied as it is, and so are those of its headers that say what its
 * data look like (linux/objpool.h): they belong to the file. All other names are
 * the model's. Nothing is compiled inside the tree, where a quoted include would
 * find the kernel's own.
 */
#ifndef SIM_CMD_STAGE_H
#define SIM_CMD_STAGE_H

#include "schedule.h"

struct stage {
	const char *tree;
	char *release;	   /* "6.12.117" */
	unsigned int code; /* as LINUX_VERSION_CODE, patch level at most 255 */
	struct sched_list file;	  /* in the tree, as they were asked for */
	struct sched_list header; /* in the tree */
	struct sched_list
		option; /* CONFIG_* without which a file is not built */
	/* Filled by stage_write(). */
	struct sched_list copy;	   /* of the files that are no headers */
	char *dir;		   /* where all is */
	struct sched_list include; /* where to look for headers */
};

/*
 * Look at the files and, from there, at every header. 0; or the exit status, after
 * one message, and one line for each header that is neither the model's nor the
 * file's. stage_free() in either case.
 */
int stage_read(struct stage *s);
/*
 * Write the copies to a directory below the current one, whose name tells the
 * release and the content. 0, or the exit status after one message.
 */
int stage_write(struct stage *s);
void stage_free(struct stage *s);

#endif /* SIM_CMD_STAGE_H */
