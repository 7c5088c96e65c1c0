// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of boxes, from user space: through msr(4), mem(4) and the files
 * "config" of PCI functions, each of which a kernel may refuse. Records of tables
 * are decoded here anew, so that this is no echo of the driver.
 */
#include "qualify_regs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "output.h"
#include "root.h"
#include "sysfs.h"

enum space { SPACE_MSR, SPACE_MMIO, SPACE_PCI };

struct reg {
	enum space kind;
	unsigned int cpu;		/* of the package */
	uint64_t address;
	unsigned int bytes;
	uint64_t value[READINGS];
	bool known[READINGS];
	char *unit;
};

#define RECORD 24
#define TABLE_MAX (RECORD * 1024)

static uint64_t quad(const unsigned char *p)
{
	uint64_t value = 0;

	for (int i = 7; i >= 0; i--)
		value = value << 8 | p[i];
	return value;
}

static void add(struct registers *r, const struct unit *u, enum space kind,
		unsigned int cpu, uint64_t address, unsigned int bytes)
{
	struct text name = { NULL, 0 };
	struct reg reg = {
		.kind = kind, .cpu = cpu, .address = address, .bytes = bytes,
	};

	text_add(&name, "%s %u", u->name, u->id);
	reg.unit = name.s;
	r->reg = xrealloc(r->reg, (r->count + 1) * sizeof(reg));
	r->reg[r->count++] = reg;
}

/* The three quadwords of a record, as intel_uncore has them (uncore_discovery.h). */
static void add_unit(struct registers *r, const struct unit *u,
		     unsigned int cpu, const unsigned char *record)
{
	uint64_t head = quad(record), control = quad(record + 8);
	unsigned int count = head & 0xff, controls = head >> 8 & 0xff;
	unsigned int counters = head >> 24 & 0xff;
	enum space kind = strcmp(u->access, "pci") ? SPACE_MMIO : SPACE_PCI;

	if (!strcmp(u->access, "msr")) {
		add(r, u, SPACE_MSR, cpu, control, 8);
		for (unsigned int i = 0; i < count; i++) {
			add(r, u, SPACE_MSR, cpu, control + controls + i, 8);
			add(r, u, SPACE_MSR, cpu, control + counters + i, 8);
		}
		return;
	}
	add(r, u, kind, cpu, control, 4);
	for (unsigned int i = 0; i < count; i++) {
		add(r, u, kind, cpu, control + controls + 4 * i, 4);
		add(r, u, kind, cpu, control + counters + 8 * i, 4);
		add(r, u, kind, cpu, control + counters + 8 * i + 4, 4);
	}
}

/* A CPU of the package: the first one that says so. */
static unsigned int cpu_of(long package)
{
	struct names cpus = sysfs_children("/sys/devices/system/cpu", "cpu");
	unsigned int found = 0;

	for (size_t i = 0; i < cpus.count; i++)
		if (sysfs_read_long("/sys/devices/system/cpu/%s/topology/"
				    "physical_package_id", cpus.name[i]) ==
		    package) {
			found = (unsigned int)strtoul(cpus.name[i] + 3, NULL, 10);
			break;
		}
	names_free(&cpus);
	return found;
}

static const struct unit *unit_of(const struct machine *m, size_t device,
				  uint64_t numbers)
{
	for (size_t i = 0; i < m->units; i++)
		if (m->unit[i].device == device &&
		    m->unit[i].type == (numbers & 0xffff) &&
		    m->unit[i].id == (numbers >> 16 & 0xffff))
			return &m->unit[i];
	return NULL;
}

/* Only units that the driver uses: others may be anywhere. */
static void find_in(struct registers *r, const struct machine *m, size_t device)
{
	size_t size = 0;
	unsigned int cpu = cpu_of(m->device[device].package);
	unsigned char *table = sysfs_read_bytes(TABLE_MAX, &size,
						CLASS_DIR "/%s/table",
						m->device[device].name);

	/* The file has record after record, however far apart they are. */
	for (size_t at = RECORD; table && at + RECORD <= size; at += RECORD) {
		const struct unit *u = unit_of(m, device, quad(table + at + 16));

		if (u)
			add_unit(r, u, cpu, table + at);
	}
	free(table);
}

void registers_find(struct registers *r, const struct machine *m)
{
	*r = (struct registers){ NULL, 0, 0, 0 };
	for (size_t i = 0; i < m->devices; i++)
		find_in(r, m, i);
}

static bool read_file(const char *path, uint64_t at, void *value, size_t bytes)
{
	int fd = root_open(path, O_RDONLY);
	bool good = fd >= 0 && pread(fd, value, bytes, (off_t)at) ==
		(ssize_t)bytes;
	int error = fd < 0 ? errno : EIO;

	if (fd >= 0)
		close(fd);
	errno = error;
	return good;
}

static bool read_msr(const struct reg *reg, uint64_t *value)
{
	struct text path = { NULL, 0 };
	bool good;

	text_add(&path, "/dev/cpu/%u/msr", reg->cpu);
	good = read_file(path.s, reg->address, value, 8);
	text_free(&path);
	return good;
}

static bool read_config(const struct reg *reg, uint64_t *value)
{
	struct text path = { NULL, 0 };
	uint32_t word = 0;
	bool good;

	text_add(&path, "/sys/bus/pci/devices/%04x:%02x:%02x.%x/config",
		 (unsigned int)(reg->address >> 28 & 7),
		 (unsigned int)(reg->address >> 20 & 0xff),
		 (unsigned int)(reg->address >> 15 & 0x1f),
		 (unsigned int)(reg->address >> 12 & 7));
	good = read_file(path.s, reg->address & 0xfff, &word, 4);
	*value = word;
	text_free(&path);
	return good;
}

/* Devices are read with as many bytes as the register has, through a mapping. */
static bool read_memory(const struct reg *reg, uint64_t *value)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	int fd = root_open("/dev/mem", O_RDONLY | O_SYNC);
	volatile uint32_t *at;
	void *map;

	if (fd < 0)
		return false;
	map = mmap(NULL, page, PROT_READ, MAP_SHARED, fd,
		   (off_t)(reg->address & ~(page - 1)));
	if (map != MAP_FAILED) {
		at = (volatile uint32_t *)((char *)map +
					   (reg->address & (page - 1) & ~3ULL));
		*value = *at;
		munmap(map, page);
	}
	close(fd);
	return map != MAP_FAILED;
}

void registers_read(struct registers *r, unsigned int reading)
{
	static bool (*const how[])(const struct reg *reg, uint64_t *value) = {
		[SPACE_MSR] = read_msr, [SPACE_MMIO] = read_memory,
		[SPACE_PCI] = read_config,
	};

	r->unread = 0;
	r->error = 0;
	for (size_t i = 0; i < r->count; i++) {
		struct reg *reg = &r->reg[i];

		reg->known[reading] = how[reg->kind](reg, &reg->value[reading]);
		if (reg->known[reading])
			continue;
		if (!r->unread++)
			r->error = errno;
	}
}

static bool was_read(const struct reg *reg)
{
	return reg->known[BEFORE] && reg->known[BEFORE_TOO] && reg->known[AFTER];
}

void registers_judge(const struct registers *r, struct verdicts *v)
{
	size_t equal = 0, moving = 0, unread = 0, changed = 0;
	const struct reg *first = NULL;

	for (size_t i = 0; i < r->count; i++) {
		const struct reg *reg = &r->reg[i];

		if (!was_read(reg))
			unread++;
		else if (reg->value[BEFORE] != reg->value[BEFORE_TOO])
			moving++;
		else if (reg->value[AFTER] == reg->value[BEFORE])
			equal++;
		else if (!changed++)
			first = reg;
	}
	if (first)
		verdict_add(v, FAILED, "registers", "%zu of %zu changed while "
			    "the module was loaded, the first at 0x%llx of %s: "
			    "0x%llx, then 0x%llx", changed, r->count,
			    (unsigned long long)first->address, first->unit,
			    (unsigned long long)first->value[BEFORE],
			    (unsigned long long)first->value[AFTER]);
	else
		verdict_add(v, equal ? PASSED : UNTESTED, "registers",
			    "%zu equal before and after a load of the module, "
			    "%zu move by themselves, %zu may not be read%s%s",
			    equal, moving, unread, unread ? ": " : "",
			    unread ? error_name(r->error) : "");
}

void registers_free(struct registers *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->reg[i].unit);
	free(r->reg);
	*r = (struct registers){ NULL, 0, 0, 0 };
}
