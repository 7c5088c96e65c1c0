#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Counts equal what the hardware counted, exactly: an MSR, an MMIO and a PCI
# unit of each machine, in every package, one event alone and four in a group,
# the fixed counter, named events.
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	for m in spr-2s gnr-2s srf-1s; do
		in_vm "$k $m" --kernel "$k" --machine "$m" --drivers ours <<-'S'
		. /lib/test/guest.sh
		. /lib/test/uncore.sh

		hw truth reset
		for access in msr mmio pci; do
			read -r type name id pmu <<-E
			$(awk -v access="$access" '$4 == access { print $1, $2, $3, $8; exit }' \
				$PMON/pkg0-uncore0/units)
			E
			[ -n "$pmu" ] || { note "no $access unit"; continue; }
			counts 0.2 "$pmu/event=0x05,umask=0xcf/" >/tmp/alone
			isnt "$(wc -l </tmp/alone)" 0 "$pmu: counted"
			while read -r package count event; do
				agree "$package/$type/$id" "$count" 0xcf05 \
					"$access: $pmu alone, package $package"
			done </tmp/alone

			hw truth reset
			group="{$pmu/event=0x01,umask=0x01/,$pmu/event=0x04,umask=0x02/"
			group="$group,$pmu/event=0x05,umask=0x03/,$pmu/event=0x06,umask=0x04,edge,inv,thresh=0x12/}"
			counts 0.2 "$group" >/tmp/group
			while read -r package count event; do
				case $event in
				*event=0x01*) ctl=0x0101 ;;
				*event=0x04*) ctl=0x0204 ;;
				*event=0x05*) ctl=0x0305 ;;
				*) ctl=0x12840406 ;;
				esac
				agree "$package/$type/$id" "$count" $ctl \
					"$access: $event in a group, package $package"
			done </tmp/group
			is "$(wc -l </tmp/group)" \
				$((4 * $(wc -l </tmp/alone))) "$pmu: four counts"
			hw truth reset
		done

		# both packages' boxes, at the same time, and one named event
		for alias in $(ls $PMUS/uncore_imc_0/events | grep -v '[.]'); do
			event=$(cat $PMUS/uncore_imc_0/events/$alias)
			hw truth reset
			counts 0.1 "uncore_imc_0/$event/" >/tmp/event
			by_event=$(hw truth 0/6/0 | grep -o 'ctl=[^ ]*' | tr '\n' ' ')
			hw truth reset
			counts 0.1 "uncore_imc_0/$alias/" >/tmp/alias
			is "$(hw truth 0/6/0 | grep -o 'ctl=[^ ]*' | tr '\n' ' ')" \
				"$by_event" "imc: $alias is $event"
			[ ! -e $PMUS/uncore_imc_0/events/$alias.scale ] ||
				like "$(cat $PMUS/uncore_imc_0/events/$alias.unit)" \
					'^MiB$' "imc: $alias in MiB"
		done

		hw truth reset
		counts 0.1 'uncore_imc_0/event=0xff/' >/tmp/fixed
		while read -r package count event; do
			truth=$(hw truth "$package/6/0" fixed |
				grep -o 'counted=[0-9]*' | cut -d= -f2)
			isnt "$truth" 0 "fixed counter of package $package counts"
			is "$count" "$truth" "fixed counter, package $package"
		done </tmp/fixed
		finish
		S
	done
done
finish
