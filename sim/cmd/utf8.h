/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * utf8.h - letters in bytes that anybody may have written.
 */
#ifndef SIM_CMD_UTF8_H
#define SIM_CMD_UTF8_H

/* Bytes of the UTF-8 character at s, which ends with 0; 0 if there is none. */
unsigned int utf8(const char *s);

#endif /* SIM_CMD_UTF8_H */
