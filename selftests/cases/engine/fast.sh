#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The fastest counter that a specification has (occupancy of IRP: 128 per cycle,
# at 2.5 GHz that is more than 2^38 a second) counts exactly, over MSRs, MMIO and
# configuration space, read once at the end or many times.
# contract: torn
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s <<-'S'
	rate=$((128 * 2500))	# per microsecond
	units='uncore_irp_0:0/2/0 uncore_imc_0:0/6/0 uncore_m2m_0:0/7/0'
	for unit in $units; do
		for ctr in 0 1 2 3; do
			hw box "${unit#*:}" rate $ctr $rate
		done
	done
	events=
	for unit in $units; do
		events="$events -e ${unit%:*}/event=0x0f,umask=0x1/"
	done

	# sum UNIT FILE: what perf counted, all lines together
	sum() {
		grep "$1/" "$2" | cut -d'|' -f1 |
			awk '{ sum += $1 } END { printf "%.0f", sum }'
	}

	hw truth reset
	perf stat -C 0 -x'|' -o /tmp/once $events -- sleep 1.2
	for unit in $units; do
		count=$(sum "${unit%:*}" /tmp/once)
		agree "${unit#*:}" "$count" 0x10f "once: ${unit%:*} ($count)"
		is $((count > 1 << 38)) 1 "once: ${unit%:*}: more than 2^38"
	done

	hw truth reset
	for unit in $units; do
		echo "truth_of ${unit#*:} 0x10f >/tmp/then.${unit%:*}"
	done >/tmp/then
	perf stat -C 0 -x'|' -I 100 -o /tmp/often $events -- sh -c '
		. /lib/test/guest.sh; . /lib/test/uncore.sh; . /lib/test/engine.sh
		sleep 0.55; . /tmp/then; read_again /tmp/often uncore_m2m_0'
	sed -n 's/^ *[0-9.]*|//p' /tmp/often >/tmp/sums
	for unit in $units; do
		count=$(sum "${unit%:*}" /tmp/sums)
		truth=$(truth_of "${unit#*:}" 0x10f)
		then=$(cat "/tmp/then.${unit%:*}")
		# They go on after they were read for the last time, and were read
		# after that.
		is "$((then > 0 && count >= then && count <= truth))" 1 \
			"every 100 ms: ${unit%:*} ($count of $truth, $then before)"
	done
	is "$(messages 'pmon.*(doubt|disturbed|set up again)')" '' \
		'nothing is doubted'
	S
finish
