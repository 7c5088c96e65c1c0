// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl dump: what describes this hardware, in one file. The tables of
 * firmware are those that the modules have read and show; no register of a box
 * is read for it. selftests/machines/README.md has the format.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "discovery.h"
#include "dump_cpu.h"
#include "dump_pci.h"
#include "output.h"
#include "pmonctl.h"
#include "present.h"
#include "root.h"
#include "sysfs.h"

#define DMI "/sys/class/dmi/id"

/* More records than a discovery table can have, 24 bytes each. */
#define TABLE_MAX (24 * 1024)

/* False after a message: it was not read, or not completely. */
static bool json_table(const char *device)
{
	size_t size = 0;
	unsigned char *table = sysfs_read_bytes(TABLE_MAX + 1, &size,
						CLASS_DIR "/%s/table", device);
	struct text hex = { NULL, 0 };

	if (!table || size > TABLE_MAX) {
		int saved = table ? EFBIG : errno;
		char *path = root_path(CLASS_DIR "/%s/table", device);

		complain_file(path, saved);
		free(path);
		free(table);
		return false;
	}
	text_add(&hex, "%s", "");
	for (size_t i = 0; i < size; i++)
		text_add(&hex, "%02x", table[i]);
	json_text("table", hex.s);
	text_free(&hex);
	free(table);
	return true;
}

static void json_of(const char *device, long package, const char *at)
{
	char *function = at ? dump_function_of(at) : NULL;

	json_text("name", device);
	json_number("package", package);
	json_text("function", function);
	free(function);
}

/* The TPMI device of a package, if there is one alone. */
static const char *tpmi_of(const struct machine *m, long package)
{
	const char *name = NULL;

	for (size_t i = 0; i < m->tpmis; i++) {
		if (m->tpmi[i].package != package)
			continue;
		if (name)
			return NULL;
		name = m->tpmi[i].name;
	}
	return name;
}

/* Boxes that no table lists: what the platform has beside it. */
static void json_beside(const struct machine *m, size_t device)
{
	json_open("free_running", '[');
	for (size_t i = 0; i < m->units; i++) {
		const struct unit *u = &m->unit[i];

		if (u->device != device || !strstr(u->name, "free_running"))
			continue;
		json_open(NULL, '{');
		json_text("name", u->name);
		json_number("id", u->id);
		json_number("width", u->width);
		json_close('}');
	}
	json_close(']');
}

static bool dump_tables(const struct machine *m)
{
	bool complete = true;

	json_open("discovery", '[');
	for (size_t i = 0; i < m->devices; i++) {
		json_open(NULL, '{');
		json_of(m->device[i].name, m->device[i].package,
			m->device[i].name);
		json_text("platform", m->device[i].platform);
		complete = json_table(m->device[i].name) && complete;
		json_beside(m, i);
		json_rejected(m, i);
		json_close('}');
	}
	json_close(']');
	json_open("tpmi", '[');
	for (size_t i = 0; i < m->tpmis; i++) {
		const char *name = m->tpmi[i].name;

		json_open(NULL, '{');
		json_of(name, m->tpmi[i].package, name);
		json_known("partition",
			   sysfs_read_long(CLASS_DIR "/%s/partition", name));
		complete = json_table(name) && complete;
		json_close('}');
	}
	json_close(']');
	return complete;
}

static void json_modules(const struct domain *d)
{
	json_open("modules", '[');
	for (size_t i = 0; i < d->modules; i++) {
		char *cpus = sysfs_read(CLASS_DIR "/%s/plr/core%u/cpus",
					d->name, d->module[i]);

		json_open(NULL, '{');
		json_number("module", d->module[i]);
		json_text("cpus", cpus ? cpus : "");
		json_close('}');
		free(cpus);
	}
	json_close(']');
}

static void dump_domains(const struct machine *m)
{
	json_open("domains", '[');
	for (size_t i = 0; i < m->domains; i++) {
		const struct domain *d = &m->domain[i];
		struct text dir = { NULL, 0 };
		struct names meshes;
		char *version;

		text_add(&dir, CLASS_DIR "/%s/plr", d->name);
		meshes = sysfs_children(dir.s, "mesh");
		version = sysfs_read("%s/version", dir.s);
		text_free(&dir);
		json_open(NULL, '{');
		json_of(d->name, d->package, tpmi_of(m, d->package));
		json_number("domain", d->id);
		json_text("version", version);
		json_number("meshes", (long)meshes.count);
		json_modules(d);
		json_close('}');
		names_free(&meshes);
		free(version);
	}
	json_close(']');
}

static void json_file(const char *name, const char *path)
{
	char *text = sysfs_read("%s", path);

	if (text)
		json_text(name, text);
	free(text);
}

static void dump_host(bool redact)
{
	json_open("host", '{');
	if (!redact) {
		json_file("name", "/proc/sys/kernel/hostname");
		json_file("serial", DMI "/product_serial");
	}
	json_file("kernel", "/proc/sys/kernel/osrelease");
	json_file("vendor", DMI "/sys_vendor");
	json_file("product", DMI "/product_name");
	json_file("bios", DMI "/bios_version");
	json_close('}');
}

/* Only root reads tables, and without them there is nothing to send. */
static bool may_read(const struct machine *m)
{
	const char *name = m->devices ? m->device[0].name : m->tpmi[0].name;
	int fd = sysfs_open(CLASS_DIR "/%s/table", name);
	char *path;

	if (fd < 0) {
		int saved = errno;

		path = root_path(CLASS_DIR "/%s/table", name);
		complain_file(path, saved);
		free(path);
		return false;
	}
	close(fd);
	return true;
}

enum status cmd_dump(const struct options *opt)
{
	enum status status = STATUS_BROKEN;
	struct machine m = { 0 };

	machine_read(&m);
	if (!m.devices && !m.tpmis)
		return nothing_found(true);
	if (may_read(&m)) {
		json_open(NULL, '{');
		json_text("kind", "openpmon dump");
		json_number("format", 1);
		json_text("pmonctl", PMONCTL_VERSION);
		dump_host(opt->redact);
		dump_cpus();
		dump_pci();
		if (!dump_tables(&m))
			m.degraded = true;
		dump_domains(&m);
		json_close('}');
		status = m.degraded ? STATUS_DEGRADED : STATUS_FINE;
	}
	machine_free(&m);
	return status;
}
