#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test CPMUs in the root port and in both ports of a switch above a CXL memory device.
# pmon_cxl accesses them only with unbound=1. Then they and the device count each access
# exactly, the ports keep their driver, and pmonctl shows the CPMUs. A port whose
# driver_override names another driver is not accessed. When a part of the tree is removed,
# the events of its CPMUs end, and others count on.
# all kernels: 6.1 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

tree=$(machine cxl-1s '
links = [dict(group="0x20", mask="0xffff"), dict(group="0x21", mask="0x2636"),
         dict(group="0x25", mask="7")]
def port():
    return dict(cpmu=[dict(counters=4, width=48, capabilities=links)])
m["cxl"][0].update(port=port(), switch=dict(up=port(), down=port()))')
each_vm --machine "$tree" --drivers none \
	--program cxlmem <<'SCRIPT'
PCI=/sys/bus/pci
UP=0000:c1:00.0
ROOT_PMU=cxl_pmu_port_0000_c0_00_0.0 UP_PMU=cxl_pmu_port_0000_c1_00_0.0
DOWN_PMU=cxl_pmu_port_0000_c2_00_0.0 MEM_PMU=cxl_pmu_mem0.0
all() {
	(cd $PMUS && echo cxl_pmu_*) | sed 's/cxl_pmu_//g; s/0000_//g'
}
# counts_traffic NAME PMU...: make 25 reads and 12 writes; check that each PMU counts them
counts_traffic() {
	what=$1
	shift
	events=
	for pmu; do
		events=$events${events:+,}$pmu/m2s_req_memrd/,$pmu/m2s_rwd_memwr/
	done
	cxl_count "$events" sh -c '. /lib/test/cxl.sh
		cxl_traffic "0 r 8 25 8
4096 w 8 12 8"' >got
	for pmu; do
		is "$(cxl_number $pmu/m2s_req_memrd/ <got) $(cxl_number $pmu/m2s_rwd_memwr/ <got)" \
			'25 12' "$what: $pmu counts 25 reads and 12 writes"
	done
}
MEM='mem0.0 mem0.1' TREE='port_c0_00_0.0 port_c1_00_0.0 port_c2_00_0.0'

for bus in 0 1 2; do
	like "$(readlink $PCI/devices/0000:c$bus:00.0/driver)" 'pcieport$' \
		"port c$bus is bound to pcieport"
done
modprobe cxl_pci
hw count reset
modprobe pmon_cxl
is "$(all)" "$MEM" 'only the memory device has PMUs by default'
is "$(cxl_touched 0.0 1.0 2.0 3.0)" 0.0 'no register of a port is accessed by default'
rmmod pmon_cxl
hw count reset
modprobe pmon_cxl unbound=1
is "$(all)" "$MEM $TREE" 'unbound=1 registers PMUs of all ports'
is "$(hw count | grep -cE 'class=(box-ctl|event-ctl|counter|filter|status|capability) .*writes=[^0]')" 0 \
	'loading with unbound=1 writes no register'
for bus in 0 1 2; do
	like "$(readlink $PCI/devices/0000:c$bus:00.0/driver)" 'pcieport$' \
		"port c$bus stays bound to pcieport"
done
hw truth reset
counts_traffic 'reads and writes through all ports' $MEM_PMU $DOWN_PMU $UP_PMU $ROOT_PMU
is "$(for n in 0 1 2 3; do cxl_truth $n.0 0x20 0x2; done | tr '\n' ' ')" '25 25 25 25 ' \
	'the hardware counts 25 reads in each port'

is "$(pmonctl list | awk '$1 == "port" { print $2, $5, $7 }')" \
	"0000:c0:00.0 $ROOT_PMU openpmon
0000:c1:00.0 $UP_PMU openpmon
0000:c2:00.0 $DOWN_PMU openpmon" 'pmonctl list has all three ports'
# Make traffic until `pmonctl bw` has ended.
{ pmonctl bw --boxes --json --for 3 >json; : >bw-done; } &
while [ ! -e bw-done ]; do
	cxl_traffic '0 r 8 10000 8'
done
wait
is "$(tr -d ' \n' <json | sed 's/},{/\n/g' | grep '"kind":"cxl' | grep '"read_bytes_s":[1-9]' |
	sed -n 's/.*"pmu":"\([^"]*\)".*/\1/p' | tr '\n' ' ')" "$MEM_PMU $ROOT_PMU $UP_PMU $DOWN_PMU " \
		'pmonctl bw has the device and all three ports'
# Unlike the device, the ports have no clock event. `pmonctl metrics` shows their bytes anyway.
pmonctl metrics --for 4 >series
is "$(awk -F'[_{} ]' '/^openpmon_cxl_.*_bytes/ { way = /written/; if (/mem0/) mem[way] = $NF
		else port[way] = $NF }
	END { for (way in mem) print (mem[way] > port[way] / 2 && mem[way] < port[way] * 2) }' \
	series | tr '\n' ' ')" '1 1 ' 'pmonctl metrics has as many bytes of the device as of a port'

# Set driver_override of the switch's upstream port to pci-stub, then bind pci-stub.
echo pci-stub >$PCI/devices/$UP/driver_override
rmmod pmon_cxl
hw count reset
modprobe pmon_cxl unbound=1
is "$(all)" "$MEM port_c0_00_0.0 port_c2_00_0.0" 'a port with a driver_override has no PMU'
modprobe pci-stub
echo $UP >$PCI/drivers/pcieport/unbind
echo $UP >$PCI/drivers_probe
is "$(basename "$(readlink $PCI/devices/$UP/driver)")" pci-stub \
	'the port with a driver_override is bound to pci-stub'
echo >$PCI/devices/$UP/driver_override
rmmod pmon_cxl
modprobe pmon_cxl unbound=1
is "$(all)" "$MEM port_c0_00_0.0 port_c2_00_0.0" 'a port at pci-stub has no PMU'
is "$(cxl_touched 2.0)" '' 'no register of a port at pci-stub is accessed'
counts_traffic 'beside a port at pci-stub' $MEM_PMU $DOWN_PMU $ROOT_PMU
echo $UP >$PCI/drivers/pci-stub/unbind
echo $UP >$PCI/drivers/pcieport/bind
cxl_until_are "$MEM $TREE" 'all ports have PMUs once the port has its driver again'
counts_traffic 'port with its driver again' $UP_PMU $ROOT_PMU

# The switch and all devices below are removed while events count.
perf stat -x'|' -a -e "$ROOT_PMU/m2s_req_memrd/,$UP_PMU/m2s_req_memrd/,$DOWN_PMU/m2s_req_memrd/,$MEM_PMU/m2s_req_memrd/" \
	-o held -- sh -c ". /lib/test/cxl.sh
	cxl_traffic '0 r 8 10 8'; echo 1 >$PCI/devices/$UP/remove; sleep 0.1"
is "$(awk -F'|' '$3 != "" { print $1 }' held | tr '\n' ' ')" \
	'10 <not counted> <not counted> <not counted> ' \
	'the root port counts on when the switch is removed, and removed CPMUs do not'
cxl_until_are port_c0_00_0.0 'only the root port has a PMU when the switch is removed'
echo 1 >$PCI/rescan
cxl_until_are "$MEM $TREE" 'all ports have PMUs when the switch is found again'
counts_traffic 'switch found again' $MEM_PMU $DOWN_PMU $UP_PMU $ROOT_PMU
runs 'pmon_cxl unloads with all ports' rmmod pmon_cxl
is "$(cxl_config 2.0 | grep -cx 0x10002)" 4 "the ports' controls are handed back in the state after a reset"
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids on ports'
SCRIPT
finish
