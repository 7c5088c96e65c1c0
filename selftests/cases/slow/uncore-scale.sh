#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test the largest possible table, of 1,023 units: each unit has a PMU, and the last 40 count. Load
# time is linear, little memory is used, and max_units bounds the units of each type.
# all kernels: newest
. "$(dirname "$0")/../lib/tap.sh"

# units COUNT: make a machine with COUNT units of four types
units() {
	machine spr-2s "
m['cpu'].update(packages=1, cores=2, threads=1)
m['packages'] = [{'discovery': {'units': [
    {'type': 900 + i % 4, 'id': i // 4, 'access': 'mmio', 'address': 'auto'}
    for i in range($1)]}}]"
}

few=$(units 127)
many=$(units 1023)
for k in $KERNELS; do
	for m in "$few" "$many"; do
		in_vm "$k" --kernel "$k" --machine "$m" --drivers none \
			--timeout 900 <<-'S'
		echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
		units=$(hw units | wc -l)
		modprobe pmon
		memory() {
			awk '/^Slab:/ { slab = $2 } /^Percpu:/ { print slab, $2 }' /proc/meminfo
		}
		before=$(memory)
		start=$(cut -d' ' -f1 /proc/uptime)
		runs "the module loads with $units units" modprobe pmon_uncore max_units=1023
		end=$(cut -d' ' -f1 /proc/uptime)
		cpus=$(tr -cd '0-9-' </sys/devices/system/cpu/possible)
		note "figures $units $(echo "$start $end $before $(memory) ${cpus#*-}" | awk '{
			print int(($2 - $1) * 1000), "ms", $5 - $3, $6 - $4, $7 + 1 }')"
		is "$(ls $PMUS | grep -c ^uncore_)" "$units" 'every unit has a PMU'
		hw truth reset
		pmus=$(awk '{ print $8 }' $PMON/pkg0-uncore0/units | tail -40)
		# shellcheck disable=SC2046
		uncore_counts 0.1 $(for pmu in $pmus; do echo "$pmu/event=5/"; done) \
			>/tmp/counts
		hw truth | sed -n 's/.* counted=\([0-9]*\).*/\1/p' | sort >/tmp/truth
		is "$(cut -d' ' -f2 /tmp/counts | sort)" "$(cat /tmp/truth)" \
			'the last 40 units count exactly'
		is "$(wc -l </tmp/counts)" 40 'perf prints counts of all 40 units'
		hw count reset
		runs 'the module unloads with all units' rmmod pmon_uncore
		is "$(uncore_writes)" $((40 * 2)) 'unloading hands back 40 used boxes and writes no other'
		runs 'the module loads with max_units=10' modprobe pmon_uncore max_units=10
		is "$(ls $PMUS | grep -c ^uncore_)" 40 'max_units=10 registers ten units of each of four types'
		is "$(grep -c ' id 0x.* more units of this type than max_units' \
			$PMON/pkg0-uncore0/rejected)" $((units - 40)) \
			'max_units=10 rejects all other units with the reason'
		is "$(ls $PMUS | grep ^uncore_type_900 | sort | tr '\n' ' ')" \
			"$(seq 0 9 | sed 's/^/uncore_type_900_/' | sort | tr '\n' ' ')" \
			'max_units=10 keeps the first ten units of a type'
		S
		sed -n 's/^# figures //p' "$TMP/out" >>"$TMP/figures-$k"
	done
	# Compare the load times (ms): 1023 units are eight times as many as 127.
	# shellcheck disable=SC2046
	set -- $(cut -d' ' -f2 "$TMP/figures-$k")
	note "$k: $1 ms for 127 units, $2 ms for 1023"
	is "$(($2 < 16 * ($1 + 50)))" 1 "$k: the load time is linear in the number of units"
	# the limits in uncore.rst are for kernels without sanitizers
	[ "$k" != sanitizer ] || continue
	# shellcheck disable=SC2046
	set -- $(tail -n 1 "$TMP/figures-$k")
	unit=$(($4 * 1024 / $1)) cpu=$(($5 * 1024 / $1 / $6))
	note "$k: $unit bytes a unit, and $cpu for each possible CPU"
	is "$((unit < 11 * 1024)) $((cpu < 1024))" '1 1' \
		"$k: a unit takes less than 11 KiB and 1 KiB per possible CPU"
done
finish
