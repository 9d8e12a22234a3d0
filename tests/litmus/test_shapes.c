// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_shapes.c - every litmus test of shapes/ under every memory model: what is
 * observed, and in how many executions, as expected.txt says.
 */
#include "table.h"
#include "../suite.h"

#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LKMM 2 /* in table_models */

static const char *text_of(const json_t *j, const char *key)
{
	const char *s = json_string_value(json_object_get(j, key));

	return s ? s : "(none)";
}

static int number_of(const json_t *j, const char *key)
{
	return json_integer_value(json_object_get(j, key));
}

static bool has_grace_period(const char *name)
{
	char path[256], line[256];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), SHAPES "/%s.litmus", name);
	f = fopen(path, "re");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		found |= strstr(line, "synchronize_") != NULL;
	fclose(f);
	return found;
}

static void check_shape(const struct table_row *r, int m, const char *deps)
{
	char options[64], *out;
	int status, n;
	json_t *j;

	snprintf(options, sizeof(options),
		 "--format json --memory %s --deps=%s", table_models[m], deps);
	out = table_run(r->name, options, &status);
	j = json_loads(out, 0, NULL);
	ck_assert_msg(j != NULL, "%s: not JSON: %s", r->name, out);
	ck_assert_msg(status == 0, "%s: status %d", r->name, status);
	ck_assert_str_eq(text_of(j, "name"), r->name);
	ck_assert_str_eq(text_of(j, "memory"), table_models[m]);
	ck_assert_str_eq(text_of(j, "deps"), m == LKMM ? deps : "(none)");
	ck_assert_msg(!strcmp(text_of(j, "observation"), r->observation[m]),
		      "%s under %s: %s, not %s", r->name, table_models[m],
		      text_of(j, "observation"), r->observation[m]);
	n = number_of(j, "executions");
	ck_assert_msg(r->executions[m] < 0 || n == r->executions[m],
		      "%s under %s: %d executions, not %d", r->name,
		      table_models[m], n, r->executions[m]);
	ck_assert_int_eq(number_of(j, "positive") + number_of(j, "negative"),
			 n);
	/* several runs may be one execution */
	if (!has_grace_period(r->name))
		ck_assert_int_eq(number_of(j, "blocked"), 0);
	ck_assert_int_eq(number_of(j, "deadlocks"), 0);
	json_decref(j);
	free(out);
}

START_TEST(as_expected)
{
	table_read();
	for (int i = 0; i < table_rows; i++)
		check_shape(&table[i], _i, "none");
}
END_TEST

/*
 * Every read before later writes: what herd says of the tests that have such a
 * dependency; the others say what they say without.
 */
static const struct {
	const char *name, *observation;
	int executions;
} depends[] = {
	{ "S+wmb", "Never", 3 }, /* as if it were S+wmb+data */
	{ "S+wmb+data", "Never", 3 },
	{ "S+wmb+ctrl", "Never", 2 },
};

START_TEST(all_dependencies)
{
	table_read();
	for (int i = 0; i < table_rows; i++) {
		struct table_row r = table[i];

		for (size_t k = 0; k < sizeof(depends) / sizeof(*depends); k++)
			if (!strcmp(r.name, depends[k].name)) {
				strcpy(r.observation[LKMM],
				       depends[k].observation);
				r.executions[LKMM] = depends[k].executions;
			}
		check_shape(&r, LKMM, "all");
	}
}
END_TEST

/* A file without a line would not be tested, a line without a file fails. */
START_TEST(all_listed)
{
	DIR *d = opendir(SHAPES);
	struct dirent *e;
	int files = 0;

	ck_assert_ptr_nonnull(d);
	table_read();
	while ((e = readdir(d)))
		files += strstr(e->d_name, ".litmus") != NULL;
	closedir(d);
	ck_assert_int_eq(files, table_rows);
	ck_assert_int_ge(files, 60);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("shapes");
	TCase *tc = tcase_create("litmus");

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, as_expected, 0, TABLE_MODELS);
	tcase_add_test(tc, all_dependencies);
	tcase_add_test(tc, all_listed);
	suite_add_tcase(s, tc);
	return suite_run(s, CK_FORK_GETENV);
}
