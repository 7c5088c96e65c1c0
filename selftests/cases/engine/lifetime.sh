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
	accessed() { echo "$(uncore_reads 0/8/0) $(uncore_writes 0/8/0) $(uncore_reads 1/8/0) $(uncore_writes 1/8/0)"; }

	type=$(cat $PMUS/$upi/type)
	uncore=$(refs pmon_uncore) core=$(refs pmon)
	hold_start
	hold_run "open $upi 0 5"
	hold_run "open $upi 8 5"
	is "$(refs pmon_uncore)" $((uncore + 2)) 'each open event holds a reference to the driver'
	! old || is "$(refs pmon)" $((core + 2)) 'each open event holds a reference to pmon before 6.2'
	hold_run "open $upi 0 0x100000000000000"
	hold_run "open $upi -1 5"
	is "$(grep ^open /tmp/held | cut -d' ' -f4 | tr '\n' ' ')" 'EINVAL EINVAL ' \
		'events with an unknown bit or without a CPU are refused'
	for e in 6 7 8 9; do hold_run "open $upi 0 $e 0"; done
	is "$(grep ^open /tmp/held | tail -n 1 | cut -d' ' -f4)" EINVAL \
		'the fifth event of a group for four counters is refused'
	for n in 2 3 4; do hold_run "close $n"; done
	is "$(refs pmon_uncore)" $((uncore + 2)) 'closed siblings hold no reference to the driver'
	fails 'the driver does not unload while an event is open' rmmod pmon_uncore
	engine_until_counting 0/8/0 5
	engine_until_counting 1/8/0 5

	# ---- the function is removed and found again under open events
	remove
	hw count reset
	is "$(hold_reading)" 'end end' 'events of removed devices have failed'
	sleep 1
	fails 'a PMU stays registered while events of its removed device are open' gone
	hold_run "open $type 0 5"
	is "$(grep ^open /tmp/held | tail -n 1 | cut -d' ' -f4)" ENODEV \
		'an event of a PMU whose device was removed is refused with ENODEV'
	hold_run 'open 200 0 5'
	is "$(grep ^open /tmp/held | tail -n 1 | cut -d' ' -f4)" ENOENT \
		'an event of a type without PMU is refused with ENOENT'
	hold_run enable
	like "$(hold_reading)" '^[0-9]+ [0-9]+$|^end end$' 'an event that failed waits or fails again when it is enabled'
	is "$(accessed)" '0 0 0 0' 'no register of a removed device is accessed'
	fails 'the driver does not unload while events of a removed device are open' rmmod pmon_uncore
	is "$(refs pmon_uncore)" $((uncore + 2)) 'two events of a removed device hold references to the driver'
	rescan
	runs 'the PMU serves both packages when the devices return' becomes there
	is "$(cat $PMUS/$upi/type)" "$type" 'devices that return get the PMU of the same type'
	hold_run disable
	hold_run enable
	hw truth reset
	sleep 0.3
	set -- $(hold_reading)
	is "$(($1 > 0 && $2 > 0))" 1 'events from before the removal count when they are enabled again'
	hold_run close

	# ---- the function stays removed until the last close
	hold_run "open $upi 0 6"
	hold_run "open $upi 8 6"
	hold_run "open $upi 8 7"
	remove
	is "$(hold_reading)" 'end end end' 'all three events fail when their devices are removed'
	hold_run 'close 0'
	hold_run 'close 1'
	sleep 0.5
	fails 'the PMU stays registered while one of three events is open' gone
	hold_run close
	runs 'the PMU is unregistered when its last event is closed' becomes gone
	rescan
	runs 'the PMU is registered again when the devices return' becomes there
	! old || is "$(cat $PMUS/$upi/type)" "$type" 'the PMU has its old type before 6.2'
	uncore_exactly 'an event of a device that returned' 2 0.1 $upi/event=4/@8/0

	# ---- perf
	perf stat -x, -A -C 0 -o /tmp/stat -e $upi/event=8/ -- cat /tmp/end &
	engine_until_counting 0/8/0 8
	remove
	: >/tmp/end
	wait $!
	is "$(sed -n 's/^CPU0,\([^,]*\),.*/\1/p' /tmp/stat)" '<not counted>' \
		'perf prints <not counted> for an event whose device was removed'
	rescan
	becomes there
	hold_end
	is "$(refs pmon_uncore)" "$uncore" 'no reference to the driver is left once all events are closed'
	guest_goes_all 'pmon_uncore and pmon_plr unload' pmon_uncore pmon_plr
	S
finish
