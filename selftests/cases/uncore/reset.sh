#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Resets of a box that clear only the registers that specifications list: neither the
# upper halves of controls in configuration space nor the fixed counter, and both hold
# random values at power-on. Counts are exact, the first and later ones, and controls
# hold the event's bits and no others. Resets that clear all registers are tried, too.
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
			"package $package: the fixed counter holds garbage"
		like "$(hw truth $package/7/0 0)" 'ctl=0x[1-9a-f][0-9a-f]{9}' \
			"package $package: so does the upper half of a control"
	done

	# all WHEN: the fixed counter and two others of an IMC, and four of an
	# M2M, one of which has something in its upper half
	all() {
		hw truth reset
		counts 0.1 "{uncore_imc_0/event=0xff/,uncore_imc_0/event=1/}" \
			uncore_imc_0/event=2/ uncore_m2m_0/event=1/ \
			uncore_m2m_0/event=2,umask=0x305/ \
			"{uncore_m2m_0/event=3/,uncore_m2m_0/event=4/}" >/tmp/counts
		is "$(wc -l </tmp/counts)" 14 "$1: counts"
		while read -r package count event; do
			unit=$package/7/0
			case $event in *imc*) unit=$package/6/0 ;; esac
			case $event in
			*0xff*) truth=$(fixed_of $unit) ;;
			*0x305*) truth=$(controls_of $unit 0x300000502) ;;
			*) truth=${event#*event=}
			   truth=$(controls_of $unit "${truth%%[!0-9]*}") ;;
			esac
			isnt "${truth:-0}" 0 "$1: $unit, $event happens"
			is "$count" "$truth" "$1: $unit, $event, exactly"
		done </tmp/counts
	}
	all first
	all again

	# Another agent used the boxes while nothing counted. (What it left in an
	# upper half would be seen when the box is handed back, not before.)
	for package in 0 1; do
		echo "box $package/6/0 preload 4 0x123456789abc"
		for ctr in 0 1 2 3; do
			echo "box $package/6/0 poke ctl $ctr 0x5555"
			echo "box $package/7/0 poke ctl $ctr 0x5555"
			echo "box $package/7/0 preload $ctr 0x123456789abc"
		done
	done | hw -
	all "after somebody else"

	# One event alone: the fixed counter is read when it starts and at the end.
	hw count reset
	hw truth reset
	perf stat -x'|' -C 0 -e uncore_imc_1/event=0xff/ -o /tmp/one -- sleep 0.1
	is "$(grep uncore /tmp/one | cut -d'|' -f1)" "$(fixed_of 0/6/1)" \
		'alone, on a box that was never used: exactly'
	is "$(accesses counter reads 0/6/1)" 2 'with two reads'
	S
done

# The kernel's own way into sleep and back, with all that it does to CPUs
# and devices; only firmware is left out, and what it does to registers
# is done here.
each_vm --as sleep --machine spr-2s --program regs <<-'S'
	# tid VALUE: a CHA counts with this filter; what its register held then
	modprobe msr
	filtered='uncore_cha_1/event=0x35,tid_en=1,filter_tid=0x21/'
	tid() {
		perf stat -C 0 -e $filtered -- sh -c 'hw box 0/0/1' 2>/dev/null |
			grep -o 'filter=[^ ]*'
	}
	# another program's filter, in the same register
	other_filter() { /root/regs msr 0 0x201e 0; }
	filter=$(tid)
	isnt "$filter" filter=0 'a filter is set, and its box is idle again'
	other_filter
	is "$(tid)" "$filter" 'another program wrote it since: it is written again'
	perf stat -C 0 -e uncore_imc_1/event=5/ -- sleep 0.01 2>/dev/null
	echo core >/sys/power/pm_test
	perf stat -x, -C 0 -I 500 -e uncore_imc_0/event=5,umask=0xcf/,uncore_cha_0/event=5/ \
		-e uncore_upi_0/event=5/ -o /tmp/counts sleep 600 &
	# counting EVENT: it has counted in a line of perf's after the first $lines
	lines=0
	counting() {
		tail -n +$((lines + 1)) /tmp/counts | grep "$1" |
			grep -qv -e ',0,,' -e '<not '
	}
	all_count() { counting imc_0 && counting cha_0 && counting upi_0; }
	becomes all_count
	# what sleep does to registers
	for unit in 0/6/0 0/0/0 0/8/0; do
		for c in 0 1 2 3; do
			echo "box $unit poke ctl $c 0"
			echo "box $unit preload $c 0x123456"
		done
	done | hw -
	hw box 0/6/1 poke box 0x301
	other_filter
	runs 'asleep and awake' sh -c 'echo mem >/sys/power/state'
	sleep 1
	lines=$(wc -l </tmp/counts)
	becomes all_count
	becomes '[ "$(messages "the box of package 0 was reset" | wc -l)" = 3 ]'
	is "$(messages 'the box of package 0 was reset or changed by another program or firmware' | wc -l)" 3 \
		'each box that was reset is told of'
	for event in imc_0 cha_0 upi_0; do
		runs "$event counts again" counting $event
	done
	kill -INT $!
	wait
	is "$(tid)" "$filter" 'a box that was idle gets its filter again'
	runs 'the driver goes' rmmod pmon_uncore
	is "$(messages 'uncore_imc_1: somebody else changed')" '' \
		'that sleep cleared the controls of an idle box is no other program'
	S
finish
