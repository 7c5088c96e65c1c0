/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_PFS_H
#define PMON_PLR_PFS_H

#include <linux/bits.h>
#include <linux/types.h>

#define PFS_VSEC_ID		0x42
#define PFS_VSEC_SIZE		0x10
#define PFS_ENTRY_SIZE		8

#define PFS_ID_RAPL		0x00
#define PFS_ID_SST		0x05
#define PFS_ID_PLR		0x0c
#define PFS_ID_CONTROL		0x80
#define PFS_ID_INFO		0x81

#define PFS_INFO_SIZE		0x10

/* MSR 0x54 has five bits for a power domain: a package has no more. */
#define PFS_MAX_DOMAINS		32

/**
 * struct pfs_fault - why a table was refused
 * @field: name of the field, for the log
 * @value: what it held
 */
struct pfs_fault {
	const char *field;
	u64 value;
};

/**
 * struct pfs_vsec - the TPMI vendor specific capability
 * @id: VSEC id, 0x42 for TPMI
 * @revision: VSEC revision
 * @length: bytes of the capability
 * @entries: rows of the PFS
 * @entry_dwords: dwords per row
 * @bir: BAR that holds the PFS
 * @offset: where in that BAR
 */
struct pfs_vsec {
	u16 id;
	u8 revision;
	u16 length;
	u8 entries;
	u8 entry_dwords;
	u8 bir;
	u32 offset;
};

/**
 * struct pfs_entry - one row of the PFS: where the registers of a feature are
 * @id: TPMI id of the feature
 * @entries: instances, one per power domain
 * @entry_dwords: dwords per instance
 * @cap_offset: KiB from the PFS to the first instance
 * @attribute: who the feature is meant for, 0 firmware, 1 operating system
 */
struct pfs_entry {
	u8 id;
	u8 entries;
	u16 entry_dwords;
	u16 cap_offset;
	u8 attribute;
};

/**
 * struct pfs_region - the registers of a feature inside its BAR
 * @offset: first byte of instance 0, from the start of the BAR
 * @stride: bytes from one instance to the next
 * @count: instances
 */
struct pfs_region {
	u64 offset;
	u32 stride;
	u32 count;
};

/**
 * struct pfs_info - what TPMI_INFO says of the device
 * @package: package id, as CPUs show it
 * @partition: which of several TPMI devices of the package this is
 * @segment: PCI segment
 * @bus: PCI bus
 * @devfn: PCI device and function
 * @compute_dies: mask of compute dies behind this device, 0 when not told
 */
struct pfs_info {
	u8 package;
	u8 partition;
	u8 segment;
	u8 bus;
	u8 devfn;
	u16 compute_dies;
};

void pfs_vsec_decode(const u32 dword[4], struct pfs_vsec *vsec);
int pfs_vsec_check(const struct pfs_vsec *vsec, u64 bar_size,
		   struct pfs_fault *fault);
int pfs_entry_decode(u64 raw, struct pfs_entry *entry);
int pfs_entry_region(const struct pfs_entry *entry, const struct pfs_vsec *vsec,
		     u64 bar_size, u32 min_size, struct pfs_region *region,
		     struct pfs_fault *fault);
int pfs_region_check(const struct pfs_region *region, u8 id,
		     const struct pfs_vsec *vsec, const u64 *rows,
		     struct pfs_fault *fault);
int pfs_info_decode(u64 header, u64 raw, struct pfs_info *info,
		    struct pfs_fault *fault);
unsigned int pfs_info_domain(const struct pfs_info *info,
			     unsigned int instance);
bool pfs_info_is_compute(const struct pfs_info *info, unsigned int instance);

#endif /* PMON_PLR_PFS_H */
