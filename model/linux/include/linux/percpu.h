/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/percpu.h - one copy of a variable for each CPU.
 *
 * 	function			order	against interrupts	scheduling point
 * 	per_cpu_ptr, per_cpu		-	-			no
 * 	this_cpu_ptr, get_cpu_ptr	-	-			no
 * 	this_cpu_read, _write		none	one access		yes
 * 	this_cpu_add, _inc, _cmpxchg..	none	cannot be interrupted	yes
 * 	__this_cpu_*, raw_cpu_*		none	not safe		yes
 * Context: any. this_cpu_add and its kin are a read and a write with interrupts off,
 * as on a machine that has nothing better: safe against this CPU's interrupts, not
 * against other CPUs. Leaves out alloc_percpu. In the plain build there is one copy.
 */
#ifndef LINUX_PERCPU_H
#define LINUX_PERCPU_H

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#ifdef SIM_EXPLORE
#define sim_percpu __attribute__((section("trapline_percpu")))
#define per_cpu_ptr(p, cpu) ((__typeof__(p))sim_percpu_copy(p, cpu))
#else
#define sim_percpu
#define per_cpu_ptr(p, cpu) ((void)(cpu), (p))
#endif

#define DEFINE_PER_CPU(type, name) sim_percpu __typeof__(type) name
#define DECLARE_PER_CPU(type, name) extern sim_percpu __typeof__(type) name
#define DEFINE_PER_CPU_ALIGNED(type, name) DEFINE_PER_CPU(type, name)
#define DEFINE_PER_CPU_SHARED_ALIGNED(type, name) DEFINE_PER_CPU(type, name)

#define per_cpu(var, cpu) (*per_cpu_ptr(&(var), cpu))
#define this_cpu_ptr(p) per_cpu_ptr(p, smp_processor_id())
#define raw_cpu_ptr(p) this_cpu_ptr(p)
#define get_cpu_ptr(p) (preempt_disable(), this_cpu_ptr(p))
#define put_cpu_ptr(p) ((void)(p), preempt_enable())
#define get_cpu_var(var) (*get_cpu_ptr(&(var)))
#define put_cpu_var(var) put_cpu_ptr(&(var))

#define raw_cpu_read(var) READ_ONCE(*this_cpu_ptr(&(var)))
#define raw_cpu_write(var, v) WRITE_ONCE(*this_cpu_ptr(&(var)), v)
#define sim_cpu_new(var, p, v, expr)                         \
	({                                                   \
		__typeof__(&(var)) p = this_cpu_ptr(&(var)); \
		__typeof__(var) v = READ_ONCE(*p);           \
		v = (expr);                                  \
		WRITE_ONCE(*p, v);                           \
		v;                                           \
	})
/* Between two reads of what only this CPU writes nothing may come. */
#define sim_cpu_safe(expr)                  \
	({                                  \
		unsigned long sim_off;      \
		__typeof__(expr) sim_value; \
		local_irq_save(sim_off);    \
		sim_value = (expr);         \
		local_irq_restore(sim_off); \
		sim_value;                  \
	})
#define raw_cpu_add_return(var, n) sim_cpu_new(var, sim_p, sim_v, sim_v + (n))
#define raw_cpu_or_return(var, n) sim_cpu_new(var, sim_p, sim_v, sim_v | (n))
#define raw_cpu_and_return(var, n) sim_cpu_new(var, sim_p, sim_v, sim_v &(n))
#define raw_cpu_xchg(var, n)                                     \
	({                                                       \
		__typeof__(&(var)) sim_p = this_cpu_ptr(&(var)); \
		__typeof__(var) sim_old = READ_ONCE(*sim_p);     \
		WRITE_ONCE(*sim_p, n);                           \
		sim_old;                                         \
	})
#define raw_cpu_cmpxchg(var, old, new)                           \
	({                                                       \
		__typeof__(&(var)) sim_p = this_cpu_ptr(&(var)); \
		__typeof__(var) sim_seen = READ_ONCE(*sim_p);    \
		if (sim_seen == (old))                           \
			WRITE_ONCE(*sim_p, new);                 \
		sim_seen;                                        \
	})

#define raw_cpu_add(var, n) ((void)raw_cpu_add_return(var, n))
#define raw_cpu_inc(var) raw_cpu_add(var, 1)
#define raw_cpu_dec(var) raw_cpu_add(var, -1)

#define __this_cpu_read(var) raw_cpu_read(var)
#define __this_cpu_write(var, v) raw_cpu_write(var, v)
#define __this_cpu_add(var, n) raw_cpu_add(var, n)
#define __this_cpu_sub(var, n) raw_cpu_add(var, -(n))
#define __this_cpu_inc(var) raw_cpu_inc(var)
#define __this_cpu_dec(var) raw_cpu_dec(var)
#define __this_cpu_add_return(var, n) raw_cpu_add_return(var, n)
#define __this_cpu_inc_return(var) raw_cpu_add_return(var, 1)
#define __this_cpu_xchg(var, n) raw_cpu_xchg(var, n)
#define __this_cpu_cmpxchg(var, old, new) raw_cpu_cmpxchg(var, old, new)

#define this_cpu_read(var) raw_cpu_read(var)
#define this_cpu_write(var, v) raw_cpu_write(var, v)
#define this_cpu_add_return(var, n) sim_cpu_safe(raw_cpu_add_return(var, n))
#define this_cpu_inc_return(var) this_cpu_add_return(var, 1)
#define this_cpu_dec_return(var) this_cpu_add_return(var, -1)
#define this_cpu_add(var, n) ((void)this_cpu_add_return(var, n))
#define this_cpu_sub(var, n) this_cpu_add(var, -(n))
#define this_cpu_inc(var) this_cpu_add(var, 1)
#define this_cpu_dec(var) this_cpu_add(var, -1)
#define this_cpu_or(var, n) ((void)sim_cpu_safe(raw_cpu_or_return(var, n)))
#define this_cpu_and(var, n) ((void)sim_cpu_safe(raw_cpu_and_return(var, n)))
#define this_cpu_xchg(var, n) sim_cpu_safe(raw_cpu_xchg(var, n))
#define this_cpu_cmpxchg(var, old, new) \
	sim_cpu_safe(raw_cpu_cmpxchg(var, old, new))

#endif /* LINUX_PERCPU_H */
