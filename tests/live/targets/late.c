// SPDX-License-Identifier: GPL-2.0-only
/*
 * late.c - loads a library, calls it, unloads it, again and again; the last
 * copies stay, while the first thread ends and a second one goes on.
 */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "target.h"

#define TIMES 10

static int (*late)(int x);

static void *again(void *unused)
{
	usleep(200000); /* the first thread is gone by then */
	for (int i = 0; i < 100; i++)
		CHECK(late(i) == i + 1);
	puts("loaded and left");
	exit(0);
}

int main(int argc, char **argv)
{
	char path[PATH_MAX];
	pthread_t thread;
	int i, *count;
	void *lib;

	snprintf(path, sizeof(path), "%s/liblate.so", dirname(argv[0]));
	for (i = 0; i < TIMES; i++) {
		lib = dlopen(path, RTLD_NOW);
		CHECK(lib);
		late = (int (*)(int))dlsym(lib, "probed_late");
		count = dlsym(lib, "late_count");
		CHECK(late && count && *count == 1);
		CHECK(late(41) == 42);
		CHECK(*count == 2);
		if (i < TIMES - 1)
			CHECK(!dlclose(lib));
	}
	CHECK(!pthread_create(&thread, NULL, again, NULL));
	pthread_exit(NULL);
}
