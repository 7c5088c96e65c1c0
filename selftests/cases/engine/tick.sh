#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A tick of the timer runs with interrupts off, so it makes at most $most accesses to PCI
# configuration space for any number of boxes. On real servers an access takes about a
# microsecond. 16 PCI boxes with four events on counters of 32 bits each are still
# read in time, and no count is lost. A box that starts while others count does not start
# the timer again, so no tick is delayed. If a poll takes several ticks, these are at
# most some milliseconds apart, however rare polls are.
# contract: tick
# all kernels: 6.12
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# The bound is in Documentation/architecture.rst.
most=64

many=$(machine spr-2s '
for u in m["packages"][0]["discovery"]["units"]:
    if u["type"] == 7:
        u["count"], u["width"] = 16, 32
    elif u["type"] in (0, 8):
        u["width"] = 40
m["name"] = "many-pci"')

each_vm --machine "$many" --set most=$most <<-'S'
	tracing=/sys/kernel/tracing
	is "$(ls -d $PMUS/uncore_m2m_* | wc -l)" 16 'the machine has 16 m2m boxes'
	# Count slowly, because a busy host may stop the guest for a second.
	for n in $(seq 0 15); do
		for ctr in 0 1 2 3; do hw box 0/7/$n rate $ctr 100; done
	done
	hw truth reset
	group=
	for n in $(seq 0 15); do
		for e in 1 2 3 4; do group="$group -e uncore_m2m_$n/event=$e/"; done
	done
	echo 16384 >$tracing/buffer_size_kb
	echo 1 >$tracing/events/timer/hrtimer_start/enable
	echo 1 >$tracing/events/timer/hrtimer_expire_entry/enable
	perf stat -x, -C 0 -o /tmp/stat $group -- cat /tmp/end &
	engine_until_counting 0/7/15 4
	echo 0 >$tracing/tracing_on
	echo 0 >$tracing/events/timer/hrtimer_start/enable
	# The kernel starts the timer again after each tick.
	starts=$(grep -c ' hrtimer_start: .*function=pmon_timer_tick ' $tracing/trace)
	ticks=$(grep -c ' hrtimer_expire_entry: .*function=pmon_timer_tick ' \
		$tracing/trace)
	is "$((starts > 0)) $((starts - ticks <= 1))" '1 1' \
		"16 boxes start the timer only once beyond its ticks ($starts starts, $ticks ticks)"
	cpu=$(engine_collector uncore_m2m_0 0)

	echo 'pci_mmcfg_read pci_mmcfg_write pci_conf1_read pci_conf1_write' \
		>$tracing/set_ftrace_filter
	echo 1 >$tracing/events/timer/hrtimer_expire_exit/enable
	echo function >$tracing/current_tracer
	echo 1 >$tracing/tracing_on
	sleep 0.3
	echo 0 >$tracing/tracing_on
	awk '/hrtimer_expire_entry/ { n = 0; within = 1; next }
		/hrtimer_expire_exit/ {
			if (within && n) { ticks++; sum += n; if (n > most) most = n }
			within = 0
			next
		}
		within && / pci_(mmcfg|conf1)_/ { n++ }
		END { print ticks + 0, most + 0, sum + 0 }' \
		$tracing/per_cpu/cpu$cpu/trace >/tmp/ticks
	echo nop >$tracing/current_tracer
	read -r ticks highest sum </tmp/ticks
	note "$ticks ticks, at most $highest accesses in one, $sum in all"
	is "$((ticks > 0))" 1 'ticks read PCI boxes'
	is "$((highest <= most))" 1 "a tick takes at most $most PCI accesses ($highest)"
	is "$((sum >= 16 * 8))" 1 'ticks read all 16 boxes'
	engine_end_counts
	for n in 0 7 15; do
		for e in 1 4; do
			is "$(awk -F, -v pmu="uncore_m2m_$n/event=$e/" \
				'$3 == pmu { print $1 }' /tmp/stat)" \
				"$(uncore_controls_of 0/7/$n $e)" "uncore_m2m_$n, event $e: the count is exact"
		done
	done

	# Count in boxes of 40 bits. A poll of them, every other second, takes several ticks.
	group=
	for pmu in $(ls $PMUS | grep -E '^uncore_(cha|upi)_'); do
		for e in 1 2 3 4; do group="$group -e $pmu/event=$e/"; done
	done
	echo >$tracing/trace
	echo 1 >$tracing/tracing_on
	perf stat -x, -C 0 -o /tmp/stat $group -- sleep 5
	echo 0 >$tracing/tracing_on
	gap=$(sed -n 's/.* \([0-9]*\)\.\([0-9]*\): hrtimer_expire_entry: .*function=pmon_timer_tick .*/\1\2/p' \
		$tracing/per_cpu/cpu$cpu/trace |
		awk 'NR > 1 && (!least || $1 - last < least) { least = $1 - last }
			{ last = $1 } END { print NR, least + 0 }')
	note "ticks, and the least time between two in microseconds: $gap"
	is "$((${gap% *} > 2)) $((${gap#* } < 10000))" '1 1' 'ticks of one poll follow each other within 10 ms'
	S
finish
