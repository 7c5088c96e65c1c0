#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What a PMU with nothing in it costs: perf's own share of the memory that
# admin-guide/uncore.rst states for a unit, apart from ours; from two machines,
# of 2 and of 8 CPUs. The sanitizer kernel's memory is no host's.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# cores COUNT: a machine with one package of so many CPUs
cores() {
	machine spr-lean "m['cpu'].update(packages=1, cores=$1, threads=1)
m['packages'] = m['packages'][:1]"
}

few=$(cores 2)
many=$(cores 8)
for k in $KERNELS; do
	for m in "$few" "$many"; do
		in_vm "$k" --kernel "$k" --machine "$m" --drivers none \
			--module bare <<-'S'
		memory() {
			awk '/^Slab:/ { slab = $2 } /^Percpu:/ { print slab, $2 }' /proc/meminfo
		}
		cpus=$(tr -cd '0-9-' </sys/devices/system/cpu/possible)
		before=$(memory)
		runs 'a thousand PMUs' insmod /root/bare.ko count=1000
		note "figures $(echo "$before $(memory) ${cpus#*-}" | awk '{
			printf "%d %d %d", ($3 - $1) * 1.024, ($4 - $2) * 1.024 / ($5 + 1), $5 + 1 }')"
		runs 'they go' rmmod bare
		S
		sed -n 's/^# figures //p' "$TMP/out" >>"$TMP/figures-$k"
	done
	# perf's part for each CPU is percpu memory, and slab since 6.15.
	# shellcheck disable=SC2046
	set -- $(tr '\n' ' ' <"$TMP/figures-$k")
	slab=$((($4 - $1) / ($6 - $3)))
	cpu=$((slab + $5)) pmu=$(($1 - slab * $3))
	note "$k: $pmu bytes a PMU, and $cpu for each possible CPU"
	# what Documentation/admin-guide/uncore.rst says
	is "$((pmu < 6 * 1024)) $((cpu < 1024))" '1 1' "$k: perf's own share"
done
finish
