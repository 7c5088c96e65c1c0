/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_REASONS_H
#define PMONCTL_REASONS_H

#include "output.h"

/*
 * Reasons as bits, by the driver's own table (drivers/plr/reasons.c), so that
 * what the helper says and what the files say cannot differ.
 */
#define REASON_BITS 64

/*
 * Bits have the meaning that they have on the CPU below the root directory: of
 * a model that no table is for they have numbers, as in the driver's files;
 * where nothing is recorded, the meaning of the specification. First of all.
 */
void reasons_begin(void);

#define for_each_reason(bit, mask) \
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) \
		if ((mask) >> bit & 1)

/* As in <pmon/plr_reasons.h>; coarse: the one that a bit belongs to, -1 if reserved. */
const char *plr_reason_name(unsigned int bit);
int plr_reason_coarse(unsigned int bit);

/* Names separated by spaces, "none" or "all"; false for an unknown name. */
bool reasons_parse(const char *text, uint64_t *mask);

/* Names separated by spaces, or "none". The caller frees it. */
char *reasons_text(uint64_t mask);

/* Without the coarse reasons that a fine one beside them implies. */
uint64_t reasons_brief(uint64_t mask);
/* FREQUENCY, _CDYN<n> and _FCT: a turbo limit is normal on a loaded host. */
uint64_t reasons_of_turbo(void);
/* What a BMC has set, by PCS. */
uint64_t reasons_of_bmc(void);
/* A coarse reason and its fine ones; nothing where names are not known. */
uint64_t reasons_of(const char *coarse);
/* A JSON array of them. */
void json_reasons(const char *name, uint64_t mask);

/* What they mean and what to compare each with, a few lines for each. */
void reasons_add_meanings(struct text *t, uint64_t mask);
/* What a reason means and what to do about it, in a few words each. */
const char *reason_meaning(unsigned int bit);

#endif
