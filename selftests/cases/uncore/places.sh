#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Addresses of units in memory are checked. Memory controllers are in no window of a host
# bridge; they count whether or not firmware's map has their addresses as reserved. A unit
# whose address leads into other known registers is rejected, with the reason, and nothing
# there is accessed.
# contract: addresses
# all kernels: 6.12
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# The machine has a port, whose windows and BARs are checked below. The kernel gets ACPI
# tables, reserved memory and claimed addresses from its command line.
append="memmap=1M#0x50000000 memmap=16M\$0x20000000"
append+=' reserve=0xa0000000,0x1000,0xa8700000,0x1000'
cat >"$TMP/places" <<'E'
0x000a0000 in the first megabyte
0x01000000 is memory
0x20001000 is memory
0x50001000 is memory of the firmware
0xa0000100 claimed by something else
0xa8700100 claimed by something else
0xb0003000 inside PCI configuration space
0xf8001000 inside another device
0xfc000040 inside another device
0xfc180000 behind a bridge to other devices
0xfec00010 inside an I/O APIC
0xfed00100 inside the timers of the chipset
0xfee00300 inside a local APIC
0xfff00000 is memory of the firmware
0xff00000000000 beyond the physical address space
E
lies=$(machine spr-lean "$(cat <<PY
m["packages"][0]["bus"] = 0
m["packages"][0]["port"] = "04.0"
m["memory_controllers"] = "reserved"
units = m["packages"][0]["discovery"]["units"]
for n, line in enumerate(open("$TMP/places")):
    units.append({"type": 900, "id": n, "access": "mmio", "address": line.split()[0]})
# valid addresses: empty places in windows, and the first one after a claimed range
for n, place in enumerate(("0x70000000", "0xfe000000", "0xa0001000")):
    units.append({"type": 901, "id": n, "access": "mmio", "address": place})
# more invalid units than the log has lines for, in a BAR as large as their table
del m["packages"][0]["oobmsm"]["shape"]
units.append({"type": 902, "count": 260, "access": "mmio", "address": "0x70010000",
              "counters": 4, "width": 48, "table": {"width": 255}})
PY
)")
reserved=$(machine spr-2s 'm["memory_controllers"] = "reserved"')
bar=$(machine spr-2s 'm["memory_controllers"] = "bar"')

cat >"$TMP/common.sh" <<'S'
# count PLACE: check that all memory controllers are served, and the counts of two
count() {
	is "$(cat $PMON/pkg[01]-uncore0/rejected)" '' "$1: no unit is rejected"
	is "$(awk '$2 == "imc"' $PMON/pkg[01]-uncore0/units | wc -l)" 16 \
		"$1: all 16 memory controllers are listed"
	is "$(ls $PMUS | grep -c uncore_imc_free_running)" 4 \
		"$1: all four free-running imc PMUs are registered"
	uncore_exactly "$1" 4 0.1 uncore_imc_0/event=5/@6/0 uncore_imc_7/event=5/@6/7
}
S

# Only firmware's map has the memory at 0x20001000, which memmap= removed. Since 6.18
# Linux exports that map to KVM alone, so on the newest kernel this address is accepted.
cp "$TMP/places" "$TMP/all"
for k in $KERNELS; do
	hidden='^$'
	[ "$k" != newest ] || hidden=20001000
	grep -v "$hidden" "$TMP/all" >"$TMP/places"
	in_vm "$k places" --kernel "$k" --machine "$lies" --drivers adopted \
		--append "$append" --copy "$TMP/places" <<-'S'
	# has RANGE WHAT: check that the machine has such a range
	has() {
		like "$(cat /proc/iomem)" "$1 : $2" "the machine has the range $2"
	}
	has '20000000-20ffffff' Reserved
	has '50000000-500fffff' 'ACPI Tables'
	has 'a8000000-a87fffff' Reserved
	has 'a8700000-a8700fff' reserved
	has 'f8000000-fbffffff' 0000:00:1e.0
	has 'fc000000-fc1fffff' 'PCI Bus 0000:01'
	has 'fc000000-fc0fffff' 0000:01:00.0

	hw count reset
	runs 'the module loads with units at bad addresses' modprobe pmon_uncore
	is "$(uncore_writes) $(uncore_reads)" '0 0' 'loading accesses no register of a unit'
	is "$(uncore_accesses other reads) $(uncore_accesses other writes)" '0 0' 'loading accesses nothing at a bad address'
	is "$(grep '^900 ' $PMON/pkg0-uncore0/rejected | cut -d' ' -f4-)" \
		"$(sed 's/^0x0*/0x/' /root/places)" 'every unit at a bad address is rejected with its reason'
	is "$(grep -vcE '^90[02] ' $PMON/pkg0-uncore0/rejected)" 0 'no unit at a good address is rejected'
	is "$(uncore_messages 'package 0: unit type .* rejected: ' | wc -l)" 256 \
		'the log has a line for each of the first 256 rejected units'
	is "$(uncore_messages "package 0: $(($(wc -l </root/places) + 260 - 256)) more units rejected, see /sys/class/pmon/pkg0-uncore0/rejected" | wc -l)" 1 \
		'the log has one line for all further rejected units'
	is "$(awk '$1 == 900' $PMON/pkg0-uncore0/units | wc -l)" \
		$((15 - $(wc -l </root/places))) 'no unit at a bad address is used but one that the kernel hides'
	is "$(uncore_messages 'package 0: unit type 900 id [0-9]* rejected: address ' | wc -l)" \
		"$(wc -l </root/places)" 'the log has a line for each unit at a bad address'
	is "$(awk '$1 == 901 { print $3 }' $PMON/pkg0-uncore0/units | tr '\n' ' ')" \
		'0 1 2 ' 'units at unused addresses of windows are accepted'
	like "$(pmonctl list)" 'inside a local APIC' 'pmonctl list has the reason of a bad address'
	like "$(pmonctl doctor)" "$(($(wc -l </root/places) + 260)) rejected" \
		'pmonctl doctor has the number of rejected units'
	is "$(awk '$2 == "imc"' $PMON/pkg0-uncore0/units | wc -l)" 2 \
		'memory controllers in reserved memory are accepted'
	runs 'the module unloads after bad addresses' rmmod pmon_uncore
	is "$(grep -c uncore /proc/iomem)" 0 'the module claims no address after the unload'

	# With placement=kernel few addresses are refused, as in intel_uncore.
	hw count reset
	runs 'the module loads with placement=kernel' modprobe pmon_uncore placement=kernel
	is "$(uncore_writes) $(uncore_accesses other reads) $(uncore_accesses other writes)" '0 0 0' \
		'placement=kernel: loading accesses no register'
	is "$(grep '^900 ' $PMON/pkg0-uncore0/rejected | cut -d' ' -f4-)" \
		"$(sed 's/^0x0*/0x/' /root/places | grep -E '^0x1000000 |APIC|timers|beyond|first|0xff')" \
		'placement=kernel: only used memory and fixed areas are rejected'
	runs 'placement=kernel: the module unloads' rmmod pmon_uncore
	runs 'pci-stub loads' modprobe pci-stub
	echo pci-stub >/sys/bus/pci/devices/0000:01:00.0/driver_override
	echo 0000:01:00.0 >/sys/bus/pci/drivers_probe
	runs 'placement=kernel: the module loads beside a device at pci-stub' modprobe pmon_uncore placement=kernel
	is "$(grep '^900 .* 0xfc000040 ' $PMON/pkg0-uncore0/rejected | cut -d' ' -f5-)" \
		'belongs to a virtual machine' \
		"placement=kernel: an address in a virtual machine's device is rejected"
	runs 'placement=kernel: the module unloads beside a device at pci-stub' rmmod pmon_uncore
	runs 'the module loads with the bad value placement=any' modprobe pmon_uncore placement=any
	is "$(ls $PMON)" '' 'placement=any: sysfs has no table'
	is "$(uncore_messages 'placement=any is neither checked nor kernel: doing nothing' | wc -l)" 1 \
		'placement=any: the log has one line on the bad value'
	runs 'placement=any: the module unloads' rmmod pmon_uncore
	S
done

each_vm --as unmapped --machine spr-2s <<-'S'
	is "$(grep -c '^a8[0-9a-f]*-' /proc/iomem)" 0 'memory controllers are in no map and no window'
	count unmapped
	S
# The remedy for a host whose map is wrong is placement=kernel.
each_vm --as placement=kernel --machine spr-2s --append reserve=0xa8222000,0x1000 <<-'S'
	is "$(cat $PMON/pkg0-uncore0/rejected)" '6 0 address 0xa8222800 claimed by something else' \
		'a memory controller at a claimed address is rejected'
	like "$(pmonctl doctor)" 'placement=kernel *uses them' 'doctor names placement=kernel for a claimed address'
	rmmod pmon_uncore
	runs 'the module loads with placement=kernel' modprobe pmon_uncore placement=kernel
	count placement=kernel
	like "$(pmonctl doctor)" 'note *places *placement=kernel' 'doctor has a note on placement=kernel'
	S
each_vm --as reserved --machine "$reserved" <<-'S'
	is "$(grep a8000000 /proc/iomem)" 'a8000000-a8ffffff : Reserved' \
		'memory controllers are in reserved memory and in no window'
	count reserved
	S
each_vm --as 'in a BAR' --machine "$bar" <<-'S'
	count 'in a BAR'
	# Memory decoding is bit 1 of the command register.
	command=/sys/bus/pci/devices/0000:6a:03.1/config
	dd if=$command of=/tmp/command bs=1 skip=4 count=1 2>/dev/null
	printf '\0' | dd of=$command bs=1 seek=4 conv=notrunc 2>/dev/null
	is "$(uncore_counts 1.2 uncore_imc_0/event=5/ 2>/dev/null | grep -c '^0 [0-9]')" 0 \
		'a box in a BAR without memory decoding has no count'
	is "$(cat $PMUS/uncore_imc_0/unresponsive | tr '\n' ' ')" '0 1 1 0 ' \
		'a box in a BAR without memory decoding is unresponsive'
	dd if=/tmp/command of=$command bs=1 seek=4 conv=notrunc 2>/dev/null
	count 'in a BAR that decodes memory again'
	S
finish
