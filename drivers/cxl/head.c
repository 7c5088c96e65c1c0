// SPDX-License-Identifier: GPL-2.0-only
/* Find the name and the probe function in a driver of the CXL bus. */
#include <linux/string.h>

#include "head.h"

#define PROBE		"_probe"

/*
 * Return the number of words before @drv, the struct device_driver in a driver
 * of the CXL bus, or 0 for an unknown layout. @name is the name pointer of
 * @drv, a copy of the first word of the driver.
 */
unsigned int cxl_driver_head(const unsigned long *drv, unsigned long name)
{
	unsigned int head;

	/* Shorter layout first: the word before may not be readable. */
	for (head = CXL_HEAD_MIN; head <= CXL_HEAD_MAX; head++)
		if (*(drv - head) == name)
			return head;
	return 0;
}

/* Return the word at the position of the probe function. */
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
