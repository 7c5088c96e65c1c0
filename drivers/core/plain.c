// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plain events: what is known of them before they are opened. Such an event is
 * no more than its control, on any counter that its type allows, without a
 * filter, a counter of its own or a group. On which box it counts is noted for
 * each CPU that it can be opened on, so that perf.c asks nothing else.
 */
#include <linux/cpumask.h>
#include <linux/lockdep.h>

#include "core.h"

/* Which bits a plain event does not have. */
void pmon_plain_describe(struct pmon_pmu *pmu)
{
	const struct pmon_type *type = pmu->type;
	unsigned int i;

	for (i = 0; i < PMON_CONFIG_WORDS; i++)
		pmu->special[i] = ~pmu->covered[i];
	pmu->special[0] |= ~type->ctl_mask | type->filter_enable;
	pmu->special[pmon_snapshot_word(type)] |= PMON_SNAPSHOT_MASK;
}

/*
 * Is an event of @box plain that has no bit of @special and is not that of the
 * fixed counter?
 */
static bool pmon_box_is_plain(const struct pmon_box *box)
{
	const struct pmon_type *type = box->pmu->type;
	const struct pmon_layout *layout = &box->bank.layout;

	return !type->encode && !layout->free_running &&
	       (!layout->own || type->fixed_config) &&
	       !(layout->ctl_bytes == 4 &&
		 (type->ctl_mask | type->ctl_set) >> 32) &&
	       !box->bank.regs.ops->begin;
}

/* None while no event of the PMU can be opened. */
static struct pmon_box *pmon_plain_box(struct pmon_pmu *pmu, unsigned int cpu)
{
	int index = pmon_place_index(pmu->near, cpu);
	struct pmon_box *box = index < 0 ? NULL : pmu->box[index];

	if (!box || !pmu->ready || pmu->dead || !pmon_box_is_plain(box))
		return NULL;
	return box;
}

/* A CPU is online, maybe for the first time. */
void pmon_plain_enter_cpu(struct pmon_pmu *pmu, void *cpu)
{
	unsigned int n = *(unsigned int *)cpu;

	lockdep_assert_held(&pmon_mutex);
	/* Pairs with perf.c, which finds the box complete. */
	smp_store_release(&pmu->plain[n], pmon_plain_box(pmu, n));
}

/* Boxes have come, or whether events can be opened has changed. */
void pmon_plain_update(struct pmon_pmu *pmu)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		pmon_plain_enter_cpu(pmu, &cpu);
}
