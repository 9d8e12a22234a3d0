/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * error.h - where a specification is wrong, and why.
 *
 * Context: any; never sleeps.
 */
#ifndef SIM_SPEC_ERROR_H
#define SIM_SPEC_ERROR_H

/* A stretch of the text. */
struct spec_part {
	unsigned int at, len;
};

struct spec_error {
	struct spec_part where;
	char what[160]; /* what is wrong, and the next step */
};

/* Fills *err, with a stretch of one at least. Always -EINVAL. */
__attribute__((format(printf, 4, 5))) int spec_wrong(struct spec_error *err,
						     unsigned int at,
						     unsigned int len,
						     const char *fmt, ...);

#endif /* SIM_SPEC_ERROR_H */
