// SPDX-License-Identifier: GPL-2.0-only
/*
 * CXL memory devices: what QEMU's type 3 device lacks, where its CPMUs are, and
 * which events an access to its memory is.
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "hw/cxl/cxl.h"
#include "hw/i386/pc.h"
#include "hook.h"
#include "plan.h"
#include "cpmu.h"

#define LOCATOR_ENTRIES	13	/* that fit behind those of QEMU */
#define BAR		5

/* In clocks: how long the device needs, to the memory controller and in all. */
#define READ_CLOCKS	90
#define WRITE_CLOCKS	60
#define REQ_CLOCKS	170
#define RWD_CLOCKS	140

/* Decided here: 256 bytes on a channel, then the next; pages of 8 KiB. */
#define CHANNEL_SHIFT	8
#define BANK_SHIFT	13
#define ROW_SHIFT	18

struct pmon_cxl *pmon_cxl_find(unsigned int index)
{
	GPtrArray *all = pmon_machine ? pmon_machine->cxl : NULL;

	return all && index < all->len ? g_ptr_array_index(all, index) : NULL;
}

/* "cxl0" is the first one of the plan. */
static struct pmon_cxl *of_device(PCIDevice *pci)
{
	const char *id = DEVICE(pci)->id;
	unsigned int index;

	if (!id || sscanf(id, "cxl%u", &index) != 1)
		return NULL;
	return pmon_cxl_find(index);
}

static uint64_t bar_read(void *opaque, hwaddr off, unsigned int bytes)
{
	struct pmon_cxl *d = opaque;
	unsigned int index = off / CPMU_STRIDE, at = off % CPMU_STRIDE;
	struct pmon_access a = {
		.class = PMON_OTHER, .bytes = bytes, .address = off,
		.value = pmon_ones(bytes), .where = "cxl",
	};

	if (!d->gone && index < d->cpmus->len && at < CPMU_BYTES)
		return pmon_cpmu_read(g_ptr_array_index(d->cpmus, index), at, bytes);
	pmon_account(&a);
	if (!d->gone)
		pmon_illegal(&a, "outside any CPMU");
	return a.value;
}

static void bar_write(void *opaque, hwaddr off, uint64_t val, unsigned int bytes)
{
	struct pmon_cxl *d = opaque;
	unsigned int index = off / CPMU_STRIDE, at = off % CPMU_STRIDE;
	struct pmon_access a = {
		.class = PMON_OTHER, .write = true, .bytes = bytes, .address = off,
		.value = val, .where = "cxl",
	};

	if (!d->gone && index < d->cpmus->len && at < CPMU_BYTES) {
		pmon_cpmu_write(g_ptr_array_index(d->cpmus, index), at, val, bytes);
		return;
	}
	pmon_account(&a);
	if (!d->gone)
		pmon_illegal(&a, "outside any CPMU");
}

static const MemoryRegionOps bar_ops = {
	.read = bar_read,
	.write = bar_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 1, .max_access_size = 8 },
	.impl = { .min_access_size = 1, .max_access_size = 8 },
};

unsigned int pmon_cxl_locator(PCIDevice *pci, uint64_t *entry, unsigned int room)
{
	struct pmon_cxl *d = of_device(pci);
	unsigned int i;

	for (i = 0; d && i < d->locator->len && i < room; i++)
		entry[i] = g_array_index(d->locator, uint64_t, i);
	return i;
}

void pmon_cxl_realize(PCIDevice *pci)
{
	struct pmon_cxl *d = of_device(pci);

	if (!d)
		return;
	d->pci = pci;
	if (!d->cpmus->len)
		return;
	memory_region_init_io(&d->regs, OBJECT(pci), &bar_ops, d, "pmon-cpmus",
			      pow2ceil(d->cpmus->len * CPMU_STRIDE));
	pci_register_bar(pci, BAR, 0, &d->regs);
}

void pmon_cxl_reset(PCIDevice *pci)
{
	struct pmon_cxl *d = of_device(pci);
	unsigned int i;

	for (i = 0; d && i < d->cpmus->len; i++)
		pmon_cpmu_power_on(g_ptr_array_index(d->cpmus, i));
}

/* The window that is the device's, of the machine's windows. */
bool pmon_cxl_decoder(PCIDevice *pci, uint64_t *base, uint64_t *size)
{
	struct pmon_cxl *d = of_device(pci);
	PCMachineState *pc = PC_MACHINE(qdev_get_machine());
	CXLFixedWindow *window = d ?
		g_list_nth_data(pc->cxl_devices_state.fixed_windows, d->index) : NULL;

	if (!window || d->unmapped)
		return false;
	*base = window->base;
	*size = window->size;
	d->base = window->base;
	return true;
}

static void happen(struct pmon_cxl *d, const struct cpmu_traffic *t,
		   unsigned int gid, unsigned int id, uint64_t n)
{
	unsigned int i;

	for (i = 0; n && i < d->cpmus->len; i++)
		pmon_cpmu_happen(g_ptr_array_index(d->cpmus, i), t, gid, id, n);
}

/* The row must be open; one that is in the way is closed before. */
static void open_row(struct pmon_cxl *d, const struct cpmu_traffic *t, uint64_t dpa)
{
	uint64_t *open = &d->row[t->channel][dpa >> BANK_SHIFT & (CXL_BANKS - 1)];
	uint64_t row = (dpa >> ROW_SHIFT) + 1;

	if (*open == row)
		return;
	happen(d, t, 0x8000, 1, !!*open);
	happen(d, t, 0x8000, 0, 1);
	*open = row;
}

static void memory_controller(struct pmon_cxl *d, const struct cpmu_traffic *t,
			      uint64_t dpa, bool write)
{
	open_row(d, t, dpa);
	happen(d, t, 0x8000, write ? 3 : 2, 1);
	happen(d, t, 0x8000, write ? 15 : 14, 1);
	happen(d, t, 0x8000, 13, d->last_write[t->channel] != write);
	d->last_write[t->channel] = write;
	happen(d, t, 0x8002, write, write ? WRITE_CLOCKS : READ_CLOCKS);
}

/* An aligned access of eight bytes stands for one of a whole line. */
void pmon_cxl_traffic(PCIDevice *pci, unsigned int decoder, uint64_t dpa,
		      unsigned int bytes, bool write)
{
	struct pmon_cxl *d = of_device(pci);
	struct cpmu_traffic t = { .decoder = decoder };
	bool line = bytes == 8 && dpa % 8 == 0;
	unsigned int i;

	if (!d)
		return;
	t.channel = dpa >> CHANNEL_SHIFT & (CXL_CHANNELS - 1);
	for (i = 0; i < d->cpmus->len; i++)
		pmon_cpmu_sync(g_ptr_array_index(d->cpmus, i));
	if (write) {
		d->writes++;
		happen(d, &t, 0x21, line ? 1 : 2, 1);
		happen(d, &t, 0x24, 0, 1);
		happen(d, &t, 0x31, 1, RWD_CLOCKS);
	} else {
		d->reads++;
		happen(d, &t, 0x20, 1, 1);
		happen(d, &t, 0x25, 0, 1);
		happen(d, &t, 0x31, 0, REQ_CLOCKS);
	}
	memory_controller(d, &t, dpa, write);
}

void pmon_cxl_reset_truth(void)
{
	struct pmon_cxl *d;
	unsigned int i, j;

	for (i = 0; (d = pmon_cxl_find(i)); i++) {
		d->reads = 0;
		d->writes = 0;
		for (j = 0; j < d->cpmus->len; j++)
			pmon_cpmu_reset_truth(g_ptr_array_index(d->cpmus, j));
	}
}

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

void pmon_cxl_load(struct plan_line *l)
{
	struct pmon_cxl *d = g_new0(struct pmon_cxl, 1);

	d->index = plan_max(l, "dev", 255);
	d->cpmus = g_ptr_array_new();
	d->locator = g_array_new(false, false, sizeof(uint64_t));
	d->unmapped = plan_has(l, "unmapped");
	if (d->index != pmon_machine->cxl->len)
		plan_fail(l, "dev", "not the next number");
	g_ptr_array_add(pmon_machine->cxl, d);
}

/* An entry of the register locator, as software reads it. */
void pmon_cxl_load_entry(struct plan_line *l)
{
	struct pmon_cxl *d = line_cxl(l);
	uint64_t value = plan_u64(l, "value");

	if (d && d->locator->len == LOCATOR_ENTRIES)
		plan_fail(l, "dev", "too many entries");
	else if (d)
		g_array_append_val(d->locator, value);
}

void pmon_cxl_load_cpmu(struct plan_line *l)
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
 * What a register holds: capabilities of events, and of counters what software
 * cannot change; lie=1: what is read there, whatever it is.
 */
void pmon_cxl_load_register(struct plan_line *l)
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
