/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PMUs of other drivers: a driver checks for an in-tree driver before using a
 * box.
 */
#ifndef PMON_OWNER_H
#define PMON_OWNER_H

#include <linux/types.h>

/**
 * pmon_owner_each() - visit the PMUs of all other drivers
 * @fn: called with each PMU's name on the event_source bus; non-zero stops
 * @data: argument of @fn
 *
 * Return: the result of the last @fn, or an error of perf.
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
