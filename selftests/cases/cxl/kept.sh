#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Unbind a memory device from a fake vfio-pci, whose remove() does not return. Meanwhile
# pmon_cxl serves other devices, unloads and loads. A device that vfio-pci failed to bind
# is served at once.
# all kernels: 6.1 6.12 sanitizer
# check: none
. "$(dirname "$0")/../lib/tap.sh"

two=$(machine cxl-1s 'm["cxl"].append(json.loads(json.dumps(m["cxl"][0])))')
each_vm --machine "$two" --drivers none --module claim <<'SCRIPT'
DEV=0000:c1:00.0
PCI=/sys/bus/pci
CLAIM=/sys/module/claim/parameters
# those REGEX: wait until the list of PMUs matches REGEX
those() { becomes "(cd $PMUS && echo cxl_pmu_*) | grep -qx '$1'"; }
insmod claim.ko name=vfio-pci
modprobe cxl_pci
modprobe pmon_cxl unbound=1
OTHER=$(ls $PCI/drivers/cxl_pci | grep : | grep -v $DEV)
like "$OTHER" '^0000:..:00\.0$' 'the machine has a second CXL device'
pmu_of() { echo ".*cxl_pmu_pci_$(echo "$1" | tr :. __).0.*"; }
echo $DEV >$PCI/drivers/cxl_pci/unbind
echo vfio-pci >$PCI/devices/$DEV/driver_override
echo $DEV >$PCI/drivers_probe
like "$(readlink $PCI/devices/$DEV/driver)" 'vfio-pci$' 'the first device is bound to vfio-pci'
echo >$PCI/devices/$DEV/driver_override

echo $DEV >$CLAIM/kept
{ echo $DEV >$PCI/drivers/vfio-pci/unbind; : >let-go; } &
becomes 'grep -qs claim_remove /proc/[0-9]*/stack'
echo $OTHER >$PCI/drivers/cxl_pci/unbind
runs 'the other device is served without a driver while an unbind hangs' \
	those "$(pmu_of $OTHER)"
runs 'pmon_cxl unloads while an unbind hangs' timeout 30 rmmod pmon_cxl
runs 'pmon_cxl loads while an unbind hangs' timeout 30 modprobe pmon_cxl unbound=1
is "$(ls let-go 2>/dev/null)" '' 'the unbind still hangs when pmon_cxl has loaded'
echo >$CLAIM/kept
wait
runs 'the device is served when its unbind ends' those "$(pmu_of $DEV)"

# The bus reports the failed bind a moment before the function is without a driver.
echo Y >$CLAIM/fails
dmesg -c >/dev/null
echo "$(cut -c 3- $PCI/devices/$DEV/vendor) $(cut -c 3- $PCI/devices/$DEV/device)" \
	>$PCI/drivers/vfio-pci/new_id
like "$(dmesg)" "$DEV.*(error|failed).* -16" 'vfio-pci fails to bind the device'
runs 'the device is served after vfio-pci failed to bind' those "$(pmu_of $DEV)"
SCRIPT
finish
