/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Describe units: the counter boxes of a package that a discovery table or the
 * platform lists. Pure: functions take bytes, return checked units, and access
 * no device.
 *
 * Record 0 describes the table, record i + 1 describes unit i. A record has
 * three quadwords; records begin `stride` quadwords apart.
 */
#ifndef PMON_UNCORE_UNIT_H
#define PMON_UNCORE_UNIT_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/uncore_places.h>

struct pmon_counter;
struct pmon_layout;
struct uncore_link;
struct uncore_platform;
struct uncore_row;
struct uncore_unlisted;

#define UNCORE_RECORD_QWORDS	3
#define UNCORE_RECORD_BYTES	(UNCORE_RECORD_QWORDS * 8)

/* Known boxes have at most 8 counters; masks of drivers/core have 64 bits. */
#define UNCORE_UNIT_COUNTERS	64
#define UNCORE_UNIT_WIDTH_MIN	32
#define UNCORE_UNIT_WIDTH_MAX	64

/* Access type, as encoded in the table */
enum uncore_access {
	UNCORE_ACCESS_MSR,
	UNCORE_ACCESS_MMIO,
	UNCORE_ACCESS_PCI,
	UNCORE_ACCESSES		/* number of access types */
};

/* Why the driver rejects a table, a unit or a control. */
struct uncore_fault {
	const char *field; /* faulty field, NULL: no fault */
	const char *reason;
	u64 value;
};

/* One counter box of one package. */
struct uncore_unit {
	struct uncore_fault fault;	/* the reason to reject the unit */
	const struct uncore_row *row;	/* never NULL */
	u64 address; /* of the box control register, as the table encodes it */
	u32 table;	/* number of the table, in the order of reading */
	u32 number;	/* @id, or @id + (n << 16) if others have @id */
	u16 package;	/* package of the unit; set by the caller */
	u16 die; /* 1 + die whose CPUs reach the unit; 0: any of the package */
	u16 index;	/* position in the table, from 0 */
	u16 type;
	u16 id;	/* box number inside the type, from the table */
	u16 span; /* extent of the registers from @address: bytes, or MSRs */
	u8 access;	/* enum uncore_access */
	u8 counters;	/* number of programmable counters */
	u8 width;
	u8 ctl;	/* offset of the first event control */
	u8 ctr;	/* offset of the first counter */
	u8 status;	/* offset of the status register, 0: none */
	bool empty;	/* unused record, or of an ignored type */
	bool free_running;	/* free-running counters; not in a table */
	bool numbered;	/* @number is final */
	bool in_function;	/* registers are, or were, in a BAR */
	bool temporary_fault;	/* @fault may go away: check again later */
};

/* Programmable and free-running counters of a type are two kinds of units. */
#define UNCORE_KIND_FREE_RUNNING		BIT(16)
#define UNCORE_KIND_CHA		0
/* Another driver's PMU with an unknown name may count any kind. */
#define UNCORE_KIND_UNKNOWN		BIT(17)

static inline u32 uncore_unit_kind(const struct uncore_unit *unit)
{
	return unit->type | (unit->free_running ? UNCORE_KIND_FREE_RUNNING : 0);
}

/*
 * Address of a PCI unit: UNCORE_DISCOVERY_PCI_DOMAIN() and following in
 * arch/x86/events/intel/uncore_discovery.h of Linux
 */
#define UNCORE_PCI_ENABLE	BIT_ULL(31)
#define UNCORE_PCI_SEGMENT	GENMASK_ULL(30, 28)
#define UNCORE_PCI_BUS		GENMASK_ULL(27, 20)
#define UNCORE_PCI_DEVFN	GENMASK_ULL(19, 12)
#define UNCORE_PCI_OFFSET	GENMASK_ULL(11, 0)

static inline void uncore_fault_set(struct uncore_fault *fault,
				    const char *field, u64 value,
				    const char *reason)
{
	fault->field = field;
	fault->value = value;
	fault->reason = reason;
}

/* Keep the first fault of a unit, because later faults follow from it. */
static inline void uncore_unit_reject(struct uncore_unit *unit,
				      const char *field, u64 value,
				      const char *reason)
{
	if (!unit->fault.field)
		uncore_fault_set(&unit->fault, field, value, reason);
}

/* Types that no table lists have numbers from here on. */
#define UNCORE_TYPES_UNLISTED		0xff00

static inline bool uncore_unit_is_listed(const struct uncore_unit *unit)
{
	return !unit->free_running && unit->type < UNCORE_TYPES_UNLISTED;
}

static inline bool uncore_unit_good(const struct uncore_unit *unit)
{
	return !unit->empty && !unit->fault.field;
}

/* table.c */

/* The units field has ten bits. */
#define UNCORE_TABLE_UNITS	1023
/* Largest table: record 0 and 1023 units, at the largest stride */
#define UNCORE_TABLE_BYTES	(UNCORE_RECORD_BYTES + \
				 UNCORE_TABLE_UNITS * 255 * 8)

/* Record 0, which describes the table */
struct uncore_global_record {
	u64 address;	/* address of the global control register */
	u16 units;	/* number of records that follow */
	u8 stride;	/* quadwords from one record to the next */
	u8 access;	/* access type of the global control */
};

u64 uncore_table_space(u64 bar_bytes, u32 offset);
bool uncore_global_record_check(const u64 record[UNCORE_RECORD_QWORDS],
				u64 space, struct uncore_global_record *head,
				struct uncore_fault *fault);
void uncore_unit_parse(const u64 record[UNCORE_RECORD_QWORDS],
		       const struct uncore_platform *platform,
		       struct uncore_unit *unit);
void uncore_table_units(const u64 *records,
			const struct uncore_platform *platform, u16 ignored,
			struct uncore_unit *units, size_t count);
bool uncore_unlisted_is_missing(const struct uncore_unlisted *unlisted, u16 n,
				const struct uncore_unit *units, size_t count);
void uncore_unit_init_unlisted(const struct uncore_row *row, u16 id,
			       u64 address, struct uncore_unit *unit);
bool uncore_unit_extent(const struct uncore_unit *unit, unsigned int n,
			u64 *address, u32 *span);
unsigned int uncore_unit_nr_counters(const struct uncore_unit *unit);
void uncore_unit_layout(const struct uncore_unit *unit,
			struct pmon_counter *counter,
			struct pmon_layout *layout);

/* ranges.c */

#define UNCORE_IS_MEMORY	"is memory"

/*
 * Bit that freezes all units, as in uncore_msr_global_init() and
 * uncore_mmio_global_init() in arch/x86/events/intel/uncore.c of Linux 7.2.
 * Older processors use bit 31 (Intel document 329468, 2.1.5.1).
 */
#define UNCORE_GLOBAL_FREEZE	BIT_ULL(0)

const char *uncore_range_fixed(u64 first, u64 last);
bool uncore_ecam_overlaps(u64 base, u8 first_bus, u8 last_bus, u64 first,
			  u64 last);
bool uncore_units_have(const struct uncore_unit *units, size_t count,
		       enum uncore_access access, u64 address, u32 size);
bool uncore_host_bar_address(u32 low, u32 high, u64 *address);
bool uncore_mem_bar_address(u32 base, u32 space, u64 *address);
bool uncore_bus_of_index(u32 valid, u32 buses, u8 index, u8 *bus);
bool uncore_link_has(const struct uncore_link *link, u8 slot, u8 function);
bool uncore_upi_far_end(u32 status, u32 link, unsigned int *port,
			unsigned int *node);
void uncore_global_combine(u64 value, u8 bytes, u64 enable, u64 *all);

/* resolve.c */

struct uncore_limit {
	u32 max;
	const char *reason;	/* why units beyond @max are rejected */
};

typedef struct uncore_limit (*uncore_limit_t)(const struct uncore_unit *unit);

void uncore_units_compare_links(struct uncore_unit *units, size_t count,
				const struct uncore_link *link, u64 *addresses);
u32 uncore_units_count_listed(const struct uncore_unit *units, size_t count,
			      u32 kind);
void uncore_units_assign_numbers(struct uncore_unit **units, size_t count);
void uncore_units_resolve(struct uncore_unit **units, size_t count,
			  uncore_limit_t limit);

/* Eight packages, each with four root buses that have a table */
#define UNCORE_ROOTS	32

struct uncore_root {
	int segment;
	u8 bus;
};

/* Root buses with discovery tables, sorted by segment and bus */
struct uncore_roots {
	struct {
		struct uncore_root root;
		int package; /* in TPMI_INFO of a function on the bus, or -1 */
	} at[UNCORE_ROOTS];
	unsigned int count;
};

bool uncore_roots_add(struct uncore_roots *roots, struct uncore_root root,
		      int package);
bool uncore_roots_has(const struct uncore_roots *roots,
		      struct uncore_root root);
const struct uncore_root *uncore_roots_home(const struct uncore_roots *roots,
					    struct uncore_root root,
					    unsigned int nr_known);
int uncore_roots_tpmi_package(const struct uncore_roots *roots,
			      struct uncore_root root);
bool uncore_roots_nodes_fit(const struct uncore_roots *roots,
			    const int *packages, unsigned int per_package,
			    const int *known, unsigned int nr_known);
int uncore_roots_package_by_order(const struct uncore_roots *roots,
				  struct uncore_root root,
				  unsigned int per_package, const int *known,
				  unsigned int nr_known);

#endif
