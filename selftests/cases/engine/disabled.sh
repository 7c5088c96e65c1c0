#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An event that its user has disabled stays so when its CPU changes, because that
# went offline or because one came online that should serve instead: the
# hardware counts nothing for it, and perf says <not counted>. Events that are
# enabled beside it count on, and it counts once it is enabled.
# contract: disabled
# all kernels: 6.1 newest
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# CPUs 8 and 9 of package 1 serve only while there is no other.
each_vm --machine spr-2s --append isolcpus=8,9 --program hold <<-'S'
	served() { becomes "[ \"\$(collector $1 1)\" = $2 ]"; }
	opened() { ls -l /proc/"$1"/fd 2>/dev/null | grep -c perf_event; }
	all=$(cpus_of 1)
	# only_isolated: of them is there, 8, which serves then
	only_isolated() {
		for c in $all; do
			[ $c = 8 ] || [ $c = 10 ] || cpu $c 0
		done
		served $pmu 8
	}
	# all_back: but 11, which goes and comes, so that 10 serves
	all_back() { for c in $all; do [ $c = 11 ] || cpu $c 1; done; }
	mkfifo /tmp/control
	for box in $(some imc_0:6/0 upi_0:8/0); do
		pmu=uncore_${box%:*} unit=1/${box#*:}
		is "$(collector $pmu 1)" 10 "$pmu: an isolated CPU is spared"

		# ---- perf, from before it has enabled anything
		hw truth reset
		perf stat -D -1 --control fifo:/tmp/control -x, -A -C 10 -o /tmp/stat \
			-e $pmu/event=0x21/ -e "{$pmu/event=0x22/,$pmu/event=0x23/}" \
			-- cat /tmp/end 2>/dev/null &
		becomes "[ \$(opened $!) -ge 3 ]"
		cpu 10 0
		runs "$pmu: another CPU serves" served $pmu 11
		sleep 0.3
		is "$(hw truth $unit | grep -c 'ctl=0x0*2[123] ')" 0 \
			"$pmu: the CPU goes: no control selects what is disabled"
		only_isolated
		cpu 11 1
		runs "$pmu: a better CPU serves" served $pmu 11
		sleep 0.3
		is "$(for e in 21 22 23; do controls_of $unit $e; done)" '' \
			"$pmu: a better CPU comes: nothing was counted"
		all_back
		# It shows CPUs that are online.
		end_counts
		is "$(grep -c '^CPU[0-9]*,<not counted>,' /tmp/stat)" 3 \
			"$pmu: perf says so ($(grep ^CPU /tmp/stat | cut -d, -f2 | tr '\n' ' '))"
		# It serves as long as no better one is there.
		cpu 11 0
		cpu 11 1
		runs "$pmu: as before" served $pmu 10

		# ---- some that are enabled, one that was and one that will be again
		holds
		hw truth reset
		say "open $pmu 10 0x24"
		say "open $pmu 10 0x25"
		say "open $pmu 10 0x26 1"
		say "open $pmu 10 0x27"
		say 'disable 0'
		say 'disable 1'
		sleep 0.1
		before=$(reading)
		set -- $before
		is "$1 $2 $3" "$(for e in 24 25 26; do
			controls_of $unit $e
		done | tr '\n' ' ' | sed 's/ $//')" "$pmu: counts of before"
		cpu 10 0
		served $pmu 11
		sleep 0.3
		only_isolated
		cpu 11 1
		served $pmu 11
		sleep 0.3
		set -- $before $(reading)
		is "$5 $6 $7" "$1 $2 $3" "$pmu: what was disabled stands still"
		is "$(for e in 24 25 26; do controls_of $unit $e; done | tr '\n' ' ')" \
			"$1 $2 $3 " "$pmu: and so do the counters"
		is "$(($8 > $4))" 1 "$pmu: what is enabled counts on"
		say 'enable 0'
		sleep 0.1
		say disable
		set -- $(reading)
		is "$1 $4" "$(controls_of $unit 24) $(controls_of $unit 27)" \
			"$pmu: enabled it counts, and all are exact"
		is "$(($1 > ${before%% *}))" 1 "$pmu: on from where it was"
		releases
		all_back
		cpu 11 0
		cpu 11 1
		served $pmu 10
	done
	S
finish
