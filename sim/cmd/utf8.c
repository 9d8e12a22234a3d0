// SPDX-License-Identifier: GPL-2.0-only
/*
 * utf8.c - letters in bytes that anybody may have written, see utf8.h.
 */
#include "utf8.h"

unsigned int utf8(const char *s)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char c = *s;
	unsigned int n, i, code;

	if (c < 0x80)
		return 1;
	n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
	if (c < 0xc0 || c >= 0xf8)
		return 0;
	code = c & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if (code < least[n] || code > 0x10ffff || (code & ~0x7ffu) == 0xd800)
		return 0;
	return n;
}
