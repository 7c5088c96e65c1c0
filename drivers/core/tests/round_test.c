// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every box is read once in each round, whatever their number, and whichever
 * come and go meanwhile.
 */
#include <linux/kernel.h>
#include <linux/list.h>

#include "../round.h"
#include "suites.h"

#define BOXES		1000
#define PERIOD		7812500ULL	/* of 32 bits */
#define LONG_PERIOD	60000000000ULL

struct box {
	struct hlist_node queue;
	bool runs;
	unsigned int reads;
	u64 read_at;
};

struct boxes {
	struct pmon_round round;
	struct box box[BOXES];
	u64 now;
};

static struct boxes *boxes_new(struct kunit *test)
{
	struct boxes *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, b);
	pmon_round_init(&b->round);
	return b;
}

static void begin(struct boxes *b, unsigned int first, unsigned int last)
{
	for (; first <= last; first++) {
		pmon_round_add(&b->round, &b->box[first].queue, PERIOD);
		b->box[first].runs = true;
	}
}

static void end(struct boxes *b, unsigned int first, unsigned int last)
{
	for (; first <= last; first++) {
		pmon_round_del(&b->round, &b->box[first].queue);
		b->box[first].runs = false;
	}
}

/* The same of @n boxes that were read so often. */
static void end_some(struct boxes *b, unsigned int reads, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < BOXES && n; i++) {
		if (!b->box[i].runs || b->box[i].reads != reads)
			continue;
		end(b, i, i);
		n--;
	}
}

/* What the timer does in one tick; returns how many boxes it read. */
static unsigned int tick(struct boxes *b)
{
	struct hlist_node *next;
	unsigned int n;

	pmon_round_begin(&b->round);
	for (n = 0; n < PMON_ROUND_PORTION; n++) {
		struct box *box;

		next = pmon_round_next(&b->round);
		if (!next)
			break;
		box = hlist_entry(next, struct box, queue);
		box->reads++;
		box->read_at = b->now;
	}
	b->now += pmon_round_wait_ns(&b->round);
	return n;
}

static void expect_reads(struct kunit *test, struct boxes *b,
			 unsigned int first, unsigned int last,
			 unsigned int reads)
{
	for (; first <= last; first++)
		KUNIT_EXPECT_EQ_MSG(test, b->box[first].reads, reads,
				    "box %u", first);
}

/* All that run were read at @when, and so often, unless that is 0. */
static void expect_read_at(struct kunit *test, struct boxes *b, u64 when,
			   unsigned int reads)
{
	unsigned int i;

	for (i = 0; i < BOXES; i++) {
		if (!b->box[i].runs)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, b->box[i].read_at, when, "box %u", i);
		if (reads)
			expect_reads(test, b, i, i, reads);
	}
}

/* Any number of boxes, three rounds: in each, all of them, once. */
static void each_is_read_once_in_a_round(struct kunit *test)
{
	static const unsigned int numbers[] = {
		1, 2, 3, 31, 32, 33, 63, 64, 65, 100, BOXES
	};
	unsigned int i, round, read;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct boxes *b = boxes_new(test);

		begin(b, 0, numbers[i] - 1);
		for (round = 1; round <= 3; round++) {
			for (read = 0; read < numbers[i]; )
				read += tick(b);
			KUNIT_EXPECT_EQ(test, read, numbers[i]);
			expect_reads(test, b, 0, numbers[i] - 1, round);
		}
	}
}

/*
 * A portion keeps interrupts off for not more than 32 boxes. The period is half
 * of what the fastest counter needs: no box waits twice as long.
 */
static void none_waits_too_long(struct kunit *test)
{
	struct boxes *b = boxes_new(test);
	unsigned int i, n;
	u64 before;

	begin(b, 0, BOXES - 1);
	for (i = 0; i < 100; i++) {
		before = b->now;
		n = tick(b);
		KUNIT_EXPECT_LE(test, n, 32U);
		KUNIT_EXPECT_GE(test, n, 1U);
		if (!hlist_empty(&b->round.unread))
			KUNIT_EXPECT_LE(test, b->now - before, 1000000ULL);
		else
			KUNIT_EXPECT_EQ(test, b->now - before, PERIOD);
		for (n = 0; i > 20 && n < BOXES; n++)
			KUNIT_EXPECT_LT(test, b->now - b->box[n].read_at,
					2 * PERIOD);
	}
}

static void pauses_are_short(struct kunit *test)
{
	struct pmon_round round;
	struct hlist_node box;

	pmon_round_init(&round);
	hlist_add_head(&box, &round.unread);
	round.period_ns = 30518;	/* of 24 bits */
	KUNIT_EXPECT_EQ(test, pmon_round_wait_ns(&round), 953ULL);
	round.period_ns = LONG_PERIOD;
	KUNIT_EXPECT_EQ(test, pmon_round_wait_ns(&round), 1000000ULL);
	__hlist_del(&box);
	KUNIT_EXPECT_EQ(test, pmon_round_wait_ns(&round), LONG_PERIOD);
}

/* The timer is started when it must tick sooner than it would. */
static void the_shortest_period_wins(struct kunit *test)
{
	struct boxes *b = boxes_new(test);
	struct pmon_round *r = &b->round;

	KUNIT_EXPECT_TRUE(test, pmon_round_add(r, &b->box[0].queue, 4000));
	KUNIT_EXPECT_EQ(test, r->period_ns, 4000ULL);
	KUNIT_EXPECT_FALSE(test, pmon_round_add(r, &b->box[1].queue, 9000));
	KUNIT_EXPECT_FALSE(test, pmon_round_add(r, &b->box[2].queue, 4000));
	KUNIT_EXPECT_EQ(test, r->period_ns, 4000ULL);
	KUNIT_EXPECT_TRUE(test, pmon_round_add(r, &b->box[3].queue, 3999));
	KUNIT_EXPECT_EQ(test, r->period_ns, 3999ULL);
	KUNIT_EXPECT_EQ(test, r->boxes, 4U);

	/* Until all are gone: the shortest of the others is not looked for. */
	KUNIT_EXPECT_FALSE(test, pmon_round_del(r, &b->box[3].queue));
	KUNIT_EXPECT_EQ(test, r->period_ns, 3999ULL);
	KUNIT_EXPECT_FALSE(test, pmon_round_del(r, &b->box[0].queue));
	KUNIT_EXPECT_FALSE(test, pmon_round_del(r, &b->box[1].queue));
	KUNIT_EXPECT_TRUE(test, pmon_round_del(r, &b->box[2].queue));
	KUNIT_EXPECT_EQ(test, r->boxes, 0U);
	KUNIT_EXPECT_TRUE(test, hlist_empty(&r->unread));
	KUNIT_EXPECT_TRUE(test, hlist_empty(&r->read));
	KUNIT_EXPECT_TRUE(test, pmon_round_add(r, &b->box[0].queue, 9000));
	KUNIT_EXPECT_EQ(test, r->period_ns, 9000ULL);
}

/* Of 40 boxes 32 are read, 35 go: five are left to read, not eight. */
static void boxes_that_leave_are_not_read(struct kunit *test)
{
	struct boxes *b = boxes_new(test);
	u64 now;

	begin(b, 0, 39);
	KUNIT_EXPECT_EQ(test, tick(b), 32U);
	end_some(b, 1, 32);
	end_some(b, 0, 3);
	now = b->now;
	KUNIT_EXPECT_EQ(test, tick(b), 5U);
	expect_read_at(test, b, now, 1);
	now = b->now;
	KUNIT_EXPECT_EQ(test, tick(b), 5U);
	expect_read_at(test, b, now, 2);

	/* Those that were still to be read go: the others are read again. */
	begin(b, 40, 99);
	KUNIT_EXPECT_EQ(test, tick(b), 32U);
	end_some(b, 0, 60);
	end_some(b, 2, 5);
	now = b->now;
	KUNIT_EXPECT_EQ(test, tick(b), 32U);
	expect_read_at(test, b, now, 0);
}

static void nothing_is_read_of_none(struct kunit *test)
{
	struct boxes *b = boxes_new(test);

	KUNIT_EXPECT_EQ(test, tick(b), 0U);
	begin(b, 0, 39);
	tick(b);
	end(b, 0, 39);
	KUNIT_EXPECT_TRUE(test, hlist_empty(&b->round.unread));
	KUNIT_EXPECT_EQ(test, tick(b), 0U);

	/* What comes now begins a round of its own. */
	begin(b, 100, 133);
	KUNIT_EXPECT_EQ(test, tick(b), 32U);
	KUNIT_EXPECT_EQ(test, tick(b), 2U);
	expect_reads(test, b, 100, 133, 1);
}

/* A box that comes while others wait for their turn does not go before them. */
static void newcomers_wait_their_turn(struct kunit *test)
{
	struct boxes *b = boxes_new(test);

	begin(b, 0, 63);
	KUNIT_EXPECT_EQ(test, tick(b), 32U);
	begin(b, 64, 69);
	KUNIT_EXPECT_EQ(test, tick(b), 32U);
	expect_reads(test, b, 0, 63, 1);
	expect_reads(test, b, 64, 69, 0);
	KUNIT_EXPECT_EQ(test, tick(b), 32U);
	KUNIT_EXPECT_EQ(test, tick(b), 32U);
	KUNIT_EXPECT_EQ(test, tick(b), 6U);
	expect_reads(test, b, 0, 63, 2);
	expect_reads(test, b, 64, 69, 1);
}

/* All that were read have gone when others come: these are read, too. */
static void newcomers_may_be_alone(struct kunit *test)
{
	struct boxes *b = boxes_new(test);

	begin(b, 0, 39);
	KUNIT_EXPECT_EQ(test, tick(b), 32U);
	end_some(b, 1, 32);
	begin(b, 40, 41);
	KUNIT_EXPECT_EQ(test, tick(b), 8U);
	KUNIT_EXPECT_EQ(test, tick(b), 10U);
	expect_reads(test, b, 40, 41, 1);
}

static struct kunit_case round_tests[] = {
	KUNIT_CASE(each_is_read_once_in_a_round),
	KUNIT_CASE(none_waits_too_long),
	KUNIT_CASE(pauses_are_short),
	KUNIT_CASE(the_shortest_period_wins),
	KUNIT_CASE(boxes_that_leave_are_not_read),
	KUNIT_CASE(nothing_is_read_of_none),
	KUNIT_CASE(newcomers_wait_their_turn),
	KUNIT_CASE(newcomers_may_be_alone),
	{ }
};

struct kunit_suite pmon_round_suite = {
	.name = "pmon_round",
	.test_cases = round_tests,
};
