#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.12
# check: none
# Addresses of tables are checked as strictly as their contents. On Diamond Rapids an MSR of
# each CPU has the address of the table for the CPU's block. If the address is invalid or is
# that of other registers, or the MSR is unreadable, only this block's boxes are lost. A table
# is read once, for any number of CPUs that report it.
. "$(dirname "$0")/../lib/tap.sh"

unread=$(machine dmr-lean 'm["name"] = "dmr-unread"
m["msr"] = {"0x710": "gp"}
for block in m["packages"][0]["blocks"]:
    block["msr"] = False')
each_vm --as dmr-2s --machine dmr-2s --program regs <<-'S'
	rmmod pmon_uncore
	modprobe msr
	msr=0x710
	tables() { ls -d "$PMON"/pkg*-uncore* | wc -l; }
	# Set the MSRs of CPUs 2 and 3 (one block), and load; WHY is the expected fault.
	says() {	# ADDRESS TABLES CPUS [WHY]
		/root/regs msr 2 $msr $1
		/root/regs msr 3 $msr $1
		dmesg -c >/dev/null
		modprobe pmon_uncore
		is "$(tables)" $2 "the address $1 in the MSR leaves $2 tables"
		is "$(cat $PMUS/uncore_cbo_0/cpumask $PMUS/uncore_imc_0/cpumask)" \
			"$3" "the address $1 in the MSR leaves boxes of all other blocks"
		is "$(cat $PMON/pkg*-uncore*/rejected)" "${4:+- - address $1 $4}" \
			"the address $1 in the MSR is rejected as: ${4:-no fault}"
		is "$(uncore_messages 'table of CPU 2 is faulty' | wc -l)" \
			$([ -z "$4" ] && echo 0 || echo 1) \
			"the address $1 in the MSR has a line in the log if faulty"
		rmmod pmon_uncore
	}
	without="0,4,6
0,4"
	all="0,2,4,6
0,4"
	first=$(/root/regs msr 0 $msr) second=$(/root/regs msr 2 $msr)
	isnt "$first" "$second" 'each block has a table of its own'

	says 0x0 7 "$without"
	says $first 7 "$without"
	says 0x1234 8 "$without" 'not aligned'
	says 0x80000 8 "$without" 'in the first megabyte'
	says 0x1000000 8 "$without" 'is memory'
	says 0xfee00000 8 "$without" 'inside a local APIC'
	says 0xfffffffffffff8 8 "$without" 'not a physical address'
	says 0xffffffffffff8 8 "$without" 'beyond the physical address space'
	says $second 8 "$all"

	# Other code also reads MSRs when a CPU comes online: count these reads.
	cpu=/sys/devices/system/cpu/cpu3/online
	echo 0 >$cpu
	hw count reset
	echo 1 >$cpu
	others=$(uncore_accesses msr reads)
	echo 0 >$cpu
	modprobe pmon_uncore
	is "$(tables)" 8 'one online CPU of a block is enough to find its table'
	reads=$(uncore_accesses table reads)
	isnt "$reads" 0 'the tables are read'
	asked=$(($(uncore_accesses msr reads) + others + 1))
	echo 1 >$cpu
	becomes '[ "$(uncore_accesses msr reads)" = $asked ]'
	# A read of a file waits for the end of a scan for tables.
	cat $PMON/pkg*-uncore*/units >/dev/null
	is "$(uncore_accesses msr reads)" $asked 'the MSR of a CPU that comes online later is read once'
	is "$(tables) $(uncore_accesses table reads)" "8 $reads" \
		'a CPU that comes online later adds no table and no read of one'
	rmmod pmon_uncore
	S

each_vm --as dmr-unread --machine "$unread" <<-'S'
	is "$(ls -d $PMON/pkg*-uncore* | wc -l)" 1 "a hub's table is found if the blocks' MSRs fault"
	is "$(ls $PMUS | grep -c cbo) $(cat $PMUS/uncore_imc_0/cpumask)" '0 0' \
		"boxes of the hub alone are registered if the blocks' MSRs fault"
	is "$(uncore_messages 'unchecked MSR|faulty' | wc -l)" 0 'the log has no line on MSRs that fault'
	S
finish
