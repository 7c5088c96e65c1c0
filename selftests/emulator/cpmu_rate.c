// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast a counter of a CPMU counts by itself, and which accesses to memory
 * it counts.  Integers only: events per microsecond, of 1000 clocks.
 */
#include "qemu/osdep.h"
#include "cpmu.h"

#define GROUP_CLOCK	0x0000
#define GROUP_MEMORY	0x0020	/* M2S, S2M: up to ... */
#define GROUP_MEMORY_END 0x0025	/* ... here they know the HDM decoder */
#define GROUP_DEVLOAD	0x0030
#define GROUP_DDR	0x8000
#define GROUP_QUEUES	0x8001
#define GROUP_RETRY	0x8003	/* up to here they know channel and rank */

#define QUEUE_DEPTH	16

/* Events that accesses make happen, and that do not happen by themselves. */
static const struct {
	uint16_t gid;
	uint32_t ids;
} driven[] = {
	{ 0x0020, 1 << 1 },			/* MemRd */
	{ 0x0021, 1 << 1 | 1 << 2 },		/* MemWr, MemWrPtl */
	{ 0x0024, 1 << 0 },			/* Cmp */
	{ 0x0025, 1 << 0 },			/* MemData */
	{ 0x0031, 1 << 0 | 1 << 1 },		/* residency */
	{ 0x8000, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 13 | 1 << 14 | 1 << 15 },
	{ 0x8002, 1 << 0 | 1 << 1 },
};

static bool is_driven(unsigned int vid, unsigned int gid, unsigned int id)
{
	unsigned int i;

	for (i = 0; vid == CPMU_VENDOR && i < ARRAY_SIZE(driven); i++) {
		if (driven[i].gid == gid)
			return driven[i].ids >> id & 1;
	}
	return false;
}

/* The device is in one of four states of load at any time. */
static uint64_t devload(unsigned int id)
{
	static const uint64_t share[] = { 700, 200, 75, 25 };

	return id < ARRAY_SIZE(share) ? share[id] : 0;
}

static uint64_t own_rate(const struct pmon_cpmu *p, unsigned int vid,
			 unsigned int gid, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < p->rates->len; i++) {
		struct cpmu_rate *r = &g_array_index(p->rates, struct cpmu_rate, i);

		if (r->vid == vid && r->gid == gid && r->id == id)
			return r->rate;
	}
	if (vid == CPMU_VENDOR && gid == GROUP_CLOCK)
		return id ? 0 : CPMU_CLOCK;
	if (is_driven(vid, gid, id))
		return 0;
	if (vid == CPMU_VENDOR && gid == GROUP_DEVLOAD)
		return devload(id);
	return 1 + (gid * 37 + id * 11 + vid) % 900;
}

/*
 * Clocks of a microsecond in which the increment is at least "threshold", when
 * "rate" increments are spread over them as evenly as can be.
 */
static uint64_t clocks_above(uint64_t rate, unsigned int threshold)
{
	uint64_t each = rate / CPMU_CLOCK, more = rate % CPMU_CLOCK;

	if (threshold <= each)
		return CPMU_CLOCK;
	return threshold == each + 1 ? more : 0;
}

/* Clocks with so many in a queue, and not fewer: from 1 to its depth. */
static uint64_t clocks_queued(unsigned int threshold)
{
	if (threshold > QUEUE_DEPTH)
		return 0;
	return CPMU_CLOCK * (QUEUE_DEPTH - threshold) / QUEUE_DEPTH;
}

static bool is_queue(unsigned int vid, unsigned int gid, unsigned int id)
{
	return vid == CPMU_VENDOR && gid == GROUP_QUEUES && id < 3;
}

static void selected(const struct pmon_cpmu *p, unsigned int i, unsigned int *vid,
		     unsigned int *gid, uint32_t *mask)
{
	uint64_t events = p->events[CFG_GROUP(p->ctr[i].cfg)];

	*vid = events >> 48;
	*gid = events >> 32 & 0xffff;
	*mask = (uint32_t)events & CFG_MASK(p->ctr[i].cfg);
}

static bool passes(uint32_t filter, uint32_t value)
{
	return filter == UINT32_MAX || filter == value;
}

/* Filter 1, a byte each: channel, rank, bank group, bank; 0xff is any. */
static bool on_channel(uint32_t filter, uint32_t channel)
{
	return filter == UINT32_MAX || (filter & 0xff) == 0xff ||
	       (filter & 0xff) == channel;
}

static bool is_filtered(const struct pmon_cpmu *p, unsigned int i,
			const struct cpmu_traffic *t, unsigned int gid)
{
	const struct cpmu_counter *c = &p->ctr[i];

	if (gid >= GROUP_MEMORY && gid <= GROUP_MEMORY_END && p->cap >> 32 & 1)
		return !passes(c->filter[0], t->decoder);
	if (gid >= GROUP_DDR && gid <= GROUP_RETRY && p->cap >> 33 & 1)
		return !on_channel(c->filter[1], t->channel);
	return false;
}

/* Counts per microsecond that come with time, on counter i. */
uint64_t pmon_cpmu_rate(const struct pmon_cpmu *p, unsigned int i)
{
	static const struct cpmu_traffic idle;
	uint64_t cfg = p->ctr[i].cfg, rate = 0, above;
	unsigned int vid, gid, id, threshold = CFG_THRESHOLD(cfg);
	bool queue = false;
	uint32_t mask;

	selected(p, i, &vid, &gid, &mask);
	if (is_filtered(p, i, &idle, gid))
		return 0;
	for (id = 0; id < 32; id++) {
		if (!(mask >> id & 1))
			continue;
		queue |= is_queue(vid, gid, id);
		rate += own_rate(p, vid, gid, id);
	}
	if (CFG_TYPE(cfg) == CPMU_FREE_RUNNING || (!threshold && !queue))
		return rate;
	if (!rate)
		return 0;
	above = queue ? clocks_queued(threshold) : clocks_above(rate, threshold);
	if (cfg & CFG_INVERT)
		above = CPMU_CLOCK - above;
	return cfg & CFG_EDGE ? MIN(above, CPMU_CLOCK - above) : above;
}

/* Whether counter i counts such an event, which is one in its clock. */
bool pmon_cpmu_sees(const struct pmon_cpmu *p, unsigned int i,
		    const struct cpmu_traffic *t, unsigned int gid,
		    unsigned int id)
{
	uint64_t cfg = p->ctr[i].cfg;
	unsigned int vid, group;
	uint32_t mask;

	selected(p, i, &vid, &group, &mask);
	if (vid != CPMU_VENDOR || group != gid || !(mask >> id & 1))
		return false;
	if (CFG_TYPE(cfg) == CPMU_FREE_RUNNING)
		return true;
	if (CFG_THRESHOLD(cfg) > 1 || (CFG_THRESHOLD(cfg) && cfg & CFG_INVERT))
		return false;
	return !is_filtered(p, i, t, gid);
}
