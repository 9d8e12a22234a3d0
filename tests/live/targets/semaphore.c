// SPDX-License-Identifier: GPL-2.0-only
/*
 * semaphore.c WHAT - its reference counters, as it sees them.
 *
 *	places		their offsets in the files, own and library's
 *	values		counters of itself, of a child, and of a library that
 *			comes later
 *	watch		waits until somebody listens, loads the library, works
 *			until nobody does
 *	reset		the same, but sets its counter back to 0 at once
 */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>

#include "target.h"

SEMAPHORE(counter);
SEMAPHORE(shared) = 3; /* somebody else listens, too */

static volatile int sink;
static volatile unsigned short *late_counter;
static int (*late)(int x);

PROBED static int probed_work(int x)
{
	sink++;
	return x + 1;
}

PROBED static int probed_more(int x)
{
	sink++;
	return x + 2;
}

static void load(const char *self)
{
	char path[PATH_MAX], copy[PATH_MAX];
	void *lib;

	snprintf(copy, sizeof(copy), "%s", self);
	snprintf(path, sizeof(path), "%s/libsemaphore.so", dirname(copy));
	lib = dlopen(path, RTLD_NOW);
	CHECK(lib);
	late_counter = dlsym(lib, "late_counter");
	late = (int (*)(int))dlsym(lib, "probed_late");
	CHECK(late_counter && late);
}

/* Where in its file is what is mapped at p? */
static unsigned long place(const volatile void *p)
{
	unsigned long start, end, off, at = (unsigned long)p, found = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4352];

	CHECK(maps);
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &off) == 3 &&
		    at >= start && at < end)
			found = at - start + off;
	fclose(maps);
	CHECK(found);
	return found;
}

/* A child has memory of its own, and nobody listens there. */
static void child(void)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		printf("child %d %d\n", counter, shared);
		fflush(stdout);
		CHECK(probed_work(1) == 2);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
}

static void values(const char *self)
{
	printf("own %d\n", counter);
	CHECK(probed_work(1) == 2 && probed_more(1) == 3);
	child();
	load(self);
	CHECK(late(1) == 2);
	child();
	printf("own %d\nlate %d\nshared %d\n", counter, *late_counter, shared);
}

static void watch(const char *self, bool reset)
{
	int i, most = 0, late_most = 0;

	puts("waiting");
	fflush(stdout);
	while (!counter)
		usleep(1000);
	if (reset)
		counter = 0;
	load(self);
	for (i = 0; i < 300 && (!i || counter || reset); i++) {
		CHECK(probed_work(i) == i + 1);
		CHECK(probed_more(i) == i + 2);
		CHECK(late(i) == i + 1);
		most = counter > most ? counter : most;
		late_most = *late_counter > late_most ? *late_counter
						      : late_most;
		usleep(reset ? 1000 : 20000);
	}
	printf("up to %d, then %d; up to %d, then %d\n", most, counter,
	       late_most, *late_counter);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2);
	if (!strcmp(argv[1], "places")) {
		load(argv[0]);
		printf("0x%lx 0x%lx 0x%lx\n", place(&counter),
		       place(late_counter), place(&shared));
	} else if (!strcmp(argv[1], "values")) {
		values(argv[0]);
	} else {
		watch(argv[0], !strcmp(argv[1], "reset"));
	}
	return 0;
}
