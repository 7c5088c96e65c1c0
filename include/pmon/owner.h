/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find PMUs of other drivers. Before a driver uses a box, the driver checks
 * that no in-tree driver uses the box.
 */
#ifndef PMON_OWNER_H
#define PMON_OWNER_H

#include <linux/types.h>

/**
 * pmon_owner_each() - visit the PMUs of all other drivers
 * @fn: called with the name of each PMU, until a call returns non-zero
 * @data: argument of @fn
 *
 * Return: the result of the last @fn, or an error of bus_for_each_dev().
 */
int pmon_owner_each(int (*fn)(const char *name, void *data), void *data);

/**
 * pmon_owner_has() - check for another driver's PMU of a name
 * @name: e.g. "uncore_imc_0"
 *
 * Return: true if another driver has a PMU of that name.
 */
bool pmon_owner_has(const char *name);

#endif /* PMON_OWNER_H */
