// SPDX-License-Identifier: GPL-2.0-only
/*
 * streams.c - that no output is lost without a word, see streams.h.
 */
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Open the wrong way round: to use it fails as if it were closed. */
static void take_closed(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null",
			     (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) |
				     O_CLOEXEC);
}

static void check_stdout(void)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (fflush(stdout))
		failed = true;
	/* Some file systems tell only now that the disk is full. */
	if (close(STDOUT_FILENO) && errno != EBADF)
		failed = true;
	if (!failed)
		return;
	fprintf(stderr,
		"trapline: stdout: %s; the output is not complete, write it to "
		"another place\n",
		errno ? strerror(errno) : "a write failed");
	_exit(STREAMS_FAILED);
}

void streams_check(void)
{
	take_closed();
	atexit(check_stdout);
}
