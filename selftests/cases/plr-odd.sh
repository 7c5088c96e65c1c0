#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.1 6.12
# One of many is odd: a CPU whose register has bits that it should not have, a
# module that does not answer, an event that begins when others have counted.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/machine.sh"

# CPUs 2 and 3 are module 1 of power domain 0. What CPU 3 says of itself is that,
# and a bit that the register does not have.
odd=$(machine gnr-2s 'm["pm_logical_id"] = {"3": 1 << 40 | 1 << 3 | 1}')

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine "$odd" --drivers none <<-'S'
	. /lib/test/guest.sh
	. /lib/test/plr.sh

	plr_load
	plr_quick
	dom=$PMON/pkg0-dom0/plr

	is "$(ls -d $CPUS/cpu[0-7]/plr | grep -o 'cpu[0-9]' | tr '\n' ' ')" \
		'cpu0 cpu1 cpu2 cpu4 cpu5 cpu6 cpu7 ' 'a CPU with bits that are reserved has no module'
	is "$(cat $dom/core1/cpus)" 2 'and its module has the other one'

	# The values come after the header; bits of those that were read are in it.
	present() {
		cat $dom/snapshot >/root/snapshot
		hexdump -v -s 40 -n 8 -e '8/1 "%02x"' /root/snapshot
	}
	is "$(present)" 0f00000000000000 'a snapshot of four modules'
	hw plr 0/0/2 =0xffffffffffffffff
	# Those that are asked after it fail with it.
	like "$(present)" '^0[012389ab]0{14}$' \
		'a module that answers with all ones is not present'
	fails 'nor has it a value' cat $dom/core2/raw
	hw plr 0/0/2 =0
	is "$(present)" 0f00000000000000 'present again'

	# An event that is open while others have counted begins at 0.
	mkfifo /tmp/end
	perf stat -x, -C 0 -e plr/power/ -o /tmp/first -- cat /tmp/end &
	plr_watched $dom/core0/active >/dev/null
	hw plr 0/0/0 =0x4
	while [ "$(hw plr 0/0/0)" != 0x0000000000000000 ]; do sleep 0.05; done
	sleep 0.3
	perf stat -x, -C 0 -e plr/power/ -o /tmp/second -- sleep 0.3
	: >/tmp/end
	wait
	like "$(grep plr/power/ /tmp/first)" '^[1-9][0-9.]*,' 'the first event saw a limit'
	like "$(grep plr/power/ /tmp/second)" '^0(\.0*)?,' 'the second one did not'
	plr_unload
	finish
	S
done
finish
