#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A software event is in a group with one of a PMU whose devices go: perf has it in
# its contexts for that PMU, and keeps it there. So the PMU stays until it is
# closed, also where perf could take the PMU's own events away; if the devices are
# back by then it counts again. perf of 7.2 would schedule the software event twice
# when the PMU comes back, and break down.
# check: 7.2
# all kernels: 6.12 7.2 sanitizer
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine spr-2s <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh
	. /lib/test/engine.sh

	upi=uncore_upi_0
	gone() { [ ! -e $PMUS/$upi ]; }
	there() { [ -e $PMUS/$upi/type ]; }
	remove() {
		for function in 0000:7e:01.1 0000:fe:01.1; do
			echo 1 >/sys/bus/pci/devices/$function/remove
		done
	}
	# group EVENTS: they count together, until close_group
	group() {
		perf stat -a -C 0 -e "{$1}" -- sleep 100 >/tmp/group 2>&1 &
		until_counting 0/8/0 1
	}
	close_group() {
		kill $!
		wait $!
	}

	group "$upi/event=1/,cpu-clock"
	remove
	sleep 1
	runs 'while a software event of its group is open the PMU stays' there
	echo 1 >/sys/bus/pci/rescan
	counts 0.1 $upi/event=2/ >/tmp/again
	like "$(cat /tmp/again)" '^0 [1-9]' 'it counts when its devices are back'
	close_group

	group "cpu-clock,$upi/event=1/"
	remove
	sleep 1
	runs 'also where the software event leads' there
	close_group
	runs 'when both are closed the PMU goes' becomes gone
	echo 1 >/sys/bus/pci/rescan
	runs 'and comes back' becomes there
	counts 0.1 $upi/event=2/ >/tmp/again
	like "$(cat /tmp/again)" '^0 [1-9]' 'it counts then'
	finish
	S
done
finish
