/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CXL devices of the machine and the performance monitoring units in them
 * (CXL 3.1, 8.2.7).  QEMU has the type 3 device; what is here is in its last
 * BAR and hears of each access to its memory.
 */
#ifndef HW_MISC_PMON_CPMU_H
#define HW_MISC_PMON_CPMU_H

#include "pmon.h"

#define CPMU_BYTES	0xe00
#define CPMU_STRIDE	0x10000	/* the register locator's granularity */
#define CPMU_COUNTERS	64
#define CPMU_GROUPS	32
#define CPMU_FILTERS	8
#define CPMU_CLOCK	1000u	/* per microsecond */
#define CPMU_VENDOR	0x1e98

#define CPMU_CAP	0x000
#define CPMU_OVERFLOW	0x010
#define CPMU_FREEZE	0x018
#define CPMU_EVENTS(n)	(0x100 + 8 * (n))
#define CPMU_CFG(n)	(0x200 + 8 * (n))
#define CPMU_FILTER(n)	(0x400 + 4 * (n))
#define CPMU_DATA(n)	(0xc00 + 8 * (n))

/* Capability */
#define CAP_MESSAGE(cap)	((cap) >> 44 & 0xf)
#define CAP_WRITABLE		(1ull << 48)
#define CAP_FREEZE		(1ull << 49)
#define CAP_INTERRUPT		(1ull << 50)

/* Counter configuration */
#define CFG_TYPE(cfg)		((cfg) & 3)
#define CFG_ENABLE		(1ull << 8)
#define CFG_INTERRUPT		(1ull << 9)
#define CFG_FREEZE		(1ull << 10)
#define CFG_EDGE		(1ull << 11)
#define CFG_INVERT		(1ull << 12)
#define CFG_THRESHOLD(cfg)	((cfg) >> 16 & 0xff)
#define CFG_MASK(cfg)		((uint32_t)((cfg) >> 24))
#define CFG_GROUP(cfg)		((cfg) >> 59 & 0x1f)
/* What software may write, of a configurable and of a fixed counter */
#define CFG_WRITABLE		0xf8ffffffffff1f00ull
#define CFG_WRITABLE_FIXED	0x0000000000000700ull
#define CFG_RSVDP		0x070000000000e0fcull
#define CFG_RESET		(1ull << 16)	/* the threshold is 1 */

enum cpmu_type {
	CPMU_FREE_RUNNING,
	CPMU_FIXED,
	CPMU_CONFIGURABLE,
};

struct cpmu_counter {
	uint64_t cfg;
	uint32_t filter[CPMU_FILTERS];
	uint64_t value;
	int64_t since;
	uint64_t rest;		/* thousandths of a count */
	uint64_t happened_rest;
	bool left;		/* the configuration was there at power-on */
	bool undefined;		/* enabled in a way whose effect is not defined */
};

/* What was counted under one configuration, on whichever counter. */
struct cpmu_truth {
	uint16_t vid, gid;
	uint32_t mask;
	uint64_t cfg;
	uint32_t filter[2];
	uint64_t counted, happened, counters;
};

/* An event that happens so often, not as often as it does by itself. */
struct cpmu_rate {
	uint16_t vid, gid;
	unsigned int id;
	uint64_t rate;
};

struct pmon_cxl;

/* What the specification leaves open: 0 is what is unkind to a driver. */
enum cpmu_knob {
	KNOB_THRESHOLD,		/* 0 counts: compare-only: every clock; spec */
	KNOB_RESIDENCY,		/* busy: clocks; sum: of all that wait */
	KNOB_OCCUPANCY,		/* clocks above the threshold; at-least */
	KNOB_SUMS,		/* several events are one in a clock: or; add */
	KNOB_FREEZE,		/* needs-enable: only of enabled ones; sticks */
	KNOB_UNDEFINED,		/* garbage is counted; ignore: as if all were well */
	KNOB_ENABLE,		/* together: with other fields; alone is flagged else */
	CPMU_KNOBS,
};

struct pmon_cpmu {
	struct pmon_cxl *dev;
	unsigned int index;
	char *name;
	uint64_t cap, overflow, freeze;
	uint64_t events[CPMU_GROUPS];
	unsigned int counters, width;
	struct cpmu_counter ctr[CPMU_COUNTERS];
	GHashTable *lies;	/* offset: what is read there instead */
	GHashTable *truth;
	GArray *rates;
	QEMUTimer *timer;
	bool knob[CPMU_KNOBS];
	bool dead;
	struct pmon_tally tally;
};

/* What an access to the memory of a device makes happen. */
struct cpmu_traffic {
	unsigned int decoder;
	uint32_t channel, bank_group, bank;	/* rank 0 is the only one */
};

#define CXL_CHANNELS	2
#define CXL_BANKS	32

/* Where ports above a memory device are: without a switch, the first only. */
enum cxl_level {
	CXL_ROOT_PORT_ABOVE,
	CXL_SWITCH_UP,
	CXL_SWITCH_DOWN,
	CXL_LEVELS,
};

struct pmon_cxl {
	unsigned int index;
	int port;			/* of this memory device, or -1 */
	enum cxl_level level;		/* of a port */
	PCIDevice *pci;
	MemoryRegion regs;
	MemoryRegion bar;		/* a port's: its component registers, too */
	MemoryRegion absent;		/* in its place while it is not in its slot */
	bool out;
	uint64_t bar_bytes;
	GArray *locator;		/* entries, 64 bits each */
	GPtrArray *cpmus;
	bool gone;
	bool unmapped;			/* firmware has not mapped the memory */
	uint64_t base;			/* where it is */
	uint64_t row[CXL_CHANNELS][CXL_BANKS];	/* that is open, plus one */
	bool last_write[CXL_CHANNELS];
	uint64_t reads, writes;
};

/* cpmu_count.c */
struct pmon_cpmu *pmon_cpmu_create(struct pmon_cxl *dev, uint64_t cap);
void pmon_cpmu_power_on(struct pmon_cpmu *p);
void pmon_cpmu_reset(struct pmon_cpmu *p);
void pmon_cpmu_sync(struct pmon_cpmu *p);
void pmon_cpmu_happen(struct pmon_cpmu *p, const struct cpmu_traffic *t,
		      unsigned int gid, unsigned int id, uint64_t n);
void pmon_cpmu_reset_truth(struct pmon_cpmu *p);
void pmon_cpmu_plan_timer(struct pmon_cpmu *p);

/* cpmu_rate.c */
uint64_t pmon_cpmu_rate(const struct pmon_cpmu *p, unsigned int i);
uint64_t pmon_cpmu_sees(const struct pmon_cpmu *p, unsigned int i,
			const struct cpmu_traffic *t, unsigned int gid,
			unsigned int id, uint64_t n);
bool pmon_cpmu_has_filter(unsigned int vid, unsigned int gid, unsigned int filter);
bool pmon_cpmu_may_add(unsigned int vid, unsigned int gid, uint32_t mask);

/* cpmu_regs.c */
uint64_t pmon_cpmu_read(struct pmon_cpmu *p, unsigned int off, unsigned int bytes);
void pmon_cpmu_write(struct pmon_cpmu *p, unsigned int off, uint64_t val,
		     unsigned int bytes);
void pmon_cpmu_set(struct pmon_cpmu *p, unsigned int off, uint64_t val);

/* cxl.c */
struct pmon_cxl *pmon_cxl_find(unsigned int index);
struct pmon_cxl *pmon_cxl_of(PCIDevice *pci);
struct pmon_cxl *pmon_cxl_port_of(unsigned int index, enum cxl_level level);
bool pmon_cxl_present(struct pmon_cxl *d, bool present);

/* load_cxl.c */
struct plan_line;

void pmon_load_cxl(struct plan_line *l);
void pmon_load_cxl_entry(struct plan_line *l);
void pmon_load_cxl_cpmu(struct plan_line *l);
void pmon_load_cxl_register(struct plan_line *l);

#endif
