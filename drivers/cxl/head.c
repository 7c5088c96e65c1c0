// SPDX-License-Identifier: GPL-2.0-only
#include <linux/string.h>

#include "head.h"

#define PROBE		"_probe"

/*
 * Return the number of words before @drv in struct cxl_driver, 0 if unknown.
 * The first word is the name pointer, which @drv has as well (@name).
 */
unsigned int cxl_driver_head(const unsigned long *drv, unsigned long name)
{
	unsigned int head;

	/* Shorter layout first: a word before it may not be readable. */
	for (head = CXL_HEAD_MIN; head <= CXL_HEAD_MAX; head++)
		if (*(drv - head) == name)
			return head;
	return 0;
}

unsigned long cxl_driver_probe(const unsigned long *drv, unsigned int head)
{
	return *(drv - head + 1);
}

/* Check a symbol as printed by "%ps", such as "cxl_mem_probe [cxl_mem]". */
bool cxl_is_probe(const char *symbol)
{
	size_t length = strcspn(symbol, " ");

	return length > strlen(PROBE) &&
	       !strncmp(symbol + length - strlen(PROBE), PROBE, strlen(PROBE));
}
