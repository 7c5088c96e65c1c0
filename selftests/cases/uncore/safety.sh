#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check that the driver makes only permitted accesses. A load writes nothing. Used boxes
# are handed back cleared and running, unused ones untouched, also when their device is
# given to a virtual machine. With mode=observe or an unknown model there is no PMU. A
# device in D3 is left alone.
# contract: load load-reads asleep given handback handback-others unknown guest
# all kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

readable=$(machine spr-2s 'm["packages"][0]["discovery"]["global"]["readable"] = True')

each_vm --machine "$readable" --drivers adopted --program regs <<-'S'
	# none MODE: check that the module registers no PMU and accesses no register
	none() {
		is "$(ls $PMUS | grep -c ^uncore_)" 0 "$1: no PMU"
		is "$(writes) $(reads)" '0 0' "$1: no register touched"
	}
	runs 'mode=observe' modprobe pmon_uncore mode=observe
	is "$(cat $PMON/pkg0-uncore0/mode)" observe 'observe: says so'
	is "$(cat $PMON/pkg0-uncore0/owner)" none 'observe: nobody serves'
	is "$(listed)" "$(hw units | wc -l)" 'observe: all units listed'
	none observe
	runs 'observe: unloading' rmmod pmon_uncore
	hw count reset
	runs 'mode=off' modprobe pmon_uncore mode=off
	is "$(accesses table reads)" 0 'off: the table is not read'
	is "$(ls $PMON | grep -c uncore)" 0 'off: no device'
	none off
	runs 'off: unloading' rmmod pmon_uncore
	for wrong in 'mode=bogus is none of on, observe, off' \
		'names=bogus is not a list'; do
		bogus=${wrong%% *}
		hw count reset
		runs "$bogus: loaded" modprobe pmon_uncore $bogus
		like "$(messages pmon_uncore)" "$wrong" 'with a word why'
		is "$(accesses table reads)" 0 'and off: the table is not read'
		none $bogus
		runs "$bogus: unloading" rmmod pmon_uncore
	done

	# leave two boxes as firmware might: frozen, with an event in a control
	for unit in 0/6/0 0/6/1; do
		hw box $unit poke box 0x1
		hw box $unit poke ctl 2 0xcf05
		hw box $unit preload 2 77
	done
	hw count reset
	runs 'loading' modprobe pmon_uncore
	is "$(writes) $(reads)" '0 0' 'loading touches no counter register'
	exactly 'what was left there does not count' 2 0.1 uncore_imc_0/event=4,umask=0xcf/@6/0
	is "$(cat $PMON/pkg1-uncore0/global_control)" 0x0000000000000000 \
		'nothing is frozen'
	modprobe msr
	# on CPU 8, in package 1
	/root/regs msr 8 0x2ff0 1
	is "$(cat $PMON/pkg[01]-uncore0/global_control | tr '\n' ' ')" \
		'0x0000000000000000 0x0000000000000001 ' \
		'what firmware froze can be seen'
	/root/regs msr 8 0x2ff0 0
	hw count reset
	runs 'unloading' rmmod pmon_uncore
	is "$(accesses box-ctl writes 0/6/0)" 2 'a used box: reset and run'
	is "$(writes 0/6/0)" 2 'and nothing else'
	like "$(hw truth 0/6/0)" 'ctr=0 ctl=0x0+ .* value=0x0 ' 'it is cleared'
	like "$(hw box 0/6/0)" 'box=0x0+( |$)' 'and running'
	is "$(writes 0/6/1) $(reads 0/6/1)" '0 0' 'an unused box is not touched'
	like "$(hw truth 0/6/1)" 'ctr=2 ctl=0x0*cf05 .* value=0x4d ' \
		'it is as it was found'
	is "$(writes 0/0/0) $(writes 0/8/0)" '0 0' 'nor are MSR and PCI boxes'

	# package 1's device enters D3
	hw d3 1 on
	hw count reset
	runs 'D3: loading' modprobe pmon_uncore
	like "$(cat $PMON/pkg1-uncore0/rejected)" \
		'^- - device 0x[0-9a-f]+ is in D3' 'D3: reported in sysfs'
	is "$(messages 'package 1: discovery table of .* is faulty: device .* is in D3' | wc -l)" 1 \
		'D3: in one line in the log'
	is "$(cat $PMON/pkg1-uncore0/units)" '' 'D3: it has no units'
	is "$(accesses table reads)" \
		$((6 * (1 + $(listed 0)))) \
		'D3: only the other table is read'
	is "$(hw d3 1)" on 'D3: it still sleeps'
	exactly 'D3, the other package' 1 0.1 uncore_imc_0/event=5/@6/0
	is "$(cut -d' ' -f1 /tmp/counts)" 0 'D3: and this one has no such box'
	runs 'D3: unloading' rmmod pmon_uncore
	hw d3 1 off

	# package 1's device is given to a virtual machine, before the load and after it
	pci=/sys/bus/pci
	table=0000:e8:03.1
	# lists NUMBER: wait until the driver lists NUMBER units of package 1
	lists() { becomes "[ \"\$(cat $PMON/pkg1-uncore0/units 2>/dev/null | wc -l)\" = $1 ]"; }
	if modprobe pci-stub; then
		echo pci-stub >$pci/devices/$table/driver_override
		echo $table >$pci/drivers_probe
		like "$(readlink $pci/devices/$table/driver)" pci-stub 'given away'
		hw count reset
		runs 'given away: loading' modprobe pmon_uncore
		units=$(wc -l <$PMON/pkg0-uncore0/units)
		like "$(cat $PMON/pkg1-uncore0/rejected)" \
			'^- - device 0x[0-9a-f]+ belongs to a virtual machine' \
			'given away: reported'
		is "$(accesses table reads)" $((6 * (1 + $(listed 0)))) \
			'given away: its table is not read'
		echo $table >$pci/drivers/pci-stub/unbind
		runs 'given back: read' lists "$units"
		is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'given back: served'
		counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ \
			uncore_cha_0/event=1/ uncore_m2m_0/event=1/ >/tmp/counts
		is "$(grep -c ' [1-9]' /tmp/counts)" 6 'given back: counts'
		hw count reset
		echo $table >$pci/drivers_probe
		is "$(cat $PMON/pkg1-uncore0/units 2>/dev/null)" '' \
			'given away in use: not listed any more'
		is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 \
			'given away in use: not served any more'
		# Check three used boxes, which are accessed by MMIO, MSRs and PCI.
		handed_back 'given away in use' 1/6/0 1/0/0 1/7/0
		is "$(writes 1/6/1) $(reads 1/6/1)" '0 0' \
			'given away in use: what was not used is not touched'
		is "$(writes 0/6/0)" 0 \
			'given away in use: nor is the other package'
		hw count reset
		counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ >/tmp/counts
		is "$(writes 1/6/0) $(reads 1/6/0)" '0 0' \
			'given away in use: not touched any more'
		echo $table >$pci/drivers/pci-stub/unbind
		runs 'given back again: read' lists "$units"
		is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'given back again: served'

		# Give away the function of a box that counts
		upi=0000:fe:01.1
		hw truth reset
		perf stat -x, -a -e uncore_upi_0/event=1/ -o /tmp/out -- \
			cat /tmp/end &
		becomes 'hw truth 1/8/0 | grep -q counted=[1-9]' ||
			not_ok 'it counts'
		echo pci-stub >$pci/devices/$upi/driver_override
		echo $upi >$pci/drivers_probe
		like "$(readlink $pci/devices/$upi/driver)" pci-stub \
			'a box given away as it counts'
		handed_back 'given away as it counts' 1/8/0
		like "$(hw truth 0/8/0)" 'ctl=0x[0-9a-f]*1( |$)' \
			'given away as it counts: the other package counts on'
		end_counts
	fi
	S

unknown=$(machine spr-2s 'm["cpu"]["model"] = 200')
each_vm --as 'unknown model' --machine "$unknown" --drivers adopted <<-'S'
	runs 'loading' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/mode)" unknown-model 'says so'
	is "$(cat $PMON/pkg0-uncore0/platform)" unknown 'platform'
	is "$(ls $PMUS | grep -c '^uncore_type_')" 0 'no PMU'
	is "$(writes) $(reads)" '0 0' 'no register touched'
	is "$(messages 'CPU model 0xc8 is not known: [0-9]* units are listed and not served' | wc -l)" 1 'one line'
	isnt "$(cat $PMON/pkg0-uncore0/units | wc -l)" 0 'units are listed'
	like "$(cat $PMON/pkg0-uncore0/units)" '^6 - 0 mmio ' 'without names'
	runs 'unloading' rmmod pmon_uncore
	runs 'generic=1' modprobe pmon_uncore generic=1
	is "$(cat $PMON/pkg0-uncore0/mode)" on 'generic=1: served'
	exactly generic=1 2 0.1 uncore_type_6_0/event=5/@6/0
	S

# On an unknown model the driver finds a function by its DVSEC, not its device ID.
other=$(machine spr-2s 'm["cpu"]["model"] = 200
m["cpu"]["packages"] = 1
m["packages"][0]["oobmsm"] = {"id": "8086:7abc"}')
port=$(machine spr-2s 'm["cpu"]["model"] = 200
m["cpu"]["packages"] = 1
m["packages"][0]["oobmsm"] = {"id": "8086:7abc", "port": "05.0"}')
each_vm --as 'unknown model, other function' --machine "$other" --drivers adopted <<-'S'
	runs 'loading' modprobe pmon_uncore
	is "$(ls -d $PMON/pkg*-uncore* | wc -l)" 1 'one table is found'
	is "$(cat $PMON/pkg0-uncore0/mode)" unknown-model 'and observed'
	isnt "$(cat $PMON/pkg0-uncore0/units | wc -l)" 0 'units are listed'
	is "$(ls $PMUS | grep -c '^uncore_type_') $(writes) $(reads)" '0 0 0' \
		'no PMU, no register touched'
	is "$(accesses msr reads)" 0 'no MSR is read that may name a table'
	runs 'unloading' rmmod pmon_uncore
	runs 'generic=1' modprobe pmon_uncore generic=1
	is "$(cat $PMUS/uncore_type_6_0/cpumask)" 0 'generic=1: served'
	is "$(accesses msr reads)" 0 'a table in a function comes first'
	S

each_vm --as 'unknown model, behind a port' --machine "$port" --drivers adopted <<-'S'
	fails_with 'No such device' 'a table behind a port is none' modprobe pmon_uncore
	is "$(accesses table reads)" 0 'and is not read'
	S

# On a known model only functions with known device IDs have tables.
known=$(machine spr-2s 'for p in m["packages"]: p["oobmsm"] = {"id": "8086:7abc"}')
each_vm --as 'known model, other function' --machine "$known" --drivers adopted <<-'S'
	fails_with 'No such device' 'another function of a known model is none' modprobe pmon_uncore
	is "$(accesses table reads)" 0 'and is not read'
	S

guest=$(machine spr-2s 'm["cpu"]["hypervisor"] = True')
each_vm --as hypervisor --machine "$guest" --drivers none <<-'S'
	runs 'loading' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/mode)" hypervisor 'says so'
	is "$(ls $PMUS | grep -c '^uncore_')" 0 'no PMU'
	is "$(messages 'running under a hypervisor: [0-9]* units are listed and not served' | wc -l)" 1 'one line'
	is "$(writes) $(reads)" '0 0' 'no register touched'
	runs 'unloading' rmmod pmon_uncore
	runs 'generic=1' modprobe pmon_uncore generic=1
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'generic=1: served'
	S
finish
