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
# reads PMU: make ten reads, print PMU's count
reads() { count_reads $1/m2s_req_memrd/ 10; }
# Let events count at a threshold of 0, which the kernel's driver sets.
kind 0.0 0.4
modprobe cxl_pci
modprobe pmon_cxl mode=observe
is "$(ls -d $PMUS/cxl_pmu_* 2>/dev/null)" '' 'mode=observe: no PMU'
rmmod pmon_cxl
users=$(cat /sys/module/cxl_core/refcnt)
modprobe pmon_cxl
is "$(ls -d $PMUS/cxl_pmu_* | wc -l)" 5 'five PMUs'
is "$(reads $P)" 10 'that count'
if [ ! -e $BUS/devices/$D ]; then
	like "$(uname -r)" '^6\.1\.' 'only 6.1 makes no devices of CPMUs'
	runs 'it unloads' rmmod pmon_cxl
	finish
	exit
fi

# Load the kernel's driver second, twice. Both loads must fail.
for i in 1 2; do insmod /lib/peers/cxl_pmu.ko 2>>refused; done
is "$(grep -c 'Device or resource busy' refused)" 2 'cxl_pmu is refused'
is "$(dmesg | grep -c 'cxl_pmu refused: pmon_cxl drives the CPMUs')" 1 'which one line says'
is "$(bound) $(device $P)" ' 0000:c1:00.0' 'the PMU is ours'
is "$(reads $P)" 10 'and counts'
runs 'it unloads' rmmod pmon_cxl
is "$(cat /sys/module/cxl_core/refcnt)" "$users" 'the CXL core has no more users than before'
hw cpmu 0.0 >registers
is "$(grep -c ' cfg=0x\(1000\|0*\)2 ' registers)" 4 'what was used is handed back cleared'
like "$(cat registers)" ' freeze=0x0 ' 'and runs'

# The kernel's driver loads first, and binds two of the five CPMUs.
insmod /lib/peers/cxl_pmu.ko
modprobe pmon_cxl
is "$(for n in 0 1 2 3 4; do bound pmu_mem0.$n; done | sort | uniq -c | xargs)" \
	'3 2 cxl_pmu' 'loaded second: what cxl_pmu drives stays with it'
is "$(device cxl_pmu_mem0.1)" 0000:c1:00.0 'what it cannot drive is ours'
is "$(dmesg | grep -c "pmon_cxl: $P is left to another driver")" 1 'and one line says so'
is "$(device $P)" '' 'its PMU is not ours'
perf stat -a -e "{$P/m2s_req_memrd/,$P/m2s_req_meminv/}" -- true 2>/dev/null
is "$(hw cpmu 0.0 | grep -c ' cfg=0x\(1000\|0*\)2 ')" 2 'it leaves two counters as they are'
echo $D >$BUS/drivers/cxl_pmu/unbind
runs 'unbound by hand: ours takes it' comes $PMUS/$P/device
is "$(reads $P)" 10 'and counts'
is "$(hw cpmu 0.0 | grep -cE ' cfg=0x[0-9a-f]*[13579bdf][0-9a-f]{2} ')" 0 'and none of those is enabled'

# Bind the CPMU to cxl_pmu by hand, after the event was closed.
hw count reset
echo $D >$BUS/drivers/cxl_pmu/bind
is "$(bound)" cxl_pmu 'bound by hand: the kernel'"'"'s driver has it'
is "$(device $P)" '' 'with a PMU of that name, which is not ours'
is "$(reads $P)" 10 'and counts'
is "$(dmesg | grep -c "pmon_cxl: $P is left to another driver")" 2 'which ours says'

# Enable counters behind cxl_pmu's back. pmon_cxl must disable them before it sets filters.
for n in 0 1 2 3; do hw cpmu 0.0 poke $((0x200 + 8 * n)) 0x2010102; done
hw illegal reset
echo $D >$BUS/drivers/cxl_pmu/unbind
runs 'taken back with counters enabled' comes $PMUS/$P/device
perf stat -a -e $P/m2s_req_meminv,hdm_filter_en=1,hdm=1/ -- true 2>/dev/null
is "$(hw illegal)" '' 'no running control and no filter of one is changed'

# pmon_cxl leaves no filter set for the next driver.
F=cxl_pmu_mem0.4
# channel [TERMS]: count 40 reads, which alternate between two channels
channel() {
	count $F/ddr_casrd${1-}/ sh -c '. /lib/test/cxl.sh
		traffic "0 r 8 40 256"' | cut -d' ' -f1
}
echo pmu_mem0.4 >$BUS/drivers/cxl_pmu/unbind
runs 'another goes to ours' comes $PMUS/$F/device
is "$(channel ,crb_filter_en=1,crb=0x01ffffff)" 20 'which counts one channel'
is "$(hw cpmu 0.4 | grep -c 'filter1=0x1ffffff')" 1 'by a filter'
echo pmu_mem0.4 >$BUS/drivers/cxl_pmu/bind
is "$(hw cpmu 0.4 | grep -c 'filter1=0x1ffffff')" 0 'which is off when it is handed back'
is "$(channel)" 40 'the kernel'"'"'s driver counts both channels'

# Bind the function again: the bus offers each CPMU to cxl_pmu first; pmon_cxl gets the rest.
rmmod pmon_cxl
echo 0000:c1:00.0 >/sys/bus/pci/drivers/cxl_pci/unbind
modprobe pmon_cxl
echo 0000:c1:00.0 >/sys/bus/pci/drivers/cxl_pci/bind
runs 'a function is bound anew: it has all' comes $PMUS/cxl_pmu_mem0.4
is "$(bound)$(device $P)" cxl_pmu 'all are cxl_pmu'"'"'s'
rmmod cxl_pmu
runs 'when the kernel'"'"'s has gone ours takes its devices' comes $PMUS/$P/device
runs 'all of them' comes $PMUS/$F/device
is "$(reads $P)" 10 'which count'
insmod /lib/peers/cxl_pmu.ko 2>refused
like "$(cat refused)" 'Device or resource busy' 'and it is refused again'
counts_calls cxl_pmu_release
perf stat -a -o held -e $P/m2s_req_memrd/ -- sh -c '
	sleep 0.1; echo 0000:c1:00.0 >/sys/bus/pci/drivers/cxl_pci/unbind
	insmod /lib/peers/cxl_pmu.ko 2>refused'
like "$(cat refused)" 'Device or resource busy' 'nor while an open event keeps a name'
goes "$PMUS/$P"
is "$(ls -d $PMUS/cxl_pmu_* 2>/dev/null)" '' 'without cxl_pci there is none'
is "$(calls)" 5 'and nobody keeps a device of the bus'
insmod /lib/peers/cxl_pmu.ko
is "$(grep -c '^cxl_pmu ' /proc/modules)" 1 'without a PMU of ours it is not refused'
rmmod cxl_pmu
rmmod pmon_cxl
# Leave out the illegal accesses of the kernel's driver (see cxl-defects).
theirs='a threshold of 0|a counter frozen|more than Enable|counter written while'
is "$(hw illegal | grep -vE " why=($theirs)")" '' \
	'ours does nothing that hardware forbids'
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
hold 0.0 $P/m2s_req_memrd/
echo $D >$BUS/drivers/cxl_pmu/bind 2>/dev/null
hw cpmu 0.0 >registers
is "$(grep -cE ' cfg=0x[0-9a-f]*[13579bdf][0-9a-f]{2} ' registers)" 0 'no counter is enabled'
like "$(cat registers)" ' freeze=0x0 ' 'nor frozen'
hw count reset
release
like "$(cat held)" '^<not counted>' 'the event ends'
is "$(hw cpmu 0.0 count | grep -v ' reads=0 writes=0 ')" '' 'nothing is accessed afterwards'
becomes "[ -e $PMUS/$P/device ]"
is "$(readlink $BUS/devices/$D/driver) $(device $P)" ' 0000:c1:00.0' \
	'cxl_pmu could not bind: ours has it again'
is "$(count_reads $P/m2s_req_memrd/ 10)" 10 'and counts'
SCRIPT
finish
