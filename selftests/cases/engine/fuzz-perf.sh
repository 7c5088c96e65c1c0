#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Half a minute of random events, reads and writes, by root and by nobody, while
# modules, CPUs, devices and the hardware come and go: nothing hangs, the kernel
# says nothing, nobody gets what he has no right to. Then every PMU opens and
# counts, and all modules unload and come back.
#
# A mailbox that never ends a command is written over after a second, which the
# bench calls illegal; here mailboxes do that all the time.
#
# FUZZ_SEED, FUZZ_SECONDS; FUZZ_CALLS: as many calls to perf and its events as that,
# while all else happens more rarely (FUZZ_CALM); FUZZ_WITHOUT: what is not done, see
# selftests/kunit/fuzz/perf; FUZZ_ALLOW: options for the guest.
# all kernels: 6.12
# check: sanitizer
# races: yes
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/machine.sh"

seed=${FUZZ_SEED:-3}
seconds=${FUZZ_SECONDS:-30}
# A device that falls asleep behind its driver's back is accessed until that is
# seen, and one that vanishes while it gets its addresses does not have them: the
# bench would call that illegal.
without=d3,vanish-any
# A kernel whose CPUs go while BPF programs leave events locks itself up, without
# us: the one that leaves waits for tasks-trace RCU with bpf_event_mutex, that for
# CPU hotplug, hotplug for the context of an event, and there another one gets its
# program and waits for bpf_event_mutex. An even seed has these, an odd one CPUs.
case $seed in
*[02468]) without+=,hotplug ;;
*) without+=,bpf-attach ;;
esac
without=${FUZZ_WITHOUT-$without}
fuzz=$("$ROOT/selftests/lib/build/fuzz-perf")
# One of each kind in two packages: loading takes a moment only.
machine=$(machine gnr-2s '
m["cpu"].update(cores=4, threads=1, cpus_per_module=1)
package = m["packages"][0]
for unit in package["discovery"]["units"]:
    unit["count"] = min(unit.get("count", 1), 2)
package["discovery"]["free_running"][0]["count"] = 2
package["tpmi"]["plr"][0]["modules"] = 2
')

for k in $KERNELS; do
	# A slow worker is not stuck.
	case $k in
	sanitizer) patience=180 more=1500 ;;
	*) patience=60 more=300 ;;
	esac
	# shellcheck disable=SC2086 # options
	in_vm "$k" --kernel "$k" --machine "$machine" --copy "$fuzz/fuzz" \
		--timeout $((seconds + more)) ${FUZZ_ALLOW---allow-illegal} <<-S
	/root/fuzz --time $seconds --seed $seed --patience $patience \
		${FUZZ_CALLS:+--calls $FUZZ_CALLS --calm ${FUZZ_CALM:-20}} \
		${without:+--without $without} ${OPENPMON_PARALLEL:+--steady 1} && exit
	status=\$?
	# What is there then, and what the kernel has said last
	{
		ls -l /sys/bus/auxiliary/devices/*/driver /sys/bus/pci/drivers/intel_vsec
		grep . /sys/bus/pci/devices/0000:?0:03.1/{resource,power_state}
		ls /sys/class/pmon /sys/bus/event_source/devices
		grep . /sys/class/pmon/pkg*-dom*/plr/cpus
		dmesg | tail -n 60
	} 2>&1 | sed 's/^/# /'
	exit \$status
	S
done
finish
