/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The emulated server: one machine, its packages' OOBMSM devices, the PMON
 * units and the TPMI regions behind them.  Everything here is touched with
 * QEMU's big lock held.
 */
#ifndef HW_MISC_PMON_PMON_H
#define HW_MISC_PMON_PMON_H

#include "hw/pci/pci_device.h"

/* Classes of register accesses, in the order in which they are listed. */
enum pmon_class {
	PMON_TABLE,
	PMON_GLOBAL_CTL,
	PMON_BOX_CTL,
	PMON_EVENT_CTL,
	PMON_COUNTER,
	PMON_FILTER,
	PMON_STATUS,
	PMON_MAILBOX,
	PMON_PLR_DATA,
	PMON_DIE_LEVEL,
	PMON_PLR_HEADER,
	PMON_PFS,
	PMON_TPMI_INFO,
	PMON_TPMI_CONTROL,
	PMON_RAPL,
	PMON_SST,
	PMON_CAPABILITY,
	PMON_CONFIG,
	PMON_MSR,
	PMON_OTHER,
	PMON_ILLEGAL,
	PMON_CLASSES
};

struct pmon_tally {
	uint64_t reads[PMON_CLASSES];
	uint64_t writes[PMON_CLASSES];
	uint64_t bytes[PMON_CLASSES];
};

/* One counter with its control: what software sees, and the truth. */
struct pmon_counter {
	uint64_t ctl;
	uint64_t value;
	uint64_t rate;		/* counts per microsecond, 0: from the event */
	uint64_t counted;	/* since the truth was reset, unbounded */
	uint64_t happened;	/* the same, frozen time included */
	uint64_t counted_rest;	/* thousandths of a count */
	uint64_t happened_rest;
	uint64_t enabled_ns;
	uint64_t frozen_ns;
	int64_t since;		/* guest time of the last update */
	unsigned int width;
	bool left;		/* the control is what was there at power-on ... */
	uint64_t left_counted;	/* ... and has let it count this much */
	uint64_t left_rest;
};

/* What was counted under one value of a control, on whichever counter. */
struct pmon_control {
	uint64_t ctl;
	uint64_t counted;
	uint64_t counters;	/* one bit for each that it was on */
};

enum pmon_kind {
	PMON_KIND_MSR,
	PMON_KIND_MMIO,
	PMON_KIND_PCI,
	PMON_KIND_NONE,		/* no register can be where the table says */
};

struct pmon_dev;

/* Where the registers of a unit are, in bytes or in MSR numbers. */
struct pmon_layout {
	unsigned int counters, width;
	unsigned int ctl, ctl_stride, ctl_bytes;
	unsigned int ctr, ctr_stride;
	unsigned int status, filter;	/* 0: none */
	unsigned int fixed_ctl, fixed_ctl_bytes, fixed_ctr, fixed_width;
	bool fixed;
	bool boxless;		/* no box control */
	bool enable;		/* a control needs its enable bit */
};

/* Counters that run by themselves, "count" of them in a row of addresses. */
struct pmon_row {
	unsigned int umask;	/* what perf calls the first of them */
	unsigned int at, count, stride;
};

#define PMON_ROWS	4

struct pmon_unit {
	struct pmon_dev *dev;
	unsigned int pkg, type, id;
	bool free;		/* counters only, nothing controls them */
	struct pmon_row row[PMON_ROWS];
	unsigned int rows;
	bool core;		/* the counters of a CPU, see core.c, ... */
	uint64_t running;	/* ... and which of them count */
	bool global;		/* the control of all units of a device, ... */
	bool write_only;	/* ... whose freeze bit reads as 0 */
	bool switch_;		/* another one, of the units of its access, ... */
	uint64_t run;		/* ... which these bits let count; 0: bit 0 freezes */
	unsigned int ring;	/* version of the Xeon E5 that has it, see ring.c: ... */
	bool qpi;		/* ... a link layer, and no R2PCIe */
	bool held;		/* has frozen itself, because a counter overflowed */
	uint64_t carry;		/* counters that wait for a reader before a carry, ... */
	uint64_t carries;	/* ... and how often one was between its two halves */
	enum pmon_kind kind;
	uint64_t address;	/* MSR, offset in the unit BAR or in config space, ... */
	bool gap;		/* ... or in physical memory, see gap.c */
	unsigned int segment, bus, devfn;
	unsigned int extent;
	struct pmon_layout lay;
	uint64_t box_ctl;
	uint64_t status;
	uint64_t filter;
	bool dead;
	bool faults;			/* MSRs of its counters raise #GP */
	GHashTable *by_hand;		/* low halves of controls: no time counts them */
	bool sticks;			/* once frozen, it stays so */
	uint64_t ones;			/* reads of counters to answer with all-ones */
	bool resets_all;		/* and not only what is documented */
	uint64_t ctl_lacks;		/* bits that controls do not have: read as 0 */
	struct pmon_counter *ctr;	/* lay.counters, then the fixed one */
	GHashTable *controls;		/* value of a control: struct pmon_control */
	struct pmon_tally tally;
};

/* What an address inside a unit is. */
struct pmon_reg {
	enum pmon_class class;
	unsigned int index;
	unsigned int start, bytes;
};

#define PMON_PLR_MODULES	256	/* the mailbox has 8 bits of module ID */

enum pmon_mailbox_mode {
	PMON_MAILBOX_OK,
	PMON_MAILBOX_STUCK,
	PMON_MAILBOX_BLOCKED,
};

/* What a mailbox does with commands for the mesh. */
enum pmon_mesh_mode {
	PMON_MESH_OK,
	PMON_MESH_BUSY,		/* RUN_BUSY stays */
	PMON_MESH_ONES,		/* all-ones for data */
	PMON_MESH_DEAD,		/* RUN_BUSY stays, of all later commands too */
};

/* Which commands a mailbox tells apart, and what its interface reads after one. */
enum pmon_plr_kind {
	PMON_PLR_READ,
	PMON_PLR_WRITE,
	PMON_PLR_MESH_READ,
	PMON_PLR_MESH_WRITE,
	PMON_PLR_KINDS,
};

enum pmon_echo {
	PMON_ECHO_FULL,		/* the command, without RUN_BUSY */
	PMON_ECHO_NONE,		/* 0, and RUN_BUSY alone while it runs */
	PMON_ECHO_ZEROED,	/* 0 */
	PMON_ECHO_STATUS,	/* a status code for COMMAND, and nothing else */
};

enum pmon_plr_header {
	PMON_PLR_LIVE,
	PMON_PLR_ABSENT,	/* an IO die: header all-ones, the rest 0 */
	PMON_PLR_FUSED,		/* a compute die that is not there: all-ones */
};

/* What the die level does when a module comes to have coarse bits. */
enum pmon_die_mode {
	PMON_DIE_ALONE,		/* nothing */
	PMON_DIE_COLLECTS,	/* has them until it is cleared itself */
	PMON_DIE_COMPUTED,	/* has them as long as a module has */
	PMON_DIE_LATCHES,	/* collects, and again each round what modules have */
};

#define PMON_PACE	2048		/* beyond what any second is allowed to have */

/* How often commands are given: all, and the most in one second. */
struct pmon_pace {
	uint64_t all, peak;
	int64_t when[PMON_PACE];	/* of the last ones */
};

struct pmon_plr {
	enum pmon_plr_header state;
	uint64_t header;
	uint64_t iface, data, die_level;
	uint64_t command;		/* the last one that was given */
	uint64_t pending;		/* DATA at the time of the command */
	int64_t busy_until;
	bool busy;
	uint64_t mailbox_ns, jitter_ns;	/* the time of a command, and up to this more */
	uint64_t random;		/* of the jitter */
	uint64_t took_ns;		/* by the last command */
	enum pmon_mailbox_mode mode;
	enum pmon_mesh_mode mesh_mode;
	enum pmon_echo echo[PMON_PLR_KINDS];
	bool unknown_busy;		/* commands for IDs that are not there never end */
	bool ignores_clear;		/* command 1 ends and changes nothing */
	uint64_t agent, agent_left;	/* another's command after so many */
	enum pmon_die_mode follows;
	int64_t latched;		/* the last round of PMON_DIE_LATCHES */
	/* The die level, and modules, get what is raised at multiples of these. */
	uint64_t die_lag_ns, module_lag_ns;
	int64_t die_lagged, module_lagged;	/* the last time, as a multiple */
	uint32_t die_late;			/* what they get then */
	uint64_t core_late[PMON_PLR_MODULES];
	unsigned int modules, meshes;	/* how many, and which IDs of the core domain */
	uint64_t ids[PMON_PLR_MODULES / 64];
	uint64_t core[PMON_PLR_MODULES];
	uint64_t mesh[PMON_PLR_MODULES];
	struct pmon_agenda *agenda;	/* what will be set, see agenda.c */
	struct pmon_pace pace;
};

#define PMON_RAPL_DOMAINS	8
#define PMON_RAPL_REGS		16

/* A domain of power limits, see rapl.c. */
struct pmon_rapl {
	bool present;
	uint64_t reg[PMON_RAPL_REGS];
	uint64_t power_mw;		/* drawn from now on ... */
	uint64_t energy_uj, rest_nj;	/* ... and up to "since" */
	int64_t since;
};

#define PMON_SST_DOMAINS	32
#define PMON_SST_WORDS		256

struct pmon_feature {
	unsigned int id;
	uint64_t base;			/* offset in the BAR */
	unsigned int entries, bytes;	/* bytes per entry */
	uint32_t state;			/* as TPMI_GET_STATE returns it */
};

struct pmon_tpmi {
	uint64_t pfs_offset;
	uint64_t *pfs;
	unsigned int num_pfs;
	struct pmon_feature *feature;
	unsigned int num_features;
	uint64_t info[2];
	uint64_t ctl_status, ctl_command;
	uint64_t ctl_grant_ns, ctl_run_ns;	/* what firmware takes for either */
	bool ctl_asked;				/* for the grant */
	int64_t ctl_since;			/* that, or RUN_BUSY */
	uint8_t capabilities[32];
	struct pmon_plr *plr;
	unsigned int num_plr;
	struct pmon_rapl rapl[PMON_RAPL_DOMAINS];
	uint64_t sst[PMON_SST_DOMAINS][PMON_SST_WORDS];
};

/* An extended capability that says where registers are. */
struct pmon_capability {
	bool vsec;			/* and no DVSEC */
	uint16_t at, vendor, id;	/* a VSEC has no vendor */
	uint8_t rev, entries, size;
	uint32_t pointer;
};

struct pmon_dev {
	unsigned int pkg, index;
	uint16_t vendor, device;
	bool d3;
	bool gone;			/* pulled out: nothing answers */
	GArray *capabilities;		/* by their place */
	bool telemetry;			/* an empty PMT region, or another's */
	unsigned int telemetry_bar;
	uint64_t telemetry_bytes;
	bool rom;			/* an empty expansion ROM */
	/* PMON discovery */
	bool has_table;
	unsigned int table_bar, unit_bar, tpmi_bar;
	uint64_t table_offset;
	uint8_t *table;
	uint8_t *table_moves;		/* per qword: add the address of BAR n - 1 ... */
#define PMON_MOVES_UNITS	7	/* ... or of the BAR with the units */
	size_t table_bytes;
	uint64_t table_bar_bytes, unit_bar_bytes, tpmi_bar_bytes;
	struct pmon_unit *global;
	GPtrArray *switches;		/* NULL: none */
	struct pmon_tally tally;	/* of the table */
	PCIDevice *units_in;		/* whose BAR "unit_bar" has the units, ... */
	bool unit_port;			/* ... a port's, see port.c */
	MemoryRegion units;
	uint64_t units_base;		/* where that BAR was last */
	struct pmon_tpmi *tpmi;
	PCIDevice *pci;
};

struct pmon_msr {
	uint32_t address;
	int cpu;			/* -1: every CPU */
	uint64_t value;
	bool fault;
};

/* A dword of a function's configuration space. */
struct pmon_config {
	unsigned int segment, bus, devfn, at;
	uint32_t value;
	struct pmon_dev *moves;	/* "value" is an offset in its unit BAR: ... */
	unsigned int shift;	/* ... the address, shifted and masked, is read */
	uint32_t mask;
};

#define PMON_PACKAGES	64

/* What the Ubox of a package knows of its boxes, see ubox.c. */
struct pmon_ubox {
	bool frozen;
	uint32_t cores, status;
};

struct pmon_machine {
	char *name;
	unsigned int packages, cpus;	/* CPUs of one package */
	int root_node;
	bool garbage;			/* registers hold any values at power-on */
	uint64_t seed;
	GPtrArray *devs;
	GPtrArray *units;
	GArray *msrs;
	GArray *configs;
	GPtrArray *cxl;			/* struct pmon_cxl, see cpmu.h */
	bool has_ubox;
	struct pmon_ubox ubox[PMON_PACKAGES];
	struct pmon_tally tally;
};

/* The one machine, NULL when QEMU runs without. */
extern struct pmon_machine *pmon_machine;

/* load.c */
bool pmon_machine_load(const char *plan, Error **errp);

/* machine.c */
struct pmon_dev *pmon_find_dev(unsigned int pkg, unsigned int index);
struct pmon_unit *pmon_find_unit(unsigned int pkg, unsigned int type, unsigned int id);
uint64_t pmon_unit_bar_base(struct pmon_dev *d);
uint64_t pmon_unit_address(const struct pmon_unit *u);

/* account.c */
struct pmon_access {
	enum pmon_class class;
	bool write;
	unsigned int bytes;
	uint64_t address, value;
	struct pmon_unit *unit;
	struct pmon_dev *dev;		/* of an access to its table */
	const char *where;		/* for accesses of no unit */
	struct pmon_tally *tally;	/* of what it is to, beside the unit's */
};

int64_t pmon_now(void);
int pmon_cpu(void);
bool pmon_log_open(const char *path, Error **errp);
void pmon_log_flush(void);
void pmon_log_mark(const char *text);
void pmon_account(const struct pmon_access *a);
void pmon_tally_print(const struct pmon_tally *t, GString *out);
void pmon_illegal(const struct pmon_access *a, const char *why);
const char *pmon_illegal_text(void);
void pmon_illegal_reset(void);

/* unit_count.c */
#define PMON_BOX_FREEZE	(1u << 0)	/* of a box control, and of a global one */

unsigned int pmon_unit_counters(const struct pmon_unit *u);
uint64_t pmon_counter_rate(const struct pmon_unit *u, const struct pmon_counter *c);
bool pmon_counter_active(const struct pmon_unit *u, unsigned int i);
void pmon_counter_low_read(struct pmon_unit *u, unsigned int i, uint64_t low);
bool pmon_unit_frozen(const struct pmon_unit *u);
void pmon_unit_sync_to(struct pmon_unit *u, int64_t now);

/* unit.c */
void pmon_unit_layout_done(struct pmon_unit *u);
void pmon_unit_sync(struct pmon_unit *u);
bool pmon_unit_decode(const struct pmon_unit *u, unsigned int off, struct pmon_reg *r);
void pmon_unit_set_box(struct pmon_unit *u, uint64_t val);
void pmon_unit_happens(struct pmon_unit *u, uint16_t ctl, uint64_t n);
void pmon_unit_set_ctl(struct pmon_unit *u, unsigned int i, uint64_t val);
uint64_t pmon_unit_read(struct pmon_unit *u, uint64_t addr, unsigned int off,
			unsigned int bytes);
void pmon_unit_write(struct pmon_unit *u, uint64_t addr, unsigned int off,
		     uint64_t val, unsigned int bytes);

/* free.c */
#define PMON_FREE_TYPE	0x1000	/* added to the type of the units they belong to */

bool pmon_free_add(struct pmon_unit *u, const struct pmon_row *row);
bool pmon_free_decode(const struct pmon_unit *u, unsigned int off,
		      struct pmon_reg *r);

/* ring.c */
#define PMON_RING_TYPE	0x3000	/* R2PCIe; the next one is the link layer of QPI */

void pmon_ring_layout(struct pmon_unit *u, unsigned int width);
void pmon_ring_power_on(struct pmon_unit *u, uint64_t any);
uint64_t pmon_ring_rate(const struct pmon_counter *c);
bool pmon_ring_armed(const struct pmon_unit *u, unsigned int i);
bool pmon_ring_frozen(const struct pmon_unit *u);
void pmon_ring_overflow(struct pmon_unit *u, unsigned int i);
void pmon_ring_set_box(struct pmon_unit *u, uint64_t val);
bool pmon_ring_decode(const struct pmon_unit *u, unsigned int off,
		      struct pmon_reg *r);
const char *pmon_ring_forbidden(const struct pmon_unit *u,
				const struct pmon_reg *r, uint64_t val);

/* ubox.c */
void pmon_ubox_sync(unsigned int pkg, int64_t now);
bool pmon_ubox_has_msr(uint32_t msr);
void pmon_ubox_msr(unsigned int pkg, uint32_t msr, bool write, uint64_t *val);

/* sleep.c */
void pmon_sleep_set(PCIDevice *p, bool asleep);
bool pmon_sleeps(PCIDevice *p);
void pmon_sleep_add(PCIDevice *p, uint8_t place, bool asleep);
uint64_t pmon_no_answer(const struct pmon_dev *d, uint64_t addr, uint64_t val,
			unsigned int bytes, bool write);

/* unit_bar.c */
void pmon_unit_bar_create(struct pmon_dev *d, PCIDevice *p);

/* segment.c */
void pmon_segment_create(unsigned int number, uint64_t first, uint64_t last);
unsigned int pmon_segment_of(PCIDevice *p);
uint64_t pmon_config_address(PCIDevice *p, uint32_t off);

/* gap.c */
void pmon_gap_reserve(uint64_t first, uint64_t end);
void pmon_gap_create(unsigned int pkg, uint64_t base, uint64_t bytes,
		     struct pmon_dev *table, bool reserved, bool high);

/* core.c */
#define PMON_CORE_TYPE	0x2000	/* the unit's number is that of the CPU */

void pmon_cores_create(void);
bool pmon_cores_present(void);
bool pmon_core_has(uint32_t msr);
uint32_t pmon_core_rdpmc(uint32_t counter);
bool pmon_core_access(uint32_t msr, bool write, uint64_t *val);

/* power.c */
void pmon_power_on(uint64_t seed);

/* plr.c */
uint64_t pmon_plr_read(struct pmon_plr *p, uint64_t addr, unsigned int off,
		       unsigned int bytes);
void pmon_plr_write(struct pmon_plr *p, uint64_t addr, unsigned int off,
		    uint64_t val, unsigned int bytes);
void pmon_plr_set(struct pmon_plr *p, bool mesh, unsigned int module,
		  uint64_t bits, bool assign);
void pmon_plr_settle(struct pmon_plr *p);

/* pace.c */
void pmon_pace_count(struct pmon_pace *c, int64_t now);

/* plr_bits.c */
void pmon_plr_raise(struct pmon_plr *p, bool mesh, unsigned int module,
		    uint64_t bits);
void pmon_plr_catch_up(struct pmon_plr *p, int64_t until);
void pmon_plr_latch(struct pmon_plr *p, int64_t until, uint64_t round);
uint32_t pmon_plr_die(const struct pmon_plr *p);
bool pmon_plr_has(const struct pmon_plr *p, unsigned int module);
unsigned int pmon_plr_nth(const struct pmon_plr *p, unsigned int n);

/* agenda.c: below plr.c; before what others call the instance is settled */
void pmon_agenda_advance(struct pmon_plr *p, int64_t until);
void pmon_agenda_read(struct pmon_plr *p, bool mesh, unsigned int module);
void pmon_agenda_written(struct pmon_plr *p, bool mesh, unsigned int module,
			 uint64_t value);
void pmon_agenda_add(struct pmon_plr *p, bool mesh, unsigned int module,
		     uint64_t bits, int64_t from, int64_t to);
void pmon_agenda_random(struct pmon_plr *p, uint64_t seed, uint64_t mean_ns,
			uint64_t count);
void pmon_agenda_stop(struct pmon_plr *p);
void pmon_agenda_reset_truth(struct pmon_plr *p);
void pmon_agenda_truth(struct pmon_plr *p, const char *name, GString *out);
void pmon_agenda_log(struct pmon_plr *p, const char *name, GString *out);
extern uint64_t pmon_agenda_step;

/* feature.c */
struct pmon_feature *pmon_tpmi_feature(struct pmon_tpmi *t, unsigned int id);
struct pmon_feature *pmon_tpmi_feature_at(struct pmon_tpmi *t, uint64_t off);

/* tpmi.c, tpmi_control.c */
uint64_t pmon_tpmi_read(struct pmon_tpmi *t, uint64_t off, unsigned int bytes);
void pmon_tpmi_write(struct pmon_tpmi *t, uint64_t off, uint64_t val,
		     unsigned int bytes);
void pmon_control_settle(struct pmon_tpmi *t);
void pmon_control_reset(struct pmon_tpmi *t);
void pmon_control_never(struct pmon_tpmi *t);
uint64_t pmon_control_read(struct pmon_tpmi *t, unsigned int off, unsigned int bytes);
void pmon_control_write(struct pmon_tpmi *t, unsigned int off, uint64_t val,
			unsigned int bytes);

/* rapl.c */
struct pmon_rapl *pmon_rapl_domain(struct pmon_tpmi *t, unsigned int index);
void pmon_rapl_set_power(struct pmon_rapl *r, uint64_t mw);
uint64_t pmon_rapl_read(struct pmon_tpmi *t, uint64_t at, unsigned int bytes);
bool pmon_rapl_write(struct pmon_tpmi *t, uint64_t at, uint64_t val, unsigned int bytes);

#define PMON_STATE_ENABLED		0x1u
#define PMON_STATE_WRITE_BLOCKED	0x10u
#define PMON_STATE_READ_BLOCKED		0x20u
#define PMON_STATE_LOCKED		0x80000000u

/* A part of a value: the bytes [first, first + bytes) of a register. */
static inline uint64_t pmon_part(uint64_t reg, unsigned int first,
				 unsigned int bytes)
{
	uint64_t v = first < 8 ? reg >> (8 * first) : 0;

	return bytes < 8 ? v & ((1ull << (8 * bytes)) - 1) : v;
}

static inline uint64_t pmon_merge(uint64_t reg, uint64_t val, unsigned int first,
				  unsigned int bytes)
{
	uint64_t mask = bytes < 8 ? (1ull << (8 * bytes)) - 1 : ~0ull;

	return (reg & ~(mask << (8 * first))) | (val & mask) << (8 * first);
}

/* All bits of a counter. */
static inline uint64_t pmon_mask(unsigned int width)
{
	return width < 64 ? (1ull << width) - 1 : ~0ull;
}

/* Counts in "ns" at "rate" per microsecond; the rest is kept for the next time. */
static inline uint64_t pmon_advance(uint64_t *rest, uint64_t rate, uint64_t ns)
{
	unsigned __int128 t = (unsigned __int128)rate * ns + *rest;

	*rest = t % 1000;
	return t / 1000;
}

/* One step of splitmix64: the same numbers from the same state. */
static inline uint64_t pmon_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static inline uint64_t pmon_ones(unsigned int bytes)
{
	return pmon_part(~0ull, 0, bytes);
}

/*
 * A part of a quadword of a table that says where things are: of a discovery
 * table, of the PFS. Every public driver reads these four bytes at a time, and
 * none shows that they answer wider reads.
 */
static inline uint64_t pmon_table_part(uint64_t qword, unsigned int first,
				       unsigned int bytes)
{
	return bytes > 4 ? pmon_ones(bytes) : pmon_part(qword, first, bytes);
}

#endif
