#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Write the registers of a counting box, as other programs might. Impossible gains are left
# out of the count, and all others are exact. sysfs counts the disturbances, and the log has one
# line for a box. If many boxes are disturbed at once, it has a line for each package and kind.
# contract: reset
# all kernels: 6.12
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s <<-'S'
	sum() { awk -F, '{ n += $2 } END { printf "%.0f", n }' /tmp/out; }
	# disturb UNIT PMU EVENT VALUE: set the counter of an event to VALUE, while perf
	# reads the event every 50 ms. Print perf's count, the hardware's count, and the
	# least that perf must have counted: all before the write, and all after a
	# reading that is certainly later than the write.
	disturb() {
		hw truth reset
		perf stat --no-scale -x, -o /tmp/out -a -C 0 -I 50 \
			--control fifo:/tmp/control -e "$2/event=$3/" -- \
			cat /tmp/end 2>/dev/null &
		engine_until_counting "$1" "$3"
		early=$(uncore_truth_of "$1" "$3")
		engine_read_again /tmp/out "$2"
		had=$(sum)
		[ "$had" -ge "$early" ] || had=$early
		hw box "$1" preload 0 "$4"
		engine_read_again /tmp/out "$2"
		late=$(uncore_truth_of "$1" "$3")
		sleep 0.2
		echo disable >/tmp/control
		engine_not_counting /tmp/out
		engine_end_counts
		truth=$(uncore_truth_of "$1" "$3")
		echo "$(sum) $truth $((had + truth - late))"
	}
	disturbed() { tr '\n' ' ' <$PMUS/"$1"/disturbed; }
	counter_lines() { uncore_messages 'somebody else changed counters' | grep -c "$1: "; }

	mkfifo /tmp/control
	is "$(disturbed uncore_imc_0)" '0 0 1 0 ' 'before any write by others disturbed is 0'
	for unit in uncore_imc_0:0/6/0 uncore_cha_0:0/0/0 uncore_upi_0:0/8/0; do
		pmu=${unit%:*} unit=${unit#*:} n=0
		for value in 0 0x800000000000; do
			n=$((n + 1))
			set -- $(disturb $unit $pmu 5 $value)
			between "$3" "$1" "$2" \
				"$pmu, counter set to $value: perf counts what the hardware counted and no impossible gain" \
				"$(cat /tmp/out)"
			is "$(disturbed $pmu)" "0 $n 1 0 " "$pmu, counter set to $value: disturbed has one more"
			becomes "[ \"\$(counter_lines $pmu)\" = 1 ]"
			is "$(counter_lines $pmu)" 1 "$pmu, counter set to $value: the log has one line for the box"
		done
	done

	# Reset all cha and imc boxes, as another program might. The driver detects this
	# when their events stop. No event uses the boxes imc_3.
	pmus=$(ls $PMUS | grep -E '^uncore_(imc|cha)_[0-9]+$' | grep -v imc_3)
	found() { uncore_messages 'somebody else changed' | tail -n +$((said + 1)); }
	perf stat -a -e "$(echo "$pmus" | sed 's|$|/event=6/|' | paste -sd,)" -- \
		cat /tmp/end 2>/dev/null &
	becomes '[ "$(hw truth controls | grep -c "ctl=0x0*6 ")" = $((2 * $(echo "$pmus" | wc -l))) ]'
	sleep 1.1
	hw units | sed -n 's/^pkg=\([0-9]*\) type=\([06]\) id=\([0-9]*\) .*/box \1\/\2\/\3 poke box 0x301/p' |
		hw -
	said=$(uncore_messages 'somebody else changed' | wc -l)
	engine_end_counts
	becomes '[ "$(found | wc -l)" = 4 ]'
	is "$(found | grep -o 'of package . (boxes.*' | sort -u)" \
		"$(for p in 0 1; do
			for type in cha imc; do
				n=$(echo "$pmus" | grep -c uncore_$type)
				# In package 0 the first box of each kind has its line already.
				[ $p = 1 ] || n=$((n - 1))
				echo "of package $p (boxes of its kind: $n)"
			done
		done | sort -u)" 'boxes reset all at once are logged in one line for each package and kind'
	is "$(found | wc -l)" 4 'boxes reset all at once cause four log lines in all'

	# A used box is handed back if it responds; an unused one is not accessed.
	perf stat -a -C 0 -e uncore_imc_1/event=1/ -- sleep 0.01 2>/dev/null
	hw box 0/6/3 poke ctl 0 0x1234
	hw count reset
	rmmod pmon_uncore
	is "$(counter_lines uncore_imc_3) $(uncore_reads 0/6/3) $(uncore_writes 0/6/3)" '0 0 0' \
		'a box that was not used is not touched'
	is "$(uncore_reads 0/6/1) $(uncore_writes 0/6/1)" '1 2' \
		'unloading reads a used box once and writes its reset and its start'
	S

finish
