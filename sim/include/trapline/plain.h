/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trapline/plain.h - plain C11 programs under the explorer, unchanged.
 *
 * Included before the first line of a program that does not name a scenario's
 * parts (trapline/scenario.h). Threads, mutexes, assert and malloc go to the
 * explorer under names of their own, so that libc's stay what they are for the
 * explorer itself. The program's main() is the first thread, its constructors before and
 * its destructors after it. What it prints is
 * dropped, since it is run once for every execution. Anything else of libc's that
 * it calls is refused by name when it is built, and so are thread-local variables.
 *
 * Mutexes are normal, recursive or error-checking, by pthread_mutexattr_settype() or
 * glibc's initialisers; locks of other kinds (robust, with a protocol) are refused.
 * A program's own #define _GNU_SOURCE is asked for first, since this file is before it.
 *
 * pthread_cond_wait() may return with no signal, as POSIX allows: once in an
 * execution, unless `--early-wakeups N` says otherwise. A signal wakes any of those
 * that wait. The last to arrive at a barrier is its serial thread. A detached thread
 * runs to its end, as if main() waited for it.
 */
#ifndef TRAPLINE_PLAIN_H
#define TRAPLINE_PLAIN_H

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trapline/choose.h>

int trapline_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			    void *(*fn)(void *), void *arg);
int trapline_pthread_join(pthread_t thread, void **result);
pthread_t trapline_pthread_self(void);
int trapline_pthread_equal(pthread_t a, pthread_t b);
int trapline_pthread_detach(pthread_t thread);
int trapline_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr);
int trapline_mutex_destroy(pthread_mutex_t *m);
int trapline_mutex_lock(pthread_mutex_t *m);
int trapline_mutex_trylock(pthread_mutex_t *m);
int trapline_mutex_unlock(pthread_mutex_t *m);
int trapline_mutexattr_init(pthread_mutexattr_t *a);
int trapline_mutexattr_destroy(pthread_mutexattr_t *a);
int trapline_mutexattr_settype(pthread_mutexattr_t *a, int kind);
int trapline_mutexattr_gettype(const pthread_mutexattr_t *a, int *kind);
int trapline_spin_init(pthread_spinlock_t *l, int shared);
int trapline_spin_destroy(pthread_spinlock_t *l);
int trapline_spin_lock(pthread_spinlock_t *l);
int trapline_spin_trylock(pthread_spinlock_t *l);
int trapline_spin_unlock(pthread_spinlock_t *l);
int trapline_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr);
int trapline_cond_destroy(pthread_cond_t *c);
int trapline_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int trapline_cond_signal(pthread_cond_t *c);
int trapline_cond_broadcast(pthread_cond_t *c);
int trapline_barrier_init(pthread_barrier_t *barrier,
			  const pthread_barrierattr_t *attr,
			  unsigned int count);
int trapline_barrier_destroy(pthread_barrier_t *barrier);
int trapline_barrier_wait(pthread_barrier_t *barrier);
int trapline_once(pthread_once_t *once, void (*fn)(void));
int trapline_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr);
int trapline_rwlock_destroy(pthread_rwlock_t *l);
int trapline_rwlock_rdlock(pthread_rwlock_t *l);
int trapline_rwlock_wrlock(pthread_rwlock_t *l);
int trapline_rwlock_tryrdlock(pthread_rwlock_t *l);
int trapline_rwlock_trywrlock(pthread_rwlock_t *l);
int trapline_rwlock_unlock(pthread_rwlock_t *l);
__attribute__((noreturn)) void trapline_assert_fail(const char *what,
						    const char *file,
						    unsigned int line,
						    const char *function);
__attribute__((noreturn)) void trapline_pthread_exit(void *result);
__attribute__((noreturn)) void trapline_exit(int status);
__attribute__((noreturn)) void trapline_abort(void);
int trapline_print(const char *format, ...);
void *trapline_malloc(size_t size);
void *trapline_calloc(size_t n, size_t size);
void *trapline_realloc(void *p, size_t size);
void *trapline_aligned_alloc(size_t align, size_t size);
int trapline_posix_memalign(void **to, size_t align, size_t size);
void trapline_free(void *p);
void *trapline_memcpy(void *to, const void *from, size_t n);
void *trapline_memmove(void *to, const void *from, size_t n);
void *trapline_memset(void *p, int c, size_t n);
int trapline_memcmp(const void *a, const void *b, size_t n);
size_t trapline_strlen(const char *s);
int trapline_strcmp(const char *a, const char *b);
int trapline_strncmp(const char *a, const char *b, size_t n);
char *trapline_strcpy(char *to, const char *from);
char *trapline_strchr(const char *s, int c);
char *trapline_strstr(const char *s, const char *part);

#define pthread_create trapline_pthread_create
#define pthread_join trapline_pthread_join
#define pthread_self trapline_pthread_self
#define pthread_equal trapline_pthread_equal
#define pthread_detach trapline_pthread_detach
#define pthread_mutex_init trapline_mutex_init
#define pthread_mutex_destroy trapline_mutex_destroy
#define pthread_mutex_lock trapline_mutex_lock
#define pthread_mutex_trylock trapline_mutex_trylock
#define pthread_mutex_unlock trapline_mutex_unlock
#define pthread_mutexattr_init trapline_mutexattr_init
#define pthread_mutexattr_destroy trapline_mutexattr_destroy
#define pthread_mutexattr_settype trapline_mutexattr_settype
#define pthread_mutexattr_gettype trapline_mutexattr_gettype
#define pthread_cond_init trapline_cond_init
#define pthread_cond_destroy trapline_cond_destroy
#define pthread_cond_wait trapline_cond_wait
#define pthread_cond_signal trapline_cond_signal
#define pthread_cond_broadcast trapline_cond_broadcast
#define pthread_barrier_init trapline_barrier_init
#define pthread_barrier_destroy trapline_barrier_destroy
#define pthread_barrier_wait trapline_barrier_wait
#define pthread_once trapline_once
#define pthread_rwlock_init trapline_rwlock_init
#define pthread_rwlock_destroy trapline_rwlock_destroy
#define pthread_rwlock_rdlock trapline_rwlock_rdlock
#define pthread_rwlock_wrlock trapline_rwlock_wrlock
#define pthread_rwlock_tryrdlock trapline_rwlock_tryrdlock
#define pthread_rwlock_trywrlock trapline_rwlock_trywrlock
#define pthread_rwlock_unlock trapline_rwlock_unlock
#define pthread_spin_init trapline_spin_init
#define pthread_spin_destroy trapline_spin_destroy
#define pthread_spin_lock trapline_spin_lock
#define pthread_spin_trylock trapline_spin_trylock
#define pthread_spin_unlock trapline_spin_unlock
#define pthread_exit trapline_pthread_exit
#define exit trapline_exit
#define _exit trapline_exit
#define abort trapline_abort
#define printf trapline_print
#define puts trapline_print
#define fprintf(to, ...) trapline_print(__VA_ARGS__)
#define __assert_fail trapline_assert_fail
#define malloc trapline_malloc
#define calloc trapline_calloc
#define realloc trapline_realloc
#define aligned_alloc trapline_aligned_alloc
#define posix_memalign trapline_posix_memalign
#define free trapline_free
#define memcmp trapline_memcmp
#define memcpy trapline_memcpy
#define memmove trapline_memmove
#define memset trapline_memset
#define __builtin_memcmp trapline_memcmp
#define __builtin_memcpy trapline_memcpy
#define __builtin_memmove trapline_memmove
#define __builtin_memset trapline_memset
#define strchr trapline_strchr
#define strcmp trapline_strcmp
#define strcpy trapline_strcpy
#define strlen trapline_strlen
#define strncmp trapline_strncmp
#define strstr trapline_strstr

#define main trapline_program_main

#endif /* TRAPLINE_PLAIN_H */
