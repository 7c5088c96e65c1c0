// SPDX-License-Identifier: GPL-2.0-only
/* Where a driver of the CXL bus has its name and its probe function. */
#include <linux/string.h>

#include "head.h"

#define PROBE		"_probe"

/**
 * cxl_driver_head() - how many words precede a driver's struct device_driver
 * @drv: that structure, in a driver of the CXL bus
 * @name: its pointer to a name, which the bus has copied from the first word
 *
 * Return: their number, or 0 when it is none that is known.
 */
unsigned int cxl_driver_head(const unsigned long *drv, unsigned long name)
{
	unsigned int head;

	/* The shorter layout first: before it there may be no word to read. */
	for (head = CXL_HEAD_MIN; head <= CXL_HEAD_MAX; head++)
		if (*(drv - head) == name)
			return head;
	return 0;
}

/**
 * cxl_driver_probe() - the word that should be the probe function
 * @drv: as above
 * @head: what cxl_driver_head() has said of it
 */
unsigned long cxl_driver_probe(const unsigned long *drv, unsigned int head)
{
	return *(drv - head + 1);
}

/**
 * cxl_is_probe() - is that the name of a probe function?
 * @symbol: as "%ps" prints it: "cxl_mem_probe [cxl_mem]"
 */
bool cxl_is_probe(const char *symbol)
{
	size_t length = strcspn(symbol, " ");

	return length > strlen(PROBE) &&
	       !strncmp(symbol + length - strlen(PROBE), PROBE, strlen(PROBE));
}
