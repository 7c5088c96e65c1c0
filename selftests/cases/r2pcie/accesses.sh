#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Compare our accesses to configuration space with those of the kernel's driver, in every
# operation on one and four events: ours are never more, and a full cycle of a group of
# four (start and stop) takes 15 against the kernel's 32. After a gain of 2^32 or more our
# reading takes two more accesses. The kernel's driver does without them, so its reading
# may be torn, see tearing.sh.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"


# shellcheck disable=SC2016 # for the guest
# run KERNEL DRIVERS: write lines "BOX OPERATION|ACCESSES" to $TMP/DRIVERS.rows
run() {
	vm --kernel "$1" --machine ivt-2s --drivers "$2" --allow-illegal \
		--program ops -- '
		[ '"$2"' = upstream ] || modprobe pmon_r2pcie r2pcie=Y qpi=Y
		# Keep gains below 2^32: above, ours reads twice.
		for unit in 0/12288/0 0/12289/0; do
			for i in 0 1 2 3; do hw box $unit rate $i 1; done
		done
		mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
		/root/ops r2pcie uncore_r2pcie 0/12288/0 &&
		/root/ops qpi uncore_qpi_0 0/12289/0' 2>"$TMP/err" >"$TMP/$2" ||
		not_ok "$1 $2: the guest script ends without an error" "$(tail -n 20 "$TMP/err")"
	awk -F'|' '{ print $1 " " $2 "|" $3 }' "$TMP/$2" >"$TMP/$2.rows"
}

# of DRIVERS OPERATION: print the number of accesses
of() {
	awk -F'|' -v op="$2" '$1 == op { print $2 }' "$TMP/$1.rows"
}

for k in $KERNELS; do
	run "$k" none
	run "$k" upstream
	is "$(($(wc -l <"$TMP/none.rows") >= 30))" 1 "$k: at least 30 operations were measured"
	is "$(awk -F'|' 'NR == FNR { theirs[$1] = $2; next }
		!($1 in theirs) || $2 > theirs[$1]' "$TMP/upstream.rows" \
		"$TMP/none.rows")" '' "$k: no operation takes more accesses than with intel_uncore"
	for box in r2pcie qpi; do
		ours=$(($(of none "$box group of four: start") +
			$(of none "$box group of four: stop")))
		theirs=$(($(of upstream "$box group of four: start") +
			$(of upstream "$box group of four: stop")))
		is "$((ours <= 15)) $((theirs >= 32))" '1 1' \
			"$k: $box: a cycle of four takes $ours accesses, with intel_uncore $theirs"
		note "$(sed "s/^/$k /" "$TMP/none.rows" | grep "$box" | tr '\n' ';')"
	done
done
finish
