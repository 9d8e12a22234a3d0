// SPDX-License-Identifier: GPL-2.0-only
/*
 * cases_mm.c - mappings, files, tasks and the way back to user mode.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <linux/string.h>
#include <linux/task_work.h>
#include <sim/entry.h>
#include "fixture.h"

#define PAGES(n) ((n)*PAGE_SIZE)

struct mm_struct *start_task(void)
{
	struct mm_struct *mm = sim_mm_new(&arch_x86_64, NULL);

	BUG_ON(!mm);
	sim_set_current(sim_task_new(mm, 7, 7, NULL));
	BUG_ON(!current);
	return mm;
}

void end_task(struct mm_struct *mm)
{
	struct task_struct *task = current;

	sim_task_exit(task);
	BUG_ON(sim_task_mm(task));
	sim_task_free(task);
	sim_set_current(NULL);
	sim_mm_put(mm);
	world_run_deferred();
	BUG_ON(world_objects());
}

static int read_file(void *priv, unsigned long off, void *to, unsigned long n)
{
	memset(to, (int)off, n);
	return 0;
}

static struct inode *new_file(void)
{
	struct inode *inode = sim_inode_new(NULL, PAGES(16), read_file);

	BUG_ON(!inode);
	return inode;
}

#define TEXT (SIM_VM_READ | SIM_VM_EXEC)

void case_mm_find(void)
{
	struct mm_struct *mm = start_task();
	struct inode *file = new_file();
	struct vm_area_struct *vma;
	VMA_ITERATOR(vmi, mm, 0);
	int n = 0;

	/* Out of order, with a hole between the second and the third. */
	BUG_ON(sim_vma_add(mm, file, PAGES(20), PAGES(22), PAGES(1), TEXT));
	BUG_ON(sim_vma_add(mm, file, PAGES(10), PAGES(12), 0, TEXT));
	BUG_ON(sim_vma_add(mm, file, PAGES(12), PAGES(13), 0,
			   SIM_VM_READ | SIM_VM_SHARED));
	BUG_ON(sim_vma_add(mm, file, PAGES(21), PAGES(23), 0, 0) != -EINVAL);
	BUG_ON(sim_vma_add(mm, file, 1, PAGES(2), 0, 0) != -EINVAL);

	BUG_ON(vma_lookup(mm, PAGES(10) - 1) || vma_lookup(mm, PAGES(13)));
	vma = vma_lookup(mm, PAGES(12) - 1);
	BUG_ON(!vma || vma->vm_start != PAGES(10));
	BUG_ON(file_inode(vma->vm_file) != file);
	BUG_ON(!(vma->vm_flags & VM_MAYEXEC) || vma->vm_flags & VM_MAYSHARE);
	vma = vma_lookup(mm, PAGES(12));
	BUG_ON(!(vma->vm_flags & VM_MAYSHARE) || vma->vm_flags & VM_EXEC);
	vma = find_vma(mm, PAGES(15));
	BUG_ON(!vma || vma->vm_start != PAGES(20) || vma_start_pgoff(vma) != 1);
	for_each_vma(vmi, vma)
		n = n * 100 + (int)(vma->vm_start >> PAGE_SHIFT);
	BUG_ON(n != 101220);

	/* Page 1 of the file is seen through the first and the last. */
	n = 0;
	mapping_rmap_tree_foreach(vma, file->i_mapping, 1, 1)
		n += (int)(vma->vm_start >> PAGE_SHIFT);
	BUG_ON(n != 30);
	sim_inode_put(file);
	end_task(mm);
}

/* Which file page is at an address; -1: nothing is mapped. */
static long page_at(struct mm_struct *mm, unsigned long addr)
{
	struct vm_area_struct *vma = vma_lookup(mm, addr);

	if (!vma)
		return -1;
	return (long)(vma->vm_pgoff + ((addr - vma->vm_start) >> PAGE_SHIFT));
}

void case_mm_cut(void)
{
	struct mm_struct *mm = start_task();
	struct inode *file = new_file();
	unsigned long i;

	BUG_ON(sim_vma_add(mm, file, PAGES(10), PAGES(18), PAGES(3), TEXT));
	sim_vma_del(mm, PAGES(13), PAGES(14));
	sim_vma_del(mm, PAGES(9), PAGES(11));
	sim_vma_del(mm, PAGES(17), PAGES(30));
	for (i = 8; i < 20; i++) {
		bool mapped = i == 11 || i == 12 || (i >= 14 && i < 17);

		BUG_ON(page_at(mm, PAGES(i)) != (mapped ? (long)i - 7 : -1));
	}
	sim_vma_del(mm, 0, PAGES(100));
	BUG_ON(find_vma(mm, 0) || !list_empty(&file->i_mapping->i_mmap));
	sim_inode_put(file);
	end_task(mm);
}

void case_mm_speculation(void)
{
	struct mm_struct *mm = start_task();
	struct inode *file = new_file();
	unsigned int seq;

	BUG_ON(!mmap_lock_speculate_try_begin(mm, &seq));
	mmap_read_lock(mm);
	mmap_read_unlock(mm);
	BUG_ON(mmap_lock_speculate_retry(mm, seq));
	BUG_ON(sim_vma_add(mm, file, PAGES(1), PAGES(2), 0, TEXT));
	BUG_ON(!mmap_lock_speculate_retry(mm, seq));
	BUG_ON(!mmap_lock_speculate_try_begin(mm, &seq));
	mmap_write_lock(mm);
	BUG_ON(mmap_lock_speculate_try_begin(mm, &seq));
	mmap_write_unlock(mm);
	sim_inode_put(file);
	end_task(mm);
}

/* A mapping holds the file; a reader holds what was unmapped. */
void case_mm_put_frees(void)
{
	struct mm_struct *mm = start_task();
	struct inode *file = new_file();
	struct vm_area_struct *vma;

	BUG_ON(sim_vma_add(mm, file, PAGES(1), PAGES(2), PAGES(5), TEXT));
	sim_inode_put(file);
	BUG_ON(!igrab(file));
	iput(file);

	rcu_read_lock();
	vma = vma_lookup(mm, PAGES(1));
	sim_vma_del(mm, PAGES(1), PAGES(2));
	world_run_deferred();
	BUG_ON(vma->vm_pgoff != 5 || file_inode(vma->vm_file) != file);
	BUG_ON(igrab(file));
	rcu_read_unlock();

	BUG_ON(!mmget_not_zero(mm));
	mmput(mm);
	end_task(mm);
}

void case_file_bounds(void)
{
	struct inode *file = new_file();
	unsigned char byte[2] = { 0 };

	BUG_ON(sim_inode_read(file, 9, byte, 1) || byte[0] != 9 || byte[1]);
	BUG_ON(sim_inode_read(file, PAGES(16) - 2, byte, 2));
	BUG_ON(sim_inode_read(file, PAGES(16) - 1, byte, 2) != -EIO);
	BUG_ON(sim_inode_read(file, -1, byte, 1) != -EIO);
	sim_inode_put(file);
}

static struct pt_regs regs;

void case_entry_forced(void)
{
	struct mm_struct *mm = start_task();
	struct sim_resume out;

	BUG_ON(sim_user_trap(SIM_TRAP_FAULT, SIGSEGV, &regs));
	BUG_ON(task_pt_regs(current) != &regs);
	sim_user_resume(&regs, &out);
	BUG_ON(!out.signals || out.force_sig != SIGSEGV || out.step);
	BUG_ON(test_thread_flag(TIF_SIGPENDING));

	/* It is delivered once. */
	BUG_ON(sim_user_trap(SIM_TRAP_SIGNAL, 0, &regs));
	sim_user_resume(&regs, &out);
	BUG_ON(!out.signals || out.force_sig);
	end_task(mm);
}

static struct callback_head work;

static void raise_signal(struct callback_head *head)
{
	force_sig(SIGILL);
}

/* Work that makes more work is followed by one more round. */
void case_entry_task_work(void)
{
	struct mm_struct *mm = start_task();
	struct sim_resume out;

	init_task_work(&work, raise_signal);
	BUG_ON(task_work_add(current, &work, TWA_RESUME));
	sim_user_resume(&regs, &out);
	BUG_ON(out.force_sig != SIGILL);
	BUG_ON(current->thread_info.flags || current->task_works);
	end_task(mm);
}

/* A breakpoint of the program's own, where nothing is probed. */
void case_entry_idle(void)
{
	struct mm_struct *mm = start_task();
	struct sim_resume out = { .step = true, .signals = true };

	BUG_ON(sim_user_trap(SIM_TRAP_BREAKPOINT, 0, &regs));
	BUG_ON(sim_user_trap(SIM_TRAP_STEP, 0, &regs));
	sim_user_resume(&regs, &out);
	BUG_ON(out.step || out.signals || out.force_sig || out.insn);
	instruction_pointer_set(&regs, 0x1234);
	BUG_ON(instruction_pointer(&regs) != 0x1234 || regs.ip != 0x1234);
	end_task(mm);
}
