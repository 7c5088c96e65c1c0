// SPDX-License-Identifier: GPL-2.0-only
/* Set limit reasons of modules and of the die level, as hardware and firmware do. */
#include "qemu/osdep.h"
#include "pmon.h"

/* True if the core domain has the module ID. */
bool pmon_plr_has(const struct pmon_plr *p, unsigned int module)
{
	return module < PMON_PLR_MODULES && p->ids[module / 64] >> module % 64 & 1;
}

/* Return the ID of the nth present module. */
unsigned int pmon_plr_nth(const struct pmon_plr *p, unsigned int n)
{
	unsigned int id;

	for (id = 0; id < PMON_PLR_MODULES - 1; id++) {
		if (pmon_plr_has(p, id) && !n--)
			break;
	}
	return id;
}

/* Set bits as hardware does at a limit: bits stay until software clears them. */
void pmon_plr_raise(struct pmon_plr *p, bool mesh, unsigned int module,
		    uint64_t bits)
{
	if (mesh)
		p->mesh[module] |= bits;
	else if (p->module_lag_ns)
		p->core_late[module] |= bits;
	else
		p->core[module] |= bits;
	if (p->follows != PMON_DIE_COLLECTS && p->follows != PMON_DIE_LATCHES)
		return;
	if (p->die_lag_ns)
		p->die_late |= (uint32_t)bits;
	else
		p->die_level |= (uint32_t)bits;
}

/*
 * Show late bits: of the die level at new multiples of die_lag_ns, of modules at
 * new multiples of module_lag_ns.  Called when all bits up to "until" are set.
 */
void pmon_plr_catch_up(struct pmon_plr *p, int64_t until)
{
	unsigned int i;

	if (p->die_lag_ns && until / (int64_t)p->die_lag_ns > p->die_lagged) {
		p->die_lagged = until / (int64_t)p->die_lag_ns;
		p->die_level |= p->die_late;
		p->die_late = 0;
	}
	if (!p->module_lag_ns || until / (int64_t)p->module_lag_ns <= p->module_lagged)
		return;
	p->module_lagged = until / (int64_t)p->module_lag_ns;
	for (i = 0; i < PMON_PLR_MODULES; i++) {
		p->core[i] |= p->core_late[i];
		p->core_late[i] = 0;
	}
}

static uint32_t of_all_modules(const struct pmon_plr *p)
{
	uint64_t bits = 0;
	unsigned int i;

	for (i = 0; i < PMON_PLR_MODULES; i++)
		bits |= p->core[i] | p->mesh[i];
	return bits;
}

/* At each new round of firmware, set all modules' bits in the die level again. */
void pmon_plr_latch(struct pmon_plr *p, int64_t until, uint64_t round)
{
	if (until / (int64_t)round == p->latched)
		return;
	p->latched = until / (int64_t)round;
	if (p->follows == PMON_DIE_LATCHES)
		p->die_level |= of_all_modules(p);
}

/* Return the value of the die level register. */
uint32_t pmon_plr_die(const struct pmon_plr *p)
{
	return p->follows == PMON_DIE_COMPUTED ? of_all_modules(p) : p->die_level;
}
