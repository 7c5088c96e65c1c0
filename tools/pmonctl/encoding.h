/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_ENCODING_H
#define PMONCTL_ENCODING_H

#include <stdbool.h>
#include <stdint.h>

#include "pmus.h"

#define CONFIG_WORDS 4

/*
 * Where the bits of a term's value go: bit n of the value to bit at[n] of a
 * config word.
 */
struct term {
	unsigned int word;
	unsigned char at[64];
	unsigned int bits;
};

/* "config1:0-7,32-55"; false when it is not understood. */
bool term_parse(struct term *t, const char *format);

/*
 * True when every value that fits a is put where a puts it by b as well, as
 * far as it goes into a control of so many bits.
 */
bool term_includes(const struct term *b, const struct term *a,
		   unsigned int control_bits);

/* The config words of an event "event=0x05,umask=0xcf" of a PMU. */
bool event_encode(const struct pmu *pmu, const char *event,
		  uint64_t config[CONFIG_WORDS]);

#endif
