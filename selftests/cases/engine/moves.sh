#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The designated CPU goes offline while events are disabled: single events, more events
# than counters, siblings, groups whose leader is a disabled event of the PMU or of
# software, pinned events. Disabled events stay disabled and keep their count, others
# count on, an ENABLE at any moment takes effect, and so does a DISABLE just before perf
# moves the event. Test also with Debian's last kernels whose perf moves one event or
# group for each call, while they are available:
# KERNELS='6.12.74+deb13+1-amd64 7.2.12+deb13-amd64'.
# contract: disabled
# all kernels: 6.1 newest
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# Let a grace period of RCU, for which perf waits, take 10 ms and more.
each_vm --machine spr-2s --append rcupdate.rcu_expedited=0 --program hold --program late <<-'S'
	# serving: print the designated CPU of package 1
	serving() { engine_collector uncore_imc_0 1; }
	# others [COMMAND]: take the designated CPU offline, or run COMMAND, which does so; wait
	# until another CPU is designated, and take the old one online
	others() {
		was=$(serving)
		if [ $# -gt 0 ]; then "$@"; else engine_cpu "$was" 0; fi
		becomes "[ \"\$(serving)\" != $was ]"
		sleep 0.2
		engine_cpu "$was" 1
	}
	# enables NUMBER US [PMU]: enable event NUMBER, or all if empty, US us after cpumask changed
	enables() { hold_run "moving $was ${3:-$pmu} $2 $1"; }
	late() { /root/late "$was" $pmu >/tmp/late; }
	# moved: print "more" for each event that counts, for others the count
	moved() {
		then=$(hold_reading)
		sleep 0.15
		echo "$then $(hold_reading)" | awk '{
			for (i = 1; i <= NF / 2; i++) {
				now = $(i + NF / 2)
				if (now + 0 > $i + 0) now = "more"
				printf (i == 1 ? "" : " ") now
			}
		}'
	}

	for box in $(some imc_0:6/0 cha_0:0/0); do
		pmu=uncore_${box%:*} unit=1/${box#*:}
		hold_start
		hw truth reset

		# ---- one event, enabled at various moments of the move
		for us in 0 2000 20000 $([ "$short" ] || echo 0 500 5000 10000); do
			hold_run "open $pmu $(serving) 0x31 off"
			others enables 0 $us
			is "$(moved)" more "$pmu: an event enabled $us us after another CPU is designated counts"
			hold_run close
		done

		# ---- more events than counters
		for e in 41 42 43 44 45 46 47 48; do
			case $e in
			4[1478]) hold_run "open $pmu $(serving) 0x$e off" ;;
			*) hold_run "open $pmu $(serving) 0x$e" ;;
			esac
		done
		others
		is "$(moved)" '0 more more 0 more more 0 0' \
			"$pmu: four of eight events stay disabled and four count on after a move"
		is "$(for e in 41 44 47 48; do uncore_controls_of $unit $e; done)" '' \
			"$pmu: the hardware counted nothing for four disabled events"
		others enables '' 2000
		hold_run 'close 1'
		hold_run 'close 2'
		hold_run 'close 4'
		hold_run 'close 5'
		is "$(moved)" 'more more more more' "$pmu: four events count that were enabled during a move"
		hold_run close

		# ---- siblings
		cpu=$(serving)
		hold_run "open $pmu $cpu 0x51"
		hold_run "open $pmu $cpu 0x52 0"
		hold_run "open $pmu $cpu 0x53 0 off"
		hold_run "open $pmu $cpu 0x61 off"
		hold_run "open $pmu $cpu 0x62 3 off"
		hold_run "open $pmu $cpu 0x63 3"
		others
		is "$(moved)" 'more more 0 0 0 0' \
			"$pmu: a disabled sibling and a disabled group stay disabled after a move"
		is "$(for e in 53 61 62 63; do uncore_controls_of $unit $e; done)" '' \
			"$pmu: the hardware counted nothing for disabled siblings and groups"
		others enables 3 2000
		hold_run 'close 0'
		hold_run 'close 1'
		is "$(moved)" '0 more 0 more' \
			"$pmu: an enabled leader lets its enabled sibling count and no other"
		hold_run 'enable 2'
		hold_run 'enable 4'
		is "$(moved)" 'more more more more' "$pmu: a disabled sibling counts once it is enabled"
		hold_run close

		# ---- a group with a software event as leader
		cpu=$(serving)
		hold_run "open 1 $cpu 0 off"
		hold_run "open $pmu $cpu 0x71 0"
		hold_run "open $pmu $cpu 0x72 0 off"
		hold_run "open 1 $cpu 0 off"
		hold_run "open $pmu $cpu 0x73 3 off"
		others
		is "$(moved)" '0 0 0 0 0' "$pmu: a disabled software leader keeps its group from counting"
		is "$(for e in 71 72 73; do uncore_controls_of $unit $e; done)" '' \
			"$pmu: the hardware counted nothing below a disabled software leader"
		others enables 0 2000
		is "$(moved)" 'more more 0 0 0' \
			"$pmu: one ENABLE of a software leader lets its enabled siblings count"
		hold_run close

		# ---- pinned
		cpu=$(serving)
		hold_run "open $pmu $cpu 0x81 pinned"
		hold_run "open $pmu $cpu 0x82 pinned off"
		sleep 0.1
		hold_run 'disable 0'
		before=$(hold_reading)
		isnt "${before% *}" 0 "$pmu: a pinned event counts"
		others
		is "$(hold_reading)" "$before" "$pmu: a disabled pinned event keeps its count in a move"
		others enables '' 2000
		is "$(moved)" 'more more' "$pmu: pinned events enabled during a move count"
		hold_run disable
		is "$(hold_reading)" "$(uncore_controls_of $unit 81) $(uncore_controls_of $unit 82)" \
			"$pmu: pinned events end with the hardware's exact count"
		hold_end

		# ---- DISABLE and the move wait for the same mutex of perf, in this order
		others late
		is "$(cat /tmp/late)" lost "$pmu: an event disabled just before its move stays disabled"
	done

	# ---- several PMUs, whose events move one after the other: ENABLE may get
	# perf's mutex between two moves
	hold_start
	for us in 0 30000 $([ "$short" ] || echo 0 1000); do
		n=0
		for box in imc_0 cha_0 upi_0 imc_1 cha_1; do
			hold_run "open uncore_$box $(serving) 0x2$n off"
			n=$((n + 1))
		done
		others enables '' $us uncore_imc_0
		is "$(moved)" 'more more more more more' \
			"five PMUs: all events enabled $us us after a move began count"
		hold_run close
	done
	hold_end
	runs 'the driver unloads after all moves' rmmod pmon_uncore
	S
finish
