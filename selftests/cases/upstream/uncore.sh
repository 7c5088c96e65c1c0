#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check the patches of tools/upstream for intel_uncore in turn, except the second, which only
# moves a function. The check of a patch fails without it, and passes with it and with all
# later patches. Counts are compared with the hardware's.
# kernels: newest
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/upstream-host.sh"

patched intel_uncore 5
# Add a unit whose MSR is in the local APIC's range, but defined in no mode of the APIC.
msr=$(machine spr-2s '
m["packages"] = [m["packages"][0]]
m["cpu"]["packages"] = 1
m["packages"][0]["discovery"]["units"].append(
    {"type": 79, "access": "msr", "address": "0x3800", "table": {"address": "0x8ff"}})')

cat >"$TMP/checks.sh" <<'S'
. /lib/test/uncore.sh
. /lib/test/defects.sh
load() { insmod /root/"$1"/intel-uncore.ko; }
unload() { rmmod intel_uncore; }
before() { hw truth reset; }

check_1() {
	name='links of UPI and M3UPI'
	right=0
	for link in 0 1 2 3; do
		for unit in 8/$link/upi 9/$link/m3upi; do
			pmu=${unit##*/}_$link unit=${unit%/*}
			hw truth reset
			got=$(counts 0.05 uncore_$pmu/event=0x21/ | cut -d' ' -f2)
			[ "$got" != "$(truth_of 0/$unit 0x21)" ] || right=$((right + 1))
		done
	done
	upstream_verdict "$right right" '8 right'
}
check_3() {
	name='ten thousand readings, and carries between them'
	for i in 0 1 2 3; do
		hw box 0/12289/0 rate $i 131072
		hw box 0/12289/0 carry $i 1
	done
	upstream_verdict "$(./reads uncore_qpi_0 0 0x1 10000 131072 100 | grep -o 'wrong=[0-9]*')" wrong=0
}
check_4() {
	name='a unit whose MSR is not there'
	[ -e $PMUS/uncore_type_79 ] && upstream_verdict 'a PMU' none || upstream_verdict none none
}
check_5() {
	name='a function in D3'
	unload
	hw d3 0 on
	hw illegal reset
	load $n
	upstream_verdict "$(hw illegal | grep -c .) accesses" '0 accesses'
	unload
	hw illegal reset
	hw d3 0 off
	load $n
}
S

for k in $KERNELS; do
	cat >"$TMP/ours.sh" <<-'S'
	echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/adopted.conf
	load() { modprobe pmon_uncore; }
	unload() { rmmod pmon_uncore; }
	S
	one_by_one "$k" 1 4 5 -- --machine "$msr"
	cat >"$TMP/ours.sh" <<-'S'
	load() { modprobe pmon_r2pcie r2pcie=Y qpi=Y; }
	unload() { rmmod pmon_r2pcie; }
	S
	one_by_one "$k" 3 -- --machine ivt-2s --program reads
done
finish
