#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# With events open, remove and return a CXL memory device: by an unbind of cxl_pci, by
# removal from the bus, by surprise. perf prints <not counted>, never a wrong count. A
# removed device is not accessed; after its return counts are exact.
# kernels: 6.1 6.12 newest sanitizer
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# A sanitizer kernel creates only a few hundred event files in sysfs a second, so each
# CPMU has only one group beside the clock.
few=$(machine cxl-1s '
for c, group in zip(m["cxl"][0]["cpmu"], ("0x20", "0x8000")):
    c["capabilities"] = [g for g in c["capabilities"] if g["group"] in (0, group)]')
for k in $KERNELS; do
	machine_reach_memory "$k"
	in_vm "$k" --kernel "$k" --machine "$few" --drivers none \
		--timeout "${LIMIT:-900}" --program cxlmem \
		"${reach[@]}" <<'SCRIPT'
A=cxl_pmu_mem0.0 B=cxl_pmu_mem0.1
DEV=0000:c1:00.0
DRIVER=/sys/bus/pci/drivers/cxl_pci
# End the guest at once on an oops.
echo 1 >/proc/sys/kernel/panic_on_oops
modprobe cxl_pci
modprobe pmon_cxl

# there: wait until both PMUs are registered and not about to go; print the number of PMUs
both="[ -e $PMUS/$A/device ] && [ -e $PMUS/$B/device ]"
there() {
	becomes "$both"
	ls -d $PMUS/cxl_pmu_* 2>/dev/null | wc -l
}

# counts_exactly NAME: check that 25 reads count as 25
counts_exactly() {
	is "$(cxl_count_reads $A/m2s_req_memrd/ 25)" 25 "$1"
}

# while_counting NAME COMMAND: run COMMAND, which must end all four events; check that none counts
while_counting() {
	perf stat -x'|' -a -e "$A/clock_ticks/,$A/m2s_req_memrd/,$B/ddr_act/,$B/clock_ticks/" \
		-o held -- sh -c "sleep 0.1; $2; sleep 0.1"
	is "$(awk -F'|' '$3 != "" && $1 != "<not counted>"' held)" '' \
		"$1: no event of the removed device has a count"
	is "$(grep -c 'not counted' held)" 4 "$1: perf prints <not counted> for all four events"
}

counts_exactly '25 reads are counted before any removal'
# Write another NUMA node to sysfs, as if firmware reported none or a wrong one.
[ "$(cat /sys/bus/pci/devices/$DEV/numa_node)" = -1 ] && node=0 || node=-1
echo $node >/sys/bus/pci/devices/$DEV/numa_node
while_counting unbound "echo $DEV >$DRIVER/unbind; hw count reset"
# perf has ended, but the kernel closes its events a moment later.
becomes '[ -z "$(ls -d $PMUS/cxl_pmu_* 2>/dev/null)" ]'
is "$(ls -d $PMUS/cxl_pmu_* 2>/dev/null)" '' 'no PMU is left after the unbind'
is "$(cxl_touched 0.0 0.1)" '' 'no register is accessed after the unbind'
for n in 0.0 0.1; do hw cpmu $n; done >registers
# Controls that were written are as after a reset, and no counter is enabled.
is "$(for n in 0.0 0.1; do cxl_config $n; done | grep -vxE '0x10002|0x101000[01]') $(grep -c ' cfg=0x[0-9a-f]*[13579bdf].. ' registers)" \
	' 0' 'used counters are handed back cleared at the unbind'
is "$(grep -c ' freeze=0x0 ' registers)" 2 'both CPMUs run after the unbind'
# The removal of a PMU holds no lock that CPU hotplug waits for.
runs 'a CPU goes offline and online after the unbind' timeout 30 sh -c \
	'for on in 0 1; do echo $on >/sys/devices/system/cpu/cpu1/online; done'
echo $DEV >$DRIVER/bind
is "$(there)" 2 'both PMUs are registered when cxl_pci binds again'
counts_exactly '25 reads are counted when cxl_pci has bound again'

while_counting removed "echo 1 >/sys/bus/pci/devices/$DEV/remove"
echo 1 >/sys/bus/pci/rescan
is "$(there)" 2 'both PMUs are registered after a removal and a rescan'
counts_exactly '25 reads are counted after a removal and a rescan'

# An event ends at the unbind, but perf keeps it open. Bind again meanwhile: new events count.
perf stat -x'|' -a -e "$A/clock_ticks/" -o held -- sh -c ". /lib/test/guest.sh
	sleep 0.1
	echo $DEV >$DRIVER/unbind; ls -d $PMUS/cxl_pmu_*/device >gone 2>/dev/null
	echo $DEV >$DRIVER/bind
	becomes '$both'; sleep 0.3
	ls -d $PMUS/cxl_pmu_* | wc -l >seen; readlink $PMUS/$A/device >link"
is "$(cat gone)" '' 'no link leads to a removed device under an open event'
is "$(cat seen)" 2 'both PMUs are registered when bound again under an open event'
like "$(cat link)" "/$DEV\$" 'the PMU with the open event leads to the device again'
counts_exactly '25 reads are counted after a bind under an open event'

# Bind again on another NUMA node: while an open event keeps the old PMU, the new box is
# rejected. After the close of the event it is served.
dmesg -c >earlier
[ "$(cat /sys/bus/pci/devices/$DEV/numa_node)" = -1 ] && node=0 || node=-1
perf stat -x'|' -a -e "$A/clock_ticks/" -o held -- sh -c ". /lib/test/guest.sh
	sleep 0.1
	echo $DEV >$DRIVER/unbind; echo $node >/sys/bus/pci/devices/$DEV/numa_node
	echo $DEV >$DRIVER/bind; becomes \"dmesg | grep -q 'waits for events'\"
	sleep 0.3; dmesg -c >said"
is "$(grep -c "pmon_cxl: $A waits for events of the device that had its name" said)" 1 \
	'the log has one line on a box that returned on another node under an open event'
is "$(there)" 2 'both PMUs are registered after the last close'
counts_exactly '25 reads are counted on the other node'

# The device is pulled out without a notice, so nothing responds.
perf stat -x'|' -a -e "$A/m2s_req_memrd/" -o held -- sh -c '. /lib/test/cxl.sh
	cxl_traffic "0 r 8 10 8"; hw cxl remove 0; sleep 0.1'
like "$(cut -d'|' -f1 held | tail -n 1)" '^(0|10|<not counted>)$' \
	'a device pulled out without notice counts no garbage'
hw cxl insert 0
echo $DEV >$DRIVER/unbind
echo $DEV >$DRIVER/bind
is "$(there)" 2 'both PMUs are registered when the device is put back'
counts_exactly '25 reads are counted when the device is put back'

# mapped: print the number of mappings; the registers of both CPMUs are mapped once each
mapped() {
	grep -c '\[pmon_cxl\]' /proc/vmallocinfo
}

# A rescan restores the NUMA node that firmware reports.
echo 1 >/sys/bus/pci/devices/$DEV/remove
echo 1 >/sys/bus/pci/rescan
is "$(there)" 2 'both PMUs are registered after another rescan'

counted=
for n in 1 2 3 4 5 6 7 8; do
	case $n in
	4 | 8) what="echo 1 >/sys/bus/pci/devices/$DEV/remove; echo 1 >/sys/bus/pci/rescan" ;;
	*) what="echo $DEV >$DRIVER/unbind; echo $DEV >$DRIVER/bind" ;;
	esac
	perf stat -x'|' -a -e "$A/clock_ticks/,$A/clock_ticks/,$B/clock_ticks/" -o held -- \
		sh -c "sleep 0.1; $what"
	counted=$counted$(grep -c '^[0-9]' held)
	there >/dev/null
done
is "$counted" 00000000 'all three clocks fail at each of eight removals'
is "$(there)" 2 'both PMUs are registered after eight removals'
counts_exactly '25 reads are counted after eight removals'
is "$(mapped)" 2 'pmon_cxl has one mapping for each of two CPMUs'
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids in all removals'
dmesg >>earlier
is "$(grep 'pmon' earlier)" "$(grep 'pmon: ' earlier)" 'the log has no line on CPMUs'
runs 'pmon_cxl unloads after all removals' rmmod pmon_cxl
SCRIPT
done
finish
