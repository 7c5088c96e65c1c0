// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which share of the time that some work ran was limited, and by what.
 *
 * An event on each module that the work has come to has the driver look at it
 * ten times a second; its file active, which costs no register access, has the
 * reasons of the last of these intervals. CPU time of the same step is charged
 * to them.
 */
#include "share.h"

#include <stdlib.h>
#include <unistd.h>

#include "output.h"

/* An event that tells nothing for so many looks has ended with its device. */
#define RENEW_STEPS (2000 / SHARE_STEP_MS)

static void add_share(struct shares *s, struct part *p)
{
	struct cpus cpus;

	if (!part_is_core(p) || !p->cpus || s->count == CPUS_MAX)
		return;
	cpus_parse(&cpus, p->cpus);
	for (unsigned int cpu = cpus_next(&cpus, 0); cpu < CPUS_MAX;
	     cpu = cpus_next(&cpus, cpu + 1))
		s->of_cpu[cpu] = (unsigned short)s->count;
	s->share = xrealloc(s->share, (s->count + 1) * sizeof(*s->share));
	s->share[s->count++] = (struct share){ .part = p, .event = -1 };
}

void shares_start(struct shares *s, struct parts *all)
{
	*s = (struct shares){
		.of_cpu = xrealloc(NULL, CPUS_MAX * sizeof(*s->of_cpu)),
	};
	for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
		s->of_cpu[cpu] = CPUS_MAX;
	for (size_t i = 0; i < all->count; i++)
		add_share(s, &all->part[i]);
}

void shares_ran(void *shares, unsigned int cpu, long long ns)
{
	struct shares *s = shares;
	struct share *share;

	if (cpu >= CPUS_MAX)
		return;
	cpus_add(&s->cpus, cpu);
	if (s->of_cpu[cpu] >= s->count) {
		s->elsewhere += ns;
		return;
	}
	share = &s->share[s->of_cpu[cpu]];
	cpus_add(&share->cpus, cpu);
	share->step += ns;
}

static void charge(struct share *share)
{
	uint64_t active = share->part->active;

	share->observed += share->step;
	for (unsigned int bit = 0; bit < REASON_BITS; bit++)
		if (active >> bit & 1)
			share->limited[bit] += share->step;
}

static void close_event(struct share *share)
{
	if (share->event >= 0)
		close(share->event);
}

static void open_event(struct share *share)
{
	close_event(share);
	share->event = part_event(share->part);
	share->unknown = 0;
}

void shares_step(struct shares *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct share *share = &s->share[i];

		if (!share->step)
			continue;
		if (!share->ran || share->unknown >= RENEW_STEPS)
			open_event(share);
		share->ran += share->step;
		if (part_read_active(share->part)) {
			charge(share);
			share->unknown = 0;
		} else {
			share->unknown++;
		}
		share->step = 0;
	}
}

void shares_free(struct shares *s)
{
	for (size_t i = 0; i < s->count; i++)
		close_event(&s->share[i]);
	free(s->share);
	free(s->of_cpu);
}
