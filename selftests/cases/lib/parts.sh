# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For cases with a machine on which each package is odd in its own way, beside
# tap.sh. In the guest plr_part of plr.sh goes from one to the next.

parts=()
# How many dies each package has.
part_dies=1

# part NAME TPMI: a package with this in its TPMI device
part() {
	local plr='{ "instance": 0, "modules": 1 }' die

	for ((die = 1; die < part_dies; die++)); do
		plr+=", { \"instance\": $die, \"modules\": 1 }"
	done
	printf '%s{ "bus": %d, "tpmi": { %s "plr": [ %s ] } }' \
		"${parts:+,}" $((16 * ${#parts[@]})) "$2" "$plr" >>"$TMP/packages"
	parts+=("$1")
}

# parts_machine: writes the machine and prints where
parts_machine() {
	cat >"$TMP/parts.json" <<-JSON
		{ "name": "parts", "cpu": { "model": 173, "packages": ${#parts[@]}, "cores": 2 },
		  "packages": [ $(cat "$TMP/packages") ] }
	JSON
	echo "$TMP/parts.json"
}
