// SPDX-License-Identifier: GPL-2.0-only
/*
 * classify.c - what would become of a probe on an instruction, told and counted.
 *
 * Says what arch/ and trace would say, by asking the same functions.
 */
#include "classify.h"

#include <stdio.h>

static const char *const way_names[] = {
	[WAY_EMULATE] = "emulate",
	[WAY_STEP] = "step",
	[WAY_FIX] = "step+fix",
	[WAY_REFUSE] = "refuse",
};

static enum way way_of(const struct arch_insn *insn)
{
	if (insn->how == ARCH_EMULATE)
		return WAY_EMULATE;
	return insn->flags & (ARCH_FIX_CALL | ARCH_FIX_FLAGS |
			      ARCH_FIX_SCRATCH | ARCH_SYSCALL)
		       ? WAY_FIX
		       : WAY_STEP;
}

/* What we do, or a kernel; both look at what is in front. */
static enum arch_verdict ask(const struct tally *t, struct answer *a,
			     unsigned int n, struct arch_insn *insn)
{
	const unsigned char *bytes = a->code + ARCH_LOOK_BACK;
	const struct arch_ops *arch = t->arch;
	enum arch_verdict v;

	if (t->rules)
		return arch->judge(t->rules, bytes, n, a->before, insn,
				   &a->why);
	v = arch->analyze(bytes, n, insn);
	a->why = arch->why(bytes, n);
	if (v || !arch->in_exclusive(bytes - a->before, a->before))
		return v;
	a->why = arch_verdict_text(ARCH_IN_EXCLUSIVE);
	return ARCH_IN_EXCLUSIVE;
}

void classify(struct tally *t, struct answer *a, unsigned int n)
{
	struct arch_insn insn;

	a->verdict = ask(t, a, n, &insn);
	a->way = a->verdict ? WAY_REFUSE : way_of(&insn);
	a->len = insn.len ? insn.len : a->verdict == ARCH_TRUNCATED ? n : 1;
	t->insns++;
	t->ways[a->way]++;
	if (a->way == WAY_REFUSE) {
		t->refused[a->verdict]++;
		t->refusals[a->verdict] = a->why;
	}
}

static void json_string(const char *name, const char *s)
{
	printf("\"%s\":\"", name);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		if ((unsigned char)*s < ' ')
			printf("\\u%04x", *s);
		else
			putchar(*s);
	}
	putchar('"');
}

static void print_json(const struct answer *a, const struct symbol_text *in,
		       const char *text)
{
	unsigned int i;

	printf("{\"type\":\"insn\",");
	if (in) {
		json_string("symbol", in->name ? in->name : "");
		printf(",\"offset\":\"0x%lx\",", a->offset);
	}
	printf("\"address\":\"0x%lx\",\"bytes\":\"", a->addr);
	for (i = 0; i < a->len; i++)
		printf("%02x", a->code[ARCH_LOOK_BACK + i]);
	printf("\",");
	json_string("text", text);
	printf(",\"how\":\"%s\",\"verdict\":\"%s\",", way_names[a->way],
	       arch_verdict_name(a->verdict));
	json_string("why", a->why);
	puts("}");
}

void classify_print(const struct tally *t, const struct answer *a,
		    const struct symbol_text *in, bool json)
{
	const unsigned char *bytes = a->code + ARCH_LOOK_BACK;
	char text[128], hex[3 * ARCH_INSN_MAX + 1] = "";
	unsigned int i;

	t->arch->text(bytes, a->len, a->addr, text, sizeof(text));
	if (json) {
		print_json(a, in, text);
		return;
	}
	for (i = 0; i < a->len; i++)
		sprintf(hex + 3 * i, "%02x ", bytes[i]);
	printf("%8lx  %-24s %-36s %-9s %s\n", a->addr, hex, text,
	       way_names[a->way], a->why);
}

static void counts_json(const struct tally *t, const char *path)
{
	const char *comma = "";
	unsigned int i;

	printf("{\"type\":\"stats\",");
	if (path) {
		json_string("file", path);
		printf(",\"functions\":%lu,", t->functions);
	}
	printf("\"instructions\":%lu", t->insns);
	for (i = 0; i < NR_WAYS; i++)
		printf(",\"%s\":%lu", way_names[i], t->ways[i]);
	printf(",\"refused\":{");
	for (i = 0; i < ARCH_NR_VERDICTS; i++) {
		if (!t->refused[i])
			continue;
		fputs(comma, stdout);
		comma = ",";
		printf("\"%s\":%lu", arch_verdict_name(i), t->refused[i]);
	}
	puts("}}");
}

void classify_counts(const struct tally *t, const char *path, bool json)
{
	unsigned int i;

	if (json) {
		counts_json(t, path);
		return;
	}
	if (path)
		printf("%s: %lu functions, ", path, t->functions);
	printf("%lu instructions\n", t->insns);
	for (i = 0; i < NR_WAYS; i++)
		printf("%10lu  %-8s  %5.1f %%\n", t->ways[i], way_names[i],
		       t->insns ? 100.0 * t->ways[i] / t->insns : 0);
	for (i = 0; i < ARCH_NR_VERDICTS; i++)
		if (t->refused[i])
			printf("%12lu  %s\n", t->refused[i], t->refusals[i]);
}
