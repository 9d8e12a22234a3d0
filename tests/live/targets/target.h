/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target.h - what the self-checking targets share.
 *
 * A target does something delicate, checks the outcome itself and exits 0, or
 * says what is wrong and exits 1. It must succeed alone and under any probes.
 */
#ifndef TESTS_LIVE_TARGET_H
#define TESTS_LIVE_TARGET_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(cond)                                                      \
	do {                                                             \
		if (!(cond)) {                                           \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, \
				__LINE__, #cond);                        \
			_exit(1);                                        \
		}                                                        \
	} while (0)

/* A function of its own, with a symbol, that nothing is merged into. */
#if __has_attribute(noclone)
#define PROBED __attribute__((noinline, noclone, used))
#else
#define PROBED __attribute__((noinline, used))
#endif

/* A reference counter, where USDT macros put theirs: private writable data. */
#define SEMAPHORE(name)                      \
	extern volatile unsigned short name; \
	volatile unsigned short name __attribute__((section(".probes"), used))

/* A function written in assembly: what a probe meets is what stands here. */
#define ASM_FUNCTION(name, text)                                    \
	__asm__(".text\n"                                           \
		".balign 16\n"                                      \
		".globl " #name "\n"                                \
		".type " #name ",@function\n" #name ":\n" text "\n" \
		".size " #name ",.-" #name "\n")

#endif /* TESTS_LIVE_TARGET_H */
