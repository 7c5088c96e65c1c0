/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_POWERCAP_H
#define PMONCTL_POWERCAP_H

#include <stddef.h>

/* A package as powercap has it; below 0: not known, or not to be read. */
struct power {
	long package;
	long long energy_uj, limit_uw[2];	/* long_term and short_term */
};

/* Those of all packages, of which the caller frees the array. */
size_t powercap_read(struct power **all);

#endif
