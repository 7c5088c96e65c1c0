#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Reset a CXL memory device with counting events, by a function level reset and behind the
# kernel's back: only counts since the last reading are lost, no count is wrong, and after
# the next reading all count exactly again, with a line in the log. A reset between two
# events is detected, too. In D3 no register is accessed, events stand still, new ones are
# refused, and all count in D0 again.
# contract: reset slept
# all kernels: 6.1 6.12
# kernels: 6.1 6.12 newest sanitizer
. "$(dirname "$0")/../lib/tap.sh"

# Counters of 38 bits without an interrupt are read twice a second. The last CPMU does
# not report its threshold.
narrow=$(machine cxl-1s '
cpmus = m["cxl"][0]["cpmu"]
cpmus[0].update(width=38, interrupt=False)
cpmus.append(dict(counters=1, width=38, interrupt=False, filters=0,
                  capabilities=[dict(group="0x20", mask="0xffff")],
                  registers={"0x200": hex(2 | 1 << 8 | 2 << 24)}))')
for k in $KERNELS; do
	machine_reach_memory "$k"
	in_vm "$k" --kernel "$k" --machine "$narrow" --drivers none \
		--program cxlmem --program hold --program regs --module power \
		"${reach[@]}" <<'SCRIPT'
A=cxl_pmu_mem0.0
DEV=/sys/bus/pci/devices/0000:c1:00.0
modprobe cxl_pci
modprobe pmon_cxl
insmod power.ko
like "$(cat $DEV/reset_method)" '(^| )flr( |$)' 'the device has a function level reset'
echo flr >$DEV/reset_method

# reset_by NAME COMMAND: let COMMAND reset the device just after a tick; perf reads after the next
reset_by() {
	dmesg -c >/dev/null
	perf stat -x'|' -I 60000 -a -e $A/m2s_req_memrd/ -o held -- sh -c "
		. /lib/test/cxl.sh
		cxl_traffic '0 r 8 100 8'; hw count reset
		for n in \$(seq 100); do
			[ -z \"\$(cxl_touched 0.0)\" ] || break
			sleep 0.02
		done
		$2; sleep 2
		cxl_traffic '0 r 8 70 8'; sleep 0.2"
	is "$(awk -F'|' 'NF > 3 { sum += $2 } END { print sum }' held)" 170 \
		"$1: 100 reads before and 70 after a reset are counted"
	becomes "dmesg | grep -q 'pmon: $A: .* was reset'"
	like "$(dmesg | grep pmon:)" "$A: .* was reset" "$1: the log has a line on the reset"
	is "$(cxl_count_reads $A/m2s_req_memrd/ 25)" 25 "$1: a new event counts 25 reads"
	is "$(dmesg | grep 'pmon:.*not counting')" '' "$1: the log has no line on D3 or on no response"
}

reset_by FLR "echo 1 >$DEV/reset"
reset_by "reset behind the kernel's back" 'hw cpmu 0.0 reset'

# Read after a reset and before the next tick. A lower value must not count as a wrap. The
# second event is on a free-running counter, which has no control that could show the reset.
./hold >held <<-END
	open $A 0 0x1e98002000000002
	open cxl_pmu_mem0.1 0 0x1e98000000000001
	! . /lib/test/cxl.sh; cxl_traffic "0 r 8 50 8"
	read before
	! hw cpmu 0.0 reset; hw cpmu 0.1 reset
	read after
	! . /lib/test/cxl.sh; sleep 1; cxl_traffic "0 r 8 25 8"
	read end
END
# reading_at TAG NUMBER: print the reading of the first or second event
reading_at() {
	awk -v tag="$1" '$1 == tag { print $4 }' held | sed -n "$2p"
}
is "$(reading_at before 1) $(reading_at after 1) $(reading_at end 1)" '50 50 75' \
	'a reading just after a reset has no garbage'
is "$(($(reading_at after 2) - $(reading_at before 2) < 1 << 40))" 1 \
	'a free-running counter has no garbage after a reset'
is "$(($(reading_at end 2) > $(reading_at after 2)))" 1 'a free-running counter counts on after a reset'

# An event with a filter for another decoder counts nothing before a reset and after it, even
# if counters were at 0 before the reset or are at 0 after it.
for n in before after leaving-0 with-0; do
	is "$(cxl_count_reads $A/m2s_req_memrd,hdm_filter_en,hdm=2/ 25)" 0 \
		"a filter for another decoder counts nothing, $n a reset that no event has seen"
	hw cpmu 0.0 reset
	[ $n = before ] || for i in 0 1 2 3 4 5 6 7; do
		hw cpmu 0.0 poke $((0xc00 + 8 * i)) 0
	done
done

# After a reset no control is enabled, whatever its other fields hold (CXL 4.0, table 8-185).
for i in 0 1 2 3 4 5 6 7; do
	hw cpmu 0.0 poke $((0x200 + 8 * i)) 0x10000
done

dmesg -c >/dev/null
cxl_count cxl_pmu_mem0.2/m2s_req_memrd,threshold=1/ sh -c '. /lib/test/cxl.sh
	for n in 1 2 3; do cxl_traffic "0 r 8 25 8"; sleep 0.7; done' >got
is "$(cut -d' ' -f1 got) $(dmesg | grep "pmon:.*mem0\.2")" "75 " \
	'a CPMU that does not report its threshold counts and is not reset'

# power D3|D0: change the power state of the function
power() {
	echo "0000:c1:00.0 $1" >/sys/module/power/parameters/set
}
./hold >held <<-END
	open $A 0 0x1e98000000000001
	open $A 0 0x1e98002000000002
	! . /lib/test/cxl.sh; cxl_traffic "0 r 8 50 8"; sleep 0.5
	read before
	! echo 0000:c1:00.0 D3 >/sys/module/power/parameters/set; hw count reset
	! sleep 1
	read asleep
	! sleep 0.5
	read later
	open $A 0 0x1e98000000000001
	disable
	enable
	! for n in 0.0 0.1; do hw cpmu \$n count; done >touched
	! echo 0000:c1:00.0 D0 >/sys/module/power/parameters/set; sleep 1
	read awake
	! . /lib/test/cxl.sh; cxl_traffic "0 r 8 25 8"
	read end
END
is "$(reading_at before 2)" 50 '50 reads are counted before D3'
is "$(grep -v ' reads=0 writes=0 ' touched)" '' \
	'no register is accessed in D3 by ticks, reads, opens or starts'
like "$(reading_at later 1) $(reading_at later 2)" "^($(reading_at asleep 1)|end) (50|end)\$" \
	'events stand still or fail in D3'
is "$(grep -c "^open $A .* ENXIO" held)" 1 'a new event is refused in D3'
is "$(($(reading_at end 2) - $(reading_at awake 2)))" 25 '25 reads are counted exactly in D0 again'

# The function is in D0, but does not yet decode memory again, as after a long reset. Bit 1
# of PCI's command register lets it. The upper half is the status register, where writing 0
# changes nothing.
command=$(($(/root/regs pci 0000:c1:00.0 4) & 0xffff))
./hold >held <<-END
	open $A 0 0x1e98002000000002
	! . /lib/test/cxl.sh; cxl_traffic "0 r 8 50 8"
	read before
	! echo 0000:c1:00.0 D3 >/sys/module/power/parameters/set; sleep 0.7
	! /root/regs pci 0000:c1:00.0 4 $((command & ~2))
	! echo 0000:c1:00.0 D0 >/sys/module/power/parameters/set; hw count reset; sleep 0.6
	open $A 0 0x1e98002000000002
	! for n in 0.0 0.1; do hw cpmu \$n count; done >touched
	! /root/regs pci 0000:c1:00.0 4 $command
END
is "$(grep -v ' reads=0 writes=0 ' touched)" '' 'no register is accessed in D0 without memory decoding'
is "$(grep -c "^open $A .* ENXIO" held)" 1 'a new event is refused in D0 without memory decoding'
is "$(cxl_count_reads $A/m2s_req_memrd/ 25)" 25 '25 reads are counted once memory is decoded again'

# The last event is closed in D3.
./hold >held <<-END
	open $A 0 0x1e98002000000002
	! echo 0000:c1:00.0 D3 >/sys/module/power/parameters/set; sleep 0.6
END
sleep 0.4
hw cpmu 0.0 >before
power D0
rmmod pmon_cxl
hw cpmu 0.0 >after
enabled=' cfg=0x[0-9a-f]*[13579bdf].. '
is "$(grep -c "$enabled" before) $(grep -c "$enabled" after)" '1 0' \
	'a CPMU whose last event closed in D3 is handed back in D0'
modprobe pmon_cxl

# Unbind the driver as soon as the device is in D0. pmon_cxl last found D3, so it must
# check the state again.
DRIVER=/sys/bus/pci/drivers/cxl_pci
./hold >held <<-END
	open $A 0 0x1e98002000000002
	! echo 0000:c1:00.0 D3 >/sys/module/power/parameters/set; sleep 0.6
	! hw cpmu 0.0 >before
	! echo 0000:c1:00.0 D0 >/sys/module/power/parameters/set; echo 0000:c1:00.0 >$DRIVER/unbind
	! hw cpmu 0.0 >after
END
is "$(grep -c "$enabled" before) $(grep -c "$enabled" after)" '1 0' \
	'a CPMU in D0 for only a moment is handed back at the unbind'
runs 'the PMU is unregistered with its last event' becomes "[ ! -e $PMUS/$A ]"
echo 0000:c1:00.0 >$DRIVER/bind
runs 'the PMU is registered when cxl_pci binds again' becomes "[ -e $PMUS/$A ]"

hw count reset
perf stat -x'|' -a -D 300 -e $A/m2s_req_memrd/ -o held -- sh -c "sleep 0.1
	echo 0000:c1:00.0 D3 >/sys/module/power/parameters/set
	hw count reset; sleep 1; hw cpmu 0.0 count >touched" 2>/dev/null
like "$(cut -d'|' -f1 held | tail -n 1)" '^(0|<not counted>)$' \
	'an event that should start in D3 has counted nothing'
is "$(grep -v ' reads=0 writes=0 ' touched)" '' 'no register is accessed in D3 by a delayed start'
like "$(perf stat -x'|' -a -e $A/m2s_req_memrd/ -- true 2>&1)" '<not supported>' \
	'perf prints <not supported> for an event opened in D3'
power D0
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids in resets and D3'
runs 'pmon_cxl unloads after resets and D3' rmmod pmon_cxl
SCRIPT
done
finish
