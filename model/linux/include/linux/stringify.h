/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FAITHFUL: linux/stringify.h - the text of a macro's value.
 *
 * Context: none needed, nothing here is code.
 */
#ifndef LINUX_STRINGIFY_H
#define LINUX_STRINGIFY_H

#define __stringify_1(x...) #x
#define __stringify(x...) __stringify_1(x)

#endif /* LINUX_STRINGIFY_H */
