#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Remove a device with open events: they fail without an access to hardware, and
# their PMU stays registered on every kernel until the last of them is closed. New
# events are refused with ENODEV. When the device returns it uses the same PMU. Open
# events hold the driver's module. Before 6.2 perf can hang while a PMU is
# unregistered, so there the PMU is hidden; PMU and pmon stay until the next boot.
# contract: open module
# kernels: 6.1 6.12 newest
# check: 6.1 6.12
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s --program hold <<-'S'
	upi=uncore_upi_0
	remove() {
		for function in 0000:7e:01.1 0000:fe:01.1; do
			echo 1 >/sys/bus/pci/devices/$function/remove
		done
	}
	rescan() { echo 1 >/sys/bus/pci/rescan; }
	there() { [ "$(tr , '\n' <$PMUS/$upi/cpumask 2>/dev/null | wc -l)" = 2 ]; }
	gone() { [ ! -e $PMUS/$upi ]; }
	refs() { cat /sys/module/"$1"/refcnt; }
	old() { case $(uname -r) in 6.1.*) return 0 ;; esac; return 1; }
	accessed() { echo "$(reads 0/8/0) $(writes 0/8/0) $(reads 1/8/0) $(writes 1/8/0)"; }

	type=$(cat $PMUS/$upi/type)
	uncore=$(refs pmon_uncore) core=$(refs pmon)
	hold_start
	hold_run "open $upi 0 5"
	hold_run "open $upi 8 5"
	is "$(refs pmon_uncore)" $((uncore + 2)) 'each event holds the driver'
	! old || is "$(refs pmon)" $((core + 2)) 'and the core, before 6.2'
	hold_run "open $upi 0 0x100000000000000"
	hold_run "open $upi -1 5"
	is "$(grep ^open /tmp/held | cut -d' ' -f4 | tr '\n' ' ')" 'EINVAL EINVAL ' 'others are refused'
	for e in 6 7 8 9; do hold_run "open $upi 0 $e 0"; done
	is "$(grep ^open /tmp/held | tail -n 1 | cut -d' ' -f4)" EINVAL 'so is one event too many of a group'
	for n in 2 3 4; do hold_run "close $n"; done
	is "$(refs pmon_uncore)" $((uncore + 2)) 'and hold nothing'
	fails 'an open event keeps the driver' rmmod pmon_uncore
	until_counting 0/8/0 5
	until_counting 1/8/0 5

	# ---- the function is removed and found again under open events
	remove
	hw count reset
	is "$(reading)" 'end end' 'both devices go: the events have failed'
	sleep 1
	fails 'their PMU stays while they are open' gone
	hold_run "open $type 0 5"
	is "$(grep ^open /tmp/held | tail -n 1 | cut -d' ' -f4)" ENODEV 'a new one is refused'
	hold_run 'open 200 0 5'
	is "$(grep ^open /tmp/held | tail -n 1 | cut -d' ' -f4)" ENOENT 'of no PMU, with another error'
	hold_run enable
	like "$(reading)" '^[0-9]+ [0-9]+$|^end end$' 'enabled they wait, or fail again'
	is "$(accessed)" '0 0 0 0' 'nobody touches what is gone'
	fails 'the driver is still in use' rmmod pmon_uncore
	is "$(refs pmon_uncore)" $((uncore + 2)) 'by two events'
	rescan
	runs 'the devices return' becomes there
	is "$(cat $PMUS/$upi/type)" "$type" 'to the same PMU'
	hold_run disable
	hold_run enable
	hw truth reset
	sleep 0.3
	set -- $(reading)
	is "$(($1 > 0 && $2 > 0))" 1 'enabled the old events count'
	hold_run close

	# ---- the function stays removed until the last close
	hold_run "open $upi 0 6"
	hold_run "open $upi 8 6"
	hold_run "open $upi 8 7"
	remove
	is "$(reading)" 'end end end' 'away: all have failed'
	hold_run 'close 0'
	hold_run 'close 1'
	sleep 0.5
	fails 'with one of them open the PMU stays' gone
	hold_run close
	runs 'with the last one the PMU goes' becomes gone
	rescan
	runs 'and returns' becomes there
	! old || is "$(cat $PMUS/$upi/type)" "$type" 'the same one, before 6.2'
	exactly 'it counts' 2 0.1 $upi/event=4/@8/0

	# ---- perf
	perf stat -x, -A -C 0 -o /tmp/stat -e $upi/event=8/ -- cat /tmp/end &
	until_counting 0/8/0 8
	remove
	: >/tmp/end
	wait $!
	is "$(sed -n 's/^CPU0,\([^,]*\),.*/\1/p' /tmp/stat)" '<not counted>' 'perf says so'
	rescan
	becomes there
	hold_end
	is "$(refs pmon_uncore)" "$uncore" 'nothing holds the driver any more'
	goes_all 'everything goes' pmon_uncore pmon_plr
	S
finish
