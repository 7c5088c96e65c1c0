#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The last reading of an event is all-ones for a moment, as likwid reported for UPI and
# B2CXL of Granite Rapids: at the event's stop, when another event takes the counter,
# and on a free-running counter. The counter is read again, and nothing is lost. A
# counter that stays all-ones makes the event fail after a bounded number of reads, with
# a line in the log and one added to `disturbed`, so no gain is dropped in silence.
# contract: ones
# all kernels: 6.1 6.12
# kernels: 6.1 6.12 newest
# check: 6.1
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s --program hold <<-'S'
	# ones_left UNIT: print how many more reads of UNIT are to return all-ones
	ones_left() { hw box "$1" | sed -n 's/.* ones=\([0-9]*\).*/\1/p'; }
	hold_start
	# Let one reading return all-ones. It takes one access, or two in configuration space.
	for box in $(some upi_0:0/8/0:2 cha_0:0/0/0:1 imc_0:0/6/0:1); do
		IFS=:; set -- $box; unset IFS
		pmu=uncore_$1 unit=$2 once=$3

		hw truth reset
		hold_run "open $pmu 0 0x21"
		sleep 0.2
		hw box $unit ones $once
		hold_run disable
		uncore_agree $unit "$(hold_reading)" 0x21 "$pmu: an event stopped at all ones is read again and exact"
		is "$(ones_left $unit)" 0 "$pmu: the stop of an event uses up the reads that return all ones"
		hold_run close

		hw truth reset
		hold_run "open $pmu 0 0x21"
		hold_run "open $pmu 0 0x22"
		sleep 0.2
		hw box $unit ones $once
		hold_run 'disable 0'
		is "$(ones_left $unit)" 0 \
			"$pmu: the stop of one of two events uses up the reads that return all ones"
		hw box $unit ok
		hold_run disable
		set -- $(hold_reading)
		is "$1" "$(uncore_controls_of $unit 21)" \
			"$pmu: one of two events stopped at all ones is read again and exact"
		is "$2" "$(uncore_controls_of $unit 22)" "$pmu: the event beside one stopped at all ones is exact"
		hold_run close

		# Eight events on four counters take turns.
		hw truth reset
		for n in 1 2 3 4 5 6 7 8; do hold_run "open $pmu 0 0x3$n"; done
		for n in 1 2 3 4 5 6 7 8; do
			sleep 0.03
			hw box $unit ones $once
		done
		sleep 0.1
		hw box $unit ok
		hold_run disable
		is "$(hold_reading)" "$(for n in 1 2 3 4 5 6 7 8; do
			uncore_controls_of $unit 3$n
		done | tr '\n' ' ' | sed 's/ $//')" "$pmu: eight events that take turns lose no count to all ones"
		hold_run close
		is "$(hold_file_of $pmu disturbed 0) $(hold_lines $pmu)" '0 0' \
			"$pmu: short all ones leave disturbed at 0 and no line in the log"

		hold_run "open $pmu 0 0x21"
		sleep 0.2
		hw box $unit ones 100000
		hold_run disable
		is "$(hold_reading)" end "$pmu: an event stopped while all ones stay fails"
		is "$((100000 - $(ones_left $unit) <= 32 * once))" 1 \
			"$pmu: an event stopped while all ones stay takes few reads ($(ones_left $unit) are left)"
		is "$(hold_file_of $pmu disturbed 0)" 1 \
			"$pmu: an event stopped while all ones stay adds one to disturbed"
		hold_one_line $pmu "$pmu, stopped while all ones stay"
		hw box $unit ok
		hold_run close
		hw truth reset
		uncore_counts 0.1 $pmu/event=0x23/ >/tmp/counts
		uncore_agree $unit "$(awk '$1 == 0 { print $2 }' /tmp/counts)" 0x23 \
			"$pmu: a new event is exact once the box responds again"

		was=$(hold_file_of $pmu disturbed 0)
		hold_run "open $pmu 0 0x21"
		hold_run "open $pmu 0 0x22"
		sleep 0.2
		hw box $unit ones 100000
		hold_run 'disable 0'
		hw box $unit ok
		like "$(hold_reading)" '^end ' "$pmu: one of two events stopped while all ones stay fails"
		# On a slow host the driver may find the box unresponsive, and end both events.
		becomes '[ "$(hold_file_of $pmu disturbed 0)" = $((was + 2)) ] || [ "$(hold_reading)" = "end end" ]'
		[ "$(hold_reading)" != 'end end' ] || was=$((was - 1))
		is "$(hold_file_of $pmu disturbed 0)" $((was + 2)) \
			"$pmu: one of two events stopped while all ones stay: disturbed has two more"
		hold_run close
	done

	# free_value: print the counter of event=0xff,umask=0x20
	pmu=uncore_iio_free_running_0 unit=0/4097/0
	free_value() {
		hw truth free | sed -n "s|^unit=$unit .*ctl=0x0*20ff .*value=\(0x[0-9a-f]*\).*|\1|p"
	}
	is "$(ls $PMUS/$pmu | grep -cx frozen_ns)" 0 "$pmu has no file frozen_ns"
	before=$(free_value)
	hold_run "open $pmu 0 0x20ff"
	from=$(free_value)
	sleep 0.2
	to=$(free_value)
	hw box $unit ones 1
	hold_run disable
	after=$(free_value)
	got=$(hold_reading)
	is "$(ones_left $unit)" 0 "$pmu: the stop uses up the read that returns all ones"
	is "$((got >= to - from && got <= after - before))" 1 \
		"$pmu: an event stopped at all ones is read again ($got, $((to - from)) to $((after - before)))"
	hold_run close
	hold_run "open $pmu 0 0x20ff"
	sleep 0.1
	hw box $unit ones 100000
	hold_run disable
	is "$(hold_reading)" end "$pmu: an event stopped while all ones stay fails"
	is "$((100000 - $(ones_left $unit) <= 32))" 1 \
		"$pmu: an event stopped while all ones stay takes at most 32 reads"
	hold_one_line $pmu "$pmu, stopped while all ones stay"
	hw box $unit ok
	hold_end
	S
finish
