# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of the R2PCIe cases; source after uncore.sh.

# shellcheck disable=SC2034
# Type numbers of the emulator's units, PKG/TYPE/ID
R2PCIE=12288 QPI=12289
BUS=/sys/bus/pci/devices

# r2pcie_wrong_aliases: print aliases whose encoding differs from the file "names", which has
# lines "NAME ALIAS CONFIG COUNTERS"
r2pcie_wrong_aliases() {
	while read -r _ alias config _; do
		[ "$(cat "$PMUS/uncore_r2pcie/events/$alias")" = "$(printf \
			'event=0x%02x,umask=0x%02x' $((config & 0xff)) $((config >> 8)))" ] ||
			echo "$alias"
	done <names
}

# r2pcie_wrong_counts PACKAGES <EVENTS: count all events of the lines "EVENT CONFIG COUNTERS",
# each event of ring utilisation together with one of the others. Print the events whose
# count in a package is not the hardware's count under their control. The file "got" has perf's
# counts, "controls" has lines "EVENT CONTROL COUNTERS". CONTROL has the enable bit.
r2pcie_wrong_counts() {
	while read -r event config counters; do
		printf '%s 0x%x %s\n' "$event" $((config | 0x400000)) "$counters"
	done >controls
	hw truth reset
	awk '$2 ~ /0[789a]$/ { ring[++r] = $1; next } { other[++o] = $1 }
		END { for (i = 1; i <= r || i <= o; i++)
			print ring[i] (i <= r && i <= o ? "," : "") other[i] }' controls >sets
	while read -r set; do
		uncore_counts 0.01 "$set"
	done <sets >got
	hw truth controls >truths
	awk -v packages="$1" -v type=$R2PCIE '
		FILENAME == "truths" { sub(/counted=/, "", $3); truth[$1 $2] = $3 }
		FILENAME == "got" { count[$1 " " tolower($3)] = $2 }
		FILENAME == "controls" {
			for (package = 0; package < packages; package++) {
				n = count[package " " $1]
				want = truth["unit=" package "/" type "/0" "ctl=" $2]
				if (n == "" || n != want || n <= 0)
					print package, $1, n, want
			}
		}' truths got controls
}

# r2pcie_driver ADDRESS: print the function's driver
r2pcie_driver() {
	basename "$(readlink "$BUS/$1/driver")" 2>/dev/null
}
