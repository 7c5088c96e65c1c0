/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PCI_H
#define PMONCTL_PCI_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The configuration space of a PCI function such as 0000:00:03.1, or -1 and
 * errno. One in D3cold, which the kernel would wake, is left alone.
 */
int pci_config_open(const char *function);
bool pci_config_dword(int config, unsigned int at, uint32_t *value);

/* A table or TPMI region: PCI Express base specification, 7.9.5 and 7.9.6. */
#define PCI_CAP_VENDOR	0x0b
#define PCI_CAP_DVSEC	0x23
#define PCI_CAP_WORDS	4

/* Calls @take with the words of each extended capability with such a header. */
typedef void (*pci_take_t)(void *data, const uint32_t *word);
void pci_each_table(int config, pci_take_t take, void *data);

/* 8086:09a7 is the OOBMSM function of Sapphire Rapids and later. */
bool pci_is_discovery(const char *function);

/*
 * False for a PCI function behind a bridge. Cards such as GPUs have functions
 * of the same kind, for themselves.
 */
bool pci_on_root_bus(const char *function);

#endif
