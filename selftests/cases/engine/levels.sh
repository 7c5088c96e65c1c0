#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The driver looks up what is true of a box, instead of passing on each change once. The
# kernel takes a CPU offline, the last of its package, and takes it back before perf has
# ended the events: they count on, and the loss is said. Another program freezes all boxes by
# the global control, as likwid does after each run: a second later they run again, though the
# counters need a tick only once a minute; the timer ticks only as long as an event counts.
# contract: levels freeze-second
# kernels: 6.1 6.12 newest
# check: 6.12
. "$(dirname "$0")/../lib/tap.sh"

lean=$(machine gnr-2s '
m["cpu"].update(cores=2, threads=1)
for p in m["packages"]:
    p.pop("tpmi", None)
    p["discovery"]["global"] = { "address": "0x3fe0", "frozen": True, "readable": True }
for u in m["packages"][0]["discovery"]["units"]:
    if u["type"] not in (8, 16):
        u["count"] = min(u.get("count", 1), 2)
m["name"] = "lean"')

each_vm --machine "$lean" --program hold --module stall <<-'S'
	disturbed() { hold_file_of uncore_imc_0 disturbed "$1"; }
	# counting NUMBER: succeed if the event counts
	counting() {
		was=$(hold_reading | cut -d' ' -f$(($1 + 1)))
		sleep 0.1
		[ "$(hold_reading | cut -d' ' -f$(($1 + 1)))" -gt "$was" ]
	}
	hold_start

	# ---- a freeze by another program
	hold_run "open uncore_imc_0 0 0x21"
	hold_run "open uncore_cha_0 0 0x21"
	runs 'an event counts under a global control' counting 0
	hw global all =1
	sleep 1.3
	runs 'a memory controller counts again a second after the freeze' counting 0
	runs 'a CHA counts again a second after the freeze' counting 1
	is "$(disturbed 0)" 1 'the freeze is one disturbance'
	is "$(uncore_messages 'all boxes were frozen by the global control' | wc -l)" 1 \
		'the log has one line on the freeze'
	# Right after a look a freeze lasts for almost a second.
	hw global all =1
	becomes "[ \"\$(disturbed 0)\" = 2 ]"
	hw global all =1
	before=$(hold_reading)
	sleep 0.1
	is "$(hold_reading)" "$before" 'a freeze by the global control stops the boxes'
	hold_run 'disable'
	sleep 1.5
	is "$(grep -c pmon_timer_tick /proc/timer_list)" 0 'no timer runs once no event counts'
	hold_run 'enable'
	hw global all =1
	sleep 1.3
	runs 'an event that starts again is looked at again' counting 0
	hold_run close

	# ---- a box answers again before the report ran
	workers() { echo "$1" >/sys/devices/virtual/workqueue/cpumask; }
	stalled=/sys/module/stall/parameters/state
	hold_run "open uncore_imc_0 0 0x41"
	runs 'an event counts before its box is dropped' counting 0
	# Works run on CPU 2, where the probe waits, then on CPU 3, where the report will.
	workers 4
	insmod /root/stall.ko function=pmon_probe_work_fn,pmon_report_run state=0,2 ms=20000
	hw box 0/6/0 dead
	hold_reading >/dev/null
	runs 'the probe of a dead box waits' becomes "[ \"\$(cat $stalled)\" = 1,2 ]"
	workers 8
	sleep 0.3
	echo 2,0 >$stalled
	runs 'the report of a dropped box waits' becomes "[ \"\$(cat $stalled)\" = 2,1 ]"
	hw box 0/6/0 ok
	sleep 0.3
	hold_run "open uncore_imc_0 0 0x42"
	is "$(hold_file_of uncore_imc_0 unresponsive 0)" 0 'the box answers the next event'
	echo 2,2 >$stalled
	becomes '[ "$(hold_reading | cut -d" " -f1)" = end ]'
	is "$(hold_reading | cut -d' ' -f1)" end 'an event fails though its box answers before the report'
	workers f
	hold_run 'disable'
	hold_run 'enable'
	runs 'the event counts once it is enabled again' counting 0
	hold_run close
	rmmod stall

	# ---- the last CPU of a package is taken back
	engine_cpu 2 0
	[ -e /sys/devices/system/cpu/cpu3/hotplug/fail ] || not_ok 'the kernel can fail a step of hotplug'
	hold_run "open uncore_imc_0 3 0x31"
	hold_run "open uncore_cha_0 3 0x31"
	runs 'an event counts on the last CPU of a package' counting 0
	sed -n 's/^ *\([0-9]*\): perf:online$/\1/p' /sys/devices/system/cpu/hotplug/states \
		>/sys/devices/system/cpu/cpu3/hotplug/fail
	fails 'the CPU does not go offline' eval 'echo 0 >/sys/devices/system/cpu/cpu3/online'
	is "$(cat /sys/devices/system/cpu/cpu3/online)" 1 'the CPU is online again'
	runs 'a memory controller of the package counts on' counting 0
	runs 'a CHA of the package counts on' counting 1
	is "$(disturbed 1)" 1 'the count that was missed is one disturbance'
	hold_end
	S
finish
