# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2016
# selftests/cases/bench/run: what cannot be measured is said, and the rest printed.

tree=$tmp/bench
mkdir -p "$tree"/selftests/{cases/bench,lib/build,machines,vm}
cp "$root/selftests/machines/gnr-lean.json" "$tree/selftests/machines/"
cp "$root/selftests/cases/bench/run" "$tree/selftests/cases/bench/"
cp "$root/selftests/lib/build/lib.sh" "$tree/selftests/lib/build/"
printf '#!/bin/sh\necho %s\n' "$tree" >"$tree/selftests/lib/build/bench"

# guests LINE...: what a guest does, by $kernel, $drivers, $machine
guests() {
	{
		printf '%s\n' '#!/bin/sh' 'icount=$OPENPMON_ICOUNT' \
			'while [ "$1" != -- ]; do' \
			'case $1 in --kernel) kernel=$2 ;; --drivers) drivers=$2 ;;' \
			'--machine) machine=$2 ;; esac; shift 2; done' "$@" \
			'case $machine in' \
			'spr-2s) echo "cha, MSR|one event: read|1|${icount:+${more:-99}}${icount:-x}|0|1" ;;' \
			'gnr-2s) echo "limits|one core|3|-|0|4" ;;' \
			'*) echo "watch|a second|10|-|-|-" ;; esac'
	} >"$tree/selftests/vm/run"
	chmod +x "$tree/selftests/vm/run" "$tree/selftests/lib/build/bench"
}

# bench_says STATUS NAME: how it ends; the output is in $said
bench_says() {
	local status=0

	said=$(OPENPMON_CACHE=$tree/.cache "$tree/selftests/cases/bench/run" 2>&1) ||
		status=$?
	is "$status" "$1" "bench: $2" || note "$said"
}

guests
bench_says 0 'all is measured'
is "$(grep -cE '^(6.12?|newest) +(cha|limits)' <<<"$said")" 6 'bench: all rows'
is "$(grep -c 991 <<<"$said")" 3 'bench: with instructions'
guests '[ $drivers != ours ] || more=108'
bench_says 0 'not a tenth more instructions'
guests '[ $drivers != ours ] || more=110'
bench_says 1 'more than a tenth'
like "$said" "^6.12.*read.*1101.*991" 'bench: says which row'
guests '[ $kernel = 6.12 ] || [ -z "$icount" ] || exit 124'
bench_says 0 'a kernel without instructions'
like "$said" '^# 6.1: instructions are not counted' 'bench: says which'
is "$(grep -cE '^(6.12?|newest) +(cha|limits)' <<<"$said")" 6 'bench: and all rows'
is "$(grep -c 991 <<<"$said")" 1 'bench: those of the other have them'
guests '[ $machine-$drivers != gnr-2s-ours ] || { echo why >&2; exit 125; }'
bench_says 1 'guests that fail'
like "$said" '^6.12: the rows of gnr-2s with drivers ours could not be measured' \
	'bench: says which rows are lost'
like "$said" '^why$' 'bench: and why'
is "$(grep -cE '^(6.12?|newest) +cha' <<<"$said")" 3 'bench: the others are printed'
guests 'exit 125'
bench_says 1 'no guest'
like "$said" '^KERNEL +PART' 'bench: an empty table'
