#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The modules cannot be unloaded while an event is open, and can at any other
# time, over and over; nothing is left, in the hardware, on the bus, or in
# memory.
# contract: module
# all kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s <<-'S'
	perf stat -a -e uncore_imc_0/event=1/ -- cat /tmp/end 2>/dev/null &
	until_counting 0/6/0 1
	fails 'an open event keeps the driver' rmmod pmon_uncore
	fails 'and the engine' rmmod pmon
	end_counts
	hw count reset
	runs 'the driver goes' rmmod pmon_uncore
	is "$(ls $PMUS | grep -c ^uncore_)" 0 'and its PMUs'
	is "$(writes 0/6/0) $(writes 1/6/0)" '2 2' \
		'the boxes that were used are handed back'
	# One that does not answer any more is not written.
	is "$(reads 0/6/0) $(reads 1/6/0)" '1 1' 'after a look whether they answer'
	is "$(writes) $(reads)" '4 2' 'the others are not touched'

	for n in 1 2; do
		modprobe pmon_uncore || not_ok 'loading again'
		for pmu in imc_0 cha_0 upi_0 imc_1 cha_1; do
			perf stat -a -e uncore_$pmu/event=1/ -- sleep 0.01 \
				2>/dev/null &
		done
		wait
		rmmod pmon_uncore || not_ok 'unloading again'
	done
	ok 'twice over'

	modprobe pmon_uncore
	goes_all 'everything goes' pmon_uncore pmon_plr
	S
finish
