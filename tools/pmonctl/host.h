/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HOST_H
#define PMONCTL_HOST_H

/* This host: its files, CPUs, clock, programs, events and modules. */

#include <sched.h>
#include <sys/types.h>

#include "output.h"

/* Where sysfs has CPUs, nodes, PCI functions, openpmon's devices, PMUs, and devices of CXL. */
#define CPU_DIR		"/sys/devices/system/cpu"
#define NODE_DIR	"/sys/devices/system/node"
#define FUNCTIONS	"/sys/bus/pci/devices"
#define CLASS_DIR	"/sys/class/pmon"
#define PMUS		"/sys/bus/event_source/devices"
#define CXL_DEVICES	"/sys/bus/cxl/devices"

/* `int fd CLOSED = ...` closes the descriptor, unless -1, at the end of the scope. */
#define CLOSED FREED_BY(close_held)
void close_held(int *fd);

/* Replaces a file atomically, also across a power failure; follows no link. Returns 0 or errno. */
int file_write_at(int dir, const char *name, const char *content);
int file_remove_at(int dir, const char *name);

/* modprobe.d files that `adopt` writes and `release` removes, a file for each area. */
enum config_place {
	CONFIG_BOOT,		/* until the next boot */
	CONFIG_PERSISTENT,
	CONFIG_PLACES,
};

char *config_path(enum config_place place, const char *area);

enum config_state {
	CONFIG_NONE,
	CONFIG_INTACT,
	CONFIG_CHANGED,		/* by a person or program; not to be removed */
	CONFIG_ODD,		/* not an ordinary file, such as a link */
};

/* Compares the file with @lines. If @lines is NULL, the state is never CONFIG_INTACT. */
enum config_state config_state(enum config_place place, const char *area, const char *lines);

/* Writes the file or, if @lines is NULL, removes it. False after a message; never half done. */
bool config_write(enum config_place place, const char *area, const char *lines);
#define config_remove(place, area)	config_write(place, area, NULL)

/* Was the persistent file written after the last boot? */
bool config_is_pending(const char *area);
/* Hands an area over; of a pending area, the advice to reboot or to adopt now. */
struct remedy adopt_remedy(const char *area, const char *text);

/* A sorted list of names: 2 comes before 10. */
struct names {
	char **name;
	size_t count, next;
};

/* Iterates over a list. */
#define for_each_name(one, list) \
	for (struct names of_##one FREED = (list), *rest_of_##one = &of_##one; \
	     rest_of_##one; rest_of_##one = NULL) \
		for (const char *one; (one = of_##one.next < of_##one.count ? \
				       of_##one.name[of_##one.next++] : NULL);)

/* The sysfs_ macros take a path as a format. A pipe or device fails with EINVAL at once. */
/* Opens a file for reading. Returns a descriptor, or -1 and errno. */
#define sysfs_open(...)		sysfs_open_path(xasprintf(__VA_ARGS__))
int sysfs_open_path(char *path);

/*
 * The whole file without trailing white space, or NULL and errno: EFBIG above FILE_MAX, EINVAL for
 * binary data. Opens the file once, as each open of a PLR file can cost a mailbox round trip.
 */
#define sysfs_read(...)		sysfs_read_path(xasprintf(__VA_ARGS__))
char *sysfs_read_path(char *path);

/* The whole file, which may be binary, or NULL and errno. Closes @fd, which may be -1. */
char *file_bytes(int fd, size_t *size);

/* Is @text the whole content? */
#define sysfs_is(text, ...)	sysfs_is_path(text, xasprintf(__VA_ARGS__))
bool sysfs_is_path(const char *text, char *path);

/* A number from 0 to INT_MAX, or -1 and errno (EINVAL: not a number). */
#define sysfs_read_long(...)	sysfs_read_long_path(xasprintf(__VA_ARGS__))
long sysfs_read_long_path(char *path);

/* A single write. Returns 0 or an errno value. */
#define sysfs_write(text, ...)	sysfs_write_path(text, xasprintf(__VA_ARGS__))
int sysfs_write_path(const char *text, char *path);

/* Target of a symbolic link, or NULL and errno. */
#define sysfs_link(...)		sysfs_link_path(xasprintf(__VA_ARGS__))
char *sysfs_link_path(char *path);

/* The last component of the target, such as a driver's name, or NULL. */
#define sysfs_link_name(...)	sysfs_link_name_path(xasprintf(__VA_ARGS__))
char *sysfs_link_name_path(char *path);

/* All entries of a directory except hidden files. */
#define sysfs_entries(...)	sysfs_names_path("", false, xasprintf(__VA_ARGS__))
/* Entries whose names begin with a prefix and a digit. */
#define sysfs_children(prefix, ...) sysfs_names_path(prefix, true, xasprintf(__VA_ARGS__))
struct names sysfs_names_path(const char *prefix, bool number, char *dir);

#define sysfs_exists(...)	sysfs_exists_path(xasprintf(__VA_ARGS__))
bool sysfs_exists_path(char *path);

/* The largest NR_CPUS of this architecture. */
#define CPUS_MAX 8192u

/* A set of up to CPUS_MAX CPUs: words for CPU_SET_S(3) and the like. */
struct cpus {
	unsigned long word[CPUS_MAX / 8 / sizeof(long)];
};

#define CPUS_SET(c)		((cpu_set_t *)(c)->word)

/* Parses "0-3,8". False and an empty set for any other text, or for a number from CPUS_MAX on. */
bool cpus_parse(struct cpus *c, const char *list);

/* The set in a file; empty if the file cannot be read. */
#define cpus_read(...)	cpus_read_path(xasprintf(__VA_ARGS__))
struct cpus cpus_read_path(char *path);

#define cpus_has(c, cpu)	CPU_ISSET_S(cpu, sizeof(*(c)), CPUS_SET(c))
#define cpus_count(c)		((unsigned int)CPU_COUNT_S(sizeof(*(c)), CPUS_SET(c)))

#define cpus_add(c, cpu)	CPU_SET_S(cpu, sizeof(*(c)), CPUS_SET(c))
#define cpus_join(c, other) \
	CPU_OR_S(sizeof(*(c)), CPUS_SET(c), CPUS_SET(c), CPUS_SET(other))

#define cpus_intersect(c, other) \
	CPU_AND_S(sizeof(*(c)), CPUS_SET(c), CPUS_SET(c), CPUS_SET(other))

/* The first CPU of a set from @from on, or CPUS_MAX if there is none. */
unsigned int cpus_next(const struct cpus *c, unsigned int from);

#define for_each_cpu(cpu, set) \
	for (unsigned int cpu = cpus_next(set, 0); cpu < CPUS_MAX; \
	     cpu = cpus_next(set, cpu + 1))

/* Adds "0-3,8", or nothing for an empty set. */
void cpus_add_text(struct text *t, const struct cpus *c);

/* Clock, programs and perf events of the running host; pmonctl-test has a fake host.c. */

/* open(2) of an absolute path, close-on-exec; never creates a file. */
int host_open(const char *path, int flags);

/* May this process load modules? */
bool host_may_change(void);

/* False only for the files of a test in which nothing changes between two reads. */
bool clock_runs(void);

/* Nanoseconds of CLOCK_MONOTONIC. */
long long clock_ns(void);
#define clock_ms()	(clock_ns() / 1000000)
/* Nanoseconds of CLOCK_BOOTTIME, the clock of the driver's records; 0: not known. */
long long clock_boot_ns(void);

/* Sleeps; a caught signal ends the sleep. */
void clock_pause_ms(long long ms);

/* Sleeps until @fd can be read (true), or @ms have passed or a signal is caught (false). */
bool clock_wait_ms(int fd, long long ms);

/* Runs a program and waits for its end; NULL ends @words. True for status 0. */
bool program_run(const char *const words[]);

/* The kernel's log, or NULL */
char *kernel_log(void);

#define GROUP_OTHERS 3

/* Count, enabled and running time of an event or of a group's leader; counts of the others. */
struct count {
	uint64_t value, enabled_ns, running_ns, other[GROUP_OTHERS];
};

/*
 * A CPU for count_open(): this process on any CPU. The event is off here, and on in children that
 * inherit it, from the time they run another program on.
 */
#define CPU_OF_JOB (~0U)

/* Opens an event, in @leader's group or alone (-1). Returns a descriptor, or -1 and errno. */
int count_open(long type, const uint64_t config[3], unsigned int cpu, int leader);
bool count_read(int fd, struct count *c);

/* Enables or disables an event. A disabled one needs no counter; enabling clears errors. */
void count_switch(int fd, bool on);

/* Raises the limit of open files, which the boxes and modules of a server exceed. */
void descriptors_allow(void);

/* Records signals that would end the process. @for_job: leaves Ctrl-C and Ctrl-\ to the job. */
void signals_catch(bool for_job);
bool signals_stopped(void);

/* Blocks signals that would end pmonctl or the programs it runs, so no step ends half-way. */
void signals_hold(void);

/* A job; its descendants become children of pmonctl when their parents end. */
struct child {
	pid_t pid;		/* 0: none */
	bool ended;
	long long cpu_ns;	/* in total, after the end */
};

/* Starts a job. Returns 0, or an error as env(1) does: 127 not found, 126 cannot run. */
int child_start(struct child *c, char **words);

/* Waits for @ms or for the end of the job; passes recorded signals to the job. */
void child_wait(struct child *c, long long ms);

/* Returns the exit status of the job, or 128 plus the signal that ended it. */
int child_end(struct child *c);

/* Names and PIDs of other processes with open perf events, as far as /proc shows them. */
char *holders_names(void);

enum module_state {
	MODULE_ABSENT,		/* not loaded */
	MODULE_LOADED,
	MODULE_BUILT_IN,	/* cannot be unloaded */
};

#define OWN_MODULES 6

enum module_state module_state(const char *name);

extern const char *const own_modules[OWN_MODULES];

/* Version of a loaded module, "unknown" before 0.9; NULL if not loaded. */
char *module_version(const char *name);

/* Versions of our loaded modules, "0.9.0" or "0.9.0, 0.10.0"; NULL: none is loaded. */
char *own_versions(void);

/* Users of a module, such as open perf events; 0 when not loaded. */
long module_users(const char *name);

/* Kernel release, or NULL */
char *module_kernel(void);

/* The file that modprobe would load or, with @key, the field @key of modinfo(8); or NULL. */
char *module_value(const char *name, const char *key);
#define module_file(name)	module_value(name, NULL)
#define module_is_installed(name) (!!module_file(name))

/* Is a module neither loaded nor installed, where openpmon is installed for limits only? */
bool module_is_left_out(const char *name);

/* Does the module match a device's modalias? False if not installed. */
bool module_is_for(const char *name, const char *device);

/* True if an uncompressed file has no signature at its end; the signer is not checked. */
bool module_is_unsigned(const char *file);

/* Strikes for failed boots: a file "KERNEL VERSION" has their number and the time of the last. */
#define STRIKES "/var/lib/openpmon/strikes"

/* Unix time until which openpmon.service does not load @key, "KERNEL VERSION"; 0: not barred. */
long long strikes_until(const char *key);

/* The version that the service does not load on the running kernel after strikes, or NULL. */
char *version_out(void);

/* A command or NULL, and a text that goes on, or stands alone. */
struct remedy {
	/* For anybody; for root; for root, unless openpmon's modules are kept out. */
	enum { REMEDY_ANY, REMEDY_ROOT, REMEDY_OURS } kind;
	const char *command, *text;
	bool is_barred;		/* by remedy_now() */
};

#define NOTHING			((struct remedy){ .command = NULL })
#define TELL(words)		((struct remedy){ .text = words })
#define SHOW(words, rest)	((struct remedy){ REMEDY_ANY, words, rest, false })
#define RUN(words, rest)	((struct remedy){ REMEDY_ROOT, words, rest, false })
#define OURS(words, rest)	((struct remedy){ REMEDY_OURS, words, rest, false })

/* The remedy that is possible now on this host; every remedy passes through here. */
struct remedy remedy_now(struct remedy r);
/* Command and text, or NULL. */
char *remedy_text(struct remedy r);
/* The end of a message: "try: COMMAND", or why there is nothing to try. */
char *remedy_try(struct remedy r);
/* Loads modules, or installs those of a kernel, by packages or from sources. */
struct remedy remedy_load(const char *modules);
struct remedy remedy_install(const char *kernel);
bool has_dpkg(void);

/* Run modprobe, rmmod, or insmod (with a parameter, without dependencies). True for success. */
#define module_load(name)	module_run("modprobe", name, NULL)
#define module_remove(name)	module_run("rmmod", name, NULL)
bool module_insert(const char *name, const char *parameter);
bool module_run(const char *program, const char *module, const char *parameter);

#endif
