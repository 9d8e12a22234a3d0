// SPDX-License-Identifier: GPL-2.0-only
/*
 * patch.c - which words may be replaced while others run into them.
 *
 * Arm Architecture Reference Manual, "Concurrent modification and execution of
 * instructions": if both the old and the new word are among these, a CPU sees
 * one or the other. For any other pair all CPUs have to be stopped, and to
 * synchronise afterwards, or may do anything at all. A breakpoint replaces an
 * arbitrary word, so putting a kprobe stops the machine.
 */
#include "arm64.h"

static bool is_safe(const unsigned char *bytes)
{
	static const struct {
		unsigned int mask, value;
	} safe[] = {
		{ 0x7c000000, 0x14000000 }, /* b, bl */
		{ 0xffe0001f, 0xd4200000 }, /* brk */
		{ 0xffe0001f, 0xd4000001 }, /* svc */
		{ 0xffe0001f, 0xd4000002 }, /* hvc */
		{ 0xffe0001f, 0xd4000003 }, /* smc */
		{ 0xffffffff, 0xd503201f }, /* nop */
		{ 0xfffff0ff, 0xd50330df }, /* isb */
	};
	unsigned int word = a64_word(bytes), i;

	for (i = 0; i < sizeof(safe) / sizeof(*safe); i++)
		if ((word & safe[i].mask) == safe[i].value)
			return true;
	return false;
}

bool a64_patch_running(const unsigned char *from, const unsigned char *to)
{
	return is_safe(from) && is_safe(to);
}
