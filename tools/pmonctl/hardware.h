/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HARDWARE_H
#define PMONCTL_HARDWARE_H

/* Devices, and their boxes and limits in /sys/class/pmon. */

#include "host.h"

/* Is a function OOBMSM: 8086:09a7 (Sapphire Rapids on) or 09a1 (Diamond Rapids)? */
bool pci_is_discovery(const char *function);

/* Does an Intel function on a root bus have a discovery table? Needs rights. */
bool pci_has_table(const char *function);

/* False behind a bridge, because cards such as GPUs have tables, too. */
bool pci_on_root_bus(const char *function);

/* Opens configuration space. Returns -1 on error, or in D3cold, as a read wakes the function. */
int pci_open_config(const char *function);

/* Reads a dword of configuration space through an open file. */
bool pci_read_config(int config, unsigned int at, uint32_t *value);

/* An extended capability; all 0 at the beginning of a walk. */
struct pci_capability {
	unsigned int at;
	uint32_t header, first;		/* dwords 0 and 1 */
	unsigned int vendor, id;	/* of a DVSEC; vendor 0: not a DVSEC */
	bool seen[4096 / 4];		/* dwords already read, as the list may be circular */
};

/* Goes to the first or the next capability. False after the last one, or without rights. */
bool pci_next_capability(int config, struct pci_capability *c);

/* A field of the first CPU in /proc/cpuinfo: its text or NULL, and its number or -1. */
char *cpu_text(const char *key);
long cpu_number(const char *key);
bool cpu_is_virtual(void);

/* The package of a CPU, or -1. */
long package_of(unsigned int cpu);
/* Packages that have a device in CLASS_DIR but no online CPU. */
struct cpus packages_off(void);

/* Is a function a CXL memory device, by its class or because cxl_pci is bound? */
bool cxl_is_memory(const char *function);
bool cxl_memory_present(void);

/* Hardware for our modules. Without rights for configuration space, tables and TPMI are assumed. */
struct hardware {
	bool functions;		/* a PCI function or an MSR may lead to tables */
	bool tables;		/* of counter boxes */
	bool tpmi;		/* TPMI registers, perhaps with performance limits */
	bool unreached;		/* the kernel reads only 256 bytes of a function */
};

struct hardware hardware_find(void);

/* Why configuration space is out of reach, and the remedy. */
#define NO_CONFIG	"the kernel reaches 256 bytes of PCI configuration " \
			"space only, and what leads to tables is further up"
#define MORE_CONFIG	"boot without pci=nommconf; without that, firmware " \
			"lacks an MCFG table"

/* Is there, or may there be, hardware for the modules? */
#define hardware_present() \
	(hardware_find().tables || hardware_find().tpmi || hardware_find().unreached)
#define hardware_has_tables()	(hardware_find().tables)

/* R2PCIe and QPI boxes of Xeon E5 and E7: PCI functions, bound to our driver by driver_override. */
enum ring_kind {
	RING_NONE,		/* in an area without such boxes */
	RING_R2PCIE,
	RING_QPI,
};

/* The number of functions of a kind; with @bound only those that pmon_r2pcie is bound to. */
size_t ring_functions(enum ring_kind kind, bool bound);
#define ring_is_present() \
	(ring_functions(RING_R2PCIE, false) || ring_functions(RING_QPI, false))
/* The number of bound but unserved functions; the kernel log has the reason. */
size_t ring_unserved(enum ring_kind kind);

/* Sets driver_override of functions to our driver, or clears it. False after a message. */
bool ring_reserve(enum ring_kind kind, bool reserve);

/* Prints how PMUs change at a hand-over; returns how many lose terms. */
long ring_compare(enum ring_kind kind);

/* A line of the file `units`; see Documentation/ABI/testing/sysfs-class-pmon-uncore. */
struct unit {
	unsigned int type, id, width;
	char *name, *access, *address, *counters, *pmu, *owner;
	char *stack;		/* root bus of an IIO box, or "-"; NULL: an old driver */
	char *kind;		/* for comparison: all columns but id, address and PMU */
	size_t device;		/* index into struct machine */
	long package;
};

struct reject {
	char *type, *id, *field, *value, *reason;
	size_t device;
};

struct device {
	char *name, *owner, *mode, *platform, *fingerprint;
	long package;
	bool unread;		/* the list of units could not be read */
};

/* A domain of performance limits, /sys/class/pmon/pkg<P>-dom<D>. */
struct domain {
	char *name, *cpus;
	long package, id;
	unsigned int *module;
	size_t modules;
};

/* A TPMI device, /sys/class/pmon/pkg<P>-tpmi<N>. */
struct tpmi {
	char *name, *mode;
	long package;
};

struct machine {
	struct device *device;
	struct unit *unit;
	struct reject *reject;
	struct domain *domain;
	struct tpmi *tpmi;
	size_t devices, units, rejects, domains, tpmis;
	bool degraded;		/* something could not be read or understood */
	bool unread;		/* the boxes of a table could not be read */
	bool quiet;		/* no messages */
};

/* Does a unit have another driver than openpmon? */
#define unit_is_foreign(u)	(strcmp((u)->owner, "-") && strcmp((u)->owner, "openpmon"))

/* Reads all devices, or only those with boxes; complains on stderr of unreadable files. */
void machine_read(struct machine *m);
void machine_read_boxes(struct machine *m);
void machine_free(struct machine *m);

/* Is a name a stem with a number, as "uncore_imc_3" for the stem "uncore_imc"? */
bool is_numbered(const char *name, const char *stem);

/* Counts of boxes by owner: openpmon, another driver (the last one found is @driver), or none. */
struct owners {
	size_t served, foreign, undriven;
	const char *driver;
};

struct owners machine_owners(const struct machine *m);

/* Reads the domains of performance limits, without a register access. */
void machine_read_limits(struct machine *m);

/* Adds the JSON members that each object of a domain has. */
#define json_domain_members(d) \
	json_members("name %s socket %ld domain %ld cpus %s", (d)->name, (d)->package, (d)->id, \
		     (d)->cpus)
/* Adds a JSON member with the rejected units of a device. */
void json_rejected(const struct machine *m, size_t device);

/* A mode of a module, and the parameter that overrides it (NULL: none; see the kernel log). */
struct mode {
	const char *name, *meaning, *parameter;
};

/* Finds a mode; for an unknown name, "on". */
const struct mode *mode_find(const char *name);
/* The command that overrides a mode, or that shows why the module drives nothing. */
struct remedy mode_command(const char *mode, const char *module);
/* A text with @hidden, the mode's meaning, and the command of mode_command(). */
char *mode_text(const char *hidden, const char *mode, const char *module);

/* A decoder of a memory device in a region, with its position among the interleaved ways. */
struct cxl_share {
	char *region, *decoder;
	long position, ways;
};

struct cxl_shares {
	struct cxl_share *share;
	size_t count;
};

/* Finds the decoders of a memory device, "mem0", in all regions. */
struct cxl_shares cxl_shares_of(const char *memory);

/* NUMA node of the memory of "mem0": of its region, else of the device; -1: not known. */
long cxl_memory_node(const char *memory);

/* Number of CPMUs in register locators (CXL 3.1, 8.1.9); -1: configuration space is unreadable. */
long cxl_cpmus(const char *function);

/* A CPMU that nobody serves, and the reason. */
struct cxl_cpmu {
	char *pmu, *function, *why;
	bool is_rejected;
};

struct cxl_unserved {
	struct cxl_cpmu *cpmu;
	size_t count;
};

/* Reads the file `unserved` of pmon_cxl. */
struct cxl_unserved cxl_unserved_find(void);
/* Why a PMU of this name does not serve the device that has the name; NULL: it does. */
const char *cxl_unserved_why(const struct cxl_unserved *all, const char *pmu);

/* Prints why nothing is shown, with @json also {"format": 3, "error": ...}; returns @status. */
#define nothing_shown(json, status, ...) \
	nothing_shown_text(json, status, xasprintf(__VA_ARGS__))
enum status nothing_shown_text(bool json, enum status status, const char *why);
/* Status 2: there is hardware, but something fails. */
#define broken(json, ...)	nothing_shown(json, STATUS_BROKEN, __VA_ARGS__)

/* Prints why /sys/class/pmon has no device. */
enum status nothing_found(bool json);

/* Prints why a module shows nothing in its mode. */
#define mode_shown(json, hidden, mode, module) \
	nothing_shown_text(json, STATUS_BROKEN, mode_text(hidden, mode, module))

/* Does the kernel have devices of TPMI feature @feature, such as "plr.", or of any ("")? */
bool tpmi_has_devices(const char *feature);

/* Prints why there is no performance-limit domain. */
enum status plr_absent(const struct machine *m, bool json);

/* Is there a device for pmon_plr: one of the TPMI core, or the PCI function on older kernels? */
bool served_has_limits(void);

/* The mode parameter of one of our modules; "on" if not loaded. */
const char *served_mode(const char *module);

#endif
