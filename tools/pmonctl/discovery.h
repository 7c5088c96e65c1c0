/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DISCOVERY_H
#define PMONCTL_DISCOVERY_H

#include "output.h"

/* /sys/class/pmon/pkg<P>-uncore<N>; see Documentation/ABI/testing/sysfs-class-pmon-uncore. */
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
	bool unread;		/* the list of units */
};

/* A live performance-limit instance, /sys/class/pmon/pkg<P>-dom<D>. */
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
};

/* Reads all devices; complains on stderr of unreadable files. */
void machine_read(struct machine *m);
void machine_free(struct machine *m);

/* Index of the number in a PMU's name, uncore_imc_^11, or of the end of the name. */
size_t name_stem(const char *name);

/* "uncore_imc_3" and "uncore_imc_11", or twice the same name without a number. */
bool same_stem(const char *a, const char *b);

/* "uncore_imc_3" of the stem "uncore_imc". */
bool is_numbered(const char *name, const char *stem);

/* Boxes that openpmon drives, another driver (@driver is the last of them), and no driver. */
struct owners {
	size_t served, foreign, undriven;
	const char *driver;
};

struct owners machine_owners(const struct machine *m);

/* Reads the domains of performance limits, without a register access. */
void machine_read_limits(struct machine *m);

/* The members that each object of a domain has. */
#define json_domain_members(d) \
	json_members("name %s socket %ld domain %ld cpus %s", (d)->name, (d)->package, (d)->id, \
		     (d)->cpus)
/* The units of a device that no driver uses. */
void json_rejected(const struct machine *m, size_t device);

/* A mode, and the parameter that overrides it; NULL: see the kernel log. */
struct mode {
	const char *name, *meaning, *parameter;
};

/* An unknown name is "on". */
const struct mode *mode_find(const char *name);
/* The command to type. */
char *mode_command(const char *mode, const char *module);
/* Likewise: @hidden, why, and the command. */
char *mode_text(const char *hidden, const char *mode, const char *module);

#endif
