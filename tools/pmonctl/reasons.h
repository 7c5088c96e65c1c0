/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_REASONS_H
#define PMONCTL_REASONS_H

#include "output.h"

/* Reasons as bits, by the driver's own table (drivers/plr/reasons.c). */
#define REASON_BITS 64

/*
 * Selects the meanings of bits for the CPU of the root directory. An unknown model has numbers, as
 * in the driver's files; without any record the specification's meanings are used. Call first.
 */
void reasons_begin(void);

#define for_each_reason(bit, mask) \
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) \
		if ((mask) >> bit & 1)

/* Likewise, the worst first. */
#define for_each_worst(bit, mask) \
	for (uint64_t rest_of_##bit = (mask), bit; \
	     rest_of_##bit && (bit = reason_take_worst(&rest_of_##bit), true);)
/* 0 is the worst: faults (BMC, board, errors, heat), then power, then turbo. */
unsigned int reason_rank(unsigned int bit);
/* Takes the worst of @mask, which is not 0, out of it. */
unsigned int reason_take_worst(uint64_t *mask);

/* As in <pmon/plr_reasons.h>; coarse: the coarse bit of @bit, -1 if reserved. */
const char *plr_reason_name(unsigned int bit);
int plr_reason_coarse(unsigned int bit);

/* Names separated by spaces, "none" or "all"; false for an unknown name. */
bool reasons_parse(const char *text, uint64_t *mask);

/* The bit of a name, in any case, or -1. */
int reason_bit(const char *name);

/* Names separated by spaces, or "none". */
char *reasons_text(uint64_t mask);

/* Removes coarse reasons that a fine reason implies. */
uint64_t reasons_brief(uint64_t mask);
/* FREQUENCY, _CDYN<n> and _FCT: a turbo limit is normal on a loaded host. */
uint64_t reasons_of_turbo(void);
/* Set by a BMC, through PCS. */
uint64_t reasons_of_bmc(void);
/* A coarse reason and its fine reasons; 0 if names are not known. */
uint64_t reasons_of(const char *coarse);
void json_reasons(const char *name, uint64_t mask);

/* Meanings and remedies, a few lines each. */
void reasons_add_meanings(struct text *t, uint64_t mask);
/* The meaning in a few words, and what to do. */
const char *reason_meaning(unsigned int bit);
const char *reason_remedy(unsigned int bit);

#endif
