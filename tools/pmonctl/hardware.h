/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HARDWARE_H
#define PMONCTL_HARDWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpus.h"

/* 8086:09a7 is the OOBMSM function of Sapphire Rapids and later. */
bool pci_is_discovery(const char *function);

/* A discovery table of an Intel function that pci_is_discovery() does not know. Needs rights. */
bool pci_has_unlisted_table(const char *function);

/* False behind a bridge: cards such as GPUs have functions of the same kind. */
bool pci_on_root_bus(const char *function);

/* In D3cold: a read of its configuration space would wake it. */
#define pci_sleeps(function)	sysfs_is("D3cold", FUNCTIONS "/%s/power_state", function)
/* For reading, unless it sleeps; or -1. */
#define pci_open_config(function) \
	(pci_sleeps(function) ? -1 : sysfs_open(FUNCTIONS "/%s/config", function))

/* A dword of configuration space, through an open file. */
bool pci_read_config(int config, unsigned int at, uint32_t *value);

/* An extended capability; begin with all 0. */
struct pci_capability {
	unsigned int at;
	uint32_t header, first;		/* dwords 0 and 1 */
	unsigned int vendor, id;	/* of a DVSEC; vendor 0: of another kind */
	bool seen[4096 / 4];		/* each is read once, also if the list is circular */
};

/* Goes to the next, or the first, capability. False behind the last one, and without rights. */
bool pci_next_capability(int config, struct pci_capability *c);

/* A field of the first CPU in /proc/cpuinfo, or NULL; as a number, or -1. */
char *cpu_text(const char *key);
long cpu_number(const char *key);
/* Is this a virtual machine? */
bool cpu_is_virtual(void);

/* The package of a CPU, or -1. */
long package_of(unsigned int cpu);
/* Packages that have discovery tables but no online CPU. */
struct cpus packages_off(void);

/* By the class, or because cxl_pci is bound. */
bool cxl_is_memory(const char *function);

/* Is there any? */
bool cxl_memory_present(void);

/* Hardware for our modules. Without rights for configuration space, all that may be there. */
struct hardware {
	bool functions;		/* may have tables, in configuration space or an MSR */
	bool tables;		/* of counter boxes */
	bool tpmi;		/* registers of performance limits, perhaps */
	bool unreached;		/* the kernel reaches 256 bytes only */
};

struct hardware hardware_find(void);

/* Why configuration space is out of reach, and the remedy. */
#define NO_CONFIG	"the kernel reaches 256 bytes of PCI configuration " \
			"space only, and what leads to tables is further up"
#define MORE_CONFIG	"boot without pci=nommconf; without that, firmware " \
			"lacks an MCFG table"

/* Is there, or may there be, hardware for the modules? */
bool hardware_present(void);
bool hardware_has_tables(void);

/* R2PCIe and QPI of Xeon E5 and E7: functions of intel_uncore, with a driver_override each. */
enum ring_kind {
	RING_NONE,		/* other areas */
	RING_R2PCIE,
	RING_QPI,
};

/* How many functions of a kind there are, or openpmon has bound. */
bool ring_is_present(void);		/* any of either */
size_t ring_functions(enum ring_kind kind, bool bound);
/* Bound but unserved functions; the kernel log has the reason. */
size_t ring_unserved(enum ring_kind kind);

/* For openpmon, or for any driver. False after a message. */
bool ring_reserve(enum ring_kind kind, bool reserve);

/* Prints the changes; returns the number of PMUs with losses. */
long ring_compare(enum ring_kind kind);

#endif
