// SPDX-License-Identifier: GPL-2.0-only
/* CPUs come and go, one at a time and whole packages; the first CPU stays. */
#include <stdio.h>
#include <unistd.h>

#include "host.h"

#define MAX_CPUS	64

static int package_of[MAX_CPUS];
static unsigned int nr_cpus;

/* While all are online: who is not tells nothing of its place. */
void cpus_setup(void)
{
	char text[16];
	unsigned int n = sysconf(_SC_NPROCESSORS_CONF), package;

	for (nr_cpus = 0; nr_cpus < n && nr_cpus < MAX_CPUS; nr_cpus++) {
		if (!read_text(text, sizeof(text),
			       CPUS "/cpu%u/topology/physical_package_id",
			       nr_cpus) || sscanf(text, "%u", &package) != 1)
			break;
		package_of[nr_cpus] = package;
	}
}

static bool set_online(unsigned int cpu, bool online)
{
	return write_text(online ? "1" : "0", CPUS "/cpu%u/online", cpu);
}

/* All packages: -1 */
static void set_package(int package, bool online)
{
	unsigned int cpu;

	for (cpu = 1; cpu < nr_cpus; cpu++)
		if (package < 0 || package_of[cpu] == package)
			set_online(cpu, online);
}

void cpus_all_online(void)
{
	set_package(-1, true);
}

static unsigned int random_cpu(struct me *me)
{
	return 1 + rng_below(&me->rng, nr_cpus - 1);
}

static bool op_one(struct me *me)
{
	unsigned int cpu = random_cpu(me);
	bool online = rng_odds(&me->rng, 50);

	doing(me, "CPU %u %s", cpu, online ? "on" : "off");
	return did(me, set_online(cpu, online) ? 0 : -1);
}

static bool op_blink(struct me *me)
{
	unsigned int cpu = random_cpu(me);

	doing(me, "CPU %u off and on", cpu);
	set_online(cpu, false);
	nap_us(rng_below(&me->rng, 20000));
	return did(me, set_online(cpu, true) ? 0 : -1);
}

static bool op_package(struct me *me)
{
	int package = package_of[random_cpu(me)];

	doing(me, "package %d off", package);
	set_package(package, false);
	did(me, 0);
	nap_us(rng_below(&me->rng, 100000));
	if (rng_odds(&me->rng, 30))
		return true;
	doing(me, "package %d on", package);
	set_package(package, true);
	return did(me, 0);
}

static bool op_all_on(struct me *me)
{
	doing(me, "all CPUs on");
	cpus_all_online();
	return did(me, 0);
}

struct op hotplug_ops[] = {
	{ "cpu", 6, op_one }, { "cpu-blink", 6, op_blink },
	{ "package", 2, op_package }, { "all-cpus", 3, op_all_on },
	{ }
};
