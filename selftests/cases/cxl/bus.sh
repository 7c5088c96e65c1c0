#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run pmon_cxl beside the kernel's cxl_pmu. pmon_cxl does not touch a CPMU while it is bound
# to cxl_pmu. A bind by hand ends our PMU and its events. cxl_pmu does not load while pmon_cxl
# has a PMU. On 6.1 CPMUs have no devices that could be bound.
# contract: owner-cxl
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# The last CPMU filters by channel, which cxl_pmu of 6.12 does not support.
peer=$(machine cxl-peer 'm["cxl"][0]["cpmu"][4].update(
	width=40, filters=2, capabilities=[{"group": "0x8000", "mask": "0xffff"}])')
each_vm --machine "$peer" --drivers none \
	--program cxlmem <<'SCRIPT'
P=cxl_pmu_mem0.0 D=pmu_mem0.0
BUS=/sys/bus/cxl
# bound [DEVICE]: print the driver of a device on the CXL bus
bound() {
	basename "$(readlink $BUS/devices/${1:-$D}/driver)"
}
# comes DIR, goes DIR: wait until DIR exists, or no longer exists
comes() { becomes "[ -e $1 ]"; }
goes() { becomes "[ ! -e $1 ]"; }
# reads_of PMU: make ten reads, print PMU's count
reads_of() { cxl_count_reads $1/m2s_req_memrd/ 10; }
# Let events count at a threshold of 0, which the kernel's driver sets.
cxl_kind 0.0 0.4
modprobe cxl_pci
modprobe pmon_cxl mode=observe
is "$(ls -d $PMUS/cxl_pmu_* 2>/dev/null)" '' 'mode=observe registers no PMU'
rmmod pmon_cxl
users=$(cat /sys/module/cxl_core/refcnt)
modprobe pmon_cxl
is "$(ls -d $PMUS/cxl_pmu_* | wc -l)" 5 'five PMUs are registered'
is "$(reads_of $P)" 10 'pmon_cxl counts ten reads'
if [ ! -e $BUS/devices/$D ]; then
	like "$(uname -r)" '^6\.1\.' 'only 6.1 makes no devices of CPMUs'
	runs 'pmon_cxl unloads on 6.1' rmmod pmon_cxl
	finish
	exit
fi

# Load the kernel's driver second, twice. Both loads must fail.
for i in 1 2; do insmod /lib/peers/cxl_pmu.ko 2>>refused; done
is "$(grep -c 'Device or resource busy' refused)" 2 'cxl_pmu does not load while pmon_cxl has PMUs'
is "$(dmesg | grep -c 'cxl_pmu refused: pmon_cxl drives the CPMUs')" 1 'the log has one line on the refused cxl_pmu'
is "$(bound) $(cxl_device $P)" ' 0000:c1:00.0' 'pmon_cxl keeps the PMU while cxl_pmu is refused'
is "$(reads_of $P)" 10 'pmon_cxl counts on after cxl_pmu was refused'
runs 'pmon_cxl unloads after cxl_pmu was refused' rmmod pmon_cxl
is "$(cat /sys/module/cxl_core/refcnt)" "$users" 'the CXL core has no more users than before'
hw cpmu 0.0 >registers
is "$(grep -c ' cfg=0x\(1000\|0*\)2 ' registers)" 4 'a used CPMU is handed back with cleared controls'
like "$(cat registers)" ' freeze=0x0 ' 'a used CPMU is handed back running'

# The kernel's driver loads first, and binds two of the five CPMUs.
insmod /lib/peers/cxl_pmu.ko
modprobe pmon_cxl
is "$(for n in 0 1 2 3 4; do bound pmu_mem0.$n; done | sort | uniq -c | xargs)" \
	'3 2 cxl_pmu' 'cxl_pmu loaded first keeps two of five CPMUs'
is "$(cxl_device cxl_pmu_mem0.1)" 0000:c1:00.0 'pmon_cxl has the CPMU that cxl_pmu cannot drive'
is "$(dmesg | grep -c "pmon_cxl: $P is left to another driver")" 1 \
	'the log has one line on the CPMU left to cxl_pmu'
is "$(cxl_device $P)" '' 'pmon_cxl has no PMU of the CPMU left to cxl_pmu'
perf stat -a -e "{$P/m2s_req_memrd/,$P/m2s_req_meminv/}" -- true 2>/dev/null
is "$(hw cpmu 0.0 | grep -c ' cfg=0x\(1000\|0*\)2 ')" 2 'cxl_pmu leaves two counters set'
echo $D >$BUS/drivers/cxl_pmu/unbind
runs 'pmon_cxl takes a CPMU that is unbound by hand' comes $PMUS/$P/device
is "$(reads_of $P)" 10 'pmon_cxl counts on a CPMU unbound by hand'
is "$(hw cpmu 0.0 | grep -cE ' cfg=0x[0-9a-f]*[13579bdf][0-9a-f]{2} ')" 0 \
	'no counter of a CPMU unbound by hand stays enabled'

# Bind the CPMU to cxl_pmu by hand, after the event was closed.
hw count reset
echo $D >$BUS/drivers/cxl_pmu/bind
is "$(bound)" cxl_pmu 'cxl_pmu has a CPMU that is bound by hand'
is "$(cxl_device $P)" '' "the PMU of a CPMU bound by hand is not pmon_cxl's"
is "$(reads_of $P)" 10 'cxl_pmu counts on a CPMU bound by hand'
is "$(dmesg | grep -c "pmon_cxl: $P is left to another driver")" 2 \
	'the log has a second line on the CPMU left to cxl_pmu'

# Enable counters behind cxl_pmu's back. pmon_cxl must disable them before it sets filters.
for n in 0 1 2 3; do hw cpmu 0.0 poke $((0x200 + 8 * n)) 0x2010102; done
hw illegal reset
echo $D >$BUS/drivers/cxl_pmu/unbind
runs 'pmon_cxl takes a CPMU with enabled counters' comes $PMUS/$P/device
perf stat -a -e $P/m2s_req_meminv,hdm_filter_en=1,hdm=1/ -- true 2>/dev/null
is "$(hw illegal)" '' 'no running control and no filter of a running counter is written'

# pmon_cxl leaves no filter set for the next driver.
F=cxl_pmu_mem0.4
# channel [TERMS]: count 40 reads, which alternate between two channels
channel() {
	cxl_count $F/ddr_casrd${1-}/ sh -c '. /lib/test/cxl.sh
		cxl_traffic "0 r 8 40 256"' | cut -d' ' -f1
}
echo pmu_mem0.4 >$BUS/drivers/cxl_pmu/unbind
runs 'pmon_cxl takes another CPMU unbound by hand' comes $PMUS/$F/device
is "$(channel ,crb_filter_en=1,crb=0x01ffffff)" 20 'pmon_cxl counts the reads of one channel'
is "$(hw cpmu 0.4 | grep -c 'filter1=0x1ffffff')" 1 'pmon_cxl counts a channel by a filter'
echo pmu_mem0.4 >$BUS/drivers/cxl_pmu/bind
is "$(hw cpmu 0.4 | grep -c 'filter1=0x1ffffff')" 0 'filters are off when a CPMU is handed to cxl_pmu'
is "$(channel)" 40 'cxl_pmu counts the reads of both channels'

# Bind the function again: the bus offers each CPMU to cxl_pmu first; pmon_cxl gets the rest.
rmmod pmon_cxl
echo 0000:c1:00.0 >/sys/bus/pci/drivers/cxl_pci/unbind
modprobe pmon_cxl
echo 0000:c1:00.0 >/sys/bus/pci/drivers/cxl_pci/bind
runs 'pmon_cxl has the last CPMU of a function that is bound anew' comes $PMUS/cxl_pmu_mem0.4
is "$(bound)$(cxl_device $P)" cxl_pmu 'cxl_pmu has the first CPMU of a function that is bound anew'
rmmod cxl_pmu
runs 'pmon_cxl takes the first CPMU when cxl_pmu unloads' comes $PMUS/$P/device
runs 'pmon_cxl takes the last CPMU when cxl_pmu unloads' comes $PMUS/$F/device
is "$(reads_of $P)" 10 'pmon_cxl counts on a CPMU taken from an unloaded cxl_pmu'
insmod /lib/peers/cxl_pmu.ko 2>refused
like "$(cat refused)" 'Device or resource busy' 'cxl_pmu is refused again'
guest_counts_calls cxl_pmu_release
perf stat -a -o held -e $P/m2s_req_memrd/ -- sh -c '
	sleep 0.1; echo 0000:c1:00.0 >/sys/bus/pci/drivers/cxl_pci/unbind
	insmod /lib/peers/cxl_pmu.ko 2>refused'
like "$(cat refused)" 'Device or resource busy' \
	'cxl_pmu is refused while an open event keeps the name of a removed device'
goes "$PMUS/$P"
is "$(ls -d $PMUS/cxl_pmu_* 2>/dev/null)" '' 'no PMU is left without cxl_pci'
is "$(guest_calls)" 5 'all five devices on the CXL bus are released'
insmod /lib/peers/cxl_pmu.ko
is "$(grep -c '^cxl_pmu ' /proc/modules)" 1 'cxl_pmu loads while pmon_cxl has no PMU'
rmmod cxl_pmu
rmmod pmon_cxl
# Leave out the illegal accesses of the kernel's driver (see cxl-defects).
theirs='a threshold of 0|a counter frozen|more than Enable|counter written while'
is "$(hw illegal | grep -vE " why=($theirs)")" '' \
	'pmon_cxl makes no access that hardware forbids beside cxl_pmu'
hw illegal reset
SCRIPT

# Bind cxl_pmu while an event is open. perf keeps our PMU of the same name, so the bind fails
# with a stack dump, and none of our events goes on.
each_vm --as 'an open event' --machine "$peer" --drivers none --allow-warn \
	--program cxlmem <<'SCRIPT'
P=cxl_pmu_mem0.0 D=pmu_mem0.0
BUS=/sys/bus/cxl
modprobe cxl_pci
if [ ! -e $BUS/devices/$D ]; then
	like "$(uname -r)" '^6\.1\.' 'only 6.1 makes no devices of CPMUs'
	finish
	exit
fi
insmod /lib/peers/cxl_pmu.ko
modprobe pmon_cxl
echo $D >$BUS/drivers/cxl_pmu/unbind
becomes "[ -e $PMUS/$P/device ]"
cxl_hold 0.0 $P/m2s_req_memrd/
echo $D >$BUS/drivers/cxl_pmu/bind 2>/dev/null
hw cpmu 0.0 >registers
is "$(grep -cE ' cfg=0x[0-9a-f]*[13579bdf][0-9a-f]{2} ' registers)" 0 \
	'a bind to cxl_pmu under an open event enables no counter'
like "$(cat registers)" ' freeze=0x0 ' 'a bind to cxl_pmu under an open event leaves no freeze'
hw count reset
cxl_release
like "$(cat held)" '^<not counted>' 'a bind to cxl_pmu ends an open event'
is "$(hw cpmu 0.0 count | grep -v ' reads=0 writes=0 ')" '' 'no register is accessed after the failed bind'
becomes "[ -e $PMUS/$P/device ]"
is "$(readlink $BUS/devices/$D/driver) $(cxl_device $P)" ' 0000:c1:00.0' \
	'pmon_cxl has the CPMU again when cxl_pmu could not bind'
is "$(cxl_count_reads $P/m2s_req_memrd/ 10)" 10 'pmon_cxl counts again when cxl_pmu could not bind'
SCRIPT
finish
