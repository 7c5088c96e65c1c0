#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test R2PCIe of Xeon E5 v1, v3 and v4, on one, four and eight sockets, and of v2 without
# NUMA: every event of perf's list for the processor counts exactly in each package,
# groups open when they can be counted, and the manual forbids no access. For v3 openpmon
# adds three names to those of the list: sums, as in the list of v4.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

linux=$("$ROOT/selftests/lib/build/source" 6.12)

# generation VERSION MODEL LIST EVENTS PACKAGES [EACH_VM_OPTION...]: test one processor
generation() {
	local list file sums='' name="v$1, $5 sockets"

	for list in names groups; do
		"$CASES/lib/r2pcie-events.py" "$linux" "$3" R2PCIe "$list" >"$TMP/$list"
	done
	is "$(wc -l <"$TMP/names")" "$4" "$name: perf lists $4 events"
	file=$(machine ivt-2s "
m['cpu'].update(model=$2, packages=$5, cores=1)
m['memory_mib'] = 512 * max($5, 2)
m['r2pcie'] = {'version': $1}")
	[ "$1" != 3 ] || sums='ring_ad_used_all ring_ak_used_all ring_bl_used_all '
	each_vm --as "$name" --machine "$file" --drivers none --timeout 400 \
		--set sums="$sums" --copy "$TMP/names" --copy "$TMP/groups" --program hold \
		"${@:6}" <<'SCRIPT'
packages=$(hw machine | sed 's/.*packages=\([0-9]*\).*/\1/')
modprobe pmon_r2pcie r2pcie=Y qpi=Y
is "$(wc -l <$PMUS/uncore_r2pcie/functions)" $packages 'the PMU has a function in each package'
for name in $(ls $PMUS/uncore_r2pcie/events); do
	grep -q " $name " names || echo $name
done >more
is "$(tr '\n' ' ' <more)" "$sums" "the PMU has all names of perf's list and no other but sums"
is "$(r2pcie_wrong_aliases)" '' "each alias has the encoding of perf's list"
is "$(awk '{ print "uncore_r2pcie/" $2 "/", $3, $4 }' names | r2pcie_wrong_counts $packages)" '' \
	"all $(wc -l <names) events count exactly in $packages packages"
hw truth reset
is "$(hold_wrong_groups uncore_r2pcie <groups)" '' 'groups open if and only if there is a counter for each event'
uncore_counts 0.01 uncore_qpi_1/vna_credit_returns/ >got
is "$(awk '$1 == 0 { print $2 }' got)" "$(uncore_truth_of 0/$QPI/1 0x60001c)" 'an event of QPI counts exactly'
is "$(hw illegal)" '' 'no access is made that the manual forbids'
is "$(dmesg | grep pmon_r2pcie)" '' 'the log has no line of pmon_r2pcie'
SCRIPT
}

generation 1 45 jaketown 36 1
generation 2 62 ivytown 61 2 --append numa=off
generation 3 63 haswellx 59 4
generation 4 79 broadwellx 62 8
finish
