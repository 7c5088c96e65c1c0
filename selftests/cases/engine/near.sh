#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A box belongs to a NUMA node, as the box of a CXL device does. The nearest CPU is
# designated, even if the node has no CPU; when that CPU goes offline the events move to
# the next nearest one, without a loss. A counter that stands still for some ticks is no
# sign of a freeze, because the box has no global control.
# all kernels: 6.12
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-nodes --module near <<-'S'
	# near NODE: load the module near, whose box belongs to NODE
	near() {
		! [ -e /sys/module/near ] || rmmod near
		runs "the module near loads for node $1" insmod /root/near.ko node="$1"
	}
	served() { cat $PMUS/near/cpumask; }
	accessed() { cat /sys/module/near/parameters/cpu; }
	# read_on CPU: wait until CPU has accessed the box
	read_on() {
		becomes "[ \"\$(accessed)\" = $1 ]"
		is "$(accessed)" "$1" "CPU $1 reads the box"
	}
	# counted FILE: print "all" if the count, in nanoseconds, equals perf's time within a
	# quarter of a second
	counted() {
		awk -F, '/event=1/ {
			n = $1 - $4
			print (n > -2.5e8 && n < 2.5e8 ? "all" : n " too many")
		}' "$1"
	}

	is "$(cat /sys/devices/system/node/has_cpu)" 0-1 'the guest has CPUs in nodes 0 and 1'
	like "$(cat /sys/devices/system/node/has_memory)" 0-8 'the guest has memory in nodes 0 to 8'

	modprobe pmon
	near 3
	is "$(served)" 0 'the nearest CPU is designated for a box of a node without CPUs'
	is "$(accessed)" -1 'loading accesses no register of the box'
	for c in 0 1 2 3; do
		perf stat -x, -o /tmp/stat -C $c -e near/event=1/ sleep 0.5
		is "$(counted /tmp/stat)" all "an event that names CPU $c has the box's whole count"
		is "$(accessed)" 0 'an event that names another CPU is read on the designated one'
	done
	near -1
	is "$(served)" 0 'CPU 0 is designated for a box of no node'
	perf stat -x, -o /tmp/stat -C 0 -e near/event=0x10/ sleep 1.5
	is "$(awk -F, '/event=/ { print $1 }' /tmp/stat)" 0 'an event whose counter stands still counts 0'

	near 1
	is "$(served)" 2 'the first CPU of node 1 is designated for a box of node 1'
	perf stat -x, -o /tmp/stat -C 2 -e near/event=1/ -- cat /tmp/end &
	read_on 2
	# moves CPU STATE SERVER: take a CPU offline or online, and check that SERVER reads
	# the box
	moves() {
		engine_cpu "$1" "$2"
		is "$(served)" "$3" "CPU $1 set to online=$2: CPU $3 is designated"
		read_on "$3"
		sleep 1
	}
	moves 2 0 3
	moves 3 0 0
	moves 3 1 3
	moves 2 1 3
	engine_end_counts
	is "$(counted /tmp/stat)" all 'moves between CPUs neither lose nor repeat counts'
	rmmod near
	is "$(ls $PMUS | grep -c near)" 0 'the PMU near is unregistered when its module unloads'
	S
finish
