#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test CPMUs of a root port and of a function without a driver. pmon_cxl accesses them
# only with unbound=1. Then they count exactly, without an interrupt. Functions for a virtual
# machine, in D3, or without memory decoding are not accessed even then. A function is
# released when a driver binds or unbinds, and at its removal.
# contract: asleep undecoded given
# all kernels: 6.1 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# The second CPMU of the port has counters that need an interrupt.
ports=$(machine cxl-1s '
links = [dict(group="0x20", mask="0xffff"), dict(group="0x21", mask="0x2636")]
m["cxl"][0]["port"] = dict(cpmu=[dict(counters=4, width=32, capabilities=links),
                                 dict(counters=4, width=24, capabilities=links)])')
each_vm --machine "$ports" --drivers none \
	--program cxlmem --module power <<'SCRIPT'
DEV=0000:c1:00.0 ROOT=0000:c0:00.0
PCI=/sys/bus/pci
PORT=cxl_pmu_port_0000_c0_00_0.0 FREE=cxl_pmu_pci_0000_c1_00_0.0
all() {
	(cd $PMUS && echo cxl_pmu_*) | sed 's/cxl_pmu_//g; s/0000_c[01]_00_0/at/g'
}
# reads_of PMU: make 25 reads, print PMU's count
reads_of() { cxl_count_reads $1/m2s_req_memrd/ 25; }
like "$(readlink $PCI/devices/$ROOT/driver)" 'pcieport$' 'the port is bound to pcieport'
modprobe cxl_pci
hw count reset
modprobe pmon_cxl
SERIAL=$(cat /sys/bus/cxl/devices/mem0/serial)
is "$(cat $PMUS/cxl_pmu_mem0.1/serial)" "$SERIAL" 'the serial of the PMU is that of mem0'
is "$(all)" 'mem0.0 mem0.1' 'only the memory device has PMUs by default'
is "$(cxl_touched 0.0 0.1 1.0 1.1 | tr '\n' ' ')" '0.0 0.1 ' 'no register of the port is accessed by default'
rmmod pmon_cxl

modprobe pmon_cxl unbound=1
is "$(all)" 'mem0.0 mem0.1 port_at.0' 'unbound=1 registers a PMU of the port'
is "$(cxl_device $PORT)" $ROOT "the PMU's link leads to the port"
like "$(dmesg)" "$ROOT: pmon_cxl: CPMU 1: capability 0x1007900300101803 has counters that wrap before they can be read" \
	'a port with narrow counters and no interrupt is rejected in the log'
is "$(reads_of $PORT)" 25 'the port counts 25 reads that pass its link'
cxl_count $PORT/m2s_req_memrd/ hw cpmu 1.0 >registers
is "$(grep -cE ' cfg=0x[0-9a-f]*3[0-9a-f][0-9a-f] ' registers)" 0 "the port's counters request no interrupt"
cxl_hold 1.0 $PORT/m2s_req_memrd/
echo $ROOT >$PCI/drivers/pcieport/unbind
cxl_release
like "$(cat held)" '^<not counted>' 'an event of the port ends when its driver is unbound'
# Wait for the new PMU by its link; the PMU of a removed box has none.
becomes "[ -e $PMUS/$PORT/device ]"
cxl_until_are 'mem0.0 mem0.1 port_at.0' 'the port without a driver has a PMU'
is "$(reads_of $PORT)" 25 'the port without a driver counts 25 reads'
echo $ROOT >$PCI/drivers/pcieport/bind
cxl_until_are 'mem0.0 mem0.1 port_at.0' 'the port has a PMU when its driver is bound again'
is "$(reads_of $PORT) $(reads_of cxl_pmu_mem0.0)" '25 25' 'port and device count the same 25 reads'

echo $DEV >$PCI/drivers/cxl_pci/unbind
cxl_until_are 'pci_at.0 pci_at.1 port_at.0' 'a function without a driver has PMUs'
is "$(cat $PMUS/$FREE/serial)" "$SERIAL" 'a function without a driver keeps its serial'
is "$(reads_of $FREE)" 25 'a function without a driver counts 25 reads'
# Count a group first, whose end leaves CPMU 0 frozen. The release must undo the freeze.
cxl_count "{$FREE/clock_ticks/,$FREE/m2s_req_memrd/}" true >/dev/null
cxl_hold 0.1 ${FREE%0}1/ddr_act/
echo $DEV >$PCI/drivers/cxl_pci/bind
cxl_release
like "$(cat held)" '^<not counted>' 'an event of a function without a driver ends when cxl_pci binds'
cxl_until_are 'mem0.0 mem0.1 port_at.0' 'the device has its PMUs when cxl_pci binds'
for n in 0.0 0.1; do hw cpmu $n; done >registers
is "$(grep -c ' cfg=0x[0-9a-f]*[13579bdf].. ' registers) $(grep -c ' freeze=0x0 ' registers)" \
	'0 2' 'counters are handed over to cxl_pci cleared and running'

# Remove the device while it responds and has no driver, so that no unbind comes first.
echo $DEV >$PCI/drivers/cxl_pci/unbind
cxl_until_are 'pci_at.0 pci_at.1 port_at.0' 'the device has PMUs without a driver once more'
cxl_count "{$FREE/clock_ticks/,$FREE/m2s_req_memrd/}" true >/dev/null
cxl_hold 0.1 ${FREE%0}1/ddr_act/
echo 1 >$PCI/devices/$DEV/remove
cxl_release
like "$(cat held)" '^<not counted>' 'an event ends when the device is removed'
for n in 0.0 0.1; do hw cpmu $n; done >registers
is "$(grep -c ' cfg=0x[0-9a-f]*[13579bdf].. ' registers) $(grep -c ' freeze=0x0 ' registers)" \
	'0 2' 'counters of a removed device are cleared and running'
echo 1 >$PCI/rescan
cxl_until_are 'mem0.0 mem0.1 port_at.0' 'the device has its PMUs when cxl_pci finds the device again'

# The function is meant for a virtual machine.
modprobe pci-stub
echo pci-stub >$PCI/devices/$DEV/driver_override
echo $DEV >$PCI/drivers/cxl_pci/unbind
hw count reset
cxl_until_are 'port_at.0' 'a function with a driver_override has no PMU'
echo $DEV >$PCI/drivers_probe
is "$(basename "$(readlink $PCI/devices/$DEV/driver)")" pci-stub 'the function is bound to pci-stub'
rmmod pmon_cxl
modprobe pmon_cxl unbound=1
is "$(all)" port_at.0 'a function at pci-stub has no PMU when pmon_cxl is loaded anew'
echo $DEV >$PCI/drivers/pci-stub/unbind
sleep 0.2
is "$(all)" port_at.0 'a function unbound with a driver_override has no PMU'
is "$(cxl_touched 0.0 0.1)" '' 'no register of a function with a driver_override is accessed'

# The function is in D3.
echo >$PCI/devices/$DEV/driver_override
insmod power.ko
echo $DEV D3 >/sys/module/power/parameters/set
rmmod pmon_cxl
modprobe pmon_cxl unbound=1
is "$(all)" port_at.0 'a function in D3 has no PMU'
is "$(cxl_touched 0.0 0.1)" '' 'no register of a function in D3 is accessed'
echo $DEV D0 >/sys/module/power/parameters/set

# Memory decoding is off, so nothing responds at the addresses of the CPMUs.
printf '\0\0' | dd of=$PCI/devices/$DEV/config bs=1 seek=4 conv=notrunc 2>/dev/null
dmesg -c >/dev/null
rmmod pmon_cxl
modprobe pmon_cxl unbound=1
is "$(all)" port_at.0 'a function without memory decoding has no PMU'
is "$(dmesg | grep -c "$DEV: pmon_cxl")" 0 'the log has no line on a function without memory decoding'
is "$(dd if=$PCI/devices/$DEV/config bs=1 skip=4 count=2 2>/dev/null |
	od -An -tx2 | tr -d ' ')" 0000 'pmon_cxl does not enable memory decoding'

cxl_hold 1.0 $PORT/m2s_req_memrd/
echo 1 >$PCI/devices/$ROOT/remove
cxl_release
like "$(cat held)" '^<not counted>' 'an event ends when the port is removed'
cxl_until_are '*' 'no PMU is left when the port is removed'
runs 'pmon_cxl unloads with unbound=1' rmmod pmon_cxl
modprobe pmon_cxl unbound=maybe
like "$(dmesg)" 'unbound=ma[?] is neither Y nor N: doing nothing' 'the log has a line on a bad value of unbound'
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids on unbound functions'
SCRIPT
finish
