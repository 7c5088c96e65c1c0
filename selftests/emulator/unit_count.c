// SPDX-License-Identifier: GPL-2.0-only
/*
 * Advance the counters of a PMON unit in guest time: find the active counters,
 * their rates and their counts up to now.
 */
#include "qemu/osdep.h"
#include "pmon.h"

#define CTL_EVENT(ctl)	((ctl) & 0xff)
#define CTL_UMASK(ctl)	((ctl) >> 8 & 0xff)
#define FIXED_ENABLE	(1u << 22)

unsigned int pmon_unit_counters(const struct pmon_unit *u)
{
	return u->lay.counters + u->lay.fixed;
}

/*
 * Our decision: rates of traffic that hardware could have, per microsecond.  A
 * memory channel reads 17 GB/s and writes 8 GB/s in lines of 64 bytes (200 GB/s for
 * eight channels, 600 for twelve with two halves each).  A port of an IIO stack has
 * 0.4 GB/s if its counters count 4 bytes, or 3 GB/s if they count 32 bytes.
 */
static const struct {
	unsigned int type;
	uint16_t event, last;	/* event and umask: bits 15:0 of the control */
	unsigned int rate;
} traffic[] = {
	{ 6, 0xcf05, 0xcf05, 264 }, { 6, 0xf005, 0xf005, 128 },
	{ 6, 0xcf06, 0xcf06, 264 }, { 6, 0xf006, 0xf006, 128 },
	{ 14, 0xcf05, 0xcf05, 264 }, { 14, 0xf005, 0xf005, 128 },
	{ 1, 0x0183, 0x0183, 100 }, { 1, 0x0483, 0x0483, 100 },
	{ PMON_FREE_TYPE + 1, 0x20ff, 0x37ff, 100 },
};

/*
 * Our decision, in place of a workload: unless the bench sets the rate of a counter,
 * the rate depends only on unit type, event and umask, and is never 0.
 */
uint64_t pmon_counter_rate(const struct pmon_unit *u, const struct pmon_counter *c)
{
	unsigned int i;

	if (c->rate)
		return c->rate;
	for (i = 0; i < ARRAY_SIZE(traffic); i++)
		if (traffic[i].type == u->type && (uint16_t)c->ctl >= traffic[i].event &&
		    (uint16_t)c->ctl <= traffic[i].last)
			return traffic[i].rate;
	return 1000 + (CTL_EVENT(c->ctl) * 37 + CTL_UMASK(c->ctl) * 11) % 4096;
}

/*
 * On discovery platforms only fixed counters have an enable bit.  The upper half
 * of a control narrows an event down but selects nothing alone, so software may
 * write both halves in any order.
 */
bool pmon_counter_active(const struct pmon_unit *u, unsigned int i)
{
	if (u->free)
		return true;
	if (i >= u->lay.counters || u->ring || u->lay.enable)
		return u->ctr[i].ctl & FIXED_ENABLE;
	return (uint32_t)u->ctr[i].ctl;
}

/* True if a switch (a control outside the discovery table) stops the unit. */
static bool is_switched_off(const struct pmon_unit *u)
{
	GPtrArray *switches = u->dev ? u->dev->switches : NULL;
	unsigned int i;

	for (i = 0; switches && i < switches->len; i++) {
		const struct pmon_unit *s = g_ptr_array_index(switches, i);

		if (s->kind == u->kind && (s->run ? (s->box_ctl & s->run) != s->run :
						    s->box_ctl & PMON_BOX_FREEZE))
			return true;
	}
	return false;
}

bool pmon_unit_frozen(const struct pmon_unit *u)
{
	const struct pmon_unit *global = u->dev ? u->dev->global : NULL;

	if (u->free)
		return false;
	if (u->ring)
		return pmon_ring_frozen(u);
	return (u->box_ctl & PMON_BOX_FREEZE) || is_switched_off(u) ||
	       (global && (global->box_ctl & PMON_BOX_FREEZE));
}

static void count_control(struct pmon_unit *u, unsigned int i, uint64_t n)
{
	struct pmon_counter *c = &u->ctr[i];
	struct pmon_control *control;

	if (!u->controls)
		u->controls = g_hash_table_new_full(g_int64_hash, g_int64_equal,
						    NULL, g_free);
	control = g_hash_table_lookup(u->controls, &c->ctl);
	if (!control) {
		control = g_new0(struct pmon_control, 1);
		control->ctl = c->ctl;
		g_hash_table_insert(u->controls, &control->ctl, control);
	}
	control->counted += n;
	control->counters |= 1ull << MIN(i, 63);
}

static void raise_value(struct pmon_unit *u, unsigned int i, uint64_t n)
{
	struct pmon_counter *c = &u->ctr[i];
	uint64_t mask = pmon_mask(c->width);

	if (n > mask - c->value && u->ring)
		pmon_ring_overflow(u, i);
	else if (n > mask - c->value)
		u->status |= 1ull << MIN(i, 63);
	c->value = (c->value + n) & mask;
}

static void count_up(struct pmon_unit *u, unsigned int i, uint64_t n)
{
	u->ctr[i].counted += n;
	if (n)
		count_control(u, i, n);
	raise_value(u, i, n);
}

/* Raise the register, but not c->counted, as the control is left from power-on. */
static void count_left(struct pmon_unit *u, unsigned int i, uint64_t n)
{
	u->ctr[i].left_counted += n;
	raise_value(u, i, n);
}

/* True if only pmon_unit_happens() causes events of the control. */
static bool is_by_hand(const struct pmon_unit *u, const struct pmon_counter *c)
{
	return u->by_hand && g_hash_table_contains(u->by_hand,
						   GUINT_TO_POINTER((uint16_t)c->ctl));
}

/* Count @n events on all counters whose control has the low 16 bits @ctl. */
void pmon_unit_happens(struct pmon_unit *u, uint16_t ctl, uint64_t n)
{
	unsigned int i;

	for (i = 0; i < u->lay.counters; i++) {
		struct pmon_counter *c = &u->ctr[i];

		if ((uint16_t)c->ctl != ctl || c->left)
			continue;
		c->happened += n;
		if (!pmon_unit_frozen(u))
			count_up(u, i, n);
	}
}

/* A counter in u->carry stops before its low half carries, until that half is read. */
static uint64_t before_carry(const struct pmon_unit *u, unsigned int i, uint64_t n)
{
	uint64_t room = UINT32_MAX - (uint32_t)u->ctr[i].value;

	return u->carry >> i & 1 ? MIN(n, room) : n;
}

static void counter_sync(struct pmon_unit *u, unsigned int i, int64_t now)
{
	struct pmon_counter *c = &u->ctr[i];
	uint64_t ns = now - c->since;
	uint64_t rate;

	c->since = now;
	if (!pmon_counter_active(u, i))
		return;
	rate = u->ring ? pmon_ring_rate(c) : is_by_hand(u, c) ? 0 :
		pmon_counter_rate(u, c);
	if (c->left) {
		if (!pmon_unit_frozen(u))
			count_left(u, i, pmon_advance(&c->left_rest, rate, ns));
		return;
	}
	c->happened += pmon_advance(&c->happened_rest, rate, ns);
	if (pmon_unit_frozen(u)) {
		c->frozen_ns += ns;
		return;
	}
	c->enabled_ns += ns;
	count_up(u, i, before_carry(u, i, pmon_advance(&c->counted_rest, rate, ns)));
}

void pmon_unit_sync_to(struct pmon_unit *u, int64_t now)
{
	unsigned int i;

	for (i = 0; i < pmon_unit_counters(u); i++)
		counter_sync(u, i, now);
}

/* Make the low half carry between a driver's reads of both halves, see u->carry. */
void pmon_counter_low_read(struct pmon_unit *u, unsigned int i, uint64_t low)
{
	if (!(u->carry >> i & 1) || low != UINT32_MAX || pmon_unit_frozen(u) ||
	    !pmon_counter_active(u, i))
		return;
	u->carries++;
	count_up(u, i, 5);
}
