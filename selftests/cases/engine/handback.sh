#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.1 6.12 newest
# Boxes of both packages are handed back, whichever CPU unloads the module. For this an MSR
# access must be on a CPU of the box's package. A read of one member
# of a snapshot group reads that member's counter, and not the last snapshot.
# contract: handback
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s --program hold <<-'S'
	for pmu in cha_0:0/0 imc_0:6/0 m2m_0:7/0; do
		for p in 0 1; do
			cpu=$(engine_collector "uncore_${pmu%:*}" $p)
			unit=$p/${pmu#*:}
			hw truth reset
			set -- $(/root/hold <<-E | sed 's/.* //'
			open uncore_${pmu%:*} $cpu 0x21 snapshot
			open uncore_${pmu%:*} $cpu 0x22 0
			read group 0
			! sleep 0.05
			read alone 1
			! sleep 0.05
			read again 1
			disable
			read end 1
			E
			)
			is "$(($1 < $2 && $2 < $3 && $3 <= $4))" 1 \
				"$unit: a read of the second event of a snapshot group reads its counter anew ($*)"
			uncore_agree "$unit" "$4" 0x22 "$unit: the second event of a snapshot group ends exact"
		done
	done

	# used boxes stay frozen while nothing counts
	for p in 0 1; do
		for unit in 0/0 6/0 7/0; do
			like "$(hw box $p/$unit)" 'box=0x0*1( |$)' \
				"$p/$unit: a used box stays frozen while nothing counts"
		done
	done
	hw count reset
	# Unload on a CPU of package 0.
	runs 'the module unloads on a CPU of package 0' taskset 1 rmmod pmon_uncore
	for p in 0 1; do
		for unit in 0/0 6/0 7/0; do
			uncore_handed_back "after unloading" $p/$unit
		done
		is "$(uncore_writes $p/0/1)" 0 "$p/0/1: a box that was never used is never written"
	done
	S
finish
