#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Events of one box are opened, read, snapshot and closed by several people at
# once, on CPUs that really run at the same time, while the CPU that serves the box
# goes offline again and again. After that everything counts exactly.
# all kernels: sanitizer 6.12-rt
# races: yes
. "$(dirname "$0")/../lib/tap.sh"

export OPENPMON_PARALLEL=1

each_vm --machine spr-2s --timeout 600 <<-'S'
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
		c=$(collector uncore_imc_0 1)
		cpu "$c" 0
		cpu "$c" 1
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
	runs 'everything goes' rmmod pmon_uncore
	finish
	S
finish
