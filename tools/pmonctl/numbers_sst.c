// SPDX-License-Identifier: GPL-2.0-only
/*
 * What frequencies Speed Select lets each die have now, as openpmon reads it
 * from TPMI. cpufreq has, at the best, the limit of one active core.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "output.h"
#include "parts.h"
#include "reasons.h"
#include "sysfs.h"

/* No part is faster than this; no level or domain is a larger number. */
#define MOST 100000

/* A number up to MOST and what follows it, or -1. */
static long long take_number(const char **text)
{
	char digits[8];
	size_t n = strspn(*text, "0123456789");

	if (!n || n >= sizeof(digits))
		return -1;
	memcpy(digits, *text, n);
	digits[n] = '\0';
	*text += n;
	return atol(digits) <= MOST ? atol(digits) : -1;
}

/* The first and the last one of a list: fewest active modules, and all. */
static void take_row(struct sst *sst, size_t row, const char *text)
{
	long long first = take_number(&text), last = first;

	while (last > 0 && *text == ',') {
		text++;
		last = take_number(&text);
	}
	if (first <= 0 || last <= 0 || *text)
		return;
	sst->row[row].turbo_khz = first * 1000;
	sst->row[row].all_cores_khz = last * 1000;
}

static void take_word(struct sst *sst, const char *name, const char *text)
{
	long long value;
	unsigned int row;
	char end[8];

	if (sscanf(name, "cdyn%1u%7s", &row, end) == 2 &&
	    !strcmp(end, "_mhz") && row < SST_ROWS) {
		take_row(sst, row, text);
		return;
	}
	value = take_number(&text);
	if (value < 0 || *text)
		return;
	if (!strcmp(name, "level"))
		sst->level = value;
	else if (!strcmp(name, "locked"))
		sst->locked = value;
	else if (!strcmp(name, "bf"))
		sst->bf = value;
	else if (!strcmp(name, "tf"))
		sst->tf = value;
	else if (!strcmp(name, "base_mhz") && value)
		sst->base_khz = value * 1000;
}

/* "0 level=0 ..."; words that are not known are of a later version. */
static bool take_line(struct sst *sst, char *line)
{
	char *save, *word = strtok_r(line, " ", &save);
	const char *domain = word;

	*sst = (struct sst){ .level = -1, .locked = -1, .bf = -1, .tf = -1,
			     .base_khz = -1 };
	if (!word)
		return false;
	sst->domain = take_number(&domain);
	if (sst->domain < 0 || *domain)
		return false;
	while ((word = strtok_r(NULL, " ", &save))) {
		char *value = strchr(word, '=');

		if (!value)
			continue;
		*value++ = '\0';
		take_word(sst, word, value);
	}
	return sst->level >= 0;
}

static void take_die(struct numbers *n, long package, char *line)
{
	struct number *number;
	struct sst sst;

	if (!take_line(&sst, line))
		return;
	number = numbers_of(n, package);
	number->sst = xrealloc(number->sst, (number->dies + 1) * sizeof(sst));
	number->sst[number->dies++] = sst;
}

void numbers_sst_read(struct numbers *n)
{
	numbers_tpmi_lines(n, "sst", take_die);
}

/* What limits a die and its modules now. */
static uint64_t limited_now(const struct parts *all, long package, long domain)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < all->count; i++)
		if (all->part[i].domain->package == package &&
		    all->part[i].domain->id == domain)
			mask |= all->part[i].now;
	return mask;
}

/* The highest row that is a reason now and has numbers, or -1. */
static int row_in_force(const struct sst *sst, uint64_t now)
{
	unsigned int row;
	int last = -1;

	for (unsigned int bit = 0; bit < REASON_BITS; bit++)
		if ((now >> bit & 1) &&
		    sscanf(reason_name(bit), "FREQUENCY_CDYN%1u", &row) == 1 &&
		    row < SST_ROWS && sst->row[row].turbo_khz &&
		    (int)row > last)
			last = row;
	return last;
}

static void describe(struct text *t, const struct sst *sst, uint64_t now)
{
	int row = row_in_force(sst, now);
	size_t shown = row < 0 ? 0 : (size_t)row;

	text_add(t, "SST level %ld%s%s", sst->level,
		 sst->bf > 0 ? ", BF on" : "", sst->tf > 0 ? ", TF on" : "");
	if (row >= 0)
		text_add(t, ", CDYN%d", row);
	if (sst->row[shown].turbo_khz)
		text_add(t, ": turbo up to %.1f GHz, all cores %.1f GHz",
			 (double)sst->row[shown].turbo_khz / 1e6,
			 (double)sst->row[shown].all_cores_khz / 1e6);
	else if (sst->base_khz > 0)
		text_add(t, ": base %.1f GHz", (double)sst->base_khz / 1e6);
}

/* Once where all dies that are limited have the same. */
void numbers_sst_add(struct text *to, const struct number *number,
		     const struct parts *all)
{
	struct text first = { NULL, 0 }, each = { NULL, 0 };
	bool same = true;

	for (size_t i = 0; i < number->dies; i++) {
		const struct sst *sst = &number->sst[i];
		uint64_t now = limited_now(all, number->package, sst->domain);
		struct text t = { NULL, 0 };

		if (!now)
			continue;
		describe(&t, sst, now);
		if (!first.len)
			text_add(&first, "%s", t.s);
		same &= !strcmp(first.s, t.s);
		text_add(&each, "%sdomain %ld %s", each.len ? "; " : "",
			 sst->domain, t.s);
		text_free(&t);
	}
	if (first.len)
		text_add(to, "%s%s", to->len ? "; " : "",
			 same ? first.s : each.s);
	text_free(&first);
	text_free(&each);
}

static void json_rows(const struct sst *sst)
{
	json_open("rows", '[');
	for (size_t row = 0; row < SST_ROWS; row++) {
		if (!sst->row[row].turbo_khz)
			continue;
		json_open(NULL, '{');
		json_number("cdyn", (long)row);
		json_number("turbo_khz", (long)sst->row[row].turbo_khz);
		json_number("all_cores_khz",
			    (long)sst->row[row].all_cores_khz);
		json_close('}');
	}
	json_close(']');
}

void numbers_sst_json(const struct number *number)
{
	if (!number->dies)
		return;
	json_open("sst", '[');
	for (size_t i = 0; i < number->dies; i++) {
		const struct sst *sst = &number->sst[i];

		json_open(NULL, '{');
		json_number("domain", sst->domain);
		json_number("level", sst->level);
		json_known("locked", sst->locked);
		json_known("bf", sst->bf);
		json_known("tf", sst->tf);
		json_known("base_khz", sst->base_khz);
		json_rows(sst);
		json_close('}');
	}
	json_close(']');
}
