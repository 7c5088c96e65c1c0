// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl dump: the processor, and where its CPUs are. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dump_cpu.h"
#include "output.h"
#include "sysfs.h"

#define CPUS "/sys/devices/system/cpu"

/* What the first line "key : value" of /proc/cpuinfo says, or NULL. */
static char *value_of(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = text; line && *line;) {
		const char *end = strchrnul(line, '\n');
		const char *at = line + len;

		if (!strncmp(line, key, len)) {
			while (at < end && isspace((unsigned char)*at))
				at++;
			if (at < end && *at == ':') {
				at += at + 1 < end && at[1] == ' ' ? 2 : 1;
				return xstrndup(at, (size_t)(end - at));
			}
		}
		line = *end ? end + 1 : NULL;
	}
	return NULL;
}

static void json_processor(void)
{
	static const char *const number[][2] = {
		{ "family", "cpu family" }, { "model", "model" },
		{ "stepping", "stepping" },
	};
	char *text = sysfs_read("/proc/cpuinfo");
	char *name = value_of(text, "model name");
	char *flags = value_of(text, "flags");

	json_open("cpu", '{');
	json_text("name", name);
	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++) {
		char *value = value_of(text, number[i][1]);

		if (value)
			json_number(number[i][0], strtol(value, NULL, 10));
		free(value);
	}
	json_flag("hypervisor", flags && strstr(flags, " hypervisor"));
	json_close('}');
	free(flags);
	free(name);
	free(text);
}

/* The number of the only entry "node3" of a directory, or -1. */
static long node_of(const char *cpu)
{
	struct text dir = { NULL, 0 };
	struct names nodes;
	long node = -1;

	text_add(&dir, CPUS "/%s", cpu);
	nodes = sysfs_children(dir.s, "node");
	text_free(&dir);
	if (nodes.count == 1)
		node = strtol(nodes.name[0] + strlen("node"), NULL, 10);
	names_free(&nodes);
	return node;
}

void dump_cpus(void)
{
	static const char *const part[][2] = {
		{ "package", "physical_package_id" }, { "die", "die_id" },
		{ "core", "core_id" },
	};
	struct names cpus = sysfs_children(CPUS, "cpu");

	json_processor();
	json_open("cpus", '[');
	for (size_t i = 0; i < cpus.count; i++) {
		const char *cpu = cpus.name[i];

		/* A CPU that is offline has no topology. */
		if (sysfs_read_long(CPUS "/%s/topology/physical_package_id",
				    cpu) < 0)
			continue;
		json_open(NULL, '{');
		json_number("cpu", strtol(cpu + strlen("cpu"), NULL, 10));
		for (size_t j = 0; j < sizeof(part) / sizeof(*part); j++)
			json_known(part[j][0],
				   sysfs_read_long(CPUS "/%s/topology/%s", cpu,
						   part[j][1]));
		json_known("node", node_of(cpu));
		json_close('}');
	}
	json_close(']');
	names_free(&cpus);
}
