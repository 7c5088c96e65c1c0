#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A wildcard names several boxes, one of them in D3: perf prints <not supported> for it,
# and counts the others. The box in D3 is not accessed, and stays in D3. Nor is a box
# accessed that is in a BAR of a function without memory decoding.
# contract: wildcard asleep undecoded
# all kernels: 6.1 newest
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# Make eight functions with a box each. The memory controllers are in a BAR of the function
# with the discovery table, and enter D3 together with that function.
eight=$(machine spr-lean '
for u in m["packages"][0]["discovery"]["units"]:
    if u["type"] == 7 and not u.get("id"):
        u["count"] = 8
m["memory_controllers"] = "bar"
m["name"] = "eight"')

each_vm --machine "$eight" --module power --program hold --program regs <<-'S'
	insmod /root/power.ko
	sleeper=$(hw units | sed -n 's/^pkg=0 type=7 id=2 .*address=\(0x[0-9a-f]*\) .*/\1/p')
	# the address has the bus in bits 27:20, the device in 19:15, the function in 14:12
	sleeper=$(printf '0000:%02x:%02x.%x' $((sleeper >> 20 & 0xff)) \
		$((sleeper >> 15 & 0x1f)) $((sleeper >> 12 & 7)))
	is "$(ls -d $PMUS/uncore_m2m_[0-7] | wc -l)" 8 'the machine has eight m2m boxes'
	echo "$sleeper D3" >/sys/module/power/parameters/set
	hw box 0/7/2 dead
	hw count reset
	status=0
	perf stat -A --no-merge -x, -a -o /tmp/stat -e uncore_m2m/event=0x21/ -- sleep 0.2 ||
		status=$?
	is "$status" 0 'perf stat succeeds on a wildcard over eight boxes, one in D3'
	is "$(grep -c '^CPU0,[1-9][0-9]*,,uncore_m2m_[0-9]/' /tmp/stat)" 7 'seven boxes of the wildcard count'
	is "$(sed -n 's|^CPU0,\([^,]*\),,uncore_m2m_2/.*|\1|p' /tmp/stat)" '<not supported>' \
		'the box of the wildcard in D3 is <not supported>'
	is "$(($(uncore_reads 0/7/2) + $(uncore_writes 0/7/2)))" 0 'no register of the box in D3 is accessed'
	like "$(printf 'open uncore_m2m_2 0 0x21\n' | /root/hold)" ' ENXIO$' \
		'opening an event of the box in D3 fails with ENXIO'
	echo "$sleeper D0" >/sys/module/power/parameters/set
	hw box 0/7/2 ok
	hw truth reset
	uncore_counts 0.1 uncore_m2m_2/event=0x22/ >/tmp/counts
	uncore_agree 0/7/2 "$(awk '{ print $2 }' /tmp/counts)" 0x22 'an event of the box back in D0 is exact'

	# Set D3 behind the kernel's back: a reading detects it, so the log reports no failure.
	/root/hold >/tmp/held <<-'H'
	open uncore_imc_0 0 0x11
	! sleep 0.1
	! hw d3 0 on
	read asleep
	! sleep 0.5
	open uncore_imc_0 0 0x12
	close
	H
	is "$(uncore_messages 'uncore_imc_0 .*(in D3|no response)' | grep -o 'in D3.*\|no response')" \
		'in D3, not counting' 'a box put in D3 behind the kernel gets one line in the log'
	is "$(sed -n 's/^open //p' /tmp/held)" 'uncore_imc_0 0 ENXIO' \
		'a new event of a box put in D3 behind the kernel is refused'
	hw d3 0 off
	uncore_counts 0.1 uncore_imc_0/event=0x13/ >/dev/null
	becomes '[ "$(uncore_messages "uncore_imc_0 .*responds again" | wc -l)" = 1 ]'
	is "$(uncore_messages 'uncore_imc_0 .*responds again' | wc -l)" 1 'the log has one line when the function has left D3'

	# The function with the discovery table and the memory controllers is in D0 again, but
	# does not decode memory yet.
	table=$(basename /sys/bus/pci/drivers/intel_vsec/0000:*)
	command=$(/root/regs pci "$table" 4)
	set=/sys/module/power/parameters/set
	/root/hold >/tmp/held <<-H
	open uncore_imc_0 0 0x14
	! echo $table D3 >$set
	read asleep
	! sleep 0.7; /root/regs pci $table 4 0
	! echo $table D0 >$set; hw count reset; sleep 0.6
	open uncore_imc_0 0 0x15
	close
	H
	is "$(uncore_accesses other reads) $(uncore_accesses other writes)" '0 0' \
		'no register of a function without memory decoding is accessed'
	is "$(sed -n 's/^open //p' /tmp/held)" 'uncore_imc_0 0 ENXIO' \
		'a new event of a box without memory decoding is refused'
	/root/regs pci "$table" 4 $((command & 0xffff))
	uncore_exactly 'an event of a box that decodes memory again' 1 0.05 uncore_imc_0/event=0x16/@6/0
	hw illegal reset
	S
finish
