// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model power limits and energy (TPMI feature 0x00).  A domain has 128 bytes; flags
 * in its header show the registers that exist.  Energy grows with guest time at the
 * power that the machine description or the bench sets.
 */
#include "qemu/osdep.h"
#include "pmon.h"

#define RAPL_BYTES	128
#define RAPL_HEADER	0
#define RAPL_UNIT	1
#define RAPL_PL1	2
#define RAPL_PL4	5
#define RAPL_ENERGY	7

#define HEADER_HAS(header, reg)	((header) >> (32 + (reg)) & 1)
#define UNIT_ENERGY(unit)	((unit) >> 6 & 0x1f)
#define LIMIT_LOCKED		(1ull << 63)

/* Unit of the time in ENERGY_STATUS. */
#define RAPL_TICK_NS	10

struct pmon_rapl *pmon_rapl_domain(struct pmon_tpmi *t, unsigned int index)
{
	return index < PMON_RAPL_DOMAINS && t->rapl[index].present ?
	       &t->rapl[index] : NULL;
}

/* Return the energy up to now; rest_nj carries the remainder of the division. */
static uint64_t energy_uj(struct pmon_rapl *r)
{
	int64_t now = pmon_now();
	uint64_t nj = r->power_mw * ((now - r->since) / 1000) + r->rest_nj;

	/* milliwatts times microseconds are nanojoules */
	r->energy_uj += nj / 1000;
	r->rest_nj = nj % 1000;
	r->since += (now - r->since) / 1000 * 1000;
	return r->energy_uj;
}

static uint64_t energy_status(struct pmon_rapl *r)
{
	uint64_t uj = energy_uj(r);
	unsigned int unit = UNIT_ENERGY(r->reg[RAPL_UNIT]);
	uint64_t count = (uj / 1000000 << unit) + (uj % 1000000 << unit) / 1000000;

	return (uint32_t)(count + r->reg[RAPL_ENERGY]) |
	       (uint64_t)(uint32_t)(r->since / RAPL_TICK_NS) << 32;
}

void pmon_rapl_set_power(struct pmon_rapl *r, uint64_t mw)
{
	energy_uj(r);
	r->power_mw = mw;
}

static uint64_t rapl_value(struct pmon_rapl *r, unsigned int reg)
{
	if (reg && !HEADER_HAS(r->reg[RAPL_HEADER], reg))
		return 0;
	return reg == RAPL_ENERGY ? energy_status(r) : r->reg[reg];
}

uint64_t pmon_rapl_read(struct pmon_tpmi *t, uint64_t at, unsigned int bytes)
{
	struct pmon_rapl *r = pmon_rapl_domain(t, at / RAPL_BYTES);

	/* The header of a missing domain reads all-ones. */
	if (!r)
		return at % RAPL_BYTES < 8 ? pmon_ones(bytes) : 0;
	return pmon_part(rapl_value(r, at % RAPL_BYTES / 8), at % 8, bytes);
}

/* Return false for a missing or read-only register, or a width other than 8 bytes. */
bool pmon_rapl_write(struct pmon_tpmi *t, uint64_t at, uint64_t val, unsigned int bytes)
{
	struct pmon_rapl *r = pmon_rapl_domain(t, at / RAPL_BYTES);
	unsigned int reg = at % RAPL_BYTES / 8;

	if (!r || bytes != 8 || reg < RAPL_PL1 || reg > RAPL_PL4 ||
	    !HEADER_HAS(r->reg[RAPL_HEADER], reg))
		return false;
	if (!(r->reg[reg] & LIMIT_LOCKED))
		r->reg[reg] = val;
	return true;
}
