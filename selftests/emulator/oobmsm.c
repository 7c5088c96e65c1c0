// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model the out-of-band management function (8086:09a7): a DVSEC with the place of
 * the PMON discovery table, a VSEC with the place of the TPMI region, and the BARs
 * of table and region.  The unit BAR is in unit_bar.c.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/qdev-properties.h"
#include "hw/pci/pci_device.h"
#include "hw/pci/pcie.h"
#include "migration/vmstate.h"
#include "pmon.h"

#define TYPE_PMON_OOBMSM "pmon-oobmsm"
OBJECT_DECLARE_SIMPLE_TYPE(PmonOobmsm, PMON_OOBMSM)

struct PmonOobmsm {
	PCIDevice parent;
	uint32_t package, index;
	struct pmon_dev *dev;
	MemoryRegion table, tpmi, telemetry, rom;
	uint64_t bar_base[6];
	uint8_t *made;	/* configuration space of this machine, while QEMU loads a guest */
};

#define CAP_EXPRESS	0x80
#define CAP_POWER	0x60
#define ECAP_BYTES	0x10
#define ROM_BYTES	0x1000
#define PCI_EXT_ID_DVSEC	0x23
#define PCI_EXT_ID_VSEC		0x0b

static bool silent(PmonOobmsm *s)
{
	return s->dev->gone || pmon_sleeps(&s->parent);
}

/* Return the address of a BAR or, while unmapped, the last address. */
static uint64_t bar_base(PmonOobmsm *s, unsigned int bar)
{
	pcibus_t base = pci_get_bar_addr(&s->parent, bar);

	if (base != PCI_BAR_UNMAPPED)
		s->bar_base[bar] = base;
	return s->bar_base[bar];
}

static uint64_t table_qword(PmonOobmsm *s, uint64_t at)
{
	uint8_t moves;
	uint64_t v;

	if (at + 8 > s->dev->table_bytes)
		return 0;
	v = ldq_le_p(s->dev->table + at);
	moves = s->dev->table_moves[at / 8];
	if (moves == PMON_MOVES_UNITS)
		return v + pmon_unit_bar_base(s->dev);
	return moves ? v + bar_base(s, moves - 1) : v;
}

static uint64_t table_read(void *opaque, hwaddr off, unsigned int bytes)
{
	PmonOobmsm *s = opaque;
	uint64_t at = off - s->dev->table_offset;
	struct pmon_access a = {
		.class = PMON_TABLE, .bytes = bytes, .address = off,
		.where = "table", .dev = s->dev,
	};

	if (silent(s))
		return pmon_no_answer(s->dev, off, 0, bytes, false);
	if (off >= s->dev->table_offset)
		a.value = pmon_table_part(table_qword(s, at & ~7ull), at % 8,
					  bytes);
	pmon_account(&a);
	return a.value;
}

static void table_write(void *opaque, hwaddr off, uint64_t val, unsigned int bytes)
{
	struct pmon_access a = {
		.class = PMON_TABLE, .write = true, .bytes = bytes,
		.address = off, .value = val, .where = "table",
		.dev = PMON_OOBMSM(opaque)->dev,
	};

	if (silent(opaque)) {
		pmon_no_answer(PMON_OOBMSM(opaque)->dev, off, val, bytes, true);
		return;
	}
	pmon_account(&a);
	pmon_illegal(&a, "read-only register written");
}

static uint64_t tpmi_read(void *opaque, hwaddr off, unsigned int bytes)
{
	PmonOobmsm *s = opaque;

	if (silent(s))
		return pmon_no_answer(s->dev, off, 0, bytes, false);
	return pmon_tpmi_read(s->dev->tpmi, off, bytes);
}

static void tpmi_write(void *opaque, hwaddr off, uint64_t val, unsigned int bytes)
{
	PmonOobmsm *s = opaque;

	if (silent(s))
		pmon_no_answer(s->dev, off, val, bytes, true);
	else
		pmon_tpmi_write(s->dev->tpmi, off, val, bytes);
}

/* Read an empty PMT telemetry region: the header of 16 bytes is 0. */
static uint64_t telemetry_read(void *opaque, hwaddr off, unsigned int bytes)
{
	struct pmon_access a = {
		.class = PMON_OTHER, .bytes = bytes, .address = off,
		.where = "telemetry",
	};

	if (silent(opaque))
		return pmon_no_answer(PMON_OOBMSM(opaque)->dev, off, 0, bytes, false);
	pmon_account(&a);
	return 0;
}

static void telemetry_write(void *opaque, hwaddr off, uint64_t val,
			    unsigned int bytes)
{
	struct pmon_access a = {
		.class = PMON_OTHER, .write = true, .bytes = bytes,
		.address = off, .value = val, .where = "telemetry",
	};

	pmon_account(&a);
	pmon_illegal(&a, "read-only register written");
}

#define PMON_OPS(reader, writer) {					\
	.read = reader, .write = writer,				\
	.endianness = DEVICE_LITTLE_ENDIAN,				\
	.valid = { .min_access_size = 1, .max_access_size = 8 },	\
	.impl = { .min_access_size = 1, .max_access_size = 8 },		\
}

static const MemoryRegionOps table_ops = PMON_OPS(table_read, table_write);
static const MemoryRegionOps tpmi_ops = PMON_OPS(tpmi_read, tpmi_write);
static const MemoryRegionOps telemetry_ops = PMON_OPS(telemetry_read, telemetry_write);

static uint32_t config_read(PCIDevice *p, uint32_t off, int bytes)
{
	struct pmon_access a = {
		.class = PMON_CONFIG, .bytes = bytes, .where = "oobmsm",
		.address = pmon_config_address(p, off),
	};

	if (PMON_OOBMSM(p)->dev->gone)
		a.value = pmon_ones(bytes);
	else
		a.value = pci_default_read_config(p, off, bytes);
	pmon_account(&a);
	return a.value;
}

static void config_write(PCIDevice *p, uint32_t off, uint32_t val, int bytes)
{
	struct pmon_access a = {
		.class = PMON_CONFIG, .write = true, .bytes = bytes,
		.where = "oobmsm", .address = pmon_config_address(p, off), .value = val,
	};

	pmon_account(&a);
	if (PMON_OOBMSM(p)->dev->gone)
		return;
	pci_default_write_config(p, off, val, bytes);
	PMON_OOBMSM(p)->dev->d3 = pmon_sleeps(p);
}

/* Offset 4 has the id of a VSEC or the vendor of a DVSEC, then the revision. */
static void add_capability(PmonOobmsm *s, const struct pmon_capability *c)
{
	uint8_t *at = s->parent.config + c->at;

	pcie_add_capability(&s->parent, c->vsec ? PCI_EXT_ID_VSEC : PCI_EXT_ID_DVSEC,
			    1, c->at, ECAP_BYTES);
	pci_set_long(at + 4, (c->vsec ? c->id : c->vendor) | c->rev << 16 |
		     ECAP_BYTES << 20);
	pci_set_word(at + 8, c->vsec ? 0 : c->id);
	pci_set_byte(at + 0xa, c->entries);
	pci_set_byte(at + 0xb, c->size);
	pci_set_long(at + 0xc, c->pointer);
}

static void add_bar(PmonOobmsm *s, MemoryRegion *region, const MemoryRegionOps *ops,
		    const char *name, unsigned int bar, uint64_t bytes)
{
	memory_region_init_io(region, OBJECT(s), ops, s, name, bytes);
	pci_register_bar(&s->parent, bar, s->dev->bar_type, region);
}

/* All real functions have telemetry; intel_vsec of Linux 6.1 binds to no others. */
static void add_bars(PmonOobmsm *s)
{
	struct pmon_dev *d = s->dev;

	if (d->has_table)
		add_bar(s, &s->table, &table_ops, "pmon-table", d->table_bar,
			d->table_bar_bytes);
	if (d->tpmi)
		add_bar(s, &s->tpmi, &tpmi_ops, "pmon-tpmi", d->tpmi_bar,
			d->tpmi_bar_bytes);
	if (d->telemetry)
		add_bar(s, &s->telemetry, &telemetry_ops, "pmon-telemetry",
			d->telemetry_bar, d->telemetry_bytes);
}

/* Add an empty expansion ROM, without code for firmware to run. */
static void add_rom(PmonOobmsm *s)
{
	memory_region_init_rom(&s->rom, OBJECT(s), "pmon-rom", ROM_BYTES,
			       &error_abort);
	pci_register_bar(&s->parent, PCI_ROM_SLOT, 0, &s->rom);
}

static void oobmsm_realize(PCIDevice *p, Error **errp)
{
	PmonOobmsm *s = PMON_OOBMSM(p);
	struct pmon_dev *d = NULL;
	unsigned int i;

	if (pmon_machine)
		d = pmon_find_dev(s->package, s->index);
	if (!d) {
		error_setg(errp, "the plan has no device %u of package %u",
			   s->index, s->package);
		return;
	}
	s->dev = d;
	d->pci = p;
	pci_config_set_vendor_id(p->config, d->vendor);
	pci_config_set_device_id(p->config, d->device);
	pcie_endpoint_cap_init(p, CAP_EXPRESS);
	pmon_sleep_add(p, CAP_POWER, d->d3);
	for (i = 0; i < d->capabilities->len; i++)
		add_capability(s, &g_array_index(d->capabilities,
						 struct pmon_capability, i));
	add_bars(s);
	if (d->rom)
		add_rom(s);
	if (d->unit_bar_bytes && !d->unit_port)
		pmon_unit_bar_create(d, p);
}

static const Property oobmsm_properties[] = {
	DEFINE_PROP_UINT32("package", PmonOobmsm, package, 0),
	DEFINE_PROP_UINT32("index", PmonOobmsm, index, 0),
};

/*
 * A saved guest may continue on a machine with other registers, if the guest has
 * not read them.  So keep read-only bits of this machine, and take writable bits
 * from the guest.
 */
static int before_load(void *opaque)
{
	PmonOobmsm *s = opaque;

	g_free(s->made);
	s->made = g_memdup2(s->parent.config, PCIE_CONFIG_SPACE_SIZE);
	/* Without this QEMU rejects a guest with other capabilities. */
	memset(s->parent.cmask + PCI_CONFIG_SPACE_SIZE, 0,
	       PCIE_CONFIG_SPACE_SIZE - PCI_CONFIG_SPACE_SIZE);
	return 0;
}

static int after_load(void *opaque, int version)
{
	PmonOobmsm *s = opaque;
	PCIDevice *p = &s->parent;
	unsigned int i;

	for (i = 0; i < PCIE_CONFIG_SPACE_SIZE; i++) {
		uint8_t written = p->wmask[i] | p->w1cmask[i];

		p->config[i] = (p->config[i] & written) | (s->made[i] & ~written);
	}
	g_free(s->made);
	s->made = NULL;
	return 0;
}

/* PMON registers are still as at power-on (see function.c), so they are not saved. */
static const VMStateDescription oobmsm_state = {
	.name = "pmon-oobmsm",
	.pre_load = before_load,
	.post_load = after_load,
	.fields = (const VMStateField[]) {
		VMSTATE_PCI_DEVICE(parent, PmonOobmsm),
		VMSTATE_END_OF_LIST()
	}
};

static void oobmsm_class_init(ObjectClass *klass, void *data)
{
	PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);

	k->realize = oobmsm_realize;
	k->config_read = config_read;
	k->config_write = config_write;
	k->vendor_id = 0x8086;
	k->device_id = 0x09a7;
	k->class_id = PCI_CLASS_SYSTEM_OTHER;
	DEVICE_CLASS(klass)->vmsd = &oobmsm_state;
	device_class_set_props(DEVICE_CLASS(klass), oobmsm_properties);
}

static const TypeInfo oobmsm_info = {
	.name = TYPE_PMON_OOBMSM,
	.parent = TYPE_PCI_DEVICE,
	.instance_size = sizeof(PmonOobmsm),
	.class_init = oobmsm_class_init,
	.interfaces = (InterfaceInfo[]) { { INTERFACE_PCIE_DEVICE }, { } },
};

static void oobmsm_register(void)
{
	type_register_static(&oobmsm_info);
}

type_init(oobmsm_register)
