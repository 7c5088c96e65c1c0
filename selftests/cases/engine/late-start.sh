#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The function of a box goes just as the box begins to run, before its CPU has put it
# among those that the timer polls, and no call to that CPU orders the two, because
# the function is in D3: the box is not polled any more, and no timer runs for it.
# contract: idle
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine narrow --allow-illegal --module stall --module power <<-'S'
	. /lib/test/asleep.sh

	pmu=uncore_m2m_0
	[ -e $PMUS/$pmu ] || pmu=uncore_type_7_0
	state() { cut -d, -f1 /sys/module/stall/parameters/state; }
	# Nothing here stands still with CPU 0, on which the box begins to run.
	taskset -p 0x2 $$ >/dev/null
	insmod /root/power.ko
	insmod /root/stall.ko function=pmon_poll_add ms=15000
	perf stat -x, -o /tmp/out -C 0 -e $pmu/event=1/ -- sleep 600 &
	perf=$!
	becomes '[ "$(state)" = 1 ]'
	echo "$FUNCTION D3" >/sys/module/power/parameters/set
	echo 1 >/sys/bus/pci/devices/$FUNCTION/remove &
	becomes '[ -z "$(cat $PMUS/$pmu/cpumask)" ]'
	then=$(state)
	echo 2 >/sys/module/stall/parameters/state
	is "$then" 1 'the box is removed as it begins to run'
	sleep 0.5
	is "$(grep -c pmon_timer_tick /proc/timer_list)" 0 'nothing polls it'
	kill -KILL $perf
	rmmod stall
	S
finish
