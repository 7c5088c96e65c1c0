// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check random records and tables against rules written from the description of the
 * discovery format: a unit is good exactly if no rule rejects it. The type of the units
 * has no name, because a platform adds rules for named types.
 *
 * MODEL_SEED is the first seed. MODEL_SECONDS makes the test run longer.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <stdlib.h>
#include <time.h>

#include "../build.h"
#include "../suites.h"

#define RECORDS		200000
#define TABLES		20000
#define UNITS		16
#define TYPE		950
/* More than any register's offset: 64 counters of 8 bytes from 255 on end at 767. */
#define OFFSETS		1024
#define LIMIT		2	/* units of one type in a package */

static u64 state;

static u64 draw(u64 n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state * 0x2545f4914f6cdd1dULL >> 20) % n;
}

static bool chance(unsigned int percent)
{
	return draw(100) < percent;
}

/* ---- rules of one record --------------------------------------------------- */

static const struct access {
	u8 step, bytes, counter_step, counter_bytes, box;
} accesses[] = {
	[UNCORE_ACCESS_MSR] = { 1, 1, 1, 1, 1 },
	[UNCORE_ACCESS_MMIO] = { 4, 4, 8, 8, 4 },
	[UNCORE_ACCESS_PCI] = { 8, 4, 8, 8, 4 },
};

/* Mark the registers; return false if one is marked already. */
static bool mark(u8 *used, unsigned int first, unsigned int count, unsigned int step,
		 unsigned int bytes)
{
	unsigned int i, b;

	for (i = 0; i < count; i++)
		for (b = 0; b < bytes; b++)
			if (used[first + i * step + b]++)
				return false;
	return true;
}

/* Set @last to the last offset; return false if registers overlap or are not aligned. */
static bool registers_fit(const struct spec *s, unsigned int *last)
{
	const struct access *a = &accesses[s->access];
	u8 used[OFFSETS] = { };

	if (!mark(used, 0, 1, 0, a->box) ||
	    !mark(used, s->ctl, s->counters, a->step, a->bytes) ||
	    !mark(used, s->ctr, s->counters, a->counter_step, a->counter_bytes))
		return false;
	/* In PCI the gaps between event controls are no place for the status register. */
	if (s->status && (used[s->status] ||
			  (s->status > s->ctl &&
			   s->status < s->ctl + (s->counters - 1) * a->step)))
		return false;
	for (*last = OFFSETS - 1; !used[*last]; (*last)--)
		;
	return s->access == UNCORE_ACCESS_MSR || (!(s->ctl % 4) && !(s->ctr % 4));
}

static bool address_fits(const struct spec *s, unsigned int last)
{
	u64 end = s->address + last, offset = s->address & 0xfff;

	switch (s->access) {
	case UNCORE_ACCESS_MSR:
		return (s->address >= 0x2000 && end <= 0x2fef && s->address <= end) ||
		       (s->address >= 0x3000 && end <= 0x3fff && s->address <= end);
	case UNCORE_ACCESS_MMIO:
		return !(s->address % 4) && !((s->address + s->ctr) % 8) &&
		       s->address >= 1 << 20 && end < 1ULL << 52 &&
		       s->address < 1ULL << 52;
	}
	return s->address >> 31 == 1 && !(offset % 4) && offset >= 0x40 &&
	       offset + last <= 0xfff;
}

static bool is_good(const struct spec *s)
{
	unsigned int last;

	return s->access < UNCORE_ACCESSES && s->counters >= 1 && s->counters <= 64 &&
	       s->width >= 32 && s->width <= 64 && registers_fit(s, &last) &&
	       address_fits(s, last);
}

/* ---- random records -------------------------------------------------------- */

static u8 random_byte(void)
{
	static const u8 edges[] = { 0, 1, 3, 4, 8, 31, 32, 64, 65, 0x40, 0xff };

	return chance(50) ? draw(256) : edges[draw(sizeof(edges))];
}

static u64 random_address(u64 address)
{
	static const u64 edges[] = {
		1, 0x1fff, 0x2000, 0x2fef, 0x2ff0, 0x3000, 0x3fff, 0x4000, 0xfffff,
		0x100000, 1ULL << 31, 1ULL << 32, 1ULL << 51, 1ULL << 52, ~7ULL,
	};

	switch (draw(3)) {
	case 0:
		return edges[draw(15)] + draw(64) - 32;
	case 1:
		return address ^ 1ULL << draw(64);
	}
	return address + draw(0x1000) - 0x800;
}

static struct spec random_spec(unsigned int damage)
{
	struct spec s = spec_generic(draw(UNCORE_ACCESSES), draw(4));

	s.type = TYPE;
	for (; damage; damage--)
		switch (draw(7)) {
		case 0:
			s.access = draw(4);
			break;
		case 1:
			s.counters = chance(70) ? 1 + draw(10) : random_byte();
			break;
		case 2:
			s.width = random_byte();
			break;
		case 3:
			s.ctl = random_byte();
			break;
		case 4:
			s.ctr = random_byte();
			break;
		case 5:
			s.status = random_byte();
			break;
		case 6:
			s.address = random_address(s.address);
		}
	return s;
}

static void each(struct kunit *test, u64 rounds, bool (*holds)(struct kunit *test))
{
	u64 seed = host_setting("MODEL_SEED", 1), i;
	time_t end = time(NULL) + host_setting("MODEL_SECONDS", 0) / 2;

	for (i = 0; i < rounds || time(NULL) < end; i++) {
		state = (seed + i) * 0x9e3779b97f4a7c15ULL;
		if (!holds(test)) {
			kunit_info(test, "MODEL_SEED=%llu", seed + i);
			return;
		}
	}
}

static bool record_holds(struct kunit *test)
{
	struct spec s = random_spec(draw(4));
	struct uncore_unit unit = { };

	/* table_test.c checks empty records and records with all-ones. */
	if (!s.address || s.address == ~0ULL)
		return true;
	spec_parse(&s, spr(), &unit);
	KUNIT_EXPECT_EQ_MSG(test, uncore_unit_good(&unit), is_good(&s),
			    "access %u counters %u width %u ctl %#x ctr %#x status %#x address %#llx: %s",
			    s.access, s.counters, s.width, s.ctl, s.ctr, s.status,
			    (unsigned long long)s.address, unit.fault.reason ?: "good");
	KUNIT_EXPECT_EQ(test, !unit.fault.field, is_good(&s));
	return !test->failed;
}

static void records(struct kunit *test)
{
	each(test, RECORDS, record_holds);
}

/* ---- conflicts between units ----------------------------------------------- */

static struct uncore_limit two_of_a_type(const struct uncore_unit *unit)
{
	return unit->type == TYPE ? (struct uncore_limit){ LIMIT, "more than two" } :
				    no_limit(unit);
}

static bool have_one_identity(const struct uncore_unit *a, const struct uncore_unit *b)
{
	return a->package == b->package && a->type == b->type && a->id == b->id;
}

/* Each package has its own MSRs. */
static bool share_registers(const struct uncore_unit *a, unsigned int a_last,
			    const struct uncore_unit *b, unsigned int b_last)
{
	return a->access == b->access &&
	       (a->access != UNCORE_ACCESS_MSR || a->package == b->package) &&
	       a->address <= b->address + b_last && b->address <= a->address + a_last;
}

/* Set @field of each rejected unit to the broken rule. @units is in reading order. */
static void reject(const struct uncore_unit *units, const unsigned int *last,
		   const char **field)
{
	unsigned int i, j, lower;

	for (i = 0; i < UNITS; i++)
		for (j = 0; j < i && !field[i]; j++)
			if (!field[j] && have_one_identity(&units[i], &units[j]))
				field[i] = "id";
	for (i = 0; i < UNITS; i++) {
		for (j = 0, lower = 0; j < UNITS; j++)
			lower += (!field[j] || !strcmp(field[j], "limit")) &&
				 units[j].package == units[i].package &&
				 units[j].type == TYPE && units[j].id < units[i].id;
		if (!field[i] && units[i].type == TYPE && lower >= LIMIT)
			field[i] = "limit";
	}
	for (i = 0; i < UNITS; i++)
		for (j = 0; j < i && !field[i]; j++)
			if (!field[j] && share_registers(&units[i], last[i], &units[j], last[j]))
				field[i] = "address";
}

static bool table_holds(struct kunit *test)
{
	static struct uncore_unit units[UNITS];
	struct uncore_unit *list[UNITS];
	const char *field[UNITS] = { };
	unsigned int last[UNITS], i, j;

	for (i = 0; i < UNITS; i++) {
		struct spec s = random_spec(0);

		s.type += draw(2);
		s.counters = 1 + draw(4);
		s.address += s.access == UNCORE_ACCESS_MSR ? draw(16) : 8 * draw(16);
		if (!registers_fit(&s, &last[i]))
			return true;
		if (chance(10))
			s.width = 7;
		memset(&units[i], 0, sizeof(units[i]));
		spec_parse(&s, spr(), &units[i]);
		field[i] = s.width == 7 ? "width" : NULL;
		units[i].package = draw(2);
		units[i].table = i / 5;
		units[i].index = i % 5;
		list[i] = &units[i];
	}
	for (i = 0; i < UNITS; i++) {
		j = draw(UNITS);
		swap(list[i], list[j]);
	}
	reject(units, last, field);
	uncore_units_resolve(list, UNITS, two_of_a_type);
	for (i = 0; i < UNITS; i++) {
		const char *want = field[i] && !strcmp(field[i], "limit") ? "id" : field[i];

		KUNIT_EXPECT_STREQ_MSG(test, units[i].fault.field ?: "none", want ?: "none",
				       "unit %u: %s", i, units[i].fault.reason ?: "good");
	}
	return !test->failed;
}

static void conflicts(struct kunit *test)
{
	each(test, TABLES, table_holds);
}

static struct kunit_case model_tests[] = {
	/* contract: addresses */
	KUNIT_CASE(records),
	/* contract: owner addresses */
	KUNIT_CASE(conflicts),
	{}
};

static struct kunit_suite uncore_model_suite = {
	.name = "uncore_model",
	.test_cases = model_tests,
};

kunit_host_test_suites(&uncore_model_suite);
