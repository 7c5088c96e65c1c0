// SPDX-License-Identifier: GPL-2.0-only
/*
 * Devices lose their drivers and get them again, functions are removed and
 * found again. What the guest itself lives on stays.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#define MAX_FUNCTIONS	64
#define AUXILIARY	"/sys/bus/auxiliary"
#define POWER		"/sys/module/power/parameters/set"
/* The function with the tables, whose driver is the kernel's. */
#define TABLES		0x09a7
#define TABLES_DRIVER	"intel_vsec"

struct function {
	char name[24];
	bool tables;
};

static struct function functions[MAX_FUNCTIONS];
static unsigned int nr_functions;

static unsigned int number(const char *device, const char *file)
{
	char text[32];

	if (!read_text(text, sizeof(text), PCI "/devices/%s/%s", device, file))
		return 0;
	return strtoul(text, NULL, 0);
}

/* Registers of the processor: not what the guest boots from, no bridge. */
static bool is_ours(const char *name)
{
	unsigned int device = number(name, "device");

	if (number(name, "vendor") != 0x8086 || number(name, "class") >> 16 == 6)
		return false;
	return strncmp(name, "0000:00:", 8) || (device & ~0x7u) == 0x09a0;
}

void devices_setup(void)
{
	DIR *d = opendir(PCI "/devices");
	struct dirent *e;

	while (d && (e = readdir(d)) && nr_functions < MAX_FUNCTIONS) {
		struct function *f = &functions[nr_functions];

		if (e->d_name[0] == '.' || !is_ours(e->d_name))
			continue;
		snprintf(f->name, sizeof(f->name), "%.23s", e->d_name);
		f->tables = number(e->d_name, "device") == TABLES;
		nr_functions++;
	}
	if (d)
		closedir(d);
}

static const char *random_function(struct me *me, bool tables)
{
	unsigned int tries = 200;

	while (nr_functions && tries--) {
		struct function *f = &functions[rng_below(&me->rng,
							  nr_functions)];

		if (f->tables == tables)
			return f->name;
	}
	return "0000:00:03.1";
}

static bool op_bind(struct me *me)
{
	const char *name = random_function(me, true);

	doing(me, "unbind and bind %s", name);
	write_text(name, PCI "/drivers/" TABLES_DRIVER "/unbind");
	nap_us(rng_below(&me->rng, 50000));
	return did(me, write_text(name, PCI "/drivers/" TABLES_DRIVER "/bind") - 1);
}

/*
 * Asleep as by its driver (selftests/guest/modules/power.c): drivers can see that, and
 * no access is right then, unlike after the d3 of hardware.c.
 */
static bool op_asleep(struct me *me)
{
	const char *name = random_function(me, true);
	char text[32];

	doing(me, "%s asleep and awake", name);
	snprintf(text, sizeof(text), "%s D3", name);
	if (!write_text(text, POWER))
		return did(me, -1);
	nap_us(rng_below(&me->rng, 100000));
	snprintf(text, sizeof(text), "%s D0", name);
	return did(me, write_text(text, POWER) - 1);
}

/* A device of the auxiliary bus that TPMI or ours are the driver of. */
static bool is_tpmi(const char *name)
{
	return strstr(name, ".tpmi-plr") || strstr(name, ".tpmi.");
}

static bool op_bind_auxiliary(struct me *me)
{
	char name[64];
	const char *driver;
	bool good;

	if (!random_name(&me->rng, AUXILIARY "/devices", is_tpmi, name, sizeof(name)))
		return false;
	driver = strstr(name, ".tpmi-plr") ? "pmon_plr.plr" : "intel_vsec_tpmi";
	doing(me, "unbind and bind %s", name);
	write_text(name, AUXILIARY "/drivers/%s/unbind", driver);
	nap_us(rng_below(&me->rng, 50000));
	good = write_text(name, AUXILIARY "/drivers/%s/bind", driver);
	return did(me, good ? 0 : -1);
}

/* Given to nobody or to a driver for virtual machines, and back. */
static bool op_override(struct me *me)
{
	const char *name = random_function(me, rng_odds(&me->rng, 60));

	doing(me, "driver_override of %s", name);
	write_text("pci-stub", PCI "/devices/%s/driver_override", name);
	write_text(name, PCI "/drivers/" TABLES_DRIVER "/unbind");
	write_text(name, PCI "/drivers_probe");
	nap_us(rng_below(&me->rng, 50000));
	write_text("\n", PCI "/devices/%s/driver_override", name);
	write_text(name, PCI "/drivers/pci-stub/unbind");
	return did(me, write_text(name, PCI "/drivers_probe") - 1);
}

/* False: another worker has them: they must not be scanned or vanish. */
bool devices_hold(void)
{
	return !__atomic_exchange_n(&shared->held, true, __ATOMIC_ACQUIRE);
}

void devices_release(void)
{
	__atomic_store_n(&shared->held, false, __ATOMIC_RELEASE);
}

static bool op_remove(struct me *me)
{
	const char *name = random_function(me, rng_odds(&me->rng, 40));

	doing(me, "remove %s", name);
	return did(me, write_text("1", PCI "/devices/%s/remove", name) - 1);
}

static bool op_rescan(struct me *me)
{
	bool good;

	doing(me, "rescan");
	while (!devices_hold() && !shared->stop)
		nap_us(5000);
	good = write_text("1", PCI "/rescan");
	devices_release();
	return did(me, good ? 0 : -1);
}

static bool op_remove_and_rescan(struct me *me)
{
	op_remove(me);
	nap_us(rng_below(&me->rng, 50000));
	return op_rescan(me);
}

/*
 * A function that had vanished while it was bound may have a driver that found
 * half of what there is, and the kernel may take it for asleep (D3cold) ever
 * since it could not wake it: enabling a device goes on in spite of that.
 */
static void rebind(const char *name)
{
	write_text(name, PCI "/drivers/" TABLES_DRIVER "/unbind");
	write_text(name, PCI "/drivers_probe");
}

/*
 * Of a function that vanished while it was found the kernel knows what it had
 * read until then: one of its three BARs, say. It has to be found again.
 */
static void forget_half_known(void)
{
	unsigned int i;

	if (!shared->half_known)
		return;
	for (i = 0; i < nr_functions; i++)
		if (functions[i].tables)
			write_text("1", PCI "/devices/%s/remove",
				   functions[i].name);
	shared->half_known = false;
}

void devices_restore(void)
{
	unsigned int i;

	forget_half_known();
	write_text("1", PCI "/rescan");
	for (i = 0; i < nr_functions; i++) {
		write_text("\n", PCI "/devices/%s/driver_override",
			   functions[i].name);
		write_text(functions[i].name, PCI "/drivers/pci-stub/unbind");
		if (functions[i].tables)
			rebind(functions[i].name);
	}
}

struct op rebind_ops[] = {
	{ "bind", 5, op_bind }, { "bind-auxiliary", 6, op_bind_auxiliary },
	{ "override", 2, op_override }, { "asleep", 3, op_asleep },
	{ }
};

struct op rescan_ops[] = {
	{ "remove", 2, op_remove }, { "rescan", 2, op_rescan },
	{ "remove-and-rescan", 4, op_remove_and_rescan },
	{ }
};
