#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Two CXL memory devices on NUMA nodes that have no CPU: a CPU serves each, and both
# count exactly at once. That it is the nearest one shows engine-near.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

two=$(machine cxl-1s '
m["cpu"]["nodes"] = [3]
m["cxl"] = [dict(m["cxl"][0], node=1), dict(m["cxl"][0], node=2)]')
each_vm --machine "$two" --drivers none \
	--program cxlmem <<'SCRIPT'
cd /root
modprobe cxl_pci
modprobe pmon_cxl
# The kernel numbers nodes, and memory devices, as it comes to them.
pmu() { pmus_of $1 $PMUS/cxl_pmu_mem?.0; }
node() { cat /sys/bus/pci/devices/$1/numa_node; }
FIRST=0000:c1:00.0 SECOND=0000:c5:00.0
is "$(cat /sys/devices/system/node/online) $(cat /sys/devices/system/node/has_cpu)" '0-3 0' \
	'CPUs are in one node of four'
is "$(($(node $FIRST) > 0 && $(node $SECOND) > 0 && $(node $FIRST) != $(node $SECOND)))" 1 \
	'the devices are in two others'
A=$(pmu $FIRST) B=$(pmu $SECOND)
like "$A $B" 'cxl_pmu_mem[01]\.0 cxl_pmu_mem[01]\.0' 'each has its PMU'
isnt "$A" "$B" 'of its own'
is "$(cat $PMUS/$A/cpumask $PMUS/$B/cpumask | tr '\n' ' ')" '0 0 ' 'and a CPU that serves it'
count $A/m2s_req_memrd/,$B/m2s_req_memrd/ sh -c ". /lib/test/cxl.sh
	traffic '0 r 8 25 8' 0; traffic '0 r 8 40 8' 1" >got
is "$(cut -d' ' -f1 got | sort | tr '\n' ' ')" '25 40 ' 'both count at once'
is "$(cut -d' ' -f1 got | tr '\n' ' ')" "$(for n in 0 1; do
	truth $n.0 0x20 0x2
done | tr '\n' ' ')" 'each what its device saw'
is "$(hw illegal)" '' 'nothing that hardware forbids'
runs 'it unloads' rmmod pmon_cxl
SCRIPT
finish
