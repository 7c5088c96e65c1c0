/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DISCOVERY_H
#define PMONCTL_DISCOVERY_H

#include "output.h"

/*
 * What /sys/class/pmon/pkg<P>-uncore<N> says; the format is described in
 * Documentation/ABI/testing/sysfs-class-pmon-uncore.
 */
struct unit {
	unsigned int type, id, width;
	char *name, *access, *address, *counters, *pmu, *owner;
	char *kind;		/* all but id, address, PMU and package, to be compared */
	size_t device;		/* index into struct machine */
};

struct reject {
	char *type, *id, *field, *value, *reason;
	size_t device;
};

struct device {
	char *name, *owner, *mode, *platform, *fingerprint;
	long package;
	bool unread;		/* which boxes it has */
};

/* A live performance-limit instance, /sys/class/pmon/pkg<P>-dom<D>. */
struct domain {
	char *name, *cpus;
	long package, id;
	unsigned int *module;
	size_t modules;
};

/* A TPMI device, /sys/class/pmon/pkg<P>-tpmi<N>; its domains are the above. */
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
	void **kept;		/* what the others point to */
	size_t kepts;
	bool degraded;		/* something could not be read or understood */
	bool unread;		/* the boxes of a table could not be read */
};

/* Reads everything, complaining on stderr about what it cannot read. */
void machine_read(struct machine *m);
void machine_free(struct machine *m);

/* Where the number of a PMU begins, uncore_imc_^11, or the end of a name without one. */
size_t name_stem(const char *name);

/* "uncore_imc_3" and "uncore_imc_11", or twice the same name without a number. */
bool same_stem(const char *a, const char *b);

/* "uncore_imc_3" of the stem "uncore_imc". */
bool is_numbered(const char *name, const char *stem);

/* How many boxes openpmon drives, another driver (one of these), and no driver. */
struct owners {
	size_t ours, foreign, undriven;
	const char *driver;
};

/* Those of a device; NULL: of all. */
struct owners machine_owners(const struct machine *m, const struct device *of);

/* What is about performance limits; no register of the hardware is read. */
void machine_read_limits(struct machine *m);

/* Opens the object of a domain, and what every such object begins with. */
void json_domain_head(const struct domain *d);
/* The rejected units of a device: those that its table lists and no driver uses. */
void json_rejected(const struct machine *m, size_t device);

/* The parameter has a module serve all the same; NULL: the kernel log says why it does not. */
struct mode {
	const char *name, *meaning, *parameter;
};

/* One that is not known is "on", which keeps nothing away. */
const struct mode *mode_find(const char *name);
/* What to type for that. The caller frees it. */
char *mode_command(const char *mode, const char *module);

#endif
