/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The TPMI capability of a PCI function and the tables behind it: which package
 * the function belongs to, and where the registers of each feature are. Every
 * offset and size is checked against the BAR. Only reads.
 */
#ifndef PMON_TPMI_H
#define PMON_TPMI_H

#include <linux/types.h>

struct pci_dev;

#define PMON_TPMI_ID_PLR	0x0c
#define PMON_TPMI_ID_INFO	0x81

/* Vendor-specific capability: which, and how much of it says something. */
#define PMON_TPMI_VSEC_ID	0x42
#define PMON_TPMI_VSEC_DWORDS	4

/* A table (PFS) has at most that many rows: the field has eight bits. */
#define PMON_TPMI_ROWS		255

/* MSR 0x54 has five bits for a power domain: a package has no more. */
#define PMON_TPMI_DOMAINS	32

/**
 * struct pmon_tpmi_io - access to one PCI function
 * @bar_size: bytes of memory BAR @bir, 0 when there is no such BAR
 * @qwords: read @count of them at @offset of BAR @bir; 0 or an error
 * @data: handed to each
 */
struct pmon_tpmi_io {
	u64 (*bar_size)(void *data, u8 bir);
	int (*qwords)(void *data, u8 bir, u64 offset, u64 *value,
		      unsigned int count);
	void *data;
};

/**
 * struct pmon_tpmi_fault - why a table was refused
 * @field: name of the field, for the log; NULL when nothing was refused
 * @value: its value
 */
struct pmon_tpmi_fault {
	const char *field;
	u64 value;
};

/**
 * struct pmon_tpmi - one TPMI device
 * @bir: BAR with the table and the registers of all features
 * @offset: of the table in that BAR, in bytes
 * @bar_size: bytes of that BAR
 * @package: package id, as topology_physical_package_id()
 * @partition: number of this device in its package
 * @compute_dies: mask of compute dies behind this device, 0 when not stated
 * @count: rows in @row
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
 * struct pmon_tpmi_region - the registers of one feature
 * @offset: of instance 0 in BAR &pmon_tpmi.bir, in bytes
 * @stride: bytes from one instance to the next
 * @count: instances, one per power domain
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

bool pmon_tpmi_is_ready(struct pci_dev *pdev);
int pmon_tpmi_read(struct pci_dev *pdev, struct pmon_tpmi *tpmi,
		   struct pmon_tpmi_fault *fault);

#endif /* PMON_TPMI_H */
