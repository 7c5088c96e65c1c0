/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CXL_H
#define PMONCTL_CXL_H

#include <stdbool.h>
#include <stddef.h>

/* A decoder of a memory device in a region. Position: among the ways that interleave. */
struct cxl_share {
	char *region, *decoder;
	long position, ways;
};

struct cxl_shares {
	struct cxl_share *share;
	size_t count;
};

/* Of "mem0". */
struct cxl_shares cxl_shares_of(const char *memory);

/* Bytes of volatile and persistent memory of "mem0"; -1: not known. */
long long cxl_memory_size(const char *memory);

/* NUMA node of the memory of "mem0": of its region, else of the device; -1: not known. */
long cxl_memory_node(const char *memory);

/*
 * True if the function's register locator, which needs rights, names no CPMU (CXL 3.1, 8.1.9).
 */
bool cxl_lacks_cpmu(const char *function);

#endif
