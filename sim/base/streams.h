/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * streams.h - that no output is lost without a word.
 */
#ifndef SIM_BASE_STREAMS_H
#define SIM_BASE_STREAMS_H

#define STREAMS_FAILED 125 /* exit status: output could not be written */

/*
 * Call first in main. At exit, output that could not be written to stdout is
 * told on stderr, and the exit status is STREAMS_FAILED whatever it was to be.
 * Standard descriptors that are closed stay unusable, but taken, so that no
 * file that is opened later gets what is printed; programs that we execute
 * find them closed. Not for processes that end by a signal, as by SIGPIPE.
 */
void streams_check(void);

#endif /* SIM_BASE_STREAMS_H */
