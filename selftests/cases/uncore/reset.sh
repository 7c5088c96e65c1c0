#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# By specification a reset of a box clears neither the upper halves of controls in
# configuration space nor the fixed counter, and both hold random values at power-on. Yet
# all counts must be exact, from the first on, and a control must hold only the bits of its
# event. Resets that clear all registers are tested, too.
# contract: setup
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

kind=$(machine spr-2s 'm["reset"] = "all"')

for reset in documented all; do
	machine=spr-2s
	[ $reset = documented ] || machine=$kind
	each_vm --as $reset --machine "$machine" <<-'S'
	for package in 0 1; do
		like "$(hw truth $package/6/0 fixed)" 'value=0x[0-9a-f]{6}' \
			"package $package: the fixed counter holds garbage at power-on"
		like "$(hw truth $package/7/0 0)" 'ctl=0x[1-9a-f][0-9a-f]{9}' \
			"package $package: the upper half of a control holds garbage at power-on"
	done

	# all WHEN: check the fixed counter and two others of an IMC, and four counters
	# of an M2M, one with bits in the upper half of its control
	all() {
		hw truth reset
		uncore_counts 0.1 "{uncore_imc_0/event=0xff/,uncore_imc_0/event=1/}" \
			uncore_imc_0/event=2/ uncore_m2m_0/event=1/ \
			uncore_m2m_0/event=2,umask=0x305/ \
			"{uncore_m2m_0/event=3/,uncore_m2m_0/event=4/}" >/tmp/counts
		is "$(wc -l </tmp/counts)" 14 "$1: perf prints 14 counts"
		while read -r package count event; do
			unit=$package/7/0
			case $event in *imc*) unit=$package/6/0 ;; esac
			case $event in
			*0xff*) truth=$(uncore_fixed_of $unit) ;;
			*0x305*) truth=$(uncore_controls_of $unit 0x300000502) ;;
			*) truth=${event#*event=}
			   truth=$(uncore_controls_of $unit "${truth%%[!0-9]*}") ;;
			esac
			isnt "${truth:-0}" 0 "$1: $unit counted $event in hardware"
			is "$count" "$truth" "$1: the count of $event on $unit is exact"
		done </tmp/counts
	}
	all "first run"
	all "second run"

	# Change registers as another agent might while nothing counts, but no upper halves
	# of controls: the driver finds changes there only when it hands back the box.
	for package in 0 1; do
		echo "box $package/6/0 preload 4 0x123456789abc"
		for ctr in 0 1 2 3; do
			echo "box $package/6/0 poke ctl $ctr 0x5555"
			echo "box $package/7/0 poke ctl $ctr 0x5555"
			echo "box $package/7/0 preload $ctr 0x123456789abc"
		done
	done | hw -
	all "after another agent's writes"

	# One event alone: the fixed counter is read at its start and at its end.
	hw count reset
	hw truth reset
	perf stat -x'|' -C 0 -e uncore_imc_1/event=0xff/ -o /tmp/one -- sleep 0.1
	is "$(grep uncore /tmp/one | cut -d'|' -f1)" "$(uncore_fixed_of 0/6/1)" \
		'a fixed counter alone on an unused box counts exactly'
	is "$(uncore_accesses counter reads 0/6/1)" 2 'a fixed counter alone takes two reads'
	S
done

finish
