// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs come and go, one at a time and whole packages; the first CPU stays. What
 * limits rights is changed all the time, and NOBODY has few.
 */
#include <grp.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "events.h"

#define MAX_CPUS	64
#define SYSCTL		"/proc/sys/kernel/"

static int package_of[MAX_CPUS];
static unsigned int nr_cpus;

void host_setup(void)
{
	char text[16];

	/* While all are online: who is not tells nothing of its place. */
	while (nr_cpus < MAX_CPUS &&
	       read_text(text, sizeof(text), CPUS "/cpu%u/topology/physical_package_id",
			 nr_cpus))
		package_of[nr_cpus++] = atoi(text);
	/* An oops leaves locks behind: nothing would end any more. */
	write_text("1", SYSCTL "panic_on_oops");
	/* More samples only measure how slow an emulated CPU is. */
	write_text("2000", SYSCTL "perf_event_max_sample_rate");
	if (!switched_off("cgroup") && !mkdir(CGROUPS, 0755) &&
	    !mount("cgroup2", CGROUPS, "cgroup2", 0, NULL)) {
		mkdir(CGROUPS "/a", 0755);
		mkdir(CGROUPS "/b", 0755);
	}
}

void drop_rights(void)
{
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		_exit(2);
}

static long set_online(unsigned int cpu, bool online)
{
	return put_text(online ? "1" : "0", CPUS "/cpu%u/online", cpu);
}

/* All packages: -1 */
static long set_package(int package, bool online)
{
	unsigned int cpu;

	doing("package %d %s", package, online ? "on" : "off");
	for (cpu = 1; cpu < nr_cpus; cpu++)
		if (package < 0 || package_of[cpu] == package)
			set_online(cpu, online);
	return 0;
}

static unsigned int random_cpu(void)
{
	return 1 + below(nr_cpus - 1);
}

static long op_one(void)
{
	unsigned int cpu = random_cpu();
	bool online = odds(50);

	doing("CPU %u %s", cpu, online ? "on" : "off");
	return set_online(cpu, online);
}

static long op_blink(void)
{
	unsigned int cpu = random_cpu();

	doing("CPU %u off and on", cpu);
	set_online(cpu, false);
	nap_us(below(20000));
	return set_online(cpu, true);
}

static long op_package(void)
{
	int package = package_of[random_cpu()];

	set_package(package, false);
	nap_us(below(100000));
	return odds(30) ? 0 : set_package(package, true);
}

static long op_all_on(void)
{
	return set_package(-1, true);
}

/* The operation has the name of the limit. */
static long op_limit(void)
{
	static const struct {
		const char *name, *value[6];
	} limits[] = {
		{ "paranoid", { "-1", "0", "1", "2", "3", "4" } },
		{ "mlock_kb", { "0", "4", "516", "16384", "0", "4" } },
		{ "max_sample_rate", { "1000", "2000", "4000", "1000", "2000", "4000" } },
	};
	const char *value;
	unsigned int i = 0;

	while (strcmp(limits[i].name, me.op->name))
		i++;
	value = PICK(limits[i].value);
	doing("perf_event_%s %s", me.op->name, value);
	return put_text(value, SYSCTL "perf_event_%s", me.op->name);
}

/* The host as it was: what counts then is the drivers' own doing. */
static long op_restore(void)
{
	hardware_mend();
	set_package(-1, true);
	doing("devices bound");
	devices_restore();
	doing("restored");
	shared->stop = true;
	return put_text("2", SYSCTL "perf_event_paranoid");
}

struct op hotplug_ops[] = {
	{ "cpu", 6, op_one }, { "cpu-blink", 6, op_blink },
	{ "package", 2, op_package }, { "all-cpus", 3, op_all_on },
	{ }
};

struct op priv_ops[] = {
	{ "paranoid", 6, op_limit }, { "mlock_kb", 1, op_limit },
	{ "max_sample_rate", 1, op_limit },
	{ }
};

struct op end_ops[] = {
	{ "restore", 1, op_restore },
	{ }
};
