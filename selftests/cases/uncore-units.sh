#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every unit of every machine is found, named and listed, by reading the table
# once, eight bytes at a time, and nothing else; unloading leaves no trace.
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	for m in spr-2s gnr-2s srf-1s; do
		in_vm "$k $m" --kernel "$k" --machine "$m" --drivers ours <<-'S'
		. /lib/test/guest.sh
		. /lib/test/uncore.sh

		units=$(hw units | wc -l)
		tables=$(ls -d $PMON/pkg*-uncore* | wc -l)
		isnt "$units" 0 'the machine has units'
		is "$(accesses table reads)" $(((units + tables) * 3)) \
			'three reads for each record'
		is "$(accesses table bytes)" $(((units + tables) * 24)) \
			'of eight bytes each'
		is "$(writes)" 0 'loading writes no counter register'
		is "$(reads)" 0 'loading reads no counter register'
		is "$(accesses table writes)" 0 'loading writes no table'

		hw units | sed -n 's/pkg=\([0-9]*\) type=\([0-9]*\) id=\([0-9]*\) access=\([a-z]*\) address=\(0x[0-9a-f]*\) counters=\([0-9]*\).* width=\([0-9]*\).*/\1 \2 \3 \4 \5 \6 \7/p' |
			sort >/tmp/hardware
		for t in $PMON/pkg*-uncore*; do
			while read -r type name id access address counters width rest; do
				echo "$(cat "$t/package_id") $type $id $access" \
					"$address ${counters%+1} $width"
			done <"$t/units"
		done | sort >/tmp/listed
		is "$(cat /tmp/listed)" "$(cat /tmp/hardware)" 'sysfs lists them'
		for t in $PMON/pkg*-uncore*; do
			is "$(cat "$t/rejected")" '' "${t##*/}: none rejected"
			is "$(cat "$t/owner")" openpmon "${t##*/}: ours"
			is "$(cat "$t/mode")" on "${t##*/}: served"
			like "$(cat "$t/fingerprint")" '^0x[0-9a-f]{16}$' \
				"${t##*/}: fingerprint"
			is "$(stat -c %a "$t/units" "$t/rejected" "$t/owner" |
				sort -u)" 440 "${t##*/}: for root and the group"
			is "$(stat -c %a "$t/table")" 400 "${t##*/}: table for root"
			is "$(wc -c <"$t/table")" \
				$((24 * (1 + $(wc -l <"$t/units")))) \
				"${t##*/}: the table as it was read"
			bad=
			while read -r type name id access address counters width \
				pmu owner alias rest; do
				[ -e "$PMUS/$pmu/type" ] && [ "$owner" = openpmon ] &&
				case $name in
				-) [ "$pmu" = "uncore_type_${type}_$id" ] ;;
				*) [ "$pmu" = "uncore_${name}_$id" ] &&
				   [ "$(cat "$PMUS/$pmu/alias")" = "$alias" ] ;;
				esac || bad="$bad $pmu"
			done <"$t/units"
			is "$bad" '' "${t##*/}: a PMU for every unit"
		done
		for name in cha_0 imc_0; do
			[ -e $PMUS/uncore_$name/type ] && ok "uncore_$name" ||
				not_ok "uncore_$name" "$(ls $PMUS)"
		done

		runs 'unloading' rmmod pmon_uncore
		is "$(writes)" 0 'unloading an unused driver writes nothing'
		is "$(ls $PMUS | grep -c ^uncore_)" 0 'no PMU is left'
		is "$(ls $PMON | grep -c uncore)" 0 'no device is left'
		runs 'loading again' modprobe pmon_uncore
		is "$(ls -d $PMON/pkg*-uncore* | wc -l)" "$tables" 'all there again'
		finish
		S
	done
done
finish
