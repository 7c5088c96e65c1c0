#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# coverage: no, none of our drivers
# check: none
# The kernel's core PMU judges the counters of emulated cores: it finds what the
# machine has, all counters count at once, perf reads what was counted, and what
# the architecture reserves faults.
. "$(dirname "$0")/../lib/tap.sh"

with=$(machine spr-lean 'm["cpu"]["core_counters"] = True')

each_vm --machine "$with" --drivers none <<-'S'
	cpu=/sys/bus/event_source/devices/cpu

	is "$(cat $cpu/caps/pmu_name)" sapphire_rapids 'the model is known'
	like "$(dmesg)" 'full-width counters, Intel PMU driver' 'its driver is there'
	unlike "$(dmesg)" 'Broken PMU|BIOS has corrupted' 'and content'
	is "$(hw units cores | wc -l)" 2 'a unit for each CPU'

	# counted CPU EVENT: by the hardware, under an event and unit mask
	counted() {
		hw truth cores | grep "^unit=0/8192/$1 .* ctl=0x[0-9a-f]*$2 " |
			sed 's/.* counted=\([0-9]*\) .*/\1/' |
			awk '{ sum += $1 } END { printf "%.0f", sum }'
	}
	# said CPU EVENT: by perf
	said() {
		sed -n "s/^CPU$1|\([0-9]*\)||$2\( \[cpu\]\)*|.*/\1/p" /tmp/out
	}

	hw truth reset
	perf stat -a -A -x'|' -e instructions,cycles,ref-cycles \
		-o /tmp/out -- sleep 0.1
	for c in 0 1; do
		is "$(said $c instructions)" "$(counted $c 00c0)" \
			"CPU $c: instructions"
		is "$(said $c cycles)" "$(counted $c 003c)" "CPU $c: cycles"
		is "$(said $c ref-cycles)" "$(counted $c 0300)" \
			"CPU $c: reference cycles"
	done
	set -- $(hw truth 0/8192/0 8 |
		sed 's/.* counted=\([0-9]*\) .* enabled_ns=\([0-9]*\) .*/\1 \2/')
	is "$(($1 - $2 * 4008 / 1000 < 2 && $2 > 100000000))" 1 \
		"instructions at their rate ($1 in $2 ns)"
	before=$(hw truth cores)
	sleep 0.02
	is "$(hw truth cores)" "$before" 'nothing counts after perf'

	# On the fixed counters: c0, 3c. The others have event codes without a
	# meaning of their own, which any general counter takes.
	events='r00c0 r003c r01b7 r02b7 r04b7 r08b7 r10b7 r20b7 r40b7 r80b7'
	hw truth reset
	perf stat -C 1 -A -x'|' -e "{$(echo $events | tr ' ' ,)}" \
		-o /tmp/out -- sleep 0.05
	for e in $events; do
		is "$(said 1 "$e")" "$(counted 1 "${e#r}")" "at once: $e"
	done
	is "$(hw truth cores | grep -c .)" 10 'each on a counter of its own'
	like "$(perf stat -C 1 -x'|' -e "{$(echo $events r81b7 | tr ' ' ,)}" \
		-- true 2>&1)" '<not supported>' 'not one more'
	is "$(hw truth | wc -l)" 0 'no unit of the tables counted'

	# Registers whose numbers are multiples of 8 can be reached by dd.
	modprobe msr
	poke() {
		printf "$2" | dd of=/dev/cpu/0/msr bs=8 seek=$(($1 / 8))
	}
	runs 'a control may be written' poke 0x188 '\0\0\0\0\0\0\0\0'
	fails 'but not its bit 21' poke 0x188 '\0\0\040\0\0\0\0\0'
	fails 'nor its upper half' poke 0x188 '\0\0\0\0\1\0\0\0'
	runs 'a counter has 48 bits' poke 0x4c8 '\1\1\1\1\1\1\0\0'
	fails 'and no more' poke 0x4c8 '\0\0\0\0\0\0\1\0'
	S
finish
