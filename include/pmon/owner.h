/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who else drives counters. The kernel's own drivers come first; a leaf asks
 * here which PMUs exist before it takes a box, and keeps a driver that would
 * reset boxes at load from loading while it drives them.
 */
#ifndef PMON_OWNER_H
#define PMON_OWNER_H

#include <linux/notifier.h>
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

/**
 * struct pmon_refusal - keeps a module from loading
 * @module: its name, as in /proc/modules
 * @reason: ends the log line, e.g. "pmon_uncore drives the uncore boxes"
 * @nb: the engine's
 * @logged: that it was refused
 *
 * modprobe of that module fails with EBUSY, and one line in the log says why,
 * the first time: udev asks once for each device and CPU that it fits.
 */
struct pmon_refusal {
	const char *module;
	const char *reason;
	struct notifier_block nb;
	unsigned long logged;
};

/**
 * pmon_refuse() - keep a module from loading from now on
 * @refusal: which, and why; stays until pmon_unrefuse()
 *
 * Context: may sleep. A module that is loaded stays so.
 *
 * Return: 0, or what register_module_notifier() says.
 */
int pmon_refuse(struct pmon_refusal *refusal);

/**
 * pmon_unrefuse() - let it load again
 * @refusal: was given to pmon_refuse()
 *
 * Context: may sleep.
 */
void pmon_unrefuse(struct pmon_refusal *refusal);

#endif /* PMON_OWNER_H */
