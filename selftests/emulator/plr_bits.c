// SPDX-License-Identifier: GPL-2.0-only
/* The limit reasons of a PLR instance, as hardware changes them. */
#include "qemu/osdep.h"
#include "pmon.h"

/* What hardware does when it limits: bits stay until software clears them. */
void pmon_plr_raise(struct pmon_plr *p, bool mesh, unsigned int module,
		    uint64_t bits)
{
	if (mesh)
		p->mesh[module] |= bits;
	else
		p->core[module] |= bits;
	if (p->follows == PMON_DIE_COLLECTS)
		p->die_level |= (uint32_t)bits;
}

/* What the die level reads as. */
uint32_t pmon_plr_die(const struct pmon_plr *p)
{
	uint64_t bits = 0;
	unsigned int i;

	if (p->follows != PMON_DIE_COMPUTED)
		return p->die_level;
	for (i = 0; i < PMON_PLR_MODULES; i++)
		bits |= p->core[i] | p->mesh[i];
	return bits;
}
