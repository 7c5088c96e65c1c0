/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_NUMBER_H
#define PMONCTL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

struct parts;
struct text;

/* What is not known is negative. */
struct limit {
	long long uw, max_uw;
};

#define NUMBERS_PLATFORM -1L

#define SST_ROWS 6

/* What Speed Select lets a die have; the rows are those of FREQUENCY_CDYN. */
struct sst {
	long domain, level, locked, bf, tf;
	long long base_khz;
	struct {
		long long turbo_khz, all_cores_khz;
	} row[SST_ROWS];
};

/* A package, as powercap or TPMI, and cpufreq have it; or the platform. */
struct number {
	long package;
	bool from_powercap;
	struct limit pl1, pl2;
	long long energy_uj, range_uj;	/* of the first look */
	long long energy_ms;		/* and when that was */
	long long drawn_mw;
	long long now_khz, base_khz, max_khz;
	struct sst *sst;	/* of its dies */
	size_t dies;
};

struct numbers {
	struct number *number;
	size_t count;
	long long read_ms;	/* when the file was read that is looked at */
};

/* The number of a package, made if needed. */
struct number *numbers_of(struct numbers *n, long package);
/* The middle of the time since then is when a file was read. */
void numbers_read_since(struct numbers *n, long long ms);
/* The first look at its energy, and the second. */
void numbers_energy(const struct numbers *n, struct number *number,
		    long long now);
void numbers_drawn(const struct numbers *n, struct number *number,
		   long long now);

/* numbers_tpmi.c: what powercap does not have */
/* Calls take() for each line of a file that TPMI devices have. */
void numbers_tpmi_lines(struct numbers *n, const char *file,
			void (*take)(struct numbers *n, long package, char *line));
void numbers_tpmi_begin(struct numbers *n);
void numbers_tpmi_end(struct numbers *n);

/* numbers_sst.c: what no file of the kernel has */
void numbers_sst_read(struct numbers *n);
void numbers_sst_add(struct text *to, const struct number *number,
		     const struct parts *all);
void numbers_sst_json(const struct number *number);

#endif
