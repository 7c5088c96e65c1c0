#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test Diamond Rapids: tables behind PCI functions and in memory at an address in an
# MSR, equal unit numbers in several tables, boxes of dies, blocks that are frozen at
# power-on. Every unit counts exactly, every field of every format reaches the register,
# free-running counters are the first package's. Also test controls 4 bytes apart, and
# two blocks in a die.
# all kernels: 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --as dmr-2s --machine dmr-2s <<-'S'
	. /lib/test/dmr.sh
	is "$(cat $PMON/pkg*-uncore*/platform | sort -u)" dmr 'it is known'
	is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'nothing is rejected'
	is "$(writes)" 0 'loading writes nothing'
	is "$(accesses table reads)" $((6 * ($(listed) + 2 * 6 + 8))) \
		'each record is read once'
	is "$(cat $PMON/pkg*-uncore*/units | awk '$10 != "-" { print $1, $2 }' |
		sort -nu)" "$(dmr_types | cut -d' ' -f1,2)" 'all types by name'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,4 'a hub has a CPU of the package'
	is "$(cat $PMUS/uncore_imc_32768/cpumask)" 0,4 'the second hub as well'
	is "$(cat $PMUS/uncore_cbo_0/cpumask)" 0,2,4,6 'a block one of the die'
	is "$(cat $PMUS/uncore_ula_0/cpumask)" 0,4 'a number of hubs'
	is "$(cat $PMUS/uncore_ula_65536/cpumask)" 0,2,4,6 \
		'and of blocks, which get another one'
	is "$(cat $PMUS/uncore_ula_65536/alias)" uncore_type_35_65536 'alias'

	total=$(hw units | grep -vcE ' type=(19|37) ')
	is "$(hw global all | grep -c =0x1)" 4 'the blocks are frozen'
	is "$(our_units | every 4 2)" "$total" 'every unit counts exactly'
	is "$(hw global all | grep -c =0x1)" 0 'none is now'
	is "$(cat $PMON/pkg*-uncore*/global | sort -u)" running 'none is now'
	is "$(our_units | every 4 2)" "$total" 'and again'

	dmr_types >/tmp/types
	while read -r type name mask; do
		sum=0
		for value in $(terms $name | cut -d' ' -f2); do
			sum=$((sum | value))
		done
		is "$(printf 0x%x $sum)" $mask "$name: its fields"
	done </tmp/types
	is "$(each_term </tmp/types)" '' \
		"each of $(wc -l </tmp/terms) fields reaches the register"
	isnt "$(wc -l </tmp/terms)" 0 'there are some'

	# the fixed counter, which has a control of its own
	hw truth reset
	counts 0.1 uncore_imc_0/event=0xff/ >/tmp/fixed
	is "$(wc -l </tmp/fixed)" 2 'fixed counters of both packages'
	while read -r package count event; do
		is "$count" "$(fixed_of $package/6/0)" "package $package: the fixed counter"
	done </tmp/fixed
	like "$(perf stat -e uncore_imc_0/event=1,inv/ -C 0 true 2>&1)" \
		"unknown term|Invalid|bad|error" 'inv of imc would be its threshold'

	# free-running counters of the first package only
	is "$(ls $PMUS | grep -c iio_free_running)" 4 'four traffic controllers'
	is "$(ls $PMUS/uncore_iio_free_running_0 | grep -E '^(frozen_ns|disturbed)$')" \
		disturbed 'what runs by itself is never frozen, but sleep may reset it'
	is "$(cat $PMUS/uncore_iio_free_running_3/cpumask)" 0 \
		'those of the first package, and not for all'
	is "$(ls $PMUS/uncore_iio_free_running_3/events | grep -vc '[.]')" 25 \
		'with 25 events'
	hw box 0/4144/2 rate 3 1
	hw box 0/4144/2 preload 3 0
	# The driver accepts a gain of 5000000000 in 0.1 s, but not in a millisecond.
	perf stat -x, -C 0 -e uncore_iio_free_running_2/event=0xff,umask=0x13/ \
		-- sh -c 'sleep 0.1; hw box 0/4144/2 preload 3 5000000000' 2>/tmp/stat
	is "$(awk -F, '{ printf "%.1f", $1 / 5000000000 }' /tmp/stat)" 1.0 \
		'an event is the counter that the kernel says'

	# boxes of a die without CPUs do not count; other boxes do
	echo 0 >/sys/devices/system/cpu/cpu2/online
	is "$(cat $PMUS/uncore_cbo_0/cpumask)" 0,3-4,6 'another CPU of the die'
	hw truth reset
	perf stat -x, -C 3 -e uncore_cbo_1/event=0x05,umask=0xcf/ -- \
		sleep 0.1 2>/tmp/stat
	agree 0/31/200001 "$(cut -d, -f1 /tmp/stat)" 0xcf05 'it counts for it'
	echo 0 >/sys/devices/system/cpu/cpu3/online
	is "$(cat $PMUS/uncore_cbo_0/cpumask)" 0,4,6 'no CPU of the die'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,4 'the package has others'
	echo 1 >/sys/devices/system/cpu/cpu3/online
	is "$(cat $PMUS/uncore_cbo_0/cpumask)" 0,3-4,6 'and back'
	runs 'unloading' rmmod pmon_uncore
	S

each_vm --as dmr-lean --machine dmr-lean <<-'S'
	. /lib/test/dmr.sh
	like "$(cat $PMON/pkg0-uncore0/rejected)" \
		'^23 0 status_offset 0x50 among the event controls$' \
		'by default controls are 8 bytes apart'
	rmmod pmon_uncore
	modprobe pmon_uncore controls=4
	is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'they may be 4 bytes apart'
	for name in imc sca cxlcm cbo; do
		sum=0
		for value in $(terms $name | cut -d' ' -f2); do
			sum=$((sum | value))
		done
		is $((sum >> 32)) 0 "$name: nothing above bit 31"
	done
	is "$(cat $PMUS/uncore_cbo_65537/cpumask)" 0 \
		'two blocks of a die: the second has other numbers'
	is "$(ls $PMUS | grep -c free_running)" 0 'no traffic controllers'
	is "$(pairs)" $((2 * $(hw units | wc -l))) 'every unit counts exactly'
	is "$(cat $PMON/pkg0-uncore[012]/global | tr '\n' ' ')" \
		'running running running ' 'also of tables with two units'
	rmmod pmon_uncore
	echo 0 >/sys/devices/system/cpu/cpu1/online
	modprobe pmon_uncore controls=4
	is "$(ls -d $PMON/pkg*-uncore* $PMUS/uncore_cbo_* | wc -l)" 4 \
		'the table of a block whose CPUs are offline is not known'
	echo 1 >/sys/devices/system/cpu/cpu1/online
	becomes '[ -e $PMUS/uncore_cbo_65537 ]'
	is "$(ls -d $PMON/pkg*-uncore* $PMUS/uncore_cbo_* | wc -l)" 7 \
		'it is when they come, and the others are not read again'
	rmmod pmon_uncore
	modprobe pmon_uncore controls=5
	like "$(messages controls=5)" 'neither 8 nor 4: doing nothing' \
		'nothing else is possible'
	S
finish
