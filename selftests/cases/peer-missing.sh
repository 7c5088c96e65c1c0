#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What README says is missing on each kernel without openpmon: which drivers
# Debian builds, what the boxes of servers newer than the kernel are called, and
# which links the PMUs of UPI count. Without openpmon is with none of ours.
# kernels: 6.1 6.12 7.2
# check: 7.2
. "$(dirname "$0")/lib/tap.sh"

# built KERNEL: which of the drivers in question Debian builds for it
built() {
	cat "$("$ROOT/selftests/build/kernel" "$1")"/lib/modules/*/modules.{order,builtin} |
		sed 's|.*/||; s/\.ko.*//; y/-/_/' | sort -u |
		grep -xE 'intel_uncore|intel_vsec_tpmi|(intel_)?plr_tpmi|cxl_pci|cxl_pmu' |
		tr '\n' ' '
}

# row KERNEL: what README says of it
row() {
	sed -n "s/^| Debian $1[ |][^|]*| \([^|]*\) |.*/\1/p" "$ROOT/README.md"
}

named=' uncore_cha_0 uncore_imc_0 uncore_upi_0 '
numbered=' uncore_type_0_0 uncore_type_6_0 uncore_type_8_0 '
# Types of the hubs of dmr-2s; 31, 37, 38 and 47 are only in blocks.
hubs='4 5 6 19 23 24 30 32 33 34 35 36 43 45 46 48 49 50 51 '
for k in $KERNELS; do
	case $k in
	6.1)
		drivers='cxl_pci intel_uncore ' boxes=$numbered links='0 1 '
		says='numbers instead of names; no driver for performance limits'
		;;
	*)
		drivers='cxl_pci intel_uncore intel_vsec_tpmi ' boxes=$named
		links='0 '
		says='performance limits .*not built.*UPI.* count the first link'
		;;
	esac
	is "$(built "$k")" "$drivers" "$k: no driver for limits, none for CPMUs"
	like "$(row "$k")" "$says" "$k: README says so"
	like "$(row "$k")" "CXL" "$k: and that CXL is missing"

	in_vm "$k gnr-2s" --kernel "$k" --machine gnr-2s --drivers none <<-S
	. /lib/test/guest.sh
	# What loads by itself on a host; 6.1 has no more than the first.
	modprobe intel_uncore
	modprobe -a -q intel_vsec intel_vsec_tpmi isst_tpmi
	pmus=\$(ls /sys/bus/event_source/devices | grep -E '_(0|6|8|cha|imc|upi)_0\$' |
		sort | tr '\\n' ' ')
	is " \$pmus" '$boxes' 'what the boxes are called'
	is "\$(ls -d /sys/class/pmon /sys/kernel/debug/tpmi-*/plr 2>/dev/null)" '' \
		'no file with limits'
	finish
	S

	# From 7.x on the kernel knows Diamond Rapids.
	[ "$k" = 7.2 ] || in_vm "$k dmr-2s" --kernel "$k" --machine dmr-2s \
		--drivers none <<-S
	. /lib/test/guest.sh
	modprobe intel_uncore
	types=\$(ls /sys/bus/event_source/devices | sed -n 's/^uncore_type_\([0-9]*\).*/\1/p' |
		sort -un | tr '\\n' ' ')
	is "\$types" '$hubs' 'hubs have numbers, blocks are not found'
	is "\$(ls /sys/bus/event_source/devices | grep -cE 'uncore_(imc|cbo|sca)')" 0 \
		'none has a name'
	finish
	S

	in_vm "$k spr-2s" --kernel "$k" --machine spr-2s --drivers none <<-S
	. /lib/test/guest.sh
	modprobe intel_uncore
	perf stat -a -e uncore_upi_0/event=1/ -e uncore_upi_1/event=2/ -- sleep 0.1 2>/tmp/out
	linked=\$(hw truth controls | sed -n 's,^unit=0/8/\\([01]\\) .*,\\1,p' | sort -u | tr '\\n' ' ')
	is "\$linked" '$links' 'which UPI links of package 0 the PMUs of two count'
	finish
	S
done
finish
