// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run random events, starts, stops, ticks and snapshots of the driver and of drivers/core on
 * random CPMUs of a model, which follows CXL 4.0, 8.2.7, and CXL 3.2, table 13-5. Faults are: an
 * event for which driver and model permit different counters; a count of other accesses than the
 * event's filters select; an access that the specification forbids, even after the device did not
 * respond or another agent changed registers; and a register that differs after the CPMU is handed
 * back.
 *
 * MODEL_SEED is the first seed. MODEL_SECONDS makes the test run longer.
 */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <stdlib.h>
#include <time.h>

#include <pmon/regs.h>

/* Redirect each access of regs.c to the model. */
#define cxl_regs_init	model_regs_init
#define readq		model_readq
#define writeq		model_writeq
#define writel		model_writel

static u64 model_readq(const void __iomem *where);
static void model_writeq(u64 value, void __iomem *where);
static void model_writel(u32 value, void __iomem *where);

#include "../../regs.c"
/* All of drivers/core that accesses a box; encode.c is in pure.c. */
#include "../../../core/assign.c"
#include "../../../core/read.c"
#include "../../../core/verdict.c"
#include "../../../core/changes.c"
#include "../../../core/program.c"
#include "../../../core/life.c"
#include "../../../core/state.c"
#include "../suites.h"

#define DEVICES		600
#define ENCODINGS	100
#define STEPS		80

enum kind { FREE_RUNNING, FIXED, CONFIGURABLE };

/* Bits of a Counter Configuration register, table 8-185 */
#define ENABLE		BIT_ULL(8)
#define ACTIONS		GENMASK_ULL(10, 9)
#define TERMS		(GENMASK_ULL(12, 11) | GENMASK_ULL(23, 16))
#define RESERVED	(GENMASK_ULL(7, 2) | GENMASK_ULL(15, 13) | GENMASK_ULL(58, 56))

static struct model {
	u64 group[32], config[64], data[64], freeze;
	u32 filter[64][2];
	unsigned int counters, groups, width, filters;
	bool can_freeze, freeze_sticks, dead;
	const char *broken;		/* first broken rule, or NULL */
} m;

static u64 state;

static u64 word(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dULL;
}

static u64 draw(u64 n)
{
	return (word() >> 20) % n;
}

static bool chance(unsigned int percent)
{
	return draw(100) < percent;
}

/* ---- rules of the specification ------------------------------------------- */

static enum kind kind_of(unsigned int i)
{
	return m.config[i] & 3;
}

static u16 vid_of(u64 config)
{
	return config >> 48;
}

static u16 gid_of(u64 config)
{
	return config >> 32;
}

/* Table 13-5, MEC: may a counter add up events? */
static bool may_sum(u64 config)
{
	switch (vid_of(config) == 0x1e98 ? gid_of(config) : 0xffff) {
	case 0: case 0x30: case 0x31: case 0x8001: case 0x8002: case 0x8004:
		return false;
	}
	return true;
}

/* Table 13-5, Filters. Vendors' events have only HDM, as in cxl_pmu. */
static unsigned int filters_of(u64 config)
{
	u16 gid = gid_of(config);

	if (vid_of(config) != 0x1e98 || (gid >= 0x20 && gid <= 0x25))
		return BIT(0);
	return gid >= 0x8000 && gid <= 0x8003 ? BIT(1) : 0;
}

static bool is_single(u32 mask)
{
	return mask && !(mask & (mask - 1));
}

/* Residency, queues, sums and vendors' events may add more than 1 per clock. */
static bool may_be_many(u64 config)
{
	u16 gid = gid_of(config);

	return !is_single(config) || vid_of(config) != 0x1e98 || gid == 0x31 ||
	       gid == 0x8002 || (gid == 0x8001 && config & 7);
}

static void rule(bool kept, const char *text)
{
	if (!kept && !m.broken)
		m.broken = text;
}

/* Configurable counters must not use the group of a fixed or free-running counter. */
static bool is_reserved(unsigned int group)
{
	unsigned int i;

	for (i = 0; i < m.counters; i++)
		if (kind_of(i) != CONFIGURABLE && m.config[i] >> 59 == group)
			return true;
	return false;
}

static void check_enabled(unsigned int i)
{
	u64 config = m.config[i], group = m.group[config >> 59];
	u32 mask = config >> 24;
	u64 event = (group & GENMASK_ULL(63, 32)) | mask;
	unsigned int f;

	rule(!(config & ACTIONS), "an action on overflow");
	if (kind_of(i) == CONFIGURABLE) {
		rule(config >> 59 < m.groups, "a group that is not there");
		rule(!is_reserved(config >> 59), "the group of a dedicated counter");
		rule(mask && !(mask & ~group), "events that are not there");
		rule(is_single(mask) || may_sum(event), "a sum");
		rule(config & GENMASK_ULL(23, 16) || may_be_many(event),
		     "threshold 0 of an event of at most 1 per clock");
	}
	for (f = 0; f < 2; f++) {
		if (m.filter[i][f] == ~0u)
			continue;
		rule(filters_of(event) & BIT(f), "a filter that the group has not");
		rule(is_single(mask), "a filter of several events");
	}
}

static u8 window[CPMU_BYTES];

static u64 model_readq(const void __iomem *where)
{
	unsigned long at = (const u8 *)where - window;

	if (m.dead)
		return ~0ULL;
	if (at == CPMU_CAP)
		return 0;
	if (at == CPMU_FREEZE)
		return m.freeze;
	if (at >= CPMU_CFG(0) && at < CPMU_CFG(64))
		return m.config[(at - CPMU_CFG(0)) / 8];
	rule(at >= CPMU_DATA(0) && at < CPMU_DATA(64), "a read of another register");
	return m.data[(at - CPMU_DATA(0)) / 8 % 64];
}

static void write_config(unsigned int i, u64 value)
{
	u64 old = m.config[i], writable = ENABLE | ACTIONS;

	rule(i < m.counters && kind_of(i) != FREE_RUNNING, "a counter without a control");
	if (kind_of(i) == CONFIGURABLE)
		writable |= TERMS | GENMASK_ULL(55, 24) | GENMASK_ULL(63, 59);
	rule(!((old ^ value) & ~writable), "a read-only or reserved bit");
	rule(!(old & ENABLE) || !((old ^ value) & ~ENABLE), "a change while enabled");
	m.config[i] = value;
	if (!(old & ENABLE) && value & ENABLE)
		check_enabled(i);
	if (!(value & ENABLE) && !m.freeze_sticks)
		m.freeze &= ~BIT_ULL(i);
}

static void write_freeze(u64 value)
{
	u64 possible = 0, enabled = 0;
	unsigned int i;

	rule(m.can_freeze, "no Freeze register");
	for (i = 0; i < m.counters; i++)
		if (kind_of(i) != FREE_RUNNING) {
			possible |= BIT_ULL(i);
			enabled |= m.config[i] & ENABLE ? BIT_ULL(i) : 0;
		}
	rule(!(value & ~possible), "a freeze of a free-running or missing counter");
	m.freeze = value & (m.freeze_sticks ? possible : enabled | m.freeze);
}

static void model_writeq(u64 value, void __iomem *where)
{
	unsigned long at = (u8 *)where - window;

	if (m.dead || at == CPMU_OVERFLOW)
		return;
	if (at == CPMU_FREEZE)
		write_freeze(value);
	else if (at >= CPMU_CFG(0) && at < CPMU_CFG(64))
		write_config((at - CPMU_CFG(0)) / 8, value);
	else
		rule(false, "a write of another register");
}

static void model_writel(u32 value, void __iomem *where)
{
	unsigned int at = (u8 *)where - window - CPMU_FILTER(0, 0);
	unsigned int i = at / CPMU_FILTER_BYTES, f = at % CPMU_FILTER_BYTES / 4;

	if (m.dead)
		return;
	rule(at % 4 == 0, "an access that is not aligned");
	if (f > 1 || !(m.filters & BIT(f)) || i >= m.counters ||
	    kind_of(i) == FREE_RUNNING) {
		rule(false, "a filter that is not there");
		return;
	}
	rule(!(m.config[i] & ENABLE) || m.filter[i][f] == value,
	     "a filter of an enabled counter");
	m.filter[i][f] = value;
}

/* ---- accesses that filters select ----------------------------------------- */

#define ACCESSES	16

/* Accesses pass decoders 0 to 3, and each byte of channel, rank, group and bank is 0 or 1. */
static unsigned int selected(u32 hdm, u32 crb)
{
	unsigned int i, b, n = 0;

	for (i = 0; i < ACCESSES; i++) {
		bool passes = hdm == ~0u || hdm >> i % 4 & 1;

		for (b = 0; b < 4; b++) {
			u8 only = crb >> 8 * b;

			passes &= only == 0xff || only == (i >> b & 1);
		}
		n += passes;
	}
	return n;
}

/* Let accesses pass, of which each is one of each event. Returns false while frozen. */
static bool accesses_pass(void)
{
	unsigned int i;

	if (m.freeze)
		return false;
	for (i = 0; i < m.counters; i++)
		if (m.config[i] & ENABLE)
			m.data[i] += selected(m.filter[i][0], m.filter[i][1]);
	return true;
}

/* ---- a random CPMU -------------------------------------------------------- */

static u32 random_mask(void)
{
	u32 mask = word();

	if (chance(60))
		mask &= 0xffff;
	return chance(30) ? mask & 0xf : mask;
}

static u32 random_bit_of(u32 mask)
{
	u32 bit;

	do
		bit = BIT(draw(32));
	while (mask && !(mask & bit));
	return bit & mask;
}

/* Make a fixed or free-running counter; @lies permits missing groups and events. */
static u64 random_dedicated(enum kind kind, bool lies)
{
	unsigned int g = draw(lies && chance(20) ? 32 : m.groups);
	u32 events = m.group[g], mask = random_bit_of(events);

	if (chance(40) && may_sum(m.group[g]) && events & random_mask())
		mask = events;
	if (lies && chance(30))
		mask = random_mask();
	return kind | (kind == FREE_RUNNING ? ENABLE : 0) |
	       (draw(2) ? 1 : draw(256)) << 16 | (chance(10) ? draw(4) : 0) << 11 |
	       (u64)mask << 24 | (u64)g << 59;
}

static void random_device(bool lies)
{
	static const u16 gids[] = {
		0, 0x10, 0x14, 0x20, 0x21, 0x25, 0x26, 0x30, 0x31, 0x8000,
		0x8001, 0x8002, 0x8003, 0x8004, 0x8005,
	};
	unsigned int i;

	memset(&m, 0, sizeof(m));
	m.counters = 1 + draw(chance(80) ? 8 : 64);
	m.groups = 1 + draw(chance(80) ? 6 : 32);
	m.width = 20 + draw(45);
	m.filters = draw(4);
	m.can_freeze = chance(75);
	m.freeze_sticks = chance(50);
	for (i = 0; i < m.groups; i++) {
		u16 gid = gids[draw(ARRAY_SIZE(gids))];
		u64 vid = chance(85) ? 0x1e98 : 1 + draw(0xfffe);

		m.group[i] = vid << 48 | (u64)gid << 32 |
			     (gid ? random_mask() | BIT(draw(32)) : 1);
	}
	for (i = 0; i < m.counters; i++) {
		enum kind kind = chance(75) ? CONFIGURABLE : draw(2);

		m.config[i] = (kind == CONFIGURABLE ? CONFIGURABLE | BIT(16) :
			       random_dedicated(kind, lies)) |
			      (word() & RESERVED);
		m.filter[i][0] = ~0u;
		m.filter[i][1] = ~0u;
		m.data[i] = draw(BIT_ULL(20));
	}
}

/* Parse the registers like device.c. Returns false if the CPMU is rejected. */
static bool parse(struct cpmu_caps *caps, struct cxl_regs *regs)
{
	u64 cap = (m.counters - 1) | m.width << 8 | (m.groups - 1) << 20 |
		  (u64)m.filters << 32 | (u64)m.can_freeze << 49 | draw(16) << 60;
	unsigned int i;

	if (cpmu_parse_cap(cap, caps))
		return false;
	memset(regs, 0, sizeof(*regs));
	regs->mmio = window;
	regs->caps = caps;
	for (i = 0; i < m.groups; i++)
		cpmu_parse_group(i, m.group[i], caps);
	for (i = 0; i < m.counters; i++)
		cpmu_parse_counter(i, m.config[i], caps);
	return !cpmu_select_counters(caps);
}

/* ---- events --------------------------------------------------------------- */

/* Each byte selects 0 or 1, or is 0xff for any. */
static u32 random_place(void)
{
	u32 place = word() & 0x01010101;
	unsigned int b;

	for (b = 0; b < 4; b++)
		place |= chance(60) ? 0xffu << 8 * b : 0;
	return place;
}

static void random_event(u64 *config)
{
	u64 group = m.group[draw(m.groups)];
	unsigned int i = draw(m.counters);

	config[0] = (group & GENMASK_ULL(63, 32)) |
		    (chance(70) ? random_bit_of(group) : (u32)group & random_mask());
	if (chance(3))
		config[0] |= BIT(draw(32));
	if (chance(20) && kind_of(i) != CONFIGURABLE)
		config[0] = (m.group[m.config[i] >> 59] & GENMASK_ULL(63, 32)) |
			    (u32)(m.config[i] >> 24);
	config[1] = chance(60) ? 0 : chance(90) ? draw(6) : draw(0x10000);
	config[1] |= chance(10) ? draw(4) << 16 : 0;
	config[2] = 0;
	if (m.filters & 1 && chance(15)) {
		config[1] |= BIT(18);
		config[2] |= draw(16);
	}
	if (m.filters & 2 && chance(15)) {
		config[1] |= BIT(19);
		config[2] |= (u64)random_place() << 32;
	}
	if (chance(3))
		config[2] |= m.filters & 1 ? draw(16) : 0;
}

/* Return true if fixed or free-running counter @i counts @config with @threshold. */
static bool dedicated_counts(unsigned int i, const u64 *config, unsigned int threshold)
{
	u64 value = m.config[i];
	unsigned int g = value >> 59, has = value >> 16 & 0xff;
	u32 events = value >> 24;
	bool plain = !(config[1] & GENMASK(17, 0)) && !has && !may_be_many(config[0]);

	if (g >= m.groups || !events || events & ~(u32)m.group[g] ||
	    ((m.group[g] & GENMASK_ULL(63, 32)) | events) != config[0])
		return false;
	return (has == threshold || plain) && (value >> 11 & 1) == (config[1] >> 17 & 1) &&
	       (value >> 12 & 1) == (config[1] >> 16 & 1);
}

/* Return a mask of registers that may count an event; 0 if the event is refused. */
static u64 counters_for(const u64 *config)
{
	unsigned int threshold = config[1] & 0xffff, i, g;
	bool hdm = config[1] & BIT(18), crb = config[1] & BIT(19);
	u64 counters = 0;

	if (!(u32)config[0] || threshold > 0xff ||
	    (!is_single(config[0]) && (!may_sum(config[0]) || hdm || crb)) ||
	    hdm != !!(config[2] & 0xffff) || (!crb && config[2] >> 32) ||
	    (hdm && !(filters_of(config[0]) & 1)) || (crb && !(filters_of(config[0]) & 2)))
		return 0;
	threshold = threshold ?: !may_be_many(config[0]);
	if (!threshold && m.width < 32)
		return 0;
	for (i = 0; i < m.counters; i++) {
		if (kind_of(i) == CONFIGURABLE || !dedicated_counts(i, config, threshold))
			continue;
		if (kind_of(i) == FIXED)
			counters |= BIT_ULL(i);
		else if (!hdm && !crb)
			return BIT_ULL(i);
	}
	for (g = 0; g < m.groups; g++)
		if (!is_reserved(g) && !((m.group[g] ^ config[0]) >> 32) &&
		    !(config[0] & ~m.group[g] & U32_MAX))
			break;
	for (i = 0; i < m.counters && g < m.groups; i++)
		if (kind_of(i) == CONFIGURABLE)
			counters |= BIT_ULL(i);
	return counters;
}

static u64 registers_of(const struct pmon_layout *layout, u64 counters)
{
	u64 registers = 0;

	for (; counters; counters &= counters - 1)
		registers |= BIT_ULL((layout->counter[__ffs64(counters)].ctl -
				      CPMU_CFG(0)) / 8);
	return registers;
}

#define EVENTS	6

static struct counted {
	struct pmon_event event;
	u64 count;
	u64 truth;			/* accesses that passed while it counted */
	unsigned int gain;		/* of the accesses that pass at once */
	bool on;
} counted[EVENTS];

static struct {
	struct cpmu_caps caps;
	struct cxl_regs priv;
	struct pmon_counter counter[64];
	struct pmon_layout layout;
	struct pmon_hw_counter hw_counter[64];
	struct pmon_box_hw hw;
	u64 ms;
} rig;

static u64 rig_clock(void)
{
	return rig.ms * 1000000;
}

static u64 rig_sleep_ns(void)
{
	return 0;
}

static void rig_report(struct pmon_box_hw *hw)
{
}

static const struct pmon_hw_ops rig_ops = {
	.count = offsetof(struct counted, count), .clock = rig_clock, .ticks = &rig.ms,
	.second = 1000, .sleep_ns = rig_sleep_ns, .report = rig_report,
};

static const struct pmon_type rig_type = { .encode = cpmu_encode };

static void rig_init_hw(void)
{
	struct pmon_regs regs;
	unsigned int i;

	memset(rig.hw_counter, 0, sizeof(rig.hw_counter));
	memset(&rig.hw, 0, sizeof(rig.hw));
	memset(counted, 0, sizeof(counted));
	rig.ms = 1000000;
	rig.hw.ops = &rig_ops;
	rig.hw.counter = rig.hw_counter;
	rig.hw.ctl_event = CPMU_CFG_CHECKED;
	cxl_regs_init(&regs, &rig.priv);
	pmon_hw_init(&rig.hw, &rig.layout, &regs);
	/* As in device.c: what is off is known, unless the device was away. */
	for (i = 0; i < rig.layout.counters && chance(80); i++)
		rig.hw_counter[i].ctl = model_readq(window + rig.counter[i].ctl);
}

static bool rig_init(u64 seed, bool lies)
{
	state = seed * 0x9e3779b97f4a7c15ULL;
	word();
	random_device(lies);
	if (!parse(&rig.caps, &rig.priv))
		return false;
	memset(rig.counter, 0, sizeof(rig.counter));
	cpmu_layout(&rig.caps, rig.counter, &rig.layout);
	rig.layout.data = &rig.caps;
	pmon_layout_prepare(&rig.layout);
	rig_init_hw();
	return true;
}

/* ---- operations of perf -------------------------------------------------- */

static void start(struct counted *c)
{
	u64 config[3];

	random_event(config);
	if (c->on || pmon_event_encode(&c->event, &rig_type, &rig.layout, config))
		return;
	c->on = pmon_hw_add(&rig.hw, &c->event);
	c->gain = selected(config[1] & BIT(18) ? config[2] & 0xffff : ~0u,
			   config[1] & BIT(19) ? config[2] >> 32 : ~0u);
	c->count = 0;
	c->truth = 0;
}

static void stop(struct counted *c, bool with_agents)
{
	if (!c->on)
		return;
	pmon_hw_del(&rig.hw, &c->event);
	pmon_hw_apply(&rig.hw);
	c->on = false;
	rule(with_agents || (!c->event.failed && c->count == c->truth),
	     "a count of other accesses than the filters select");
}

/* As the core: probe a box without response; perf disables events that failed. */
static void attend(bool with_agents)
{
	unsigned int i;

	if (rig.hw.state == PMON_BOX_UNRESPONSIVE && pmon_hw_probe(&rig.hw))
		pmon_hw_recover(&rig.hw);
	for (i = 0; i < EVENTS; i++)
		if (counted[i].event.failed)
			stop(&counted[i], with_agents);
}

/* Act as a fault, or as another agent. Agents never enable a counter. */
static void disturb(void)
{
	unsigned int i = draw(m.counters);

	switch (draw(4)) {
	case 0:
		m.dead = !m.dead;
		break;
	case 1:
		if (m.can_freeze)
			m.freeze = word() & GENMASK_ULL(m.counters - 1, 0);
		break;
	case 2:
		if (kind_of(i) != FREE_RUNNING)
			m.config[i] &= ~ENABLE;
		break;
	case 3:
		for (i = 0; i < m.counters; i++) {
			if (kind_of(i) == CONFIGURABLE)
				m.config[i] = (m.config[i] & (RESERVED | 3)) | BIT(16);
			else if (kind_of(i) == FIXED)
				m.config[i] &= ~(ENABLE | ACTIONS);
			m.filter[i][0] = ~0u;
			m.filter[i][1] = ~0u;
		}
		m.freeze = 0;
	}
}

static void operate(bool with_agents)
{
	unsigned int i;
	u64 each;

	rig.ms += draw(draw(2) ? 10 : 2000);
	attend(with_agents);
	switch (draw(6)) {
	case 0: case 1:
		for (i = 1 + draw(3); i; i--)
			start(&counted[draw(EVENTS)]);
		pmon_hw_apply(&rig.hw);
		break;
	case 2:
		stop(&counted[draw(EVENTS)], with_agents);
		break;
	case 3:
		for (each = rig.hw.active; each; each &= each - 1)
			pmon_hw_read_one(&rig.hw, __ffs64(each));
		break;
	case 4:
		pmon_hw_tick(&rig.hw);
		break;
	case 5:
		pmon_hw_snapshot(&rig.hw, word());
	}
	if (accesses_pass())
		for (i = 0; i < EVENTS; i++)
			counted[i].truth += counted[i].on ? counted[i].gain : 0;
	if (with_agents && chance(15))
		disturb();
}

/* ---- suites --------------------------------------------------------------- */

static void each_device(struct kunit *test, bool (*holds)(struct kunit *test, u64 seed))
{
	u64 seed = host_setting("MODEL_SEED", 1), i;
	time_t end = time(NULL) + host_setting("MODEL_SECONDS", 0) / 3;

	for (i = 0; i < DEVICES || time(NULL) < end; i++)
		if (!holds(test, seed + i)) {
			kunit_info(test, "MODEL_SEED=%llu", seed + i);
			return;
		}
}

static bool encodes(struct kunit *test, u64 seed)
{
	unsigned int i;

	if (!rig_init(seed, seed % 2))
		return true;
	for (i = 0; i < ENCODINGS; i++) {
		struct pmon_encoding e = { };
		u64 config[3], counters;
		int ret;

		random_event(config);
		ret = cpmu_encode(&rig.layout, config, &e);
		counters = ret ? 0 : registers_of(&rig.layout, e.allowed);
		KUNIT_EXPECT_EQ(test, !ret, !!counters);
		KUNIT_EXPECT_EQ_MSG(test, counters_for(config), counters, "%llx,%llx,%llx",
				    config[0], config[1], config[2]);
		if (counters_for(config) != counters)
			return false;
	}
	return true;
}

static void events_are_as_specified(struct kunit *test)
{
	each_device(test, encodes);
}

static bool keeps_rules(struct kunit *test, u64 seed, bool with_agents)
{
	static struct model before;
	unsigned int i;
	bool used;

	if (!rig_init(seed, seed % 2))
		return true;
	before = m;
	for (i = 0; i < STEPS && !m.broken; i++)
		operate(with_agents);
	m.dead = false;
	attend(with_agents);
	for (i = 0; i < EVENTS; i++)
		stop(&counted[i], with_agents);
	used = rig.hw.used;
	pmon_hw_release(&rig.hw);
	KUNIT_EXPECT_STREQ(test, m.broken ?: "none", "none");
	KUNIT_EXPECT_EQ(test, used ? m.freeze : 0, 0ULL);
	KUNIT_EXPECT_EQ(test, memcmp(before.config, m.config, sizeof(m.config)), 0);
	KUNIT_EXPECT_EQ(test, memcmp(before.filter, m.filter, sizeof(m.filter)), 0);
	return !test->failed;
}

static bool alone(struct kunit *test, u64 seed)
{
	return keeps_rules(test, seed, false);
}

static void no_rule_is_broken(struct kunit *test)
{
	each_device(test, alone);
}

static bool disturbed(struct kunit *test, u64 seed)
{
	return keeps_rules(test, seed, true);
}

static void nor_after_agents_and_faults(struct kunit *test)
{
	each_device(test, disturbed);
}

static struct kunit_case model_tests[] = {
	/* contract: encoding refused */
	KUNIT_CASE(events_are_as_specified),
	/* contract: control */
	KUNIT_CASE(no_rule_is_broken),
	/* contract: control unresponsive */
	KUNIT_CASE(nor_after_agents_and_faults),
	{ }
};

static struct kunit_suite cxl_model_suite = {
	.name = "cxl_model",
	.test_cases = model_tests,
};

kunit_host_test_suites(&cxl_model_suite);
