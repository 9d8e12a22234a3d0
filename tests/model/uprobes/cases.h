/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cases.h - the tests of model/uprobes, each a kernel-side function.
 *
 * They run on the in-memory machine, compiled plain. A failed BUG_ON ends the
 * process with the place; Check runs each case in a process of its own.
 */
#ifndef TESTS_MODEL_UPROBES_CASES_H
#define TESTS_MODEL_UPROBES_CASES_H

#define UPROBE_CASES(X)      \
	X(hit_emulated)      \
	X(hit_stepped)       \
	X(hit_redirected)    \
	X(hit_foreign)       \
	X(hit_unprepared)    \
	X(hit_raced)         \
	X(hit_lockless)      \
	X(hit_locked)        \
	X(reg_refused)       \
	X(reg_errors)        \
	X(reg_two_consumers) \
	X(reg_filter)        \
	X(reg_before_mmap)   \
	X(reg_remove_by_rc)  \
	X(reg_munmap_recalc) \
	X(reg_last_freed)    \
	X(reg_sync_waits)    \
	X(reg_other_bytes)   \
	X(reg_write_fails)   \
	X(reg_ranges)        \
	X(mms_all)           \
	X(mms_filter)        \
	X(mms_apply)         \
	X(mms_remove_by_rc)  \
	X(mms_rollback)      \
	X(mms_no_memory)     \
	X(mms_mappings)      \
	X(mms_valid)         \
	X(fork_breakpoints)  \
	X(fork_filter)       \
	X(fork_return)       \
	X(fork_again)        \
	X(fork_vfork)        \
	X(fork_thread)       \
	X(fork_sessions)     \
	X(fork_gone)         \
	X(fork_expired)      \
	X(fork_no_memory)    \
	X(fork_counter)      \
	X(fork_fails)        \
	X(fork_unstable)     \
	X(fork_lock)         \
	X(ctr_mapped)        \
	X(ctr_delayed)       \
	X(ctr_before_mmap)   \
	X(ctr_refused)       \
	X(ctr_negative)      \
	X(ctr_reverted)      \
	X(ctr_other_vma)     \
	X(ctr_forgotten)     \
	X(ctr_no_memory)     \
	X(ctr_apply)         \
	X(ret_simple)        \
	X(ret_chained)       \
	X(ret_recursive)     \
	X(ret_longjmp_entry) \
	X(ret_longjmp_ret)   \
	X(ret_longjmp_chain) \
	X(ret_long_chain)    \
	X(ret_cookies)       \
	X(ret_depth)         \
	X(ret_sessions)      \
	X(ret_late_consumer) \
	X(ret_ignore)        \
	X(ret_stray)         \
	X(ret_flag_gone)     \
	X(ret_clobbered)     \
	X(ret_unwinder)      \
	X(ret_link_register) \
	X(con_matrix)        \
	X(con_matrix_traded) \
	X(con_codes)         \
	X(con_single)        \
	X(con_batch)         \
	X(con_many)          \
	X(con_registers)     \
	X(con_registers_put) \
	X(ctl_probe)         \
	X(ctl_refused)       \
	X(ctl_pending_step)  \
	X(ctl_returns)       \
	X(ctl_forget)        \
	X(ctl_other_words)   \
	X(ctl_unreadable)    \
	X(ctl_unapply)       \
	X(ctl_slot_end)      \
	X(ctl_no_step)       \
	X(ctl_clear)         \
	X(ctl_misaligned)    \
	X(ctl_nothing)       \
	X(ri_expire)         \
	X(ri_expire_gone)    \
	X(ri_pool)           \
	X(ri_kmalloc)        \
	X(ri_stable_exit)    \
	X(ri_exit_leased)    \
	X(ri_unregister)     \
	X(memory_balance)    \
	X(memory_failures)   \
	X(xol_creation)      \
	X(xol_exhausted)     \
	X(xol_fatal)         \
	X(sig_denied)        \
	X(sig_fault)         \
	X(sig_fatal)         \
	X(sig_again)         \
	X(sig_elsewhere)     \
	X(sig_before_wait)   \
	X(opt_first_hit)     \
	X(opt_registers)     \
	X(opt_moved)         \
	X(opt_return)        \
	X(opt_inside)        \
	X(opt_other)         \
	X(opt_reach)         \
	X(opt_red_zone)      \
	X(opt_before_call)   \
	X(opt_before_other)  \
	X(opt_before_again)  \
	X(opt_operand)       \
	X(opt_again)         \
	X(opt_failed)        \
	X(opt_raced)         \
	X(opt_stopped)       \
	X(opt_foreign)       \
	X(opt_counter)       \
	X(opt_syscall)       \
	X(opt_shadow)        \
	X(opt_page_end)      \
	X(opt_redirected)    \
	X(variant_names)     \
	X(detach_step)       \
	X(detach_returns)    \
	X(detach_trampoline)

#define X(name) void case_##name(void);
UPROBE_CASES(X)
#undef X

#endif /* TESTS_MODEL_UPROBES_CASES_H */
