#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The PCI function of a box goes away while its events are open: the box is handed
# back and not touched again, they end, new events are refused. When it returns, they
# count again once they are enabled. A PMU without any box stays until its last
# event is closed, and its name can be used again after that; where perf can take
# events away it goes at once, as if none were open: the driver can
# go and come, and nothing is left of either.
# contract: open
# all kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s --program hold <<-'S'
	upi=uncore_upi_0
	remove() { echo 1 >/sys/bus/pci/devices/"$1"/remove; }
	gone() { [ ! -e $PMUS/$upi ]; }
	engine_goes() {
		for leaf in plr cxl r2pcie; do
			[ ! -e /sys/module/pmon_$leaf ] || rmmod pmon_$leaf || return
		done
		rmmod pmon
	}
	there() { [ "$(tr , "\n" <$PMUS/$upi/cpumask | wc -l)" = 2 ]; }
	refuses() {
		! perf stat -x, -C "$1" -e $upi/event=1/ -- sleep 0.01 2>&1 |
			grep -q '^[1-9]'
	}


	# One of two boxes, and it returns.
	holds
	echo "open $upi 0 1" >&3
	echo "open $upi 8 1" >&3
	until_counting 0/8/0 1
	until_counting 1/8/0 1
	remove 0000:7e:01.1
	handed_back removed 0/8/0
	is "$(cat $PMUS/$upi/cpumask)" "$(cpus_of 1 | head -n 1)" 'one package is left'
	runs 'new events are refused there' refuses 0
	counts 0.1 $upi/event=2/ >/tmp/other
	like "$(cat /tmp/other)" '^1 [1-9]' 'the other package counts'
	hw count reset
	sleep 0.3
	is "$(reads 0/8/0) $(writes 0/8/0)" '0 0' 'nobody touches what is gone'
	echo 1 >/sys/bus/pci/rescan
	runs 'the function returns' becomes there
	is "$(accesses box-ctl writes 0/8/0) $(accesses event-ctl writes 0/8/0)" \
		'0 0' 'its box is not set up for an event that has ended'
	echo enable >&3
	echo 'read first' >&3
	echo '! sleep 0.2' >&3
	echo 'read second' >&3
	releases
	is "$(accesses box-ctl writes 0/8/0)" '3' \
		'but once it is enabled, until it is closed'
	counted() { awk -v t="$1" '$1 == t && $3 == 0 { print $4 }' /tmp/held; }
	is "$(($(counted second) > $(counted first)))" 1 'which counts on'

	# Both, and they stay away until the event is closed. More events than
	# there are counters, so that perf's timers run.
	hw truth reset
	one="-e $upi/event=3/" two="-e $upi/event=5/" all=
	for n in 1 2 3; do all="$all $one $two"; done
	perf stat --no-scale -x, -o /tmp/out -A -a $all -- cat /tmp/end &
	until_counting 0/8/0 3
	until_counting 1/8/0 3
	remove 0000:7e:01.1
	remove 0000:fe:01.1
	is "$(cat $PMUS/$upi/cpumask)" '' 'no package is left'
	fails 'the driver is still in use' rmmod pmon_uncore
	runs 'new events are refused' refuses 0
	end_counts
	is "$(grep -c '^CPU[08],<not counted>,' /tmp/out) $(grep -c ^CPU /tmp/out)" \
		'12 12' 'what perf had open was not counted'
	runs 'the PMU goes with its last event' becomes gone
	echo 1 >/sys/bus/pci/rescan
	runs 'and returns with its boxes' becomes there
	exactly 'as before' 2 0.1 $upi/event=4/@8/0
	runs 'the driver goes' rmmod pmon_uncore
	S
finish
