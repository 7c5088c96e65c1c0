// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model the Ubox of a Xeon E5 or E7: two MSRs with the overflow status of boxes of a
 * package, and the freeze of all boxes.
 */
#include "qemu/osdep.h"
#include "pmon.h"

#define MSR_GLOBAL_CTL		0xc00
#define MSR_GLOBAL_STATUS	0xc01
#define FRZ_ALL		(1u << 31)
#define UNFRZ_ALL	(1u << 29)
#define PMI_CORES	0x7fffu

/* Return the time of the first overflow of an armed counter up to "now"; -1: none. */
static int64_t next_overflow(const struct pmon_unit *u, int64_t now)
{
	int64_t next = -1;
	unsigned int i;

	for (i = 0; i < u->lay.counters; i++) {
		const struct pmon_counter *c = &u->ctr[i];
		unsigned __int128 ns;
		uint64_t rate;

		if (!pmon_ring_armed(u, i) || !pmon_counter_active(u, i) ||
		    pmon_ring_frozen(u))
			continue;
		rate = pmon_ring_rate(c);
		ns = (((unsigned __int128)1 << c->width) - c->value) * 1000;
		ns = (ns - c->counted_rest + rate - 1) / rate;
		if (ns <= now - c->since && (next < 0 || c->since + (int64_t)ns < next))
			next = c->since + (int64_t)ns;
	}
	return next;
}

static void sync_package(unsigned int pkg, int64_t now)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (u->ring && u->pkg == pkg)
			pmon_unit_sync_to(u, now);
	}
}

/* Advance from overflow to overflow, because each overflow may freeze all boxes. */
void pmon_ubox_sync(unsigned int pkg, int64_t now)
{
	int64_t next, first;
	unsigned int i;

	do {
		first = -1;
		for (i = 0; i < pmon_machine->units->len; i++) {
			struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

			if (!u->ring || u->pkg != pkg)
				continue;
			next = next_overflow(u, now);
			if (next >= 0 && (first < 0 || next < first))
				first = next;
		}
		sync_package(pkg, first < 0 ? now : first);
	} while (first >= 0 && first < now);
}

bool pmon_ubox_has_msr(uint32_t msr)
{
	return pmon_machine->has_ubox &&
	       (msr == MSR_GLOBAL_CTL || msr == MSR_GLOBAL_STATUS);
}

static void set_global(unsigned int pkg, uint64_t val)
{
	struct pmon_ubox *ubox = &pmon_machine->ubox[pkg];
	unsigned int i;

	ubox->cores = val & PMI_CORES;
	if (val & FRZ_ALL)
		ubox->frozen = true;
	if (!(val & UNFRZ_ALL))
		return;
	ubox->frozen = false;
	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (u->ring && u->pkg == pkg)
			u->held = false;
	}
}

/* There is no PMI, so the mask of cores to interrupt has no effect. */
void pmon_ubox_msr(unsigned int pkg, uint32_t msr, bool write, uint64_t *val)
{
	struct pmon_ubox *ubox = &pmon_machine->ubox[pkg];

	pmon_ubox_sync(pkg, pmon_now());
	if (!write)
		*val = msr == MSR_GLOBAL_STATUS ? ubox->status : ubox->cores;
	else if (msr == MSR_GLOBAL_STATUS)
		ubox->status &= ~*val;
	else
		set_global(pkg, *val);
}
