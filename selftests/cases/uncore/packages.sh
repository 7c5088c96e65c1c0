#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A table gets the right package where NUMA nodes do not determine it: CPUs of a package
# are excluded (nr_cpus) or not yet online (maxcpus), or TPMI's data contradict the nodes.
# No box of a package without CPUs counts. Also test functions without a table or without
# a PCI Express capability, and pci=nommconf.
# contract: packages
# all kernels: 6.12
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# Write out both packages, so that they can differ, and give each its own buses.
two='
import copy
first = m["packages"][0]
second = copy.deepcopy(first)
buses = first["bus"] if isinstance(first.get("bus"), list) else [0, 0x80]
first["bus"] = buses[0]
second.update(bus=buses[1], node=1)
for function in second.get("functions", []):
    function["bus"] = 0xfe
if "upi" in second:
    second["upi"].update(bus=0xfe, node=1)
second["msm"]["buses"] = {"0": 0x80, "8": 0xfe}
for unit in second["discovery"]["units"]:
    if unit["access"] == "pci":
        unit["address"]["bus"] = 0xfe
m["packages"] = [first, second]'
unlike=$(machine spr-2s "$two"'
m["msr"]["0x2ffe"] = 8
for unit in first["discovery"]["units"]:
    if unit["type"] in (6, 7):
        unit["count"] = 1')
# TPMI_INFO has another package number than bus and node.
swapped=$(machine gnr-2s "$two"'
for i, package in enumerate(m["packages"]):
    package["tpmi"]["info"] = {"package": 1 - i}')
# The kernel provides only 256 bytes of these functions' configuration space, as on some servers.
plain=$(machine spr-2s '
for unit in m["packages"][0]["discovery"]["units"]:
    if unit["access"] == "pci":
        unit["address"]["express"] = False')
none=$(machine gnr-2s 'del m["packages"][0]["discovery"]')

for cpus in $([ "$short" ] || echo nr_cpus) maxcpus; do
	each_vm --as "$cpus" --machine "$unlike" --drivers adopted \
		--append "numa=off $cpus=3" <<-'S'
	runs 'the module loads while CPUs of package 1 are absent' modprobe pmon_uncore
	is "$(ls $PMON | grep uncore)" pkg0-uncore0 'only the table of the package with CPUs is read'
	is "$(uncore_messages '0000:e8:03.1 is not known, its units are not used until it is$' |
		grep -c 'pmon_uncore: package of the discovery table of')" 1 \
		'the log has one line on the table of an unknown package'
	is "$(cat $PMON/pkg0-uncore0/rejected)" '' 'no unit is rejected while CPUs of package 1 are absent'
	is "$(ls $PMUS | grep -cE '^uncore_(imc|m2m)_[0-9]')" 2 \
		'units that only the other package has are not registered'
	hw truth reset
	uncore_counts 0.05 uncore_imc_0/event=0x33/ >/tmp/counts
	read -r package count event </tmp/counts
	uncore_agree 0/6/0 "$count" 0x33 'boxes of the package with CPUs count'
	is "$(hw truth 1/6/0 | grep -c 'counted=[1-9]')" 0 'boxes of the package without CPUs do not count'
	[ -e /sys/devices/system/cpu/cpu8 ] || finish
	echo 1 >/sys/devices/system/cpu/cpu8/online
	runs 'units of package 1 are registered when its first CPU comes online' \
		becomes "[ \"\$(ls $PMUS | grep -cE '^uncore_(imc|m2m)_[0-9]')\" = 12 ]"
	S
done

each_vm --as TPMI --machine "$swapped" --drivers adopted <<-'S'
	runs 'the module loads where TPMI and nodes differ' modprobe pmon_uncore
	hw truth reset
	uncore_counts 0.05 uncore_imc_0/event=0x33/ >/tmp/counts
	while read -r package count event; do
		uncore_agree "$((1 - package))/6/0" "$count" 0x33 "package $package counts the boxes that TPMI gives the package"
	done </tmp/counts
	is "$(wc -l </tmp/counts)" 2 'boxes of both packages count where TPMI and nodes differ'
	S

each_vm --as 'no PCI Express' --machine "$plain" --drivers adopted <<-'S'
	is "$(wc -c </sys/bus/pci/devices/0000:7e:0c.0/config)" 256 \
		'the kernel gives 256 bytes of configuration space'
	runs 'the module loads without PCI Express capabilities' modprobe pmon_uncore
	is "$(cat $PMON/pkg*-uncore0/rejected)" '' 'no unit is rejected without PCI Express capabilities'
	uncore_exact_on_both uncore_m2m_0 0.05 7/0 'a box beyond the first 256 bytes'
	S

each_vm --as 'no table' --machine "$none" --drivers none <<-'S'
	fails_with 'No such device' 'the module does not load without a table' modprobe pmon_uncore
	is "$(uncore_messages '0000:00:03.1 has none, because this processor has no PMON discovery' |
		grep -c 'pmon_uncore: no discovery table')" 1 'the log has one line why there is no table'
	like "$(pmonctl doctor)" 'problem +tables' 'doctor has a problem with missing tables'
	S

each_vm --as 'no ECAM' --machine spr-2s --drivers none --append pci=nommconf <<-'S'
	fails_with 'No such device' 'the module does not load under pci=nommconf' modprobe pmon_uncore
	is "$(uncore_messages 'pmon_uncore: no discovery table can be found.*pci=nommconf' | wc -l)" 1 \
		'the log has one line that names pci=nommconf'
	like "$(pmonctl doctor)" 'problem +PCI .*pci=nommconf' 'doctor names pci=nommconf'
	S
finish
