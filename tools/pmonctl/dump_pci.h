/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DUMP_PCI_H
#define PMONCTL_DUMP_PCI_H

/* PCI functions, as a member of the JSON object that is open. */
void dump_pci(void);

/*
 * The PCI function that a device of /sys/class/pmon is of, "0000:00:03.1", or
 * NULL. The caller frees it.
 */
char *dump_function_of(const char *device);

#endif
