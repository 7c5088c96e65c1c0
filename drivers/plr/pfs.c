// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the TPMI capability in PCI config space to the registers of a feature.
 *
 * Nothing here is trusted: every offset and size is held against the BAR
 * before it is used, and reads of a device that does not answer (all ones)
 * are told from tables.
 */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/limits.h>

#include "pfs.h"

/*
 * PCI Express Base Specification, section "Vendor-Specific Extended Capability
 * (VSEC)", and for TPMI's, the PFS and TPMI_INFO: Intel, Topology Aware
 * Register and PM Capsule Interface (TPMI_public_disclosure_FINAL_rev3 in
 * github.com/intel/tpmi_power_management); Linux has the same in
 * drivers/platform/x86/intel/vsec_tpmi.c, struct intel_tpmi_pfs_entry and
 * struct tpmi_info_header.
 */
#define VSEC_ID			GENMASK(15, 0)
#define VSEC_REVISION		GENMASK(19, 16)
#define VSEC_LENGTH		GENMASK(31, 20)
#define VSEC_ENTRIES		GENMASK(23, 16)
#define VSEC_ENTRY_SIZE		GENMASK(31, 24)
#define VSEC_BIR		GENMASK(2, 0)
#define VSEC_OFFSET		GENMASK(31, 3)

#define PFS_BARS		6

#define PFS_TPMI_ID		GENMASK_ULL(7, 0)
#define PFS_NUM_ENTRIES		GENMASK_ULL(15, 8)
#define PFS_ENTRY_DWORDS	GENMASK_ULL(31, 16)
#define PFS_CAP_OFFSET		GENMASK_ULL(47, 32)
#define PFS_ATTRIBUTE		GENMASK_ULL(49, 48)

#define PFS_CAP_UNIT		1024
/* Features start on a page, and hold at most this much per instance. */
#define PFS_CAP_ALIGN		4
#define PFS_MAX_DWORDS		1024

#define INFO_MAJOR		GENMASK_ULL(7, 5)
#define INFO_MINOR		GENMASK_ULL(4, 0)
#define INFO_DEVFN		GENMASK_ULL(7, 0)
#define INFO_BUS		GENMASK_ULL(15, 8)
#define INFO_PACKAGE		GENMASK_ULL(23, 16)
#define INFO_SEGMENT		GENMASK_ULL(31, 24)
#define INFO_PARTITION		GENMASK_ULL(33, 32)
#define INFO_COMPUTE_DIES	GENMASK_ULL(49, 34)
/* Segment, partition and dies are defined from this minor version on. */
#define INFO_MINOR_DIES		2

static int plr_pfs_bad(struct pfs_fault *fault, const char *field, u64 value)
{
	fault->field = field;
	fault->value = value;

	return -EINVAL;
}

/**
 * pfs_vsec_decode() - take a vendor specific capability apart
 * @dword: its first four dwords, from PCI config space
 * @vsec: the result
 */
void pfs_vsec_decode(const u32 dword[4], struct pfs_vsec *vsec)
{
	vsec->id = FIELD_GET(VSEC_ID, dword[1]);
	vsec->revision = FIELD_GET(VSEC_REVISION, dword[1]);
	vsec->length = FIELD_GET(VSEC_LENGTH, dword[1]);
	vsec->entries = FIELD_GET(VSEC_ENTRIES, dword[2]);
	vsec->entry_dwords = FIELD_GET(VSEC_ENTRY_SIZE, dword[2]);
	vsec->bir = FIELD_GET(VSEC_BIR, dword[3]);
	vsec->offset = dword[3] & VSEC_OFFSET;
}

/**
 * pfs_vsec_check() - is the PFS inside its BAR?
 * @vsec: the capability
 * @bar_size: bytes of BAR @vsec->bir, 0 when the device has no such BAR
 * @fault: filled in on -EINVAL
 *
 * Return: 0, -ENODEV for a capability that is not TPMI, or -EINVAL.
 */
int pfs_vsec_check(const struct pfs_vsec *vsec, u64 bar_size,
		   struct pfs_fault *fault)
{
	if (vsec->id != PFS_VSEC_ID)
		return -ENODEV;
	if (vsec->revision != 1)
		return plr_pfs_bad(fault, "revision", vsec->revision);
	if (vsec->length < PFS_VSEC_SIZE)
		return plr_pfs_bad(fault, "length", vsec->length);
	if (!vsec->entries)
		return plr_pfs_bad(fault, "entries", 0);
	if (vsec->entry_dwords * sizeof(u32) != PFS_ENTRY_SIZE)
		return plr_pfs_bad(fault, "entry_size", vsec->entry_dwords);
	if (vsec->bir >= PFS_BARS || !bar_size)
		return plr_pfs_bad(fault, "bir", vsec->bir);
	if ((u64)vsec->offset + vsec->entries * PFS_ENTRY_SIZE > bar_size)
		return plr_pfs_bad(fault, "offset", vsec->offset);

	return 0;
}

/**
 * pfs_entry_decode() - take one row of the PFS apart
 * @raw: the row
 * @entry: the result
 *
 * Return: 0, or -ENODEV when the device did not answer.
 */
int pfs_entry_decode(u64 raw, struct pfs_entry *entry)
{
	if (raw == U64_MAX)
		return -ENODEV;

	entry->id = FIELD_GET(PFS_TPMI_ID, raw);
	entry->entries = FIELD_GET(PFS_NUM_ENTRIES, raw);
	entry->entry_dwords = FIELD_GET(PFS_ENTRY_DWORDS, raw);
	entry->cap_offset = FIELD_GET(PFS_CAP_OFFSET, raw);
	entry->attribute = FIELD_GET(PFS_ATTRIBUTE, raw);

	return 0;
}

/**
 * pfs_entry_region() - where the registers of a feature are
 * @entry: its row
 * @vsec: the capability that led to the PFS
 * @bar_size: bytes of the BAR
 * @min_size: bytes that an instance of this feature must have
 * @region: the result
 * @fault: filled in on -EINVAL
 *
 * Return: 0 or -EINVAL.
 */
int pfs_entry_region(const struct pfs_entry *entry, const struct pfs_vsec *vsec,
		     u64 bar_size, u32 min_size, struct pfs_region *region,
		     struct pfs_fault *fault)
{
	u32 stride = entry->entry_dwords * sizeof(u32);
	u64 offset = vsec->offset + (u64)entry->cap_offset * PFS_CAP_UNIT;

	if (!entry->entries)
		return plr_pfs_bad(fault, "entries", 0);
	/* Registers are qwords: an odd number of dwords would misalign them. */
	if (stride < min_size || stride % sizeof(u64) ||
	    entry->entry_dwords > PFS_MAX_DWORDS)
		return plr_pfs_bad(fault, "entry_size", entry->entry_dwords);
	if (!entry->cap_offset || entry->cap_offset % PFS_CAP_ALIGN)
		return plr_pfs_bad(fault, "cap_offset", entry->cap_offset);
	if (offset + (u64)entry->entries * stride > bar_size)
		return plr_pfs_bad(fault, "cap_offset", entry->cap_offset);

	region->offset = offset;
	region->stride = stride;
	region->count = entry->entries;

	return 0;
}

static bool plr_pfs_overlap(const struct pfs_region *region, u64 offset,
			    u64 size)
{
	u64 end = region->offset + (u64)region->count * region->stride;

	return size && offset < end && region->offset < offset + size;
}

/**
 * pfs_region_check() - does a feature keep to itself?
 * @region: where its registers are
 * @id: its TPMI id
 * @vsec: the capability that led to the PFS
 * @rows: the PFS
 * @fault: filled in on -EINVAL
 *
 * A row that claims too many instances, or another place, would have us write
 * the registers of another feature.
 *
 * Return: 0 or -EINVAL.
 */
int pfs_region_check(const struct pfs_region *region, u8 id,
		     const struct pfs_vsec *vsec, const u64 *rows,
		     struct pfs_fault *fault)
{
	struct pfs_entry other;
	unsigned int i;

	if (region->count > PFS_MAX_DOMAINS)
		return plr_pfs_bad(fault, "entries", region->count);
	if (plr_pfs_overlap(region, vsec->offset,
			    vsec->entries * PFS_ENTRY_SIZE))
		return plr_pfs_bad(fault, "cap_offset", region->offset);

	for (i = 0; i < vsec->entries; i++) {
		if (pfs_entry_decode(rows[i], &other) || other.id == id)
			continue;
		if (plr_pfs_overlap(region,
				    vsec->offset + (u64)other.cap_offset *
							   PFS_CAP_UNIT,
				    (u64)other.entries * other.entry_dwords *
					    sizeof(u32)))
			return plr_pfs_bad(fault, "entries", region->count);
	}

	return 0;
}

/**
 * pfs_info_decode() - take TPMI_INFO apart
 * @header: its first qword, the version
 * @raw: its second qword
 * @info: the result
 * @fault: filled in on -EINVAL
 *
 * Return: 0, -ENODEV when the device did not answer, or -EINVAL for a version
 * with another layout.
 */
int pfs_info_decode(u64 header, u64 raw, struct pfs_info *info,
		    struct pfs_fault *fault)
{
	if (header == U64_MAX || raw == U64_MAX)
		return -ENODEV;
	if (FIELD_GET(INFO_MAJOR, header))
		return plr_pfs_bad(fault, "info_version", header);

	*info = (struct pfs_info) {
		.package = FIELD_GET(INFO_PACKAGE, raw),
		.bus = FIELD_GET(INFO_BUS, raw),
		.devfn = FIELD_GET(INFO_DEVFN, raw),
	};
	if (FIELD_GET(INFO_MINOR, header) >= INFO_MINOR_DIES) {
		info->segment = FIELD_GET(INFO_SEGMENT, raw);
		info->partition = FIELD_GET(INFO_PARTITION, raw);
		info->compute_dies = FIELD_GET(INFO_COMPUTE_DIES, raw);
	}

	return 0;
}

/**
 * pfs_info_domain() - power domain of an instance
 * @info: TPMI_INFO of the device
 * @instance: instance of a feature
 *
 * Instances count the dies of their own device, compute dies first. Where a
 * package has several devices, the first compute die behind this one gives
 * the difference to the number that CPUs show in MSR 0x54.
 *
 * Return: the number, unique among the compute dies of the package.
 */
unsigned int pfs_info_domain(const struct pfs_info *info, unsigned int instance)
{
	return instance + (info->compute_dies ? __ffs(info->compute_dies) : 0);
}

/**
 * pfs_info_is_compute() - is an instance that of a compute die?
 * @info: TPMI_INFO of the device
 * @instance: instance of a feature
 *
 * Behind those of the compute dies are those of IO dies. These have no number
 * in MSR 0x54; what pfs_info_domain() gives for them is, in a package of
 * several devices, the number of a compute die of the next device. A device
 * other than the first may have no compute die at all.
 *
 * Return: whether it is, or may be, where TPMI_INFO does not tell.
 */
bool pfs_info_is_compute(const struct pfs_info *info, unsigned int instance)
{
	u16 dies = info->compute_dies;

	if (!dies)
		return !info->partition;

	return instance <= __fls(dies) - __ffs(dies);
}
