// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read and write MSRs: MSRs of the machine description, and of the units and the
 * Ubox in the package of the executing CPU.  TCG's helpers run without the big
 * lock, so each access takes it.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "hw/core/cpu.h"
#include "hook.h"
#include "pmon.h"

/* PMON MSRs of server processors. */
#define PMON_FIRST	0x2000
#define PMON_LAST	0x3fff
#define PMON_MSRS	(PMON_LAST - PMON_FIRST + 1)

static struct pmon_msr *named_msr(uint32_t msr)
{
	struct pmon_msr *any = NULL;
	unsigned int i;

	for (i = 0; i < pmon_machine->msrs->len; i++) {
		struct pmon_msr *m = &g_array_index(pmon_machine->msrs,
						    struct pmon_msr, i);

		if (m->address != msr)
			continue;
		if (m->cpu == pmon_cpu())
			return m;
		if (m->cpu < 0)
			any = m;
	}
	return any;
}

static bool in_pmon_range(uint32_t msr)
{
	return msr >= PMON_FIRST && msr <= PMON_LAST;
}

/* Unit of an MSR: [package][MSR - PMON_FIRST] */
static struct pmon_unit **owner;

static void index_unit(struct pmon_unit *u)
{
	struct pmon_unit **of = owner + u->pkg * PMON_MSRS;
	struct pmon_reg r;
	unsigned int i;

	for (i = 0; i < u->extent; i++) {
		uint64_t msr = u->address + i;

		if (in_pmon_range(msr) && !of[msr - PMON_FIRST] &&
		    pmon_unit_decode(u, i, &r))
			of[msr - PMON_FIRST] = u;
	}
}

static void index_units(void)
{
	unsigned int i;

	owner = g_new0(struct pmon_unit *, pmon_machine->packages * PMON_MSRS);
	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (u->kind == PMON_KIND_MSR)
			index_unit(u);
	}
}

static struct pmon_unit *unit_msr(uint32_t msr)
{
	unsigned int pkg = pmon_cpu() / pmon_machine->cpus;

	if (!in_pmon_range(msr))
		return NULL;
	if (!owner)
		index_units();
	return owner[pkg * PMON_MSRS + msr - PMON_FIRST];
}

/* True if the MSR may be modelled.  Takes no lock, as the set of MSRs is constant. */
static bool may_know(uint32_t msr)
{
	unsigned int i;

	if (!pmon_machine || !current_cpu)
		return false;
	if (in_pmon_range(msr) || pmon_ubox_has_msr(msr))
		return true;
	for (i = 0; i < pmon_machine->msrs->len; i++) {
		if (g_array_index(pmon_machine->msrs, struct pmon_msr, i).address == msr)
			return true;
	}
	return false;
}

static enum pmon_msr_result named_access(struct pmon_msr *m, struct pmon_access *a)
{
	if (m->fault) {
		pmon_account(a);
		return PMON_MSR_FAULT;
	}
	if (a->write)
		m->value = a->value;
	else
		a->value = m->value;
	pmon_account(a);
	return PMON_MSR_DONE;
}

static bool counter_faults(const struct pmon_unit *u, uint64_t msr)
{
	struct pmon_reg r;

	return u->faults && pmon_unit_decode(u, msr - u->address, &r) &&
	       r.class == PMON_COUNTER;
}

static enum pmon_msr_result msr_access(struct pmon_access *a)
{
	struct pmon_msr *m = named_msr(a->address);
	struct pmon_unit *u = unit_msr(a->address);

	if (pmon_ubox_has_msr(a->address)) {
		pmon_ubox_msr(pmon_cpu() / pmon_machine->cpus, a->address, a->write,
			      &a->value);
		a->class = a->address & 1 ? PMON_STATUS : PMON_GLOBAL_CTL;
		pmon_account(a);
		return PMON_MSR_DONE;
	}
	if (u && counter_faults(u, a->address)) {
		pmon_account(a);
		return PMON_MSR_FAULT;
	}
	if (u && a->write)
		pmon_unit_write(u, a->address, a->address - u->address, a->value, 8);
	else if (u)
		a->value = pmon_unit_read(u, a->address, a->address - u->address, 8);
	else if (m)
		return named_access(m, a);
	else if (!in_pmon_range(a->address))
		return PMON_MSR_PASS;
	if (!u) {
		pmon_account(a);
		pmon_illegal(a, "MSR of no unit");
	}
	return PMON_MSR_DONE;
}

static enum pmon_msr_result locked_access(struct pmon_access *a)
{
	bool locked = bql_locked();
	enum pmon_msr_result result;

	if (!locked)
		bql_lock();
	result = msr_access(a);
	if (!locked)
		bql_unlock();
	return result;
}

enum pmon_msr_result pmon_msr_read(uint32_t msr, uint64_t *val)
{
	struct pmon_access a = {
		.class = PMON_MSR, .bytes = 8, .address = msr, .where = "msr",
	};
	enum pmon_msr_result result;

	if (!may_know(msr))
		return PMON_MSR_PASS;
	result = locked_access(&a);
	*val = a.value;
	return result;
}

enum pmon_msr_result pmon_msr_write(uint32_t msr, uint64_t val)
{
	struct pmon_access a = {
		.class = PMON_MSR, .write = true, .bytes = 8, .address = msr,
		.value = val, .where = "msr",
	};

	return may_know(msr) ? locked_access(&a) : PMON_MSR_PASS;
}
