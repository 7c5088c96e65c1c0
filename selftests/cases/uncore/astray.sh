#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test tables that lead to the expansion ROM, the crash log or an MSR of another kind,
# and devices with memory decoding disabled or with a driver named vfio-pci. Nothing of
# these is accessed, mappings are undone, and usable boxes count.
# contract: undecoded given
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# A table with one unit in the expansion ROM, whose address `rom` prints, and one in the
# crash log's BAR. The table's global control is IA32_MISC_ENABLE, and the table is longer
# than the BAR that holds it. The first root bus has room for the ROM.
device='m["packages"][0]["bus"] = 0
m["packages"][0]["oobmsm"] = {"rom": True, "telemetry_id": 4}'
lies='
m["packages"][0]["discovery"]["global"] = {"address": "0x1a0"}
m["packages"][0]["discovery"]["max_units"] = 1023
units = m["packages"][0]["discovery"]["units"]
units.append({"type": 900, "id": 0, "access": "mmio", "address": hex(ROM + 0x100)})
units.append({"type": 900, "id": 1, "access": "mmio", "address": "auto",
	      "table": {"address": {"bar": "telemetry", "offset": 0x100}}})'
# rom KERNEL: print the ROM's address, from a machine with BARs of the same sizes
rom() {
	vm --kernel "$1" --machine "$(machine spr-lean "$device${lies/ROM/0}")" \
		--drivers none -- \
		'sed -n "7s/ .*//p" /sys/bus/pci/devices/0000:00:03.1/resource'
}
# The global control is at an address without a unit, so that nothing responds.
silent=$(machine spr-lean '
m["packages"][0]["discovery"]["global"] = {"access": "mmio", "address": "0xa8600000"}')
# The global control is at an address that is not aligned.
nowhere=$(machine spr-2s '
m["packages"][0]["discovery"]["global"] = {"access": "mmio", "address": "0xa8600002"}')

for k in $KERNELS; do
	rom=$(rom "$k")
	like "$rom" '^0x[0-9a-f]*[1-9a-f][0-9a-f]*$' "$k: the device of the table has an expansion ROM"
	in_vm "$k a ROM, a crash log" --kernel "$k" --drivers adopted \
		--machine "$(machine spr-lean "$device${lies/ROM/$rom}")" <<-'S'
	mapped=$(grep -c ioremap /proc/vmallocinfo)
	hw count reset
	runs 'the module loads with a table that leads astray' modprobe pmon_uncore
	is "$(grep '^900 ' $PMON/pkg0-uncore0/rejected | cut -d' ' -f3,5-)" \
		"address not inside a BAR of the device
address inside other registers of the same device" \
	'a unit in the ROM and one in the crash log are rejected, each with its reason'
	is "$(grep '^-' $PMON/pkg0-uncore0/rejected)" \
		'- - units 0x3ff more than fit in the BAR
- - global 0x1a0 outside the counter MSRs of this platform' \
		'a table longer than its BAR and a global control outside counter MSRs are rejected'
	is "$(cat $PMON/pkg0-uncore0/global)" none 'a rejected global control is not used'
	is "$(uncore_messages '(global 0x1a0 outside the counter|units 0x3ff more)' | wc -l)" 2 \
		'the log has a line for the length and one for the global control'
	is "$(uncore_writes) $(uncore_accesses other reads) $(uncore_accesses other writes)" '0 0 0' \
		'no register outside the table is accessed'
	is "$(uncore_all_units 0.1 | sed 's/ 0.900.*//')" '' 'all accepted units count exactly'
	runs 'the module unloads after a table that leads astray' rmmod pmon_uncore
	is "$(grep -c ioremap /proc/vmallocinfo)" "$mapped" 'every mapping is undone after the unload'
	S
done

each_vm --as 'a silent global control' --machine "$silent" \
	--allow-illegal --drivers adopted <<-'S'
	mapped=$(grep -c ioremap /proc/vmallocinfo)
	runs 'the module loads with a global control that does not respond' modprobe pmon_uncore
	like "$(grep -c '^0x.*uncore_global_\(find\|add\).*ioremap' /proc/vmallocinfo)" '^1$' \
		'the global control that does not respond is mapped'
	fails_with 'No such device' \
		'a read of global_control fails if the register does not respond' cat $PMON/pkg0-uncore0/global_control
	hw count reset
	uncore_exactly 'a box under a global control that does not respond' 1 0.1 uncore_imc_0/event=5,umask=0xcf/@6/0
	is "$(uncore_accesses other writes)" 1 'a global control that does not respond is written once'
	runs 'the module with that global control unloads' rmmod pmon_uncore
	is "$(grep -c ioremap /proc/vmallocinfo)" "$mapped" \
		'the mapping of the global control is undone after the unload'
	S

each_vm --as 'in other hands' --machine "$nowhere" --drivers adopted --program regs --module claim <<-'S'
	table=/sys/bus/pci/devices/0000:e8:03.1
	# decode VALUE: write the command register of the device of package 1
	decode() { /root/regs pci 0000:e8:03.1 4 $1; }
	# why NAME REGEX: check that package 1 is not served, and that sysfs has the reason
	why() {
		hw count reset
		runs "$1: the module loads" modprobe pmon_uncore
		like "$(cat $PMON/pkg1-uncore0/rejected)" "$2" "$1: the file rejected has the reason"
		is "$(uncore_accesses table reads)" $((6 * (1 + $(uncore_listed 0)))) \
			"$1: no record of that package's table is read"
		is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 "$1: no box of that package is served"
		is "$(uncore_counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ | cut -d' ' -f1 | tr '\n' ' ')" \
			'0 ' "$1: the box of the other package counts"
		runs "$1: the module unloads" rmmod pmon_uncore
	}
	decode 0
	why 'memory decoding off' '^- - bar 0x0 memory decoding is off$'
	decode 2
	runs 'a driver with the name vfio-pci loads' insmod /root/claim.ko name=vfio-pci
	echo vfio-pci >$table/driver_override
	echo 0000:e8:03.1 >/sys/bus/pci/drivers_probe
	like "$(readlink $table/driver)" vfio-pci 'the device with the table is bound to vfio-pci'
	why "table's device at vfio-pci" '^- - device 0x[0-9a-f]+ belongs to a virtual machine$'

	# Unbind a function that a virtual machine keeps open: pmon_uncore must not wait for it.
	vfio=/sys/bus/pci/drivers/vfio-pci
	used=0000:fe:01.1
	runs 'the module loads beside a device at vfio-pci' modprobe pmon_uncore
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 'package 0 alone is served beside a device at vfio-pci'
	echo vfio-pci >/sys/bus/pci/devices/$used/driver_override
	echo $used >/sys/bus/pci/drivers_probe
	echo $used >/sys/module/claim/parameters/kept
	{ echo $used >$vfio/unbind; : >/tmp/let-go; } &
	becomes 'grep -qs claim_remove /proc/[0-9]*/stack'
	echo 0000:e8:03.1 >$vfio/unbind
	becomes '[ "$(cat $PMUS/uncore_imc_0/cpumask)" = 0,8 ]'
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 \
		'a table whose device leaves vfio-pci is served while another unbind waits'
	runs 'the module unloads while the unbind of another function waits' timeout 30 rmmod pmon_uncore
	is "$(ls /tmp/let-go 2>/dev/null)" '' 'the other function is still bound when the module has unloaded'
	echo >/sys/module/claim/parameters/kept
	wait
	echo >/sys/bus/pci/devices/$used/driver_override
	echo >$table/driver_override

	decode 0
	runs "the module loads before the table's device is enabled" modprobe pmon_uncore
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 'a table whose device is not enabled is not served'
	modprobe intel_vsec
	like "$(readlink $table/driver)" intel_vsec 'intel_vsec enables the device and binds'
	becomes '[ "$(cat $PMUS/uncore_imc_0/cpumask)" = 0,8 ]'
	is "$(uncore_listed 1)" "$(uncore_listed 0)" 'the table is read once intel_vsec has enabled the device'
	is "$(ls -d $PMON/pkg*-uncore* | wc -l)" 2 'each package has one table'
	is "$(uncore_counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ | wc -l)" 2 \
		'boxes of both packages count once the device is enabled'
	is "$(grep global $PMON/pkg1-uncore0/rejected)" \
		'- - global 0xa8600002 not aligned' \
		'a global control at an unaligned address is rejected'
	S
finish
