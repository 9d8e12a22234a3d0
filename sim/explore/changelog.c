// SPDX-License-Identifier: GPL-2.0-only
/*
 * changelog.c - the report as the message of a commit has it.
 *
 * The text of report.c without what means nothing there, broken into lines of 72
 * characters, files without their folders.
 */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 72

/* Of a word that ends in a place, dir/file.c:12, what is behind the folders. */
static const char *without_folders(const char *word, const char *stop,
				   int *lead)
{
	const char *slash = memrchr(word, '/', stop - word);
	const char *colon = slash ? memchr(slash, ':', stop - slash) : NULL;

	*lead = *word == '(';
	if (!colon || colon - slash < 3 || colon[-2] != '.' ||
	    !strchr("ch", colon[-1]))
		return word + *lead;
	return slash + 1;
}

/* One line of the text, broken where it is too long. */
static void fold(FILE *to, const char *line, const char *stop)
{
	int indent = strspn(line, " "), column = 0;

	if (stop - line <= WIDTH && !memchr(line, '/', stop - line)) {
		fprintf(to, "%.*s\n", (int)(stop - line), line);
		return;
	}
	for (const char *s = line + indent; s < stop;) {
		const char *end = s + strcspn(s, " \n"), *word;
		int lead, len;

		word = without_folders(s, end, &lead);
		len = end - word + lead;
		if (column && column + 1 + len > WIDTH) {
			fputc('\n', to);
			column = 0;
		}
		column += column ? fprintf(to, " ")
				 : fprintf(to, "%*s", indent, "");
		column += fprintf(to, "%s%.*s", lead ? "(" : "",
				  (int)(end - word), word);
		s = end + strspn(end, " ");
	}
	fputc('\n', to);
}

void report_changelog(FILE *to, const struct report *how,
		      const struct explore_result *r)
{
	struct report brief = *how;
	char *text, *s;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		abort();
	brief.brief = true;
	brief.width = WIDTH;
	report_text(f, &brief, r);
	fclose(f);
	for (s = text; *s;) {
		char *stop = strchr(s, '\n');

		fold(to, s, stop);
		s = stop + 1;
	}
	free(text);
}
