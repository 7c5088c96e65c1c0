// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find a TPMI feature's registers by the vendor-specific capability, the table
 * of features (PFS) and TPMI_INFO. Sources: PCI Express Base Specification,
 * "Vendor-Specific Extended Capability (VSEC)"; Intel, Topology Aware Register
 * and PM Capsule Interface (TPMI_public_disclosure_FINAL_rev3 in
 * github.com/intel/tpmi_power_management); Linux, vsec_tpmi.c. A device that
 * does not respond reads as all ones.
 */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/limits.h>

#include <pmon/tpmi.h>

#define VSEC_SIZE		(PMON_TPMI_VSEC_DWORDS * sizeof(u32))
#define VSEC_REVISION		GENMASK(19, 16)
#define VSEC_LENGTH		GENMASK(31, 20)
#define VSEC_ENTRIES		GENMASK(23, 16)
#define VSEC_ENTRY_DWORDS	GENMASK(31, 24)
#define VSEC_BIR		GENMASK(2, 0)
#define VSEC_OFFSET		GENMASK(31, 3)
#define BARS			6

#define PFS_SIZE		sizeof(u64)
#define PFS_ID			GENMASK_ULL(7, 0)
#define PFS_ENTRIES		GENMASK_ULL(15, 8)
#define PFS_DWORDS		GENMASK_ULL(31, 16)
#define PFS_CAP_OFFSET		GENMASK_ULL(47, 32)
#define PFS_CAP_UNIT		1024
/* Features start on a page; an instance has at most 1024 dwords. */
#define PFS_CAP_ALIGN		4
#define PFS_MAX_DWORDS		1024

#define INFO_SIZE		0x10
#define INFO_MAJOR		GENMASK_ULL(7, 5)
#define INFO_MINOR		GENMASK_ULL(4, 0)
#define INFO_PACKAGE		GENMASK_ULL(23, 16)
#define INFO_PARTITION		GENMASK_ULL(33, 32)
#define INFO_COMPUTE_DIES	GENMASK_ULL(49, 34)
/* First minor version with the partition and the compute dies. */
#define INFO_MINOR_DIES		2

/* PCI Local Bus Specification 3.0, 6.2.5.1: the lowest four bits are flags. */
#define PMON_BAR_ADDRESS	GENMASK(31, 4)

/*
 * After a reset the BAR has address 0, which the kernel never assigns. @high is
 * the second half of a 64-bit BAR, else 0.
 */
bool pmon_tpmi_bar_is_lost(u32 low, u32 high)
{
	return !((low & PMON_BAR_ADDRESS) | high);
}

static int pmon_tpmi_refuse(struct pmon_tpmi_fault *fault, const char *field,
			    u64 value)
{
	fault->field = field;
	fault->value = value;

	return -EINVAL;
}

static int pmon_tpmi_read_vsec(const struct pmon_tpmi_io *io, const u32 *dword,
			       struct pmon_tpmi *tpmi,
			       struct pmon_tpmi_fault *fault)
{
	tpmi->count = FIELD_GET(VSEC_ENTRIES, dword[2]);
	tpmi->bir = FIELD_GET(VSEC_BIR, dword[3]);
	tpmi->offset = dword[3] & VSEC_OFFSET;
	if (FIELD_GET(VSEC_REVISION, dword[1]) != 1)
		return pmon_tpmi_refuse(fault, "revision",
					FIELD_GET(VSEC_REVISION, dword[1]));
	if (FIELD_GET(VSEC_LENGTH, dword[1]) < VSEC_SIZE)
		return pmon_tpmi_refuse(fault, "length",
					FIELD_GET(VSEC_LENGTH, dword[1]));
	if (!tpmi->count)
		return pmon_tpmi_refuse(fault, "entries", 0);
	if (FIELD_GET(VSEC_ENTRY_DWORDS, dword[2]) * sizeof(u32) != PFS_SIZE)
		return pmon_tpmi_refuse(fault, "entry_size",
					FIELD_GET(VSEC_ENTRY_DWORDS, dword[2]));
	tpmi->bar_size =
		tpmi->bir < BARS ? io->bar_size(io->data, tpmi->bir) : 0;
	if (!tpmi->bar_size)
		return pmon_tpmi_refuse(fault, "bir", tpmi->bir);
	if (tpmi->offset + tpmi->count * PFS_SIZE > tpmi->bar_size)
		return pmon_tpmi_refuse(fault, "offset", tpmi->offset);

	return 0;
}

/* Get the unchecked offset of a row's instances; below: the unchecked size. */
static u64 pmon_tpmi_row_offset(const struct pmon_tpmi *tpmi, u64 row)
{
	return tpmi->offset + FIELD_GET(PFS_CAP_OFFSET, row) * PFS_CAP_UNIT;
}

static u64 pmon_tpmi_row_size(u64 row)
{
	return FIELD_GET(PFS_ENTRIES, row) * FIELD_GET(PFS_DWORDS, row) *
	       sizeof(u32);
}

static bool pmon_tpmi_row_overlaps(const struct pmon_tpmi *tpmi, u64 row,
				   u64 start, u64 size)
{
	u64 row_start = pmon_tpmi_row_offset(tpmi, row);
	u64 row_size = pmon_tpmi_row_size(row);

	return row_size && row_start < start + size &&
	       start < row_start + row_size;
}

static int pmon_tpmi_check_row(const struct pmon_tpmi *tpmi, u64 row,
			       u32 min_size, struct pmon_tpmi_fault *fault)
{
	u64 dwords = FIELD_GET(PFS_DWORDS, row);
	u64 entries = FIELD_GET(PFS_ENTRIES, row);
	u64 cap_offset = FIELD_GET(PFS_CAP_OFFSET, row);

	if (!entries || entries > PMON_TPMI_DOMAINS)
		return pmon_tpmi_refuse(fault, "entries", entries);
	/* Registers are qwords: an odd number of dwords would misalign them. */
	if (dwords * sizeof(u32) < min_size || dwords % 2 ||
	    dwords > PFS_MAX_DWORDS)
		return pmon_tpmi_refuse(fault, "entry_size", dwords);
	/* Features begin after the table, which is less than 4 KiB long. */
	if (!cap_offset || cap_offset % PFS_CAP_ALIGN ||
	    pmon_tpmi_row_offset(tpmi, row) + pmon_tpmi_row_size(row) >
	    tpmi->bar_size)
		return pmon_tpmi_refuse(fault, "cap_offset", cap_offset);

	return 0;
}

static int pmon_tpmi_find_row(const struct pmon_tpmi *tpmi, u8 id, u32 min_size,
			      u64 *row, struct pmon_tpmi_fault *fault)
{
	unsigned int i;

	for (i = 0; i < tpmi->count; i++) {
		*row = tpmi->row[i];
		if (*row != U64_MAX && FIELD_GET(PFS_ID, *row) == id)
			return pmon_tpmi_check_row(tpmi, *row, min_size, fault);
	}

	return -ENODEV;
}

/**
 * pmon_tpmi_find() - find the registers of a feature
 * @tpmi: a device
 * @id: TPMI id of the feature
 * @min_size: smallest valid size of an instance, in bytes
 * @region: set on success; is inside the BAR, and overlaps neither table nor
 *	another feature
 * @fault: set on -EINVAL
 *
 * Return: 0, -ENODEV if the table does not have the feature, or -EINVAL.
 */
int pmon_tpmi_find(const struct pmon_tpmi *tpmi, u8 id, u32 min_size,
		   struct pmon_tpmi_region *region,
		   struct pmon_tpmi_fault *fault)
{
	unsigned int i;
	u64 row;
	int ret;

	ret = pmon_tpmi_find_row(tpmi, id, min_size, &row, fault);
	if (ret)
		return ret;
	for (i = 0; i < tpmi->count; i++)
		if (tpmi->row[i] != U64_MAX &&
		    FIELD_GET(PFS_ID, tpmi->row[i]) != id &&
		    pmon_tpmi_row_overlaps(tpmi, tpmi->row[i],
					   pmon_tpmi_row_offset(tpmi, row),
					   pmon_tpmi_row_size(row)))
			return pmon_tpmi_refuse(fault, "entries",
						FIELD_GET(PFS_ENTRIES, row));

	*region = (struct pmon_tpmi_region) {
		.offset = pmon_tpmi_row_offset(tpmi, row),
		.stride = FIELD_GET(PFS_DWORDS, row) * sizeof(u32),
		.count = FIELD_GET(PFS_ENTRIES, row),
	};

	return 0;
}
EXPORT_SYMBOL_GPL(pmon_tpmi_find);

/* TPMI_INFO is only read, so another feature's row may overlap it. */
static int pmon_tpmi_read_info(const struct pmon_tpmi_io *io,
			       struct pmon_tpmi *tpmi,
			       struct pmon_tpmi_fault *fault)
{
	u64 info[2], row;
	int ret;

	ret = pmon_tpmi_find_row(tpmi, PMON_TPMI_ID_INFO, INFO_SIZE, &row,
				 fault);
	if (ret)
		return ret;
	ret = io->qwords(io->data, tpmi->bir, pmon_tpmi_row_offset(tpmi, row),
			 info, 2);
	if (ret)
		return ret;
	if (info[0] == U64_MAX || info[1] == U64_MAX)
		return -ENODEV;
	if (FIELD_GET(INFO_MAJOR, info[0]))
		return pmon_tpmi_refuse(fault, "info_version", info[0]);

	tpmi->package = FIELD_GET(INFO_PACKAGE, info[1]);
	tpmi->partition = 0;
	tpmi->compute_dies = 0;
	if (FIELD_GET(INFO_MINOR, info[0]) >= INFO_MINOR_DIES) {
		tpmi->partition = FIELD_GET(INFO_PARTITION, info[1]);
		tpmi->compute_dies = FIELD_GET(INFO_COMPUTE_DIES, info[1]);
	}

	return 0;
}

/**
 * pmon_tpmi_walk() - read the tables of a TPMI device
 * @io: access to the device
 * @vsec: first %PMON_TPMI_VSEC_DWORDS of the vendor-specific capability
 * @tpmi: set on success
 * @fault: set on -EINVAL, otherwise @fault->field is NULL
 *
 * Accesses the device only by @io. Reads the PFS and TPMI_INFO once each.
 *
 * Return: 0, -ENODEV if the table has no TPMI_INFO or does not respond, -EINVAL
 * for invalid tables, or an error of @io.
 */
int pmon_tpmi_walk(const struct pmon_tpmi_io *io, const u32 *vsec,
		   struct pmon_tpmi *tpmi, struct pmon_tpmi_fault *fault)
{
	int ret;

	fault->field = NULL;
	ret = pmon_tpmi_read_vsec(io, vsec, tpmi, fault);
	if (ret)
		return ret;
	ret = io->qwords(io->data, tpmi->bir, tpmi->offset, tpmi->row,
			 tpmi->count);
	if (ret)
		return ret;

	return pmon_tpmi_read_info(io, tpmi, fault);
}
EXPORT_SYMBOL_GPL(pmon_tpmi_walk);

/**
 * pmon_tpmi_domain() - get the power domain of an instance
 * @tpmi: a device
 * @instance: number of an instance of a feature
 *
 * The instances of a device are its compute dies, then its IO dies. MSR 0x54
 * numbers the compute dies of the whole package, so the number of the device's
 * first compute die is added to @instance. IO dies have no number in MSR 0x54.
 *
 * Return: the number, unique among the compute dies of the package, or -1 for
 * an IO die or if the number is unknown.
 */
int pmon_tpmi_domain(const struct pmon_tpmi *tpmi, unsigned int instance)
{
	unsigned long dies = tpmi->compute_dies;

	/* Without a mask of dies, only partition 0's first die is known. */
	if (!dies)
		return tpmi->partition ? -1 : (int)instance;
	if (instance > __fls(dies) - __ffs(dies))
		return -1;

	return instance + __ffs(dies);
}
EXPORT_SYMBOL_GPL(pmon_tpmi_domain);
