# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the guest side of the engine cases, beside uncore.sh.

# until_counting UNIT CONTROL: a counter with that control counts
until_counting() {
	tries=200
	while [ $tries -gt 0 ]; do
		case $(truth_of "$1" "$2") in
		none | 0) sleep 0.05 ;;
		*) return 0 ;;
		esac
		tries=$((tries - 1))
	done
	not_ok "unit $1 counts control $2" "$(hw truth "$1")"
	return 1
}

# total PACKAGE/TYPE/ID…: what all their counters have counted
total() {
	for unit; do
		hw truth "$unit"
	done | sed -n 's/.*counted=\([0-9]*\).*/\1/p' |
		awk '{ sum += $1 } END { printf "%.0f", sum }'
}
