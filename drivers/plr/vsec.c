// SPDX-License-Identifier: GPL-2.0-only
/*
 * The TPMI capability of a PCI function, and the tables behind it. Only reads,
 * and only of a function that is awake and decodes its BARs.
 */
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "control.h"
#include "plr.h"
#include "rapl.h"
#include "sst.h"

/* More capabilities than fit into config space: a list that goes in circles. */
#define PLR_MAX_CAPS	((PCI_CFG_SPACE_EXP_SIZE - PCI_CFG_SPACE_SIZE) / 8)

/**
 * plr_pci_recovers() - is a function between an error and its end?
 * @pdev: the function
 *
 * Drivers of auxiliary devices are not told of errors. Their devices go and
 * return in slot_reset, where the function is still frozen before Linux 6.18
 * and 6.12.58, and nothing says when it may be used again. A device that comes
 * meanwhile must be looked at again.
 *
 * Return: whether it is; one that is lost for good is not.
 */
bool plr_pci_recovers(struct pci_dev *pdev)
{
	return READ_ONCE(pdev->error_state) == pci_channel_io_frozen;
}

/* An address of 0 in a BAR that has a place: a reset has left it so. */
static bool plr_bar_is_lost(struct pci_dev *pdev, unsigned int bir)
{
	unsigned long flags = pci_resource_flags(pdev, bir);
	int pos = PCI_BASE_ADDRESS_0 + bir * sizeof(u32);
	u32 low, high = 0;

	if (!(flags & IORESOURCE_MEM) || flags & IORESOURCE_PCI_EA_BEI ||
	    !pci_resource_start(pdev, bir))
		return false;
	if (pci_read_config_dword(pdev, pos, &low) ||
	    (flags & IORESOURCE_MEM_64 &&
	     pci_read_config_dword(pdev, pos + sizeof(u32), &high)))
		return true;

	return !((low & (u32)PCI_BASE_ADDRESS_MEM_MASK) | high);
}

/*
 * After an error intel_vsec lets the function decode memory first, and restores
 * its BARs then.
 */
static bool plr_bars_are_lost(struct pci_dev *pdev)
{
	unsigned int bir;

	for (bir = 0; bir < PCI_STD_NUM_BARS; bir++)
		if (plr_bar_is_lost(pdev, bir))
			return true;

	return false;
}

/**
 * plr_pci_ready() - may the registers of a function be read?
 * @pdev: the function
 *
 * Reads config space only.
 *
 * Return: whether it is there, in D0, and decodes memory where its BARs are.
 */
bool plr_pci_ready(struct pci_dev *pdev)
{
	u16 command, pmcsr;

	if (pci_channel_offline(pdev))
		return false;
	/* A function that was removed reads as all ones. */
	if (pci_read_config_word(pdev, PCI_COMMAND, &command) ||
	    PCI_POSSIBLE_ERROR(command))
		return false;
	if (!(command & PCI_COMMAND_MEMORY) || plr_bars_are_lost(pdev))
		return false;
	if (!pdev->pm_cap)
		return true;
	if (pci_read_config_word(pdev, pdev->pm_cap + PCI_PM_CTRL, &pmcsr))
		return false;

	return (pmcsr & PCI_PM_CTRL_STATE_MASK) == (__force u16)PCI_D0;
}

static u64 plr_bar_size(struct pci_dev *pdev, u8 bir)
{
	if (bir > PCI_STD_RESOURCE_END ||
	    !(pci_resource_flags(pdev, bir) & IORESOURCE_MEM))
		return 0;
	if (!pci_resource_start(pdev, bir))
		return 0;

	return pci_resource_len(pdev, bir);
}

static int plr_refuse(struct pci_dev *pdev, const struct pfs_fault *fault)
{
	dev_warn(&pdev->dev, "TPMI table refused: %s 0x%llx is out of range\n", fault->field,
		 fault->value);

	return -EINVAL;
}

static int plr_vsec_find(struct pci_dev *pdev, struct pfs_vsec *vsec)
{
	struct pfs_fault fault;
	u32 dword[4];
	int pos = 0, caps, i, ret;

	for (caps = 0; caps < PLR_MAX_CAPS; caps++) {
		pos = pci_find_next_ext_capability(pdev, pos,
						   PCI_EXT_CAP_ID_VNDR);
		if (!pos || pos > PCI_CFG_SPACE_EXP_SIZE - PFS_VSEC_SIZE)
			return -ENODEV;
		for (i = 0; i < ARRAY_SIZE(dword); i++)
			if (pci_read_config_dword(pdev, pos + i * sizeof(u32),
						  &dword[i]))
				return -EIO;
		pfs_vsec_decode(dword, vsec);
		ret = pfs_vsec_check(vsec, plr_bar_size(pdev, vsec->bir),
				     &fault);
		if (ret == -EINVAL)
			return plr_refuse(pdev, &fault);
		if (!ret)
			return 0;
	}

	return -ENODEV;
}

/* Read the PFS: rows to be freed, or an error pointer. */
static u64 *plr_vsec_rows(struct pci_dev *pdev, struct pfs_vsec *vsec)
{
	void __iomem *pfs;
	unsigned int i;
	u64 *rows;
	int ret;

	if (!plr_pci_ready(pdev))
		return ERR_PTR(-ENODEV);
	ret = plr_vsec_find(pdev, vsec);
	if (ret)
		return ERR_PTR(ret);

	rows = kcalloc(vsec->entries, sizeof(*rows), GFP_KERNEL);
	if (!rows)
		return ERR_PTR(-ENOMEM);
	pfs = ioremap(pci_resource_start(pdev, vsec->bir) + vsec->offset,
		      vsec->entries * PFS_ENTRY_SIZE);
	if (!pfs) {
		kfree(rows);
		return ERR_PTR(-ENOMEM);
	}
	/* In halves, as all public drivers read it. */
	for (i = 0; i < vsec->entries; i++)
		rows[i] = lo_hi_readq(pfs + i * PFS_ENTRY_SIZE);
	iounmap(pfs);

	return rows;
}

/* Where a feature is; -ENODEV when the PFS does not have it. */
static int plr_vsec_look_up(struct pci_dev *pdev, const struct pfs_vsec *vsec,
			    const u64 *rows, u8 id, u32 min_size,
			    struct pfs_region *region, struct pfs_fault *fault)
{
	u64 size = plr_bar_size(pdev, vsec->bir);
	struct pfs_entry entry;
	unsigned int i;

	for (i = 0; i < vsec->entries; i++)
		if (!pfs_entry_decode(rows[i], &entry) && entry.id == id)
			return pfs_entry_region(&entry, vsec, size, min_size,
						region, fault);

	return -ENODEV;
}

/* The registers of PLR, which must be there. */
static int plr_vsec_region(struct pci_dev *pdev, const struct pfs_vsec *vsec,
			   const u64 *rows, u8 id, u32 min_size,
			   struct pfs_region *region)
{
	struct pfs_fault fault;
	int ret = plr_vsec_look_up(pdev, vsec, rows, id, min_size, region,
				   &fault);

	return ret == -EINVAL ? plr_refuse(pdev, &fault) : ret;
}

/* Where to ask for the state of features; 0 when that cannot be relied on. */
static phys_addr_t plr_vsec_control(struct pci_dev *pdev,
				    const struct pfs_vsec *vsec,
				    const u64 *rows)
{
	struct pfs_region region;
	struct pfs_fault fault;

	if (plr_vsec_look_up(pdev, vsec, rows, PFS_ID_CONTROL, PLR_CONTROL_SIZE,
			     &region, &fault) ||
	    pfs_region_check(&region, PFS_ID_CONTROL, vsec, rows, &fault))
		return 0;

	return pci_resource_start(pdev, vsec->bir) + region.offset;
}

/*
 * The registers of another feature; none where its row is not to be believed.
 */
static void plr_vsec_beside(struct pci_dev *pdev, const struct pfs_vsec *vsec,
			    const u64 *rows, u8 id, u32 min_size,
			    struct plr_beside *beside)
{
	struct pfs_region region;
	struct pfs_fault fault;

	*beside = (struct plr_beside) {};
	if (plr_vsec_look_up(pdev, vsec, rows, id, min_size, &region, &fault) ||
	    pfs_region_check(&region, id, vsec, rows, &fault))
		return;
	*beside = (struct plr_beside) {
		.start = pci_resource_start(pdev, vsec->bir) + region.offset,
		.stride = region.stride,
		.count = region.count,
	};
}

static int plr_vsec_info(struct pci_dev *pdev, phys_addr_t start,
			 struct pfs_info *info)
{
	struct pfs_fault fault;
	void __iomem *regs;
	u64 header, raw;
	int ret;

	regs = ioremap(start, PFS_INFO_SIZE);
	if (!regs)
		return -ENOMEM;
	header = readq(regs);
	raw = readq(regs + sizeof(u64));
	iounmap(regs);

	ret = pfs_info_decode(header, raw, info, &fault);

	return ret == -EINVAL ? plr_refuse(pdev, &fault) : ret;
}

static int plr_vsec_source_from(struct pci_dev *pdev,
				const struct pfs_vsec *vsec, const u64 *rows,
				struct plr_source *source)
{
	phys_addr_t bar = pci_resource_start(pdev, vsec->bir);
	struct pfs_region plr, info;
	struct pfs_fault fault;
	int ret;

	ret = plr_vsec_region(pdev, vsec, rows, PFS_ID_PLR, PLR_INSTANCE_SIZE,
			      &plr);
	if (ret)
		return ret;
	if (pfs_region_check(&plr, PFS_ID_PLR, vsec, rows, &fault))
		return plr_refuse(pdev, &fault);
	ret = plr_vsec_region(pdev, vsec, rows, PFS_ID_INFO, PFS_INFO_SIZE,
			      &info);
	if (ret)
		return ret;
	ret = plr_vsec_info(pdev, bar + info.offset, &source->info);
	if (ret)
		return ret;

	source->feature = (struct plr_feature) {
		.control = plr_vsec_control(pdev, vsec, rows)
	};
	plr_vsec_beside(pdev, vsec, rows, PFS_ID_RAPL, RAPL_DOMAIN_SIZE,
			&source->rapl);
	plr_vsec_beside(pdev, vsec, rows, PFS_ID_SST, SST_MIN_SIZE,
			&source->sst);
	source->parent = &pdev->dev;
	source->pdev = pdev;
	source->start = bar + plr.offset;
	source->stride = plr.stride;
	source->count = plr.count;

	return 0;
}

/**
 * plr_vsec_source() - find PLR on a PCI function
 * @pdev: the function
 * @source: the result; its rows are the caller's to free
 *
 * Return: 0, -ENODEV where there is none or where it must not be touched, or
 * another error.
 */
int plr_vsec_source(struct pci_dev *pdev, struct plr_source *source)
{
	struct pfs_vsec vsec;
	u64 *rows;
	int ret;

	rows = plr_vsec_rows(pdev, &vsec);
	if (IS_ERR(rows))
		return PTR_ERR(rows);
	ret = plr_vsec_source_from(pdev, &vsec, rows, source);
	if (ret) {
		kfree(rows);
		return ret;
	}
	source->rows = rows;
	source->row_count = vsec.entries;

	return 0;
}
