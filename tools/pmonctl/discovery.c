// SPDX-License-Identifier: GPL-2.0-only
/* Reads units, rejected units and domains from /sys/class/pmon. */
#include <ctype.h>

#include "hardware.h"

static void unreadable(struct machine *m, const char *dir, const char *file)
{
	if (!m->quiet)
		complain_file(xasprintf(CLASS_DIR "/%s/%s", dir, file), errno);
	m->degraded = true;
}

/* The text of a file, or NULL after a message. */
static char *read_text(struct machine *m, const char *dir, const char *file)
{
	char *text = sysfs_read(CLASS_DIR "/%s/%s", dir, file);

	if (!text)
		unreadable(m, dir, file);
	return text;
}

/* Splits a line at spaces into at most @max words; the last takes the rest. */
static size_t split(const char *line, char **const word[], size_t max)
{
	char *save, *rest = xstrdup(line);

	for (size_t n = 0; n < max; n++) {
		char *one = strtok_r(n ? NULL : rest, n + 1 == max ? "" : " ", &save);

		if (!one)
			return n;
		*word[n] = one;
	}
	return max;
}

static bool number(const char *s, unsigned int *value)
{
	long long v;
	bool good = number_parse(s, 0, UINT32_MAX, &v);

	*value = (unsigned int)v;
	return good;
}

/* A unit has twelve columns; drivers before 0.9 have nine. */
static bool parse_unit(struct machine *m, const char *line)
{
	const size_t device = m->devices - 1;
	struct unit u = { .device = device, .package = m->device[device].package };
	char *type = NULL, *id = NULL, *width = NULL, *other;
	char **const words[] = {
		&type, &u.name, &id, &u.access, &u.address, &u.counters, &width, &u.pmu, &u.owner,
		&other, &other, &u.stack, &other,
	};

	if (split(line, words, sizeof(words) / sizeof(*words)) < 9 || !number(type, &u.type) ||
	    !number(id, &u.id) || !number(width, &u.width))
		return false;
	u.kind = xasprintf("%u %u %s %s %s %s", u.type, u.width, u.name, u.access, u.counters,
			   u.owner);
	append(m->unit, m->units, u);
	return true;
}

static bool parse_reject(struct machine *m, const char *line)
{
	struct reject r = { .device = m->devices - 1, .reason = "" };
	char **const words[] = { &r.type, &r.id, &r.field, &r.value, &r.reason };
	const size_t most = sizeof(words) / sizeof(*words);

	/* The reason may be missing. */
	if (split(line, words, most) < most - 1)
		return false;
	append(m->reject, m->rejects, r);
	return true;
}

static bool read_lines(struct machine *m, const char *dir, const char *file,
		       bool (*parse)(struct machine *m, const char *line))
{
	char *text = read_text(m, dir, file);

	for_each_line(line, text) {
		if (parse(m, line))
			continue;
		m->degraded = true;
		if (!m->quiet)
			complain(CLASS_DIR "/%s/%s: line not understood: \"%s\"; is pmonctl of the "
				 "same version as the modules?", dir, file, line);
	}
	return text;
}

static char *read_word(struct machine *m, const char *dir, const char *file)
{
	char *text = read_text(m, dir, file);

	return text ? text : xstrdup("?");
}

static long read_number(struct machine *m, const char *dir, const char *file)
{
	long v = sysfs_read_long(CLASS_DIR "/%s/%s", dir, file);

	if (v < 0)
		unreadable(m, dir, file);
	return v;
}

static void read_device(struct machine *m, const char *name)
{
	struct device d = { .name = xstrdup(name) };

	d.package = read_number(m, name, "package_id");
	d.owner = read_word(m, name, "owner");
	d.fingerprint = read_word(m, name, "fingerprint");
	d.mode = read_word(m, name, "mode");
	d.platform = read_word(m, name, "platform");
	append(m->device, m->devices, d);
	m->device[m->devices - 1].unread = !read_lines(m, name, "units", parse_unit);
	m->unread |= m->device[m->devices - 1].unread;
	read_lines(m, name, "rejected", parse_reject);
}

static void read_domain(struct machine *m, const char *name)
{
	struct domain d = { .name = xstrdup(name) };
	struct names cores FREED = sysfs_children("core", CLASS_DIR "/%s/plr", name);

	d.package = read_number(m, name, "package_id");
	d.id = read_number(m, name, "domain_id");
	/* The name of a domain needs both numbers. */
	if (d.package < 0 || d.id < 0)
		return;
	d.cpus = read_word(m, name, "cpus");
	d.module = xcalloc(cores.count, sizeof(*d.module));
	for (size_t i = 0; i < cores.count; i++)
		if (number(cores.name[i] + strlen("core"), &d.module[d.modules]))
			d.modules++;
	append(m->domain, m->domains, d);
}

static void read_tpmi(struct machine *m, const char *name)
{
	struct tpmi t = { .name = xstrdup(name) };

	t.package = read_number(m, name, "package_id");
	t.mode = read_word(m, name, "mode");
	append(m->tpmi, m->tpmis, t);
}

static void for_each(struct machine *m, const char *kind,
		     void (*take)(struct machine *m, const char *name))
{
	for_each_name(name, sysfs_children("pkg", CLASS_DIR))
		if (strstr(name, kind))
			take(m, name);
}

void machine_read_limits(struct machine *m)
{
	for_each(m, "-tpmi", read_tpmi);
	for_each(m, "-dom", read_domain);
}

void machine_read_boxes(struct machine *m)
{
	for_each(m, "-uncore", read_device);
}

void machine_read(struct machine *m)
{
	machine_read_boxes(m);
	machine_read_limits(m);
}

bool is_numbered(const char *name, const char *stem)
{
	size_t len = strlen(stem);
	const char *number = name + len + 1;

	return !strncmp(name, stem, len) && name[len] == '_' && *number &&
	       !number[strspn(number, "0123456789")];
}

struct owners machine_owners(const struct machine *m)
{
	struct owners o = { 0 };

	for_each_item(u, m->unit, m->units) {
		o.undriven += !strcmp(u->owner, "-");
		o.served += !strcmp(u->owner, "openpmon");
		o.foreign += unit_is_foreign(u);
		o.driver = unit_is_foreign(u) ? u->owner : o.driver;
	}
	return o;
}

const struct mode *mode_find(const char *name)
{
	static const struct mode modes[] = {
		{ "observe", "the module was loaded with mode=observe", "mode=on" },
		{ "off", "the module was loaded with mode=off", "mode=on" },
		{ "unknown-model", "openpmon does not support this CPU model", "generic=1" },
		{ "hypervisor", "this is a virtual machine", "generic=1" },
		/* Also for unknown modes */
		{ "on", "the kernel log shows why", NULL },
	};
	const struct mode *m = modes;

	while (m->parameter && strcmp(m->name, name))
		m++;
	return m;
}

struct remedy mode_command(const char *mode, const char *module)
{
	const char *parameter = mode_find(mode)->parameter;

	return !parameter ? SHOW(xasprintf("dmesg | grep %s", module), NULL) :
	       OURS(xasprintf("rmmod %s && modprobe %s %s", module, module, parameter), NULL);
}

void machine_free(struct machine *m)
{
	free(m->tpmi);
	free(m->device);
	free(m->unit);
	free(m->reject);
	free(m->domain);
}

void json_rejected(const struct machine *m, size_t device)
{
	json_list("rejected")
		for_each_item(r, m->reject, m->rejects)
			if (r->device == device)
				json_element("type %s id %s field %s value %s reason %s", r->type,
					     r->id, r->field, r->value, r->reason);
}
