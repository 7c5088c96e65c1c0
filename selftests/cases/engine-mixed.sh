#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A software event is in a group with one of a PMU whose devices go: perf has it in
# its contexts for that PMU, and keeps it there. So the PMU stays until it is
# closed, also where perf could take the PMU's own events away; if the devices are
# back by then it counts again. perf of 7.2 would schedule the software event twice
# when the PMU comes back, and break down. When the PMU's own event is closed its leaf
# can be unloaded: perf keeps the PMU then, out of sight, and the engine with it, until
# the software event is closed.
# check: newest
# all kernels: 6.12 newest sanitizer
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/hang-host.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine spr-2s --copy "$ATTACKS/hold" <<-'S'
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

	# references: to the engine
	references() { cat /sys/module/pmon/refcnt; }
	without_uncore() {
		rmmod pmon_uncore || return
		for leaf in plr cxl r2pcie; do
			[ ! -e /sys/module/pmon_$leaf ] || rmmod pmon_$leaf || return
		done
	}
	number=$(cat $PMUS/$upi/type)
	mkfifo /tmp/say
	/root/hold </tmp/say >/tmp/held &
	exec 3>/tmp/say
	for line in "open $upi 0 1" 'open software 0 0 0' 'open software 0 0 0' 'close 0'; do
		echo "$line" >&3
	done
	runs 'once its own event is closed the leaf can go' becomes without_uncore
	runs 'its PMUs leave sysfs' gone
	is "$(references)" 1 'the engine stays for the software events'
	# Once a second it is asked whether they are closed.
	sleep 2.5
	is "$(references)" 1 'however long they are open'
	echo "open $number 0 1" >&3
	runs 'what perf has kept of it counts nothing' becomes 'grep -qx "open $number 0 ENODEV" /tmp/held'
	modprobe pmon_uncore
	runs 'the leaf is loaded again: the PMU is there' there
	runs 'its number is another one' [ "$(cat $PMUS/$upi/type)" != "$number" ]
	counts 0.1 "$upi/event=2/" "$upi/event=3/" >/tmp/again
	is "$(grep -c '^0 [1-9]' /tmp/again)" 2 'its events count'
	echo "open $upi 0 1" >&3
	echo 'open software 0 0 3' >&3
	until_counting 0/8/0 1
	echo 'read after' >&3
	becomes "[ \"\$(grep -c after /tmp/held)\" = 4 ]"
	is "$(awk '$1 == "after" && $4 > 0' /tmp/held | wc -l)" 4 \
		'beside software events in groups of the PMU that went and of the new one'
	echo 'close 1' >&3
	echo 'close 3' >&3
	runs 'the leaf can go again' becomes without_uncore
	is "$(references)" 2 'two PMUs have stayed with perf now'
	echo 'close 2' >&3
	runs 'the first one goes with its last event' becomes '[ "$(references)" = 1 ]'
	echo close >&3
	runs 'then the other one' becomes '[ "$(references)" = 0 ]'
	runs 'and the engine can go' rmmod pmon
	modprobe pmon_uncore
	counts 0.1 $upi/event=2/ >/tmp/again
	like "$(cat /tmp/again)" '^0 [1-9]' 'all of it comes back and counts'
	exec 3>&-
	finish
	S
done
finish
