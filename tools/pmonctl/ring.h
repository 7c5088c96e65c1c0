/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_RING_H
#define PMONCTL_RING_H

#include <stdbool.h>
#include <stddef.h>

/*
 * R2PCIe and QPI of Xeon E5 and E7: PCI functions that intel_uncore binds, and
 * that are handed over one by one, by their driver_override.
 */
enum ring_kind {
	RING_NONE,		/* an area without such functions */
	RING_R2PCIE,
	RING_QPI,
};

/* How many functions of a kind there are, and how many openpmon has bound. */
size_t ring_functions(enum ring_kind kind);
size_t ring_bound(enum ring_kind kind);

/* Both say what they cannot do; false then. */
bool ring_reserve(enum ring_kind kind);		/* for openpmon */
bool ring_free(enum ring_kind kind);		/* for any driver */

/* Prints what changes; how many PMUs lose something. */
long ring_compare(enum ring_kind kind);

#endif
