#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run the kernel's own hibernation and resume, with all steps for tasks, devices and
# CPUs. No image is written. The case itself changes the registers as firmware does.
# Open events count on soon after the resume, not only at the next wrap tick a minute
# later; a new event is exact.
# contract: slept
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# coverage: no, this kernel cannot hibernate
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# Functions of all three guests.
cat >"$TMP/common.sh" <<'S'
# hibernate NAME [LEVEL]: hibernate and resume. All CPUs but the first go offline and
# come back, unless LEVEL is "devices".
hibernate() {
	echo "${2:-core}" >/sys/power/pm_test
	like "$(cat /sys/power/state)" '(^| )disk( |$)' "$1: the kernel can hibernate"
	dmesg -c >/dev/null
	runs "$1: hibernation and resume succeed" sh -c 'echo disk >/sys/power/state'
	like "$(dmesg)" 'debug: Waiting for [0-9]+ second' "$1: hibernation does all steps but the image"
}

# counts_on FILE EVENT: wait until perf, which prints counts to FILE each half second,
# prints a new count of EVENT, above 0
counts_on() {
	lines=$(wc -l <"$1")
	becomes "tail -n +$((lines + 2)) $1 | grep -F '$2' |
		awk -F, '\$2 + 0 > 0 { found = 1 } END { exit !found }'"
}
S

each_vm --as uncore --machine spr-2s <<-'S'
	# Count in each kind of register: MSRs, memory, configuration space. perf removes
	# the events of package 1 when the last CPU of the package goes offline.
	for c in 0 "$(engine_collector uncore_cha_0 1)"; do
		package=$(cat /sys/devices/system/cpu/cpu$c/topology/physical_package_id)
		perf stat -x, -C $c -I 500 -o /tmp/counts.$package -e uncore_cha_0/event=5,umask=0xcf/ \
			-e uncore_imc_0/event=5,umask=0xcf/ -e uncore_upi_0/event=5,umask=0xcf/ -- cat /tmp/end &
		readers="${readers-} $!"
	done
	# starts_anew PACKAGE...: change registers as a start of the machine does; stop perf,
	# so that no read finds the change before the resume
	starts_anew() {
		kill -STOP $readers
		for p; do
			for unit in 0/0 6/0 8/0; do
				for n in 0 1 2 3; do
					echo "box $p/$unit poke ctl $n 0"
					echo "box $p/$unit preload $n 0x123456"
				done
			done
		done | hw -
	}
	# count_on NAME PACKAGE...: let perf go on; check its counts, and the log's lines on resets
	count_on() {
		name=$1
		shift
		kill -CONT $readers
		for p; do
			for event in cha_0 imc_0 upi_0; do
				runs \
					"$name: package $p: $event counts on after the resume" counts_on /tmp/counts.$p $event
			done
			becomes '[ "$(uncore_messages "the box of package $p was reset" | wc -l)" = 3 ]'
			is "$(uncore_messages "the box of package $p was reset or changed by another program or firmware" | wc -l)" 3 \
				"$name: package $p: the log has a line for each box that was reset"
		done
	}
	for p in 0 1; do
		runs "package $p: events count before hibernation" counts_on /tmp/counts.$p upi_0
	done
	starts_anew 0 1
	hibernate 'all CPUs stay' devices
	count_on 'all CPUs stay' 0 1
	starts_anew 0
	hibernate 'one CPU stays'
	count_on 'one CPU stays' 0
	is "$(awk -F, '$2 + 0 > 1e12' /tmp/counts.*)" '' \
		'values that firmware left in counters add nothing to any count'
	engine_end_counts
	uncore_exactly 'a new event after the resume' 6 0.2 uncore_cha_0/event=6/@0/0 uncore_imc_0/event=6/@6/0 \
		uncore_upi_0/event=6/@8/0
	S

each_vm --as plr --machine gnr-2s --drivers none <<-'S'
	. /lib/test/plr.sh
	plr_load
	for place in 0/0/0 1/0/0 1/0/1; do
		echo "plr $place 0x4 0 600000000000"
	done | hw plr schedule -
	# Count on the first CPU, and on one that goes offline and so loses its events.
	cpu=$(sed 's/[-,].*//' $PMON/pkg1-dom0/plr/core1/cpus)
	for c in 0 $cpu; do
		perf stat -x, -C $c -I 500 -o /tmp/counts.$c -e plr/power/ -e plr/thermal/ \
			-e plr/observed/ -- cat /tmp/end &
	done
	for c in 0 $cpu; do
		runs "cpu$c: power counts before hibernation" counts_on /tmp/counts.$c plr/power/
	done
	# Clear the reasons, as a start of the machine does. A limit in force sets them again.
	hw plr clear
	hibernate 'all CPUs stay' devices
	for c in 0 $cpu; do
		runs "all CPUs stay: cpu$c: power counts on after the resume" counts_on /tmp/counts.$c plr/power/
		runs "all CPUs stay: cpu$c: observed time counts on after the resume" \
			counts_on /tmp/counts.$c plr/observed/
	done
	hw plr clear
	hibernate 'one CPU stays'
	runs 'one CPU stays: power counts on after the resume' counts_on /tmp/counts.0 plr/power/
	runs 'one CPU stays: observed time counts on after the resume' counts_on /tmp/counts.0 plr/observed/
	is "$(awk -F, '/thermal/ && $2 + 0' /tmp/counts.*)" '' \
		'time of a thermal limit that is not in force never grows'
	engine_end_counts
	is "$(cat $CPUS/cpu$cpu/plr/reasons)" POWER 'reasons of a CPU that came back show the limit in force'
	for c in $CPUS/cpu[0-9]*; do
		[ -e "$c/plr/raw" ] || echo "${c##*/}"
	done >/tmp/lost
	is "$(cat /tmp/lost)" '' 'every CPU has the plr files of its module after the resume'
	hw plr stop
	plr_unload
	S

each_vm --as cxl --machine cxl-1s --drivers none <<-'S'
	. /lib/test/cxl.sh
	modprobe cxl_pci
	modprobe pmon_cxl
	event=cxl_pmu_mem0.0/devload_light/
	perf stat -x, -a -I 500 -o /tmp/counts -e $event -- cat /tmp/end &
	runs 'devload_light counts before hibernation' counts_on /tmp/counts devload_light
	hw cpmu 0.0 reset
	hibernate "a CPMU"
	runs 'devload_light counts on after the resume' counts_on /tmp/counts devload_light
	engine_end_counts
	hw truth reset
	cxl_count $event sleep 0.2 >/tmp/after
	is "$(cxl_number $event </tmp/after)" "$(cxl_truth 0.0 0x30 0x1)" 'a new CXL event counts exactly after the resume'
	S
finish
