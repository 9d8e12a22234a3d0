/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe.h - the system calls that a tracer makes for one hit, as words:
 *
 *	wait siginfo getregs write:8 setregs cont
 *
 * look is a wait that does not sleep, made over and over, a yield between two;
 * write:8 is 8 bytes through /proc/PID/mem; poke:128 is PTRACE_POKEUSER of the
 * word at offset 128 of struct user; syscall is PTRACE_SYSCALL, which stops at
 * system calls, too. A call that has no word is its number.
 */
#ifndef TESTS_BENCH_RECIPE_H
#define TESTS_BENCH_RECIPE_H

#include <stdbool.h>
#include <stddef.h>

#define RECIPE_CALLS(X)            \
	X(WAIT, "wait")            \
	X(LOOK, "look")            \
	X(SIGINFO, "siginfo")      \
	X(PEEKINFO, "peeksiginfo") \
	X(GETREGS, "getregs")      \
	X(SETREGS, "setregs")      \
	X(PEEK, "peek")            \
	X(POKE, "poke")            \
	X(GETMASK, "getmask")      \
	X(SETMASK, "setmask")      \
	X(READ, "read")            \
	X(WRITE, "write")          \
	X(CONT, "cont")            \
	X(CONT_CALL, "syscall")    \
	X(STEP, "step")            \
	X(PTRACE_OTHER, "ptrace")  \
	X(OTHER, "call")

enum recipe_kind {
#define X(name, word) RECIPE_##name,
	RECIPE_CALLS(X)
#undef X
		RECIPE_NR
};

struct recipe_call {
	enum recipe_kind kind;
	unsigned long arg; /* bytes, offset or number; 0 if it has none */
};

struct recipe {
	struct recipe_call call[64];
	unsigned int nr;
};

/* A stop's first call. */
static inline bool recipe_waits(const struct recipe_call *c)
{
	return c->kind == RECIPE_WAIT || c->kind == RECIPE_LOOK;
}

/* One line of words; cut if it does not fit. Returns to. */
const char *recipe_text(const struct recipe *r, char *to, size_t size);
/* 0, or -1 if the line does not consist of known words. */
int recipe_parse(const char *line, struct recipe *r);

#endif /* TESTS_BENCH_RECIPE_H */
