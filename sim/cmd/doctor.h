/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doctor.h - what doctor tries, and what it says of it.
 */
#ifndef SIM_CMD_DOCTOR_H
#define SIM_CMD_DOCTOR_H

enum works { WORKS, LIMITED, FAILS };

struct finding {
	enum works works;
	char what[400]; /* unless it works: with the next step, behind ';' */
};

__attribute__((format(printf, 3, 4))) void found(struct finding *f,
						 enum works works,
						 const char *fmt, ...);

/* Single facilities of the kernel, each used once for real. */
void doctor_ptrace(struct finding *f);	   /* of a child */
void doctor_attach(struct finding *f);	   /* of a process not below us */
void doctor_proc_mem(struct finding *f);   /* /proc/PID/mem writes text */
void doctor_process_vm(struct finding *f); /* process_vm_readv, writev */
void doctor_unwind(struct finding *f);	   /* libunwind on another process */
void doctor_userfaultfd(struct finding *f);
void doctor_uprobes(struct finding *f); /* the kernel's own, by tracefs */

#endif /* SIM_CMD_DOCTOR_H */
