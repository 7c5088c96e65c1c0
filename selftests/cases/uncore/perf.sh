#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.1 6.12 newest
# check: none
# Test perf's modes: `perf list`; counts by package, at intervals (-I), for programs (-x), on
# given CPUs (-C); groups that are read at samples of another event (:S); reads by a BPF
# program. Sampling of our events is refused.
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s --program bpf_read <<-'S'
	perf() { perf6.12 "$@"; }

	# truly PACKAGE CONTROL: print the hardware's count of all units under a control
	truly() {
		hw truth controls |
			sed -n "s|^unit=$1/.* ctl=$2 counted=\([0-9]*\) .*|\1|p" |
			awk '{ sum += $1 } END { printf "%.0f", sum }'
	}
	reads='-e unc_m_cas_count.rd'

	listed=$(perf list 'unc_m_cas_count.rd' 2>&1)
	like "$listed" 'All DRAM read CAS commands issued' \
		'perf list has unc_m_cas_count.rd with its description'
	like "$(perf list uncore_imc 2>&1)" 'uncore_imc/cas_count_read/' \
		"perf list has the driver's own events"

	hw truth reset
	perf stat -a --per-socket -x'|' $reads -o /tmp/out -- sleep 0.1
	for p in 0 1; do
		is "$(grep "^S$p|" /tmp/out | cut -d'|' -f3)" \
			"$(truly $p 0xcf05)" "--per-socket: the count of package $p is exact"
	done

	hw truth reset
	perf stat -a -I 200 -x'|' $reads -o /tmp/out -- sleep 2
	grep '|' /tmp/out >/tmp/intervals
	isnt "$(($(wc -l </tmp/intervals) > 2))" 0 '-I: perf prints several intervals'
	sum=$(awk -F'|' '{ sum += $2 } END { printf "%.0f", sum }' \
		/tmp/intervals)
	truth=$(($(truly 0 0xcf05) + $(truly 1 0xcf05)))
	# the counters go on while perf prints the last one of ten intervals
	is "$((sum <= truth && sum > truth / 10 * 8))" 1 \
		"-I: intervals add up to the hardware's count ($sum of $truth)"

	hw truth reset
	perf stat -a -x, -e uncore_imc_0/cas_count_read/ -o /tmp/out -- sleep 0.1
	like "$(tail -n 1 /tmp/out)" \
		'^[0-9.]+,MiB,uncore_imc_0/cas_count_read/,[0-9]+,100.00,,' \
		'-x,: perf prints value, unit, event and time'
	# a count is 64 bytes, and perf prints two decimals
	is "$(tail -n 1 /tmp/out | cut -d, -f1)" \
		"$(echo "$(truly 0 0xcf05) $(truly 1 0xcf05)" |
			awk '{ printf "%.2f", ($1 + $2) * 64 / 1048576 }')" \
		'-x,: the value is in MiB'

	# CPUs 0-7 are package 0
	for cpu in 0 5 8; do
		hw truth reset
		perf stat -C $cpu -x'|' $reads -o /tmp/out -- sleep 0.05
		is "$(tail -n 1 /tmp/out | cut -d'|' -f1)" \
			"$(truly $((cpu / 8)) 0xcf05)" \
			"-C $cpu: perf counts all units of the CPU's package once"
		is "$(truly $((cpu < 8)) 0xcf05)" 0 "-C $cpu: no unit of the other package counts"
	done

	hw truth reset
	perf stat -C 1,9 --per-socket -x'|' $reads -o /tmp/out -- sleep 0.05
	for p in 0 1; do
		is "$(grep "^S$p|" /tmp/out | cut -d'|' -f3)" \
			"$(truly $p 0xcf05)" "-C 1,9: the count of package $p is exact"
	done
	# Events of CPUs 1 and 5 use two counters of each unit, started one after another.
	hw truth reset
	perf stat -C 1,5 -x'|' $reads -o /tmp/out -- sleep 1
	count=$(tail -n 1 /tmp/out | cut -d'|' -f1)
	truth=$(truly 0 0xcf05)
	is "$((count > truth * 45 / 100 && count < truth * 55 / 100))" 1 \
		"-C 1,5: two CPUs of a package share its count ($count of $truth)"

	hw truth reset
	perf stat -a -x'|' -o /tmp/out -e \
		'{uncore_imc_0/event=5,umask=0xcf/,uncore_imc_0/event=1/}:S' \
		-- sleep 0.1
	is "$(grep -o '^[0-9]*|' /tmp/out | tr '\n' ' ')" \
		"$(($(truly 0 0xcf05) + $(truly 1 0xcf05)))| $((
			$(truly 0 0x1) + $(truly 1 0x1)))| " \
		':S in perf stat: both members of a group count exactly'

	# sampled MANY ALL: check the number (row MANY) and the sum (row ALL) of the samples
	sampled() {
		perf script -i /tmp/data -F event,period >/tmp/samples 2>&1
		isnt "$(($(grep -c uncore_imc_0 /tmp/samples) > 20))" 0 "$1"
		sum=$(awk '/uncore_imc_0/ { sum += $1 }
			END { printf "%.0f", sum }' /tmp/samples)
		truth=$(truly 0 0xcf05)
		is "$((sum > truth / 2 && sum <= truth))" 1 "$2 ($sum of $truth)"
	}
	# On a slow host perf throttles this clock until the CPU's next tick, which may come
	# late on an idle CPU. So keep the CPU busy.
	busy='for i in $(seq 90000); do :; done'
	hw truth reset
	perf record -q -C 0 -o /tmp/data -e \
		'{cpu-clock/period=1000000/,uncore_imc_0/event=5,umask=0xcf/}:S' \
		-- taskset 1 sh -c "$busy"
	sampled ':S in perf record: each sample of the clock has a count' \
		':S in perf record: samples add up to no more than the hardware counted'

	# This clock samples more often than perf permits, so perf stops it (since
	# 6.16 with its group) until the CPU's next tick. The counter must count on.
	rate=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
	echo 1000 >/proc/sys/kernel/perf_event_max_sample_rate
	hw truth reset
	perf record -q -C 0 -o /tmp/data -e \
		'{cpu-clock/period=100000/,uncore_imc_0/event=5,umask=0xcf/}:S' \
		-- taskset 1 sh -c "$busy"
	echo "$rate" >/proc/sys/kernel/perf_event_max_sample_rate
	perf script -D -i /tmp/data >/tmp/raw 2>/dev/null
	isnt "$(grep -c PERF_RECORD_THROTTLE /tmp/raw)" 0 \
		'perf throttles a clock that samples too often'
	sampled ':S in perf record: a throttled clock still samples' ':S in perf record: samples of a throttled clock miss no count'

	# BPF reads an MSR, an MMIO and a PCI unit on the designated CPU and, since 6.12, on
	# another CPU.
	case $(uname -r) in 6.1.*) cpus=0 ;; *) cpus='0 3' ;; esac
	for unit in cha_0 imc_0 m2m_0; do
		for cpu in $cpus; do
			set -- $(/root/bpf_read uncore_$unit 1 $cpu 2>&1 |
				tr '=' ' ')
			is "$2 $(($4 > 1000 && $4 <= $6))" '0 1' \
				"BPF reads an exact count of $unit on CPU $cpu ($*)"
		done
	done

	# A BPF program at a tracepoint would run with the lock of a box held, so our
	# accesses must pass no tracepoint.
	echo 1 >/sys/kernel/tracing/events/msr/enable
	uncore_counts 0.05 uncore_cha_0/event=2/ >/tmp/counts
	echo 0 >/sys/kernel/tracing/events/msr/enable
	like "$(cat /tmp/counts)" '^0 [1-9]' 'cha_0 counts while MSR accesses are traced'
	is "$(grep -cE '(read|write)_msr: 20[0-9a-f]{2},' /sys/kernel/tracing/trace)" \
		0 'no MSR access of a box passes a tracepoint'

	like "$(perf record -a -o /tmp/data -e uncore_imc_0/event=5/ \
		-- true 2>&1)" 'Invalid argument' 'perf record of a box is refused'
	like "$(perf stat -x'|' -e uncore_imc_0/event=5/ -- true 2>&1)" \
		'[0-9]\|\|uncore_imc_0' 'perf stat of one task counts the whole package'
	S
finish
