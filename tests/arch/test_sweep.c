// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sweep.c - all of libc's machine code, and random bytes.
 *
 * Every instruction analyses, every refusal is one that a rule names, and a
 * second opinion (the decoder's categories) finds no instruction that is said
 * to fall through and may not. Every 10th different instruction is also run,
 * original against slot. Counts by class are printed.
 */
#include <Zydis/Zydis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_text.h"
#include "native.h"
#include "../suite.h"

#define NR_SEEN (1u << 20) /* hashes of instructions met; a power of two */
#define RUN_EVERY 10

static struct {
	long insns, functions, verdict[ARCH_NR_VERDICTS], emulated, stepped;
	long falls_through, relative[3], entries, entries_emulated;
	long different, run, run_faulted;
} count;

static unsigned long seen[NR_SEEN];

static bool decode(const unsigned char *code, size_t n,
		   ZydisDecodedInstruction *z)
{
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	return ZYAN_SUCCESS(
		ZydisDecoderDecodeInstruction(&decoder, NULL, code, n, z));
}

/* May it continue anywhere but at the next byte, in the decoder's opinion? */
static bool may_leave(const ZydisDecodedInstruction *z)
{
	/* outside a transaction it does nothing, and a probe ended any */
	if (z->mnemonic == ZYDIS_MNEMONIC_XABORT ||
	    z->mnemonic == ZYDIS_MNEMONIC_XEND)
		return false;
	switch (z->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_INTERRUPT:
		return true;
	default:
		return z->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE ||
		       z->raw.imm[0].is_relative;
	}
}

/* ck_assert logs every success, which costs too much a million times. */
#define must(cond, ...)                            \
	do {                                       \
		if (!(cond))                       \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

static void check_consistent(const unsigned char *code,
			     const struct arch_insn *insn, enum arch_verdict v)
{
	bool may_differ = insn->flags & (ARCH_FIX_SCRATCH | ARCH_FIX_CALL);
	ZydisDecodedInstruction z;
	const char *name;
	char text[128];

	if (v == ARCH_BAD_BYTES || v == ARCH_TRUNCATED) {
		must(!insn->len, "a length of what does not decode");
		return;
	}
	must(*arch_x86_64.why(code, insn->len), "no reason");
	must(!v || arch_x86_64.why(code, insn->len) == arch_verdict_text(v),
	     "a reason that is not the verdict's");
	arch_x86_64.text(code, insn->len, 0, text, sizeof(text));
	must(strncmp(text, "(bad)", 5), "no text");
	must(insn->len >= 1 && insn->len <= 15, "length %d", insn->len);
	must(decode(code, insn->len, &z), "does not decode");
	name = ZydisMnemonicGetString(z.mnemonic);
	must(z.length == insn->len, "%s: length", name);
	if (v)
		return;
	must(insn->how == ARCH_EMULATE || insn->how == ARCH_STEP, "%s: how",
	     name);
	/* stepped, an emulated call is "call next": it falls through */
	if (insn->flags & ARCH_FALLS_THROUGH && !(insn->flags & ARCH_FIX_CALL))
		must(!may_leave(&z), "%s does not fall through", name);
	/* the slot differs from the original only where it has to */
	must(may_differ || !memcmp(insn->bytes, insn->slot, ARCH_INSN_MAX),
	     "%s: slot", name);
	must(!(insn->flags & ARCH_FIX_SCRATCH) == (insn->scratch == -1),
	     "%s: scratch", name);
}

/* True once per different instruction, displacement aside. */
static bool first_time(const unsigned char *code,
		       const ZydisDecodedInstruction *z)
{
	unsigned long h = 14695981039346656037ul;
	unsigned int i;

	for (i = 0; i < z->length; i++) {
		bool disp = z->raw.disp.size == 32 && i >= z->raw.disp.offset &&
			    i < z->raw.disp.offset + 4u;

		h = (h ^ (disp ? 0 : code[i])) * 1099511628211ul;
	}
	h = (h ^ z->length) | 1;
	for (i = h >> 20 & (NR_SEEN - 1); seen[i]; i = (i + 1) & (NR_SEEN - 1))
		if (seen[i] == h)
			return false;
	seen[i] = h;
	return true;
}

/* Same on the CPU, unless two runs of the original would differ as well. */
static void run(const unsigned char *code, const ZydisDecodedInstruction *z)
{
	static struct native_state state;
	unsigned char bytes[ARCH_INSN_MAX];
	const char *diff;

	switch (z->mnemonic) {
	case ZYDIS_MNEMONIC_SYSCALL:
	case ZYDIS_MNEMONIC_RDTSC:
	case ZYDIS_MNEMONIC_RDTSCP:
	case ZYDIS_MNEMONIC_CPUID:
	case ZYDIS_MNEMONIC_RDRAND:
		return;
	default:
		break;
	}
	memcpy(bytes, code, z->length);
	if (z->raw.disp.size == 32 && z->raw.modrm.mod == 0 &&
	    z->raw.modrm.rm == 5) {
		int disp = NATIVE_DATA + 0x1840 - (NATIVE_VADDR + z->length);

		memcpy(bytes + z->raw.disp.offset, &disp, 4);
	}
	native_random(&state, count.different);
	diff = native_check(&state, bytes, z->length);
	ck_assert_msg(!diff, "%s, number %ld: %s",
		      ZydisMnemonicGetString(z->mnemonic), count.different,
		      diff);
	count.run++;
	native_run(&state, NATIVE_VADDR, bytes, z->length, NATIVE_STEP);
	count.run_faulted += state.sig != 0;
}

static void count_accepted(const struct arch_insn *insn)
{
	count.emulated += insn->how == ARCH_EMULATE;
	count.stepped += insn->how == ARCH_STEP;
	count.falls_through += insn->how == ARCH_STEP &&
			       insn->flags & ARCH_FALLS_THROUGH;
	if (insn->flags & ARCH_FIX_SCRATCH)
		count.relative[insn->scratch == 13   ? 0
			       : insn->scratch == 14 ? 1
						     : 2]++;
}

static void sweep_function(unsigned long addr, const unsigned char *code,
			   size_t size, void *arg)
{
	ZydisDecodedInstruction z;
	struct arch_insn insn;
	enum arch_verdict v;

	for (size_t at = 0; at < size; at += insn.len) {
		v = arch_x86_64.analyze(code + at, size - at, &insn);
		count.insns++;
		count.verdict[v]++;
		must(v == ARCH_OK || v == ARCH_BAD_PREFIX ||
			     v == ARCH_PRIVILEGED || v == ARCH_BAD_BRANCH ||
			     v == ARCH_KEEPS_ADDRESS,
		     "%#lx: %s", addr + at, arch_verdict_text(v));
		check_consistent(code + at, &insn, v);
		/* a few functions do begin with a locked instruction */
		must(at || !v || v == ARCH_BAD_PREFIX, "entry %#lx: %s", addr,
		     arch_verdict_text(v));
		if (v)
			continue;
		count_accepted(&insn);
		count.entries += !at;
		count.entries_emulated += !at && insn.how == ARCH_EMULATE;
		decode(code + at, size - at, &z);
		if (first_time(code + at, &z) &&
		    count.different++ % RUN_EVERY == 0)
			run(code + at, &z);
	}
	count.functions++;
}

START_TEST(libc)
{
	ck_assert_int_gt(elf_text_libc(sweep_function, NULL), 2000);
	ck_assert_int_gt(count.insns, 100000);
	ck_assert_int_ge(count.entries, count.functions * 99 / 100);
	printf("libc: %ld functions, %ld instructions: %ld emulated, %ld "
	       "stepped (%ld of them to a breakpoint)\n",
	       count.functions, count.insns, count.emulated, count.stepped,
	       count.falls_through);
	printf("rip-relative, by scratch: si %ld, di %ld, bx %ld\n",
	       count.relative[0], count.relative[1], count.relative[2]);
	printf("entries: %ld accepted, %ld of them emulated\n", count.entries,
	       count.entries_emulated);
	for (int v = 1; v < ARCH_NR_VERDICTS; v++)
		if (count.verdict[v])
			printf("refused %ld: %s\n", count.verdict[v],
			       arch_verdict_text(v));
	printf("different: %ld; run on the CPU: %ld, of which %ld faulted\n",
	       count.different, count.run, count.run_faulted);
	ck_assert_int_gt(count.run - count.run_faulted, 300);
}
END_TEST

START_TEST(random_bytes)
{
	long verdicts[ARCH_NR_VERDICTS] = { 0 };
	unsigned long x = 88172645463325252ul, words[2];
	struct arch_insn insn;
	enum arch_verdict v;

	for (int i = 0; i < 1000000; i++) {
		size_t n = i & 3 ? 16 : (i >> 2) % 17;

		for (int k = 0; k < 2; k++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			words[k] = x;
		}
		v = arch_x86_64.analyze((unsigned char *)words, n, &insn);
		must(v < ARCH_NR_VERDICTS, "no verdict");
		must(v != ARCH_TRUNCATED || n < 16, "16 bytes too few");
		must(insn.len <= n, "longer than given");
		verdicts[v]++;
		check_consistent((unsigned char *)words, &insn, v);
	}
	for (int i = 0; i < ARCH_NR_VERDICTS; i++)
		printf("random: %7ld %s\n", verdicts[i], arch_verdict_name(i));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arch/sweep");
	TCase *tc = tcase_create("x86");

	tcase_add_unchecked_fixture(tc, native_start, native_stop);
	tcase_add_test(tc, libc);
	tcase_add_test(tc, random_bytes);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_NOFORK);
}
