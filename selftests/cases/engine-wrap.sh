#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Counters that wrap lose nothing: units whose counters have 32 bits wrap many
# times between two readings of perf, alone and in a group, and one of 48 bits
# is set to just before its end.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/machine.sh"

narrow=$(machine spr-2s '
for p in m["packages"]:
    for u in p["discovery"]["units"]:
        u["width"] = 32
')

for k in $KERNELS; do
	in_vm "$k 32 bits" --kernel "$k" --machine "$narrow" <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh

	for unit in uncore_imc_0:6/0 uncore_cha_0:0/0; do
		pmu=${unit%:*} unit=${unit#*:}
		for package in 0 1; do
			for ctr in 0 1; do
				hw box $package/$unit rate $ctr 2000$ctr
			done
		done
		hw truth reset
		counts 2 "{$pmu/event=1/,$pmu/event=2/}" >/tmp/counts
		while read -r package count event; do
			control=${event##*=}
			agree "$package/$unit" "$count" "${control%/}" \
				"$event, package $package"
			[ "$count" -gt $((3 << 32)) ] &&
				ok "$event wrapped several times" ||
				not_ok "$event wrapped several times" "$count"
		done </tmp/counts
		is "$(wc -l </tmp/counts)" 4 "$pmu: two events, two packages"
	done
	hw count reset
	sleep 0.5
	is "$(reads) $(writes)" '0 0' 'no timer while nothing counts'
	finish
	S

	in_vm "$k 48 bits" --kernel "$k" --machine spr-2s <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh
	. /lib/test/engine.sh

	field() { hw truth 0/6/0 0 | grep -o "$1=[^ ]*" | cut -d= -f2; }
	end=0xfffff0000000
	hw truth reset
	# perf prints no interval that holds the end, so the end is before.
	mkfifo /tmp/control
	perf stat --no-scale -x, -o /tmp/out -a -C 0 -I 50 \
		--control fifo:/tmp/control -e uncore_imc_0/event=5/ -- sleep 4 &
	until_counting 0/6/0 5
	# The box stands still while its counter is put to its end.
	hw box 0/6/0 poke box 1
	before=$(field value)
	hw box 0/6/0 preload 0 $end
	hw box 0/6/0 poke box 0
	sleep 1
	echo disable >/tmp/control
	wait
	count=$(awk -F, '{ n += $2 } END { printf "%.0f", n }' /tmp/out)
	counted=$(field counted)
	[ $(($(field value))) -lt $((end)) ] && ok 'the counter wrapped' ||
		not_ok 'the counter wrapped' "$(hw truth 0/6/0 0)"
	is "$count" $((counted + end - before)) 'a wrap between two readings'
	finish
	S
done
finish
