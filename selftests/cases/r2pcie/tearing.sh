#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Let a counter carry between the reads of its two halves, in many readings: with
# pmon_r2pcie ten thousand readings are exact. With the kernel's driver the count on the
# same machine goes back and is wrong by a multiple of 2^44.
# contract: torn
# all kernels: 6.12
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

# shellcheck disable=SC2016 # for the guest
# run KERNEL DRIVERS COMMAND: run COMMAND, then count; print to $TMP/output
run() {
	vm --kernel "$1" --machine ivt-2s --drivers "$2" --allow-illegal \
		--timeout 400 --program reads -- "$3"'
		# Count 2^37 a second, so that the high half changes 30 times.
		for unit in 0/12288/0 0/12289/0; do
			for i in 0 1 2 3; do
				hw box $unit rate $i 131072
				hw box $unit carry $i 1
			done
		done
		for i in "uncore_r2pcie 0/12288/0" "uncore_qpi_0 0/12289/0"; do
			set -- $i
			hw truth reset
			./reads $1 0 0x1 10000 131072 100
			hw truth $2 | sed -n "s/.*counted=\([1-9][0-9]*\) .*/counted=\1/p"
			hw box $2 | grep carries
			echo "disturbed=$(cat /sys/bus/event_source/devices/$1/disturbed 2>/dev/null)"
		done' >"$TMP/output" 2>"$TMP/err" || {
		not_ok "$1 $2: the guest script ends without an error" "$(tail -n 20 "$TMP/err")"
		return 1
	}
}

# value KEY N: print a value of the N-th PMU
value() {
	grep -o "$1=[0-9]*" "$TMP/output" | sed -n "$2{s/.*=//;p}"
}

for k in $KERNELS; do
	run "$k" none 'modprobe pmon_r2pcie r2pcie=Y qpi=Y' || continue
	for n in 1 2; do
		name="$k: $(sed -n "${n}p" <<<$'44 bits\n48 bits')"
		is "$(value reads $n) $(value wrong $n)" '10000 0' "$name: ten thousand readings are right"
		is "$(value total $n)" "$(value counted $n)" "$name: the last reading is the hardware's count"
		is "$(($(value carries $n) >= 20))" 1 \
			"$name: counters carry between two halves in $(value carries $n) readings"
		is "$(value disturbed $n)" 0 "$name: disturbed stays 0 over carries"
	done
	run "$k" upstream '' || continue
	isnt "$(value wrong 1)" 0 "$k: intel_uncore has $(value wrong 1) wrong readings"
	is "$((($(value total 1) - $(value counted 1)) % (1 << 44) == 0 &&
		$(value total 1) > $(value counted 1)))" 1 \
		"$k: the last count of intel_uncore is off by a multiple of 2^44"
done
finish
