// SPDX-License-Identifier: GPL-2.0-only
/* Decode, read and write the registers of a CPMU; check accesses against the rules. */
#include "qemu/osdep.h"
#include "cpmu.h"

struct reg {
	enum pmon_class class;
	unsigned int index, start, bytes;
};

static bool in(unsigned int off, unsigned int first, unsigned int each,
	       unsigned int count, struct reg *r)
{
	if (off < first || off >= first + each * count)
		return false;
	r->index = (off - first) / each;
	r->start = first + r->index * each;
	r->bytes = each;
	return true;
}

static bool decode(const struct pmon_cpmu *p, unsigned int off, struct reg *r)
{
	unsigned int groups = (p->cap >> 20 & 0x1f) + 1;

	r->class = PMON_CAPABILITY;
	if (in(off, CPMU_CAP, 8, 1, r) || in(off, CPMU_EVENTS(0), 8, groups, r))
		return true;
	r->class = PMON_STATUS;
	if (in(off, CPMU_OVERFLOW, 8, 1, r))
		return true;
	r->class = PMON_BOX_CTL;
	if (in(off, CPMU_FREEZE, 8, 1, r))
		return p->cap & CAP_FREEZE;
	r->class = PMON_EVENT_CTL;
	if (in(off, CPMU_CFG(0), 8, p->counters, r))
		return true;
	r->class = PMON_COUNTER;
	if (in(off, CPMU_DATA(0), 8, p->counters, r))
		return true;
	r->class = PMON_FILTER;
	if (in(off, CPMU_FILTER(0), 4, CPMU_FILTERS * p->counters, r))
		return p->cap >> (32 + r->index % CPMU_FILTERS) & 1;
	return false;
}

static uint64_t get(const struct pmon_cpmu *p, const struct reg *r)
{
	switch (r->class) {
	case PMON_CAPABILITY:
		return r->start == CPMU_CAP ? p->cap : p->events[r->index];
	case PMON_STATUS:
		return p->overflow;
	case PMON_BOX_CTL:
		return p->freeze;
	case PMON_EVENT_CTL:
		return p->ctr[r->index].cfg;
	case PMON_COUNTER:
		return p->ctr[r->index].value;
	default:
		return p->ctr[r->index / CPMU_FILTERS].filter[r->index % CPMU_FILTERS];
	}
}

/* True if a fixed or free-running counter reports the Event Capability @group. */
static bool is_taken(const struct pmon_cpmu *p, unsigned int group)
{
	unsigned int i;

	for (i = 0; i < p->counters; i++) {
		if (CFG_TYPE(p->ctr[i].cfg) != CPMU_CONFIGURABLE &&
		    CFG_GROUP(p->ctr[i].cfg) == group)
			return true;
	}
	return false;
}

/* True if the table of events permits only one event of the group at a time. */
static bool is_single(unsigned int vid, unsigned int gid)
{
	return vid == CPMU_VENDOR && (gid == 0 || gid == 0x30 || gid == 0x31 ||
				      gid == 0x8001 || gid == 0x8002 || gid == 0x8004);
}

/* Error text if a configurable counter must not count @cfg, else NULL. */
static const char *bad_event(const struct pmon_cpmu *p, uint64_t cfg)
{
	uint64_t events = p->events[CFG_GROUP(cfg)];
	unsigned int vid = events >> 48, gid = events >> 32 & 0xffff;
	uint32_t mask = CFG_MASK(cfg);

	if (CFG_GROUP(cfg) > (p->cap >> 20 & 0x1f))
		return "an event capability that is not there";
	if (is_taken(p, CFG_GROUP(cfg)))
		return "the event capability of a counter with an event of its own";
	if (mask & ~(uint32_t)events)
		return "an event that is not supported";
	if (is_single(vid, gid) && mask & (mask - 1))
		return "several events that cannot be added up";
	if (!CFG_THRESHOLD(cfg) && !pmon_cpmu_may_add(vid, gid, mask))
		return "a threshold of 0 for an event of at most one in a clock";
	return NULL;
}

/* Error text if @cfg does not permit the present filters of counter @i, else NULL. */
static const char *bad_filter(const struct pmon_cpmu *p, unsigned int i, uint64_t cfg)
{
	uint64_t events = p->events[CFG_GROUP(cfg)];
	unsigned int f;

	for (f = 0; f < CPMU_FILTERS; f++) {
		if (!(p->cap >> (32 + f) & 1) || p->ctr[i].filter[f] == UINT32_MAX)
			continue;
		if (!pmon_cpmu_has_filter(events >> 48, events >> 32 & 0xffff, f))
			return "a filter that the events do not have";
		if (CFG_MASK(cfg) & (CFG_MASK(cfg) - 1))
			return "a filter for several events";
	}
	return NULL;
}

/* Error text if counter @i must not be enabled with @val, else NULL. */
static const char *bad_enabled(const struct pmon_cpmu *p, unsigned int i, uint64_t val)
{
	uint64_t cfg = p->ctr[i].cfg;
	const char *why = NULL;

	if (CFG_TYPE(cfg) == CPMU_CONFIGURABLE) {
		cfg = (cfg & ~CFG_WRITABLE) | (val & CFG_WRITABLE);
		why = bad_event(p, cfg);
	}
	return why ?: bad_filter(p, i, cfg);
}

/* Error text for a change from @cfg to @val that Enable forbids, else NULL. */
static const char *bad_change(const struct pmon_cpmu *p, uint64_t cfg, uint64_t val)
{
	uint64_t others = (cfg ^ val) & CFG_WRITABLE & ~CFG_ENABLE;

	/* Read-only fields of a fixed counter ignore writes. */
	if (CFG_TYPE(cfg) == CPMU_FIXED)
		others &= CFG_WRITABLE_FIXED;
	if (!others)
		return NULL;
	if (cfg & CFG_ENABLE)
		return val & CFG_ENABLE ? "configuration changed while enabled" :
			"more than Enable changed as it was cleared";
	return val & CFG_ENABLE && p->knob[KNOB_ENABLE] ?
		"more than Enable changed as it was set" : NULL;
}

static uint64_t lie(const struct pmon_cpmu *p, unsigned int off, uint64_t truth)
{
	uint64_t *told = g_hash_table_lookup(p->lies, GUINT_TO_POINTER(off + 1));

	return told ? *told : truth;
}

/* Error text for a forbidden write of a configuration, else NULL. */
static const char *bad_cfg(const struct pmon_cpmu *p, unsigned int i, uint64_t val)
{
	const char *why = bad_change(p, p->ctr[i].cfg, val);

	if ((val ^ p->ctr[i].cfg) & CFG_RSVDP)
		return "bits to be preserved changed";
	if (why)
		return why;
	/* Firmware may have left invalid bits, so a write that only clears Enable is legal. */
	if (!((val ^ p->ctr[i].cfg) & ~CFG_ENABLE) && !(val & CFG_ENABLE))
		return NULL;
	if ((val & CFG_INTERRUPT && !(p->cap & CAP_INTERRUPT)) ||
	    (val & CFG_FREEZE && !(p->cap & CAP_FREEZE)))
		return "an action on overflow that is not there";
	return val & CFG_ENABLE ? bad_enabled(p, i, val) : NULL;
}

/* Counter Data may be written while disabled or, with capability bit 48, while frozen. */
static const char *bad_data(const struct pmon_cpmu *p, unsigned int i)
{
	if (!(p->ctr[i].cfg & CFG_ENABLE))
		return NULL;
	if (!(p->freeze >> i & 1))
		return "counter written while running";
	return p->cap & CAP_WRITABLE ? NULL :
	       "a counter that cannot be written while frozen";
}

/* Return a mask of the counters that can be frozen. */
static uint64_t freezable(const struct pmon_cpmu *p)
{
	uint64_t all = 0;
	unsigned int i;

	for (i = 0; i < p->counters; i++) {
		if (CFG_TYPE(p->ctr[i].cfg) != CPMU_FREE_RUNNING)
			all |= 1ull << i;
	}
	return all;
}

/* Error text for a forbidden write, else NULL. */
static const char *forbidden(const struct pmon_cpmu *p, const struct reg *r,
			     uint64_t val)
{
	unsigned int i = r->class == PMON_FILTER ? r->index / CPMU_FILTERS : r->index;
	const struct cpmu_counter *c = &p->ctr[i];

	if (r->class == PMON_CAPABILITY)
		return "read-only register written";
	if (r->class == PMON_STATUS)
		return NULL;
	if (r->class == PMON_BOX_CTL)
		return val & ~freezable(p) ?
		       "a counter frozen that is free-running or not there" : NULL;
	if (CFG_TYPE(c->cfg) == CPMU_FREE_RUNNING)
		return "a free-running counter written";
	if (r->class == PMON_COUNTER)
		return bad_data(p, i);
	/* No error if pmon_cpmu.lies has reads return another value than @val. */
	if (r->class == PMON_EVENT_CTL)
		return lie(p, r->start, val) == val ? bad_cfg(p, i, val) : NULL;
	return c->cfg & CFG_ENABLE && c->filter[r->index % CPMU_FILTERS] != val ?
	       "a filter changed while enabled" : NULL;
}

static void set_cfg(struct cpmu_counter *c, uint64_t val)
{
	uint64_t writable = CFG_TYPE(c->cfg) == CPMU_CONFIGURABLE ?
		CFG_WRITABLE : CFG_WRITABLE_FIXED;

	if (CFG_TYPE(c->cfg) == CPMU_FREE_RUNNING)
		return;
	c->cfg = (c->cfg & ~writable) | (val & writable);
	c->left = false;
}

/*
 * The specification does not define the freeze of a disabled counter.  By default
 * the freeze bit of a disabled counter reads 0 (KNOB_FREEZE).
 */
static void freeze(struct pmon_cpmu *p, uint64_t val)
{
	unsigned int i;

	p->freeze = val & freezable(p);
	for (i = 0; !p->knob[KNOB_FREEZE] && i < p->counters; i++) {
		if (!(p->ctr[i].cfg & CFG_ENABLE))
			p->freeze &= ~(1ull << i);
	}
}

static void set(struct pmon_cpmu *p, const struct reg *r, uint64_t val)
{
	switch (r->class) {
	case PMON_STATUS:
		p->overflow &= ~val;
		break;
	case PMON_BOX_CTL:
		freeze(p, val);
		break;
	case PMON_EVENT_CTL:
		set_cfg(&p->ctr[r->index], val);
		freeze(p, p->freeze);
		break;
	case PMON_COUNTER:
		if (CFG_TYPE(p->ctr[r->index].cfg) != CPMU_FREE_RUNNING)
			p->ctr[r->index].value = val & pmon_mask(p->width);
		break;
	case PMON_FILTER:
		p->ctr[r->index / CPMU_FILTERS].filter[r->index % CPMU_FILTERS] = val;
		break;
	default:
		break;
	}
}

static struct pmon_access access_of(struct pmon_cpmu *p, unsigned int off,
				    unsigned int bytes, bool write)
{
	return (struct pmon_access){
		.class = PMON_OTHER, .write = write, .bytes = bytes,
		.address = off, .where = p->name, .tally = &p->tally,
	};
}

/* True if the access is of a whole register (CXL 4.0, table 8-180). */
static bool whole(const struct reg *r, unsigned int off, unsigned int bytes)
{
	return off == r->start && bytes == r->bytes;
}

uint64_t pmon_cpmu_read(struct pmon_cpmu *p, unsigned int off, unsigned int bytes)
{
	struct pmon_access a = access_of(p, off, bytes, false);
	struct reg r;

	if (p->dead) {
		a.value = pmon_ones(bytes);
		pmon_account(&a);
		return a.value;
	}
	pmon_cpmu_sync(p);
	if (!decode(p, off, &r)) {
		a.value = pmon_part(lie(p, off & ~7u, 0), off % 8, bytes);
		pmon_account(&a);
		pmon_illegal(&a, "no register there");
		return a.value;
	}
	a.class = r.class;
	a.value = pmon_part(lie(p, r.start, get(p, &r)), off - r.start, bytes);
	pmon_account(&a);
	if (!whole(&r, off, bytes))
		pmon_illegal(&a, "a width that the register does not have");
	return a.value;
}

/* After a forbidden write a counter may count anything until software disables it. */
static void judge(struct pmon_cpmu *p, const struct reg *r, const char *why)
{
	unsigned int i = r->class == PMON_FILTER ? r->index / CPMU_FILTERS : r->index;

	struct cpmu_counter *c = &p->ctr[i % CPMU_COUNTERS];

	if (r->class == PMON_EVENT_CTL || r->class == PMON_FILTER ||
	    r->class == PMON_COUNTER)
		c->undefined = (why || c->undefined) && c->cfg & CFG_ENABLE;
}

void pmon_cpmu_write(struct pmon_cpmu *p, unsigned int off, uint64_t val,
		     unsigned int bytes)
{
	struct pmon_access a = access_of(p, off, bytes, true);
	const char *why = "no register there";
	struct reg r;
	bool found = decode(p, off, &r);

	a.value = val;
	if (found)
		a.class = r.class;
	pmon_account(&a);
	if (p->dead)
		return;
	pmon_cpmu_sync(p);
	if (found) {
		/* Status is write 1 to clear: bits outside the access are 0. */
		val = pmon_merge(r.class == PMON_STATUS ? 0 : get(p, &r), val,
				 off - r.start, bytes);
		why = whole(&r, off, bytes) ? forbidden(p, &r, val) :
		      "a width that the register does not have";
	}
	if (why)
		pmon_illegal(&a, why);
	if (found)
		set(p, &r, val);
	if (found)
		judge(p, &r, why);
	pmon_cpmu_plan_timer(p);
}

/* Write as another agent: the access is neither counted nor checked. */
void pmon_cpmu_set(struct pmon_cpmu *p, unsigned int off, uint64_t val)
{
	struct reg r;

	pmon_cpmu_sync(p);
	if (decode(p, off, &r))
		set(p, &r, val);
	pmon_cpmu_plan_timer(p);
}
