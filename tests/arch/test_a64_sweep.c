// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_a64_sweep.c - arm64 words by the million, and objdump's opinion of them.
 *
 * Every 4099th word is analysed; with TRAPLINE_FULL all 2^32, and then the number
 * of words of each kind has to be what the encodings say. The class agrees with
 * the mnemonic of binutils' objdump for aarch64, for over 100,000 of the sampled
 * words: the others it does not know.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "a64_spaces.h"
#include "arch.h"
#include "arm64/arm64.h"
#include "../suite.h"

#define arch (&arch_arm64)

/* ck_assert logs every success, which costs too much a million times. */
#define must(cond, ...)                            \
	do {                                       \
		if (!(cond))                       \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

/* ---- all words ---------------------------------------------------------------------- */

struct counts {
	unsigned long simulated, stepped, refused[ARCH_NR_VERDICTS];
};

static void count(struct counts *c, unsigned int word)
{
	static const unsigned int relative = ARCH_FIX_IP | ARCH_FALLS_THROUGH;
	unsigned char bytes[4] = { word, word >> 8, word >> 16, word >> 24 };
	struct arch_insn insn;
	enum arch_verdict v = arch->analyze(bytes, 4, &insn);

	must(v < ARCH_NR_VERDICTS && v != ARCH_TRUNCATED, "%08x", word);
	must(insn.len == 4, "%08x: length %u", word, insn.len);
	c->refused[v]++;
	if (v)
		return;
	c->simulated += insn.how == ARCH_EMULATE;
	c->stepped += insn.how == ARCH_STEP;
	must(insn.flags == (insn.how == ARCH_STEP ? relative : ARCH_FIX_IP),
	     "%08x: flags %x", word, insn.flags);
}

/* What costs more: reasons, text, kernels, effects. */
static void look_closely(unsigned int word)
{
	static const struct arch_rules rules[] = {
		{ false, ARCH_OLDEST },
		{ false, ARCH_NEWEST },
		{ true, ARCH_OLDEST },
		{ true, ARCH_NEWEST },
	};
	unsigned char bytes[4] = { word, word >> 8, word >> 16, word >> 24 };
	struct pt_regs regs = { 0 };
	struct arch_effect e;
	struct arch_insn insn;
	enum arch_verdict v;
	const char *why;
	char text[128];

	must(*arch->why(bytes, 4), "%08x: no reason", word);
	arch->text(bytes, 4, 0x1000, text, sizeof(text));
	must(*text && strcmp(text, "(bad)"), "%08x: no text", word);
	for (unsigned int i = 0; i < 4; i++) {
		v = arch->judge(&rules[i], bytes, 4, 0, &insn, &why);
		must(v < ARCH_NR_VERDICTS && *why, "%08x: no reason", word);
		if (!v && insn.how == ARCH_EMULATE)
			must(arch->emulate(&insn, 0x1000, &regs, &e),
			     "%08x: not simulated", word);
	}
}

START_TEST(some_words)
{
	struct counts c = { 0 };

	for (unsigned long word = 0; word < 1ul << 32; word += 4099)
		count(&c, word);
	for (unsigned long word = 1; word < 1ul << 32; word += 4099 * 64)
		look_closely(word);
	ck_assert_uint_gt(c.simulated, 70000);
	ck_assert_uint_gt(c.stepped, 800000);
}
END_TEST

/* Bits that a mask leaves open. */
#define OPEN(bits) (1ul << (bits))

START_TEST(all_words)
{
	unsigned long hints = OPEN(7), branches = OPEN(29), refused = 0;
	struct counts c = { 0 };
	unsigned int i;

	if (!getenv("TRAPLINE_FULL"))
		return;
	for (unsigned long word = 0; word < 1ul << 32; word++)
		count(&c, word);
	for (i = 1; i < ARCH_NR_VERDICTS; i++) {
		refused += c.refused[i];
		printf("%10lu %s\n", c.refused[i], arch_verdict_name(i));
	}
	printf("%10lu simulated, %lu stepped\n", c.simulated, c.stepped);
	ck_assert_uint_eq(c.simulated + c.stepped + refused, OPEN(32));

	/* b, bl; b.cond; cbz, cbnz; tbz, tbnz; adr, adrp; br, blr, ret; nop */
	ck_assert_uint_eq(c.simulated, 2 * OPEN(26) + OPEN(24) + 2 * OPEN(26) +
					       2 * OPEN(26) + 3 * OPEN(5) + 1);
	ck_assert_uint_eq(c.refused[ARCH_AUTH_BRANCH], 2 * OPEN(12) + 2);
	ck_assert_uint_eq(c.refused[ARCH_IS_BREAKPOINT], OPEN(16));
	/* the rest of the exceptions; eret, eretaa, eretab */
	ck_assert_uint_eq(c.refused[ARCH_PRIVILEGED], OPEN(24) - OPEN(16) + 3);
	/* nop, 4 bti, 7 pac */
	ck_assert_uint_eq(c.refused[ARCH_HINT], hints - 12);
	ck_assert_uint_eq(c.refused[ARCH_SYSTEM],
			  OPEN(10) + OPEN(20) + OPEN(5));
	/* ldr, ldrsw, prfm; ldr of a vector register */
	ck_assert_uint_eq(c.refused[ARCH_LITERAL], 4 * OPEN(24) + OPEN(26));
	ck_assert_uint_eq(c.refused[ARCH_TRIPLET], OPEN(24));
	/* that space is halved by bit 23; casp is in it */
	ck_assert_uint_eq(c.refused[ARCH_EXCLUSIVE], OPEN(25));
	/*
	 * Of the branches what is left; accepted are bti, pac, mrs, clrex, the
	 * other barriers, wfet and wfit, sys and sysl.
	 */
	ck_assert_uint_eq(c.refused[ARCH_BAD_BYTES],
			  branches - 4 * OPEN(26) - OPEN(24) - 3 * OPEN(5) -
				  c.refused[ARCH_AUTH_BRANCH] - OPEN(24) - 3 -
				  hints - c.refused[ARCH_SYSTEM] -
				  (OPEN(20) - OPEN(5)) - hints - OPEN(6) -
				  2 * OPEN(19));
}
END_TEST

/* ---- objdump ------------------------------------------------------------------------- */

#define NR_SAMPLES 220000
#define OBJDUMP "aarch64-linux-gnu-objdump"

/* Mnemonics of what has a class of its own, by their beginnings. */
static const struct mnemonic {
	const char *names;
	enum a64_class class;
} mnemonics[] = {
	{ " b ", A64_B },
	{ " bl ", A64_BL },
	{ " b.eq b.ne b.cs b.cc b.mi b.pl b.vs b.vc b.hi b.ls b.ge b.lt b.gt "
	  "b.le b.al b.nv b.any b.none b.first b.last b.nfrst b.nlast b.pmore "
	  "b.plast b.tcont b.tstop b.lo b.hs "
	  "bc.eq bc.ne bc.cs bc.cc bc.mi bc.pl bc.vs bc.vc bc.hi bc.ls bc.ge "
	  "bc.lt bc.gt bc.le bc.al bc.nv ",
	  A64_B_COND },
	{ " cbz cbnz ", A64_CB },
	{ " tbz tbnz ", A64_TB },
	{ " br ", A64_BR },
	{ " blr ", A64_BLR },
	{ " ret ", A64_RET },
	{ " braa brab braaz brabz blraa blrab blraaz blrabz retaa retab ",
	  A64_AUTH_BRANCH },
	{ " brk ", A64_BREAKPOINT },
	{ " svc hvc smc hlt dcps1 dcps2 dcps3 tcancel ", A64_EXCEPTION },
	{ " eret eretaa eretab ", A64_ERET },
	{ " nop ", A64_NOP },
	{ " bti ", A64_BTI },
	{ " paciaz paciasp pacibz pacibsp pacia1716 pacib1716 xpaclri ",
	  A64_PAC },
	{ " yield wfe wfi sev sevl dgh esb psb tsb csdb hint autiaz autiasp "
	  "autibz autibsp autia1716 autib1716 clearbhb ",
	  A64_HINT },
	{ " msr cfinv axflag xaflag smstart smstop ", A64_MSR },
	{ " mrs ", A64_MRS },
	{ " clrex ", A64_CLREX },
	{ " dsb dmb isb sb ssbb pssbb dfb tcommit sys sysl at dc ic tlbi cfp "
	  "dvp cpp wfet wfit ",
	  A64_SYSTEM },
	{ " drps tstart ttest ", A64_UNKNOWN_BRANCH },
	{ " adr ", A64_ADR },
	{ " adrp ", A64_ADRP },
	{ " ldxr ldxrb ldxrh ldaxr ldaxrb ldaxrh ldxp ldaxp ", A64_LOAD_EX },
	{ " stxr stxrb stxrh stlxr stlxrb stlxrh stxp stlxp ", A64_STORE_EX },
	{ " casp caspa caspl caspal ", A64_CASP },
};

/* Copies and sets end in letters for their kind. */
static bool is_mops(const char *m)
{
	const char *part = NULL;

	if (!strncmp(m, "cpy", 3))
		part = m + 3 + (m[3] == 'f');
	else if (!strncmp(m, "set", 3))
		part = m + 3 + (m[3] == 'g');
	return part && *part && strchr("pme", *part);
}

/* Without memory in brackets, these name theirs by its distance. */
static enum a64_class literal(const char *m, const char *operands)
{
	if (strchr(operands, '['))
		return A64_OTHER;
	if (!strcmp(m, "ldr"))
		return *operands == 'x' || *operands == 'w' ? A64_LDR_LIT
							    : A64_FP_LIT;
	if (!strcmp(m, "ldrsw"))
		return A64_LDRSW_LIT;
	return !strcmp(m, "prfm") ? A64_PRFM_LIT : A64_OTHER;
}

static enum a64_class class_of(const char *m, const char *operands)
{
	char word[32];

	snprintf(word, sizeof(word), " %s ", m);
	for (size_t i = 0; i < sizeof(mnemonics) / sizeof(*mnemonics); i++) {
		if (!strstr(mnemonics[i].names, word))
			continue;
		if (mnemonics[i].class == A64_MRS && strstr(operands, "daif"))
			return A64_MRS_DAIF;
		if (mnemonics[i].class == A64_ADR && *operands == 'z')
			return A64_OTHER; /* SVE's */
		return mnemonics[i].class;
	}
	return is_mops(m) ? A64_MOPS : literal(m, operands);
}

static void write_samples(const char *path, uint32_t *words)
{
	FILE *f = fopen(path, "we");

	for (unsigned int i = 0; i < NR_SAMPLES; i++)
		words[i] = a64_sample(i);
	ck_assert(f && fwrite(words, 4, NR_SAMPLES, f) == NR_SAMPLES &&
		  !fclose(f));
}

/* A line is "   0:<tab>14000000 <tab>b<tab>0x0"; false: another kind of line. */
static bool take_apart(char *line, char **mnemonic, char **operands)
{
	char *s = strchr(line, ':');

	line[strcspn(line, "\n")] = '\0';
	s = s ? strchr(s + 1, '\t') : NULL;
	s = s ? strchr(s + 1, '\t') : NULL;
	if (!s || line[0] != ' ')
		return false;
	*mnemonic = s + 1;
	*operands = strchr(s + 1, '\t');
	if (*operands)
		*(*operands)++ = '\0';
	else
		*operands = "";
	(*mnemonic)[strcspn(*mnemonic, " ")] = '\0';
	return true;
}

START_TEST(as_objdump)
{
	static uint32_t words[NR_SAMPLES];
	unsigned int n = 0, unknown = 0, by_class[A64_NR_CLASSES] = { 0 };
	char *mnemonic, *operands, line[256], path[] = "/tmp/a64-XXXXXX";
	int fd = mkstemp(path);
	enum a64_class class;
	FILE *f;

	ck_assert_int_ge(fd, 0);
	write_samples(path, words);
	snprintf(line, sizeof(line), OBJDUMP " -D -z -b binary -m aarch64 %s",
		 path);
	f = popen(line, "re");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		if (!take_apart(line, &mnemonic, &operands))
			continue;
		ck_assert_uint_lt(n, NR_SAMPLES);
		class = a64_decode(words[n]);
		by_class[class]++;
		/* The second is how it writes a word it has no name for. */
		if (!strncmp(mnemonic, ".inst", 5) || strstr(operands, "s0_"))
			unknown++;
		else
			must(class == class_of(mnemonic, operands),
			     "%08x is %s %s, class %u", words[n], mnemonic,
			     operands, class);
		n++;
	}
	ck_assert_int_eq(pclose(f), 0);
	ck_assert_uint_eq(n, NR_SAMPLES);
	ck_assert_uint_gt(n - unknown, 100000);
	remove(path);
	printf("%u words agree with objdump, which does not know %u more\n",
	       n - unknown, unknown);
	for (unsigned int i = 0; i < A64_NR_CLASSES; i++)
		must(by_class[i], "none of class %u", i);
}
END_TEST

static bool have_objdump(void)
{
	return !system(OBJDUMP " --version >/dev/null 2>&1");
}

int main(void)
{
	Suite *suite = suite_create("arch/a64-sweep");
	TCase *tc = tcase_create("arm64");
	bool compare = have_objdump();
	int failed;

	tcase_add_test(tc, some_words);
	tcase_add_test(tc, all_words);
	if (compare)
		tcase_add_test(tc, as_objdump);
	suite_add_tcase(suite, tc);
	failed = suite_run(suite, CK_NOFORK);
	if (failed)
		return EXIT_FAILURE;
	if (compare)
		return EXIT_SUCCESS;
	puts("skip: " OBJDUMP " is missing (binutils-aarch64-linux-gnu); the "
	     "rest passed");
	return 77;
}
