#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The function with the only table is given to a virtual machine while the driver
# is being loaded, when some of its PMUs are there and have open events: loading
# ends, the events end, the module goes when they are closed, and comes back.
# all kernels: 6.12 sanitizer
# kernels: 6.1 6.12 newest sanitizer
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# One package, and enough PMUs for the rest to take a while.
machine=$(machine spr-full 'm["cpu"]["packages"] = 1')

each_vm --machine "$machine" --drivers adopted --program hold <<-'S'
	DEVICES=/sys/bus/pci/devices
	TABLE=0000:6a:03.1

	modprobe pmon
	modprobe -q pci-stub
	# What an open event of a PMU that goes reads
	end=end
	take_back() {
		echo $TABLE >/sys/bus/pci/drivers/pci-stub/unbind
		echo >$DEVICES/$TABLE/driver_override
	}

	[ ! -e $DEVICES/$TABLE/driver ] ||
		echo $TABLE >$DEVICES/$TABLE/driver/unbind
	for n in 1 2 3 4 5 6; do
		(modprobe pmon_uncore; echo $? >/tmp/loaded) &
		tries=5000
		while [ $((tries -= 1)) -gt 0 ] && set -- $PMUS/uncore_*; do
			[ ! -e "$1/type" ] || break
		done
		/root/hold >/tmp/held <<-H
		open ${1##*/} 0 1
		! [ -e /tmp/loaded ] || touch /tmp/early.$n
		! echo pci-stub >$DEVICES/$TABLE/driver_override
		! echo $TABLE >/sys/bus/pci/drivers_probe
		! for i in \$(seq 300); do [ ! -e /tmp/loaded ] || break; sleep 0.1; done
		! sleep 2
		read gone
		H
		wait
		like "$(cat /tmp/held)" "^(gone .* $end|open .* ENODEV)\$" "$n: the event ends"
		is "$(cat /tmp/loaded)" 0 "$n: loading ends well"
		rm -f /tmp/loaded
		# That of the event leaves a moment after it is closed.
		becomes "! ls $PMUS | grep -q ^uncore_"
		is "$(ls $PMUS | grep -c ^uncore_)" 0 "$n: no PMU is left"
		runs "$n: unloading" rmmod pmon_uncore
		take_back
	done
	isnt "$(ls /tmp/early.*)" '' 'the table went before all was loaded'
	runs 'loading' modprobe pmon_uncore
	is "$(all_units 0.1)" "all $(hw units | wc -l)" 'all units count exactly'
	S
finish
