// SPDX-License-Identifier: GPL-2.0-only
/*
 * value.c - evaluate a fetch argument on the program's registers and memory.
 */
#include "value.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arch.h"

#define ARCH arch_native
#define PAGE 4096ul /* of memory that can be read or not, at the smallest */

static void comm(const struct live_hit *hit, struct value *out)
{
	char name[64];
	ssize_t n = -1;
	int fd;

	snprintf(name, sizeof(name), "/proc/%d/comm", hit->tid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, out->text, sizeof(out->text) - 1);
		close(fd);
	}
	out->kind = n > 0 ? VALUE_TEXT : VALUE_FAULT;
	if (n > 0)
		out->text[n - 1] = '\0'; /* the line's end */
}

/* Page by page: the string may end just before one that is not there. */
static void string(const struct live_hit *hit, unsigned long addr,
		   struct value *out)
{
	unsigned long have = 0, n;

	out->kind = VALUE_TEXT;
	while (have < VALUE_STRING - 1) {
		n = PAGE - (addr + have) % PAGE;
		if (n > VALUE_STRING - 1 - have)
			n = VALUE_STRING - 1 - have;
		if (live_hit_read(hit, addr + have, out->text + have, n)) {
			out->kind = VALUE_FAULT;
			return;
		}
		if (memchr(out->text + have, '\0', n))
			return;
		have += n;
	}
	out->text[have] = '\0';
	out->cut = true;
}

static unsigned long extend(enum fetch_type type, unsigned long v)
{
	switch (type) {
	case FETCH_S8:
		return (signed char)v;
	case FETCH_S16:
		return (short)v;
	case FETCH_S32:
		return (int)v;
	case FETCH_U8:
	case FETCH_X8:
	case FETCH_CHAR:
		return (unsigned char)v;
	case FETCH_U16:
	case FETCH_X16:
		return (unsigned short)v;
	case FETCH_U32:
	case FETCH_X32:
		return (unsigned int)v;
	default:
		return v;
	}
}

/* 0, or -EFAULT: the stack has no such word. */
static int base(const struct fetch *f, const struct live_hit *hit,
		unsigned long *to)
{
	const struct pt_regs *regs = hit->regs;

	switch (f->base) {
	case FETCH_REG:
	case FETCH_REG_LOW32:
		*to = ((const unsigned long *)regs)[ARCH->reg[f->reg].word];
		if (f->base == FETCH_REG_LOW32)
			*to = (unsigned int)*to;
		return 0;
	case FETCH_RETVAL:
		*to = ARCH->get_retval(regs);
		return 0;
	case FETCH_ARG:
		*to = ARCH->get_arg(regs, f->value);
		return 0;
	case FETCH_STACK:
		*to = ARCH->get_sp(regs);
		return 0;
	case FETCH_STACK_WORD:
		return live_hit_read(hit, ARCH->get_sp(regs) + 8 * f->value, to,
				     sizeof(*to));
	case FETCH_IMM:
		*to = f->value;
		return 0;
	case FETCH_COMM:
		break;
	}
	return 0;
}

void value_fetch(const struct fetch *f, const struct live_hit *hit,
		 struct value *out)
{
	unsigned long v = 0, addr;
	unsigned int i, size;

	out->cut = false;
	out->kind = VALUE_FAULT;
	if (f->base == FETCH_COMM) {
		comm(hit, out);
		return;
	}
	if (base(f, hit, &v))
		return;
	for (i = f->nr_deref; i-- > 0;) {
		addr = v + f->offset[i];
		if (!i && f->type == FETCH_STRING) {
			string(hit, addr, out);
			return;
		}
		v = 0;
		size = i ? sizeof(v) : fetch_size(f->type);
		if (live_hit_read(hit, addr, &v, size))
			return;
	}
	out->kind = VALUE_NUMBER;
	out->number = extend(f->type, v);
}
