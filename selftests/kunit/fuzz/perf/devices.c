// SPDX-License-Identifier: GPL-2.0-only
/*
 * Devices lose their drivers and get them again, functions are removed and
 * found again. What the guest itself lives on stays.
 */
#include "fuzz.h"

#define MAX_FUNCTIONS	64
#define AUXILIARY	"/sys/bus/auxiliary"
#define POWER		"/sys/module/power/parameters/set"
/* The function with the tables, whose driver is the kernel's. */
#define TABLES		0x09a7
#define TABLES_DRIVER	PCI "/drivers/intel_vsec"

static struct function {
	char name[24];
	bool tables;
} functions[MAX_FUNCTIONS];

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
	struct function *f;
	const char *name;
	glob_t g;
	size_t i;

	if (glob(PCI "/devices/*", 0, NULL, &g))
		return;
	for (i = 0; i < g.gl_pathc && nr_functions < MAX_FUNCTIONS; i++) {
		name = strrchr(g.gl_pathv[i], '/') + 1;
		if (!is_ours(name))
			continue;
		f = &functions[nr_functions++];
		snprintf(f->name, sizeof(f->name), "%.23s", name);
		f->tables = number(name, "device") == TABLES;
	}
	globfree(&g);
}

static const char *random_function(bool tables)
{
	const struct function *f;
	unsigned int tries;

	for (tries = 0; nr_functions && tries < 200; tries++) {
		f = &functions[below(nr_functions)];
		if (f->tables == tables)
			return f->name;
	}
	return "0000:00:03.1";
}

static long op_bind(void)
{
	const char *name = random_function(true);

	doing("unbind and bind %s", name);
	write_text(name, TABLES_DRIVER "/unbind");
	nap_us(below(50000));
	return put_text(name, TABLES_DRIVER "/bind");
}

/*
 * Asleep by runtime PM, as if the driver permitted that (selftests/guest/modules/power.c):
 * drivers can prevent that, and no access is right then, unlike after the d3 of hardware.c.
 */
static long op_asleep(void)
{
	const char *name = random_function(true);
	char text[32];

	doing("%s asleep and awake", name);
	snprintf(text, sizeof(text), "%s %ums", name, below(100));
	return put_text(text, POWER);
}

/* A device of the auxiliary bus that TPMI or ours are the driver of. */
static long op_bind_auxiliary(void)
{
	const char *driver, *name;
	char path[128];

	if (!random_path(path, sizeof(path), AUXILIARY "/devices/{*.tpmi-plr,*.tpmi.}*"))
		return -1;
	name = strrchr(path, '/') + 1;
	driver = strstr(name, ".tpmi-plr") ? "pmon_plr.plr" : "intel_vsec_tpmi";
	doing("unbind and bind %s", name);
	write_text(name, AUXILIARY "/drivers/%s/unbind", driver);
	nap_us(below(50000));
	return put_text(name, AUXILIARY "/drivers/%s/bind", driver);
}

/* Given to nobody or to a driver for virtual machines, and back. */
static long op_override(void)
{
	const char *name = random_function(odds(60));

	doing("driver_override of %s", name);
	write_text("pci-stub", PCI "/devices/%s/driver_override", name);
	write_text(name, TABLES_DRIVER "/unbind");
	write_text(name, PCI "/drivers_probe");
	nap_us(below(50000));
	write_text("\n", PCI "/devices/%s/driver_override", name);
	write_text(name, PCI "/drivers/pci-stub/unbind");
	return put_text(name, PCI "/drivers_probe");
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

static long op_remove(void)
{
	const char *name = random_function(odds(40));

	doing("remove %s", name);
	return put_text("1", PCI "/devices/%s/remove", name);
}

static long op_rescan(void)
{
	long ret;

	doing("rescan");
	while (!devices_hold() && !shared->stop)
		nap_us(5000);
	ret = put_text("1", PCI "/rescan");
	devices_release();
	return ret;
}

static long op_remove_and_rescan(void)
{
	op_remove();
	nap_us(below(50000));
	return op_rescan();
}

/*
 * Of a function that vanished while it was found the kernel knows what it had
 * read until then: one of its three BARs, say. It has to be found again. One that
 * had vanished while it was bound may have a driver that found half of what there
 * is, and the kernel may take it for asleep (D3cold) ever since it could not wake
 * it: enabling a device goes on in spite of that.
 */
void devices_restore(void)
{
	const struct function *f;

	for (f = functions; f < functions + nr_functions; f++)
		if (shared->half_known && f->tables)
			write_text("1", PCI "/devices/%s/remove", f->name);
	write_text("1", PCI "/rescan");
	for (f = functions; f < functions + nr_functions; f++) {
		write_text("\n", PCI "/devices/%s/driver_override", f->name);
		write_text(f->name, PCI "/drivers/pci-stub/unbind");
		if (!f->tables)
			continue;
		write_text(f->name, TABLES_DRIVER "/unbind");
		write_text(f->name, PCI "/drivers_probe");
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
