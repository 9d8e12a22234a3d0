// SPDX-License-Identifier: GPL-2.0-only
/*
 * park.c - 40 threads in one instruction that waits for its data.
 *
 * The load's page is missing, and userfaultfd keeps whoever touches it. Under a
 * stepped probe that is inside a slot, and there are fewer slots than threads, or
 * in the one copy that jumps back. Another number of threads may be given, with
 * "wait" to begin at a line on stdin.
 * Says "ready N" once no further thread arrives, N of them being in the load;
 * goes on when a line comes on stdin.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "processor.h"
#include "target.h"

#define THREADS 40
#define PAGE 4096

long probed_load(const long *p);
ASM_FUNCTION(probed_load, ASM_LOAD);

static long *page;
static _Atomic int finished;

PROBED static long probed_visit(void)
{
	return probed_load(page) + 1;
}

static void *visit(void *unused)
{
	CHECK(probed_visit() == 4712);
	finished++;
	return NULL;
}

static int watch(void *addr)
{
	/* Faults of user mode alone: for that nobody needs to be root. */
	int fd = syscall(SYS_userfaultfd,
			 O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
	struct uffdio_api api = { .api = UFFD_API,
				  .features = UFFD_FEATURE_THREAD_ID };
	struct uffdio_register reg = { .range = { (unsigned long)addr, PAGE },
				       .mode = UFFDIO_REGISTER_MODE_MISSING };

	if (fd < 0)
		exit(77);
	CHECK(!ioctl(fd, UFFDIO_API, &api));
	CHECK(!ioctl(fd, UFFDIO_REGISTER, &reg));
	return fd;
}

/* Count distinct threads until none comes for half a second. */
static int count_parked(int fd)
{
	struct pollfd p = { fd, POLLIN, 0 };
	struct uffd_msg msg;
	unsigned int seen[4 * THREADS], n = 0, i;

	while (poll(&p, 1, 500) > 0) {
		if (read(fd, &msg, sizeof(msg)) != sizeof(msg))
			continue;
		for (i = 0; i < n && seen[i] != msg.arg.pagefault.feat.ptid;)
			i++;
		if (i == n && n < 4 * THREADS)
			seen[n++] = msg.arg.pagefault.feat.ptid;
	}
	return n;
}

int main(int argc, char **argv)
{
	static long data[PAGE / sizeof(long)] = { 4711 };
	struct uffdio_copy copy = { .src = (unsigned long)data, .len = PAGE };
	pthread_t thread[THREADS];
	char line[16];
	int n = argc > 1 ? atoi(argv[1]) : THREADS, fd, i;

	CHECK(n <= THREADS);
	if (argc > 2)
		CHECK(fgets(line, sizeof(line), stdin));
	page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(page != MAP_FAILED);
	fd = watch(page);
	for (i = 0; i < n; i++)
		CHECK(!pthread_create(&thread[i], NULL, visit, NULL));
	printf("ready %d\n", count_parked(fd));
	fflush(stdout);
	CHECK(fgets(line, sizeof(line), stdin));
	CHECK(finished == 0);
	copy.dst = (unsigned long)page;
	CHECK(!ioctl(fd, UFFDIO_COPY, &copy));
	for (i = 0; i < n; i++)
		CHECK(!pthread_join(thread[i], NULL));
	CHECK(finished == n);
	puts("all finished");
	return 0;
}
