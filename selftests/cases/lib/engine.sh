# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For the guest side of the engine cases, beside uncore.sh.

[ -p /tmp/end ] || mkfifo /tmp/end

# end_counts: of every `perf stat ... -- cat /tmp/end &`
end_counts() {
	: >/tmp/end
	wait
}

# until_counting UNIT CONTROL: a counter with that control counts
until_counting() {
	tries=400
	while [ $tries -gt 0 ]; do
		case $(truth_of "$1" "$2") in
		none | 0) sleep 0.15 ;;
		*) return 0 ;;
		esac
		tries=$((tries - 1))
	done
	not_ok "unit $1 counts control $2" "$(hw truth "$1")"
	return 1
}

# counter UNIT CONTROL: which one has it
counter() {
	hw truth "$1" | sed -n "s/^.*ctr=\([0-9]*\) ctl=0x0*$2 .*/\1/p"
}

# total PACKAGE/TYPE/ID…: what all their counters have counted
total() {
	for unit; do
		hw truth "$unit"
	done | sed -n 's/.*counted=\([0-9]*\).*/\1/p' |
		awk '{ sum += $1 } END { printf "%.0f", sum }'
}

# value NAME: of what bpf_read printed, in /tmp/said
value() {
	sed -n "s/.*$1=\([-0-9]*\).*/\1/p" /tmp/said
}

# cpus_of PACKAGE: its CPUs that are online, first one first
cpus_of() {
	grep -lx "$1" /sys/devices/system/cpu/cpu*/topology/physical_package_id |
		grep -o 'cpu[0-9][0-9]*/' | tr -dc '0-9\n' | sort -n
}

# cpu NUMBER 0|1: takes it offline or online
cpu() {
	echo "$2" >/sys/devices/system/cpu/cpu"$1"/online
}

# collector PMU PACKAGE: the CPU that does the work
collector() {
	cpus_of "$2" >/tmp/cpus_of
	tr ',' '\n' <"$PMUS/$1/cpumask" | grep -xFf /tmp/cpus_of
}

# read_again FILE EVENT: `perf stat -I` writes to this file. It has read all its events
# again, and not begun with that earlier: the line that comes first may be of a reading
# from before.
read_again() {
	again_lines=$(grep -c "$2" "$1")
	becomes "[ \"\$(grep -c '$2' '$1')\" -gt $((again_lines + 1)) ]"
}

# not_counting FILE: all that `perf stat -I` counts has been disabled, and an interval
# without it has ended
not_counting() {
	becomes "tail -n 1 '$1' | grep -q 'not counted'"
}
