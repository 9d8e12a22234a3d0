/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/compiler_types.h - attributes.
 *
 * Leaves out everything for other compilers, and gives the annotations of static
 * checkers no meaning. Context: none needed, nothing here is code.
 */
#ifndef LINUX_COMPILER_TYPES_H
#define LINUX_COMPILER_TYPES_H

#define __no_sanitize_thread __attribute__((no_sanitize_thread))
#define __user
#define __kernel
#define __iomem
#define __percpu
#define __rcu
#define __force
#define __must_hold(x)
#define __acquires(x)
#define __releases(x)
#define notrace

#define __always_inline inline __attribute__((__always_inline__))
#define noinline __attribute__((__noinline__))
#define __maybe_unused __attribute__((__unused__))
#define __always_unused __attribute__((__unused__))
#define __used __attribute__((__used__))
#define __must_check __attribute__((__warn_unused_result__))
#define __weak __attribute__((__weak__))
#define __packed __attribute__((__packed__))
#define __aligned(x) __attribute__((__aligned__(x)))
#define __cold __attribute__((__cold__))
#define __noreturn __attribute__((__noreturn__))
#define __printf(a, b) __attribute__((__format__(printf, a, b)))
#define __section(s) __attribute__((__section__(s)))
#define __cleanup(f) __attribute__((__cleanup__(f)))
#define __ro_after_init
#define __read_mostly
#define ____cacheline_aligned_in_smp __aligned(64)
#define ____cacheline_aligned __aligned(64)
#define fallthrough __attribute__((__fallthrough__))
#define asmlinkage
#define __init
#define __exit

#ifndef __has_attribute
#define __has_attribute(x) 0
#endif

#endif /* LINUX_COMPILER_TYPES_H */
