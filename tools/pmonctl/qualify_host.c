// SPDX-License-Identifier: GPL-2.0-only
#include "qualify_host.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "sysfs.h"
#include "table.h"
#include "timestamp.h"

#define DMI "/sys/class/dmi/id"

static void add(struct host *h, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void add(struct host *h, const char *name, const char *fmt, ...)
{
	struct text t = { NULL, 0 };
	va_list ap;

	va_start(ap, fmt);
	text_vadd(&t, fmt, ap);
	va_end(ap);
	h->line[h->count].name = name;
	h->line[h->count++].value = t.s;
}

/* A file, or "unknown" where there is none. */
static void add_file(struct host *h, const char *name, const char *path)
{
	char *value = sysfs_read("%s", path);

	add(h, name, "%s", value && *value ? value : "unknown");
	free(value);
}

/* Of the first CPU: "key\t: value". */
static void add_cpu(struct host *h, const char *cpuinfo, const char *key,
		    const char *name)
{
	const char *line = cpuinfo;
	size_t len = strlen(key);

	while (line && (strncmp(line, key, len) ||
			!strchr(" \t:", line[len]))) {
		line = strchr(line, '\n');
		line += line ? 1 : 0;
	}
	line = line ? strchr(line, ':') : NULL;
	if (!line) {
		add(h, name, "unknown");
		return;
	}
	line++;
	while (*line == ' ')
		line++;
	add(h, name, "%.*s", (int)strcspn(line, "\n"), line);
}

static void add_boxes(struct host *h, const struct machine *m)
{
	long packages = 0;

	for (size_t i = 0; i < m->devices; i++)
		if (m->device[i].package >= packages)
			packages = m->device[i].package + 1;
	add(h, "packages", "%ld", packages);
	add(h, "boxes", "%zu used, %zu rejected", m->units, m->rejects);
	add(h, "platform", "%s", m->devices ? m->device[0].platform : "unknown");
	add(h, "tables", "%zu, the first %s", m->devices,
	    m->devices ? m->device[0].fingerprint : "unknown");
}

void host_read(struct host *h, const struct machine *m)
{
	char *cpuinfo = sysfs_read("/proc/cpuinfo");
	char *now = timestamp();

	add(h, "time", "%s", now);
	add(h, "pmonctl", PMONCTL_VERSION);
	add_file(h, "kernel", "/proc/sys/kernel/osrelease");
	add_file(h, "vendor", DMI "/sys_vendor");
	add_file(h, "product", DMI "/product_name");
	add_file(h, "bios", DMI "/bios_version");
	add_cpu(h, cpuinfo, "model name", "cpu");
	add_cpu(h, cpuinfo, "cpu family", "family");
	add_cpu(h, cpuinfo, "model", "model");
	add_cpu(h, cpuinfo, "stepping", "stepping");
	add_cpu(h, cpuinfo, "microcode", "microcode");
	add_boxes(h, m);
	free(now);
	free(cpuinfo);
}

void host_print(const struct host *h)
{
	struct table t;

	table_start(&t, 2);
	for (size_t i = 0; i < h->count; i++) {
		table_cell(&t, "%s:", h->line[i].name);
		table_cell(&t, "%s", h->line[i].value);
	}
	table_print(&t);
}

void host_json(const struct host *h)
{
	json_open("host", '{');
	for (size_t i = 0; i < h->count; i++)
		json_text(h->line[i].name, h->line[i].value);
	json_close('}');
}

void host_free(struct host *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->line[i].value);
	h->count = 0;
}
