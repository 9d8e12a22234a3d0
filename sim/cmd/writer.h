/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * writer.h - text to a file or to stderr, past any interrupting signal.
 *
 * Does its own buffering: stdio drops data when a signal interrupts a write,
 * and the live world lives on signals. Lines on stderr go out one by one, so
 * that they keep their place among the program's own.
 */
#ifndef SIM_CMD_WRITER_H
#define SIM_CMD_WRITER_H

#define WRITER_PIECE 5000 /* longest piece that put may add at once */

struct writer;

/* path NULL: stderr. NULL with errno set if it cannot be created. */
struct writer *writer_open(const char *path);
__attribute__((format(printf, 2, 3))) void put(struct writer *w,
					       const char *fmt, ...);
void writer_end_line(struct writer *w);
/* 0, or the positive errno of the first write that failed. */
int writer_close(struct writer *w);

/* A string of JSON; what is not UTF-8 cannot be told there: U+FFFD. */
void put_json_string(struct writer *w, const char *s);
/* A string for people, on one line and without ambiguity. */
void put_escaped_string(struct writer *w, const char *s);
/* One byte for people. */
void put_escaped_char(struct writer *w, char c);

#endif /* SIM_CMD_WRITER_H */
