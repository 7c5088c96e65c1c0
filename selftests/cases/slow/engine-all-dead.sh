#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Let all boxes of a server stop responding at once: their events fail within a second,
# and a CPU that goes offline meanwhile waits 50 ms at most for the driver's probes of dead boxes.
# contract: unresponsive
# all kernels: 6.12
# kernels: 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# Count guest time in instructions, so that nothing depends on a busy host.
export OPENPMON_ICOUNT=1
each_vm --machine spr-full --program hold <<-'S'
	for dir in "$PMON"/pkg*-uncore*; do
		p=$(cat "$dir/package_id")
		awk -v p="$p" -v cpu="$(engine_collector uncore_imc_0 "$p")" '$10 != "-" {
			print p "/" $1 "/" $3, $8, cpu
		}' "$dir/units"
	done | while read -r unit pmu cpu; do
		[ ! -e "$PMUS/$pmu/frozen_ns" ] || echo "$unit $pmu $cpu"
	done >/tmp/boxes
	boxes=$(wc -l </tmp/boxes)
	is "$((boxes >= 300))" 1 "the server has at least 300 boxes ($boxes)"
	hold_start
	hold_run "$(sed 's/^[^ ]* /open /; s/$/ 0x1/' /tmp/boxes)"
	is "$(hold_reading | tr ' ' '\n' | grep -c '^[0-9]')" "$boxes" 'an event on each box counts'
	# offline_ms: print the time that a CPU without events needs to go offline
	idle=$(engine_cpus_of 1 | tail -n 1)
	offline_ms() {
		from=$(guest_ms)
		engine_cpu "$idle" 0
		echo $(($(guest_ms) - from))
		engine_cpu "$idle" 1
	}
	alone=$(offline_ms)
	while read -r unit _; do
		hw box "$unit" dead
	done </tmp/boxes
	died=$(guest_ms)
	echo 'read dead' >&3
	becomes 'grep -q 1 "$PMUS"/uncore_imc_0/unresponsive'
	with=$(offline_ms)
	is "$((with <= alone + 50))" 1 \
		"a CPU goes offline in at most 50 ms more while dead boxes are probed ($with of $alone ms)"
	becomes '[ "$(uncore_messages "no response" | wc -l)" = "$boxes" ]'
	took=$(($(guest_ms) - died))
	is "$((took <= 1000))" 1 "all dead boxes are logged within a second ($took ms)"
	is "$(hold_reading | tr ' ' '\n' | sort | uniq -c | tr -s ' ')" " $boxes end" \
		'all events of dead boxes have failed'
	hold_end
S
finish
