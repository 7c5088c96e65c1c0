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
	is "$(ls -d $PMUS/cxl_pmu_* 2>/dev/null)" '' "$1: no PMU is registered"
	is "$(for n in 0.0 0.1; do hw cpmu $n count; done |
		grep -vE ' reads=0 writes=0 ')" '' "$1: no register is accessed"
}
hw count reset
modprobe pmon_cxl
untouched 'device at pci-stub'
echo $DEV >/sys/bus/pci/drivers/pci-stub/unbind
untouched 'device without a driver'
echo vfio-pci >$SYS/driver_override
rmmod pmon_cxl
modprobe pmon_cxl unbound=1
untouched 'device meant for vfio-pci, with unbound=1'
rmmod pmon_cxl
modprobe pmon_cxl
echo >$SYS/driver_override
hw count reset
echo $DEV >/sys/bus/pci/drivers/cxl_pci/bind
cxl_until_are 2 'both PMUs are registered when cxl_pci binds'
echo $DEV >/sys/bus/pci/drivers/cxl_pci/unbind
hw count reset
echo cxl_pci >$SYS/driver_override
untouched 'device meant for cxl_pci and not bound'
echo $DEV >/sys/bus/pci/drivers_probe
cxl_until_are 2 'both PMUs are registered when a device meant for cxl_pci is bound'
echo $DEV >/sys/bus/pci/drivers/cxl_pci/unbind
hw count reset
echo pci-stub >$SYS/driver_override
echo $DEV >/sys/bus/pci/drivers_probe
untouched 'device at pci-stub again'
echo $DEV >/sys/bus/pci/drivers/pci-stub/unbind
hw count reset
insmod power.ko
echo "$DEV 50200" >/sys/module/power/parameters/set
echo >$SYS/driver_override
echo $DEV >/sys/bus/pci/drivers_probe
untouched 'device of another class without a driver'
# given NAME: check that both PMUs come and count
given() {
	cxl_until_are 2 "$1: both PMUs are registered"
	is "$(cxl_count_reads cxl_pmu_mem0.0/m2s_req_memrd/ 25)" 25 "$1: 25 reads are counted"
}
echo cxl_pci >$SYS/driver_override
echo $DEV >/sys/bus/pci/drivers_probe
given 'device of another class at cxl_pci'
like "$(pmonctl doctor --verbose)" "$DEV  *present, driver cxl_pci" \
	'doctor lists a device of another class as a CXL device'
rmmod pmon_cxl
modprobe pmon_cxl
given 'device bound before the module loads'
rmmod pmon_cxl
echo "$DEV D3" >/sys/module/power/parameters/set
hw count reset
modprobe pmon_cxl
untouched 'device at cxl_pci and in D3'
rmmod pmon_cxl
echo "$DEV D0" >/sys/module/power/parameters/set
modprobe pmon_cxl
given 'device back in D0 when the module loads'
echo $DEV >/sys/bus/pci/drivers/cxl_pci/unbind
cxl_until_are 0 'no PMU is left when cxl_pci unbinds'
hw count reset
runs 'pmon_cxl unloads while the device has no driver' rmmod pmon_cxl
untouched 'device after the unload'
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids'
SCRIPT
finish
