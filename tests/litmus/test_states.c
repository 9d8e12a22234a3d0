// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_states.c - the states that the explorer reaches are those of a machine that
 * runs the same test one step at a time.
 */
#include "operational.h"
#include "table.h"
#include "../suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct litmus *read_shape(const char *name)
{
	char path[256], *text = malloc(LITMUS_MAX);
	struct litmus_error error;
	struct litmus *t;
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), SHAPES "/%s.litmus", name);
	f = fopen(path, "re");
	ck_assert_ptr_nonnull(f);
	len = fread(text, 1, LITMUS_MAX, f);
	fclose(f);
	t = litmus_parse(text, len, &error);
	ck_assert_msg(t != NULL, "%s:%u: %s", path, error.line, error.what);
	free(text);
	return t;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines behind "States N", sorted as text. */
static char *states_of(char *out)
{
	char *p = strstr(out, "\nStates "), *line[4096], *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	int n;

	ck_assert_msg(p != NULL, "no states: %s", out);
	n = atoi(p + strlen("\nStates "));
	ck_assert_int_le(n, 4096);
	strtok(p, "\n");
	for (int i = 0; i < n; i++)
		line[i] = strtok(NULL, "\n");
	qsort(line, n, sizeof(*line), by_text);
	for (int i = 0; i < n; i++)
		fprintf(f, "%s\n", line[i]);
	fclose(f);
	return text;
}

static void compare(const char *name, const char *memory)
{
	struct litmus *t = read_shape(name);
	char options[32], *out, *explored, *stepped;
	int status;

	snprintf(options, sizeof(options), "--memory %s", memory);
	out = table_run(name, options, &status);
	explored = states_of(out);
	stepped = operational_states(t, !strcmp(memory, "tso"));
	ck_assert_msg(!strcmp(explored, stepped),
		      "%s under %s: explored\n%sone step at a time\n%s", name,
		      memory, explored, stepped);
	free(out);
	free(explored);
	free(stepped);
	litmus_free(t);
}

START_TEST(same_states)
{
	table_read();
	for (int i = 0; i < table_rows; i++)
		compare(table[i].name, _i ? "tso" : "sc");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("states");
	TCase *tc = tcase_create("machine");

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, same_states, 0, 2);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}
