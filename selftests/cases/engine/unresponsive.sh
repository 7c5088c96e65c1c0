#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A box without response never looks like a box that counts nothing. A read that detects
# such a box sets the file `unresponsive` before returning. Active events fail within a
# second, and new events are <not counted>. For 200 ms the driver reads only one register,
# then nothing. When the box responds again the driver sets up its registers; if that is
# within the 200 ms, events go on.
# contract: ones unresponsive
# all kernels: 6.12
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# The machine narrow has counters of 32 bits, and so a tick every few milliseconds.
for m in spr-2s narrow; do
	each_vm --as "$m" --machine $m --program hold <<-'S'
	state() { hold_file_of $pmu unresponsive 0; }
	touched() { echo $(($(uncore_reads $unit) + $(uncore_writes $unit))); }
	hold_start
	for box in $(some imc_0:0/6/0 cha_0:0/0/0 m2m_0:0/7/0); do
		IFS=:; set -- $box; unset IFS
		pmu=uncore_$1 unit=$2
		[ -e $PMUS/$pmu ] || pmu=uncore_type_7_0
		# Count slowly: a busy host may stop the guest for as long as a wrap takes.
		for ctr in 0 1 2 3; do hw box $unit rate $ctr 100; done
		is "$(stat -c %a $PMUS/$pmu/unresponsive)" 444 "$pmu: the file unresponsive has mode 444"
		is "$(tr '\n' ' ' <$PMUS/$pmu/unresponsive)" \
			"$(tr '\n' ' ' <$PMUS/$pmu/disturbed)" \
			"$pmu: unresponsive and disturbed are alike while the box responds"

		# ---- under an event that counts
		hw truth reset
		hold_run "open $pmu 0 0x21"
		sleep 0.1
		had=$(hold_reading)
		hw box $unit dead
		count=$(hold_reading)
		is "$(state)" 1 "$pmu: unresponsive is 1 as soon as a read found no response"
		like "$count" '^([0-9]+|end)$' "$pmu: a read of a dead box returns a count or end of file"
		[ "$count" = end ] ||
			is "$((count >= had))" 1 \
				"$pmu: a read of a dead box returns at least the last count ($count, $had)"
		becomes '[ "$(hold_reading)" = end ]'
		is "$(hold_reading)" end "$pmu: an active event of a dead box fails"
		hold_one_line $pmu "$pmu, dead under an event"
		is "$(uncore_messages $pmu | grep -cF 'no response (all ones), not counting')" \
			1 "$pmu: the log line of a dead box ends with not counting"

		# ---- meanwhile
		perf stat -x, -A -C 0 -o /tmp/stat -e $pmu/event=0x22/ -- sleep 0.1
		is "$(sed -n 's/^CPU0,\([^,]*\),.*/\1/p' /tmp/stat)" '<not counted>' \
			"$pmu: perf prints <not counted> for a new event of a dead box"
		hw count reset
		for n in 1 2 3 4 5; do
			hold_reading >/dev/null
			sleep 0.1
		done
		is "$(uncore_accesses event-ctl writes $unit)" 0 "$pmu: no control of a dead box is written"
		is "$(touched)" 0 "$pmu: no register of a dead box is accessed after 200 ms"
		is "$(hold_lines $pmu)" 1 "$pmu: the log has no second line on a dead box"
		hold_run close

		# ---- it answers again
		hw box $unit ok
		# another program has used the box
		hw box $unit poke ctl 3 0x36
		hw truth reset
		uncore_counts 0.3 $pmu/event=0x23/ >/tmp/counts
		# Counters that ran when the box stopped responding could not be stopped, so
		# compare with the count under event 0x23 only.
		is "$(awk '$1 == 0 { print $2 }' /tmp/counts)" \
			"$(uncore_controls_of $unit 23 | grep . || echo nothing)" \
			"$pmu: a new event is exact once the box responds again"
		is "$(state)" 0 "$pmu: unresponsive is 0 once the box responds again"
		becomes 'uncore_messages $pmu | grep -q ": responds again"'
		is "$(uncore_messages $pmu | grep -c ': responds again')" 1 \
			"$pmu: the log has one line when the box responds again"
		is "$(hw truth $unit | grep -c 'ctl=0x0*36 ')" 0 \
			"$pmu: no control keeps another program's event after the box responded again"

		# ---- an event that starts while the box does not respond
		hw box $unit dead
		perf stat -x, -A -C 0 -o /tmp/stat -e $pmu/event=0x22/ -- sleep 0.3
		is "$(sed -n 's/^CPU0,\([^,]*\),.*/\1/p' /tmp/stat)" '<not counted>' \
			"$pmu: perf prints <not counted> for an event opened on a dead box"
		is "$(state)" 1 "$pmu: unresponsive is 1 for a box that died without events"
		hw box $unit ok
		uncore_counts 0.5 $pmu/event=0x23/ >/dev/null
		is "$(state)" 0 "$pmu: unresponsive is 0 after that box responds again and counts"

		# ---- under more events than counters, some of which wait
		[ $pmu != uncore_imc_0 ] || {
			for n in 0 1 2 3 4 5 6 7; do hold_run "open $pmu 0 0x3$n"; done
			sleep 0.1
			hw box $unit dead
			all="end end end end end end end end"
			becomes '[ "$(hold_reading)" = "$all" ]'
			is "$(hold_reading)" "$all" "$pmu: eight events on four counters of a dead box all fail"
			hw box $unit ok
			hold_run close
			uncore_counts 0.5 $pmu/event=0x23/ >/dev/null
			is "$(state)" 0 "$pmu: unresponsive is 0 after the box with eight events responds again"
		}

		# ---- the box responds again within the limit, if the host is quick enough
		lines_before=$(uncore_messages $pmu | grep -c 'no response')
		for n in 1 2 3 4; do
			hold_run "open $pmu 0 0x21"
			was=$(hold_file_of $pmu disturbed 0)
			printf '%s\n' "! hw box $unit dead" 'read dead' "! hw box $unit ok" >&3
			hold_run 'read ok'
			becomes '[ "$(state)" = 0 ]'
			had=$(hold_reading)
			[ "$had" = end ] || break
			lines_before=$((lines_before + 1))
			hold_run close
		done
		sleep 0.1
		is "$(($(hold_reading) > had))" 1 "$pmu: an event counts on if the box responds again within 200 ms"
		is "$(hold_file_of $pmu disturbed 0)" $((was + 1)) \
			"$pmu: a box that responds again within 200 ms has one more in disturbed"
		is "$(uncore_messages $pmu | grep -c 'no response')" "$lines_before" \
			"$pmu: a box that responds again within 200 ms gets no line in the log"
		hold_run close
	done
	hold_end

	# ---- all boxes of a type, counted together
	hw box 0/6/0 dead
	perf stat -x, -A --no-merge -C 0 -o /tmp/stat -e uncore_imc/event=0x24/ -- sleep 0.3
	is "$(grep -c 'CPU0,[1-9][0-9]*,,uncore_imc' /tmp/stat)" \
		"$(($(ls -d $PMUS/uncore_imc_[0-9]* | wc -l) - 1))" \
		'the boxes of a wildcard that respond count'
	is "$(sed -n 's|^CPU0,\([^,]*\),,uncore_imc_0/.*|\1|p' /tmp/stat)" \
		'<not counted>' 'the box of a wildcard that does not respond is <not counted>'
	S
done
finish
