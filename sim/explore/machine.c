// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - the in-memory machine: model/machine.h over arrays, and the user
 * mode of trapline/user.h.
 *
 * Kernel-side and instrumented: text, stack words and XOL slots are memory of
 * the scenario, so that races on them are explored. Text and slots are read and
 * written by bytes, stacks by words, counters by half words, never mixed.
 * Compiled plain for the tests of the model, too.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include <linux/string.h>
#include <sim/entry.h>
#include <trapline/user.h>
#include "machine.h"
#include "space_kernel.h"
#include "toy.h"
#include "uprobes/uprobes.h"

struct user_text_file {
	unsigned char text[USER_TEXT_BYTES];
	unsigned int n;
};

/* ---- memory ------------------------------------------------------------- */

/* The byte of text or slot at addr, or NULL. */
static unsigned char *text_byte(struct user_space *s, unsigned long addr)
{
	unsigned long off;

	if (addr - USER_TEXT < USER_TEXT_BYTES)
		return &s->text[addr - USER_TEXT];
	off = addr - s->xol_addr;
	if (s->xol_addr && off < PAGE_SIZE &&
	    off % TOY_SLOT_BYTES < XOL_SLOT_USED)
		return &s->xol[off / TOY_SLOT_BYTES][off % TOY_SLOT_BYTES];
	return NULL;
}

static unsigned long *stack_word(struct user_space *s, unsigned long addr)
{
	unsigned long off = addr - USER_STACKS;

	if (off >= USER_MAX_TASKS * STACK_BYTES || off % sizeof(long))
		return NULL;
	return &s->stack[off / STACK_BYTES][off % STACK_BYTES / sizeof(long)];
}

static unsigned short *counter_at(struct user_space *s, unsigned long addr)
{
	unsigned long off = addr - USER_DATA;

	if (off >= sizeof(s->counter) || off % sizeof(short) || s->lacks_data)
		return NULL;
	return &s->counter[off / sizeof(short)];
}

static int write_bytes(struct mm_struct *mm, unsigned long addr,
		       const unsigned char *from, unsigned long n)
{
	struct user_space *s = sim_mm_priv(mm);
	unsigned char *byte;

	for (; n; n--, addr++, from++) {
		byte = text_byte(s, addr);
		if (!byte)
			return -EFAULT;
		WRITE_ONCE(*byte, *from);
	}
	return 0;
}

int machine_read(struct mm_struct *mm, unsigned long addr, void *to,
		 unsigned long n)
{
	struct user_space *s = sim_mm_priv(mm);
	unsigned short *counter = counter_at(s, addr);
	unsigned long *word = stack_word(s, addr);
	unsigned char *byte, *bytes = to;

	if (word && n == sizeof(*word)) {
		*(unsigned long *)to = READ_ONCE(*word);
		return 0;
	}
	if (counter && n == sizeof(*counter)) {
		*(unsigned short *)to = READ_ONCE(*counter);
		return 0;
	}
	for (; n; n--, addr++, bytes++) {
		byte = text_byte(s, addr);
		if (!byte)
			return -EFAULT;
		*bytes = READ_ONCE(*byte);
	}
	return 0;
}

int machine_write(struct mm_struct *mm, unsigned long addr, const void *from,
		  unsigned long n)
{
	struct user_space *s = sim_mm_priv(mm);
	unsigned long *word = stack_word(s, addr);

	if (!word || n != sizeof(*word))
		return -EFAULT;
	if (s->tear) {
		s->tear = false;
		WRITE_ONCE(*word, *word >> 32 << 32);
		return -EFAULT;
	}
	WRITE_ONCE(*word, *(const unsigned long *)from);
	return 0;
}

/*
 * What was stored before is there before the text is: page-table lock and TLB
 * flush see to it (P6). The fetch has the other half.
 */
int machine_write_text(struct mm_struct *mm, unsigned long addr,
		       const void *from, unsigned long n)
{
	struct user_space *s = sim_mm_priv(mm);

	if (READ_ONCE(s->text_locked))
		return -ENOMEM;
	if (READ_ONCE(s->text_moved)) {
		WRITE_ONCE(s->text_moved, false);
		return -EAGAIN;
	}
	smp_wmb();
	return write_bytes(mm, addr, from, n);
}

int machine_write_counter(struct mm_struct *mm, unsigned long addr,
			  unsigned short value)
{
	unsigned short *counter = counter_at(sim_mm_priv(mm), addr);

	if (!counter)
		return -EFAULT;
	WRITE_ONCE(*counter, value);
	return 0;
}

int machine_write_slot(struct mm_struct *mm, unsigned long addr,
		       const void *from, unsigned long n)
{
	return write_bytes(mm, addr, from, n);
}

int machine_map_xol(struct mm_struct *mm, unsigned long hint, const void *page,
		    unsigned long *size, unsigned long *addr)
{
	struct user_space *s = sim_mm_priv(mm);
	const unsigned char *from = page;
	unsigned int slot;

	*addr = hint ?: USER_XOL(s->generation);
	if (*addr - USER_XOL(0) >= USER_XOL_PAGES * PAGE_SIZE)
		return -ENOMEM;
	s->xol_addr = *addr;
	for (slot = 0; slot < XOL_SLOTS; slot++)
		write_bytes(mm, *addr + slot * TOY_SLOT_BYTES,
			    from + slot * TOY_SLOT_BYTES, XOL_SLOT_USED);
	return 0;
}

int machine_map_trampoline(struct mm_struct *mm, unsigned long vaddr,
			   const void *code, unsigned long n,
			   unsigned long *addr)
{
	struct user_space *s = sim_mm_priv(mm);

	if (s->codes == TOY_CODES)
		return -ENOMEM;
	WRITE_ONCE(s->code_drop, *(const unsigned char *)code);
	*addr = TOY_CODE(s->codes++);
	return 0;
}

/* A thread is a core; while it has part of an instruction, it is in a section. */
DEFINE_STATIC_SRCU(cores);

int machine_sync_cores(struct mm_struct *mm)
{
	synchronize_srcu(&cores);
	return 0;
}

int machine_fatal_pending(struct task_struct *task)
{
	struct user *u = sim_task_priv(task);

	return READ_ONCE(u->fatal);
}

/* ---- set-up --------------------------------------------------------------- */

static int read_file(void *priv, unsigned long off, void *to, unsigned long n)
{
	struct user_text_file *f = priv;

	if (off > USER_TEXT_BYTES || n > USER_TEXT_BYTES - off)
		return -EIO;
	memcpy(to, f->text + off, n);
	return 0;
}

struct inode *user_file(const unsigned char *text, unsigned int n)
{
	struct user_text_file *f = kzalloc_obj(struct user_text_file);
	struct inode *inode;

	BUG_ON(!f || n > USER_TEXT_BYTES);
	memset(f->text, USER_NOP, USER_TEXT_BYTES);
	memcpy(f->text, text, n);
	f->n = n;
	inode = sim_inode_new(f, USER_TEXT_BYTES, read_file);
	BUG_ON(!inode);
	return inode;
}

struct mm_struct *user_mm(struct inode *file)
{
	struct user_space *s = kzalloc_obj(struct user_space);
	struct mm_struct *mm;
	int i;

	BUG_ON(!s);
	mm = sim_mm_new(&arch_toy, s);
	BUG_ON(!mm);
	BUG_ON(sim_inode_read(file, 0, s->text, USER_TEXT_BYTES));
	s->text_bytes = file->sim_fill == read_file
				? ((struct user_text_file *)file->sim_priv)->n
				: USER_TEXT_BYTES;
	for (i = 0; i < USER_TEXT_BYTES; i++)
		s->wide |= s->text[i] == USER_NOP2 || s->text[i] == USER_NOP4;
	BUG_ON(sim_vma_add(mm, file, USER_TEXT, USER_TEXT + PAGE_SIZE, 0,
			   SIM_VM_READ | SIM_VM_EXEC));
	return mm;
}

void user_map_data(struct mm_struct *mm, struct inode *file)
{
	struct user_space *s = sim_mm_priv(mm);

	s->lacks_data = false;
	BUG_ON(sim_vma_add(mm, file, USER_DATA, USER_DATA + PAGE_SIZE,
			   USER_DATA_OFFSET, SIM_VM_READ | SIM_VM_WRITE));
}

void user_lock_text(struct mm_struct *mm, bool locked)
{
	struct user_space *s = sim_mm_priv(mm);

	WRITE_ONCE(s->text_locked, locked);
}

void user_poke(struct mm_struct *mm, unsigned long addr, unsigned char byte)
{
	BUG_ON(write_bytes(mm, addr, &byte, 1));
}

void user_move_text(struct mm_struct *mm)
{
	struct user_space *s = sim_mm_priv(mm);

	WRITE_ONCE(s->text_moved, true);
}

void user_tear_store(struct mm_struct *mm)
{
	struct user_space *s = sim_mm_priv(mm);

	s->tear = true;
}

struct task_struct *user_task(struct mm_struct *mm, int pid)
{
	struct user_space *s = sim_mm_priv(mm);
	struct user *u = kzalloc_obj(struct user);
	struct task_struct *task;

	BUG_ON(!u || s->tasks == USER_MAX_TASKS);
	u->regs.sp = USER_STACKS + ++s->tasks * STACK_BYTES;
	task = sim_task_new(mm, pid, pid, u);
	BUG_ON(!task);
	return task;
}

void user_limit_slots(struct mm_struct *mm, unsigned int n)
{
	struct xol_area *area = xol_area_of(mm);

	BUG_ON(!area || n > area->nr_slots);
	area->nr_slots = n;
}

/* ---- user mode -------------------------------------------------------------- */

static bool in_xol(unsigned long addr)
{
	return addr - USER_XOL(0) < USER_XOL_PAGES * PAGE_SIZE;
}

static void push(struct user *u, unsigned long word)
{
	u->regs.sp -= sizeof(word);
	BUG_ON(machine_write(current->mm, u->regs.sp, &word, sizeof(word)));
}

static unsigned long pop(struct user *u)
{
	unsigned long word;

	BUG_ON(machine_read(current->mm, u->regs.sp, &word, sizeof(word)));
	u->regs.sp += sizeof(word);
	return word;
}

/* Effect of one instruction other than the breakpoint. */
static void execute(struct user *u, const unsigned char *insn)
{
	unsigned long *word;

	u->regs.ip++;
	switch (insn[0]) {
	case USER_CALL:
		u->regs.sp -= sizeof(*word);
		word = stack_word(sim_mm_priv(current->mm), u->regs.sp);
		WRITE_ONCE(*word, u->regs.ip);
		return;
	case USER_INC:
		u->log.ax++;
		return;
	case USER_NOP:
		return;
	case USER_NOP2:
		u->regs.ip++;
		return;
	case USER_NOP4:
		u->regs.ip += 3;
		return;
	case USER_LOWER:
		u->regs.ip++;
		u->regs.sp -= insn[1] * sizeof(*word);
		u->lowered = true;
		return;
	case USER_CALL2:
		u->lowered = false;
		push(u, u->regs.ip + 1);
		u->regs.ip = TOY_CODE(insn[1] - 1ul);
		return;
	}
	BUG();
}

/*
 * The bytes of an instruction come in any order, perhaps twice: the second one is
 * looked at before and after the first, and must go with it either way. Those
 * behind it mean nothing.
 */
static void fetch(struct user_space *s, unsigned long ip, unsigned char *insn)
{
	unsigned char before;
	int idx;

	if (!s->wide) {
		insn[0] = READ_ONCE(*text_byte(s, ip));
		return;
	}
	idx = srcu_read_lock(&cores);
	before = READ_ONCE(*text_byte(s, ip + 1));
	insn[0] = READ_ONCE(*text_byte(s, ip));
	insn[1] = READ_ONCE(*text_byte(s, ip + 1));
	srcu_read_unlock(&cores, idx);
	if (insn[0] == USER_NOP2 || insn[0] == USER_NOP4)
		BUG_ON(before || insn[1]); /* torn */
	if (insn[0] == USER_CALL2 || insn[0] == USER_LOWER)
		BUG_ON(!before || before != insn[1]); /* torn */
}

/* The sender of a fatal signal may not have set the flag yet. */
static bool signal_waits(void)
{
	return test_thread_flag(TIF_SIGPENDING) ||
	       machine_fatal_pending(current);
}

static void run_slot(struct user *u)
{
	struct user_space *s = sim_mm_priv(current->mm);
	void (*fn)(void) = u->in_slot;
	int sig;

	if (fn) {
		u->in_slot = NULL;
		fn();
	}
	if (!in_xol(u->regs.ip)) /* fn detached the task */
		return;
	sig = u->fault;
	if (signal_waits()) {
		sim_user_trap(SIM_TRAP_SIGNAL, 0, &u->regs);
	} else if (sig) {
		u->fault = 0;
		sim_user_trap(SIM_TRAP_FAULT, sig, &u->regs);
	} else {
		execute(u, &(unsigned char){
				   READ_ONCE(*text_byte(s, u->regs.ip)) });
		u->log.steps++;
		sim_user_trap(SIM_TRAP_STEP, 0, &u->regs);
	}
}

static void take_signals(struct user *u)
{
	u->log.signals++;
	u->log.signal_ip = u->regs.ip;
	if (machine_fatal_pending(current))
		u->log.killed = SIGKILL;
}

/*
 * Out of the kernel, as often as a step in a slot asks for it. A task that is sent
 * elsewhere for its step goes on there; one that was killed goes nowhere.
 */
static void to_user_mode(struct user *u)
{
	struct sim_resume r;
	bool slot;

	do {
		sim_user_resume(&u->regs, &r);
		if (r.force_sig && r.force_sig != u->handles)
			u->log.killed = r.force_sig;
		if (r.signals)
			take_signals(u);
		slot = r.step && in_xol(u->regs.ip) && !u->log.killed;
		if (slot)
			run_slot(u);
	} while (slot);
}

static void trap(struct user *u, enum sim_trap what)
{
	if (!sim_user_trap(what, 0, &u->regs) && what == SIM_TRAP_BREAKPOINT)
		u->log.killed = SIGTRAP; /* nobody's breakpoint */
	to_user_mode(u);
}

static bool in_code(unsigned long ip)
{
	return ip - TOY_CODE(0) < TOY_CODE(TOY_CODES) - TOY_CODE(0);
}

/* What an optimised probe calls. */
static void run_code(struct user *u)
{
	struct user_space *s = sim_mm_priv(current->mm);
	void (*fn)(void) = u->in_slot;
	unsigned long ip = u->regs.ip + 1;
	long err;

	/* Only a copy of an mm can lack what its text calls. */
	if (s->generation && u->regs.ip - TOY_CODE(0) >=
				     s->codes * (TOY_CODE(1) - TOY_CODE(0))) {
		u->log.killed = SIGSEGV;
		return;
	}
	push(u, u->regs.cx);
	push(u, u->regs.r11);
	push(u, u->regs.ax);
	if (fn) {
		u->in_slot = NULL;
		fn();
	}
	u->regs.ip = ip;
	err = sim_user_uprobe(&u->regs);
	if (err)
		u->regs.ax = err;
	to_user_mode(u);
	if (u->regs.ip != ip || u->log.killed)
		return;
	u->regs.ax = pop(u);
	u->regs.r11 = pop(u);
	u->regs.cx = pop(u);
	u->regs.ip = pop(u);
	u->regs.sp += READ_ONCE(s->code_drop) * sizeof(u->regs.sp);
}

/* One instruction, or one trap instead of it. */
static void one_insn(struct user *u)
{
	struct user_space *s = sim_mm_priv(current->mm);
	unsigned char insn[2];

	if (signal_waits()) {
		trap(u, SIM_TRAP_SIGNAL);
		return;
	}
	if (in_code(u->regs.ip)) {
		run_code(u);
		return;
	}
	if (!text_byte(s, u->regs.ip)) {
		u->log.killed = SIGSEGV;
		return;
	}
	fetch(s, u->regs.ip, insn);
	smp_rmb();
	if (insn[0] == USER_BP) {
		u->regs.ip++;
		trap(u, SIM_TRAP_BREAKPOINT);
	} else {
		execute(u, insn);
	}
}

void user_begin(struct task_struct *task)
{
	struct user *u = sim_task_priv(task);

	sim_set_current(task);
	if (u->new) {
		u->new = false;
		to_user_mode(u);
	}
}

void user_exit(void)
{
	sim_task_exit(current);
}

bool user_hit(unsigned long addr)
{
	struct user *u = this_user();

	u->regs.ip = addr;
	while ((u->regs.ip == addr || u->lowered || in_code(u->regs.ip)) &&
	       !u->log.killed)
		one_insn(u);
	return !u->log.killed;
}

bool user_try(unsigned long addr)
{
	struct user *u = this_user();

	u->regs.ip = addr;
	one_insn(u);
	return u->regs.ip != addr && !u->log.killed;
}

bool user_call(unsigned long func, unsigned long ret)
{
	struct user *u = this_user();

	push(u, ret);
	return user_hit(func);
}

unsigned long user_return(void)
{
	struct user *u = this_user();

	u->regs.ip = pop(u);
	/* Slot 0, of whatever page. */
	while (in_xol(u->regs.ip) && !offset_in_page(u->regs.ip) &&
	       !u->log.killed)
		one_insn(u);
	return u->regs.ip;
}

unsigned long user_sp(void)
{
	return this_user()->regs.sp;
}

void user_longjmp(unsigned long sp)
{
	this_user()->regs.sp = sp;
}

void user_keep(unsigned int n, unsigned long word)
{
	BUG_ON(!n || n > USER_RED_WORDS);
	WRITE_ONCE(*stack_word(sim_mm_priv(current->mm),
			       user_sp() - n * sizeof(word)),
		   word);
}

unsigned long user_kept(unsigned int n)
{
	BUG_ON(!n || n > USER_RED_WORDS);
	return READ_ONCE(*stack_word(sim_mm_priv(current->mm),
				     user_sp() - n * sizeof(long)));
}

void user_in_slot(void (*fn)(void))
{
	this_user()->in_slot = fn;
}

void user_fault(int sig)
{
	this_user()->fault = sig;
	this_user()->handles = sig;
}

void user_detach(void)
{
	sim_user_detach(&this_user()->regs);
}

void user_signal(struct task_struct *task, bool fatal)
{
	struct user *u = sim_task_priv(task);

	if (fatal)
		WRITE_ONCE(u->fatal, true);
	sim_signal_add(task);
	if (fatal)
		wake_up_process(task);
}

const struct user_log *user_log(struct task_struct *task)
{
	struct user *u = sim_task_priv(task);

	return &u->log;
}

unsigned short user_counter(struct mm_struct *mm, unsigned int n)
{
	struct user_space *s = sim_mm_priv(mm);

	return READ_ONCE(s->counter[n]);
}

unsigned char user_text(struct mm_struct *mm, unsigned long addr)
{
	return READ_ONCE(*text_byte(sim_mm_priv(mm), addr));
}
