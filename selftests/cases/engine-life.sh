#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The modules cannot be unloaded while an event is open, and can at any other
# time, over and over; nothing is left, in the hardware, on the bus, or in
# memory. Events come, go and are read from all CPUs at once meanwhile.
. "$(dirname "$0")/lib/tap.sh"

# CPUs that really run at the same time find more.
export OPENPMON_PARALLEL=1

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine spr-2s --timeout 400 <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh
	. /lib/test/engine.sh

	perf stat -a -e uncore_imc_0/event=1/ -- sleep 2 2>/dev/null &
	until_counting 0/6/0 1
	fails 'an open event keeps the driver' rmmod pmon_uncore
	fails 'and the engine' rmmod pmon
	wait
	hw count reset
	runs 'the driver goes' rmmod pmon_uncore
	is "$(ls $PMUS | grep -c ^uncore_)" 0 'and its PMUs'
	is "$(writes 0/6/0) $(writes 1/6/0)" '2 2' \
		'the boxes that were used are handed back'
	is "$(writes) $(reads)" '4 0' 'the others are not touched'

	for n in 1 2 3; do
		modprobe pmon_uncore || not_ok 'loading again'
		for pmu in imc_0 cha_0 upi_0 imc_1 cha_1; do
			perf stat -a -e uncore_$pmu/event=1/ -- sleep 0.01 \
				2>/dev/null &
		done
		wait
		rmmod pmon_uncore || not_ok 'unloading again'
	done
	ok 'three times over'

	modprobe pmon_uncore
	hw truth reset
	end=$(($(cut -d. -f1 /proc/uptime) + 5))
	for n in 1 2 3; do
		while [ "$(cut -d. -f1 /proc/uptime)" -lt $end ]; do
			perf stat -a -I 20 -e uncore_imc_0/event=$n/ \
				-e "{uncore_imc_0/event=4,snapshot=1/,uncore_imc_0/event=5/}" \
				-- sleep 0.1 2>/dev/null
		done &
	done
	while [ "$(cut -d. -f1 /proc/uptime)" -lt $end ]; do
		for c in 9 1; do
			echo 0 >/sys/devices/system/cpu/cpu$c/online
			echo 1 >/sys/devices/system/cpu/cpu$c/online
		done
		c=$(cut -d, -f2 $PMUS/uncore_imc_0/cpumask)
		echo 0 >/sys/devices/system/cpu/cpu"$c"/online
		echo 1 >/sys/devices/system/cpu/cpu"$c"/online
	done
	wait
	hw truth reset
	counts 0.2 uncore_imc_0/event=0x77/ >/tmp/counts
	while read -r package count event; do
		agree "$package/6/0" "$count" 0x77 \
			"exact after many comings and goings: package $package"
	done </tmp/counts
	is "$(wc -l </tmp/counts)" 2 'both packages'
	hw count reset
	sleep 0.3
	is "$(writes) $(reads)" '0 0' 'nobody counts: nothing is touched'
	runs 'everything goes' rmmod pmon_uncore pmon_plr pmon
	finish
	S
done
finish
