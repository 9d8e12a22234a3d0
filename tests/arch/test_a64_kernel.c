// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_a64_kernel.c - judge() and the running arm64 kernel: which words does it
 * take a uprobe on?
 *
 * A file of words is mapped executable, so that registering a probe on one makes
 * the kernel look at it; a perf event is the shortest way to ask. Half of the
 * words are drawn from the spaces that rules are about. Needs root.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "a64_spaces.h"
#include "arch.h"
#include "../suite.h"

#define NR_WORDS 2000
#define PMU "/sys/bus/event_source/devices/uprobe/type"

static uint32_t words[NR_WORDS];
static char path[] = "/tmp/a64-words-XXXXXX";
static struct arch_rules rules;
static int pmu = -1;

static int read_pmu(void)
{
	FILE *f = fopen(PMU, "re");
	int type = -1;

	if (f && fscanf(f, "%d", &type) != 1)
		type = -1;
	if (f)
		fclose(f);
	return type;
}

/* The file stays mapped. */
static void map_words(void)
{
	int fd = mkstemp(path);
	unsigned int i;

	for (i = 0; i < NR_WORDS; i++)
		words[i] = a64_sample(i);
	ck_assert(fd >= 0 && write(fd, words, sizeof(words)) == sizeof(words));
	ck_assert(mmap(NULL, sizeof(words), PROT_READ | PROT_EXEC, MAP_PRIVATE,
		       fd, 0) != MAP_FAILED);
	close(fd);
}

static bool kernel_accepts(unsigned int i)
{
	struct perf_event_attr attr = {
		.type = pmu,
		.size = sizeof(attr),
		.uprobe_path = (unsigned long)path,
		.probe_offset = i * sizeof(*words),
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			 PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

START_TEST(uprobes)
{
	const struct arch_ops *arch = &arch_arm64;
	unsigned int i, accepted = 0;
	struct arch_insn insn;
	const char *why;
	bool kernel, we;

	map_words();
	for (i = 0; i < NR_WORDS; i++) {
		we = !arch->judge(&rules, (unsigned char *)&words[i], 4, 0,
				  &insn, &why);
		kernel = kernel_accepts(i);
		ck_assert_msg(we == kernel, "%08x: %s by the kernel, but: %s",
			      words[i], kernel ? "accepted" : "refused", why);
		accepted += kernel;
	}
	remove(path);
	printf("%u words: %u accepted, %u refused, as the kernel does\n", i,
	       accepted, i - accepted);
	ck_assert_uint_gt(accepted, 200);
	ck_assert_uint_gt(i - accepted, 200);
}
END_TEST

static const char *unable(void)
{
	unsigned int major, minor;
	struct utsname uts;

	pmu = read_pmu();
	if (pmu < 0)
		return "the kernel has no uprobes for perf";
	if (geteuid())
		return "only root may ask";
	uname(&uts);
	if (sscanf(uts.release, "%u.%u", &major, &minor) != 2)
		return "the kernel's release is not a number";
	rules.release = ARCH_RELEASE(major, minor);
	if (rules.release < ARCH_OLDEST || rules.release > ARCH_NEWEST)
		return "the rules are of kernels 6.1 to 6.18";
	return NULL;
}

int main(void)
{
	Suite *suite = suite_create("arch/a64-kernel");
	TCase *tc = tcase_create("arm64");
	const char *why = unable();

	if (why) {
		printf("skip: %s\n", why);
		return 77;
	}
	tcase_add_test(tc, uprobes);
	suite_add_tcase(suite, tc);
	return suite_run(suite, CK_NOFORK);
}
