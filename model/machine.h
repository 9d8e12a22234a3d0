/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.h - what the probe logic asks of a machine (the second seam).
 *
 * Bound at link time: sim/live implements it with ptrace on real processes,
 * sim/explore with an in-memory machine whose user mode is scenario C.
 * Included by kernel-side files and by libc-side files, so it uses basic types
 * only. A machine performs; it decides nothing.
 *
 * All functions return 0 or a negative errno unless stated. Context: task
 * (a fibre with a `current`), may sleep, no spin lock held.
 */
#ifndef MODEL_MACHINE_H
#define MODEL_MACHINE_H

struct mm_struct;
struct task_struct;
struct pt_regs;

/*
 * User data as the program sees it. Needs no lock.
 * -EFAULT: nothing was transferred that the caller may rely on.
 */
int machine_read(struct mm_struct *mm, unsigned long addr, void *to,
		 unsigned long n);
int machine_write(struct mm_struct *mm, unsigned long addr, const void *from,
		  unsigned long n);

/*
 * Write program text through its protection; the page becomes private to the
 * mm. n <= 16. -EAGAIN: another page has taken its place meanwhile, and nothing was
 * written; look at it and try again. Caller holds mmap_lock for write (kernel rule since 6.18).
 */
int machine_write_text(struct mm_struct *mm, unsigned long addr,
		       const void *from, unsigned long n);

/*
 * Write a reference counter: 16 bits of the program's data, aligned, that only
 * tracers change. A machine that lets a copy of the mm go takes back there what
 * was added here. Caller holds mmap_lock for write.
 */
int machine_write_counter(struct mm_struct *mm, unsigned long addr,
			  unsigned short value);

/*
 * fork: what mm has in [start, start + n) becomes a private copy of what oldmm has
 * there, breakpoints and all. Caller holds both mmap_locks for write. -EOPNOTSUPP:
 * the model makes no copies of mms on this machine.
 */
int machine_copy_pages(struct mm_struct *mm, struct mm_struct *oldmm,
		       unsigned long start, unsigned long n);

/*
 * Map a private executable page for XOL, filled from `page` (*size bytes).
 * hint != 0 asks for that address. Returns the address through *addr, and in
 * *size how much of it there is: less where nothing can be mapped.
 */
int machine_map_xol(struct mm_struct *mm, unsigned long hint, const void *page,
		    unsigned long *size, unsigned long *addr);

/*
 * Map a private executable page with n bytes of code, near enough for a call
 * from vaddr, for as long as the mm lives. Its address through *addr. Caller
 * holds mmap_lock for write. -EOPNOTSUPP: there are none on this machine.
 */
int machine_map_trampoline(struct mm_struct *mm, unsigned long vaddr,
			   const void *code, unsigned long n,
			   unsigned long *addr);

/*
 * Wait until every core that is at an instruction of this mm has executed it: no
 * byte of text fetched before is executed after. -EOPNOTSUPP as above.
 */
int machine_sync_cores(struct mm_struct *mm);

/* Copy n bytes into a slot of a page mapped by machine_map_xol. */
int machine_write_slot(struct mm_struct *mm, unsigned long addr,
		       const void *from, unsigned long n);

/*
 * A signal that nothing may hold back (SIGKILL, or detach) waits for the task.
 * Used by the slot wait and by the denial code. Never sleeps.
 */
int machine_fatal_pending(struct task_struct *task);

#endif /* MODEL_MACHINE_H */
