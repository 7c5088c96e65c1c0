#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Show what each kernel lacks without openpmon: drivers that Debian does not build, names
# of boxes on servers newer than the kernel, UPI links that no PMU counts, names and boxes
# of Diamond Rapids, and limits that can be read under lockdown.
# kernels: 6.1 6.12 newest
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# On sparc64 only the driver of the cores' counters registers a PMU.
is "$(cd "$("$ROOT/selftests/lib/build/source" 6.12)" &&
	grep -rl perf_pmu_register arch/sparc)" arch/sparc/kernel/perf_event.c \
	'the kernel of sun4v has no PMU but that of the cores'

# built KERNEL: print which drivers of the list in grep Debian builds for KERNEL
built() {
	cat "$("$ROOT/selftests/lib/build/kernel" "$1")"/lib/modules/*/modules.{order,builtin} |
		sed 's|.*/||; s/\.ko.*//; y/-/_/' | sort -u |
		grep -xE 'intel_uncore|intel_vsec_tpmi|(intel_)?plr_tpmi|cxl_pci|cxl_pmu' |
		tr '\n' ' '
}

named=' uncore_cha_0 uncore_imc_0 uncore_upi_0 '
numbered=' uncore_type_0_0 uncore_type_6_0 uncore_type_8_0 '
# Types of units in the hubs (IMH) of dmr-2s. Only its blocks (CBB) have 31, 37, 38 and 47.
hubs='4 5 6 19 23 24 30 32 33 34 35 36 43 45 46 48 49 50 51 '

# names KERNEL MACHINE: check the names of boxes, and that no file shows limits
names() {
	in_vm "$1 $2" --kernel "$1" --machine "$2" --drivers none <<-S
	# Load modules that a host loads by itself; 6.1 has only the first.
	modprobe intel_uncore
	modprobe -a -q intel_vsec intel_vsec_tpmi isst_tpmi
	pmus=\$(ls /sys/bus/event_source/devices | grep -E '_(0|6|8|cha|imc|upi)_0\$' |
		sort | tr '\\n' ' ')
	is " \$pmus" '$boxes' "the kernel's PMUs have the expected names"
	is "\$(ls -d /sys/class/pmon /sys/kernel/debug/tpmi-*/plr 2>/dev/null)" '' \
		'the kernel has no file with limits'
	S
}

# links KERNEL NAME MACHINE: check which links the two UPI PMUs count in package 0
links() {
	in_vm "$1 $2" --kernel "$1" --machine "$3" --drivers none <<-S
	modprobe intel_uncore
	perf stat -a -e uncore_upi_0/event=1/ -e uncore_upi_1/event=2/ -- sleep 0.1 2>/tmp/out
	linked=\$(hw truth controls | sed -n 's,^unit=0/8/\\([01]\\) .*,\\1,p' | sort -u | tr '\\n' ' ')
	is "\$linked" '$links' 'the UPI PMUs of package 0 count the expected links'
	S
}

emr=$(machine spr-2s 'm["name"] = "emr-2s"
m["cpu"].update(model=207, stepping=2)')
for k in $KERNELS; do
	case $k in
	6.1) drivers='cxl_pci intel_uncore ' boxes=$numbered links='0 1 ' ;;
	*)
		drivers='cxl_pci intel_uncore intel_vsec_tpmi ' boxes=$named
		links='0 '
		;;
	esac
	is "$(built "$k")" "$drivers" "$k: Debian builds no driver for limits and none for CPMUs"
	names "$k" gnr-2s
	names "$k" srf-1s
	links "$k" spr-2s spr-2s
	links "$k" emr-2s "$emr"

	# From 7.2 on the kernel supports Diamond Rapids.
	[ "$k" = newest ] || in_vm "$k dmr-2s" --kernel "$k" --machine dmr-2s \
		--drivers none <<-S
	modprobe intel_uncore
	types=\$(ls /sys/bus/event_source/devices | sed -n 's/^uncore_type_\([0-9]*\).*/\1/p' |
		sort -un | tr '\n' ' ')
	is "\$types" '$hubs' 'the kernel numbers PMUs of hubs and finds no block'
	is "\$(ls /sys/bus/event_source/devices | grep -cE 'uncore_(imc|cbo|sca)')" 0 \
		'the kernel has no PMU with a name on Diamond Rapids'
	S

	# The kernel's driver gets the second package here, and ours the first.
	[ "$k" = 6.1 ] || in_vm "$k lockdown" --kernel "$k" --machine gnr-2s \
		--drivers none <<-'S'
	. /lib/test/plr.sh
	plr_load
	modprobe -q intel_tpmi_power_domains || modprobe -q tpmi_power_domains
	cd /sys/bus/auxiliary/drivers/pmon_plr.plr
	ls -d intel_vsec.* | tail -n 1 >unbind
	insmod /lib/peers/intel_plr_tpmi.ko
	mount -t securityfs none /sys/kernel/security
	theirs=$(ls /sys/kernel/debug/tpmi-*/plr/domain0/status)
	runs "the file of intel_plr_tpmi is readable without lockdown" cat "$theirs"
	echo integrity >/sys/kernel/security/lockdown
	like "$(cat "$theirs" 2>&1)" 'not permitted' 'the file of intel_plr_tpmi is not readable under lockdown'
	is "$(cat $PMON/pkg0-dom0/plr/core0/reasons)" none 'the file of pmon_plr is readable under lockdown'
	S
done
finish
