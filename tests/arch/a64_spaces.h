/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * a64_spaces.h - sampled arm64 words, the same in every run.
 */
#ifndef TESTS_ARCH_A64_SPACES_H
#define TESTS_ARCH_A64_SPACES_H

/* Spaces that are too small for chance. */
static const struct {
	unsigned int mask, value;
} a64_spaces[] = {
	{ 0xff000000, 0x54000000 }, { 0x7e000000, 0x34000000 },
	{ 0x7e000000, 0x36000000 }, { 0xfe000000, 0xd6000000 },
	{ 0xfe1ff000, 0xd61f0000 }, { 0xff9ffc1f, 0xd61f0000 },
	{ 0xfffff3ff, 0xd65f03ff }, { 0xff000000, 0xd4000000 },
	{ 0xff00001c, 0xd4000000 }, { 0xfffff01f, 0xd503201f },
	{ 0xfffff000, 0xd5033000 }, { 0xfffff01f, 0xd503301f },
	{ 0xfff8f01f, 0xd500401f }, { 0xffc00000, 0xd5000000 },
	{ 0xffffffe0, 0xd53b4220 }, { 0xfffff000, 0xd53b4000 },
	{ 0xffffff80, 0xd5031000 }, { 0x1f000000, 0x10000000 },
	{ 0x3b000000, 0x18000000 }, { 0x3f000000, 0x08000000 },
	{ 0x3b200c00, 0x19000400 }, { 0x3f20fc00, 0x38200000 },
	{ 0xfc000000, 0x74000000 }, { 0xfffffc00, 0xdac10000 },
	{ 0xfffff3ff, 0xd69f03ff }, { 0xffffffff, 0xd69f03e0 },
};

static inline unsigned long a64_random(void)
{
	static unsigned long state = 88172645463325252ul;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Half of them anywhere, the others in a space or one bit beside it. */
static inline unsigned int a64_sample(unsigned int i)
{
	unsigned int word = a64_random(), space;

	if (i & 1)
		return word;
	space = i / 2 % (sizeof(a64_spaces) / sizeof(*a64_spaces));
	word = a64_spaces[space].value | (word & ~a64_spaces[space].mask);
	return i & 6 ? word : word ^ 1u << a64_random() % 32;
}

#endif /* TESTS_ARCH_A64_SPACES_H */
