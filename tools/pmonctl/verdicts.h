/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_VERDICTS_H
#define PMONCTL_VERDICTS_H

#include <stdbool.h>
#include <stddef.h>

enum judgement { PASSED, UNTESTED, FAILED };

/* What was tested, with what result, and what was seen. */
struct verdicts {
	struct verdict {
		const char *test;
		enum judgement outcome;
		char *observed;
	} *verdict;
	size_t count;
	long long end;		/* by the clock, when all has to be over */
};

void verdict_add(struct verdicts *v, enum judgement outcome, const char *test,
		 const char *fmt, ...) __attribute__((format(printf, 4, 5)));
enum judgement verdicts_worst(const struct verdicts *v);
void verdicts_print(const struct verdicts *v);
void verdicts_json(const struct verdicts *v);
void verdicts_free(struct verdicts *v);

/* False when the time is over or a signal waits: what is open is not tested. */
bool verdicts_go_on(const struct verdicts *v);

/* Waits for so long; false as above. */
bool verdicts_pause(const struct verdicts *v, long long ms);

#endif
