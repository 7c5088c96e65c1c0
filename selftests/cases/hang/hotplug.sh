#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# CPUs go offline and return, the PLR devices' driver is unbound and bound, and
# people open software events, all at the same time: each of them gets on. What
# perf holds while it opens an event, what it holds while it registers a PMU and
# what the kernel holds while a CPU goes must be taken in one order.
# hang-order looks at the locks themselves.
# kernels: 6.1 6.12 newest
# RACE_SECONDS: for how long (slow/hang-hotplug.sh has more).
# check: none
. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/hang-host.sh"

each_vm --machine "$(plr_lean)" --drivers none \
	${RACE_SECONDS:+--timeout $((RACE_SECONDS + 300))} \
	--program race <<SCRIPT
seconds=${RACE_SECONDS:-5}
$(cat <<'BODY'
. /lib/test/plr.sh
. /lib/test/hang.sh
plr_load
pmu=/sys/bus/event_source/devices/plr
runs 'there is a PMU' test -e $pmu

# What the driver is bound to: a device of its own, or beside the function's.
for driver in /sys/bus/auxiliary/drivers/pmon_plr.plr \
	/sys/bus/pci/drivers/intel_vsec; do
	[ ! -d $driver ] || break
done
device=$(ls $driver | grep -E '^(0000:|intel_vsec\.tpmi-plr)')
bind=bind=$driver,$(echo $device | tr ' ' ,)
note "$bind"

goes_on 'CPUs go, devices go, events are opened' -t $seconds \
	cpu=3 "$bind" open=1:3-9:task open=1:3-9:cpu
tracing=/sys/kernel/tracing/events
goes_on 'and events of tracepoints' -t $seconds cpu=3 "$bind" \
	open=2:"$(cat $tracing/pmon/plr_reasons/id)":cpu \
	open=2:"$(cat $tracing/sched/sched_switch/id)":task open=1:3-9:task
# The last return may have been refused, while a device was bound.
echo 1 >/sys/devices/system/cpu/cpu3/online
is "$(cat /sys/devices/system/cpu/online)" 0-3 'all CPUs are there'
is "$(cat $PMON/pkg0-dom0/cpus)" 0-3 'and in the domain'
runs 'and the PMU' test -e $pmu
plr_unload
finish
BODY
)
SCRIPT
finish
