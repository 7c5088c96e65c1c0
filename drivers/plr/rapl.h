/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_RAPL_H
#define PMON_PLR_RAPL_H

#include <linux/types.h>

#include <pmon/regs.h>

/* Bytes of a domain, and how many are looked at: three kinds are known. */
#define RAPL_DOMAIN_SIZE	128
#define RAPL_MAX_DOMAINS	4

/* In the order in which they are shown. */
enum rapl_limit_kind { RAPL_PL1, RAPL_PL2, RAPL_PL4, RAPL_LIMITS };

/**
 * struct rapl_limit - a limit of power
 * @present: hardware has it
 * @enabled: it is in force
 * @locked: nothing can change it until the next reset
 * @uw: in microwatts
 */
struct rapl_limit {
	bool present;
	bool enabled;
	bool locked;
	u64 uw;
};

/**
 * struct rapl_domain - power limits of a package, of its memory, or of the
 * platform
 * @name: which of them
 * @limit: the limits
 * @has_info: the next three are known
 * @tdp_uw: largest value of the long term limit
 * @min_uw: smallest value of any
 * @max_uw: largest value of the short term limit
 */
struct rapl_domain {
	const char *name;
	struct rapl_limit limit[RAPL_LIMITS];
	bool has_info;
	u64 tdp_uw;
	u64 min_uw;
	u64 max_uw;
};

/**
 * struct rapl_energy - energy that a domain has drawn
 * @name: of the domain
 * @uj: in microjoules
 * @range_uj: where it begins at 0 again
 */
struct rapl_energy {
	const char *name;
	u64 uj;
	u64 range_uj;
};

const char *rapl_limit_name(enum rapl_limit_kind kind);
int rapl_read_domain(const struct pmon_regs *regs, unsigned int index,
		     struct rapl_domain *domain);
int rapl_read_energy(const struct pmon_regs *regs, unsigned int index,
		     struct rapl_energy *energy);

#endif /* PMON_PLR_RAPL_H */
