#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Countable events count exactly, and others are refused at open: groups that fit no
# assignment of counters, unknown config bits, sampling. More events than counters
# rotate, and their counts add up to the hardware's.
# contract: groups
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s <<-'S'
	imc=uncore_imc_0 cha=uncore_cha_0
	# perf stat goes on without events that cannot be opened.
	counted() {
		perf stat -x, -a -C 0 -e "$2" -- sleep 0.01 2>&1 |
			grep -c '^[1-9][0-9]*,'
	}
	# accepted NAME EVENTS NUMBER: check that NUMBER of EVENTS count
	accepted() { is "$(counted "$@")" "$3" "perf counts $1"; }
	refused() {
		like "$(perf stat -x, -a -C 0 -e "$2" -- true 2>&1)" \
			'<not supported>' "perf refuses $1"
	}

	four="$imc/event=1/,$imc/event=2/,$imc/event=4/,$imc/event=5/"
	accepted 'four events' "{$four}" 4
	refused 'five events on four counters' "{$four,$imc/event=6/}"
	accepted 'four events and the fixed counter' "{$four,$imc/event=0xff/}" 5
	refused 'two events of the one fixed counter' "{$imc/event=0xff/,$imc/event=0xff/}"
	free=uncore_iio_free_running_0/event=0xff,umask=0x20/
	accepted 'two events of one free-running counter' "{$free,$free}" 2
	refused 'the snapshot bit of a free-running counter' \
		"{$free,${free%/},config2=0x8000000000000000/}"
	refused 'two events that need counter 0' "{$cha/event=0x11/,$cha/event=0x36/}"
	accepted 'three events and a fourth that needs counter 0' \
		"{$cha/event=1/,$cha/event=2/,$cha/event=4/,$cha/event=0x11/}" 4
	refused 'two events with different filters of one box' \
		"{$cha/event=1,tid_en,filter_tid=1/,$cha/event=2,tid_en,filter_tid=2/}"
	accepted 'two events with the same filter' \
		"{$cha/event=1,tid_en,filter_tid=1/,$cha/event=2,tid_en,filter_tid=1/}" 2
	refused 'an event with a config bit that no term has' $imc/config=0x20000/
	refused 'an event with a config1 bit that no term has' $imc/config1=1/
	accepted 'an event with the snapshot bit' $imc/config=1,config2=0x8000000000000000/ 1
	# frozen_ns has the time for which snapshots froze the box. Snapshots
	# add time only for the event's package, and other readings add none.
	frozen() { sed -n "s/^$1 //p" $PMUS/$imc/frozen_ns; }
	grouped() {
		perf stat -a -C 0 -I 100 -o /dev/null \
			-e "{$imc/event=1$1/,$imc/event=2/}" -- sleep 0.5
	}
	before=$(frozen 0)
	grouped ''
	is "$(frozen 0)" "$before" 'frozen_ns does not rise when a group without snapshot is read'
	grouped ,snapshot=1
	is "$(($(frozen 0) > before))" 1 "frozen_ns of the event's package rises with a snapshot"
	is "$(frozen 1)" 0 'frozen_ns of the other package does not rise with a snapshot'
	fails_with 'Invalid argument|not support' \
		'perf record fails on a box that cannot sample' perf record -o /tmp/data -a -C 0 -c 1000 \
		-e $imc/event=1/ true

	# An event moves to another counter if a second event can count only where the first does.
	hw truth reset
	perf stat -x, -o /tmp/one -a -C 0 -e $cha/event=1/ -- sleep 1 &
	engine_until_counting 0/0/0 1
	perf stat -x, -o /tmp/two -a -C 0 -e $cha/event=0x11/ -- sleep 0.2
	wait
	is "$(($(grep -o '^[0-9]*' /tmp/one) + $(grep -o '^[0-9]*' /tmp/two)))" \
		"$(engine_total 0/0/0)" 'an event that moves to another counter loses no count'
	isnt "$(grep -o '^[0-9]*' /tmp/two)" 0 'the event that needs counter 0 counts'

	# Seven events take turns on four counters.
	for pmu in $imc:0/6/0 $cha:0/0/0 uncore_upi_0:0/8/0; do
		unit=${pmu#*:} pmu=${pmu%:*}
		hw truth reset
		hw count reset
		events=
		for n in 1 2 3 4 5 6 7; do events="$events -e $pmu/event=$n/"; done
		perf stat -x, --no-scale -o /tmp/out -a -C 0 $events -- sleep 2
		is "$(awk -F, '{ n += $1 } END { printf "%.0f", n }' /tmp/out)" \
			"$(engine_total $unit)" \
			"$pmu: counts of seven events that take turns add up to what the hardware counted"
		is "$(grep -c '^0,\|not counted' /tmp/out)" 0 "$pmu: each of seven events has a turn"
		is "$(uncore_accesses counter writes "$unit")" 0 "$pmu: no counter is written while events take turns"
	done
	S
finish
