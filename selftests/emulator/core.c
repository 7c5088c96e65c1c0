// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model the counters of a CPU, for machines with "core_counters": architectural
 * performance monitoring, version 5 (Intel SDM volume 3, chapter "Performance
 * Monitoring"), without sampling.  There is no interrupt at an overflow, no
 * PEBS, no LBR and no fixed counter for slots; CPUID and
 * IA32_PERF_CAPABILITIES report these as missing where they have a bit for them.
 *
 * A CPU is a unit of type PMON_CORE_TYPE with the general counters first, then
 * the fixed counters; the control of each counter has the format of
 * IA32_PERFEVTSELx.
 */
#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "migration/vmstate.h"
#include "hook.h"
#include "pmon.h"

#define GENERAL		8
#define FIXED		3
#define COUNTERS	(GENERAL + FIXED)
#define WIDTH		48
#define VALUE_MASK	((1ull << WIDTH) - 1)

/* IA32_PERFEVTSELx; bit 21 and the upper half are reserved */
#define SELECT_USER	(1u << 16)
#define SELECT_OS	(1u << 17)
#define SELECT_ENABLE	(1u << 22)
#define SELECT_VALID	0xffdfffffull

/* IA32_FIXED_CTR_CTRL: four bits for each counter; bit 2 of the four is reserved */
#define FIXED_OS	(1u << 0)
#define FIXED_USER	(1u << 1)
#define FIXED_VALID	0xbbbull

/* The global registers: general counters from bit 0, fixed counters from bit 32 */
#define FIXED_SHIFT	32
#define GLOBAL_VALID	(MAKE_64BIT_MASK(0, GENERAL) | \
			 MAKE_64BIT_MASK(FIXED_SHIFT, FIXED))

/* IA32_PERF_CAPABILITIES: counters may be written in their full width */
#define CAPABILITIES	(1u << 13)

/* CPUID */
#define LEAF_1_PDCM	(1u << 15)	/* IA32_PERF_CAPABILITIES exists */
#define LEAF_A_VERSION	5
#define LEAF_A_EVENTS	8		/* number of architectural events */
#define LEAF_A_NO_ANY	(1u << 15)	/* no AnyThread */

/* RDPMC */
#define RDPMC_FIXED	(1u << 30)

#define FIRST_FIXED_MSR		0x309
#define FIRST_GENERAL_MSR	0x4c1

struct pmon_core {
	struct pmon_unit *unit;
	uint64_t global, fixed;		/* the control registers */
	/* counters and controls, while QEMU saves or loads a guest */
	uint64_t value[COUNTERS], select[GENERAL];
};

enum core_reg {
	GENERAL_32,	/* writes: 32 bits, sign-extended */
	GENERAL_FULL,
	FIXED_COUNTER,
	SELECT,
	PERF_CAPABILITIES,
	FIXED_CTL,
	STATUS,
	GLOBAL_CTL,
	STATUS_RESET,
	STATUS_SET,
};

static const struct core_msr {
	uint32_t first, count;
	enum core_reg reg;
} core_msrs[] = {
	{ 0x0c1, GENERAL, GENERAL_32 },
	{ 0x186, GENERAL, SELECT },
	{ FIRST_FIXED_MSR, FIXED, FIXED_COUNTER },
	{ 0x345, 1, PERF_CAPABILITIES },
	{ 0x38d, 1, FIXED_CTL },
	{ 0x38e, 1, STATUS },
	{ 0x38f, 1, GLOBAL_CTL },
	{ 0x390, 1, STATUS_RESET },
	{ 0x391, 1, STATUS_SET },
	{ FIRST_GENERAL_MSR, GENERAL, GENERAL_FULL },
};

/* Events of the fixed counters: instructions, cycles, reference cycles. */
static const uint32_t fixed_event[FIXED] = { 0x00c0, 0x003c, 0x0300 };

/* Index: CPU number; NULL without core counters. */
static struct pmon_core *cores;

static const struct core_msr *find_msr(uint32_t msr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(core_msrs); i++) {
		if (msr - core_msrs[i].first < core_msrs[i].count)
			return &core_msrs[i];
	}
	return NULL;
}

/* No lock: @cores does not change after the plan was loaded. */
bool pmon_cores_present(void)
{
	return cores;
}

bool pmon_core_has(uint32_t msr)
{
	return cores && find_msr(msr);
}

/* Convert bits of the global registers to a mask of unit counters, and back. */
static uint64_t global_to_counters(uint64_t val)
{
	return extract64(val, 0, GENERAL) |
	       extract64(val, FIXED_SHIFT, FIXED) << GENERAL;
}

static uint64_t counters_to_global(uint64_t bits)
{
	return extract64(bits, 0, GENERAL) |
	       extract64(bits, GENERAL, FIXED) << FIXED_SHIFT;
}

/* Convert IA32_FIXED_CTR_CTRL to controls in the format of IA32_PERFEVTSELx. */
static void select_fixed(struct pmon_core *c)
{
	unsigned int i;

	for (i = 0; i < FIXED; i++) {
		unsigned int ctl = c->fixed >> (4 * i);
		uint64_t select = fixed_event[i];

		if (ctl & FIXED_USER)
			select |= SELECT_USER | SELECT_ENABLE;
		if (ctl & FIXED_OS)
			select |= SELECT_OS | SELECT_ENABLE;
		c->unit->ctr[GENERAL + i].ctl = select;
	}
}

/*
 * Recompute the enabled counters; called after each write to a control
 * register.  Privilege is not modelled: a counter with the user or the OS bit
 * set runs all the time.
 */
static void set_running(struct pmon_core *c)
{
	uint64_t running = 0;
	unsigned int i;

	select_fixed(c);
	for (i = 0; i < COUNTERS; i++) {
		uint64_t ctl = c->unit->ctr[i].ctl;

		if ((ctl & SELECT_ENABLE) && (ctl & (SELECT_USER | SELECT_OS)))
			running |= 1ull << i;
	}
	c->unit->running = running & global_to_counters(c->global);
}

static uint64_t core_read(const struct pmon_core *c, enum core_reg reg,
			  unsigned int i)
{
	const struct pmon_unit *u = c->unit;

	switch (reg) {
	case GENERAL_32:
	case GENERAL_FULL:
		return u->ctr[i].value;
	case FIXED_COUNTER:
		return u->ctr[GENERAL + i].value;
	case SELECT:
		return u->ctr[i].ctl;
	case PERF_CAPABILITIES:
		return CAPABILITIES;
	case FIXED_CTL:
		return c->fixed;
	case STATUS:
		return counters_to_global(u->status);
	case GLOBAL_CTL:
		return c->global;
	default:
		return 0;
	}
}

/* Writable bits; a write of other bits faults. */
static uint64_t core_valid(enum core_reg reg)
{
	switch (reg) {
	case GENERAL_32:
		return UINT64_MAX;
	case GENERAL_FULL:
	case FIXED_COUNTER:
		return VALUE_MASK;
	case SELECT:
		return SELECT_VALID;
	case FIXED_CTL:
		return FIXED_VALID;
	case GLOBAL_CTL:
	case STATUS_RESET:
	case STATUS_SET:
		return GLOBAL_VALID;
	default:
		return 0;
	}
}

static void core_write(struct pmon_core *c, enum core_reg reg, unsigned int i,
		       uint64_t val)
{
	struct pmon_unit *u = c->unit;

	switch (reg) {
	case GENERAL_32:
		u->ctr[i].value = (uint64_t)(int32_t)val & VALUE_MASK;
		break;
	case GENERAL_FULL:
		u->ctr[i].value = val;
		break;
	case FIXED_COUNTER:
		u->ctr[GENERAL + i].value = val;
		break;
	case SELECT:
		u->ctr[i].ctl = val;
		break;
	case FIXED_CTL:
		c->fixed = val;
		break;
	case GLOBAL_CTL:
		c->global = val;
		break;
	case STATUS_RESET:
		u->status &= ~global_to_counters(val);
		break;
	case STATUS_SET:
		u->status |= global_to_counters(val);
		break;
	default:
		break;
	}
}

/* Returns false if the access faults. */
bool pmon_core_access(uint32_t msr, bool write, uint64_t *val)
{
	const struct core_msr *m = find_msr(msr);
	struct pmon_core *c = &cores[pmon_cpu()];
	bool read_only = m->reg == PERF_CAPABILITIES || m->reg == STATUS;

	pmon_unit_sync(c->unit);
	if (!write) {
		*val = core_read(c, m->reg, msr - m->first);
		return true;
	}
	if (read_only || (*val & ~core_valid(m->reg)))
		return false;
	core_write(c, m->reg, msr - m->first, *val);
	set_running(c);
	return true;
}

/* The MSR of the counter that RDPMC reads; 0: no such counter. */
uint32_t pmon_core_rdpmc(uint32_t counter)
{
	uint32_t i = counter & ~RDPMC_FIXED;

	if (counter & RDPMC_FIXED)
		return i < FIXED ? FIRST_FIXED_MSR + i : 0;
	return i < GENERAL ? FIRST_GENERAL_MSR + i : 0;
}

void pmon_cpuid(uint32_t leaf, uint32_t *eax, uint32_t *ebx, uint32_t *ecx,
		uint32_t *edx)
{
	if (!cores)
		return;
	if (leaf == 1) {
		*ecx |= LEAF_1_PDCM;
		return;
	}
	*eax = LEAF_A_VERSION | GENERAL << 8 | WIDTH << 16 | LEAF_A_EVENTS << 24;
	*ebx = 0;
	*ecx = (1u << FIXED) - 1;
	*edx = FIXED | WIDTH << 5 | LEAF_A_NO_ANY;
}

static int before_save(void *opaque)
{
	struct pmon_core *c = opaque;
	unsigned int i;

	pmon_unit_sync(c->unit);
	for (i = 0; i < COUNTERS; i++)
		c->value[i] = c->unit->ctr[i].value;
	for (i = 0; i < GENERAL; i++)
		c->select[i] = c->unit->ctr[i].ctl;
	return 0;
}

static int after_load(void *opaque, int version)
{
	struct pmon_core *c = opaque;
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		c->unit->ctr[i].value = c->value[i];
		c->unit->ctr[i].since = pmon_now();
	}
	for (i = 0; i < GENERAL; i++)
		c->unit->ctr[i].ctl = c->select[i];
	set_running(c);
	return 0;
}

/* Saved, because kernels set up core counters at boot only. */
static const VMStateDescription core_state = {
	.name = "pmon-core",
	.pre_save = before_save,
	.post_load = after_load,
	.fields = (const VMStateField[]) {
		VMSTATE_UINT64(global, struct pmon_core),
		VMSTATE_UINT64(fixed, struct pmon_core),
		VMSTATE_UINT64_ARRAY(value, struct pmon_core, COUNTERS),
		VMSTATE_UINT64_ARRAY(select, struct pmon_core, GENERAL),
		VMSTATE_END_OF_LIST()
	}
};

/* The unit has no addresses: find_msr() finds the registers by MSR number. */
static struct pmon_unit *core_unit(unsigned int cpu)
{
	struct pmon_unit *u = g_new0(struct pmon_unit, 1);

	u->core = true;
	u->pkg = cpu / pmon_machine->cpus;
	u->type = PMON_CORE_TYPE;
	u->id = cpu;
	u->kind = PMON_KIND_MSR;
	u->lay.counters = COUNTERS;
	u->lay.width = WIDTH;
	pmon_unit_layout_done(u);
	u->extent = 0;
	return u;
}

void pmon_cores_create(void)
{
	unsigned int i, n = pmon_machine->packages * pmon_machine->cpus;

	cores = g_new0(struct pmon_core, n);
	for (i = 0; i < n; i++) {
		cores[i].unit = core_unit(i);
		set_running(&cores[i]);
		g_ptr_array_add(pmon_machine->units, cores[i].unit);
		vmstate_register(NULL, i, &core_state, &cores[i]);
	}
}
