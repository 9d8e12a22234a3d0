/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.h - run a real program under ptrace with the probe logic of model/.
 *
 * One trace at a time and per process: the world behind the kernel API is
 * global, as a kernel is. Not thread-safe; call from the main thread.
 */
#ifndef SIM_LIVE_LIVE_H
#define SIM_LIVE_LIVE_H

#include <stdbool.h>
#include <sys/types.h>

struct pt_regs;

/* How copied instructions are run. */
enum live_step {
	LIVE_STEP_AUTO, /* the fastest way that is exact */
	LIVE_STEP_HW,	/* the processor's single step */
	LIVE_STEP_BP,	/* a breakpoint after the copied instruction */
};

/* One hit, valid during the call only. */
struct live_hit {
	pid_t tid;
	unsigned long addr; /* probed address; of a return: the function's */
	const struct pt_regs *regs;
};

/*
 * The program's memory, during the hit only: 0 or -EFAULT. A page that is
 * mapped but may not be read is read all the same, as ptrace can.
 */
int live_hit_read(const struct live_hit *hit, unsigned long addr, void *to,
		  unsigned long n);

/* A frame of a stack. Strings are valid during the hit only. */
struct live_frame {
	unsigned long ip;
	const char *file;     /* NULL: the code is of no file */
	const char *symbol;   /* NULL: unknown */
	unsigned long offset; /* from the symbol, or else in the file */
};

/*
 * The stack at the hit, as it would be without probes: innermost first, at most
 * max. Returns how many were found, 0 if the program is dying. At a return it
 * starts with the caller. Who has no unwind information may end it early.
 */
unsigned int live_hit_stack(const struct live_hit *hit,
			    struct live_frame *frame, unsigned int max);

/*
 * A probe. path and the callback's arg belong to the caller and must outlive
 * live_run. hit is called in the probed task's kernel side: it must not sleep.
 */
struct live_probe {
	const char *path;      /* of an ELF file */
	unsigned long offset;  /* in the file, bytes */
	unsigned long ref_ctr; /* of its reference counter there, or 0 */
	bool ret;	       /* at the return of the function there */
	void (*hit)(void *arg, const struct live_hit *hit);
	void *arg;
	unsigned long hits; /* out: so often hit was called */
	unsigned long lost; /* out, of a return probe: calls seen whose return
			     * was not, because the program left the frame
			     * (exit, longjmp, an exception) or it was nested
			     * too deep */
	unsigned long too_deep; /* out: of lost, those that were */
	unsigned long unwound;	/* out: of lost, left by an unwinder */
};

enum live_failure {
	LIVE_OK,
	LIVE_EXEC,	 /* argv[0] could not be executed: err */
	LIVE_PTRACE,	 /* not allowed to trace: err */
	LIVE_PROBE,	 /* probe number `probe` could not be registered: err */
	LIVE_UNREPAIRED, /* a trace of this process was killed before */
	LIVE_UNTRACEABLE, /* argv[0] runs, but cannot be traced: err */
	LIVE_SYSTEM,	  /* anything else of ours: err, what */
};

struct live_config {
	char *const *argv; /* program and arguments, NULL-terminated */
	pid_t pid;	   /* or, if not 0, attach to this process */
	struct live_probe *probes;
	unsigned int nr_probes;
	enum live_step step;
	bool fast;	     /* SIGTRAP is not kept as it was, see sigtrap.c */
	unsigned long limit; /* detach after so many hits; 0: never */
};

struct live_result {
	enum live_failure failure;
	int err;	    /* positive errno that goes with failure */
	const char *what;   /* of LIVE_SYSTEM: the call that failed */
	unsigned int probe; /* of LIVE_PROBE */
	int status;	    /* the program's wait status */
	int left;   /* errno as of LIVE_UNTRACEABLE: such a program was executed
		   * later, and let go; else 0 */
	int signal; /* we were asked to end by this one, or 0 */
};

/*
 * Launch or attach, trace and detach. Returns when the program ended, or as
 * soon as it is detached from (it runs on): after a signal that would end us
 * (SIGINT, SIGUSR1, SIGPIPE, ...; not if it is ignored) and, if it was attached
 * to, after the limit.
 * Whatever is returned, nothing is left patched or stopped.
 */
void live_run(const struct live_config *config, struct live_result *result);

/* The way that is taken for one; the next if there is no room for a copy. */
enum live_way {
	LIVE_WAY_JUMP,	     /* a jump behind it leads back: no further stop */
	LIVE_WAY_BREAKPOINT, /* to a breakpoint behind it */
	LIVE_WAY_STEP,	     /* by the processor's single step */
};
struct arch_insn;
enum live_way live_step_way(enum live_step how, const struct arch_insn *insn);
/* As it is going to run after this hit of its probe; during the hit only. */
enum live_way live_hit_way(const struct live_hit *hit,
			   const struct arch_insn *insn);

#endif /* SIM_LIVE_LIVE_H */
