/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_SERVED_H
#define PMONCTL_SERVED_H

#include <stdbool.h>

#include "discovery.h"

/* Whose the boxes are cannot always be read: true then, it is said elsewhere. */
bool served_uncore(const struct machine *m);

/*
 * The mode that keeps a module of ours, which is loaded, from serving anything;
 * "on" where it serves what it finds.
 */
const char *served_mode(const char *module, const struct machine *m);

#endif
