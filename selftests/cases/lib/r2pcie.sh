# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the guest side of the R2PCIe cases, beside guest.sh.

# shellcheck disable=SC2034
PMUS=/sys/bus/event_source/devices
# Units of the emulator: PKG/TYPE/ID
R2PCIE=12288 QPI=12289
BUS=/sys/bus/pci/devices

# count EVENTS COMMAND...: "PACKAGE COUNT EVENT" of each event in each package
count() {
	count_events=$1
	shift
	perf stat -x'|' -a --per-socket -e "$count_events" -- "$@" 2>&1 >/dev/null |
		awk -F'|' '$1 ~ /^S[0-9]+$/ { print substr($1, 2), $3, $5 }'
}

# truth UNIT CONTROL: what was counted under this control
truth() {
	hw truth controls | awk -v unit="unit=$1" -v ctl="ctl=$2" '
		$1 == unit && $2 == ctl { split($3, n, "="); print n[2]; found = 1 }
		END { if (!found) print "none" }'
}

# control CONFIG: of an event, with its enable bit
control() {
	printf '0x%x' $(($1 | 0x400000))
}

# driver ADDRESS: that has a function
driver() {
	basename "$(readlink "$BUS/$1/driver")" 2>/dev/null
}
