/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declare the emulated server: one machine, the OOBMSM devices of each package, their
 * PMON units and TPMI regions.  QEMU's big lock protects all of this state.
 */
#ifndef HW_MISC_PMON_PMON_H
#define HW_MISC_PMON_PMON_H

#include "hw/pci/pci_device.h"

/* Classes of register accesses; `hw count` lists them in this order. */
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

/* A counter with its control: the registers, and the counts of `hw truth`. */
struct pmon_counter {
	uint64_t ctl;
	uint64_t value;
	uint64_t rate;		/* counts per microsecond, 0: by the event */
	uint64_t counted;	/* counts since `hw truth reset`, never wraps */
	uint64_t happened;	/* counted, plus events while frozen */
	uint64_t counted_rest;	/* thousandths of a count */
	uint64_t happened_rest;
	uint64_t enabled_ns;
	uint64_t frozen_ns;
	int64_t since;		/* guest time of the last update */
	unsigned int width;
	bool left;		/* control not written since power-on ... */
	uint64_t left_counted;	/* ... and counts under such a control */
	uint64_t left_rest;
};

/* Counts of all counters of a unit while their control had the value @ctl. */
struct pmon_control {
	uint64_t ctl;
	uint64_t counted;
	uint64_t counters;	/* mask of the counters that used @ctl */
};

enum pmon_kind {
	PMON_KIND_MSR,
	PMON_KIND_MMIO,
	PMON_KIND_PCI,
	PMON_KIND_NONE,		/* the table has an impossible address */
};

struct pmon_dev;

/* Offsets of a unit's registers, in bytes or in MSR numbers. */
struct pmon_layout {
	unsigned int counters, width;
	unsigned int ctl, ctl_stride, ctl_bytes;
	unsigned int ctr, ctr_stride;
	unsigned int status, filter;	/* 0: none */
	unsigned int fixed_ctl, fixed_ctl_bytes, fixed_ctr, fixed_width;
	bool fixed;
	bool boxless;		/* no box control */
	bool enable;		/* a counter runs only with the enable bit of its control */
};

/* @count free-running counters, @stride apart. */
struct pmon_row {
	unsigned int umask;	/* perf's unit mask of the first counter */
	unsigned int at, count, stride;
};

#define PMON_ROWS	4

struct pmon_unit {
	struct pmon_dev *dev;
	unsigned int pkg, type, id;
	bool free;		/* free-running counters, no controls */
	struct pmon_row row[PMON_ROWS];
	unsigned int rows;
	bool global;		/* global control of a device, ... */
	bool write_only;	/* ... with a freeze bit that reads as 0 */
	bool switch_;		/* stops the units of the same access kind, ... */
	uint64_t run;		/* ... unless all these bits are set; 0: if bit 0 is set */
	unsigned int ring;	/* box of ring.c: version of the Xeon E5 or E7, else 0 */
	bool qpi;		/* @ring is of a QPI link layer, else of R2PCIe */
	bool held;		/* frozen by the overflow of a counter */
	uint64_t carry;		/* mask of counters that carry when the low half is read */
	uint64_t carries;	/* number of such carries */
	enum pmon_kind kind;
	uint64_t address;	/* MSR, offset in the unit BAR or in config space, ... */
	bool gap;		/* ... or a physical address, see gap.c */
	unsigned int segment, bus, devfn;
	unsigned int extent;
	struct pmon_layout lay;
	uint64_t box_ctl;
	uint64_t status;
	uint64_t filter;
	bool dead;
	bool faults;			/* MSRs of the counters raise #GP */
	GHashTable *by_hand;		/* bits 15:0 of controls with a rate of 0 */
	bool sticks;			/* a write cannot clear the freeze */
	uint64_t ones;			/* number of counter reads still to return all-ones */
	bool resets_all;		/* resets clear undocumented registers, too */
	uint64_t ctl_lacks;		/* unimplemented bits of controls: read as 0 */
	struct pmon_counter *ctr;	/* lay.counters, then the fixed one */
	GHashTable *controls;		/* struct pmon_control, by @ctl */
	struct pmon_tally tally;
};

/* The register at an address inside a unit. */
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

/* Response of a mailbox to commands for the mesh. */
enum pmon_mesh_mode {
	PMON_MESH_OK,
	PMON_MESH_BUSY,		/* RUN_BUSY stays set */
	PMON_MESH_ONES,		/* the data is all-ones */
	PMON_MESH_DEAD,		/* RUN_BUSY stays set, after all later commands, too */
};

/* Kinds of mailbox commands, each with a pmon_echo. */
enum pmon_plr_kind {
	PMON_PLR_READ,
	PMON_PLR_WRITE,
	PMON_PLR_MESH_READ,
	PMON_PLR_MESH_WRITE,
	PMON_PLR_KINDS,
};

/* Value of PLR_MAILBOX_INTERFACE after a command. */
enum pmon_echo {
	PMON_ECHO_FULL,		/* the command, without RUN_BUSY */
	PMON_ECHO_NONE,		/* 0, and RUN_BUSY alone while the command runs */
	PMON_ECHO_ZEROED,	/* 0 */
	PMON_ECHO_STATUS,	/* a status code in COMMAND, other fields 0 */
};

enum pmon_plr_header {
	PMON_PLR_LIVE,
	PMON_PLR_ABSENT,	/* an IO die: header all-ones, the rest 0 */
	PMON_PLR_FUSED,		/* a compute die that is fused off: all-ones */
};

/* Effect of coarse bits of a module on the die level. */
enum pmon_die_mode {
	PMON_DIE_ALONE,		/* none */
	PMON_DIE_COLLECTS,	/* bits stay until software clears the die level */
	PMON_DIE_COMPUTED,	/* the die level is the OR of all modules */
	PMON_DIE_LATCHES,	/* collects; each round of firmware sets the bits again */
};

#define PMON_PACE	2048		/* more commands than a test allows in a second */

/* Number of commands since `hw count reset`, and the most in any second. */
struct pmon_pace {
	uint64_t all, peak;
	int64_t when[PMON_PACE];	/* guest time of the last commands */
};

struct pmon_plr {
	enum pmon_plr_header state;
	uint64_t header;
	uint64_t iface, data, die_level;
	uint64_t command;		/* the last command */
	uint64_t pending;		/* DATA at the time of the command */
	int64_t busy_until;
	bool busy;
	uint64_t mailbox_ns, jitter_ns;	/* duration of a command: least; random part */
	uint64_t random;		/* generator state of the jitter */
	uint64_t took_ns;		/* duration of the last command */
	enum pmon_mailbox_mode mode;
	enum pmon_mesh_mode mesh_mode;
	enum pmon_echo echo[PMON_PLR_KINDS];
	bool unknown_busy;		/* commands for missing IDs never end */
	bool ignores_clear;		/* command 1 ends and changes nothing */
	uint64_t agent, agent_left;	/* commands per read by another agent; left */
	enum pmon_die_mode follows;
	int64_t latched;		/* the last round of PMON_DIE_LATCHES */
	/* New bits appear in the die level, and in modules, at multiples of these. */
	uint64_t die_lag_ns, module_lag_ns;
	int64_t die_lagged, module_lagged;	/* number of the last multiple */
	uint32_t die_late;			/* bits to appear at the next multiple */
	uint64_t core_late[PMON_PLR_MODULES];
	unsigned int modules, meshes;	/* number of IDs of the core and mesh domains */
	uint64_t ids[PMON_PLR_MODULES / 64];	/* mask of IDs of the core domain */
	uint64_t core[PMON_PLR_MODULES];
	uint64_t mesh[PMON_PLR_MODULES];
	struct pmon_agenda *agenda;	/* limits to come, see agenda.c */
	struct pmon_pace pace;
};

#define PMON_RAPL_DOMAINS	8
#define PMON_RAPL_REGS		16

/* A domain of power limits, see rapl.c. */
struct pmon_rapl {
	bool present;
	uint64_t reg[PMON_RAPL_REGS];
	uint64_t power_mw;		/* power drawn from @since on */
	uint64_t energy_uj, rest_nj;	/* energy up to @since */
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
	uint64_t ctl_grant_ns, ctl_run_ns;	/* time until the grant; time of a command */
	bool ctl_asked;				/* the host has requested the mailbox */
	int64_t ctl_since;			/* time of the request or of RUN_BUSY */
	uint8_t capabilities[32];
	struct pmon_plr *plr;
	unsigned int num_plr;
	struct pmon_rapl rapl[PMON_RAPL_DOMAINS];
	uint64_t sst[PMON_SST_DOMAINS][PMON_SST_WORDS];
};

/* An extended capability with the location of registers. */
struct pmon_capability {
	bool vsec;			/* a VSEC, else a DVSEC */
	uint16_t at, vendor, id;	/* a VSEC has no vendor */
	uint8_t rev, entries, size;
	uint32_t pointer;
};

struct pmon_dev {
	unsigned int pkg, index;
	uint16_t vendor, device;
	bool d3;
	bool gone;			/* pulled out: reads return all-ones */
	GArray *capabilities;		/* sorted by offset */
	bool telemetry;			/* an empty PMT region or crash log */
	unsigned int telemetry_bar;
	uint64_t telemetry_bytes;
	bool rom;			/* an empty expansion ROM */
	uint8_t bar_type;		/* flags of all BARs */
	/* PMON discovery */
	bool has_table;
	unsigned int table_bar, unit_bar, tpmi_bar;
	uint64_t table_offset;
	uint8_t *table;
	uint8_t *table_moves;		/* per qword: n adds the address of BAR n - 1 ... */
#define PMON_MOVES_UNITS	7	/* ... and 7 the address of the unit BAR */
	size_t table_bytes;
	uint64_t table_bar_bytes, unit_bar_bytes, tpmi_bar_bytes;
	struct pmon_unit *global;
	GPtrArray *switches;		/* NULL: none */
	struct pmon_tally tally;	/* accesses to the table */
	PCIDevice *units_in;		/* function with the units in BAR @unit_bar, ... */
	bool unit_port;			/* ... a PCI Express port, see port.c */
	MemoryRegion units;
	uint64_t units_base;		/* last address of the unit BAR */
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
	struct pmon_dev *moves;	/* not NULL: @value is an offset in the unit BAR; ... */
	unsigned int shift;	/* ... a read returns the address, shifted and masked */
	uint32_t mask;
};

#define PMON_PACKAGES	64

/* Global freeze and overflow status in the Ubox of a package, see ubox.c. */
struct pmon_ubox {
	bool frozen;
	uint32_t cores, status;
};

struct pmon_machine {
	char *name;
	unsigned int packages, cpus;	/* CPUs of one package */
	int root_node;
	bool garbage;			/* registers hold random values at power-on */
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

/* The machine, or NULL if QEMU was started without a plan. */
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
	struct pmon_dev *dev;		/* device of an access to a table */
	const char *where;		/* region of an access without a unit */
	struct pmon_tally *tally;	/* tally of a CPMU, or NULL */
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
#define PMON_BOX_FREEZE	(1u << 0)	/* in box controls and global controls */

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
#define PMON_FREE_TYPE	0x1000	/* added to the type of the units with controls */

bool pmon_free_add(struct pmon_unit *u, const struct pmon_row *row);
bool pmon_free_decode(const struct pmon_unit *u, unsigned int off,
		      struct pmon_reg *r);

/* ring.c */
#define PMON_RING_TYPE	0x3000	/* R2PCIe; 0x3001 is the link layer of QPI */

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

/* agenda.c; callers outside plr.c call pmon_plr_settle() first */
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

/* Return the bytes [first, first + bytes) of a register. */
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

/* Return a mask of all bits of a counter. */
static inline uint64_t pmon_mask(unsigned int width)
{
	return width < 64 ? (1ull << width) - 1 : ~0ull;
}

/* Return the counts in "ns" at "rate" per microsecond; *rest carries the remainder. */
static inline uint64_t pmon_advance(uint64_t *rest, uint64_t rate, uint64_t ns)
{
	unsigned __int128 t = (unsigned __int128)rate * ns + *rest;

	*rest = t % 1000;
	return t / 1000;
}

/* Return a pseudo-random number, by a step of splitmix64. */
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
 * Read a part of a qword of a discovery table or of the PFS.  Reads wider than
 * four bytes return all-ones, because no source shows the response of hardware:
 * every public driver reads four bytes at a time.
 */
static inline uint64_t pmon_table_part(uint64_t qword, unsigned int first,
				       unsigned int bytes)
{
	return bytes > 4 ? pmon_ones(bytes) : pmon_part(qword, first, bytes);
}

#endif
