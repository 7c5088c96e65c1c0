// SPDX-License-Identifier: GPL-2.0-only
/*
 * Can a unit be what its record says, on this platform?
 *
 * Nothing that a table says is believed before it was compared with what the
 * platform can have, because the addresses in it are written to later.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "check.h"
#include "platform.h"
#include "registers.h"

/*
 * The address of a PCI unit: offset, function, bus, segment, enable bit; as
 * UNCORE_DISCOVERY_PCI_DOMAIN() and its like in the same file of Linux.
 */
#define PCI_ADDRESS_ENABLE	BIT_ULL(31)
#define PCI_ADDRESS_MASK	GENMASK_ULL(31, 0)
#define PCI_CONFIG_HEADER	0x40
#define PCI_CONFIG_SIZE		0x1000

#define MMIO_ADDRESS_MIN	BIT_ULL(20)
#define MMIO_ADDRESS_END	BIT_ULL(52)

static bool uncore_rejected(struct uncore_unit *unit, const char *field,
			    u64 value, const char *reason)
{
	uncore_unit_reject(unit, field, value, reason);
	return false;
}

static bool uncore_unit_check_shape(struct uncore_unit *unit)
{
	if (unit->access >= UNCORE_ACCESSES)
		return uncore_rejected(unit, "access", unit->access,
				       "no such access type");
	if (!unit->counters)
		return uncore_rejected(unit, "counters", 0, "has none");
	if (unit->counters > UNCORE_UNIT_COUNTERS)
		return uncore_rejected(unit, "counters", unit->counters,
				       "more than can be served");
	if (unit->width < UNCORE_UNIT_WIDTH_MIN)
		return uncore_rejected(unit, "width", unit->width,
				       "too narrow");
	if (unit->width > UNCORE_UNIT_WIDTH_MAX)
		return uncore_rejected(unit, "width", unit->width,
				       "wider than a register");
	return true;
}

/*
 * Compare a unit with the platform's row for its type, where that is certain.
 */
static bool uncore_unit_check_row(struct uncore_unit *unit)
{
	const struct uncore_row *row = unit->row;
	static const char differs[] = "differs from this type on this platform";

	if (!(row->accesses & BIT(unit->access)))
		return uncore_rejected(unit, "access", unit->access, differs);
	if (row->counters && row->counters != unit->counters)
		return uncore_rejected(unit, "counters", unit->counters,
				       differs);
	if (row->ctl && row->ctl != unit->ctl)
		return uncore_rejected(unit, "ctl_offset", unit->ctl, differs);
	if (row->ctr && row->ctr != unit->ctr)
		return uncore_rejected(unit, "ctr_offset", unit->ctr, differs);
	return true;
}

/* Registers of one kind inside a unit: first offset and the one after. */
struct extent {
	u32 first;
	u32 end;
};

static bool uncore_overlap(struct extent a, struct extent b)
{
	return a.first < b.end && b.first < a.end;
}

static struct extent uncore_extent_of(u32 first, u32 count, u32 stride,
				      u32 size)
{
	return (struct extent){ first, first + (count - 1) * stride + size };
}

static bool uncore_unit_is_aligned(struct uncore_unit *unit, const char *field,
				   u8 offset, u8 bytes)
{
	static const char reason[] = "not aligned";

	if (!((unit->address + offset) % bytes))
		return true;
	return unit->address % bytes ?
		       uncore_rejected(unit, "address", unit->address, reason) :
		       uncore_rejected(unit, field, offset, reason);
}

/*
 * In memory a register is accessed as a whole, elsewhere in parts of 4 bytes.
 * The box control has 4 bytes, so offsets alone say nothing: Alder Lake's is at
 * 0xc4, and counters begin at 0xe8 (adl_uncore_imc in Linux).
 */
static bool uncore_unit_check_alignment(struct uncore_unit *unit, u8 ctl_bytes)
{
	bool mmio = unit->access == UNCORE_ACCESS_MMIO;

	if (unit->access == UNCORE_ACCESS_MSR)
		return true;
	return uncore_unit_is_aligned(unit, "ctl_offset", unit->ctl,
				      mmio ? ctl_bytes : 4) &&
	       uncore_unit_is_aligned(unit, "ctr_offset", unit->ctr,
				      mmio ? 8 : 4);
}

static bool uncore_unit_check_status(struct uncore_unit *unit,
				     struct extent box, struct extent ctl,
				     struct extent ctr)
{
	struct extent status = { unit->status, unit->status + 1 };

	if (!unit->status)
		return true;
	if (uncore_overlap(status, box))
		return uncore_rejected(unit, "status_offset", unit->status,
				       "inside the box control");
	if (uncore_overlap(status, ctl))
		return uncore_rejected(unit, "status_offset", unit->status,
				       "among the event controls");
	if (uncore_overlap(status, ctr))
		return uncore_rejected(unit, "status_offset", unit->status,
				       "among the counters");
	return true;
}

/*
 * Add the registers that the row knows and the table does not. Where a row has
 * a filter it knows the offsets of the other registers as well.
 */
static void uncore_unit_add_row_registers(struct uncore_unit *unit)
{
	const struct uncore_row *row = unit->row;

	if (row->fixed_ctl)
		unit->span = max3((u32)unit->span, row->fixed_ctl + 4u,
				  row->fixed_ctr + 8u);
	if (row->filter)
		unit->span = max(unit->span, (u16)(row->filter + 1));
}

/* The fixed counter, which the table does not know, has a place of its own. */
static bool uncore_unit_check_fixed(struct uncore_unit *unit, u8 ctl_bytes,
				    struct extent ctl, struct extent ctr)
{
	const struct uncore_row *row = unit->row;
	struct extent fixed[] = {
		uncore_extent_of(row->fixed_ctl, 1, 0, ctl_bytes),
		uncore_extent_of(row->fixed_ctr, 1, 0, 8),
	};
	size_t i;

	for (i = 0; row->fixed_ctl && i < ARRAY_SIZE(fixed); i++) {
		if (uncore_overlap(fixed[i], ctl))
			return uncore_rejected(unit, "ctl_offset", unit->ctl,
					       "overlaps the fixed counter");
		if (uncore_overlap(fixed[i], ctr))
			return uncore_rejected(unit, "ctr_offset", unit->ctr,
					       "overlaps the fixed counter");
	}
	return true;
}

static bool uncore_unit_check_offsets(struct uncore_unit *unit)
{
	struct uncore_geometry geo = uncore_unit_geometry(unit);
	struct extent box = { 0, geo.box_bytes };
	struct extent ctl = uncore_extent_of(unit->ctl, unit->counters,
					     geo.ctl_stride, geo.ctl_bytes);
	struct extent ctr = uncore_extent_of(unit->ctr, unit->counters,
					     geo.ctr_stride, geo.ctr_bytes);

	if (uncore_overlap(box, ctl))
		return uncore_rejected(unit, "ctl_offset", unit->ctl,
				       "overlaps the box control");
	if (uncore_overlap(box, ctr))
		return uncore_rejected(unit, "ctr_offset", unit->ctr,
				       "overlaps the box control");
	if (uncore_overlap(ctl, ctr))
		return uncore_rejected(unit, "ctr_offset", unit->ctr,
				       "overlaps the event controls");
	if (!uncore_unit_check_alignment(unit, geo.ctl_bytes) ||
	    !uncore_unit_check_fixed(unit, geo.ctl_bytes, ctl, ctr))
		return false;
	unit->span = max(ctl.end, ctr.end);
	uncore_unit_add_row_registers(unit);
	return uncore_unit_check_status(unit, box, ctl, ctr);
}

static const char *uncore_unit_check_msr(const struct uncore_unit *unit,
					 const struct uncore_platform *platform)
{
	const struct uncore_msr_range *range;

	for (range = platform->msr; range->last; range++)
		if (unit->address >= range->first &&
		    unit->address <= range->last &&
		    unit->span - 1 <= range->last - unit->address)
			return NULL;
	return "outside the counter MSRs of this platform";
}

static const char *uncore_unit_check_mmio(const struct uncore_unit *unit)
{
	if (unit->address % 4)
		return "not aligned";
	if (unit->address < MMIO_ADDRESS_MIN)
		return "in the first megabyte";
	if (unit->address > MMIO_ADDRESS_END - unit->span)
		return "not a physical address";
	return NULL;
}

static const char *uncore_unit_check_pci(const struct uncore_unit *unit)
{
	u32 offset = uncore_pci_offset(unit->address);

	if (!(unit->address & PCI_ADDRESS_ENABLE))
		return "PCI function not enabled";
	if (unit->address & ~PCI_ADDRESS_MASK)
		return "not a PCI address";
	if (offset % 4)
		return "not aligned";
	if (offset < PCI_CONFIG_HEADER)
		return "inside the configuration header";
	if (offset + unit->span > PCI_CONFIG_SIZE)
		return "runs past the configuration space";
	return NULL;
}

static void uncore_unit_check_address(struct uncore_unit *unit,
				      const struct uncore_platform *platform)
{
	const char *reason = unit->access == UNCORE_ACCESS_MSR ?
				     uncore_unit_check_msr(unit, platform) :
			     unit->access == UNCORE_ACCESS_MMIO ?
				     uncore_unit_check_mmio(unit) :
				     uncore_unit_check_pci(unit);

	if (reason)
		uncore_unit_reject(unit, "address", unit->address, reason);
}

/**
 * uncore_unit_check() - hold a unit against its platform
 * @unit: the unit; gets its span, and a fault for the first field that is wrong
 * @platform: what its addresses may be
 */
void uncore_unit_check(struct uncore_unit *unit,
		       const struct uncore_platform *platform)
{
	if (uncore_unit_check_shape(unit) && uncore_unit_check_row(unit) &&
	    uncore_unit_check_offsets(unit))
		uncore_unit_check_address(unit, platform);
}
