#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kernels: 6.12
# `make bench` as README gives it: it ends, with all rows of all kernels, and
# says what it could not measure.
. "$(dirname "$0")/../lib/tap.sh"

started=$SECONDS
status=0
make -s -C "$ROOT" bench >"$TMP/table" 2>"$TMP/err" || status=$?
is "$status" 0 'make bench' || note "$(tail -n 30 "$TMP/err")"
note "it took $((SECONDS - started)) s"
for k in 6.1 6.12 newest; do
	for part in discovery 'cha, MSR' 'imc, MMIO' 'm2m, PCI' limits; do
		isnt "$(grep -c "^$k  *$part " "$TMP/table")" 0 "$k: rows of $part"
	done
done
for k in 6.12 newest; do
	is "$(grep -c "^$k " "$TMP/table")" "$(grep -c '^6.1 ' "$TMP/table")" \
		"$k: as many rows as of 6.1"
done
for k in 6.1 6.12 newest; do
	# The sixth column from the end has ours.
	counted=$(awk -v k="$k" '$1 == k && $(NF - 5) ~ /^[1-9][0-9]*$/' \
		"$TMP/table" | wc -l)
	if grep -q "^# $k: instructions are not counted" "$TMP/table"; then
		is "$counted" 0 "$k: that instructions are not counted is said"
	else
		is "$((counted >= 40))" 1 "$k: $counted rows with instructions"
	fi
done
unlike "$(cat "$TMP/table")" '^# (6.12|newest): ' '6.12 and newest: all is measured'
finish
