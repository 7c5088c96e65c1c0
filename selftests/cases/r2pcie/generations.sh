#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# R2PCIe of Xeon E5 v1, v3 and v4, on one, four and eight sockets, and of v2
# without NUMA: every event of perf's list for the processor counts exactly in
# each package, groups open when they can be counted, and nothing is done that the
# manual forbids. Version 3 has three names more, the sums that version 4's list has.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

linux=$("$ROOT/selftests/lib/build/source" 6.12)

# generation KERNEL VERSION MODEL LIST EVENTS PACKAGES [run options]
generation() {
	local list file name="v$2, $6 sockets, on $1"

	for list in names groups; do
		"$CASES/lib/r2pcie-events.py" "$linux" "$4" R2PCIe "$list" >"$TMP/$list"
	done
	is "$(wc -l <"$TMP/names")" "$5" "$name: perf has $5 events"
	file=$(machine ivt-2s "
m['cpu'].update(model=$3, packages=$6, cores=1)
m['memory_mib'] = 512 * max($6, 2)
m['r2pcie'] = {'version': $2}")
	: >"$TMP/sums"
	[ "$2" != 3 ] || echo -n 'ring_ad_used_all ring_ak_used_all ring_bl_used_all ' >"$TMP/sums"
	in_vm "$name" --kernel "$1" --machine "$file" --drivers none --timeout 400 \
		--copy "$TMP/sums" --copy "$TMP/names" --copy "$TMP/groups" --program groups-of \
		"${@:7}" <<'SCRIPT'
cd /root
packages=$(hw machine | sed 's/.*packages=\([0-9]*\).*/\1/')
modprobe pmon_r2pcie r2pcie=Y qpi=Y
is "$(wc -l <$PMUS/uncore_r2pcie/functions)" $packages 'a function in each package'
for name in $(ls $PMUS/uncore_r2pcie/events); do
	grep -q " $name " names || echo $name
done >more
is "$(tr '\n' ' ' <more)" "$(cat sums)" 'all names, and no others but sums'
while read -r name alias config counters; do
	[ "$(cat "$PMUS/uncore_r2pcie/events/$alias")" = "$(printf \
		'event=0x%02x,umask=0x%02x' $((config & 0xff)) $((config >> 8)))" ] ||
		echo "$alias"
done <names >wrong
is "$(cat wrong)" '' 'each means what the list says'
hw truth reset
awk '$3 ~ /0[789a]$/ { ring[++r] = $2; next } { other[++o] = $2 }
	END { for (i = 1; i <= r || i <= o; i++)
		print (i <= r ? "uncore_r2pcie/" ring[i] "/" : "") \
			(i <= r && i <= o ? "," : "") \
			(i <= o ? "uncore_r2pcie/" other[i] "/" : "") }' names >sets
while read -r set; do
	count "$set" sleep 0.01
done <sets >got
hw truth controls >controls
while read -r name alias config counters; do
	ctl=$(control "$config") package=0
	while [ $package -lt $packages ]; do
		n=$(awk -v p=$package -v e="uncore_r2pcie/$alias/" \
			'$1 == p && $3 == e { print $2 }' got)
		want=$(awk -v u="unit=$package/$R2PCIE/0" -v c="ctl=$ctl" \
			'$1 == u && $2 == c { sub("counted=", "", $3); print $3 }' controls)
		[ "$n" = "$want" ] && [ "${n:-0}" -gt 0 ] || echo "$package $alias $n $want"
		package=$((package + 1))
	done
done <names >wrong
is "$(cat wrong)" '' "each of $(wc -l <names) events is exact in $packages packages"
hw truth reset
./groups-of uncore_r2pcie 0 <groups >said
is "$(cat said)" "$(wc -l <groups)" 'groups open when there is a counter for each event'
count uncore_qpi_1/vna_credit_returns/ sleep 0.01 >got
is "$(awk '$1 == 0 { print $2 }' got)" "$(truth 0/$QPI/1 0x60001c)" 'QPI counts'
is "$(hw illegal)" '' 'nothing that the manual forbids'
is "$(dmesg | grep pmon_r2pcie)" '' 'nothing to say'
SCRIPT
}

for k in $KERNELS; do
	generation "$k" 1 45 jaketown 36 1
	generation "$k" 2 62 ivytown 61 2 --append numa=off
	generation "$k" 3 63 haswellx 59 4
	generation "$k" 4 79 broadwellx 62 8
done
finish
