#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check the order of locks with lockdep: run each operation once, without a race. Open
# events of a tracepoint and of software, take a CPU offline and online, read files,
# unbind and bind the PLR devices, unload the drivers. A circle among these locks is a
# possible deadlock.
# kernels: sanitizer
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine "$(machine_plr_lean)" --drivers ours \
	--program race <<'SCRIPT'
. /lib/test/plr.sh
tracing=/sys/kernel/tracing/events

# reported: print lockdep's reports since the last call; after a report lockdep is off for
# good
reported() {
	dmesg -c | grep -E 'circular locking|possible recursive|inconsistent lock' |
		head -n 3
}
step() { # NAME COMMAND...
	runs "$@"
	is "$(reported)" '' "lockdep reports nothing: $1"
}
opens() { # TYPE:CONFIG: open events for a second, on a CPU and in a task
	/root/race -t 1 open="$1:cpu" open="$1:task"
}
cpu_goes() {
	echo 0 >$CPUS/cpu3/online
	echo 1 >$CPUS/cpu3/online
}
traces() {
	echo 1 >$tracing/pmon/plr_reasons/enable
	echo 0 >$tracing/pmon/plr_reasons/enable
}
devices_go() {
	for driver in /sys/bus/auxiliary/drivers/pmon_plr.plr \
		/sys/bus/pci/drivers/intel_vsec; do
		[ -d $driver ] || continue
		device=$(ls $driver | grep -E '^(0000:|intel_vsec\.tpmi-plr)')
		for d in $device; do
			echo $d >$driver/unbind || return
		done
		# give the PMU time to go, too; it may stay for good
		sleep 1
		for d in $device; do
			echo $d >$driver/bind || return
		done
	done
}

is "$(cat /proc/sys/kernel/lock_stat /proc/lockdep_stats 2>/dev/null |
	grep -c 'lock-classes')" 1 'the kernel has lockdep'
step 'software events are opened' opens 1:3-9
step 'an event of a tracepoint is opened' opens 2:"$(cat $tracing/sched/sched_switch/id)"
step 'the tracepoint plr_reasons is traced' traces
step 'an event of plr_reasons is opened' opens 2:"$(cat $tracing/pmon/plr_reasons/id)"
step 'events of plr and uncore_imc_0 count' perf stat -a -e plr/power/ -e uncore_imc_0/event=1/ -- true
step 'a CPU goes offline and online' cpu_goes
step 'files of plr are read' cat $PMON/pkg0-dom0/plr/core0/reasons $PMON/pkg0-dom0/cpus
step 'interval_ms is written' sh -c \
	"echo 10 >$PMON/pkg0-dom0/plr/interval_ms; echo 0 >$PMON/pkg0-dom0/plr/interval_ms"
step 'devices are unbound and bound' devices_go
step 'a CPU goes offline and online after the bind' cpu_goes
step 'the drivers unload' rmmod pmon_plr pmon_uncore pmon
SCRIPT
finish
