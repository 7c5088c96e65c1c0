#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An event is opened into a group at a bad moment. While a box stops to respond, a sibling
# has passed the driver and has no context of perf yet: its group fails, the open ends, the
# kernel does not oops. Before 6.2 perf hangs when it opens a sibling into a group with a
# software leader that has moved to another CPU (with intel_uncore, too): there the driver
# refuses it.
# contract: ones open
# all kernels: 6.1 newest
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s --program hold --module stall <<-'S'
	pmu=uncore_imc_0
	old() { case $(uname -r) in 6.1.*) return 0 ;; esac; return 1; }
	errors() { grep '^open' /tmp/held | cut -d' ' -f4 | tr '\n' ' '; }

	# ---- the box stops to respond while a sibling is opened
	hold_start
	hold_run "open $pmu 0 0x41"
	hold_run "open $pmu 0 0x42 0"
	# Reads find the box without response, as the open below keeps hold from reading.
	perf stat -I 50 -x, -o /tmp/stat -C 0 -e $pmu/event=0x43/ -- sleep 3 &
	watches=$!
	engine_until_counting 0/6/0 43
	insmod /root/stall.ko function=security_perf_event_alloc ms=5000
	stalled=/sys/module/stall/parameters/state
	taskset -p 8 "$(pidof hold)" >/dev/null
	echo "open $pmu 0 0x44 0" >&3
	runs 'an open waits behind event_init' becomes "grep -q ^1 $stalled"
	hw box 0/6/0 dead
	runs 'the box is dropped while an open waits' becomes "[ \"\$(hold_lines $pmu)\" = 1 ]"
	sleep 0.3
	is "$(cut -d, -f1 $stalled)" 1 'the open still waits'
	echo 2,2 >$stalled
	is "$(hold_reading)" 'end end 0' 'earlier events have failed and the new event counts nothing'
	is "$(errors)" '' 'the open of the new event succeeds'
	hw box 0/6/0 ok
	hold_run disable
	sleep 0.3
	hold_run enable
	sleep 0.1
	like "$(hold_reading)" '^[1-9][0-9]* [1-9][0-9]* [1-9][0-9]*$' \
		'all three count once the group is enabled'
	is "$(dmesg | grep -cE 'BUG:|Oops|WARNING:')" 0 "the kernel's log has no warning"
	hold_run close
	rmmod stall
	wait $watches

	# ---- a sibling is opened into a group with a software leader that has moved
	was=$(engine_collector $pmu 1)
	hold_run "open 1 $was 0"
	hold_run "open $pmu $was 0x51 0"
	engine_cpu "$was" 0
	becomes "[ \"\$(engine_collector $pmu 1)\" != $was ]"
	now=$(engine_collector $pmu 1)
	hold_run "open $pmu $now 0x52 0"
	if old; then
		is "$(errors)" 'EBUSY ' 'perf before 6.2 would hang: the open is refused'
		hold_run "open $pmu $now 0x52"
	fi
	hold_run "open 1 $now 0"
	hold_run "open $pmu $now 0x53 3"
	sleep 0.1
	like "$(hold_reading)" '^[1-9][0-9]*( [1-9][0-9]*){4}$' 'all other events count'
	engine_cpu "$was" 1
	hold_end
	runs 'the driver is unloaded' rmmod pmon_uncore
	S
finish
