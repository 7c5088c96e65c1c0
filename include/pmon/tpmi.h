/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read a PCI function's TPMI capability and TPMI tables. Every offset and size
 * is checked against the BAR. No register is written.
 */
#ifndef PMON_TPMI_H
#define PMON_TPMI_H

#include <linux/types.h>

struct pci_dev;

#define PMON_TPMI_ID_PLR	0x0c
#define PMON_TPMI_ID_INFO	0x81

/* Vendor-specific capability: id, and length of the defined part. */
#define PMON_TPMI_VSEC_ID	0x42
#define PMON_TPMI_VSEC_DWORDS	4

#define PMON_TPMI_ROWS		255	/* the count in the VSEC has 8 bits */
#define PMON_TPMI_DOMAINS	32	/* a domain in MSR 0x54 has 5 bits */

/**
 * struct pmon_tpmi_io - access to one PCI function
 * @bar_size: get the size of memory BAR @bir in bytes; 0: no such BAR
 * @qwords: read @count quadwords at @offset of BAR @bir; returns 0 or an error
 * @data: argument of @bar_size and @qwords
 */
struct pmon_tpmi_io {
	u64 (*bar_size)(void *data, u8 bir);
	int (*qwords)(void *data, u8 bir, u64 offset, u64 *value,
		      unsigned int count);
	void *data;
};

/**
 * struct pmon_tpmi_fault - why a table was rejected
 * @field: name of the field, for the log; NULL: not rejected
 * @value: value of the field
 */
struct pmon_tpmi_fault {
	const char *field;
	u64 value;
};

/**
 * struct pmon_tpmi - one TPMI device
 * @bir: BAR with the table and the registers of all features
 * @offset: offset of the table in the BAR, in bytes
 * @bar_size: bytes of the BAR
 * @package: package id, as topology_physical_package_id()
 * @partition: number of the device in the package
 * @compute_dies: mask of compute dies behind the device, 0: not stated
 * @count: number of rows in @row
 * @row: the table
 */
struct pmon_tpmi {
	u8 bir;
	u32 offset;
	u64 bar_size;
	u8 package;
	u8 partition;
	u16 compute_dies;
	unsigned int count;
	u64 row[PMON_TPMI_ROWS];
};

/**
 * struct pmon_tpmi_region - registers of one feature
 * @offset: offset of instance 0 in BAR &pmon_tpmi.bir, in bytes
 * @stride: bytes from instance to instance
 * @count: number of instances, one per power domain
 */
struct pmon_tpmi_region {
	u64 offset;
	u32 stride;
	u32 count;
};

int pmon_tpmi_walk(const struct pmon_tpmi_io *io, const u32 *vsec,
		   struct pmon_tpmi *tpmi, struct pmon_tpmi_fault *fault);
int pmon_tpmi_find(const struct pmon_tpmi *tpmi, u8 id, u32 min_size,
		   struct pmon_tpmi_region *region,
		   struct pmon_tpmi_fault *fault);
int pmon_tpmi_domain(const struct pmon_tpmi *tpmi, unsigned int instance);
bool pmon_tpmi_bar_is_lost(u32 low, u32 high);

bool pmon_tpmi_is_ready(struct pci_dev *pdev);
int pmon_tpmi_read(struct pci_dev *pdev, struct pmon_tpmi *tpmi,
		   struct pmon_tpmi_fault *fault);

#endif /* PMON_TPMI_H */
