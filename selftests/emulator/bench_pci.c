// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model the bench: a PCI function through which the guest's "hw" controls the
 * models and reads the truth.  BAR 0 has three registers in the first page and
 * a text buffer behind them.  A command runs in the write to REG_RUN, so the
 * result is in the buffer when the guest continues.  BAR 2 shows the host's file
 * "files=PATH", an archive for the guest in addition to the boot image.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "pmon.h"
#include "bench.h"

#define TYPE_PMON_BENCH "pmon-bench"
OBJECT_DECLARE_SIMPLE_TYPE(PmonBench, PMON_BENCH)

#define BENCH_MAGIC	0x4e4f4d50	/* "PMON" */
#define BENCH_TEXT	0x1000		/* offset of the text */
#define BENCH_BYTES	0x100000
#define FILES_BYTES	0x4000000

#define REG_MAGIC	0x00	/* read: BENCH_MAGIC */
#define REG_RUN		0x08	/* write: length of the command in the text */
#define REG_LENGTH	0x10	/* read: length of the answer in the text */

struct PmonBench {
	PCIDevice parent;
	MemoryRegion bar, regs, text, window, files;
	GMappedFile *mapped;
	char *path;
	uint64_t length;
};

static void run(PmonBench *s, uint64_t length)
{
	char *text = memory_region_get_ram_ptr(&s->text);
	size_t room = BENCH_BYTES - BENCH_TEXT;
	g_autofree char *command = g_strndup(text, MIN(length, room - 1));
	GString *out = g_string_new(NULL);

	pmon_bench_run(command, out);
	/* The guest could not distinguish a truncated answer from a complete one. */
	if (out->len > room)
		g_string_printf(out, "error: an answer of %zu bytes is too long\n", out->len);
	s->length = out->len;
	memcpy(text, out->str, s->length);
	memory_region_set_dirty(&s->text, 0, s->length);
	g_string_free(out, true);
	pmon_log_flush();
}

static uint64_t regs_read(void *opaque, hwaddr off, unsigned int bytes)
{
	PmonBench *s = opaque;

	if (off == REG_MAGIC)
		return BENCH_MAGIC;
	return off == REG_LENGTH ? s->length : 0;
}

static void regs_write(void *opaque, hwaddr off, uint64_t val, unsigned int bytes)
{
	if (off == REG_RUN)
		run(opaque, val);
}

static const MemoryRegionOps regs_ops = {
	.read = regs_read,
	.write = regs_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 4, .max_access_size = 8 },
	.impl = { .min_access_size = 4, .max_access_size = 8 },
};

/* Map the file. A saved guest lacks it, so a restored guest has the file of the new run. */
static bool show_files(PmonBench *s, Error **errp)
{
	g_autoptr(GError) error = NULL;
	size_t bytes;

	memory_region_init(&s->window, OBJECT(s), "pmon-bench-window", FILES_BYTES);
	if (!s->path)
		return true;
	s->mapped = g_mapped_file_new(s->path, FALSE, &error);
	if (!s->mapped) {
		error_setg(errp, "pmon-bench: %s", error->message);
		return false;
	}
	bytes = ROUND_UP(g_mapped_file_get_length(s->mapped), 4096);
	if (!bytes || bytes > FILES_BYTES) {
		error_setg(errp, "pmon-bench: %s is empty or has more than %d MiB",
			   s->path, FILES_BYTES >> 20);
		return false;
	}
	memory_region_init_ram_ptr(&s->files, OBJECT(s), "pmon-bench-files", bytes,
				   g_mapped_file_get_contents(s->mapped));
	memory_region_set_readonly(&s->files, true);
	memory_region_add_subregion(&s->window, 0, &s->files);
	return true;
}

/* Write the machine's configuration dwords to QEMU's own host bridge. */
static void fill_host_bridge(PCIDevice *bench)
{
	PCIDevice *bridge = pci_find_device(pci_get_bus(bench), 0, 0);
	unsigned int i;

	for (i = 0; i < pmon_machine->configs->len; i++) {
		struct pmon_config *c = &g_array_index(pmon_machine->configs,
						       struct pmon_config, i);

		if (bridge && !c->bus && !c->devfn)
			pci_set_long(bridge->config + c->at, c->value);
	}
}

static void bench_realize(PCIDevice *p, Error **errp)
{
	PmonBench *s = PMON_BENCH(p);

	if (!pmon_machine) {
		error_setg(errp, "pmon-bench needs -device pmon-server first");
		return;
	}
	fill_host_bridge(p);
	memory_region_init(&s->bar, OBJECT(s), "pmon-bench", BENCH_BYTES);
	memory_region_init_io(&s->regs, OBJECT(s), &regs_ops, s, "pmon-bench-regs",
			      BENCH_TEXT);
	memory_region_init_ram(&s->text, OBJECT(s), "pmon-bench-text",
			       BENCH_BYTES - BENCH_TEXT, &error_fatal);
	memory_region_add_subregion(&s->bar, 0, &s->regs);
	memory_region_add_subregion(&s->bar, BENCH_TEXT, &s->text);
	pci_register_bar(p, 0, 0, &s->bar);
	if (show_files(s, errp))
		pci_register_bar(p, 2, 0, &s->window);
}

static const Property bench_properties[] = {
	DEFINE_PROP_STRING("files", PmonBench, path),
};

/* QEMU saves the text buffer as memory; there is no other state between commands. */
static const VMStateDescription bench_state = {
	.name = "pmon-bench",
	.fields = (const VMStateField[]) {
		VMSTATE_PCI_DEVICE(parent, PmonBench),
		VMSTATE_END_OF_LIST()
	}
};

static void bench_class_init(ObjectClass *klass, void *data)
{
	PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);

	k->realize = bench_realize;
	k->vendor_id = PCI_VENDOR_ID_REDHAT;
	k->device_id = 0x0b3c;
	k->class_id = PCI_CLASS_OTHERS;
	DEVICE_CLASS(klass)->vmsd = &bench_state;
	device_class_set_props(DEVICE_CLASS(klass), bench_properties);
}

static const TypeInfo bench_info = {
	.name = TYPE_PMON_BENCH,
	.parent = TYPE_PCI_DEVICE,
	.instance_size = sizeof(PmonBench),
	.class_init = bench_class_init,
	.interfaces = (InterfaceInfo[]) { { INTERFACE_CONVENTIONAL_PCI_DEVICE }, { } },
};

static void bench_register(void)
{
	type_register_static(&bench_info);
}

type_init(bench_register)
