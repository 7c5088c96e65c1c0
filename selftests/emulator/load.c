// SPDX-License-Identifier: GPL-2.0-only
/* Create the machine from the records of a plan. */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qemu/host-utils.h"
#include "plan.h"
#include "pmon.h"
#include "cpmu.h"

#define MAX_TABLE_BYTES	(1024 * 255 * 8)

static struct pmon_dev *line_dev(struct plan_line *l)
{
	unsigned int pkg = plan_u64(l, "pkg"), index = plan_u64(l, "dev");
	struct pmon_dev *d = l->failed ? NULL : pmon_find_dev(pkg, index);

	if (!d)
		plan_fail(l, "dev", "no such device");
	return d;
}

static void load_machine(struct plan_line *l)
{
	pmon_machine->name = g_strdup(plan_word(l, "name"));
	pmon_machine->packages = plan_max(l, "packages", PMON_PACKAGES);
	pmon_machine->cpus = plan_max(l, "cpus", 1024);
	pmon_machine->root_node = (int)plan_max(l, "root_node", 255) - 1;
	pmon_machine->garbage = plan_has(l, "seed");
	if (pmon_machine->garbage)
		pmon_machine->seed = plan_u64(l, "seed");
}

static void load_msr(struct plan_line *l)
{
	struct pmon_msr m = { .cpu = -1 };

	m.address = plan_max(l, "address", UINT32_MAX);
	if (plan_has(l, "cpu"))
		m.cpu = plan_max(l, "cpu", 65535);
	if (plan_has(l, "fault"))
		m.fault = plan_u64(l, "fault");
	else
		m.value = plan_u64(l, "value");
	g_array_append_val(pmon_machine->msrs, m);
}

static void load_device(struct plan_line *l)
{
	struct pmon_dev *d = g_new0(struct pmon_dev, 1);

	d->pkg = plan_u64(l, "pkg");
	d->index = plan_u64(l, "dev");
	d->vendor = plan_max(l, "vendor", 0xffff);
	d->device = plan_max(l, "device", 0xffff);
	d->d3 = plan_max(l, "d3", 1);
	d->table_bar = plan_max(l, "table_bar", 5);
	d->unit_bar = plan_max(l, "unit_bar", 5);
	d->unit_port = plan_has(l, "unit_port");
	d->tpmi_bar = plan_max(l, "tpmi_bar", 5);
	d->telemetry = plan_has(l, "telemetry_bar");
	if (d->telemetry) {
		d->telemetry_bar = plan_max(l, "telemetry_bar", 5);
		d->telemetry_bytes = pow2ceil(plan_max(l, "telemetry_bytes", 1ull << 32));
	}
	d->capabilities = g_array_new(false, false, sizeof(struct pmon_capability));
	d->rom = plan_has(l, "rom");
	d->bar_type = plan_has(l, "wide") ? PCI_BASE_ADDRESS_MEM_TYPE_64 : 0;
	d->unit_bar_bytes = plan_max(l, "unit_bytes", 1ull << 28);
	g_ptr_array_add(pmon_machine->devs, d);
}

static void load_capability(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	struct pmon_capability c = { .vsec = plan_has(l, "vsec") };

	c.at = plan_max(l, "at", 0xff0);
	c.vendor = c.vsec ? 0 : plan_max(l, "vendor", 0xffff);
	c.id = plan_max(l, "id", 0xffff);
	c.rev = plan_max(l, "rev", 15);
	c.entries = plan_max(l, "entries", 255);
	c.size = plan_max(l, "size", 255);
	c.pointer = plan_max(l, "pointer", UINT32_MAX);
	if (d)
		g_array_append_val(d->capabilities, c);
}

static void load_table(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);

	if (!d)
		return;
	d->has_table = true;
	d->table_offset = plan_max(l, "offset", 1 << 24);
	d->table_bytes = ROUND_UP(plan_max(l, "bytes", MAX_TABLE_BYTES), 8);
	d->table = g_malloc0(d->table_bytes);
	d->table_moves = g_malloc0(d->table_bytes / 8);
	d->table_bar_bytes = pow2ceil(MAX(plan_max(l, "bar_bytes", 1 << 28), 0x1000));
}

/* Load a qword of a table; "moves" marks an address in a BAR, see table_moves. */
static void load_word(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	uint64_t at = plan_u64(l, "at"), value = plan_u64(l, "value");
	uint8_t moves = plan_has(l, "moves") ? plan_max(l, "moves", PMON_MOVES_UNITS) : 0;

	if (l->failed)
		return;
	if (!d->table || at + 8 > d->table_bytes || at % 8) {
		plan_fail(l, "at", "outside the table");
		return;
	}
	stq_le_p(d->table + at, value);
	d->table_moves[at / 8] = moves;
}

static void load_gap(struct plan_line *l)
{
	unsigned int pkg = plan_max(l, "pkg", PMON_PACKAGES - 1);
	uint64_t base = plan_u64(l, "base"), bytes = plan_u64(l, "bytes");
	bool reserved = plan_has(l, "reserved"), high = plan_has(l, "high");
	struct pmon_dev *table = NULL;

	if (plan_has(l, "table"))
		table = pmon_find_dev(pkg, plan_max(l, "table", 255));
	if (!l->failed)
		pmon_gap_create(pkg, base, bytes, table, reserved, high);
}

/* Create the host bridge of another segment, with the memory window of its devices. */
static void load_segment(struct plan_line *l)
{
	unsigned int number = plan_max(l, "number", 7);
	uint64_t first = plan_u64(l, "first"), last = plan_u64(l, "last");

	if (!l->failed)
		pmon_segment_create(number, first, last);
}

static enum pmon_kind kind_of(struct plan_line *l)
{
	static const char *const name[] = { "msr", "mmio", "pci", "none" };
	const char *word = plan_word(l, "access");
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(name); i++) {
		if (!strcmp(word, name[i]))
			return i;
	}
	plan_fail(l, "access", "unknown");
	return PMON_KIND_NONE;
}

static void load_layout(struct plan_line *l, struct pmon_layout *lay)
{
	lay->counters = plan_max(l, "counters", 255);
	lay->width = plan_max(l, "width", 64);
	lay->ctl = plan_max(l, "ctl", 255);
	lay->ctl_stride = plan_max(l, "ctl_stride", 64);
	lay->ctl_bytes = plan_max(l, "ctl_bytes", 8);
	lay->ctr = plan_max(l, "ctr", 255);
	lay->ctr_stride = plan_max(l, "ctr_stride", 64);
	lay->status = plan_max(l, "status", 255);
	lay->filter = plan_max(l, "filter", 255);
	lay->boxless = plan_has(l, "boxless");
	lay->enable = plan_has(l, "enable");
	lay->fixed = plan_has(l, "fixed_ctl");
	if (lay->fixed) {
		lay->fixed_ctl = plan_max(l, "fixed_ctl", 255);
		lay->fixed_ctr = plan_max(l, "fixed_ctr", 255);
		lay->fixed_width = plan_max(l, "fixed_width", 64);
		lay->fixed_ctl_bytes = plan_max(l, "fixed_ctl_bytes", 8);
	}
}

/* Tables of a package with the same MSR share a global control. */
static struct pmon_unit *same_global(const struct pmon_unit *u)
{
	unsigned int i;

	for (i = 0; u->global && i < pmon_machine->units->len; i++) {
		struct pmon_unit *other = g_ptr_array_index(pmon_machine->units, i);

		if (other->global && other->pkg == u->pkg && u->kind == PMON_KIND_MSR &&
		    other->kind == u->kind && other->address == u->address)
			return other;
	}
	return NULL;
}

static void load_unit(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	struct pmon_unit *u = g_new0(struct pmon_unit, 1);

	u->dev = d;
	u->pkg = d ? d->pkg : 0;
	u->kind = kind_of(l);
	u->global = plan_has(l, "global");
	u->write_only = plan_has(l, "write_only");
	u->switch_ = plan_has(l, "switch");
	u->run = u->switch_ ? plan_max(l, "run", UINT32_MAX) : 0;
	if (!u->global) {
		u->type = plan_max(l, "type", 0xffff);
		u->id = plan_max(l, "id", 0xffffff);
	}
	u->address = plan_u64(l, "address");
	if (u->kind == PMON_KIND_PCI) {
		u->segment = plan_max(l, "segment", 7);
		u->bus = plan_max(l, "bus", 255);
		u->devfn = plan_max(l, "devfn", 255);
	}
	u->dead = plan_has(l, "dead");
	u->resets_all = plan_has(l, "resets_all");
	if (plan_has(l, "ctl_lacks"))
		u->ctl_lacks = plan_u64(l, "ctl_lacks");
	u->free = plan_has(l, "free");
	u->gap = plan_has(l, "gap");
	load_layout(l, &u->lay);
	if (l->failed)
		return;
	pmon_unit_layout_done(u);
	u->box_ctl = plan_has(l, "box") ? plan_max(l, "box", UINT32_MAX) : 0;
	if (u->switch_) {
		d->switches = d->switches ?: g_ptr_array_new();
		g_ptr_array_add(d->switches, u);
	} else if (u->global) {
		d->global = same_global(u) ?: u;
	}
	g_ptr_array_add(pmon_machine->units, u);
}

/* Add a row of counters to a free-running unit. */
static void load_free(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	unsigned int type = plan_max(l, "type", 0xffff);
	unsigned int id = plan_max(l, "id", 0xffff);
	struct pmon_unit *u = d ? pmon_find_unit(d->pkg, type, id) : NULL;
	struct pmon_row row = { .umask = plan_max(l, "umask", 0xff) };

	row.at = plan_max(l, "at", 0xffff);
	row.count = plan_max(l, "count", 255);
	row.stride = plan_max(l, "stride", 0xffff);
	if (!u || !u->free || !pmon_free_add(u, &row))
		plan_fail(l, "type", "no such free-running unit, or too many rows");
}

static void load_config(struct plan_line *l)
{
	struct pmon_config c = { .mask = UINT32_MAX };

	c.segment = plan_max(l, "segment", 7);
	c.bus = plan_max(l, "bus", 255);
	c.devfn = plan_max(l, "devfn", 255);
	c.at = plan_max(l, "at", 0xffc);
	c.value = plan_max(l, "value", UINT32_MAX);
	if (plan_has(l, "shift")) {
		c.moves = line_dev(l);
		c.shift = plan_max(l, "shift", 63);
		c.mask = plan_max(l, "mask", UINT32_MAX);
	}
	g_array_append_val(pmon_machine->configs, c);
}

static void load_tpmi(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	struct pmon_tpmi *t = g_new0(struct pmon_tpmi, 1);

	if (!d)
		return;
	d->tpmi = t;
	t->pfs_offset = plan_max(l, "offset", 1 << 24);
	t->num_pfs = plan_max(l, "pfs", 255);
	t->pfs = g_new0(uint64_t, t->num_pfs);
	t->info[0] = plan_u64(l, "info0");
	t->info[1] = plan_u64(l, "info1");
	if (plan_max(l, "stuck", 1))
		pmon_control_never(t);
	d->tpmi_bar_bytes = pow2ceil(plan_max(l, "bytes", 1ull << 28));
}

static void load_pfs(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	uint64_t index = plan_u64(l, "index"), value = plan_u64(l, "value");

	if (!d || !d->tpmi || index >= d->tpmi->num_pfs)
		plan_fail(l, "index", "outside the PFS");
	else
		d->tpmi->pfs[index] = value;
}

static void load_feature(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	struct pmon_tpmi *t = d ? d->tpmi : NULL;
	struct pmon_feature f = { 0 };

	f.id = plan_max(l, "id", 255);
	f.base = plan_u64(l, "base");
	f.entries = plan_max(l, "entries", 255);
	f.bytes = plan_max(l, "bytes", 0xffff * 4);
	f.state = plan_max(l, "state", UINT32_MAX);
	if (!t) {
		plan_fail(l, "dev", "no TPMI there");
		return;
	}
	t->feature = g_renew(struct pmon_feature, t->feature, t->num_features + 1);
	t->feature[t->num_features++] = f;
	t->capabilities[f.id / 8] |= 1 << f.id % 8;
}

/* Load the IDs of the modules, and the echo of each kind of command. */
static void load_plr_lists(struct plan_line *l, struct pmon_plr *p)
{
	static const char *const ids[] = { "ids0", "ids1", "ids2", "ids3" };
	static const char *const echo[PMON_PLR_KINDS] = {
		"echo_read", "echo_write", "echo_mesh_read", "echo_mesh_write",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++)
		p->ids[i] = plan_u64(l, ids[i]);
	for (i = 0; i < PMON_PLR_KINDS; i++)
		p->echo[i] = plan_max(l, echo[i], PMON_ECHO_STATUS);
}

static void load_plr(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	struct pmon_plr p = { 0 };
	const char *state = plan_word(l, "state");

	p.state = !strcmp(state, "live") ? PMON_PLR_LIVE :
		  !strcmp(state, "absent") ? PMON_PLR_ABSENT : PMON_PLR_FUSED;
	p.header = plan_u64(l, "header");
	p.modules = plan_max(l, "modules", PMON_PLR_MODULES);
	p.meshes = plan_max(l, "meshes", PMON_PLR_MODULES);
	p.die_level = plan_max(l, "die_level", UINT32_MAX);
	p.follows = plan_max(l, "follows", PMON_DIE_LATCHES);
	p.mailbox_ns = plan_u64(l, "mailbox_ns");
	p.jitter_ns = plan_u64(l, "jitter_ns");
	p.die_lag_ns = plan_u64(l, "die_lag_ns");
	p.module_lag_ns = plan_u64(l, "module_lag_ns");
	p.random = plan_u64(l, "seed");
	p.mesh_mode = plan_max(l, "mesh_mode", PMON_MESH_DEAD);
	p.unknown_busy = plan_max(l, "unknown_busy", 1);
	load_plr_lists(l, &p);
	if (!d || !d->tpmi) {
		plan_fail(l, "dev", "no TPMI there");
		return;
	}
	d->tpmi->plr = g_renew(struct pmon_plr, d->tpmi->plr, d->tpmi->num_plr + 1);
	d->tpmi->plr[d->tpmi->num_plr++] = p;
}

/* Load a domain of power limits; registers without a key are 0. */
static void load_rapl(struct plan_line *l)
{
	static const char *const key[PMON_RAPL_REGS] = {
		"header", "unit", "pl1", "pl2", "pl3", "pl4", "reserved",
		"energy", "perf", "info", "domain",
	};
	struct pmon_dev *d = line_dev(l);
	uint64_t index = plan_max(l, "index", PMON_RAPL_DOMAINS - 1);
	struct pmon_rapl r = { .present = true };
	unsigned int i;

	r.power_mw = plan_max(l, "power_mw", 1000000000);
	for (i = 0; i < PMON_RAPL_REGS && key[i]; i++) {
		if (plan_has(l, key[i]))
			r.reg[i] = plan_u64(l, key[i]);
	}
	if (!d || !d->tpmi)
		plan_fail(l, "dev", "no TPMI there");
	else if (!l->failed)
		d->tpmi->rapl[index] = r;
}

/* Load a register of Speed Select; registers without a record are 0. */
static void load_sst(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	uint64_t instance = plan_max(l, "instance", PMON_SST_DOMAINS - 1);
	uint64_t word = plan_max(l, "word", PMON_SST_WORDS - 1);
	uint64_t value = plan_u64(l, "value");

	if (!d || !d->tpmi)
		plan_fail(l, "dev", "no TPMI there");
	else if (!l->failed)
		d->tpmi->sst[instance][word] = value;
}

static void load_bits(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	uint64_t instance = plan_u64(l, "instance");
	uint64_t module = plan_max(l, "module", PMON_PLR_MODULES - 1);
	bool mesh = plan_max(l, "mesh", 1);
	uint64_t value = plan_u64(l, "value");

	if (!d || !d->tpmi || instance >= d->tpmi->num_plr) {
		plan_fail(l, "instance", "no such PLR instance");
		return;
	}
	if (mesh)
		d->tpmi->plr[instance].mesh[module] = value;
	else
		d->tpmi->plr[instance].core[module] = value;
}

/* Load a limit that is in force on a module from power-on until `hw plr stop`. */
static void load_in_force(struct plan_line *l)
{
	struct pmon_dev *d = line_dev(l);
	uint64_t instance = plan_u64(l, "instance");
	uint64_t module = plan_max(l, "module", PMON_PLR_MODULES - 1);
	uint64_t value = plan_u64(l, "value");

	if (!d || !d->tpmi || instance >= d->tpmi->num_plr)
		plan_fail(l, "instance", "no such PLR instance");
	else
		pmon_agenda_add(&d->tpmi->plr[instance], false, module, value, 0,
				INT64_MAX);
}

/* Load a box of Xeon E5 or E7; the processor's version selects forbidden writes. */
static void load_ring(struct plan_line *l)
{
	struct pmon_unit *u = g_new0(struct pmon_unit, 1);

	u->pkg = plan_max(l, "pkg", PMON_PACKAGES - 1);
	u->qpi = plan_max(l, "qpi", 1);
	u->type = PMON_RING_TYPE + u->qpi;
	u->id = plan_max(l, "id", 7);
	u->ring = plan_max(l, "version", 4);
	u->bus = plan_max(l, "bus", 255);
	u->devfn = plan_max(l, "devfn", 255);
	u->dead = plan_has(l, "dead");
	pmon_ring_layout(u, plan_max(l, "width", 64));
	if (l->failed)
		return;
	pmon_unit_layout_done(u);
	pmon_machine->has_ubox = true;
	g_ptr_array_add(pmon_machine->units, u);
}

static const struct {
	const char *keyword;
	void (*load)(struct plan_line *l);
} records[] = {
	{ "machine", load_machine }, { "msr", load_msr },
	{ "device", load_device }, { "capability", load_capability },
	{ "table", load_table }, { "word", load_word },
	{ "gap", load_gap }, { "segment", load_segment },
	{ "unit", load_unit },
	{ "free", load_free }, { "config", load_config },
	{ "tpmi", load_tpmi }, { "pfs", load_pfs },
	{ "feature", load_feature },
	{ "plr", load_plr }, { "bits", load_bits },
	{ "in-force", load_in_force }, { "rapl", load_rapl },
	{ "sst", load_sst }, { "ring", load_ring },
	{ "cxl", pmon_load_cxl }, { "locator", pmon_load_cxl_entry },
	{ "cpmu", pmon_load_cxl_cpmu }, { "cpmu-register", pmon_load_cxl_register },
};

static bool load_line(struct plan_line *l)
{
	unsigned int i;

	for (i = 0; l->keyword && i < ARRAY_SIZE(records); i++) {
		if (!strcmp(l->keyword, records[i].keyword)) {
			records[i].load(l);
			break;
		}
	}
	if (i == ARRAY_SIZE(records))
		plan_fail(l, "", "unknown record");
	return plan_done(l);
}

bool pmon_machine_load(const char *plan, Error **errp)
{
	g_autofree char *data = NULL;
	g_auto(GStrv) line = NULL;
	struct plan_line l;
	unsigned int i;

	if (!g_file_get_contents(plan, &data, NULL, NULL)) {
		error_setg(errp, "cannot read the plan %s", plan);
		return false;
	}
	pmon_machine = g_new0(struct pmon_machine, 1);
	pmon_machine->root_node = -1;
	pmon_machine->devs = g_ptr_array_new();
	pmon_machine->units = g_ptr_array_new();
	pmon_machine->msrs = g_array_new(false, false, sizeof(struct pmon_msr));
	pmon_machine->configs = g_array_new(false, false, sizeof(struct pmon_config));
	pmon_machine->cxl = g_ptr_array_new();
	line = g_strsplit(data, "\n", 0);
	for (i = 0; line[i]; i++) {
		if (!plan_parse(&l, plan, i + 1, line[i], errp) || !load_line(&l))
			return false;
	}
	if (pmon_machine->garbage)
		pmon_power_on(pmon_machine->seed);
	return true;
}
