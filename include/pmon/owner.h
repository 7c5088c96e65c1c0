/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who else drives counters. The kernel's own drivers come first; a leaf asks
 * here which PMUs exist before it takes a box.
 */
#ifndef PMON_OWNER_H
#define PMON_OWNER_H

#include <linux/types.h>

/**
 * pmon_owner_each() - visit the PMUs of all other drivers
 * @fn: called with each one's name on the event_source bus; non-zero ends
 * @data: handed to @fn
 *
 * Return: what the last @fn returned, or an error from perf.
 */
int pmon_owner_each(int (*fn)(const char *name, void *data), void *data);

/**
 * pmon_owner_has() - does another driver have a PMU with this name?
 * @name: e.g. "uncore_imc_0"
 */
bool pmon_owner_has(const char *name);

#endif /* PMON_OWNER_H */
