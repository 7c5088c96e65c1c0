#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Another program writes the control of a counting box, as pcm-memory and colloid do
# beside perf. When an event that ran for a second or longer stops, the driver reads the box
# control and the event's control. At each tick it reads all controls and sets up the box
# again. A different value adds one to `disturbed` and logs a line. No access is added for
# shorter events.
# contract: control reset
# all kernels: 6.12
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s --program hold <<-'S'
	# spent UNIT: print reads/writes of box, controls, counters since `hw count reset`
	spent() {
		for class in box-ctl event-ctl counter; do
			echo "$(uncore_accesses $class reads $1)/$(uncore_accesses $class writes $1)"
		done | tr '\n' ' '
	}
	# stops COUNTERS CONTROLS NAME: check that a stop reads COUNTERS counters and CONTROLS
	# controls. A counter in configuration space takes two reads, or more near a carry.
	stops() {
		counter_reads=$1
		[ $two = 1 ] || counter_reads="($((2 * $1))|$((3 * $1))|$((4 * $1)))"
		[ $two = 1 ] || [ "$1" = 1 ] || counter_reads='[0-9]+'
		like "$(spent $unit)" "^$(($2 > 0))/1 $2/0 $counter_reads/0 \$" "$3"
	}
	now_ms() { awk '{ printf "%.0f", $1 * 1000 }' /proc/uptime; }
	# runs_shortly: enable events for less than a second; a busy host may need several tries
	runs_shortly() {
		for _ in $(seq 20); do
			begin=$(now_ms)
			hold_run enable
			hw count reset
			hold_run disable
			[ $(($(now_ms) - begin)) -ge 1000 ] || break
		done
	}
	hold_start
	for box in $(some cha_0:0/0/0:1 imc_0:0/6/0:1 upi_0:0/8/0:2); do
		IFS=:; set -- $box; unset IFS
		pmu=uncore_$1 unit=$2 two=$3

		# ---- cost of a stop
		hold_run "open $pmu 0 0x21"
		hold_run disable
		runs_shortly
		stops 1 0 "$pmu: the stop of an event that ran for less than a second reads no control"
		hold_run enable
		sleep 1.3
		hw count reset
		hold_run disable
		stops 1 1 "$pmu: the stop of an event that ran for a second reads its control"
		# Only the length of the last run matters, not the sum of all runs.
		runs_shortly
		stops 1 0 "$pmu: the stop of an event reads no control if only earlier runs took a second"
		hold_run close
		hold_run "open $pmu 0 0x21"
		for e in 22 23 24; do hold_run "open $pmu 0 0x$e 0"; done
		sleep 1.3
		hw count reset
		hold_run 'disable 0'
		stops 4 4 "$pmu: the stop of a group of four that ran for a second reads four controls"
		hold_run close
		is "$(hold_file_of $pmu disturbed 0) $(hold_lines $pmu)" '0 0' \
			"$pmu: starts and stops alone leave disturbed at 0 and no line in the log"

		# ---- another program
		hold_run "open $pmu 0 0x21"
		sleep 1.3
		hw box $unit poke ctl "$(engine_counter $unit 21)" 0x36
		hold_run disable
		is "$(hold_file_of $pmu disturbed 0)" 1 \
			"$pmu: another program's event in the control adds one to disturbed"
		hold_one_line $pmu "$pmu, control overwritten"
		hold_run close

		hold_run "open $pmu 0 0x21"
		sleep 1.3
		hw box $unit poke box 0x301
		hold_run disable
		is "$(hold_file_of $pmu disturbed 0)" 2 "$pmu: another program's reset of the box adds one to disturbed"
		hold_run close

		# Changes outside event and unit mask go undetected: hardware may lack the bits.
		hold_run "open $pmu 0 0x21"
		sleep 1.3
		hw box $unit poke ctl "$(engine_counter $unit 21)" 0x04000021
		hold_run disable
		is "$(hold_file_of $pmu disturbed 0)" 2 \
			"$pmu: a change of control bits outside event and unit mask adds nothing to disturbed"
		hold_run close
		hw truth reset
		uncore_counts 0.1 $pmu/event=0x23/ >/tmp/counts
		uncore_agree $unit "$(awk '$1 == 0 { print $2 }' /tmp/counts)" 0x23 \
			"$pmu: an event after those disturbances is exact"
	done

	# ---- all boxes of a kind at once
	found() { uncore_messages 'somebody else changed' | tail -n +$((before + 1)); }
	# disturbs BOX:UNIT...: count on each box, and reset it as another program does
	disturbs() {
		for box; do hold_run "open uncore_${box%:*} 0 0x21"; done
		sleep 1.3
		for box; do hw box ${box#*:} poke box 0x301; done
		hold_run disable
	}
	sleep 4
	before=$(uncore_messages 'somebody else changed' | wc -l)
	disturbs imc_1:0/6/1 imc_2:0/6/2 imc_3:0/6/3 cha_1:0/0/1 cha_2:0/0/2
	becomes '[ "$(found | wc -l)" -ge 2 ]'
	disturbs imc_4:0/6/4
	becomes '[ "$(found | wc -l)" -ge 3 ]'
	is "$(found | sed 's/.*uncore_\([a-z]*\)_.* package \([0-9]*\) .*: \([0-9]*\))/\1 \2 \3/')" \
		"$(printf '%s\n' 'cha 0 2' 'imc 0 3' 'imc 0 1')" \
		'boxes of a kind reset at once share one line of the log'
	found | sed 's/^\[ *\([0-9]*\)\.\(...\).*/\1\2/' >/tmp/when
	between 2900 "$(($(sed -n 3p /tmp/when) - $(sed -n 2p /tmp/when)))" 600000 \
		'the next line on boxes of that kind comes three seconds later or more'
	hold_end
	S

# Counters of 32 bits have a tick every few milliseconds.
each_vm --as ticks --machine narrow --program hold <<-'S'
	hold_start
	for box in $(some m2m_0:0/7/0 cha_0:0/0/0 imc_0:0/6/0); do
		pmu=uncore_${box%:*} unit=${box#*:}
		[ -e $PMUS/$pmu ] || pmu=uncore_type_7_0
		# Count slowly: a busy host may stop the guest for as long as a wrap takes.
		for ctr in 0 1 2 3; do hw box $unit rate $ctr 100; done
		hw truth reset
		hold_run "open $pmu 0 0x21"
		becomes '[ "$(uncore_accesses counter reads $unit)" -gt 20 ]'
		is "$(hold_file_of $pmu disturbed 0)" 0 "$pmu: disturbed is 0 before any write by others"
		hold_run "read before"
		hw box $unit poke ctl "$(engine_counter $unit 21)" 0x36
		becomes '[ "$(hold_file_of $pmu disturbed 0)" = 1 ]'
		is "$(hold_file_of $pmu disturbed 0)" 1 \
			"$pmu: a tick detects another program's event in a control and adds one to disturbed"
		becomes '[ "$(engine_counter $unit 21)" ]'
		is "$(hw truth $unit | grep -c 'ctl=0x0*36 ')" 0 "$pmu: no counter keeps the other program's event"
		from=$(uncore_controls_of $unit 21)
		sleep 0.3
		hold_run disable
		to=$(uncore_controls_of $unit 21)
		got=$(hold_reading)
		# Until the tick, perf's count includes the other program's event.
		other=$(uncore_controls_of $unit 36)
		is "$((to > from && got <= to + ${other:-0} && got >= to - from))" 1 \
			"$pmu: the event counts on after its setup ($got of $to, $from when it was set up)"
		becomes '[ "$(hold_lines $pmu)" -ge 1 ]'
		is "$(hold_file_of $pmu disturbed 0) $(hold_lines $pmu)" '1 1' \
			"$pmu: one overwritten control makes disturbed 1 and one line in the log"
		hold_run close
	done

	# A tick accesses the global control, and then stops and starts both events: it reads
	# box control and controls, freezes, reads counters, resets, writes controls, unfreezes.
	hold_run "open uncore_cha_0 0 0x21"
	hold_run "open uncore_cha_0 0 0x22"
	becomes '[ "$(uncore_accesses counter reads 0/0/0)" -gt 0 ]'
	hw count reset
	becomes '[ "$(uncore_accesses counter reads 0/0/0)" -gt 40 ]'
	hw count >/tmp/spent
	n() { sed -n "s/^class=$1 .*$2=\([0-9]*\).*/\1/p" /tmp/spent; }
	ticks=$(($(n counter reads) / 2))
	near() { [ "$1" -ge $((ticks * $2 - $2)) ] && [ "$1" -le $((ticks * $2 + $2)) ]; }
	for what in box-ctl:reads:1 box-ctl:writes:3 event-ctl:reads:2 event-ctl:writes:2; do
		IFS=:; set -- $what; unset IFS
		is "$(near "$(n $1 $2)" $3 && echo yes)" yes \
			"a tick has $3 $2 of $1 ($(n $1 $2) in $ticks ticks)"
	done
	is "$(($(n global-ctl reads) <= ticks + 1))" 1 \
		"a tick reads at most one global control ($(n global-ctl reads) in $ticks ticks)"
	# The counts may begin or end between the read and the write of one tick.
	like "$(($(n global-ctl writes) - $(n global-ctl reads)))" '^(-1|0|1)$' \
		'ticks write the global control once per read'
	hold_end
	S
finish
