#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test that a CXL memory device is not accessed while unbound or bound to pci-stub (as for
# a guest). When cxl_pci binds the device, its PMUs are registered, whatever its PCI class.
# contract: given asleep
# kernels: 6.1 6.12 newest
# check: 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine cxl-1s --drivers none \
	--program cxlmem --module power <<'SCRIPT'
DEV=0000:c1:00.0
SYS=/sys/bus/pci/devices/$DEV
modprobe cxl_pci
modprobe pci-stub
echo $DEV >/sys/bus/pci/drivers/cxl_pci/unbind
echo pci-stub >$SYS/driver_override
echo $DEV >/sys/bus/pci/drivers_probe
is "$(basename "$(readlink $SYS/driver)")" pci-stub 'pci-stub has the device'

# all: print the number of PMUs
all() {
	ls -d $PMUS/cxl_pmu_* 2>/dev/null | wc -l
}

# untouched NAME: check that no register of a CPMU was accessed, and that there is no PMU
untouched() {
	is "$(ls -d $PMUS/cxl_pmu_* 2>/dev/null)" '' "$1: no PMU"
	is "$(for n in 0.0 0.1; do hw cpmu $n count; done |
		grep -vE ' reads=0 writes=0 ')" '' "$1: no access"
}
hw count reset
modprobe pmon_cxl
untouched 'of pci-stub'
echo $DEV >/sys/bus/pci/drivers/pci-stub/unbind
untouched 'of none'
echo vfio-pci >$SYS/driver_override
rmmod pmon_cxl
modprobe pmon_cxl unbound=1
untouched 'of none, meant for vfio-pci, and asked to'
rmmod pmon_cxl
modprobe pmon_cxl
echo >$SYS/driver_override
hw count reset
echo $DEV >/sys/bus/pci/drivers/cxl_pci/bind
until_are 2 'of cxl_pci: both PMUs'
echo $DEV >/sys/bus/pci/drivers/cxl_pci/unbind
hw count reset
echo cxl_pci >$SYS/driver_override
untouched 'of none, meant for cxl_pci'
echo $DEV >/sys/bus/pci/drivers_probe
until_are 2 'of cxl_pci, which it is meant for: both PMUs'
echo $DEV >/sys/bus/pci/drivers/cxl_pci/unbind
hw count reset
echo pci-stub >$SYS/driver_override
echo $DEV >/sys/bus/pci/drivers_probe
untouched 'of pci-stub again'
echo $DEV >/sys/bus/pci/drivers/pci-stub/unbind
hw count reset
insmod power.ko
echo "$DEV 50200" >/sys/module/power/parameters/set
echo >$SYS/driver_override
echo $DEV >/sys/bus/pci/drivers_probe
untouched 'of another class, and of none'
# given NAME: check that both PMUs come and count
given() {
	until_are 2 "$1: both PMUs"
	is "$(count_reads cxl_pmu_mem0.0/m2s_req_memrd/ 25)" 25 "$1: they count"
}
echo cxl_pci >$SYS/driver_override
echo $DEV >/sys/bus/pci/drivers_probe
given 'of another class, and of cxl_pci'
like "$(pmonctl doctor --verbose)" "$DEV  *present, driver cxl_pci" \
	'doctor knows that it is one'
rmmod pmon_cxl
modprobe pmon_cxl
given 'found when the module is loaded'
rmmod pmon_cxl
echo "$DEV D3" >/sys/module/power/parameters/set
hw count reset
modprobe pmon_cxl
untouched 'of cxl_pci, and asleep'
rmmod pmon_cxl
echo "$DEV D0" >/sys/module/power/parameters/set
modprobe pmon_cxl
given 'awake when the module is loaded'
echo $DEV >/sys/bus/pci/drivers/cxl_pci/unbind
until_are 0 'cxl_pci unbound: none'
hw count reset
runs 'it unloads' rmmod pmon_cxl
untouched 'and unloading'
is "$(hw illegal)" '' 'nothing that hardware forbids'
SCRIPT
finish
