#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Use the tracepoint of a module that has a wrong parameter, or that unloads. When a module's
# init fails, its tracepoint goes away under other users. So with a wrong parameter the
# driver is off, but its init does not fail. A tracepoint in use keeps its module loaded.
# contract: parameters
# all kernels: 6.1 newest
# kernels: 6.1 6.12 newest
# coverage: no, triggers of tracepoints
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# The first poll of sixteen modules takes a while.
many=$(machine gnr-lean 'm["name"] = "plr-many"
m["cpu"]["cores"] = 16
m["packages"][0]["tpmi"] = { "plr": [ { "instance": 0, "modules": 16 } ] }')

for k in $KERNELS; do
	in_vm "$k, parameters" --kernel "$k" --machine "$(machine_plr_lean)" \
		--program race <<-'S'
	. /lib/test/uncore.sh
	rmmod pmon_plr pmon_uncore

	# off LINE MODULE PARAMETER...: check that the module loads, registers nothing,
	# and logs the reason once
	off() {
		off_line=$1
		shift
		dmesg -c >/dev/null
		hw count reset
		runs "$*: the module loads" modprobe "$@"
		is "$(uncore_messages "$off_line" | wc -l)" 1 "$*: the log has one line with the reason"
		is "$(uncore_messages "$1:" | wc -l)" 1 "$*: the log has no other line of the module"
		is "$(cat /sys/module/"$1"/initstate 2>&1)" live "$*: the module is live"
		is "$(ls $PMUS | grep -cE '^(uncore_|plr)')$(ls $PMON)" 0 \
			"$*: no PMU and no device is registered"
		is "$(uncore_accesses table,msr,mailbox,plr-header,pfs reads)" 0 \
			"$*: no table, MSR or mailbox is read"
		[ ! -e /sys/module/"$1" ] || runs "$*: the module unloads" rmmod "$1"
	}
	off 'pmon_plr: mode=x is none of ' pmon_plr mode=x
	off 'pmon_uncore: mode=x is none of ' pmon_uncore mode=x
	off 'pmon_uncore: names=garbage is not a list' pmon_uncore names=garbage
	S

	in_vm "$k, wrong mode" --kernel "$k" --machine "$(machine_plr_lean)" \
		--program race <<-'S'
	. /lib/test/uncore.sh
	. /lib/test/hang.sh
	id=$(cat /sys/kernel/tracing/events/pmon/plr_reasons/id)
	rmmod pmon_plr
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	# Events can be opened by number before the tracepoint's file exists. At the next
	# load the tracepoint gets the same number or, before 6.2, the next higher one.
	for n in 1 2 3; do
		hang_goes_on "loads with a wrong mode and opens of the tracepoint go on, round $n" \
			-n 6 -t 30 open=2:$id:nobody \
			open=2:$id-$((id + 20)):nobody \
			open=2:$id-$((id + 20)):nobody \
			run='modprobe pmon_plr mode=x'
		is "$(uncore_messages 'BUG|WARNING|Oops|general protection')" '' \
			"the log has no warning after loads with a wrong mode, round $n"
		runs "the module unloads after loads with a wrong mode, round $n" rmmod pmon_plr
	done
	runs 'the module loads with a valid mode' modprobe pmon_plr
	S

	in_vm "$k, in use" --kernel "$k" --machine "$many" <<-'S'
	. /lib/test/plr.sh
	tracing=/sys/kernel/tracing/events/pmon/plr_reasons
	trigger() {
		echo "$1" >$tracing/trigger
	}
	runs 'a hist trigger is set on the tracepoint' trigger hist:keys=package
	fails 'the module does not unload under a hist trigger' rmmod pmon_plr
	hw plr 0/0/1 =0x4
	runs 'the file hist of the tracepoint exists' test -e $tracing/hist
	runs 'the hist trigger is removed' trigger '!hist:keys=package'
	runs 'a traceoff trigger is set on the tracepoint' trigger traceoff
	fails 'the module does not unload under a traceoff trigger' rmmod pmon_plr
	runs 'the traceoff trigger is removed' trigger '!traceoff'
	# Disable the tracepoint during a poll. Its last user is gone, so monitoring must end.
	hw mailbox 0/0 slow 900000
	for n in $(seq 0 15); do
		echo "plr 0/0/$n 0x4 0 600000000000"
	done | hw plr schedule -
	left=0
	for n in 1 2 3 4 5 6 7 8 9 10; do
		echo 1 >$tracing/enable
		for try in $(seq 500); do
			case $(hw mailbox 0/0) in *busy=1*) break ;; esac
		done
		echo 0 >$tracing/enable
		for try in $(seq 50); do
			active=$(cat $PMON/pkg*-dom*/plr/*/active 2>/dev/null)
			[ -n "$active" ] || break
			sleep 0.02
		done
		[ -z "$active" ] || left=$((left + 1))
	done
	is "$left" 0 'monitoring ends if the tracepoint is disabled during a poll'
	hw plr stop
	runs 'the module unloads once nobody uses the tracepoint' rmmod pmon_plr
	is "$(dmesg | grep -cE 'WARNING|BUG')" 0 'the log has no warning after triggers'
	S
done
finish
