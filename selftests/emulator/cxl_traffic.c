// SPDX-License-Identifier: GPL-2.0-only
/* Convert accesses to the memory of a CXL device to CPMU events. */
#include "qemu/osdep.h"
#include "hook.h"
#include "cpmu.h"

/* Clocks for an access: in the memory controller, and in the whole device. */
#define READ_CLOCKS	90
#define WRITE_CLOCKS	60
#define REQ_CLOCKS	170
#define RWD_CLOCKS	140

/* Our decision: channels alternate every 256 bytes; 8 KiB pages, 4 banks a group. */
#define CHANNEL_SHIFT	8
#define BANK_SHIFT	13
#define BANK_BITS	2
#define ROW_SHIFT	18

static void happen(struct pmon_cxl *d, const struct cpmu_traffic *t,
		   unsigned int gid, unsigned int id, uint64_t n)
{
	unsigned int i;

	for (i = 0; n && i < d->cpmus->len; i++)
		pmon_cpmu_happen(g_ptr_array_index(d->cpmus, i), t, gid, id, n);
}

/* Open the row of @dpa, after closing another open row of the bank. */
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

/* Count the events of an access at one end of a CXL link; both ends count them. */
static void link_traffic(struct pmon_cxl *d, const struct cpmu_traffic *t, bool line,
			 bool write)
{
	unsigned int i;

	for (i = 0; i < d->cpmus->len; i++)
		pmon_cpmu_sync(g_ptr_array_index(d->cpmus, i));
	if (write) {
		d->writes++;
		happen(d, t, 0x21, line ? 1 : 2, 1);
		happen(d, t, 0x24, 0, 1);
		happen(d, t, 0x31, 1, RWD_CLOCKS);
	} else {
		d->reads++;
		happen(d, t, 0x20, 1, 1);
		happen(d, t, 0x25, 0, 1);
		happen(d, t, 0x31, 0, REQ_CLOCKS);
	}
}

/* An aligned access of eight bytes counts as an access to a whole line of 64 bytes. */
void pmon_cxl_traffic(PCIDevice *pci, unsigned int decoder, uint64_t dpa,
		      unsigned int bytes, bool write)
{
	struct pmon_cxl *d = pmon_cxl_of(pci), *port;
	unsigned int level;
	struct cpmu_traffic t = { .decoder = decoder };
	bool line = bytes == 8 && dpa % 8 == 0;

	if (!d)
		return;
	t.channel = dpa >> CHANNEL_SHIFT & (CXL_CHANNELS - 1);
	t.bank = dpa >> BANK_SHIFT & ((1 << BANK_BITS) - 1);
	t.bank_group = (dpa >> BANK_SHIFT & (CXL_BANKS - 1)) >> BANK_BITS;
	link_traffic(d, &t, line, write);
	for (level = 0; level < CXL_LEVELS; level++) {
		port = pmon_cxl_port_of(d->index, level);
		if (port)
			link_traffic(port, &t, line, write);
	}
	memory_controller(d, &t, dpa, write);
}
