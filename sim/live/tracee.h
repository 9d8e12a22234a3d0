/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracee.h - what the files of sim/live know of the traced program.
 *
 * A task's fibre is its kernel side: it runs only while the task is in a
 * ptrace stop (or dead), and what it does ends with letting the task run on.
 * Functions marked [F] must be called on the fibre of the task concerned.
 */
#ifndef SIM_LIVE_TRACEE_H
#define SIM_LIVE_TRACEE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <uthash.h>

#include "arch.h"
#include "entry.h"
#include "live.h"
#include "runq.h"
#include "world.h"

/* A file with probes, or the dynamic linker. Lives as long as the run. */
struct live_file {
	struct live_file *next;
	dev_t dev;
	ino_t ino;
	int fd;
	struct inode *inode;
	bool counted; /* some probe has a reference counter in its data */
	struct sim_probe *linker_probe; /* see linker.c */
	struct sim_probe **unwinder;	/* see unwinder.c */
	unsigned int nr_unwinder;
};

/* A mapping of such a file: executable, or with counters. */
struct live_vma {
	unsigned long start, end, off;
	struct live_file *file;
	unsigned int flags; /* SIM_VM_* */
};

/* A page has not more. */
#define LIVE_MAX_SLOTS 64

/* A place where we wrote a breakpoint, and what was there before. */
struct live_patch {
	unsigned long addr;
	unsigned char orig[4];
};

/* A reference counter, and how much of it is ours. */
struct live_counter {
	unsigned long addr;
	unsigned short ours;
};

/* What is in a slot, or is to be. */
struct live_slot {
	unsigned long addr;
	unsigned char bytes[2 * ARCH_INSN_MAX];
	unsigned int n;
};

struct live_jumps; /* jump.c */

struct live_mm {
	struct mm_struct *mm;
	unsigned int users;
	int mem; /* /proc/PID/mem */
	struct live_vma *vma;
	unsigned int nr_vma;
	struct live_patch *patch;
	unsigned int nr_patch;
	struct live_counter *counter;
	unsigned int nr_counter;
	unsigned long xol;	/* page of slots, 0: none yet */
	unsigned long xol_size; /* what of it is ours */
	bool xol_borrowed;	/* a piece of a page of the program's */
	struct live_slot slot[LIVE_MAX_SLOTS];
	struct live_jumps *jumps;   /* NULL: none yet */
	unsigned long syscall_insn; /* address of one, 0: not looked for */
	unsigned long r_state;	    /* of the dynamic linker, 0: unknown */
	bool watch;		    /* stop at system calls that map */
	bool rescan;		    /* mappings may have changed */
	bool fresh;		    /* has executed nothing yet */
	bool unmapped;	    /* what we mapped: some task does that, or has */
	unsigned int scans; /* so often they were looked at */
	struct live_unwind *unwind; /* see unwind.c */
	struct sim_lock scan;
};

/* SIGSTOP and the synchronous ones, see step.c. */
#define LIVE_MAX_HELD 8

/* A slot that is being run. */
struct live_stepping {
	bool on;
	bool jump;   /* of a copy that jumps, instead: not the model's */
	int request; /* PTRACE_CONT: it ends at a breakpoint */
	const struct arch_insn *insn;
	unsigned long slot, vaddr;
	unsigned long mask; /* the program's own signal mask */
};

/* An unwinder of the program's own that is at work. */
#define LIVE_MAX_UNWINDING 16
struct live_unwinding {
	unsigned long sp;   /* at its entry */
	unsigned int depth; /* return instances then */
};

/* A word that had our return address, and the true one that it has now. */
struct live_return {
	unsigned long at, orig;
};

/* A system call that a task is in; nr is -1 if its start was not seen. */
struct live_call {
	unsigned int arch; /* AUDIT_ARCH_* */
	long nr;
	unsigned long arg[6];
};

/* What rt_sigaction sets. */
struct live_action {
	unsigned long handler, flags, restorer, mask;
};

struct live_task {
	pid_t tid, tgid;
	struct live_mm *mm;
	struct task_struct *task;
	struct runq_fiber fiber;
	int status; /* a wait status that the fibre has not seen */
	bool has_status;
	bool dying;	     /* no ptrace request will succeed any more */
	bool exited;	     /* only its wait status is missing */
	struct pt_regs regs; /* what the model works on */
	struct pt_regs seen; /* what the task has */
	bool regs_valid;
	bool resumed;	       /* with `seen`, and they were not read since */
	bool stood_still;      /* they were the same at this stop */
	struct live_slot slot; /* the model wants this in it */
	struct live_stepping step;
	siginfo_t held[LIVE_MAX_HELD]; /* came during a step: for after it */
	unsigned int nr_held;
	struct live_unwinding unwinding[LIVE_MAX_UNWINDING];
	unsigned int nr_unwinding;
	struct live_return *revealed; /* see returns.c */
	unsigned int nr_revealed;
	unsigned long enters_unwinder; /* sp, 0: it is at none */
	struct pt_regs trapped_regs;   /* at the last breakpoint */
	struct record_task *record;    /* see keep.c */
	struct live_call call;
	long failed_call; /* nr, see again.c; -1: none, or it is over */
	struct live_action new_action; /* that the call wants for SIGTRAP */
	struct live_sighand *sighand;  /* see sigtrap.c */
	bool trap_blocked;	       /* SIGTRAP, by the program */
	bool trapped;	   /* this stop is a breakpoint's, or a step's end */
	bool entering;	   /* a signal handler */
	bool steps_itself; /* the program, when that came: its trap flag is set */
	bool group_stop;   /* and has been told to listen */
	bool vforking;	   /* sleeps until its child has gone */
	bool kicked;	   /* detach is to look at it although it runs */
	bool parked;	   /* left by the model, waits to be detached */
	UT_hash_handle hh;
};

/* The run. */
extern struct live {
	const struct live_config *config;
	struct live_result *result;
	struct live_task *tasks; /* by tid */
	struct live_file *files;
	pid_t leader;	/* the process that was launched */
	bool detaching; /* tasks park when they come to their kernel side */
	bool detached;	/* no probe is left: parked tasks may go */
	unsigned long hits;
	bool limit_reached;
} live;

/* The task of the running fibre; NULL on others. */
struct live_task *live_self(void);

#define LIVE_OPTIONS                                                          \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |   \
	 PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACEEXEC | \
	 PTRACE_O_TRACEEXIT)

/* The first failure is what the user is told. */
void live_fail(enum live_failure failure, int err, const char *what);

/* ---- loop.c ------------------------------------------------------------------ */

/* A wait status, to whom it concerns; also for one that was waited for alone. */
void live_dispatch(pid_t tid, int status);
/* What the first process executes now is not traced, for this reason. */
void live_leader_left(int err);

/* ---- probes.c: on the driver's fibre --------------------------------------- */

void live_probes_add(void);
/* Also those of linker.c and unwinder.c. */
void live_probes_del(void);
/* [F] A call of func was left by an unwinder. */
void live_probes_left(unsigned long func);

/* ---- proc.c -------------------------------------------------------------------- */

/* From /proc/TID/status, behind "KEY:"; 0 if it is not there. */
unsigned long live_proc_number(pid_t tid, const char *key, int base);

/* ---- ptrace.c: requests; 0 or negative errno, -ESRCH marks t dying --------- */

int tracee_getregs(struct live_task *t);
int tracee_setregs(struct live_task *t); /* if they changed */
int tracee_getsiginfo(struct live_task *t, siginfo_t *info);
int tracee_setsiginfo(struct live_task *t, const siginfo_t *info);
int tracee_getmask(struct live_task *t, unsigned long *mask);
int tracee_setmask(struct live_task *t, unsigned long mask);
int tracee_setoptions(struct live_task *t, unsigned long options);
/* At a system call's stop: where in it, and which. */
struct __ptrace_syscall_info;
int tracee_getcall(struct live_task *t, struct __ptrace_syscall_info *info);
/* Resume by `request`, a PTRACE_* that takes a signal, with sig. */
int tracee_resume(struct live_task *t, int request, int sig);
/*
 * First pending signal that is in `set`, or 0. A queue may hold thousands: only
 * its start is looked at unless to_the_end.
 */
int tracee_pending(struct live_task *t, unsigned long set, siginfo_t *info,
		   bool to_the_end);
unsigned long sigbit(int sig);

/* ---- mm.c -------------------------------------------------------------------- */

/* One user; NULL with errno set. */
struct live_mm *live_mm_new(pid_t tid);
void live_mm_get(struct live_mm *mm);
/* May sleep. The last one ends the address space for the model. */
void live_mm_put(struct live_mm *mm);
/* Compare with /proc/TID/maps and tell the model. May sleep. */
void live_mm_scan(struct live_mm *mm, pid_t tid);
/*
 * A breakpoint at addr was hit: scan if the model knows of no mapping there,
 * since a text that was moved or mapped again has ours. May sleep.
 */
void live_mm_find(struct live_mm *mm, pid_t tid, unsigned long addr);
/* Whether text that the model knows of is in these n bytes. */
bool live_mm_overlaps(const struct live_mm *mm, unsigned long start,
		      unsigned long n);
/* Existing or new; NULL with errno set. */
struct live_file *live_file_get(const char *path);
/* One line of /proc/PID/maps; false at the end. path is "" if none. */
struct live_map {
	unsigned long start, end, off, ino;
	char perms[5];
	dev_t dev;
	char path[4096];
};
bool live_map_next(FILE *maps, struct live_map *map);
FILE *live_map_open(pid_t tid);

/* ---- keep.c: for `trapline repair` ------------------------------------------------ */

/* 0, or -EEXIST: a record of this process is there. Else there will be none. */
int live_keep_start(pid_t pid, struct live_mm *mm);
/* It executes another program; NULL: one that is not traced. */
void live_keep_exec(struct live_mm *mm);
/* Nothing of us is in it any more. */
void live_keep_end(void);
/* About to be written: one more; or all of them are others now. */
void live_keep_patch(const struct live_mm *mm, const struct live_patch *patch);
void live_keep_patches(const struct live_mm *mm);
void live_keep_counters(const struct live_mm *mm);
void live_keep_xol(const struct live_mm *mm);
/* [F] Return addresses may have changed; a step begins, or is over. */
void live_keep_returns(struct live_task *t);
void live_keep_step(struct live_task *t);
void live_keep_step_end(struct live_task *t);
void live_keep_gone(struct live_task *t);

/* ---- machine.c ---------------------------------------------------------------- */

/* What was read there, as if it had never been patched. */
void live_patch_hide(const struct live_mm *mm, unsigned long addr, void *bytes,
		     unsigned int n);
/* A breakpoint of ours is there. */
bool live_patch_is_in(const struct live_mm *mm, unsigned long addr);
/* Text of a mapping may be in another one now, with what was written to it. */
void live_patch_moved(struct live_mm *mm, const struct live_vma *from,
		      const struct live_vma *to);
/* What was written in [start, end) is gone. */
void live_patch_forget(struct live_mm *mm, unsigned long start,
		       unsigned long end);
/* Breakpoints that are in the memory, for whatever reason, become text again. */
void live_unpatch(struct live_mm *mm);
/*
 * What was copied into a child's memory goes: breakpoints, return addresses, our
 * part of reference counters.
 */
void live_unpatch_child(struct live_mm *mm, struct live_task *parent,
			pid_t child);

/* The slot that the model has filled for t: now it is to be run. */
int live_slot_write(struct live_task *t);

/*
 * [F] A page for slots. 0 and mm->xol is there, or negative errno. In front of
 * it may stand anything that no instruction of the program's reaches.
 */
int live_xol_map(struct live_task *t);
/*
 * [F] Put something into the program's memory that it may read in a call of
 * live_syscall, its next one; at most LIVE_SCRATCH bytes.
 */
#define LIVE_SCRATCH 64
int live_scratch(struct live_task *t, const void *from, unsigned long n,
		 unsigned long *at);
/* What was borrowed for it gets its contents back. No task is in a slot. */
void live_xol_return(struct live_mm *mm);

/* ---- padding.c ------------------------------------------------------------------ */

/*
 * The largest piece of zeros behind a text, in the text's last page: mapped, and
 * of no use. Its address, a multiple of `align`, and size; 0 if there is none.
 */
unsigned long live_padding(pid_t tid, int mem, unsigned long align,
			   unsigned long *size);

/* ---- inject.c ------------------------------------------------------------------ */

#define LIVE_SYSCALL_STOP (SIGTRAP | 0x80)

/*
 * [F] Run a system call in a task that is stopped, but not at the start of
 * another or in one that has its result still to come (PTRACE_EVENT_*). After
 * it no signal can be delivered at this stop.
 * Its result; or -ESRCH (died), -ENOEXEC (the program has no such instruction),
 * -EPERM (a seccomp filter, which might kill).
 */
long live_syscall(struct live_task *t, long nr, const unsigned long arg[6]);

/* ---- again.c: calls that fail when they are stopped ------------------------------ */

/* [F] t->call has returned this. */
void live_call_failed(struct live_task *t, long result);
/* [F] No handler is going to run at this stop: sig has none, or there is no sig. */
void live_call_again(struct live_task *t, int sig);

/* ---- held.c ------------------------------------------------------------------------ */

/* Keep a signal until it can be delivered. */
void live_hold(struct live_task *t, const siginfo_t *info);
/*
 * This stop's signal is a SIGTRAP from outside, and stands for a breakpoint of
 * ours or a step's end, too: it was queued for this thread when that came, and
 * then the kernel queues no other. Told by where the task is; its registers have
 * been read.
 */
bool live_trap_merged(const struct live_task *t, const siginfo_t *info);
/* [F] The signal to go on with: sig, if this stop has one, or one that was kept. */
int live_take_signal(struct live_task *t, int sig);

/* ---- sigtrap.c: SIGTRAP is the program's own ------------------------------------ */

/* [F] The task's program is new, to itself or to us. */
void live_sigtrap_start(struct live_task *t);
/* A further thread of such a process. */
void live_sigtrap_share(struct live_task *t, struct live_task *with);
/* A child by clone with these flags. */
void live_sigtrap_inherit(struct live_task *child, struct live_task *parent,
			  unsigned long flags);
void live_sigtrap_end(struct live_task *t);
/* [F] The first stop of a task that ran before we came. */
void live_sigtrap_first_stop(struct live_task *t);
/* [F] Start and end of t->call. */
void live_sigtrap_call(struct live_task *t);
void live_sigtrap_result(struct live_task *t, bool failed);
/* [F] sig is about to be delivered; true: stop in its handler. */
bool live_sigtrap_deliver(struct live_task *t, int sig);
/* [F] Whether this stop is that one. */
bool live_sigtrap_entered(struct live_task *t, const siginfo_t *info);
/* [F] At any signal's stop: there has been a breakpoint, too. */
bool live_sigtrap_forced(struct live_task *t);
/* [F] A breakpoint of ours was hit: the program has not noticed. May inject. */
void live_sigtrap_undo(struct live_task *t);

/* ---- linker.c: libraries that come later ---------------------------------------- */

/* [F] The task's mm is new: find its dynamic linker. */
void live_linker_start(struct live_task *t);
/* [F] The linker was at its notification point. */
void live_linker_update(struct live_task *t);
/* [F] t->call has returned; it may have mapped something. */
void live_linker_syscall(struct live_task *t, unsigned long result);

/* ---- unwind.c: stacks at hits, for live_hit_stack -------------------------------- */

void live_unwind_free(struct live_mm *mm);

/* ---- returns.c: return addresses that are ours, behind a link register ------------ */

/* Ours is in the word at `at`: in place of which? */
bool live_return_at(const struct live_task *t, unsigned long at,
		    unsigned long *orig);
/* All words where one is, of a task that is stopped; none if the model knows them. */
void live_returns_each(const struct live_task *t,
		       void (*fn)(void *arg, unsigned long at,
				  unsigned long orig),
		       void *arg);
/* Of t's registers, or a child's copy: if the link register has one, the true. */
bool live_return_in_register(const struct live_task *t, struct pt_regs *regs);
/* [F] With sim_ret_reveal and sim_ret_hide. */
void live_returns_reveal(struct live_task *t);
void live_returns_hide(struct live_task *t, unsigned int except);

/* ---- unwinder.c: the program's own unwinders ------------------------------------- */

/* A file is mapped with text: look for unwinders. May sleep. */
void live_unwinder_map(const struct live_map *map);
void live_unwinder_del(struct live_file *f);
/* [F] At a breakpoint: those that it shows to be over are. */
void live_unwinder_settle(struct live_task *t);
/* [F] The hit is dealt with: if it was at an unwinder's entry, it begins. */
void live_unwinder_enter(struct live_task *t);

/* ---- step.c ----------------------------------------------------------------------- */

/* A signal that came at a wrong time; it is delivered when t runs on. */
void live_hold(struct live_task *t, const siginfo_t *info);
/* [F] Run the slot that the model set up. */
void live_step_start(struct live_task *t, const struct sim_resume *how);
/* [F] Let it go on after a stop that did not end it. */
void live_step_continue(struct live_task *t);
/* What a signal stop means to a task in a step. */
enum live_step_stop {
	STEP_COMPLETE,
	STEP_FAULT, /* the copied instruction raised it */
	STEP_AGAIN, /* not complete, or came from outside and is held */
};
enum live_step_stop live_step_classify(struct live_task *t, siginfo_t *info);
/* Raised by the instruction, not sent. */
bool live_is_fault(const siginfo_t *info);
/* [F] At a signal's stop: keep it, and step the copy of insn at `at` first. */
void live_step_instead(struct live_task *t, const siginfo_t *info,
		       const struct arch_insn *insn, unsigned long at,
		       unsigned long vaddr);
/* [F] The step is over in whatever way: the program's mask is back. */
void live_step_end(struct live_task *t);
/* [F] As live_step_end, and tells the model what came during the step. */
void live_step_report(struct live_task *t);
/* [F] A trap or fault has happened whose stop is still to come. */
bool live_step_unreported(struct live_task *t);

/* ---- jump.c: copies that nobody waits for ------------------------------------------- */

/* [F] Instead of live_step_start; false if that is not possible. */
bool live_jump_start(struct live_task *t, const struct sim_resume *how);
/* Is it in such a copy? Its registers are known. */
bool live_jump_in(const struct live_task *t);
/* If it is: it goes on from the program's own text. */
void live_jump_leave(struct live_task *t);
/* [F] A signal's stop in a copy; true: it waits until the copy has run. */
bool live_jump_hold(struct live_task *t, const siginfo_t *info);
/* [F] A fault there is reported where the program wrote the instruction. */
void live_jump_correct(struct live_task *t, siginfo_t *info);
/* Its area, 0: there is none. */
unsigned long live_jump_area(const struct live_mm *mm, unsigned long *size);
void live_jump_free(struct live_mm *mm);

/* ---- task.c: one task's kernel side -------------------------------------------------- */

struct live_task *live_task_new(pid_t tid, pid_t tgid, struct live_mm *mm);
/* Hand it a wait status. */
void live_task_status(struct live_task *t, int status);
/* [F] Let it run on in user mode, with sig if not 0. */
void live_task_run(struct live_task *t, int sig);
/* [F] Stop being its tracer and end its fibre. */
__attribute__((noreturn)) void live_task_leave(struct live_task *t, int sig);

/* ---- attach.c -------------------------------------------------------------- */

/* All threads of a process, its mappings and probes. 0, or a failure is told. */
int live_attach(pid_t pid);

/* ---- detach.c ------------------------------------------------------------ */

/* Ask every task to come to its kernel side and park. */
void live_detach_begin(void);
/*
 * [F] t is about to leave with sig: if this stop allows calls, and no other task
 * does it, wait for the others and unmap what we have mapped.
 */
void live_detach_unmap(struct live_task *t, int sig);
/* Conditions for runq_await. */
bool live_all_parked(void *unused);
bool live_all_gone(void *unused);

/* ---- child.c --------------------------------------------------------------------------- */

/* [F] PTRACE_EVENT_CLONE, FORK or VFORK of t. */
void live_child(struct live_task *t, int event);
/* [F] PTRACE_EVENT_EXEC, or its first. May not return. */
void live_exec(struct live_task *t);
/* A stop of a task nobody told us of yet; kept until its parent does. */
void live_child_early(pid_t tid, int status);

#endif /* SIM_LIVE_TRACEE_H */
