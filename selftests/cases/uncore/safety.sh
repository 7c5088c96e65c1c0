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
		is "$(ls $PMUS | grep -c ^uncore_)" 0 "$1: no PMU is registered"
		is "$(uncore_writes) $(uncore_reads)" '0 0' "$1: no register is accessed"
	}
	runs 'mode=observe: the module loads' modprobe pmon_uncore mode=observe
	is "$(cat $PMON/pkg0-uncore0/mode)" observe 'mode=observe: the file mode has the value observe'
	is "$(cat $PMON/pkg0-uncore0/owner)" none 'mode=observe: sysfs names no owner'
	is "$(uncore_listed)" "$(hw units | wc -l)" 'mode=observe: all units are listed'
	none "mode=observe"
	runs 'mode=observe: the module unloads' rmmod pmon_uncore
	hw count reset
	runs 'mode=off: the module loads' modprobe pmon_uncore mode=off
	is "$(uncore_accesses table reads)" 0 'mode=off: no table is read'
	is "$(ls $PMON | grep -c uncore)" 0 'mode=off: sysfs has no table'
	none "mode=off"
	runs 'mode=off: the module unloads' rmmod pmon_uncore
	for wrong in 'mode=bogus is none of on, observe, off' \
		'names=bogus is not a list'; do
		bogus=${wrong%% *}
		hw count reset
		runs "$bogus: the module loads" modprobe pmon_uncore $bogus
		like "$(uncore_messages pmon_uncore)" "$wrong" "$bogus: the log has a line on the bad value"
		is "$(uncore_accesses table reads)" 0 "$bogus: no table is read"
		none $bogus
		runs "$bogus: the module unloads" rmmod pmon_uncore
	done

	# leave two boxes as firmware might: frozen, with an event in a control
	for unit in 0/6/0 0/6/1; do
		hw box $unit poke box 0x1
		hw box $unit poke ctl 2 0xcf05
		hw box $unit preload 2 77
	done
	hw count reset
	runs 'the module loads on boxes that firmware used' modprobe pmon_uncore
	is "$(uncore_writes) $(uncore_reads)" '0 0' 'loading accesses no counter register'
	uncore_exactly 'a box that firmware used' 2 0.1 uncore_imc_0/event=4,umask=0xcf/@6/0
	is "$(cat $PMON/pkg1-uncore0/global_control)" 0x0000000000000000 \
		'global_control is 0 before firmware freezes package 1'
	modprobe msr
	# on CPU 8, in package 1
	/root/regs msr 8 0x2ff0 1
	is "$(cat $PMON/pkg[01]-uncore0/global_control | tr '\n' ' ')" \
		'0x0000000000000000 0x0000000000000001 ' \
		'global_control shows that firmware froze package 1'
	/root/regs msr 8 0x2ff0 0
	hw count reset
	runs 'the module unloads after a box was used' rmmod pmon_uncore
	is "$(uncore_accesses box-ctl writes 0/6/0)" 2 "unloading writes a used box's control twice: reset and run"
	is "$(uncore_writes 0/6/0)" 2 'unloading writes no other register of a used box'
	like "$(hw truth 0/6/0)" 'ctr=0 ctl=0x0+ .* value=0x0 ' 'a used box is cleared after the unload'
	like "$(hw box 0/6/0)" 'box=0x0+( |$)' 'a used box is running after the unload'
	is "$(uncore_writes 0/6/1) $(uncore_reads 0/6/1)" '0 0' 'no register of an unused box is accessed at the unload'
	like "$(hw truth 0/6/1)" 'ctr=2 ctl=0x0*cf05 .* value=0x4d ' \
		'an unused box is as firmware left its registers'
	is "$(uncore_writes 0/0/0) $(uncore_writes 0/8/0)" '0 0' 'unused MSR and PCI boxes are not written'

	# package 1's device enters D3
	hw d3 1 on
	hw count reset
	runs 'D3: the module loads' modprobe pmon_uncore
	like "$(cat $PMON/pkg1-uncore0/rejected)" \
		'^- - device 0x[0-9a-f]+ is in D3' 'D3: the file rejected names the device in D3'
	is "$(uncore_messages 'package 1: discovery table of .* is faulty: device .* is in D3' | wc -l)" 1 \
		'D3: the log has one line on the device in D3'
	is "$(cat $PMON/pkg1-uncore0/units)" '' 'D3: the table in D3 has no unit'
	is "$(uncore_accesses table reads)" \
		$((6 * (1 + $(uncore_listed 0)))) 'D3: only the table of the other package is read'
	is "$(hw d3 1)" on 'D3: the device stays in D3'
	uncore_exactly 'D3: a box of the other package' 1 0.1 uncore_imc_0/event=5/@6/0
	is "$(cut -d' ' -f1 /tmp/counts)" 0 'D3: perf counts in package 0 only'
	runs 'D3: the module unloads' rmmod pmon_uncore
	hw d3 1 off

	# package 1's device is given to a virtual machine, before the load and after it
	pci=/sys/bus/pci
	table=0000:e8:03.1
	# lists NUMBER: wait until the driver lists NUMBER units of package 1
	lists() { becomes "[ \"\$(cat $PMON/pkg1-uncore0/units 2>/dev/null | wc -l)\" = $1 ]"; }
	if modprobe pci-stub; then
		echo pci-stub >$pci/devices/$table/driver_override
		echo $table >$pci/drivers_probe
		like "$(readlink $pci/devices/$table/driver)" pci-stub \
			"given away: the table's device is bound to pci-stub"
		hw count reset
		runs 'given away: the module loads' modprobe pmon_uncore
		units=$(wc -l <$PMON/pkg0-uncore0/units)
		like "$(cat $PMON/pkg1-uncore0/rejected)" \
			'^- - device 0x[0-9a-f]+ belongs to a virtual machine' \
			'given away: the file rejected names the virtual machine'
		is "$(uncore_accesses table reads)" $((6 * (1 + $(uncore_listed 0)))) \
			'given away: no record of that table is read'
		echo $table >$pci/drivers/pci-stub/unbind
		runs "given back: the table's units are listed" lists "$units"
		is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'given back: both packages are served'
		uncore_counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ \
			uncore_cha_0/event=1/ uncore_m2m_0/event=1/ >/tmp/counts
		is "$(grep -c ' [1-9]' /tmp/counts)" 6 'given back: six boxes count'
		hw count reset
		echo $table >$pci/drivers_probe
		is "$(cat $PMON/pkg1-uncore0/units 2>/dev/null)" '' \
			'given away in use: no unit of the table is listed'
		is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 \
			'given away in use: only package 0 is served'
		# Check three used boxes, which are accessed by MMIO, MSRs and PCI.
		uncore_handed_back 'given away in use' 1/6/0 1/0/0 1/7/0
		is "$(uncore_writes 1/6/1) $(uncore_reads 1/6/1)" '0 0' \
			'given away in use: no register of an unused box is accessed'
		is "$(uncore_writes 0/6/0)" 0 \
			'given away in use: no register of the other package is written'
		hw count reset
		uncore_counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ >/tmp/counts
		is "$(uncore_writes 1/6/0) $(uncore_reads 1/6/0)" '0 0' \
			'given away in use: a later event accesses no box that was given away'
		echo $table >$pci/drivers/pci-stub/unbind
		runs "given back again: the table's units are listed" lists "$units"
		is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'given back again: both packages are served'

		# Give away the function of a box that counts
		upi=0000:fe:01.1
		hw truth reset
		perf stat -x, -a -e uncore_upi_0/event=1/ -o /tmp/out -- \
			cat /tmp/end &
		becomes 'hw truth 1/8/0 | grep -q counted=[1-9]' ||
			not_ok 'an event of a UPI link counts'
		echo pci-stub >$pci/devices/$upi/driver_override
		echo $upi >$pci/drivers_probe
		like "$(readlink $pci/devices/$upi/driver)" pci-stub \
			'the function of a counting box is bound to pci-stub'
		uncore_handed_back 'a box given away as it counts' 1/8/0
		like "$(hw truth 0/8/0)" 'ctl=0x[0-9a-f]*1( |$)' \
			'given away as it counts: the event of the other package counts on'
		engine_end_counts
	fi
	S

unknown=$(machine spr-2s 'm["cpu"]["model"] = 200')
each_vm --as 'unknown model' --machine "$unknown" --drivers adopted <<-'S'
	runs 'the module loads on an unknown model' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/mode)" unknown-model 'the file mode has the value unknown-model'
	is "$(cat $PMON/pkg0-uncore0/platform)" unknown 'the file platform has the value unknown'
	is "$(ls $PMUS | grep -c '^uncore_type_')" 0 'no PMU is registered on an unknown model'
	is "$(uncore_writes) $(uncore_reads)" '0 0' 'no register is accessed on an unknown model'
	is "$(uncore_messages 'CPU model 0xc8 is not known: [0-9]* units are listed and not served' | wc -l)" 1 \
		'the log has one line on the unknown model'
	isnt "$(cat $PMON/pkg0-uncore0/units | wc -l)" 0 'units are listed on an unknown model'
	like "$(cat $PMON/pkg0-uncore0/units)" '^6 - 0 mmio ' 'units of an unknown model have no names'
	runs 'the module unloads on an unknown model' rmmod pmon_uncore
	runs 'the module loads with generic=1 on an unknown model' modprobe pmon_uncore generic=1
	is "$(cat $PMON/pkg0-uncore0/mode)" on 'the file mode has the value on with generic=1'
	uncore_exactly "a box by type number with generic=1" 2 0.1 uncore_type_6_0/event=5/@6/0
	# Boxes that it has frozen would count 0 without a word.
	like "$(grep '^- - global ' $PMON/pkg0-uncore0/rejected)" '^- - global 0x[0-9a-f]+ ' \
		'a global control that is not used on an unknown model is listed as rejected'
	isnt "$(uncore_messages 'global 0x[0-9a-f]+ ' | wc -l)" 0 \
		'the log has the global control that is not used on an unknown model'
	S

# On an unknown model the driver finds a function by its DVSEC, not its device ID.
other=$(machine spr-2s 'm["cpu"]["model"] = 200
m["cpu"]["packages"] = 1
m["packages"][0]["oobmsm"] = {"id": "8086:7abc"}')
port=$(machine spr-2s 'm["cpu"]["model"] = 200
m["cpu"]["packages"] = 1
m["packages"][0]["oobmsm"] = {"id": "8086:7abc", "port": "05.0"}')
each_vm --as 'unknown model, other function' --machine "$other" --drivers adopted <<-'S'
	runs 'the module loads with a table in an unknown function' modprobe pmon_uncore
	is "$(ls -d $PMON/pkg*-uncore* | wc -l)" 1 'the table in an unknown function is found'
	is "$(cat $PMON/pkg0-uncore0/mode)" unknown-model 'the table in an unknown function is only observed'
	isnt "$(cat $PMON/pkg0-uncore0/units | wc -l)" 0 "units in an unknown function's table are listed"
	is "$(ls $PMUS | grep -c '^uncore_type_') $(uncore_writes) $(uncore_reads)" '0 0 0' \
		'no PMU is registered and no register accessed for an unknown function'
	is "$(uncore_accesses msr reads)" 0 'no MSR that may name a table is read on an unknown model'
	runs 'the module unloads with a table in an unknown function' rmmod pmon_uncore
	runs 'the module loads with generic=1 and a table in an unknown function' modprobe pmon_uncore generic=1
	is "$(cat $PMUS/uncore_type_6_0/cpumask)" 0 "boxes of an unknown function's table are served with generic=1"
	is "$(uncore_accesses msr reads)" 0 'no MSR is read with generic=1 if a function has a table'
	S

each_vm --as 'unknown model, behind a port' --machine "$port" --drivers adopted <<-'S'
	fails_with 'No such device' \
		'the module does not load if the only table is behind a port' modprobe pmon_uncore
	is "$(uncore_accesses table reads)" 0 'a table behind a port is not read'
	S

# The function of package 1 is not there, so the package of the other one is not known.
alone=$(machine spr-2s 'm["cpu"]["model"] = 200
for key in "upi", "msm", "functions", "tpmi": m["packages"][0].pop(key, None)
m["packages"][0]["bus"] = "0x6a"
m["packages"].append({"bus": "0xe8", "node": 1, "oobmsm": []})')
each_vm --as 'unknown model, one function of two' --machine "$alone" --drivers adopted <<-'S'
	runs 'the module loads with generic=1 beside an unknown package' modprobe pmon_uncore generic=1
	is "$(uncore_messages 'package of the discovery table of 0000:[0-9a-f:.]* is not known' | wc -l)" 1 \
		'the log has the function whose package is not known'
	is "$(uncore_accesses msr reads)" 0 'no MSR is read beside a table of unknown package'
	like "$(pmonctl doctor)" 'problem +0000:[0-9a-f:.]+ +has a table of counter boxes, and nobody serves a box' \
		'doctor has the function of which no box is served as a problem'
	S

# On a known model only functions with known device IDs have tables.
known=$(machine spr-2s 'for p in m["packages"]: p["oobmsm"] = {"id": "8086:7abc"}')
each_vm --as 'known model, other function' --machine "$known" --drivers adopted <<-'S'
	fails_with 'No such device' \
		'the module does not load if a known model has its table in another function' modprobe pmon_uncore
	is "$(uncore_accesses table reads)" 0 'a table in another function of a known model is not read'
	S

guest=$(machine spr-2s 'm["cpu"]["hypervisor"] = True')
each_vm --as hypervisor --machine "$guest" --drivers none <<-'S'
	runs 'the module loads under a hypervisor' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/mode)" hypervisor 'the file mode has the value hypervisor'
	is "$(ls $PMUS | grep -c '^uncore_')" 0 'no PMU is registered under a hypervisor'
	is "$(uncore_messages 'running under a hypervisor: [0-9]* units are listed and not served' | wc -l)" 1 \
		'the log has one line on the hypervisor'
	is "$(uncore_writes) $(uncore_reads)" '0 0' 'no register is accessed under a hypervisor'
	runs 'the module unloads under a hypervisor' rmmod pmon_uncore
	runs 'the module loads with generic=1 under a hypervisor' modprobe pmon_uncore generic=1
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0,8 'boxes are served with generic=1 under a hypervisor'
	S
finish
