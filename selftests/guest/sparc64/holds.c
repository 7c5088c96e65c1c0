// SPDX-License-Identifier: GPL-2.0-only
/* Test vfalls_l2 and vfalls_strand: each event sets bits of a register while on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* Two settings cannot be in force together, so perf rotates the events. */
static void take_turns(int fd)
{
	int other = event("vfalls_l2", 3, -1);
	uint64_t before = count(fd), begin = now_ns(), counted;

	on(fd);
	on(other);
	wait_ms(200);
	off(fd);
	off(other);
	counted = count(fd) - before + count(other);
	check(counted && counted <= now_ns() - begin,
	      "two settings are never in force together");
	close(other);
}

/* A group that can never count is refused. A software event may lead a group. */
static void groups_agree(void)
{
	int leader = event("vfalls_l2", 2, -1), clock = event("software", 0, -1);
	int same = event("vfalls_l2", 2, leader);
	int strand = event("vfalls_strand", 1, clock);

	check(same >= 0 && strand >= 0, "groups of one setting open");
	is(-event("vfalls_l2", 1, leader), EINVAL,
	   "a setting unlike the leader's is refused");
	is(-event("vfalls_strand", 0, clock), EINVAL,
	   "a setting unlike a sibling's is refused");
	on(leader);
	on(clock);
	is(hv_says(0, "l2"), 2, "the setting of a leader is in force");
	is(hv_says(0, "strand"), 0x79, "the setting of a software leader's sibling is in force");
	close(same);
	close(strand);
	close(leader);
	close(clock);
}

/* Write a PCR as the kernel does, without the driver's bit. */
static void others_overwrite(unsigned int times)
{
	const char *line = "pmon_vfalls: the kernel or another guest overwrote a setting";
	int fd = event("vfalls_strand", 1, -1);

	is(strtoul(line_of(CLASS "overwritten"), NULL, 10), times - 1,
	   "the file overwritten has earlier overwritten settings");
	check(logged(line) == (times > 1),
	      "the log has a line on earlier overwritten settings only");
	on(fd);
	hv("strand 0x70");
	off(fd);
	is(hv_says(0, "strand"), 0x70, "a value that others wrote stays");
	is(strtoul(line_of(CLASS "overwritten"), NULL, 10), times,
	   "the file overwritten has one more");
	check(logged(line), "the log has a line on the overwritten setting");
	hv("strand 0x71");
	close(fd);
}

/*
 * If a register cannot be written when its event ends, the driver restores its
 * old value as soon as possible, at the latest when the module unloads.
 */
static void cannot_be_taken_back(void)
{
	static const char tried[] = "vfalls_l2: register 1 of CPU 0 cannot be restored, "
				    "trying again: error -5";
	static const char again[] = "vfalls_l2: register 1 of CPU 0 is restored";
	int fd = event("vfalls_l2", 2, -1);

	on(fd);
	hv("deny-set 1 1");
	off(fd);
	/* Let the work item run. */
	wait_ms(20);
	is(hv_says(0, "l2"), 2, "a setting stays whose register cannot be restored");
	check(logged(tried), "the log names PMU and register that cannot be restored");
	is(strtoul(line_of(CLASS "overwritten"), NULL, 10), 1,
	   "the file overwritten does not count a failed restore");
	hv("deny-set 1 0");
	on(fd);
	is(hv_says(0, "l2"), 2, "the next event takes over a setting left in force");
	off(fd);
	is(hv_says(0, "l2"), 1, "the next event's end restores the first value");
	close(fd);
	/* Without a next event the driver itself tries again. */
	fd = event("vfalls_l2", 2, -1);
	on(fd);
	hv("deny-set 1 1");
	off(fd);
	wait_ms(20);
	hv("deny-set 1 0");
	is(hv_says(0, "l2"), 2, "a setting stays until the retry");
	/* The retry after the second failure is two seconds later. */
	wait_ms(2500);
	is(hv_says(0, "l2"), 1, "a retry restores the value within seconds");
	close(fd);
	/* A report of any problem makes the driver try again, too. */
	fd = event("vfalls_l2", 2, -1);
	on(fd);
	hv("deny-set 1 1");
	off(fd);
	hv("deny-set 1 0");
	others_overwrite(2);
	wait_ms(20);
	is(hv_says(0, "l2"), 1, "a report of another problem causes a retry");
	check(logged(again), "the log has a line on the restored register");
	close(fd);
}

/*
 * The last try to restore is at unload; if this try fails, the log has the
 * remaining settings.
 */
static void tried_as_it_goes(bool denied)
{
	static const char left[] = "pmon_vfalls: vfalls_strand: register 0 of CPU 0: "
				   "bits 0x8 stay 0x8, not 0x0";
	int fd;

	load_ours();
	fd = event("vfalls_strand", 1, -1);
	on(fd);
	hv("deny-set 0 1");
	close(fd);
	is(hv_says(0, "strand"), 0x79, "a setting stays before the unload");
	hv("deny-set 0 %d", denied);
	unload_ours();
	is(hv_says(0, "strand"), denied ? 0x79 : 0x71,
	   "the unload restores the value unless denied");
	check(logged(left) == denied, denied ? "the log has the bits that are left" :
					       "the log has no line on bits that are left");
	hv("deny-set 0 0");
	hv("strand 0x71");
}

void test_holds(void)
{
	int fd;

	load_ours();
	/* The kernel has no counters for this guest's CPU. */
	check(logged("pmon_vfalls: the kernel has no PMU cpu: effects of vfalls_l2"),
	      "the log has a line on the missing PMU cpu");
	is(strcmp(line_of(PMUS "vfalls_l2/cpumask"), "0"), 0,
	   "the L2 PMU has one strand of a node");
	is(strcmp(line_of(PMUS "vfalls_strand/cpumask"), "0"), 0,
	   "the strand PMU has all strands");
	fd = event("vfalls_l2", 2, -1);
	is(hv_says(0, "l2"), 1, "opening an event changes no setting");
	on(fd);
	is(hv_says(0, "l2"), 2, "the setting of an enabled event is in force");
	wait_ms(100);
	check(count(fd) >= 100000000, "an enabled event counts the time in force");
	off(fd);
	is(hv_says(0, "l2"), 1, "the setting of a disabled event is not in force");
	take_turns(fd);
	close(fd);
	is(hv_says(0, "l2"), 1, "the register has its first value after the close");

	fd = event("vfalls_strand", 1, -1);
	on(fd);
	is(hv_says(0, "strand"), 0x79, "an enabled event sets the hyperprivileged bit");
	close(fd);
	is(hv_says(0, "strand"), 0x71, "the close clears the hyperprivileged bit");
	groups_agree();
	others_overwrite(1);
	cannot_be_taken_back();

	hv("deny-ht 1");
	fd = event("vfalls_strand", 1, -1);
	check(fd >= 0, "an event opens before the first denied write");
	on(fd);
	is(count(fd), 0, "an event that may not write counts 0");
	is(hv_says(0, "strand"), 0x71, "an event that may not write changes no bit");
	is(-event("vfalls_strand", 1, -1), EACCES, "the next event is refused with EACCES");
	close(fd);
	unload_ours();
	hv("deny-ht 0");
	tried_as_it_goes(false);
	tried_as_it_goes(true);
}

/*
 * The guest goes down while settings are in force, and perf removes the events
 * from their CPUs. `run' checks the final registers, so this test is the last.
 */
void test_reboot(void)
{
	load_ours();
	on(event("vfalls_l2", 2, -1));
	on(event("vfalls_strand", 1, -1));
	is(hv_says(0, "l2"), 2, "the L2 setting is in force before the reboot");
	is(hv_says(0, "strand"), 0x79, "the strand's setting is in force before the reboot");
}
