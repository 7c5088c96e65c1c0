/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declare CXL devices and their performance monitoring units (CXL 3.1, 8.2.7).
 * QEMU models the devices; the CPMUs are in BAR 5 of a type 3 device, or in BAR 0
 * of a port.  QEMU calls pmon_cxl_traffic() for each access to the memory.
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
/* Writable bits of configurable counters, and of fixed counters */
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
	bool left;		/* configuration not written since the last reset */
	bool undefined;		/* enabled with a configuration of undefined effect */
};

/* Counts of all counters while they had the same configuration. */
struct cpmu_truth {
	uint16_t vid, gid;
	uint32_t mask;
	uint64_t cfg;
	uint32_t filter[2];
	uint64_t counted, happened, counters;
};

/* The rate of an event, instead of the default rate. */
struct cpmu_rate {
	uint16_t vid, gid;
	unsigned int id;
	uint64_t rate;
};

struct pmon_cxl;

/*
 * Behaviour that the specification leaves open.  Text before the semicolon is for
 * value 0, the worst for a driver; text after it for value 1.  See README.md.
 */
enum cpmu_knob {
	KNOB_THRESHOLD,		/* threshold 0 counts every clock; every event */
	KNOB_RESIDENCY,		/* clocks with a waiting request; requests in each clock */
	KNOB_OCCUPANCY,		/* clocks with entries > threshold; >= threshold */
	KNOB_SUMS,		/* several events in a clock count as 1; each counts */
	KNOB_FREEZE,		/* only enabled counters can be frozen; all */
	KNOB_UNDEFINED,		/* a forbidden configuration counts too much; normally */
	KNOB_ARRIVALS,		/* requests wait evenly over time; four at a time */
	KNOB_ENABLE,		/* Enable may be set with other fields; only alone */
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
	GHashTable *lies;	/* by offset: value to read instead of the register */
	GHashTable *truth;
	GArray *rates;
	QEMUTimer *timer;
	bool knob[CPMU_KNOBS];
	bool dead;
	struct pmon_tally tally;
};

/* An access to the memory of a device, as filters see the access. */
struct cpmu_traffic {
	unsigned int decoder;
	uint32_t channel, bank_group, bank;	/* the rank is always 0 */
};

#define CXL_CHANNELS	2
#define CXL_BANKS	32

/* Ports above a memory device: without a switch there is only the root port. */
enum cxl_level {
	CXL_ROOT_PORT_ABOVE,
	CXL_SWITCH_UP,
	CXL_SWITCH_DOWN,
	CXL_LEVELS,
};

struct pmon_cxl {
	unsigned int index;
	int port;			/* index of the memory device below a port, or -1 */
	enum cxl_level level;		/* of a port */
	PCIDevice *pci;
	MemoryRegion regs;
	MemoryRegion bar;		/* of a port: with the component registers */
	MemoryRegion absent;		/* hides @regs while the slot is empty */
	bool out;
	uint64_t bar_bytes;
	GArray *locator;		/* entries, 64 bits each */
	GPtrArray *cpmus;
	bool gone;
	bool unmapped;			/* firmware has not mapped the memory */
	uint64_t base;			/* address of the memory */
	uint64_t row[CXL_CHANNELS][CXL_BANKS];	/* open row plus 1, 0: none */
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
