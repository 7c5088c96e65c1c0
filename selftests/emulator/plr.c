// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model an instance of Performance Limit Reasons (TPMI feature 0x0c): header, mailbox
 * interface, mailbox data and die level.  In register dumps of servers an instance
 * has 0x28 bytes and the last qword reads 0.
 */
#include "qemu/osdep.h"
#include "pmon.h"

#define PLR_HEADER	0x00
#define PLR_INTERFACE	0x08
#define PLR_DATA	0x10
#define PLR_DIE_LEVEL	0x18
#define PLR_LAST	0x20

/* PLR_MAILBOX_INTERFACE */
#define IFACE_COMMAND(v)	((v) & 0xff)
#define IFACE_DOMAIN(v)		((v) >> 8 & 0xf)
#define IFACE_MODULE(v)		((v) >> 12 & 0xff)
#define IFACE_RUN_BUSY		(1ull << 63)
#define COMMAND_READ		0
#define COMMAND_WRITE		1
#define DOMAIN_CORE		0
#define DOMAIN_MESH		1
#define STATUS_DONE		0x40	/* the status code of the TPMI control interface */

static const enum pmon_class class_of[] = {
	PMON_PLR_HEADER, PMON_MAILBOX, PMON_PLR_DATA, PMON_DIE_LEVEL, PMON_OTHER,
};

/* True if the present command is for the mesh. */
static bool for_mesh(const struct pmon_plr *p)
{
	return IFACE_DOMAIN(p->command) == DOMAIN_MESH;
}

static enum pmon_plr_kind kind(const struct pmon_plr *p)
{
	bool write = IFACE_COMMAND(p->command) == COMMAND_WRITE;

	if (for_mesh(p))
		return write ? PMON_PLR_MESH_WRITE : PMON_PLR_MESH_READ;
	return write ? PMON_PLR_WRITE : PMON_PLR_READ;
}

static uint64_t *module_bits(struct pmon_plr *p)
{
	unsigned int module = IFACE_MODULE(p->command);

	switch (IFACE_DOMAIN(p->command)) {
	case DOMAIN_CORE:
		return pmon_plr_has(p, module) ? &p->core[module] : NULL;
	case DOMAIN_MESH:
		return module < p->meshes ? &p->mesh[module] : NULL;
	default:
		return NULL;
	}
}

/* Our decision: an unknown ID reads 0.  The specification does not define the result. */
static void run_command(struct pmon_plr *p)
{
	unsigned int module = IFACE_MODULE(p->command);
	uint64_t *bits = module_bits(p);

	switch (IFACE_COMMAND(p->command)) {
	case COMMAND_READ:
		p->data = bits ? *bits : 0;
		if (for_mesh(p) && p->mesh_mode == PMON_MESH_ONES)
			p->data = ~0ull;
		else if (bits)
			pmon_agenda_read(p, for_mesh(p), module);
		break;
	case COMMAND_WRITE:
		if (!bits || p->ignores_clear)
			break;
		pmon_agenda_written(p, for_mesh(p), module, p->pending);
		*bits = p->pending;
		break;
	}
}

/* Return the value of PLR_MAILBOX_INTERFACE after the command. */
static uint64_t echo(const struct pmon_plr *p)
{
	switch (p->echo[kind(p)]) {
	case PMON_ECHO_FULL:
		return p->command & ~IFACE_RUN_BUSY;
	case PMON_ECHO_STATUS:
		return STATUS_DONE;
	default:
		return 0;
	}
}

/* If due, let another agent read the next module before software reads DATA. */
static void run_agent(struct pmon_plr *p)
{
	unsigned int module = IFACE_MODULE(p->command);

	if (!p->agent || !p->modules || --p->agent_left)
		return;
	p->agent_left = p->agent;
	do {
		module = (module + 1) % PMON_PLR_MODULES;
	} while (!pmon_plr_has(p, module));
	p->iface = COMMAND_READ | DOMAIN_CORE << 8 | module << 12;
	p->data = p->core[module];
}

static bool never_ends(struct pmon_plr *p)
{
	if (p->mode == PMON_MAILBOX_STUCK)
		return true;
	if (for_mesh(p) && (p->mesh_mode == PMON_MESH_BUSY ||
			    p->mesh_mode == PMON_MESH_DEAD))
		return true;
	return p->unknown_busy && !module_bits(p);
}

/*
 * Bring the instance up to now; called at each access.  Set bits and end the
 * command in order of guest time.
 */
void pmon_plr_settle(struct pmon_plr *p)
{
	int64_t now = pmon_now();

	if (p->busy && !never_ends(p) && now >= p->busy_until) {
		pmon_agenda_advance(p, p->busy_until);
		run_command(p);
		p->busy = false;
		p->iface = echo(p);
		run_agent(p);
	}
	pmon_agenda_advance(p, now);
}

static uint64_t reg_value(const struct pmon_plr *p, unsigned int off)
{
	if (p->state == PMON_PLR_FUSED)
		return ~0ull;
	if (p->state == PMON_PLR_ABSENT)
		return off == PLR_HEADER ? ~0ull : 0;
	if (p->mode == PMON_MAILBOX_BLOCKED)
		return ~0ull;
	switch (off) {
	case PLR_HEADER:
		return p->header;
	case PLR_INTERFACE:
		return p->iface;
	case PLR_DATA:
		return p->data;
	case PLR_DIE_LEVEL:
		return pmon_plr_die(p);
	default:
		return 0;
	}
}

static void judge(const struct pmon_access *a, const struct pmon_plr *p,
		  unsigned int off)
{
	if (off > PLR_LAST)
		pmon_illegal(a, "no register of the instance");
	else if (a->bytes != 8 || off % 8)
		pmon_illegal(a, "wrong access width");
	else if (a->write && off == PLR_HEADER)
		pmon_illegal(a, "read-only register written");
	else if (a->write && p->state != PMON_PLR_LIVE)
		pmon_illegal(a, "written to an instance that is not there");
	else if (p->busy && (off == PLR_DATA || (a->write && off == PLR_INTERFACE)))
		pmon_illegal(a, "mailbox used while it is busy");
}

static enum pmon_class reg_class(unsigned int off)
{
	return off / 8 < ARRAY_SIZE(class_of) ? class_of[off / 8] : PMON_OTHER;
}

uint64_t pmon_plr_read(struct pmon_plr *p, uint64_t addr, unsigned int off,
		       unsigned int bytes)
{
	struct pmon_access a = {
		.class = reg_class(off), .bytes = bytes, .address = addr,
		.where = "plr",
	};

	pmon_plr_settle(p);
	a.value = pmon_part(reg_value(p, off & ~7u), off % 8, bytes);
	pmon_account(&a);
	judge(&a, p, off);
	return a.value;
}

/* Return the duration of a command. */
static uint64_t latency(struct pmon_plr *p)
{
	return p->mailbox_ns + (p->jitter_ns ? pmon_random(&p->random) % p->jitter_ns : 0);
}

static void start_command(struct pmon_plr *p, uint64_t val)
{
	int64_t now = pmon_now();

	p->iface = val;
	p->busy = val & IFACE_RUN_BUSY;
	if (!p->busy)
		return;
	p->command = val;
	p->pending = p->data;
	p->took_ns = latency(p);
	p->busy_until = now + p->took_ns;
	if (p->echo[kind(p)] == PMON_ECHO_NONE)
		p->iface = IFACE_RUN_BUSY;
	if (for_mesh(p) && p->mesh_mode == PMON_MESH_DEAD)
		p->mode = PMON_MAILBOX_STUCK;
	pmon_pace_count(&p->pace, now);
}

void pmon_plr_write(struct pmon_plr *p, uint64_t addr, unsigned int off,
		    uint64_t val, unsigned int bytes)
{
	struct pmon_access a = {
		.class = reg_class(off), .write = true, .bytes = bytes,
		.address = addr, .value = val, .where = "plr",
	};

	pmon_plr_settle(p);
	pmon_account(&a);
	judge(&a, p, off);
	if (p->state != PMON_PLR_LIVE || p->mode == PMON_MAILBOX_BLOCKED)
		return;
	val = pmon_merge(reg_value(p, off & ~7u), val, off % 8, bytes);
	switch (off & ~7u) {
	case PLR_INTERFACE:
		start_command(p, val);
		break;
	case PLR_DATA:
		p->data = val;
		break;
	case PLR_DIE_LEVEL:
		p->die_level = (uint32_t)val;
		break;
	}
}

void pmon_plr_set(struct pmon_plr *p, bool mesh, unsigned int module,
		  uint64_t bits, bool assign)
{
	uint64_t *to = mesh ? &p->mesh[module] : &p->core[module];

	pmon_plr_settle(p);
	if (assign)
		*to = 0;
	pmon_plr_raise(p, mesh, module, bits);
}
