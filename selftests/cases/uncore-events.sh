#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# perf's own event names find our PMUs, and the units count what the event
# lists say: an event of a memory controller, a CHA and a UPI link, on every
# unit of the machine at once.
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	for m in spr-2s gnr-2s srf-1s; do
		in_vm "$k $m" --kernel "$k" --machine "$m" --drivers ours <<-'S'
		. /lib/test/guest.sh
		. /lib/test/uncore.sh

		# perf 6.1 has no list for these machines
		perf=perf
		[ "$(cat $PMON/pkg0-uncore0/platform)" = spr ] || perf=perf6.12

		# named EVENT TYPE CONTROL: its count over all units
		named() {
			hw truth reset
			count=$($perf stat -x'|' -a -e "$1" -- sleep 0.1 2>&1 |
				awk -F'|' 'NF > 3 { sum += $1 } END { printf "%.0f", sum }')
			sum=0
			for unit in $(hw units | sed -n "s/pkg=\([0-9]*\) type=$2 id=\([0-9]*\) .*/\1,\2/p"); do
				truth=$(truth_of "${unit%,*}/$2/${unit#*,}" "$3")
				[ "$truth" != none ] || truth=0
				sum=$((sum + truth))
			done
			isnt "$sum" 0 "$1 reaches the units"
			is "$count" "$sum" "$1 counts exactly"
		}

		case $(cat $PMON/pkg0-uncore0/platform) in
		spr) named unc_m_cas_count.rd 6 0xcf05 ;;
		*) named unc_m_cas_count_sch0.rd 6 0xcf05
		   named unc_m_cas_count_sch1.wr 6 0xf006 ;;
		esac
		named unc_m_clockticks 6 0x0101
		named unc_cha_clockticks 0 0x0001
		if [ -e $PMUS/uncore_upi_0 ]; then
			named unc_upi_clockticks 8 0x0001
			named unc_upi_txl_flits.all_data 8 0x0f02
			named unc_upi_rxl_flits.all_data 8 0x0f03
		fi
		finish
		S
	done
done
finish
