#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# With four events open, remove a CXL memory device from its slot and return it, in turn by
# surprise and by the slot's power. pciehp removes and finds the device. perf prints <not
# counted>, never a wrong count, and counts are exact after the return. Before each removal
# the NUMA node in sysfs is changed, as if firmware reported none or a wrong one. CYCLES is
# the number of removals.
# all kernels: 6.1 6.12 sanitizer
# kernels: 6.1 6.12 newest sanitizer
# check: none
. "$(dirname "$0")/../lib/tap.sh"

echo "${CYCLES:-4}" >"$TMP/cycles"
for k in $KERNELS; do
	machine_reach_memory "$k"
	in_vm "$k" --kernel "$k" --machine cxl-1s --drivers none \
		--timeout "${LIMIT:-900}" --program cxlmem \
		--copy "$TMP/cycles" "${reach[@]}" <<'SCRIPT'
A=cxl_pmu_mem0.0 B=cxl_pmu_mem0.1
DEV=/sys/bus/pci/devices/0000:c1:00.0
SLOT=/sys/bus/pci/slots/0
modprobe cxl_pci
modprobe pmon_cxl
is "$(cat $SLOT/address) $(cat $SLOT/power)" '0000:c1:00 1' 'pciehp has the slot with its power on'
SERIAL=$(cat $PMUS/$A/serial)

there() {
	[ -e $PMUS/$A ] && [ -e $PMUS/$B ]
}
away() {
	[ ! -e $DEV ]
}
# gone: test whether both PMUs are gone; a PMU with open events stays until they are closed
gone() {
	[ ! -e $PMUS/$A ] && [ ! -e $PMUS/$B ]
}
# leave N, come N: remove and add a device, by surprise if N is even, by the slot's power if odd
leave() {
	[ $(($1 % 2)) = 0 ] && hw cxl unplug 0 || echo 0 >$SLOT/power
}
come() {
	[ $(($1 % 2)) = 0 ] && hw cxl plug 0 || echo 1 >$SLOT/power
}
cycles=$(cat cycles)
mkfifo hold
n=0
while [ $n -lt "$cycles" ]; do
	way=$([ $((n % 2)) = 0 ] && echo pulled out || echo switched off)
	perf stat -x'|' -a -e "$A/clock_ticks/,$A/m2s_req_memrd/,$B/ddr_act/,$B/clock_ticks/" \
		-o held -- cat hold &
	perf=$!
	exec 9>hold
	sleep 0.2
	[ "$(cat $DEV/numa_node)" = -1 ] && node=0 || node=-1
	echo $node >$DEV/numa_node
	leave $n
	runs "$n, $way: the device leaves the bus" becomes away
	is "$(readlink $PMUS/$A/device; readlink $PMUS/$B/device)" '' \
		"$n, $way: no link leads to the removed device"
	exec 9>&-
	wait $perf
	is "$(awk -F'|' '$3 != "" { print $1 }' held | uniq -c | sed 's/^ *//')" \
		'4 <not counted>' "$n, $way: perf prints <not counted> for all four events"
	runs "$n, $way: no PMU is left" becomes gone
	come $n
	runs "$n, $way: both PMUs are registered when the device returns" becomes there
	is "$(cat $PMUS/$A/serial)" "$SERIAL" "$n, $way: the returned device has the same serial"
	is "$(cxl_count_reads $A/m2s_req_memrd/ 25)" 25 "$n, $way: the returned device counts 25 reads"
	n=$((n + 1))
done
like "$(dmesg | grep pciehp)" 'Slot\(0\): (Card not present|Link Down)' \
	'pciehp logs that the slot is empty'
is "$(dmesg | grep 'pmon')" "$(dmesg | grep 'pmon: ')" 'the log has no line on CPMUs'
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids in all removals'
runs 'pmon_cxl unloads after all removals' rmmod pmon_cxl
SCRIPT
done
finish
