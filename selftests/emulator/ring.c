// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model boxes of Xeon E5 v1 to v4 and E7 v2 to v4 that are PCI functions: R2PCIe
 * and the link layer of QPI.  The registers are from the public pages of the manual
 * of the v2 processors (329468-002).
 */
#include "qemu/osdep.h"
#include "pmon.h"

#define FIRST		0xa0	/* in configuration space; offsets below count from FIRST */
#define CTR0		0x00
#define CTL0		0x38
#define BOX		0x54
#define STATUS		0x58

#define BOX_RST_CTRL	(1u << 0)
#define BOX_RST_CTRS	(1u << 1)
#define BOX_FRZ		(1u << 8)
#define BOX_FRZ_EN	(1u << 16)
#define BOX_OV_EN	(1u << 17)
#define BOX_KEPT	(BOX_FRZ | BOX_FRZ_EN | BOX_OV_EN)

#define CTL_OV_EN	(1u << 20)
#define CTL_EXT		(1u << 21)
#define CTL_INVERT	(1u << 23)
#define CTL_RESERVED	(1u << 16 | 1u << 19)

/* Bits of the Ubox's status */
#define OV_RP		26
#define OV_QPI		22	/* and 23 */

/* Set the offsets of a box's registers. */
void pmon_ring_layout(struct pmon_unit *u, unsigned int width)
{
	u->kind = PMON_KIND_PCI;
	u->address = FIRST;
	u->lay = (struct pmon_layout){
		.counters = 4, .width = width,
		.ctl = CTL0, .ctl_stride = 4, .ctl_bytes = 4,
		.ctr = CTR0, .ctr_stride = 8, .status = STATUS,
	};
}

/* Return the rate.  An event number with the extra select bit is another event. */
uint64_t pmon_ring_rate(const struct pmon_counter *c)
{
	uint64_t umask = c->ctl >> 8 & 0xff;

	if (c->rate)
		return c->rate;
	return 1000 + ((c->ctl & 0xff) * 37 + umask * 11 +
		       !!(c->ctl & CTL_EXT) * 1777) % 4096;
}

/* The Ubox freezes only boxes with BOX_FRZ_EN. */
bool pmon_ring_frozen(const struct pmon_unit *u)
{
	return (u->box_ctl & BOX_FRZ) || u->held ||
	       (pmon_machine->ubox[u->pkg].frozen && (u->box_ctl & BOX_FRZ_EN));
}

/* True if counter i signals its overflow to box and Ubox. */
bool pmon_ring_armed(const struct pmon_unit *u, unsigned int i)
{
	return (u->ctr[i].ctl & CTL_OV_EN) && (u->box_ctl & BOX_OV_EN) &&
	       !u->ctr[i].left;
}

static int global_bit(const struct pmon_unit *u)
{
	return !u->qpi ? OV_RP : u->id < 2 ? OV_QPI + (int)u->id : -1;
}

/*
 * Only an armed counter sets its status bits in box and Ubox.  The overflow
 * freezes the box, and through the Ubox all boxes, unless a status bit of the box
 * or its bit in the Ubox was set before.
 */
void pmon_ring_overflow(struct pmon_unit *u, unsigned int i)
{
	struct pmon_ubox *ubox = &pmon_machine->ubox[u->pkg];
	int bit = global_bit(u);
	bool known = u->status || (bit >= 0 && ubox->status >> bit & 1);

	if (!pmon_ring_armed(u, i))
		return;
	u->status |= 1ull << i;
	if (bit >= 0)
		ubox->status |= 1u << bit;
	if (known)
		return;
	u->held = true;
	ubox->frozen = true;
}

/* The reset bits take effect in the write, and are not stored. */
void pmon_ring_set_box(struct pmon_unit *u, uint64_t val)
{
	unsigned int i;

	for (i = 0; i < u->lay.counters; i++) {
		if (val & BOX_RST_CTRL) {
			u->ctr[i].ctl = 0;
			u->ctr[i].left = false;
		}
		if (val & BOX_RST_CTRS)
			u->ctr[i].value = 0;
	}
	u->box_ctl = val & BOX_KEPT;
	if (!(val & BOX_FRZ))
		u->held = false;
}

/* At power-on the Ubox does not freeze, but may have overflow bits from firmware. */
void pmon_ring_power_on(struct pmon_unit *u, uint64_t any)
{
	int bit = global_bit(u);

	u->box_ctl = any & BOX_KEPT;
	if (bit >= 0 && any >> 63)
		pmon_machine->ubox[u->pkg].status |= 1u << bit;
}

static bool in(unsigned int off, unsigned int first, unsigned int each,
	       unsigned int count, enum pmon_class class, struct pmon_reg *r)
{
	unsigned int i = (off - first) / each;

	if (off < first || i >= count)
		return false;
	*r = (struct pmon_reg){ class, i, first + i * each, each };
	return true;
}

bool pmon_ring_decode(const struct pmon_unit *u, unsigned int off,
		      struct pmon_reg *r)
{
	return in(off, CTR0, 8, 4, PMON_COUNTER, r) ||
	       in(off, CTL0, 4, 4, PMON_EVENT_CTL, r) ||
	       in(off, BOX, 4, 1, PMON_BOX_CTL, r) ||
	       in(off, STATUS, 4, 1, PMON_STATUS, r);
}

/* Return the error text for a forbidden write, else NULL. */
const char *pmon_ring_forbidden(const struct pmon_unit *u,
				const struct pmon_reg *r, uint64_t val)
{
	uint32_t reserved = CTL_RESERVED;

	if (r->class == PMON_BOX_CTL) {
		if (u->ring == 2 && ~val & (BOX_FRZ_EN | BOX_OV_EN))
			return "bits 17:16 of the box control must be 1";
		return u->ring == 1 && val & BOX_OV_EN ?
			"bit 17 of the box control must be 0" : NULL;
	}
	if (r->class != PMON_EVENT_CTL)
		return NULL;
	if (u->ring == 2)
		reserved |= CTL_INVERT;
	if (!u->qpi)
		reserved |= CTL_EXT;
	return val & reserved ? "a reserved bit of a control" : NULL;
}
