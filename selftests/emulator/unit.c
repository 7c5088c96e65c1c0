// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read and write the registers of a PMON unit: box control, event controls,
 * counters, status and filter.  MSR, MMIO and PCI units differ in addresses only.
 * The register bits are from the uncore performance monitoring guide, "PMON box
 * level" and "unit PMON state".
 */
#include "qemu/osdep.h"
#include "pmon.h"

/* Box control; PMON_BOX_FREEZE is in pmon.h */
#define BOX_RESET_CTL	(1u << 8)
#define BOX_RESET_CTR	(1u << 9)

/* Event control */
#define CTL_RESET	(1u << 17)

static void grow(unsigned int *extent, unsigned int start, unsigned int size)
{
	*extent = MAX(*extent, start + size);
}

/* Allocate the counters; compute the unit's extent, in bytes or MSR numbers. */
void pmon_unit_layout_done(struct pmon_unit *u)
{
	const struct pmon_layout *l = &u->lay;
	bool msr = u->kind == PMON_KIND_MSR;
	unsigned int i, last = l->counters ? l->counters - 1 : 0;

	u->extent = msr ? 1 : 4;
	if (l->counters) {
		grow(&u->extent, l->ctl + last * l->ctl_stride, msr ? 1 : l->ctl_bytes);
		grow(&u->extent, l->ctr + last * l->ctr_stride, msr ? 1 : 8);
	}
	if (l->status)
		grow(&u->extent, l->status, msr ? 1 : 4);
	if (l->filter)
		grow(&u->extent, l->filter, msr ? 1 : 4);
	if (l->fixed) {
		grow(&u->extent, l->fixed_ctl, msr ? 1 : l->fixed_ctl_bytes);
		grow(&u->extent, l->fixed_ctr, msr ? 1 : 8);
	}
	u->ctr = g_new0(struct pmon_counter, pmon_unit_counters(u) + 1);
	for (i = 0; i < l->counters; i++)
		u->ctr[i].width = l->width;
	if (l->fixed)
		u->ctr[i].width = l->fixed_width;
}

void pmon_unit_sync(struct pmon_unit *u)
{
	if (u->ring)
		pmon_ubox_sync(u->pkg, pmon_now());
	else
		pmon_unit_sync_to(u, pmon_now());
}

static void sync_all_of(const struct pmon_unit *global)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (u->dev && (u->dev->global == global || u->dev == global->dev))
			pmon_unit_sync(u);
	}
}

/*
 * By the specification the resets clear controls and counters.  The upper halves
 * of controls in configuration space and the fixed counter are not specified, so the
 * model clears these only on machines with "reset": "all".
 */
static void reset_ctl(struct pmon_unit *u, unsigned int i)
{
	bool keeps = u->kind == PMON_KIND_PCI && !u->resets_all;

	u->ctr[i].ctl &= keeps ? ~(uint64_t)UINT32_MAX : 0;
	u->ctr[i].left = false;
}

static void reset_ctr(struct pmon_unit *u, unsigned int i)
{
	if (i < u->lay.counters || u->resets_all)
		u->ctr[i].value = 0;
}

/* Both reset bits take effect in the write, and read as 0. */
void pmon_unit_set_box(struct pmon_unit *u, uint64_t val)
{
	unsigned int i;

	if (u->global)
		sync_all_of(u);
	pmon_unit_sync(u);
	if (u->ring) {
		pmon_ring_set_box(u, val);
		return;
	}
	for (i = 0; i < pmon_unit_counters(u); i++) {
		if (val & BOX_RESET_CTL)
			reset_ctl(u, i);
		if (val & BOX_RESET_CTR)
			reset_ctr(u, i);
	}
	if (val & BOX_RESET_CTR)
		u->status = 0;
	if (u->sticks)
		val |= u->box_ctl & PMON_BOX_FREEZE;
	u->box_ctl = val & (PMON_BOX_FREEZE | u->run);
}

void pmon_unit_set_ctl(struct pmon_unit *u, unsigned int i, uint64_t val)
{
	uint64_t lacks = i < u->lay.counters ? u->ctl_lacks : 0;

	pmon_unit_sync(u);
	if (val & CTL_RESET)
		u->ctr[i].value = 0;
	u->ctr[i].ctl = val & ~(CTL_RESET | lacks);
	u->ctr[i].left = false;
}

static bool hit(struct pmon_reg *r, unsigned int off, enum pmon_class class,
		unsigned int index, unsigned int start, unsigned int bytes,
		bool msr)
{
	if (off < start || off >= start + (msr ? 1 : bytes))
		return false;
	*r = (struct pmon_reg){ class, index, start, msr ? 8 : bytes };
	return true;
}

bool pmon_unit_decode(const struct pmon_unit *u, unsigned int off,
		      struct pmon_reg *r)
{
	const struct pmon_layout *l = &u->lay;
	bool msr = u->kind == PMON_KIND_MSR;
	unsigned int i;

	if (u->free)
		return pmon_free_decode(u, off, r);
	if (u->ring)
		return pmon_ring_decode(u, off, r);
	if (!l->boxless &&
	    hit(r, off, u->global ? PMON_GLOBAL_CTL : PMON_BOX_CTL, 0, 0, 4, msr))
		return true;
	for (i = 0; i < l->counters; i++) {
		if (hit(r, off, PMON_COUNTER, i, l->ctr + i * l->ctr_stride, 8, msr) ||
		    hit(r, off, PMON_EVENT_CTL, i, l->ctl + i * l->ctl_stride,
			l->ctl_bytes, msr))
			return true;
	}
	if (l->fixed && (hit(r, off, PMON_COUNTER, i, l->fixed_ctr, 8, msr) ||
			 hit(r, off, PMON_EVENT_CTL, i, l->fixed_ctl,
			     l->fixed_ctl_bytes, msr)))
		return true;
	if (l->status && hit(r, off, PMON_STATUS, 0, l->status, 4, msr))
		return true;
	return l->filter && hit(r, off, PMON_FILTER, 0, l->filter, 4, msr);
}

/* The global status has a bit for each unit with an overflow, in table order. */
static uint64_t global_status(const struct pmon_unit *global)
{
	uint64_t bits = 0;
	unsigned int i, n = 0;

	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (u->dev != global->dev || u->global || u->free)
			continue;
		pmon_unit_sync(u);
		if (u->status && n < 64)
			bits |= 1ull << n;
		n++;
	}
	return bits;
}

static uint64_t reg_value(struct pmon_unit *u, const struct pmon_reg *r)
{
	switch (r->class) {
	case PMON_GLOBAL_CTL:
		return u->write_only ? u->box_ctl & ~PMON_BOX_FREEZE : u->box_ctl;
	case PMON_BOX_CTL:
		return u->box_ctl;
	case PMON_EVENT_CTL:
		return u->ctr[r->index].ctl;
	case PMON_COUNTER:
		return u->ctr[r->index].value;
	case PMON_STATUS:
		return u->global ? global_status(u) : u->status;
	default:
		return u->filter;
	}
}

static bool bad_width(const struct pmon_unit *u, const struct pmon_reg *r,
		      unsigned int first, unsigned int bytes)
{
	if (u->kind == PMON_KIND_PCI)
		return bytes != 4 || first % 4;
	return (bytes != 4 && bytes != 8) || first % bytes ||
	       first + bytes > r->bytes;
}

/* Decode and count an access; returns false if there is no register. */
static bool access_reg(struct pmon_unit *u, struct pmon_access *a,
		       unsigned int off, struct pmon_reg *r)
{
	bool known = pmon_unit_decode(u, off, r);
	const char *why = NULL;

	a->unit = u;
	a->class = known ? r->class : PMON_OTHER;
	if (!known)
		why = "no register of the unit";
	else if (u->kind != PMON_KIND_MSR && bad_width(u, r, off - r->start, a->bytes))
		why = "wrong access width";
	pmon_account(a);
	if (why)
		pmon_illegal(a, why);
	return known;
}

/* Count down u->ones at a read of a counter; return true if the read gets all-ones. */
static bool take_ones(struct pmon_unit *u, bool known, const struct pmon_reg *r)
{
	if (!u->ones || !known || r->class != PMON_COUNTER)
		return false;
	u->ones--;
	return true;
}

uint64_t pmon_unit_read(struct pmon_unit *u, uint64_t addr, unsigned int off,
			unsigned int bytes)
{
	struct pmon_access a = { .bytes = bytes, .address = addr };
	struct pmon_reg r;
	bool known;

	pmon_unit_sync(u);
	known = pmon_unit_decode(u, off, &r);
	if (u->dead || take_ones(u, known, &r))
		a.value = pmon_ones(bytes);
	else if (known)
		a.value = pmon_part(reg_value(u, &r), off - r.start, bytes);
	access_reg(u, &a, off, &r);
	if (known && r.class == PMON_COUNTER && off == r.start)
		pmon_counter_low_read(u, r.index, a.value);
	return a.value;
}

static void write_counter(struct pmon_unit *u, const struct pmon_access *a,
			  const struct pmon_reg *r, uint64_t val)
{
	struct pmon_counter *c = &u->ctr[r->index];

	if (u->free) {
		pmon_illegal(a, "read-only register written");
		return;
	}
	if (pmon_counter_active(u, r->index) && !pmon_unit_frozen(u))
		pmon_illegal(a, "counter written while it runs");
	c->value = val & pmon_mask(c->width);
}

static void write_reg(struct pmon_unit *u, const struct pmon_access *a,
		      const struct pmon_reg *r, uint64_t val)
{
	switch (r->class) {
	case PMON_GLOBAL_CTL:
	case PMON_BOX_CTL:
		pmon_unit_set_box(u, val);
		break;
	case PMON_EVENT_CTL:
		pmon_unit_set_ctl(u, r->index, val);
		break;
	case PMON_COUNTER:
		write_counter(u, a, r, val);
		break;
	case PMON_STATUS:	/* write 1 to clear */
		u->status &= ~val;
		break;
	default:
		u->filter = val;
		break;
	}
}

void pmon_unit_write(struct pmon_unit *u, uint64_t addr, unsigned int off,
		     uint64_t val, unsigned int bytes)
{
	struct pmon_access a = {
		.write = true, .bytes = bytes, .address = addr, .value = val,
	};
	struct pmon_reg r;
	uint64_t whole = val;
	const char *why;

	pmon_unit_sync(u);
	if (!access_reg(u, &a, off, &r) || u->dead)
		return;
	why = u->ring ? pmon_ring_forbidden(u, &r, val) : NULL;
	if (why)
		pmon_illegal(&a, why);
	/* A write of half of a 64-bit register does not change the other half. */
	if (r.class == PMON_EVENT_CTL || r.class == PMON_COUNTER)
		whole = pmon_merge(reg_value(u, &r), val, off - r.start, bytes);
	write_reg(u, &a, &r, whole);
}
