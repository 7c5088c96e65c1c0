// SPDX-License-Identifier: GPL-2.0-only
/* Create CXL memory devices and CPMUs from the records of a plan. */
#include "qemu/osdep.h"
#include "plan.h"
#include "cpmu.h"

#define LOCATOR_ENTRIES	13	/* room behind QEMU's own entries */

static struct pmon_cxl *line_cxl(struct plan_line *l)
{
	struct pmon_cxl *d = pmon_cxl_find(plan_max(l, "dev", 255));

	if (!d)
		plan_fail(l, "dev", "no such device");
	return d;
}

static struct pmon_cpmu *line_cpmu(struct plan_line *l)
{
	struct pmon_cxl *d = line_cxl(l);
	uint64_t index = plan_u64(l, "cpmu");

	if (d && index < d->cpmus->len)
		return g_ptr_array_index(d->cpmus, index);
	plan_fail(l, "cpmu", "no such CPMU");
	return NULL;
}

void pmon_load_cxl(struct plan_line *l)
{
	struct pmon_cxl *d = g_new0(struct pmon_cxl, 1);

	d->index = plan_max(l, "dev", 255);
	d->port = plan_has(l, "port") ? (int)plan_max(l, "port", 255) : -1;
	d->level = plan_has(l, "level") ? plan_max(l, "level", CXL_LEVELS - 1) : 0;
	d->cpmus = g_ptr_array_new();
	d->locator = g_array_new(false, false, sizeof(uint64_t));
	d->unmapped = plan_has(l, "unmapped");
	if (d->index != pmon_machine->cxl->len)
		plan_fail(l, "dev", "not the next number");
	g_ptr_array_add(pmon_machine->cxl, d);
}

/* Load an entry of the register locator, as software reads it. */
void pmon_load_cxl_entry(struct plan_line *l)
{
	struct pmon_cxl *d = line_cxl(l);
	uint64_t value = plan_u64(l, "value");

	if (d && d->locator->len == LOCATOR_ENTRIES)
		plan_fail(l, "dev", "too many entries");
	else if (d)
		g_array_append_val(d->locator, value);
}

void pmon_load_cxl_cpmu(struct plan_line *l)
{
	struct pmon_cxl *d = line_cxl(l);
	uint64_t index = plan_u64(l, "cpmu"), cap = plan_u64(l, "cap");

	if (!d || l->failed)
		return;
	if (index == d->cpmus->len)
		pmon_cpmu_create(d, cap);
	else
		plan_fail(l, "cpmu", "not the next number");
}

/*
 * Load the value of a register: an Event Capability, or the read-only fields of a
 * counter.  With lie=1 reads return this value instead of the register's own.
 */
void pmon_load_cxl_register(struct plan_line *l)
{
	struct pmon_cpmu *p = line_cpmu(l);
	uint64_t at = plan_max(l, "at", CPMU_BYTES - 8), value = plan_u64(l, "value");
	bool lie = plan_has(l, "lie");

	if (!p || l->failed)
		return;
	if (lie)
		g_hash_table_insert(p->lies, GUINT_TO_POINTER(at + 1),
				    g_memdup2(&value, sizeof(value)));
	else if (at >= CPMU_EVENTS(0) && at < CPMU_CFG(0))
		p->events[(at - CPMU_EVENTS(0)) / 8] = value;
	else if (at >= CPMU_CFG(0) && at < CPMU_FILTER(0))
		p->ctr[(at - CPMU_CFG(0)) / 8].cfg = value;
	else
		plan_fail(l, "at", "not a register that says what there is");
}
