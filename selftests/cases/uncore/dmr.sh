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
	is "$(cat $PMON/pkg*-uncore*/platform | sort -u)" dmr 'the platform is dmr'
	is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'no unit is rejected on Diamond Rapids'
	is "$(uncore_writes)" 0 'loading writes no register on Diamond Rapids'
	is "$(uncore_accesses table reads)" $((6 * ($(uncore_listed) + 2 * 6 + 8))) \
		'each record of eight tables is read once'
	is "$(cat $PMON/pkg*-uncore*/units | awk '$10 != "-" { print $1, $2 }' |
		sort -nu)" "$(dmr_types | cut -d' ' -f1,2)" 'all types have their names'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,4 'imc of the first hub has a CPU of each package'
	is "$(cat $PMUS/uncore_imc_32768/cpumask)" 0,4 'imc of the second hub has a CPU of each package'
	is "$(cat $PMUS/uncore_cbo_0/cpumask)" 0,2,4,6 'cbo of a block has a CPU of each die'
	is "$(cat $PMUS/uncore_ula_0/cpumask)" 0,4 'ula of a hub has a CPU of each package'
	is "$(cat $PMUS/uncore_ula_65536/cpumask)" 0,2,4,6 \
		'ula of a block has another number and a CPU of each die'
	is "$(cat $PMUS/uncore_ula_65536/alias)" uncore_type_35_65536 \
		'the alias of uncore_ula_65536 has the number of the type'

	total=$(hw units | grep -vcE ' type=(19|37) ')
	is "$(hw global all | grep -c =0x1)" 4 'firmware froze four blocks'
	is "$(dmr_our_units | dmr_every 4 2)" "$total" 'every unit counts exactly on Diamond Rapids'
	is "$(hw global all | grep -c =0x1)" 0 'no block is frozen after the first events'
	is "$(cat $PMON/pkg*-uncore*/global | sort -u)" running \
		"every table's global control is running after the first events"
	is "$(dmr_our_units | dmr_every 4 2)" "$total" 'every unit counts exactly a second time'

	dmr_types >/tmp/types
	while read -r type name mask; do
		sum=0
		for value in $(dmr_terms $name | cut -d' ' -f2); do
			sum=$((sum | value))
		done
		is "$(printf 0x%x $sum)" $mask "$name: the fields of its format cover the mask of the type"
	done </tmp/types
	is "$(dmr_each_term </tmp/types)" '' "each of $(wc -l </tmp/terms) fields reaches the register"
	isnt "$(wc -l </tmp/terms)" 0 'types of Diamond Rapids have fields'

	# the fixed counter, which has a control of its own
	hw truth reset
	uncore_counts 0.1 uncore_imc_0/event=0xff/ >/tmp/fixed
	is "$(wc -l </tmp/fixed)" 2 'fixed counters count in both packages'
	while read -r package count event; do
		is "$count" "$(uncore_fixed_of $package/6/0)" "package $package: the fixed counter counts exactly"
	done </tmp/fixed
	like "$(perf stat -e uncore_imc_0/event=1,inv/ -C 0 true 2>&1)" \
		"unknown term|Invalid|bad|error" 'perf refuses inv on an imc, whose bit belongs to the threshold'

	# free-running counters of the first package only
	is "$(ls $PMUS | grep -c iio_free_running)" 4 'four free-running I/O PMUs are registered'
	is "$(ls $PMUS/uncore_iio_free_running_0 | grep -E '^(frozen_ns|disturbed)$')" \
		disturbed 'a free-running PMU has a file disturbed and no file frozen_ns'
	is "$(cat $PMUS/uncore_iio_free_running_3/cpumask)" 0 \
		'free-running I/O counters have a CPU of the first package only'
	is "$(ls $PMUS/uncore_iio_free_running_3/events | grep -vc '[.]')" 25 \
		'a free-running I/O PMU has 25 named events'
	hw box 0/4144/2 rate 3 1
	hw box 0/4144/2 preload 3 0
	# The driver accepts a gain of 5000000000 in 0.1 s, but not in a millisecond.
	perf stat -x, -C 0 -e uncore_iio_free_running_2/event=0xff,umask=0x13/ \
		-- sh -c 'sleep 0.1; hw box 0/4144/2 preload 3 5000000000' 2>/tmp/stat
	is "$(awk -F, '{ printf "%.1f", $1 / 5000000000 }' /tmp/stat)" 1.0 \
		'a free-running event counts the counter that the kernel names'

	# boxes of a die without CPUs do not count; other boxes do
	echo 0 >/sys/devices/system/cpu/cpu2/online
	is "$(cat $PMUS/uncore_cbo_0/cpumask)" 0,3-4,6 'another CPU of the die is designated when one goes offline'
	hw truth reset
	perf stat -x, -C 3 -e uncore_cbo_1/event=0x05,umask=0xcf/ -- \
		sleep 0.1 2>/tmp/stat
	uncore_agree 0/31/200001 "$(cut -d, -f1 /tmp/stat)" 0xcf05 'boxes of a die count on the newly designated CPU'
	echo 0 >/sys/devices/system/cpu/cpu3/online
	is "$(cat $PMUS/uncore_cbo_0/cpumask)" 0,4,6 'boxes of a die without CPUs have no designated CPU'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,4 'boxes of the package keep a CPU when one die has none'
	echo 1 >/sys/devices/system/cpu/cpu3/online
	is "$(cat $PMUS/uncore_cbo_0/cpumask)" 0,3-4,6 'boxes of the die get a CPU when one comes online'
	runs 'the module unloads on Diamond Rapids' rmmod pmon_uncore
	S

each_vm --as dmr-lean --machine dmr-lean <<-'S'
	. /lib/test/dmr.sh
	like "$(cat $PMON/pkg0-uncore0/rejected)" \
		'^23 0 status_offset 0x50 among the event controls$' \
		'controls 8 bytes apart reject a unit whose status lies among controls'
	rmmod pmon_uncore
	modprobe pmon_uncore controls=4
	is "$(cat $PMON/pkg*-uncore*/rejected)" '' 'controls=4 rejects no unit'
	for name in imc sca cxlcm cbo; do
		sum=0
		for value in $(dmr_terms $name | cut -d' ' -f2); do
			sum=$((sum | value))
		done
		is $((sum >> 32)) 0 "$name: no term lies above bit 31 with controls=4"
	done
	is "$(cat $PMUS/uncore_cbo_65537/cpumask)" 0 \
		'the second block of a die has numbers of its own'
	is "$(ls $PMUS | grep -c free_running)" 0 'no free-running PMU is registered on dmr-lean'
	is "$(dmr_pairs)" $((2 * $(hw units | wc -l))) 'every unit counts exactly with controls=4'
	is "$(cat $PMON/pkg0-uncore[012]/global | tr '\n' ' ')" \
		'running running running ' 'all three tables are running, also those with two units'
	rmmod pmon_uncore
	echo 0 >/sys/devices/system/cpu/cpu1/online
	modprobe pmon_uncore controls=4
	is "$(ls -d $PMON/pkg*-uncore* $PMUS/uncore_cbo_* | wc -l)" 4 \
		'no table is read of a block whose CPUs are offline'
	echo 1 >/sys/devices/system/cpu/cpu1/online
	becomes '[ -e $PMUS/uncore_cbo_65537 ]'
	is "$(ls -d $PMON/pkg*-uncore* $PMUS/uncore_cbo_* | wc -l)" 7 \
		'the table of a block is read when its first CPU comes online'
	rmmod pmon_uncore
	modprobe pmon_uncore controls=5
	like "$(uncore_messages controls=5)" 'neither 8 nor 4: doing nothing' \
		'controls=5 is refused in the log'
	S
finish
