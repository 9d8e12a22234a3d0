// SPDX-License-Identifier: GPL-2.0-only
/*
 * own.c - a breakpoint of the program's own, in memory that has no probe:
 * `own WHERE [handled]`, where WHERE is program, library or anonymous.
 */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "processor.h"
#include "target.h"

void own_breakpoint(void);
ASM_FUNCTION(own_breakpoint, ASM_BREAK "\n ret");

static char *place;
static int hit;

static void on_trap(int sig, siginfo_t *info, void *context)
{
	unsigned long *ip = context_ip(context);

	CHECK(info->si_code == BREAK_CODE);
	CHECK(*ip == (unsigned long)(place + BREAK_BEFORE));
	*ip += BREAK_BEHIND;
	hit++;
}

static void *find(const char *where, char *self)
{
	static const unsigned char text[] = BREAK_BYTES;
	char path[PATH_MAX];
	void *page, *lib;

	if (!strcmp(where, "program"))
		return own_breakpoint;
	if (!strcmp(where, "library")) {
		snprintf(path, sizeof(path), "%s/liblate.so", dirname(self));
		lib = dlopen(path, RTLD_NOW);
		CHECK(lib);
		return dlsym(lib, "late_breakpoint");
	}
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(page != MAP_FAILED);
	memcpy(page, text, sizeof(text));
	__builtin___clear_cache(page, (char *)page + sizeof(text));
	return page;
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_sigaction = on_trap,
				.sa_flags = SA_SIGINFO };
	int i;

	setvbuf(stdout, NULL, _IONBF, 0);
	CHECK(argc > 1);
	place = find(argv[1], argv[0]);
	CHECK(place);
	if (argc > 2)
		CHECK(!sigaction(SIGTRAP, &sa, NULL));
	puts("before");
	for (i = 0; i < 100; i++)
		((void (*)(void))place)();
	CHECK(hit == 100);
	puts("behind");
	return 0;
}
