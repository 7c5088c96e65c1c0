#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The discovery table has a counter at an MSR that the CPU lacks, so reads fault. The
# event counts nothing and the kernel logs nothing, whether MSR reads are traced or not.
# If a control faults, its event ends. If reads of a counter begin to fault, the count
# stands still and the event fails, even if the controls respond.
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# wrong TYPE OFFSET: add a unit whose OFFSET in the table leads to MSRs that fault
wrong() {
	machine spr-lean "
unit = {'type': $1, 'access': 'msr', 'address': 0x3a00, 'counters': 2,
        'width': 48, 'ctl_offset': 2, 'ctr_offset': 8, 'table': {'$2': 0x20}}
m['packages'][0]['discovery']['units'].append(unit)
m['msr'] = {**m.get('msr', {}), '0x3a20': 'gp', '0x3a21': 'gp'}"
}
fault=$(wrong 900 ctr_offset)
# An event whose control faults is not started at all.
refused=$(wrong 901 ctl_offset)
third=$(machine spr-lean "
m['packages'][0]['discovery']['units'].append(
    {'type': 902, 'access': 'msr', 'address': 0x3a00, 'counters': 2, 'width': 48,
     'ctl_offset': 2, 'ctr_offset': 8, 'table': {'counters': 3}})
m['msr'] = {**m.get('msr', {}), '0x3a04': 'gp', '0x3a0a': 'gp'}")

each_vm --machine "$fault" <<-'S'
	trace=/sys/kernel/tracing/events/msr/read_msr/enable
	for traced in 0 1; do
		echo $traced >$trace
		uncore_counts 0.01 uncore_type_900/event=1/ uncore_cha_0/event=1/ >/tmp/counts
		like "$(cat /tmp/counts)" '0 <not counted> uncore_type_900' \
			"an event whose counter faults is not counted, MSR tracing $traced"
		like "$(cat /tmp/counts)" '^0 [1-9][0-9]* uncore_cha_0' \
			"a cha event counts beside an event whose counter faults, MSR tracing $traced"
	done
	echo 0 >$trace
	S
each_vm --as midway --machine spr-lean --program hold <<-'S'
	trace=/sys/kernel/tracing/events/msr/read_msr/enable
	# read_at WHEN: print hold's reading with the tag WHEN
	read_at() { awk -v when="$1" '$1 == when { print $NF }' /tmp/held; }
	for traced in 0 1; do
		echo $traced >$trace
		hw truth reset
		# Run hold on the event's CPU, as perf stat does, because on 6.1 another CPU
		# may read the event before it has failed.
		taskset 1 /root/hold >/tmp/held <<-E
		open uncore_cha_0 0 0x21
		! sleep 0.1
		read before
		! hw box 0/0/0 faults
		read then
		! sleep 1
		read later
		! hw box 0/0/0 ok
		disable
		close
		E
		note "traced $traced: $(tr '\n' ';' </tmp/held)"
		like "$(read_at before)" '^[1-9]' "the event counts before its counter faults, MSR tracing $traced"
		is "$(read_at then)" "$(read_at before)" \
			"a read that faults adds nothing, traced $traced"
		is "$(read_at later)" end \
			"an event fails within a second after its counter begins to fault, MSR tracing $traced"
	done
	echo 0 >$trace
	S
each_vm --as 'not started' --machine "$refused" <<-'S'
	perf stat -x, -a -e uncore_type_901/event=1/ -e uncore_cha_0/event=1/ \
		-- sleep 0.1 2>/tmp/stat
	like "$(cat /tmp/stat)" '<not counted>,[^,]*,uncore_type_901' \
		"perf prints <not counted> for an event whose control faults"
	like "$(cat /tmp/stat)" '^[1-9][0-9]*,[^,]*,uncore_cha_0' \
		"a cha event counts beside an event whose control faults"
	# Count on one CPU, because otherwise perf splits this group.
	perf stat -x, -C 0 -e '{cpu-clock,uncore_type_901/event=1/}' \
		-- sleep 0.1 2>/tmp/stat
	note "$(cat /tmp/stat)"
	like "$(cat /tmp/stat)" '<not counted>,[^,]*,uncore_type_901' \
		"perf prints <not counted> for a faulting event in a group led by cpu-clock"
	like "$(cat /tmp/stat)" '<not counted>,[^,]*,cpu-clock' \
		"perf prints <not counted> for the leader cpu-clock of a group with a faulting event"
	like "$(dmesg)" 'uncore_type_901_0: a register of package 0 could not be written or read: events end' \
		"the log has a line on the register that could not be accessed"
	S
each_vm --as 'one of a group' --machine "$third" --program hold <<-'S'
	hold_start
	hold_run 'open uncore_type_902_0 0 1'
	for n in 2 3; do hold_run "open uncore_type_902_0 0 $n 0"; done
	becomes '[ "$(hold_reading)" = "end end end" ]'
	is "$(hold_reading)" 'end end end' 'all three events of a group fail when the counter of one faults'
	hold_end
	S
finish
