// SPDX-License-Identifier: GPL-2.0-only
/*
 * steps.c - see steps.h.
 */
#include "steps.h"

#include "explore.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";

#define LINE_ENDS '.'

static uint32_t sum_text(uint32_t sum, const char *text)
{
	for (; text && *text; text++)
		sum = (sum ^ (unsigned char)*text) * 0x01000193u;
	return (sum ^ ' ') * 0x01000193u;
}

static char letter_of(const struct explore_step *step)
{
	uint32_t sum = 0x811c9dc5u;

	sum = sum_text(sum, explore_thread_name(step->thread));
	sum = sum_text(sum, explore_op_name(step->op));
	sum = sum_text(sum, names_operand(step));
	return letters[(sum ^ sum >> 15) % (sizeof(letters) - 1)];
}

static bool add(struct steps *s, char c)
{
	if (s->len + 2 > s->room) {
		s->room = s->room * 2 + 256;
		s->text = realloc(s->text, s->room);
		if (!s->text)
			abort();
	}
	s->text[s->len++] = c;
	s->text[s->len] = '\0';
	if (!s->want)
		return true;
	if (*s->want != c)
		return false;
	s->want++;
	return true;
}

void steps_begin(struct steps *s, const char *want)
{
	s->want = want;
	s->len = 0;
}

bool steps_perform(struct steps *s, const struct explore_step *step)
{
	return add(s, letter_of(step));
}

bool steps_end_line(struct steps *s)
{
	return add(s, LINE_ENDS);
}

bool steps_end(const struct steps *s)
{
	return !s->want || !*s->want;
}

bool steps_good(const char *text)
{
	for (; *text; text++)
		if (*text != LINE_ENDS && !strchr(letters, *text))
			return false;
	return true;
}
