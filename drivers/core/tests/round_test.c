// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every box is read once in each round, whatever their number, and whichever
 * come and go meanwhile.
 */
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/minmax.h>

#include "../round.h"
#include "suites.h"

#define BOXES		1000
#define PERIOD		7812500ULL	/* of 32 bits */
#define LONG_PERIOD	60000000000ULL
/* So many boxes of one access each are a batch. */
#define BATCH		48U

struct box {
	struct hlist_node queue;
	unsigned int accesses;	/* that a reading takes */
	bool runs;
	unsigned int reads;
	u64 read_at;
};

struct boxes {
	struct pmon_round round;
	struct box box[BOXES];
	u64 now;
	unsigned int accesses;	/* of the last tick */
};

static struct boxes *boxes_new(struct kunit *test)
{
	struct boxes *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, b);
	for (i = 0; i < BOXES; i++)
		b->box[i].accesses = 1;
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

/* Do what the timer does in one tick; returns how many boxes it read. */
static unsigned int tick(struct boxes *b)
{
	struct hlist_node *next;
	unsigned int n = 0;

	pmon_round_begin(&b->round);
	for (b->accesses = 0; b->accesses < PMON_ROUND_ACCESSES; n++) {
		struct box *box;

		next = pmon_round_next(&b->round);
		if (!next)
			break;
		box = hlist_entry(next, struct box, queue);
		b->accesses += box->accesses;
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
		1, 2, 3, BATCH - 1, BATCH, BATCH + 1,
		2 * BATCH - 1, 2 * BATCH, 2 * BATCH + 1, 100, BOXES
	};
	unsigned int i, round, read;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct boxes *b = boxes_new(test);

		begin(b, 0, numbers[i] - 1);
		for (round = 1; round <= 3; round++) {
			for (read = 0; read < numbers[i]; ) {
				read += tick(b);
				KUNIT_EXPECT_EQ(test, b->round.number, round);
			}
			KUNIT_EXPECT_EQ(test, read, numbers[i]);
			expect_reads(test, b, 0, numbers[i] - 1, round);
		}
	}
}

/*
 * A batch keeps interrupts off for not more than 48 boxes. The period is half
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
		KUNIT_EXPECT_LE(test, n, BATCH);
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

/*
 * A batch ends with the box that reaches 48 accesses: none has more than 64
 * where no box takes more than 16, and none is cut short.
 */
static void a_batch_is_weighed_by_accesses(struct kunit *test)
{
	struct boxes *b = boxes_new(test);
	unsigned int i, most = 0;

	for (i = 0; i < BOXES; i++)
		b->box[i].accesses = 1 + i * 7 % 16;
	begin(b, 0, BOXES - 1);
	do {
		tick(b);
		KUNIT_EXPECT_LE(test, b->accesses, 64U);
		if (!hlist_empty(&b->round.unread))
			KUNIT_EXPECT_GE(test, b->accesses, 48U);
		most = max(most, b->accesses);
	} while (!hlist_empty(&b->round.unread));
	KUNIT_EXPECT_GT(test, most, 48U);
	expect_reads(test, b, 0, BOXES - 1, 1);

	/* However many one box takes, it is read: alone. */
	b = boxes_new(test);
	for (i = 0; i < 3; i++)
		b->box[i].accesses = 65;
	begin(b, 0, 2);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, tick(b), 1U);
	expect_reads(test, b, 0, 2, 1);
	KUNIT_EXPECT_EQ(test, b->round.number, 1U);
}

static void pauses_are_short(struct kunit *test)
{
	struct pmon_round round;
	struct hlist_node box;

	pmon_round_init(&round);
	hlist_add_head(&box, &round.unread);
	round.period_ns = 30518;	/* of 24 bits: a 64th */
	KUNIT_EXPECT_EQ(test, pmon_round_wait_ns(&round), 476ULL);
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

/* Of 56 boxes 48 are read, 51 go: five are left to read, not eight. */
static void boxes_that_leave_are_not_read(struct kunit *test)
{
	struct boxes *b = boxes_new(test);
	u64 now;

	begin(b, 0, BATCH + 7);
	KUNIT_EXPECT_EQ(test, tick(b), BATCH);
	end_some(b, 1, BATCH);
	end_some(b, 0, 3);
	now = b->now;
	KUNIT_EXPECT_EQ(test, tick(b), 5U);
	expect_read_at(test, b, now, 1);
	now = b->now;
	KUNIT_EXPECT_EQ(test, tick(b), 5U);
	expect_read_at(test, b, now, 2);

	/* Those that were still to be read go: the others are read again. */
	begin(b, 100, 99 + 2 * BATCH);
	KUNIT_EXPECT_EQ(test, tick(b), BATCH);
	end_some(b, 0, 2 * BATCH);
	end_some(b, 2, 5);
	now = b->now;
	KUNIT_EXPECT_EQ(test, tick(b), BATCH);
	expect_read_at(test, b, now, 0);
}

static void nothing_is_read_of_none(struct kunit *test)
{
	struct boxes *b = boxes_new(test);

	KUNIT_EXPECT_EQ(test, tick(b), 0U);
	begin(b, 0, BATCH + 7);
	tick(b);
	end(b, 0, BATCH + 7);
	KUNIT_EXPECT_TRUE(test, hlist_empty(&b->round.unread));
	KUNIT_EXPECT_EQ(test, tick(b), 0U);

	/* What comes now begins a round of its own. */
	begin(b, 100, 100 + BATCH + 1);
	KUNIT_EXPECT_EQ(test, tick(b), BATCH);
	KUNIT_EXPECT_EQ(test, tick(b), 2U);
	expect_reads(test, b, 100, 100 + BATCH + 1, 1);
}

/* A box that comes while others wait for their turn does not go before them. */
static void newcomers_wait_their_turn(struct kunit *test)
{
	struct boxes *b = boxes_new(test);

	begin(b, 0, 2 * BATCH - 1);
	KUNIT_EXPECT_EQ(test, tick(b), BATCH);
	begin(b, 100, 105);
	KUNIT_EXPECT_EQ(test, tick(b), BATCH);
	expect_reads(test, b, 0, 2 * BATCH - 1, 1);
	expect_reads(test, b, 100, 105, 0);
	KUNIT_EXPECT_EQ(test, tick(b), BATCH);
	KUNIT_EXPECT_EQ(test, tick(b), BATCH);
	KUNIT_EXPECT_EQ(test, tick(b), 6U);
	expect_reads(test, b, 0, 2 * BATCH - 1, 2);
	expect_reads(test, b, 100, 105, 1);
}

/* All that were read have gone when others come: these are read, too. */
static void newcomers_may_be_alone(struct kunit *test)
{
	struct boxes *b = boxes_new(test);

	begin(b, 0, BATCH + 7);
	KUNIT_EXPECT_EQ(test, tick(b), BATCH);
	end_some(b, 1, BATCH);
	begin(b, 100, 101);
	KUNIT_EXPECT_EQ(test, tick(b), 8U);
	KUNIT_EXPECT_EQ(test, tick(b), 10U);
	expect_reads(test, b, 100, 101, 1);
}

static struct kunit_case round_tests[] = {
	KUNIT_CASE(each_is_read_once_in_a_round),
	KUNIT_CASE(none_waits_too_long),
	KUNIT_CASE(a_batch_is_weighed_by_accesses),
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
