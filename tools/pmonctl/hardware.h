/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HARDWARE_H
#define PMONCTL_HARDWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpus.h"

/* 8086:09a7 is the OOBMSM function of Sapphire Rapids and later. */
bool pci_is_discovery(const char *function);

/*
 * False for a PCI function behind a bridge. Cards such as GPUs have functions
 * of the same kind, for themselves.
 */
bool pci_on_root_bus(const char *function);

/* A dword of its configuration space, the file of which is open; false: it has none there. */
bool pci_read_config(int config, unsigned int at, uint32_t *value);

/* What /proc/cpuinfo says of the first CPU, or NULL; a number of it, or -1. */
char *cpu_text(const char *key);
long cpu_number(const char *key);
/* A processor that a hypervisor has made. */
bool cpu_is_virtual(void);

/* The package of a CPU, or -1. */
long package_of(unsigned int cpu);
/* Packages that have tables of counter boxes and no online CPU. */
struct cpus packages_off(void);

/* By its class, or because cxl_pci was told to have one of another class. */
bool cxl_is_memory(const char *function);

/* Is there any? */
bool cxl_memory_present(void);

/*
 * The NUMA node of the memory that a device such as "mem0" has in a region, which may be
 * another than the device's own; that where no region says one; -1: not known.
 */
long cxl_memory_node(const char *memory);

/*
 * What the processors have for pmon_uncore and pmon_plr. Without the right to
 * read configuration space a function is taken to have what it can have.
 */
struct hardware {
	bool functions;		/* that can have tables, or an MSR that can */
	bool tables;		/* of counter boxes */
	bool tpmi;		/* registers of performance limits, perhaps */
	bool unreached;		/* the kernel reaches 256 bytes only */
};

struct hardware hardware_look(void);

/* What is the matter with one that is not reached, and what helps. */
#define NO_CONFIG	"the kernel reaches 256 bytes of PCI configuration " \
			"space only, and what leads to tables is further up"
#define MORE_CONFIG	"boot without pci=nommconf; without that, firmware " \
			"lacks an MCFG table"

/* There is, or may be, something that the modules serve. */
bool hardware_present(void);
bool hardware_has_tables(void);

/*
 * R2PCIe and QPI of Xeon E5 and E7: PCI functions that intel_uncore binds, and
 * that are handed over one by one, by their driver_override.
 */
enum ring_kind {
	RING_NONE,		/* an area without such functions */
	RING_R2PCIE,
	RING_QPI,
};

/* How many functions of a kind there are, or openpmon has bound. */
bool ring_is_present(void);		/* any of either */
size_t ring_functions(enum ring_kind kind, bool bound);
/* Lists functions that are bound and not served, with the reason; NULL: none. To be freed. */
char *ring_unserved(enum ring_kind kind);

/* For openpmon, or else for any driver. Says what it cannot do; false then. */
bool ring_reserve(enum ring_kind kind, bool ours);

/* Prints what changes; how many PMUs lose something. */
long ring_compare(enum ring_kind kind);

#endif
