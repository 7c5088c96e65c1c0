// SPDX-License-Identifier: GPL-2.0-only
/* Advance the counters of a CPMU; act on overflows. */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "hw/pci/msi.h"
#include "hw/pci/msix.h"
#include "cpmu.h"

static bool is_free(const struct pmon_cpmu *p, unsigned int i)
{
	return CFG_TYPE(p->ctr[i].cfg) == CPMU_FREE_RUNNING;
}

static bool is_enabled(const struct pmon_cpmu *p, unsigned int i)
{
	return is_free(p, i) || p->ctr[i].cfg & CFG_ENABLE;
}

static bool is_frozen(const struct pmon_cpmu *p, unsigned int i)
{
	return !is_free(p, i) && p->freeze >> i & 1;
}

/* Configurations with the same events and filters share a truth. */
static struct cpmu_truth *truth_of(struct pmon_cpmu *p, unsigned int i)
{
	const struct cpmu_counter *c = &p->ctr[i];
	uint64_t cfg = c->cfg & ~(CFG_INTERRUPT | CFG_FREEZE | CFG_ENABLE);
	g_autofree char *key = g_strdup_printf("%" PRIx64 " %x %x", cfg,
					       c->filter[0], c->filter[1]);
	struct cpmu_truth *t = g_hash_table_lookup(p->truth, key);
	uint64_t events = p->events[CFG_GROUP(cfg)];

	if (t)
		return t;
	t = g_new0(struct cpmu_truth, 1);
	t->vid = events >> 48;
	t->gid = events >> 32;
	t->mask = (uint32_t)events & CFG_MASK(cfg);
	t->cfg = cfg;
	t->filter[0] = c->filter[0];
	t->filter[1] = c->filter[1];
	g_hash_table_insert(p->truth, g_steal_pointer(&key), t);
	return t;
}

static void interrupt(struct pmon_cpmu *p)
{
	PCIDevice *pci = p->dev->pci;

	if (!pci || !(p->cap & CAP_INTERRUPT))
		return;
	if (msix_enabled(pci))
		msix_notify(pci, CAP_MESSAGE(p->cap));
	else if (msi_enabled(pci) &&
		 CAP_MESSAGE(p->cap) < msi_nr_vectors_allocated(pci))
		msi_notify(pci, CAP_MESSAGE(p->cap));
}

static void overflow(struct pmon_cpmu *p, unsigned int i)
{
	uint64_t cfg = p->ctr[i].cfg;

	bool had = p->overflow >> i & 1;
	unsigned int n;

	p->overflow |= 1ull << i;
	for (n = 0; cfg & CFG_FREEZE && p->cap & CAP_FREEZE && n < p->counters; n++) {
		if (!is_free(p, n) && (is_enabled(p, n) || p->knob[KNOB_FREEZE]))
			p->freeze |= 1ull << n;
	}
	if (cfg & CFG_INTERRUPT && !had)
		interrupt(p);
}

static void count_up(struct pmon_cpmu *p, unsigned int i, uint64_t n)
{
	struct cpmu_counter *c = &p->ctr[i];
	uint64_t mask = pmon_mask(p->width), room = mask - c->value;
	struct cpmu_truth *t;

	if (!n)
		return;
	c->value = (c->value + n) & mask;
	if (!c->left) {
		t = truth_of(p, i);
		t->counted += n;
		t->counters |= 1ull << i;
	}
	if (n > room)
		overflow(p, i);
}

static void sync_counter(struct pmon_cpmu *p, unsigned int i, int64_t now)
{
	struct cpmu_counter *c = &p->ctr[i];
	uint64_t ns = now - c->since, rate;

	c->since = now;
	if (!is_enabled(p, i))
		return;
	rate = pmon_cpmu_rate(p, i);
	if (!c->left)
		truth_of(p, i)->happened += pmon_advance(&c->happened_rest, rate, ns);
	if (is_frozen(p, i))
		return;
	count_up(p, i, pmon_advance(&c->rest, rate, ns));
	if (c->undefined && !p->knob[KNOB_UNDEFINED])
		c->value = (c->value + 1 + ns % 977) & pmon_mask(p->width);
}

/* Advance all counters to now; called before each read and write. */
void pmon_cpmu_sync(struct pmon_cpmu *p)
{
	int64_t now = pmon_now();
	unsigned int i;

	for (i = 0; i < p->counters; i++)
		sync_counter(p, i, now);
}

/* Count @n events of an access on each counter that selects the event. */
void pmon_cpmu_happen(struct pmon_cpmu *p, const struct cpmu_traffic *t,
		      unsigned int gid, unsigned int id, uint64_t n)
{
	unsigned int i;

	for (i = 0; i < p->counters; i++) {
		uint64_t seen = is_enabled(p, i) ?
			pmon_cpmu_sees(p, i, t, gid, id, n) : 0;

		if (!seen)
			continue;
		if (!p->ctr[i].left)
			truth_of(p, i)->happened += seen;
		if (!is_frozen(p, i))
			count_up(p, i, seen);
	}
}

/* Return the guest time of the next overflow with an action (interrupt, freeze). */
static int64_t next_overflow(struct pmon_cpmu *p, int64_t now)
{
	unsigned __int128 ns;
	int64_t next = INT64_MAX;
	unsigned int i;

	for (i = 0; i < p->counters; i++) {
		struct cpmu_counter *c = &p->ctr[i];
		uint64_t rate;

		if (!(c->cfg & (CFG_INTERRUPT | CFG_FREEZE)) ||
		    !is_enabled(p, i) || is_frozen(p, i))
			continue;
		rate = pmon_cpmu_rate(p, i);
		if (!rate)
			continue;
		ns = ((unsigned __int128)(pmon_mask(p->width) - c->value) + 1) * 1000;
		ns = (ns - c->rest + rate - 1) / rate;
		if (ns < (unsigned __int128)(next - now))
			next = now + (int64_t)ns;
	}
	return next;
}

void pmon_cpmu_plan_timer(struct pmon_cpmu *p)
{
	int64_t next = next_overflow(p, pmon_now());

	if (next == INT64_MAX)
		timer_del(p->timer);
	else
		timer_mod(p->timer, next);
}

static void cpmu_expired(void *opaque)
{
	pmon_cpmu_sync(opaque);
	pmon_cpmu_plan_timer(opaque);
}

void pmon_cpmu_reset_truth(struct pmon_cpmu *p)
{
	pmon_cpmu_sync(p);
	g_hash_table_remove_all(p->truth);
}

/* Return all bits except actions on overflow that the CPMU does not have. */
static uint64_t possible(const struct pmon_cpmu *p)
{
	return ~((p->cap & CAP_INTERRUPT ? 0 : CFG_INTERRUPT) |
		 (p->cap & CAP_FREEZE ? 0 : CFG_FREEZE));
}

/* Return a mask of the writable bits in the configuration of a counter. */
static uint64_t writable(const struct pmon_cpmu *p, unsigned int i)
{
	if (is_free(p, i))
		return 0;
	return CFG_TYPE(p->ctr[i].cfg) == CPMU_CONFIGURABLE ? CFG_WRITABLE :
		CFG_WRITABLE_FIXED;
}

static uint64_t seed_of(const struct pmon_cpmu *p)
{
	return pmon_machine->seed ^ p->dev->index << 8 ^ p->index;
}

/*
 * Reset: disable counters and filters (CXL 4.0, tables 8-185 and 8-186).  Counter
 * Data is undefined after a reset, so a machine with a seed has random values.
 */
void pmon_cpmu_reset(struct pmon_cpmu *p)
{
	uint64_t state = ~seed_of(p);
	unsigned int i;

	p->overflow = 0;
	p->freeze = 0;
	for (i = 0; i < p->counters; i++) {
		struct cpmu_counter *c = &p->ctr[i];

		memset(c->filter, 0xff, sizeof(c->filter));
		c->undefined = false;
		c->cfg = (c->cfg & ~writable(p, i)) | (CFG_RESET & writable(p, i));
		c->value = pmon_machine->garbage ?
			pmon_random(&state) & pmon_mask(p->width) : 0;
		c->since = pmon_now();
		c->left = !is_free(p, i);
	}
	g_hash_table_remove_all(p->truth);
	timer_del(p->timer);
}

/* Fill a counter with pseudo-random values, as if firmware had used the counter. */
static void leave_garbage(struct pmon_cpmu *p, unsigned int i, uint64_t *state)
{
	struct cpmu_counter *c = &p->ctr[i];
	unsigned int f;

	c->cfg &= ~(writable(p, i) | CFG_RSVDP);
	c->cfg |= pmon_random(state) &
		((writable(p, i) & possible(p)) | CFG_RSVDP);
	c->value = pmon_random(state) & pmon_mask(p->width);
	for (f = 0; f < CPMU_FILTERS && !is_free(p, i); f++) {
		if (p->cap >> (32 + f) & 1)
			c->filter[f] = pmon_random(state);
	}
	if (!is_free(p, i) && c->cfg & CFG_ENABLE && pmon_random(state) & 1)
		p->freeze |= 1ull << i;
}

/*
 * Power on.  Firmware may have used the CPMU, so configurations, filters and
 * Counter Data hold any value, some counters are enabled, and some are frozen.
 */
void pmon_cpmu_power_on(struct pmon_cpmu *p)
{
	uint64_t state = seed_of(p);
	unsigned int i;

	pmon_cpmu_reset(p);
	if (!pmon_machine->garbage)
		return;
	p->overflow = pmon_random(&state) & ~0ull >> (64 - p->counters);
	for (i = 0; i < p->counters; i++)
		leave_garbage(p, i, &state);
}

struct pmon_cpmu *pmon_cpmu_create(struct pmon_cxl *dev, uint64_t cap)
{
	struct pmon_cpmu *p = g_new0(struct pmon_cpmu, 1);

	p->dev = dev;
	p->index = dev->cpmus->len;
	p->name = g_strdup_printf("cpmu%u.%u", dev->index, p->index);
	p->cap = cap;
	p->counters = (cap & 0x3f) + 1;
	p->width = MIN(MAX(cap >> 8 & 0xff, 1), 64);
	p->lies = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	p->truth = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	p->rates = g_array_new(false, false, sizeof(struct cpmu_rate));
	p->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, cpmu_expired, p);
	g_ptr_array_add(dev->cpmus, p);
	return p;
}
