/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SIMPLIFIED: linux/cleanup.h - locks and memory released at the end of a scope.
 *
 * guard(mutex)(&lock) holds it until the scope ends. Leaves out conditional
 * guards. Context: that of the lock's own functions.
 */
#ifndef LINUX_CLEANUP_H
#define LINUX_CLEANUP_H

#include <linux/compiler.h>
#include <linux/types.h>

/* A class: a type, what ends it (of _T), what makes it (from the arguments). */
#define DEFINE_CLASS(name, type, exit, init, init_args...)                   \
	typedef type class_##name##_t;                                       \
	static inline void class_##name##_destructor(class_##name##_t *p)    \
	{                                                                    \
		class_##name##_t _T = *p;                                    \
		exit;                                                        \
	}                                                                    \
	static inline class_##name##_t class_##name##_constructor(init_args) \
	{                                                                    \
		class_##name##_t t = init;                                   \
		return t;                                                    \
	}
#define CLASS(name, var)                               \
	class_##name##_t var __maybe_unused __cleanup( \
		class_##name##_destructor) = class_##name##_constructor

#define DEFINE_GUARD(name, type, lock, unlock)      \
	DEFINE_CLASS(                               \
		name, type, if (_T) { unlock; }, ({ \
			lock;                       \
			_T;                         \
		}),                                 \
		type _T)

/* Guards that keep more than the lock, in members of _T. */
#define DEFINE_LOCK_GUARD_1(name, type, take, drop, members...)            \
	typedef struct {                                                   \
		type *lock;                                                \
		members;                                                   \
	} class_##name##_t;                                                \
	static inline void class_##name##_destructor(class_##name##_t *_T) \
	{                                                                  \
		drop;                                                      \
	}                                                                  \
	static inline class_##name##_t class_##name##_constructor(type *l) \
	{                                                                  \
		class_##name##_t t = { .lock = l }, *_T = &t;              \
		take;                                                      \
		return t;                                                  \
	}
#define DEFINE_LOCK_GUARD_0(name, take, drop)                              \
	typedef struct {                                                   \
		char sim_unused;                                           \
	} class_##name##_t;                                                \
	static inline void class_##name##_destructor(class_##name##_t *_T) \
	{                                                                  \
		drop;                                                      \
	}                                                                  \
	static inline class_##name##_t class_##name##_constructor(void)    \
	{                                                                  \
		take;                                                      \
		return (class_##name##_t){ 0 };                            \
	}

#define guard(name) CLASS(name, __UNIQUE_ID(guard))
#define scoped_guard(name, args...)                                     \
	for (CLASS(name, sim_scope)(args), *sim_done = NULL; !sim_done; \
	     sim_done = (void *)1)

#define DEFINE_FREE(name, type, release)          \
	static inline void __free_##name(void *p) \
	{                                         \
		type _T = *(type *)p;             \
		release;                          \
	}
#define __free(name) __cleanup(__free_##name)
#define no_free_ptr(p)                       \
	({                                   \
		__typeof__(p) sim_ptr = (p); \
		(p) = NULL;                  \
		sim_ptr;                     \
	})
#define return_ptr(p) return no_free_ptr(p)

#endif /* LINUX_CLEANUP_H */
