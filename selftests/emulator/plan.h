/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parse a plan: a machine description that qemu-args has checked and expanded.
 * Each line is a record, "keyword key=value ...".  Values are numbers, or words
 * without spaces.
 */
#ifndef HW_MISC_PMON_PLAN_H
#define HW_MISC_PMON_PLAN_H

#define PLAN_FIELDS	40

struct plan_line {
	const char *file;
	unsigned int number;
	char *text;
	const char *keyword;
	unsigned int count;
	const char *key[PLAN_FIELDS];
	const char *value[PLAN_FIELDS];
	bool used[PLAN_FIELDS];
	Error **errp;
	bool failed;
};

bool plan_parse(struct plan_line *l, const char *file, unsigned int number,
		const char *text, Error **errp);
void plan_fail(struct plan_line *l, const char *key, const char *why);
bool plan_has(struct plan_line *l, const char *key);
const char *plan_word(struct plan_line *l, const char *key);
uint64_t plan_u64(struct plan_line *l, const char *key);
uint64_t plan_max(struct plan_line *l, const char *key, uint64_t max);
bool plan_done(struct plan_line *l);

#endif
