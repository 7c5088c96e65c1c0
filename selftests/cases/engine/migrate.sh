#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Three groups and single events count on a CPU that goes offline: all of them move, and
# count on, exactly, also where perf_pmu_migrate_context() moves one event or group for
# each call (6.2 to 7.2). Test with Debian's last such kernel while it is available:
# KERNELS=7.2.12+deb13-amd64.
# contract: migrate
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s --program hold <<-'S'
	pmu=uncore_imc_0 unit=1/6/0
	events='21 22 23 31 32 33 41 42 43 51 52'
	true_counts() {
		for e in $events; do uncore_controls_of $unit $e; done | tr '\n' ' ' | sed 's/ $//'
	}
	# all_more A B: print how many numbers of B are above those of A
	all_more() {
		echo "$1 $2" | awk '{
			for (i = 1; i <= NF / 2; i++)
				n += $(i + NF / 2) > $i
			print n + 0
		}'
	}
	served() { becomes "[ \"\$(engine_collector $pmu 1)\" = $1 ]"; }
	first=$(engine_collector $pmu 1)
	set -- $(engine_cpus_of 1)
	next=$2
	is "$first" "$1" 'the first CPU of package 1 is designated'
	hold_start
	hw truth reset
	for group in 2 3 4; do
		leader=$(((group - 2) * 3))
		hold_run "open $pmu $first 0x${group}1"
		hold_run "open $pmu $first 0x${group}2 $leader"
		hold_run "open $pmu $first 0x${group}3 $leader"
	done
	hold_run "open $pmu $first 0x51"
	hold_run "open $pmu $first 0x52"
	is "$(grep -c ^open /tmp/held)" 0 'three groups and two single events open'
	sleep 0.3
	before=$(hold_reading)
	is "$(all_more '0 0 0 0 0 0 0 0 0 0 0' "$before")" 11 'all 11 events count on the first CPU'
	engine_cpu "$first" 0
	runs 'another CPU is designated when the first goes offline' served "$next"
	hold_reading >/tmp/then
	sleep 0.5
	after=$(hold_reading)
	is "$(all_more "$(cat /tmp/then)" "$after")" 11 'all 11 events count on the new designated CPU'
	engine_cpu "$first" 1
	sleep 0.3
	again=$(hold_reading)
	is "$(all_more "$after" "$again")" 11 'all 11 events count when the first CPU is online again'
	hold_run disable
	is "$(hold_reading)" "$(true_counts)" "all 11 events end with the hardware's exact count"
	# Move once more, to another CPU, without the first group.
	hold_run 'close 0'
	hold_run 'close 1'
	hold_run 'close 2'
	hold_run enable
	engine_cpu "$(engine_collector $pmu 1)" 0
	sleep 0.3
	hold_run disable
	events='31 32 33 41 42 43 51 52'
	is "$(hold_reading)" "$(true_counts)" 'two groups and two events end with the exact count after a second move'
	hold_end
	runs 'the driver unloads after the moves' rmmod pmon_uncore
	S
finish
