/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * return_rules.h - functions that a replaced return address breaks.
 *
 * A rule stands for something that was seen to break: tests/live/test_rules.c
 * forces each.
 */
#ifndef SIM_CMD_RETURN_RULES_H
#define SIM_CMD_RETURN_RULES_H

struct return_rule {
	const char *name; /* of the function */
	const char *why;  /* a phrase */
};

/* All of them, *nr. */
const struct return_rule *return_rules(unsigned int *nr);

/* Why a return probe on the function of that name would break, or NULL. */
const char *return_rule(const char *name);

#endif /* SIM_CMD_RETURN_RULES_H */
