// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model the TPMI region of a device: the PM feature structure (PFS) and regions of
 * its features.  Unmodelled features read 0.
 */
#include "qemu/osdep.h"
#include "pmon.h"

#define FEATURE_RAPL	0x00
#define FEATURE_SST	0x05
#define FEATURE_PLR	0x0c
#define FEATURE_CONTROL	0x80
#define FEATURE_INFO	0x81
#define NO_FEATURE	0x100

static struct pmon_plr *plr_at(struct pmon_tpmi *t, const struct pmon_feature *f,
			       uint64_t off, unsigned int *inside)
{
	unsigned int instance = (off - f->base) / f->bytes;

	*inside = (off - f->base) % f->bytes;
	return instance < t->num_plr ? &t->plr[instance] : NULL;
}

static enum pmon_class feature_class(const struct pmon_feature *f)
{
	switch (f ? f->id : NO_FEATURE) {
	case FEATURE_RAPL:
		return PMON_RAPL;
	case FEATURE_SST:
		return PMON_SST;
	case FEATURE_INFO:
		return PMON_TPMI_INFO;
	case FEATURE_CONTROL:
		return PMON_TPMI_CONTROL;
	default:
		return PMON_OTHER;
	}
}

static bool in_pfs(const struct pmon_tpmi *t, uint64_t off)
{
	return off >= t->pfs_offset && off < t->pfs_offset + 8 * t->num_pfs;
}

static uint64_t read_pfs(struct pmon_tpmi *t, uint64_t off, unsigned int bytes)
{
	uint64_t at = off - t->pfs_offset;
	struct pmon_access a = {
		.class = PMON_PFS, .bytes = bytes, .address = off, .where = "tpmi",
		.value = pmon_table_part(t->pfs[at / 8], at % 8, bytes),
	};

	pmon_account(&a);
	return a.value;
}

/* Return bytes of Speed Select; the machine description sets constant values. */
static uint64_t sst_value(struct pmon_tpmi *t, const struct pmon_feature *f,
			  uint64_t at, unsigned int bytes)
{
	unsigned int instance = at / f->bytes, word = at % f->bytes / 8;

	if (instance >= PMON_SST_DOMAINS || word >= PMON_SST_WORDS)
		return 0;
	return pmon_part(t->sst[instance][word], at % f->bytes % 8, bytes);
}

static uint64_t feature_value(struct pmon_tpmi *t, const struct pmon_feature *f,
			      uint64_t off, unsigned int bytes)
{
	uint64_t at = off - f->base;

	if (f->state & PMON_STATE_READ_BLOCKED)
		return pmon_ones(bytes);
	if (f->id == FEATURE_RAPL)
		return pmon_rapl_read(t, at, bytes);
	if (f->id == FEATURE_SST)
		return sst_value(t, f, at, bytes);
	if (f->id == FEATURE_CONTROL)
		return pmon_control_read(t, at, bytes);
	if (f->id == FEATURE_INFO && at < 16)
		return pmon_part(t->info[at / 8], at % 8, bytes);
	return 0;
}

uint64_t pmon_tpmi_read(struct pmon_tpmi *t, uint64_t off, unsigned int bytes)
{
	struct pmon_feature *f = pmon_tpmi_feature_at(t, off);
	struct pmon_access a = { .bytes = bytes, .address = off, .where = "tpmi" };
	struct pmon_plr *plr = NULL;
	unsigned int inside;

	if (in_pfs(t, off))
		return read_pfs(t, off, bytes);
	if (f && f->id == FEATURE_PLR && !(f->state & PMON_STATE_READ_BLOCKED))
		plr = plr_at(t, f, off, &inside);
	if (plr)
		return pmon_plr_read(plr, off, inside, bytes);
	a.class = feature_class(f);
	a.value = f ? feature_value(t, f, off, bytes) : 0;
	pmon_account(&a);
	if (!f)
		pmon_illegal(&a, "between the TPMI features");
	return a.value;
}

static void write_rapl(struct pmon_tpmi *t, struct pmon_feature *f,
		       const struct pmon_access *a)
{
	if (!pmon_rapl_write(t, a->address - f->base, a->value, a->bytes))
		pmon_illegal(a, "read-only register written");
}

static void write_feature(struct pmon_tpmi *t, struct pmon_feature *f,
			  const struct pmon_access *a)
{
	if (f->id == FEATURE_CONTROL)
		pmon_control_write(t, a->address - f->base, a->value, a->bytes);
	else if (f->id == FEATURE_RAPL)
		write_rapl(t, f, a);
	else
		pmon_illegal(a, f->id == FEATURE_INFO ?
			     "read-only register written" :
			     "written to a feature that is not modelled");
}

void pmon_tpmi_write(struct pmon_tpmi *t, uint64_t off, uint64_t val,
		     unsigned int bytes)
{
	struct pmon_feature *f = pmon_tpmi_feature_at(t, off);
	struct pmon_access a = {
		.class = feature_class(f), .write = true, .bytes = bytes,
		.address = off, .value = val, .where = "tpmi",
	};
	struct pmon_plr *plr = NULL;
	unsigned int inside;

	if (f && f->id == FEATURE_PLR && !(f->state & PMON_STATE_WRITE_BLOCKED))
		plr = plr_at(t, f, off, &inside);
	if (plr) {
		pmon_plr_write(plr, off, inside, val, bytes);
		return;
	}
	if (in_pfs(t, off))
		a.class = PMON_PFS;
	pmon_account(&a);
	if (f && (f->state & PMON_STATE_WRITE_BLOCKED))
		return;
	if (f)
		write_feature(t, f, &a);
	else
		pmon_illegal(&a, in_pfs(t, off) ? "read-only register written" :
			     "between the TPMI features");
}
