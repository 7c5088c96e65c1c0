#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Verify the emulator with the driver cxl_pmu of Linux 6.12 and of the newest Linux (Debian
# does not build cxl_pmu). cxl_pmu drives every CPMU that it supports, and counts exactly all
# events that it programs correctly, including accesses to the memory. pmon_cxl leaves
# these CPMUs alone and serves the others. The case cxl/defects has the faults of cxl_pmu.
# kernels: 6.12 newest
# coverage: no, none of our drivers
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine cxl-peer --drivers none \
	--program cxlmem <<'SCRIPT'
cd /root
P=cxl_pmu_mem0.0 WIDE=cxl_pmu_mem0.4
modprobe cxl_pci
is "$(ls /sys/bus/cxl/devices | tr '\n' ' ')" \
	'mem0 pmu_mem0.0 pmu_mem0.1 pmu_mem0.2 pmu_mem0.3 pmu_mem0.4 ' \
	'the stock driver binds and finds each CPMU'
insmod /lib/peers/cxl_pmu.ko
faulty cxl_pmu-message-0 && zero='' || zero="$PMUS/cxl_pmu_mem0.1 "
is "$(ls -d $PMUS/cxl_pmu_* | tr '\n' ' ')" "$PMUS/$P $zero$PMUS/$WIDE " \
	'the peer drives the first and the last one, not what has message 0 or no interrupt'
like "$(dmesg | grep pmu_mem)" 'pmu_mem0.3: Counters not writable while frozen' \
	'and not the one that cannot be frozen'
case $(uname -r) in 6.12.*) names=8 ;; *) names=16 ;; esac
is "$(ls $PMUS/$P/events | grep -c '^m2s_req_')" $names 'its names of group 20h'

# Let these CPMUs count events at cxl_pmu's threshold of 0, as the specification allows.
kind 0.0 0.4

# Count events that cxl_pmu programs correctly: those of the first Event Capability, if
# the counter had no event since boot.
hw truth reset
count $P/m2s_req_memrd/ sh -c '. /lib/test/cxl.sh
	traffic "0 r 8 1000 8
8192 w 8 500 8"' >got
is "$(number $P/m2s_req_memrd/ <got)" 1000 'a thousand reads are a thousand MemRd'
is "$(truth 0.0 0x20 0x2)" 1000 'and the hardware says so'
like "$(hw cxl)" 'reads=1000 writes=500' 'all accesses came to the device'
hw truth reset
count $P/m2s_req_memrd/,$P/m2s_req_memrddata/,$P/m2s_req_meminv/ sleep 0.05 >got
for event in m2s_req_memrddata=0x4 m2s_req_meminv=0x1; do
	is "$(number $P/${event%=*}/ <got)" "$(truth 0.0 0x20 "${event#*=}")" \
		"${event%=*}: what the hardware counted"
done
for mask in 1 2; do
	count $P/m2s_req_memrd,hdm_filter_en=1,hdm=$mask/ sh -c '. /lib/test/cxl.sh
		traffic "0 r 8 77 8"' >got.$mask
done
is "$(cut -d' ' -f1 got.1 got.2 | tr '\n' ' ')" '77 0 ' 'a mask of decoders filters'

# Load pmon_cxl beside cxl_pmu. A threshold of 0 counts every clock of these CPMUs again.
hw illegal reset
unkind 0.0 0.4
modprobe pmon_cxl
is "$(dmesg | sed -n 's/.*pmon_cxl: //p')" \
	"$P is left to another driver
$WIDE is left to another driver" \
	'what the peer has is left to it'
is "$(cd $PMUS && ls -d cxl_pmu_* | tr '\n' ' ')" \
	"$P cxl_pmu_mem0.1 cxl_pmu_mem0.2 cxl_pmu_mem0.3 $WIDE " 'the others are served'
is "$(device $P)" '' 'the PMU is the peer'"'"'s'
for n in 1 2; do
	hw truth reset
	count cxl_pmu_mem0.$n/clock_ticks/ sleep 0.02 >got
	is "$(cut -d' ' -f1 got)" "$(truth 0.$n 0x0 0x1)" \
		"ours counts exactly where there is $([ $n = 1 ] && echo message 0 || echo no interrupt)"
done
rmmod cxl_pmu
becomes "[ -e $PMUS/$P/device ]"
is "$(device $P)" 0000:c1:00.0 'when the peer has gone ours has it'
is "$(hw illegal)" '' 'ours does nothing that hardware forbids'
SCRIPT
finish
