// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compute the rate of a CPMU counter in guest time, and select the memory
 * accesses that a counter counts.  Rates are integers: events per microsecond,
 * which is 1000 clocks.
 */
#include "qemu/osdep.h"
#include "cpmu.h"

#define GROUP_CLOCK	0x0000
#define GROUP_DEVLOAD	0x0030
#define GROUP_M2S_RESIDENCY 0x0031
#define GROUP_QUEUES	0x8001
#define GROUP_MC_RESIDENCY 0x8002

/* A queue has 0 to 15 entries, each number for a sixteenth of the clocks. */
#define QUEUE_DEPTH	16

/* Events that only accesses cause: the rate in guest time is 0. */
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

/* Return how many clocks of a microsecond have DevLoad state @id. */
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
 * Return how many clocks of a microsecond have at least "n" raw events, if "rate"
 * events are spread over the 1000 clocks as evenly as possible.
 */
static uint64_t spread(uint64_t rate, unsigned int n)
{
	uint64_t each = rate / CPMU_CLOCK, more = rate % CPMU_CLOCK;

	if (n <= each)
		return CPMU_CLOCK;
	return n == each + 1 ? more : 0;
}

/* With KNOB_ARRIVALS this many requests come at a time, and then wait together. */
#define BURST		4

static uint64_t in_bursts(uint64_t rate, unsigned int n)
{
	if (rate >= BURST * CPMU_CLOCK)
		return spread(rate, n);
	return n <= BURST ? rate / BURST : 0;
}

static uint64_t queued(unsigned int n)
{
	return n > QUEUE_DEPTH ? 0 : CPMU_CLOCK * (QUEUE_DEPTH - n) / QUEUE_DEPTH;
}

static bool is_queue(unsigned int vid, unsigned int gid, unsigned int id)
{
	return vid == CPMU_VENDOR && gid == GROUP_QUEUES && id < 3;
}

static bool is_residency(unsigned int vid, unsigned int gid)
{
	return vid == CPMU_VENDOR &&
	       (gid == GROUP_M2S_RESIDENCY || gid == GROUP_MC_RESIDENCY);
}

/*
 * True if the events can happen several times in a clock, so that a threshold
 * of 0 (add up all events) is permitted.
 */
bool pmon_cpmu_may_add(unsigned int vid, unsigned int gid, uint32_t mask)
{
	return vid != CPMU_VENDOR || (mask & (mask - 1)) || is_residency(vid, gid) ||
	       (gid == GROUP_QUEUES && mask & 7);
}

static void selected(const struct pmon_cpmu *p, unsigned int i, unsigned int *vid,
		     unsigned int *gid, uint32_t *mask)
{
	uint64_t events = p->events[CFG_GROUP(p->ctr[i].cfg)];

	*vid = events >> 48;
	*gid = events >> 32 & 0xffff;
	*mask = (uint32_t)events & CFG_MASK(p->ctr[i].cfg);
}

/* Compare a byte of filter 1; 0xff matches any value. */
static bool passes(uint32_t filter, unsigned int shift, uint32_t value)
{
	uint32_t wanted = filter >> shift & 0xff;

	return wanted == 0xff || wanted == value;
}

/* True if the group has this filter in the table of events (CXL 3.2, table 13-5). */
bool pmon_cpmu_has_filter(unsigned int vid, unsigned int gid, unsigned int filter)
{
	if (vid != CPMU_VENDOR)
		return filter < 2;
	if (filter == 0)
		return gid >= 0x20 && gid <= 0x25;
	return filter == 1 && gid >= 0x8000 && gid <= 0x8003;
}

static bool is_filtered(const struct pmon_cpmu *p, unsigned int i,
			const struct cpmu_traffic *t, unsigned int vid,
			unsigned int gid)
{
	const struct cpmu_counter *c = &p->ctr[i];

	if (pmon_cpmu_has_filter(vid, gid, 0) && p->cap >> 32 & 1)
		return !(c->filter[0] >> t->decoder & 1);
	if (pmon_cpmu_has_filter(vid, gid, 1) && p->cap >> 33 & 1)
		return !(passes(c->filter[1], 0, t->bank) &&
			 passes(c->filter[1], 8, t->bank_group) &&
			 passes(c->filter[1], 16, 0) &&
			 passes(c->filter[1], 24, t->channel));
	return false;
}

/* Return the rate of the selected events, before filter and threshold. */
static uint64_t raw_rate(const struct pmon_cpmu *p, unsigned int vid,
			 unsigned int gid, uint32_t mask)
{
	bool once = (is_residency(vid, gid) && p->knob[KNOB_RESIDENCY] == 0) ||
		    ((mask & (mask - 1)) && p->knob[KNOB_SUMS] == 0);
	uint64_t rate = 0;
	unsigned int id;

	for (id = 0; id < 32; id++) {
		if (!(mask >> id & 1))
			continue;
		rate += is_queue(vid, gid, id) ? CPMU_CLOCK * (QUEUE_DEPTH - 1) / 2 :
			own_rate(p, vid, gid, id);
	}
	return once ? MIN(rate, CPMU_CLOCK) : rate;
}

/* Return the counts per microsecond of guest time on counter i. */
uint64_t pmon_cpmu_rate(const struct pmon_cpmu *p, unsigned int i)
{
	static const struct cpmu_traffic idle;
	uint64_t cfg = p->ctr[i].cfg, raw, busy;
	unsigned int vid, gid, threshold = CFG_THRESHOLD(cfg), from = threshold;
	bool queue, bursts;
	uint32_t mask;

	selected(p, i, &vid, &gid, &mask);
	raw = raw_rate(p, vid, gid, mask);
	if (CFG_TYPE(cfg) == CPMU_FREE_RUNNING)
		return raw;
	if (is_filtered(p, i, &idle, vid, gid))
		raw = 0;
	queue = raw && vid == CPMU_VENDOR && gid == GROUP_QUEUES && mask & 7;
	if (cfg & CFG_EDGE) {
		busy = queue ? queued(1) : spread(raw, 1);
		return MIN(busy, CPMU_CLOCK - busy);
	}
	if (!threshold)
		return p->knob[KNOB_THRESHOLD] ? raw : CPMU_CLOCK;
	/* Count clocks with at least @from events or, inverted, all other clocks. */
	if (cfg & CFG_INVERT || (queue && p->knob[KNOB_OCCUPANCY] == 0))
		from++;
	bursts = is_residency(vid, gid) && p->knob[KNOB_ARRIVALS];
	busy = queue ? queued(from) : bursts ? in_bursts(raw, from) : spread(raw, from);
	return cfg & CFG_INVERT ? CPMU_CLOCK - busy : busy;
}

/* Return the counts of counter i for "n" events of an access, one per clock. */
uint64_t pmon_cpmu_sees(const struct pmon_cpmu *p, unsigned int i,
			const struct cpmu_traffic *t, unsigned int gid,
			unsigned int id, uint64_t n)
{
	uint64_t cfg = p->ctr[i].cfg;
	unsigned int vid, group;
	uint32_t mask;

	selected(p, i, &vid, &group, &mask);
	if (vid != CPMU_VENDOR || group != gid || !(mask >> id & 1))
		return 0;
	if (CFG_TYPE(cfg) == CPMU_FREE_RUNNING)
		return n;
	if (is_filtered(p, i, t, vid, gid))
		return 0;
	if (cfg & CFG_EDGE)
		return 1;
	switch (CFG_THRESHOLD(cfg)) {
	case 0:
		/* With KNOB_THRESHOLD 0 pmon_cpmu_rate() counts all clocks. */
		return p->knob[KNOB_THRESHOLD] ? n : 0;
	case 1:
		return cfg & CFG_INVERT ? 0 : n;
	default:
		return 0;
	}
}
