#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Verify the emulator with the driver cxl_pmu of Linux 6.12 and of the newest Linux (Debian
# does not build cxl_pmu). cxl_pmu drives every CPMU that it supports, and counts exactly all
# events that it programs correctly, including accesses to the memory. The case cxl/defects has
# the faults of cxl_pmu, the case cxl/bus has pmon_cxl beside it.
# kernels: 6.12 newest
# coverage: no, none of our drivers
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine cxl-peer --drivers none \
	--program cxlmem <<'SCRIPT'
P=cxl_pmu_mem0.0 WIDE=cxl_pmu_mem0.4
modprobe cxl_pci
is "$(ls /sys/bus/cxl/devices | tr '\n' ' ')" \
	'mem0 pmu_mem0.0 pmu_mem0.1 pmu_mem0.2 pmu_mem0.3 pmu_mem0.4 ' \
	'cxl_pci binds and the bus has a device for each CPMU'
insmod /lib/peers/cxl_pmu.ko
faulty cxl_pmu-message-0 && zero='' || zero="$PMUS/cxl_pmu_mem0.1 "
is "$(ls -d $PMUS/cxl_pmu_* | tr '\n' ' ')" "$PMUS/$P $zero$PMUS/$WIDE " \
	'cxl_pmu drives every CPMU that it supports'
like "$(dmesg | grep pmu_mem)" 'pmu_mem0.3: Counters not writable while frozen' \
	'cxl_pmu logs that it cannot use a CPMU without freeze'
case $(uname -r) in 6.12.*) names=8 ;; *) names=16 ;; esac
is "$(ls $PMUS/$P/events | grep -c '^m2s_req_')" $names 'cxl_pmu has its names of group 20h'

# Let these CPMUs count events at cxl_pmu's threshold of 0, as the specification allows.
cxl_kind 0.0 0.4

# Count events that cxl_pmu programs correctly: those of the first Event Capability, if
# the counter had no event since boot.
hw truth reset
cxl_count $P/m2s_req_memrd/ sh -c '. /lib/test/cxl.sh
	cxl_traffic "0 r 8 1000 8
8192 w 8 500 8"' >got
is "$(cxl_number $P/m2s_req_memrd/ <got)" 1000 'cxl_pmu counts a thousand reads as a thousand MemRd'
is "$(cxl_truth 0.0 0x20 0x2)" 1000 'the hardware counts a thousand MemRd'
like "$(hw cxl)" 'reads=1000 writes=500' 'all accesses came to the device'
hw truth reset
cxl_count $P/m2s_req_memrd/,$P/m2s_req_memrddata/,$P/m2s_req_meminv/ sleep 0.05 >got
for event in m2s_req_memrddata=0x4 m2s_req_meminv=0x1; do
	is "$(cxl_number $P/${event%=*}/ <got)" "$(cxl_truth 0.0 0x20 "${event#*=}")" \
		"${event%=*} of cxl_pmu equals the hardware's count"
done
for mask in 1 2; do
	cxl_count $P/m2s_req_memrd,hdm_filter_en=1,hdm=$mask/ sh -c '. /lib/test/cxl.sh
		cxl_traffic "0 r 8 77 8"' >got.$mask
done
is "$(cut -d' ' -f1 got.1 got.2 | tr '\n' ' ')" '77 0 ' 'a mask of decoders filters the reads of cxl_pmu'

rmmod cxl_pmu
# Clear the illegal accesses of cxl_pmu (see cxl-defects).
hw illegal reset
SCRIPT
finish
