// SPDX-License-Identifier: GPL-2.0-only
/*
 * rules.c - functions of libc that a replaced return address breaks, each used
 * in the way that shows it: rules MODE.
 */
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "target.h"

static int argc_seen;

/* ---- those that return twice ------------------------------------------------------ */

static jmp_buf place;
static sigjmp_buf sigplace;

#undef setjmp
int setjmp(jmp_buf env) __attribute__((returns_twice));

static void use_setjmp(void)
{
	volatile int times = 0;

	setjmp(place);
	if (++times < 3)
		longjmp(place, 1);
	CHECK(times == 3);
}

static void use__setjmp(void)
{
	volatile int times = 0;

	_setjmp(place);
	if (++times < 3)
		longjmp(place, 1);
	CHECK(times == 3);
}

static void use___sigsetjmp(void)
{
	volatile int times = 0;

	sigsetjmp(sigplace, 1);
	if (++times < 3)
		siglongjmp(sigplace, 1);
	CHECK(times == 3);
}

static void use_vfork(void)
{
	int status;
	pid_t pid = vfork();

	if (!pid)
		_exit(7);
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static ucontext_t here, there;

static void use_getcontext(void)
{
	volatile int times = 0;

	getcontext(&here);
	if (++times < 3)
		setcontext(&here);
	CHECK(times == 3);
}

static int rounds;

static void routine(void)
{
	for (;;) {
		rounds++;
		swapcontext(&there, &here);
	}
}

static void use_swapcontext(void)
{
	static char stack[1 << 16];
	int i;

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	makecontext(&there, routine, 0);
	for (i = 0; i < 5; i++)
		swapcontext(&here, &there);
	CHECK(rounds == 5);
}

/* A context that ends goes on in the next. */
static void last(void)
{
	rounds = 77;
}

static void use___start_context(void)
{
	static char stack[1 << 16];

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &here;
	makecontext(&there, last, 0);
	swapcontext(&here, &there);
	CHECK(rounds == 77);
}

/* ---- those that look at their caller ---------------------------------------------- */

/* In front of libc's, so that the next one is that. */
pid_t getppid(void)
{
	return -42;
}

static void use_dlsym(void)
{
	pid_t (*next)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "getppid");

	CHECK(next && next() != -42);
}

static void use_dlvsym(void)
{
	pid_t (*next)(void) = (pid_t(*)(void))dlvsym(RTLD_NEXT, "getppid",
						     "GLIBC_2.2.5");

	CHECK(next && next() != -42);
}

/* By the library beside us, in a folder of its own (ruleslib.c). */
static void use_library(const char *function, int new_namespace)
{
	char path[4096], *end;
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 32);
	int (*ask)(void);
	void *lib;

	CHECK(n > 0);
	path[n] = '\0';
	end = strrchr(path, '/');
	CHECK(end);
	strcpy(end, "/rules.d/librules.so");
	lib = dlmopen(new_namespace ? LM_ID_NEWLM : LM_ID_BASE, path, RTLD_NOW);
	CHECK(lib);
	ask = (int (*)(void))dlsym(lib, function);
	CHECK(ask && ask());
}

static void use_dlopen(void)
{
	use_library("finds_itself", 0);
}

static void use_dlmopen(void)
{
	use_library("finds_itself_in_base", 0);
}

static void use_dl_iterate_phdr(void)
{
	use_library("is_in_its_list", 1);
}

/* ---- those that are not called ------------------------------------------------------ */

static void use__start(void)
{
	CHECK(argc_seen == 2);
}

/* Found by the linker at its first call: through the start of the table. */
static void use_plt(void)
{
	CHECK(getpgrp() > 0);
}

int main(int argc, char **argv)
{
#define MODE(name)                \
	{                         \
#name, use_##name \
	}
	static const struct {
		const char *name;
		void (*use)(void);
	} modes[] = {
		MODE(setjmp),  MODE(_setjmp),	      MODE(__sigsetjmp),
		MODE(vfork),   MODE(getcontext),      MODE(swapcontext),
		MODE(dlsym),   MODE(dlvsym),	      MODE(dlopen),
		MODE(dlmopen), MODE(dl_iterate_phdr), MODE(_start),
		MODE(plt),     MODE(__start_context),
	};
	unsigned int i;

	argc_seen = argc;
	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		if (!argv[1] || strcmp(argv[1], modes[i].name))
			continue;
		modes[i].use();
		return 0;
	}
	return 2;
}
