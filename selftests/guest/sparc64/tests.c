// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test pmon_vfalls on the fake hypervisor (../modules/fakehv.c). Each step adds
 * the event's number to a counter of a Zambezi, and this number plus one to a
 * counter of a memory controller, so that expected counts are known.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

#define FULL	0x7fffffffULL
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Registers have the numbers of vf_perf_api 1.11, section 3.1. */
static const struct unit {
	const char *pmu;
	unsigned int n;
	unsigned int reg;	/* the unit's select */
	uint64_t event[3];
} units[] = {
	{ "vfalls_dram_0_0", 0, 2, { 0, 7, 4 } },
	{ "vfalls_dram_1_0", 2, 6, { 1, 1, 5 } },
	{ "vfalls_dram_3_1", 7, 16, { 6, 2, 0 } },
	{ "zambezi_lpu_0_a", 8, 18, { 0x29, 0x01, 0x10 } },
	{ "zambezi_lpu_2_c", 22, 60, { 0x02, 0x0d, 0x26 } },
	{ "zambezi_gpd_1", 18, 48, { 1, 1, 1 } },
	{ "zambezi_asu_3", 31, 87, { 5, 2, 4 } },
};

static bool is_dram(const struct unit *unit)
{
	return unit->n < 8;
}

static uint64_t rate(const struct unit *unit, unsigned int i)
{
	return unit->event[i] + is_dram(unit);
}

/*
 * Gains must be plausible whenever the wrap timer reads, so take small steps
 * with time in between.
 */
static void run(uint64_t steps)
{
	unsigned int i;

	for (i = 0; i < 16; i++) {
		hv("run %llu", (unsigned long long)(steps * (i + 1) / 16 -
						    steps * i / 16));
		if (steps > 1000)
			wait_ms(1);
	}
}

static void expect_both(int fd, const struct unit *unit, uint64_t steps,
			const char *when)
{
	uint64_t counts[2];

	count_both(fd, counts);
	is(counts[0], steps * rate(unit, 0), "%s: the first event counts exactly %s", unit->pmu,
	   when);
	is(counts[1], steps * rate(unit, 1), "%s: the second event counts exactly %s", unit->pmu,
	   when);
}

/* Replace one event of a pair, and check that the other counts on. */
static void expect_another(int first, const struct unit *unit, uint64_t steps)
{
	uint64_t rest = steps;
	int second = event(unit->pmu, unit->event[1], -1);
	int third;

	/* The second event has a group of its own, like the first. */
	on(second);
	on(first);
	run(100);
	close(second);
	third = event(unit->pmu, unit->event[2], -1);
	run(50);
	on(third);
	run(7);
	is(count(first), (rest + 157) * rate(unit, 0),
	   "%s: an event counts on while its neighbour changes", unit->pmu);
	is(count(third), 7 * rate(unit, 2), "%s: a new event of the pair counts", unit->pmu);
	off(first);
	run(20);
	is(count(first), (rest + 157) * rate(unit, 0),
	   "%s: a disabled event counts no more", unit->pmu);
	is(count(third), 27 * rate(unit, 2), "%s: the other event of the pair counts on",
	   unit->pmu);
	close(third);
}

static void count_unit(const struct unit *unit)
{
	uint64_t most = FULL / (rate(unit, 0) > rate(unit, 1) ? rate(unit, 0) :
								rate(unit, 1));
	int first = event(unit->pmu, unit->event[0], -1);
	int second = event(unit->pmu, unit->event[1], first);

	check(first >= 0 && second >= 0, "%s: a pair of events opens", unit->pmu);
	on(first);
	expect_both(first, unit, 0, "at once");
	/* Counters of the first unit begin 15 and 1 below their maximum. */
	run(100);
	expect_both(first, unit, 100, "after a wrap");
	run(most);
	expect_both(first, unit, 100 + most, "after all but once around");
	run(most);
	wait_ms(200);
	run(most);
	expect_both(first, unit, 100 + 3 * most, "with readings of the timer");
	close(second);
	off(first);
	run(1000);
	is(count(first), (100 + 3 * most) * rate(unit, 0),
	   "%s: an event keeps its count when disabled",
	   unit->pmu);
	expect_another(first, unit, 100 + 3 * most);
	close(first);
}

/* True if pmon ends the event, as it does soon after a failed start. */
static bool ends(int fd)
{
	unsigned int tries;

	for (tries = 0; tries < 100; tries++) {
		if (count(fd) == ~0ULL)
			return true;
		wait_ms(20);
	}
	return false;
}

static void expect_pmus(unsigned int drams, unsigned int lpus,
			unsigned int others)
{
	is(pmus("vfalls_dram_"), drams, "every memory controller has a PMU");
	is(pmus("zambezi_lpu_"), lpus, "every link port has a PMU");
	is(pmus("zambezi_gpd_"), others, "every GPD has a PMU");
	is(pmus("zambezi_asu_"), others, "every ASU has a PMU");
}

static void test_counts(void)
{
	unsigned int i;

	load_engine();
	hv("reset");
	is(load("pmon_vfalls", ""), 0, "the driver loads");
	is(hv_says(0, "calls"), 90, "loading makes one call for each register");
	for (i = 0; i < 90; i++)
		if (hv_says(1, "reg%u", i))
			check(false, "loading has written register %u", i);
	expect_pmus(8, 16, 4);
	check(logged("pmon_vfalls: performance API 1.1: 32 pairs of counters"),
	      "the log has the number of counters");
	is(pmus("vfalls_l2"), 1, "the L2 control has a PMU");
	is(pmus("vfalls_strand"), 1, "the strand control has a PMU");
	is(strcmp(line_of(PMUS "vfalls_dram_3_1/cpumask"), "0"), 0, "the designated CPU is 0");
	is(strcmp(line_of(PMUS "zambezi_lpu_1_d/events/link_retrain"),
		  "event=0x29"), 0, "link_retrain is event 0x29");
	is(strcmp(line_of(CLASS "version"), "1.1"), 0, "the API is version 1.1");
	for (i = 0; i < ARRAY_SIZE(units); i++)
		count_unit(&units[i]);
	unload_ours();
	for (i = 8; i < 32; i++)
		if (i == 8 || i == 18 || i == 22 || i == 31)
			is(hv_says(0, "select%u", i), 0,
			   "unit %u was handed back off", i);
		else if (hv_says(0, "select%u", i) != 0x102)
			check(false, "unit %u was not left alone", i);
	is(hv_says(0, "version"), 0, "the API is given back");
}

/* Keep the least of several tries, because the wrap timer makes calls, too. */
static void least(unsigned int *calls, unsigned int made)
{
	if (made < *calls)
		*calls = made;
}

static unsigned int calls_of(const struct unit *unit, bool sets)
{
	unsigned int i, n = 0;

	for (i = 0; i < 2U + !is_dram(unit); i++)
		n += hv_says(sets, "reg%u", unit->reg + i);
	return n;
}

static void expect_calls(const struct unit *unit, unsigned int start_gets,
			 unsigned int read_gets)
{
	unsigned int get = 99, set = 99, again = 99, try;
	uint64_t counts[2];

	for (try = 0; try < 5; try++) {
		int first = event(unit->pmu, unit->event[0], -1);
		int second = event(unit->pmu, unit->event[1], first);

		hv("reset");
		on(first);
		least(&get, calls_of(unit, false));
		least(&set, calls_of(unit, true));
		hv("reset");
		count_both(first, counts);
		least(&again, calls_of(unit, false));
		is(calls_of(unit, true), 0, "%s: a reading makes no SET",
		   unit->pmu);
		close(second);
		close(first);
	}
	is(set, 1, "%s: the start of two events is one SET", unit->pmu);
	is(get, start_gets, "%s: the start of two events makes its GETs", unit->pmu);
	is(again, read_gets, "%s: a reading of both makes its GETs", unit->pmu);
}

static void test_calls(void)
{
	load_ours();
	/* A start reads the select, too, to keep its other bits. */
	expect_calls(&units[0], 2, 1);
	expect_calls(&units[3], 3, 2);
	hv("reset");
	wait_ms(300);
	is(hv_says(0, "calls"), 0, "no call is made while nothing counts");
	unload_ours();
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/* Wait four seconds in forty steps; return the longest step. */
static uint64_t wait_in_steps(void)
{
	uint64_t began = now_ms(), ended, longest = 0;
	unsigned int i;

	for (i = 0; i < 40; i++, began = ended) {
		wait_ms(100);
		ended = now_ms();
		if (ended - began > longest)
			longest = ended - began;
	}
	return longest;
}

/*
 * Let the counters run all the time; one wraps every 1.3 seconds. Its count must
 * equal the hypervisor's at the last read. If a busy host stops the guest for
 * so long that a wrap may be lost, try again.
 */
static void test_live(void)
{
	const struct unit *dram = &units[0];
	uint64_t counts[2], counted, truth, longest, rest = 2;
	unsigned int try = 0;
	int first, second;

	load_ours();
	do {
		first = event(dram->pmu, 7, -1);
		second = event(dram->pmu, 0, first);
		hv("live 200");
		on(first);
		longest = wait_in_steps();
		count_both(first, counts);
		off(first);
		counted = count(first);
		truth = hv_says(0, "counted%u.0", dram->n);
		hv("live 0");
		close(second);
		close(first);
	} while (longest > 1000 && ++try < 10);
	is(counted, truth, "no count is lost over wraps");
	check(counts[0] > rest * FULL, "the first counter wraps several times");
	check(counts[1] > 1000000 && counts[1] < FULL * 2,
	      "the second counter of the pair wraps once at most");
	unload_ours();
}

static void reload(void)
{
	is(unload("pmon_vfalls"), 0, "the driver unloads");
	is(load("pmon_vfalls", ""), 0, "the driver loads again");
}

/* Another guest selects other events on a counting pair. */
static void expect_disturbed(const struct unit *unit, uint64_t select,
			     uint64_t others)
{
	char path[128], line[128];
	int fd = event(unit->pmu, 1, -1);
	unsigned int tries = 100;

	snprintf(path, sizeof(path), PMUS "%s/disturbed", unit->pmu);
	is(strcmp(line_of(path), "-1 0"), 0, "%s: disturbed is 0 at first", unit->pmu);
	on(fd);
	hv("run 10");
	is(count(fd), 10 * (1 + is_dram(unit)), "%s: an event counts", unit->pmu);
	hv("select %u 0x%llx", unit->n, (unsigned long long)others);
	hv("run 10");
	while (strcmp(line_of(path), "-1 1") && --tries)
		wait_ms(20);
	check(tries, "%s: another guest's select adds one to disturbed", unit->pmu);
	is(hv_says(0, "select%u", unit->n), select, "%s: the select is set again",
	   unit->pmu);
	hv("run 10");
	is(count(fd), 20 * (1 + is_dram(unit)),
	   "%s: counts of another guest's select are left out", unit->pmu);
	snprintf(line, sizeof(line), "pmon_vfalls: %s: reset by another program",
		 unit->pmu);
	check(logged(line), "%s: the log has a line on the reset", unit->pmu);
	close(fd);
}

static void test_disturbed(void)
{
	load_ours();
	/* The select of the pair's other counter stays. */
	expect_disturbed(&units[0], 0x17, 0x57);
	is(strcmp(line_of(PMUS "vfalls_dram_0_0/frozen_ns"), "-1 0"), 0,
	   "frozen_ns has no value");
	is(strcmp(line_of(PMUS "vfalls_dram_0_0/unresponsive"), "-1 0"), 0,
	   "unresponsive has no value");
	is(strcmp(line_of(PMUS "vfalls_dram_0_0/format/snapshot"),
		  "config2:63"), 0, "the format has the term snapshot");
	unload_ours();
}

static void test_versions(void)
{
	hv("minor 0");
	load_ours();
	is(strcmp(line_of(CLASS "version"), "1.0"), 0, "the API is version 1.0");
	expect_pmus(8, 0, 0);
	hv("minor 1");
	reload();
	expect_pmus(8, 16, 4);
	is(unload("pmon_vfalls"), 0, "the driver unloads");

	/* Another driver has negotiated a lower version, then the same version. */
	hv("enlist 0");
	is(load("pmon_vfalls", ""), 0, "the driver loads beside one with API 1.0");
	is(strcmp(line_of(CLASS "version"), "1.0"), 0, "the API is version 1.0");
	expect_pmus(8, 0, 0);
	is(unload("pmon_vfalls"), 0, "the driver unloads");
	is(hv_says(0, "version"), 0x100, "the other driver keeps the API");
	hv("delist");
	hv("enlist 1");
	is(load("pmon_vfalls", ""), 0, "the driver loads beside one with API 1.1");
	expect_pmus(8, 16, 4);
	is(unload("pmon_vfalls"), 0, "the driver unloads");
	hv("delist");

	hv("minor -1");
	is(load("pmon_vfalls", ""), ENODEV, "the driver does not load without the API");
	hv("minor 1");
	is(load("pmon_vfalls", "mode=observe"), 0, "the driver loads with mode=observe");
	expect_pmus(0, 0, 0);
	check(exists(CLASS "registers"), "mode=observe shows the registers");
	is(unload("pmon_vfalls"), 0, "the driver unloads");
	is(load("pmon_vfalls", "mode=off"), 0, "the driver loads with mode=off");
	check(!exists(CLASS "version"), "mode=off shows nothing");
	is(unload("pmon_vfalls"), 0, "the driver unloads");
	unload_engine();
}

static void test_access(void)
{
	int fd;

	hv("zambezi 0");
	hv("nodes 2");
	load_ours();
	expect_pmus(4, 0, 0);
	check(!exists(PMUS "vfalls_dram_2_0"), "a missing node has no PMU");
	hv("zambezi 1");
	hv("nodes 4");

	/* A unit with a register that may not be read has no PMU. */
	hv("deny-get 3");
	hv("deny-get 20");
	hv("deny-get 1");
	reload();
	expect_pmus(7, 15, 4);
	check(!exists(PMUS "vfalls_dram_0_0"), "a counter that may not be read has no PMU");
	check(!exists(PMUS "zambezi_lpu_0_a"), "a pair with a denied second counter has no PMU");
	check(!exists(PMUS "vfalls_l2"), "a denied L2 control has no PMU");
	check(logged("the hypervisor does not permit this guest 3 units"),
	      "the log has the number of denied units");
	hv("deny-get 3 0");
	hv("deny-get 20 0");
	hv("deny-get 1 0");

	/* A register that may not be written is detected at the first write. */
	hv("deny-set 2");
	reload();
	expect_pmus(8, 16, 4);
	fd = event("vfalls_dram_0_0", 1, -1);
	check(fd >= 0, "an event opens before the first denied SET");
	on(fd);
	check(ends(fd), "an event ends at a denied SET");
	is(-event("vfalls_dram_0_0", 1, -1), EACCES, "the next event is refused with EACCES");
	close(fd);
	fd = event("vfalls_dram_0_1", 1, -1);
	on(fd);
	hv("run 10");
	is(count(fd), 20, "an event of another unit counts");
	close(fd);
	is(-event("zambezi_lpu_0_a", 0, -1), EINVAL, "event 0 of a link port is refused");
	is(-event("vfalls_dram_0_1", 0x10, -1), EINVAL, "a bit without a term is refused");
	is(-event("vfalls_dram_0_1", 3, -1), EINVAL, "a select of other processors is refused");
	is(-event("zambezi_lpu_0_a", 0x2a, -1), EINVAL, "a select behind the last is refused");
	unload_ours();
	load_engine();
	unload("fakehv");
	is(load("fakehv", "sun4v=0"), 0, "the fake hypervisor loads for another machine");
	is(load("pmon_vfalls", ""), ENODEV, "the driver does not load on another machine");
	is(hv_says(0, "calls"), 0, "no call is made on another machine");
	unload_engine();
}

/*
 * True if a failed last read ends an event at once. perf of 6.12 marks the event
 * as inactive before this read. perf of 6.1 does so later, so the end is later.
 */
static bool ends_at_once(void)
{
	struct utsname name;

	return !uname(&name) && strncmp(name.release, "6.1.", 4);
}

/*
 * Disable and read an event as perf stat does, before the work item that ends
 * events can run.
 */
static uint64_t off_and_count(int fd)
{
	struct sched_param param = { .sched_priority = 1 };
	uint64_t counted;

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		check(false, "the test gets a real-time priority");
	off(fd);
	counted = count(fd);
	param.sched_priority = 0;
	sched_setscheduler(0, SCHED_OTHER, &param);
	return counted;
}

/* No later reading can make up for a last reading that is refused. */
static void last_reading_is_refused(const struct unit *lpu)
{
	int first = event(lpu->pmu, 3, -1), second;
	uint64_t counted;

	on(first);
	hv("run 100");
	is(count(first), 300, "an event is read while counting");
	hv("run 100");
	hv("block -1");
	counted = off_and_count(first);
	if (ends_at_once())
		is(counted, ~0ULL, "a refused last reading is an error at once");
	hv("block 0");
	/*
	 * The work item that ends the event must have run before the next
	 * start.
	 */
	wait_ms(500);
	check(ends(first), "an event ends after a refused last reading");
	check(logged("zambezi_lpu_0_a: a register of the machine could not"),
	      "the log has a line on the refused register");
	on(first);
	hv("run 10");
	off(first);
	is(count(first), 330, "an event counts again after a refused reading");
	close(first);

	/* Refuse only the read of the group's second counter. */
	first = event(lpu->pmu, 3, -1);
	second = event(lpu->pmu, 4, first);
	on(first);
	hv("run 100");
	hv("deny-get %u", lpu->reg + 2);
	counted = off_and_count(first);
	if (ends_at_once())
		is(counted, ~0ULL, "a refused sibling ends its leader at once");
	hv("deny-get %u 0", lpu->reg + 2);
	check(ends(first), "a leader ends with its refused sibling");
	wait_ms(500);
	on(second);
	on(first);
	hv("run 10");
	hv("deny-get %u", lpu->reg + 2);
	off(second);
	hv("deny-get %u 0", lpu->reg + 2);
	check(ends(first), "a counting leader ends when its sibling is refused");
	close(second);
	close(first);
}

static void test_blocked(void)
{
	const struct unit *lpu = &units[3];
	unsigned int calls = 99, told = 99, try;
	uint64_t counts[2];
	int first, second;

	load_ours();
	first = event(lpu->pmu, 3, -1);
	second = event(lpu->pmu, 4, -1);
	hv("block 15");
	on(first);
	is(hv_says(0, "blocked"), 15, "15 calls in a row are blocked");
	hv("run 100");
	hv("block 15");
	is(count(first), 300, "blocked calls cost no count");
	is(strtoul(line_of(CLASS "missed"), NULL, 10), 0, "the file missed stays 0 in a burst");
	is(strtoul(line_of(CLASS "blocked"), NULL, 10), 30,
	   "the file blocked has all blocked calls");

	/* While all calls block, reads return the known count, in finite time. */
	hv("block -1");
	hv("run 100");
	for (try = 0; try < 5; try++) {
		unsigned long missed = strtoul(line_of(CLASS "missed"), NULL, 10);

		hv("reset");
		is(count(first), 300, "a blocked reading returns the last count");
		least(&calls, hv_says(0, "blocked"));
		least(&told, strtoul(line_of(CLASS "missed"), NULL, 10) - missed);
	}
	is(calls, 16, "a blocked reading makes 16 calls");
	is(told, 1, "a blocked reading adds one to missed");
	on(second);
	check(ends(second), "an event whose start is blocked ends");
	hv("run 100");
	hv("block 0");
	is(count(first), 900, "no count is lost once calls pass");
	on(second);
	hv("run 10");
	is(count(second), 40, "an event counts again after a refused reading");
	is(count(first), 930, "the other event counts on");
	close(second);
	close(first);

	/* The block begins while a pair counts, and ends before the pair stops. */
	first = event(lpu->pmu, 1, -1);
	second = event(lpu->pmu, 2, first);
	on(first);
	hv("block -1");
	hv("run 5");
	count_both(first, counts);
	is(counts[0] + counts[1], 0, "a blocked pair reads as 0");
	hv("block 0");
	off(first);
	count_both(first, counts);
	is(counts[0], 5, "the first of the pair has its count at the end");
	is(counts[1], 10, "the second of the pair has its count at the end");
	close(second);
	close(first);
	last_reading_is_refused(lpu);
	unload_ours();
}

const struct test tests[] = {
	{ "counts", test_counts, false },
	{ "calls", test_calls, false },
	{ "live", test_live, false },
	{ "disturbed", test_disturbed, false },
	{ "versions", test_versions, false },
	{ "access", test_access, false },
	{ "blocked", test_blocked, false },
	{ "holds", test_holds, false },
	{ "reboot", test_reboot, true },
	{ }
};
