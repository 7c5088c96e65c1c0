#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Where cxl_pci makes a device of each CPMU, as stock 6.12 and 7.x do: pmon_cxl is
# the driver of these, the kernel's cxl_pmu takes none of them and each is handed
# over by its binding, under events that count; a bus whose drivers are not as
# those that are known is left alone. On 6.1 there are no such devices.
# contract: owner-cxl
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# The last CPMU filters by channel, of which cxl_pmu of 6.12 knows nothing.
peer=$(machine cxl-peer 'm["cxl"][0]["cpmu"][4].update(
	width=40, filters=2, capabilities=[{"group": "0x8000", "mask": "0xffff"}])')
# A driver without a probe function stands for an unknown structure.
each_vm --machine "$peer" --drivers none \
	--program cxlmem --module oddbus <<'SCRIPT'
cd /root
P=cxl_pmu_mem0.0 D=pmu_mem0.0
BUS=/sys/bus/cxl
# bound [DEVICE]: the driver of one on the CXL bus
bound() {
	basename "$(readlink $BUS/devices/${1:-$D}/driver)"
}
# comes DIR, goes DIR: sooner or later
comes() { becomes "[ -e $1 ]"; }
goes() { becomes "[ ! -e $1 ]"; }
# reads PMU: ten reads are ten
reads() {
	count $1/m2s_req_memrd/ sh -c '. /lib/test/cxl.sh
		traffic "0 r 8 10 8"' | cut -d' ' -f1
}
# So that the kernel's driver, whose threshold is 0, counts.
kind 0.0 0.4
modprobe cxl_pci
# The order in which the module finds no bus to join yet, and then finds one
modprobe pmon_cxl
is "$(ls -d $PMUS/cxl_pmu_* | wc -l)" 5 'five PMUs'
is "$(reads $P)" 10 'that count'
if [ ! -e $BUS/devices/$D ]; then
	like "$(uname -r)" '^6\.1\.' 'only 6.1 makes no devices of CPMUs'
	fails 'and there the CXL bus has no driver of ours' \
		test -e $BUS/drivers/pmon_cxl
	runs 'it unloads' rmmod pmon_cxl
	finish
	exit
fi
is "$(for n in 0 1 2 3 4; do bound pmu_mem0.$n; done | uniq)" pmon_cxl \
	'all devices are bound to pmon_cxl'

# The kernel's driver comes second
insmod /lib/peers/cxl_pmu.ko
is "$(bound)" pmon_cxl 'cxl_pmu takes nothing that is ours'
is "$(device $P)" 0000:c1:00.0 'the PMU is ours'

# Handed over by hand while an event counts
hold 0.0 $P/m2s_req_memrd/
echo $D >$BUS/drivers/pmon_cxl/unbind
hw cpmu 0.0 >registers
is "$(grep -c ' cfg=0x\(1000\|0*\)2 ' registers)" 4 'what was used is handed back cleared'
like "$(cat registers)" ' freeze=0x0 ' 'and runs'
hw count reset
release
like "$(cat held)" '^<not counted>' 'the event ends'
is "$(hw cpmu 0.0 count | grep -v ' reads=0 writes=0 ')" '' \
	'nothing is accessed afterwards'
runs 'its PMU goes' goes $PMUS/$P
is "$(ls -d $PMUS/cxl_pmu_* | wc -l)" 4 'the others stay'
echo $D >$BUS/drivers/cxl_pmu/bind
is "$(bound)" cxl_pmu 'the kernel'"'"'s driver has it'
runs 'with a PMU of that name' comes $PMUS/$P
is "$(device $P)" '' 'which is not ours'
is "$(reads $P)" 10 'and counts'
perf stat -a -e "{$P/m2s_req_memrd/,$P/m2s_req_meminv/}" -- true 2>/dev/null
is "$(hw cpmu 0.0 | grep -c ' cfg=0x\(1000\|0*\)2 ')" 2 'on two counters, which it leaves as they are'

# It comes back: ours has looked at no device meanwhile.
echo $D >$BUS/drivers/cxl_pmu/unbind
echo $D >$BUS/drivers/pmon_cxl/bind
runs 'bound again, there is a PMU' comes $PMUS/$P/device
is "$(reads $P)" 10 'which counts'
is "$(hw cpmu 0.0 | grep -cE ' cfg=0x[0-9a-f]*[13579bdf][0-9a-f]{2} ')" 0 'and none of those is enabled'

# A filter that ours has set does not stay for the next driver.
F=cxl_pmu_mem0.4
# channel [TERMS]: of 40 reads, which alternate between two channels
channel() {
	count $F/ddr_casrd${1-}/ sh -c '. /lib/test/cxl.sh
		traffic "0 r 8 40 256"' | cut -d' ' -f1
}
is "$(channel ,crb_filter_en=1,crb=0x01ffffff)" 20 'ours counts one channel'
is "$(hw cpmu 0.4 | grep -c 'filter1=0x1ffffff')" 1 'by a filter'
echo pmu_mem0.4 >$BUS/drivers/pmon_cxl/unbind
is "$(hw cpmu 0.4 | grep -c 'filter1=0x1ffffff')" 0 'which is off when it is handed back'
echo pmu_mem0.4 >$BUS/drivers/cxl_pmu/bind
runs 'the kernel'"'"'s driver has that one, too' comes $PMUS/$F
is "$(channel)" 40 'and counts both channels'
echo pmu_mem0.4 >$BUS/drivers/cxl_pmu/unbind
echo pmu_mem0.4 >$BUS/drivers/pmon_cxl/bind
runs 'which goes back to ours' comes $PMUS/$F/device

# A function that is bound anew: the kernel's driver is asked first, or ours
rmmod cxl_pmu
counts_calls cxl_pmu_release
echo 0000:c1:00.0 >/sys/bus/pci/drivers/cxl_pci/unbind
is "$(ls -d $PMUS/cxl_pmu_* 2>/dev/null)" '' 'without cxl_pci there is none'
is "$(calls)" 5 'and nobody keeps a device of the bus'
echo 0000:c1:00.0 >/sys/bus/pci/drivers/cxl_pci/bind
runs 'with it again there is' comes $PMUS/cxl_pmu_mem0.4
is "$(bound) $(reads $P)" 'pmon_cxl 10' 'bound to ours, and it counts'

# What no driver has is not taken without being asked to
echo $D >$BUS/drivers/pmon_cxl/unbind
runs 'unbound: its PMU goes' goes $PMUS/$P
echo pmu_mem0.1 >$BUS/drivers/pmon_cxl/unbind
echo pmu_mem0.1 >$BUS/drivers/pmon_cxl/bind
runs 'another one is bound: that one has a PMU' comes $PMUS/cxl_pmu_mem0.1
fails 'and the one that is unbound has none' test -e $PMUS/$P
rmmod pmon_cxl
fails 'unloaded: no driver is left on the bus' test -e $BUS/drivers/pmon_cxl
insmod /lib/peers/cxl_pmu.ko
modprobe pmon_cxl
is "$(bound) $(bound pmu_mem0.1)" 'cxl_pmu pmon_cxl' 'loaded second: what is free'
like "$(dmesg)" "pmon_cxl: $P is left to another driver" 'and it says so'
rmmod cxl_pmu
runs 'when the kernel'"'"'s has gone ours takes its devices' comes $PMUS/$P/device
is "$(bound)" pmon_cxl 'by the bus'
rmmod pmon_cxl

# A bus that is not as any that is known
insmod oddbus.ko
modprobe pmon_cxl
fails 'an unknown structure: no driver on the bus' test -e $BUS/drivers/pmon_cxl
is "$(dmesg | grep -c 'struct cxl_driver is not known')" 1 'which the log says'
is "$(ls -d $PMUS/cxl_pmu_* | wc -l) $(reads $P)" '5 10' \
	'the PMUs are there nevertheless'
runs 'it unloads' rmmod pmon_cxl
rmmod oddbus
# As many words as in the kernel's own drivers, in another order
case $(uname -r) in
6.*) insmod oddbus.ko words=3 ;;
*) insmod oddbus.ko words=4 ;;
esac
modprobe pmon_cxl
fails 'where probe should be is another function: no driver on the bus' \
	test -e $BUS/drivers/pmon_cxl
rmmod pmon_cxl
rmmod oddbus
# Of the kernel's driver: see cxl-defects.
theirs='a threshold of 0|a counter frozen|more than Enable|counter written while'
is "$(hw illegal | grep -vE " why=($theirs)")" '' \
	'ours does nothing that hardware forbids'
hw illegal reset
finish
SCRIPT
finish
