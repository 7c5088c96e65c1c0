/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DESCRIPTORS_H
#define PMONCTL_DESCRIPTORS_H

/* A server has more modules and boxes than a shell allows files. */
void descriptors_allow(void);

/*
 * While a job is started, it is allowed as many as this process was when it
 * began; what is open stays open.
 */
void descriptors_as_before(void);

/* How many it may have open; -1: not known. */
long descriptors_most(void);

#endif
