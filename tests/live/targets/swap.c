// SPDX-License-Identifier: GPL-2.0-only
/*
 * swap.c - two libraries, one after the other at the same place.
 */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>

#include "target.h"

static volatile int sink;

PROBED static long probed_leaf(void)
{
	return sink++;
}

static void *call(const char *dir, const char *name)
{
	long (*fn)(long (*leaf)(void));
	char path[PATH_MAX];
	void *lib;

	snprintf(path, sizeof(path), "%s/lib%s.so", dir, name);
	lib = dlopen(path, RTLD_NOW);
	CHECK(lib);
	fn = (long (*)(long (*)(void)))dlsym(lib, name);
	CHECK(fn && fn(probed_leaf) == sink);
	CHECK(!dlclose(lib));
	return fn;
}

int main(int argc, char **argv)
{
	const char *dir = dirname(argv[0]);
	int i;

	for (i = 0; i < 2; i++)
		/* Otherwise it would not be what it is meant to be. */
		CHECK(call(dir, "swapone") == call(dir, "swaptwo"));
	return 0;
}
