#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Let counters of 32 bits wrap many times between two readings of perf: MSR, MMIO and
# PCI units lose no count. While nothing counts no timer runs. The counters wrap each
# 4.3 s and are read each 8 ms, so that no count is lost if a busy host stops the guest
# for some seconds.
# contract: idle wrap
# all kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine narrow <<-'S'
	units='uncore_imc_0:0/6/0 uncore_cha_0:0/0/0 uncore_m2m_0:0/7/0'
	groups=
	for unit in $units; do
		pmu=${unit%:*} unit=${unit#*:}
		for ctr in 0 1; do hw box $unit rate $ctr 100$ctr; done
		groups="$groups {$pmu/event=1/,$pmu/event=2/}"
	done
	hw truth reset
	uncore_counts 14 $groups >/tmp/counts
	for unit in $units; do
		pmu=${unit%:*} unit=${unit#*:}
		grep " $pmu/" /tmp/counts >/tmp/pair
		while read -r package count event; do
			control=${event##*=}
			uncore_agree "$unit" "$count" "${control%/}" "$event: the count is exact over many wraps"
			is "$((count > 3 << 32))" 1 "$event wrapped several times ($count)"
		done </tmp/pair
		is "$(wc -l </tmp/pair)" 2 "$pmu: perf prints counts of two events"
	done
	hw count reset
	sleep 0.3
	is "$(uncore_reads) $(uncore_writes)" '0 0' 'no register is accessed while nothing counts'
	# The timer is not armed while its function runs, so look more than once.
	cat >/root/armed <<-'E'
	for n in $(seq 20); do
		! grep -q pmon_timer_tick /proc/timer_list || exec echo armed
	done
	E
	is "$(perf stat -a -e "$pmu/event=1/" -o /dev/null -- sh /root/armed)" armed \
		"the tick's timer is armed while an event counts"
	is "$(sh /root/armed)" '' 'no timer is armed after the last event'
	# Counters of 32 bits need a poll each 8 ms. Counters of 36 bits alone need one each 128 ms.
	# timer_list prints its clock before the timers, so a timer that starts in between looks
	# further away.
	cat >/root/next <<-'E'
	for n in $(seq 20); do
		grep -A 1 pmon_timer_tick /proc/timer_list
	done | sed -n 's/.*\[in \(-*[0-9]*\) to .*/\1/p' | sort -n | tail -n 1
	E
	wide=$(ls $PMUS | grep -m 1 '^uncore_type_99')
	next=$(perf stat -a -e "$pmu/event=1/" -e "$wide/event=1/" -o /dev/null -- sh /root/next)
	is "$((next <= 64000000 ? 0 : next))" 0 \
		"narrow and wide counters: the next tick is at most 64 ms away ($next ns)"
	next=$(perf stat -a -e "$wide/event=1/" -o /dev/null -- sh /root/next)
	is "$((next > 8000000))" 1 "wide counters alone: the next tick is further than 8 ms away ($next ns)"
	S
finish
