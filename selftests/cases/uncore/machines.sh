#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# All boxes of each machine are found and counted. A load reads the table once, four bytes
# at a time, and nothing else; all units are named and listed. Counts equal the hardware's
# exactly, for an MSR, an MMIO and a PCI unit in every package, with one event alone, four
# in a group, the fixed counter, and the driver's own named events (events.sh has perf's).
# Unloading leaves no trace.
# contract: load-reads names
# all kernels: 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	for m in spr-2s gnr-2s; do
		# gnr-2s, with all kinds of units, is enough for the slow sanitizer kernel
		[ "$k $m" != 'sanitizer spr-2s' ] || continue
		in_vm "$k $m" --kernel "$k" --machine "$m" <<-'S'
		units=$(hw units | wc -l)
		tables=$(ls -d $PMON/pkg*-uncore* | wc -l)
		isnt "$units" 0 'the machine has units'
		is "$(uncore_accesses table reads)" $(((units + tables) * 6)) \
			'loading reads each record of the tables six times'
		is "$(uncore_accesses table bytes)" $(((units + tables) * 24)) \
			'loading reads tables four bytes at a time'
		is "$(uncore_writes)" 0 'loading writes no counter register'
		is "$(uncore_reads)" 0 'loading reads no counter register'
		is "$(uncore_accesses table writes)" 0 'loading writes no table'

		uncore_list_all 'sysfs lists every unit of the hardware'
		for t in $PMON/pkg*-uncore*; do
			is "$(cat "$t/rejected")" '' "${t##*/}: no unit is rejected"
			is "$(cat "$t/owner")" openpmon "${t##*/}: the owner is openpmon"
			is "$(cat "$t/mode")" on "${t##*/}: the mode is on"
			like "$(cat "$t/fingerprint")" '^0x[0-9a-f]{16}$' \
				"${t##*/}: the fingerprint is a number of 64 bits"
			is "$(stat -c %a "$t/units" "$t/rejected" "$t/owner" |
				sort -u)" 440 "${t##*/}: units, rejected and owner have mode 440"
			is "$(stat -c %a "$t/table")" 400 "${t##*/}: the file table has mode 400"
			is "$(wc -c <"$t/table")" \
				$((24 * (1 + $(awk '$10 != "-"' "$t/units" | wc -l)))) \
				"${t##*/}: the file table has as many records as units and a header"
			bad=
			while read -r type name id access address counters width \
				pmu owner alias rest; do
				[ -e "$PMUS/$pmu/type" ] && [ "$owner" = openpmon ] &&
				case $name in
				-) [ "$pmu" = "uncore_type_${type}_$id" ] ;;
				*) case $name in
				   # types with one unit in a package
				   ubox) [ "$pmu" = "uncore_ubox" ] ;;
				   pcu) [ "$pmu" = "uncore_pcu" ] || [ "$pmu" = "uncore_pcu_$id" ] ;;
				   *) [ "$pmu" = "uncore_${name}_$id" ] ;;
				   esac &&
				   { read -r has <"$PMUS/$pmu/alias" || has=-; } 2>/dev/null &&
				   [ "$has" = "$alias" ] ;;
				esac || bad="$bad $pmu"
			done <"$t/units"
			is "$bad" '' "${t##*/}: every unit has its PMU, owner and alias"
		done
		for name in cha_0 imc_0; do
			runs "the PMU uncore_$name is registered" ls $PMUS/uncore_$name/type
		done

		hw truth reset
		for access in msr mmio pci; do
			read -r type name id pmu <<-E
			$(awk -v access="$access" '$4 == access { print $1, $2, $3, $8; exit }' \
				$PMON/pkg0-uncore0/units)
			E
			[ -n "$pmu" ] || { note "no $access unit"; continue; }
			uncore_exact_on_both "$pmu" 0.2 "$type/$id" "$access: $pmu with one event"

			hw truth reset
			group="{$pmu/event=0x01,umask=0x01/,$pmu/event=0x04,umask=0x02/"
			group="$group,$pmu/event=0x05,umask=0x03/,$pmu/event=0x06,umask=0x04,edge,inv,thresh=0x12/}"
			uncore_counts 0.2 "$group" >/tmp/group
			while read -r package count event; do
				case $event in
				*event=0x01*) ctl=0x0101 ;;
				*event=0x04*) ctl=0x0204 ;;
				*event=0x05*) ctl=0x0305 ;;
				*) ctl=0x12840406 ;;
				esac
				uncore_agree "$package/$type/$id" "$count" $ctl \
					"$access: $event counts exactly in a group, package $package"
			done </tmp/group
			is "$(wc -l </tmp/group)" 8 "$pmu: perf prints four counts of each package"
			hw truth reset
		done

		is "$(uncore_all_types 0.2)" "all $(awk -v packages="$(ls -d $PMON/pkg*-uncore0 |
			wc -l)" '{ n += $3 } END { print n * packages }' /tmp/type_units)" \
			'a unit of each type counts with each of its controls'

		# each named event has the control of its definition
		for alias in $(ls $PMUS/uncore_imc_0/events | grep -v '[.]'); do
			event=$(cat $PMUS/uncore_imc_0/events/$alias)
			hw truth reset
			uncore_counts 0.1 "uncore_imc_0/$event/" >/tmp/event
			by_event=$(hw truth 0/6/0 | grep -o 'ctl=[^ ]*' | tr '\n' ' ')
			hw truth reset
			uncore_counts 0.1 "uncore_imc_0/$alias/" >/tmp/alias
			is "$(hw truth 0/6/0 | grep -o 'ctl=[^ ]*' | tr '\n' ' ')" \
				"$by_event" "imc: the control of $alias is that of $event"
			[ ! -e $PMUS/uncore_imc_0/events/$alias.scale ] ||
				like "$(cat $PMUS/uncore_imc_0/events/$alias.unit)" \
					'^MiB$' "imc: the unit of $alias is MiB"
		done

		hw truth reset
		uncore_counts 0.1 'uncore_imc_0/event=0xff/' >/tmp/fixed
		while read -r package count event; do
			truth=$(uncore_fixed_of $package/6/0)
			isnt "$truth" 0 "the fixed counter of package $package is above 0"
			is "$count" "$truth" "the fixed counter of package $package counts exactly"
		done </tmp/fixed
		is "$(wc -l </tmp/fixed)" "$(ls -d $PMON/pkg*-uncore0 | wc -l)" \
			'a fixed counter of each package is counted'

		# unloading removes all PMUs and devices, and loading brings them back
		runs 'the module unloads' rmmod pmon_uncore
		is "$(ls $PMUS | grep -c ^uncore_)" 0 'no PMU is left after the unload'
		is "$(ls $PMON | grep -c uncore)" 0 'no table is left in sysfs after the unload'
		runs 'the module loads again' modprobe pmon_uncore
		is "$(ls -d $PMON/pkg*-uncore* | wc -l)" "$tables" 'all tables are in sysfs after loading again'
		S
	done
done
finish
