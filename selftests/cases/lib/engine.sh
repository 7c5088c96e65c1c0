# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of cases of the engine (pmon); source after uncore.sh.

[ -p /tmp/end ] || mkfifo /tmp/end

# end_counts: end every `perf stat ... -- cat /tmp/end &`
end_counts() {
	: >/tmp/end
	wait
}

# until_counting UNIT CONTROL: wait until a counter with that control counts
until_counting() {
	becomes "controls_of $1 $2 | grep -q '^[1-9]'" ||
		not_ok "a counter of unit $1 counts control $2" "$(hw truth "$1")"
}

# counter UNIT CONTROL: print the number of the counter with that control
counter() {
	hw truth "$1" | sed -n "s/^.*ctr=\([0-9]*\) ctl=0x0*$2 .*/\1/p"
}

# total PACKAGE/TYPE/ID…: print the sum over all counters of these units
total() {
	for unit; do
		hw truth "$unit"
	done | sed -n 's/.*counted=\([0-9]*\).*/\1/p' |
		awk '{ sum += $1 } END { printf "%.0f", sum }'
}

# bpf_value NAME: print a value from bpf_read's output, /tmp/bpf
bpf_value() {
	sed -n "s/.*$1=\([-0-9]*\).*/\1/p" /tmp/bpf
}

# cpus_of PACKAGE: print the package's online CPUs, in ascending order
cpus_of() {
	grep -lx "$1" /sys/devices/system/cpu/cpu*/topology/physical_package_id |
		grep -o 'cpu[0-9][0-9]*/' | tr -dc '0-9\n' | sort -n
}

# cpu NUMBER 0|1: set a CPU offline or online
cpu() {
	echo "$2" >/sys/devices/system/cpu/cpu"$1"/online
}

# collector PMU PACKAGE: print the PMU's designated CPU in the package
collector() {
	cpus_of "$2" >/tmp/cpus_of
	tr ',' '\n' <"$PMUS/$1/cpumask" | grep -xFf /tmp/cpus_of
}

# read_again FILE EVENT: wait until `perf stat -I`, which prints to FILE, has begun and
# ended a reading of all its events. The next line of EVENT may be from a reading under
# way, so wait for two.
read_again() {
	again_lines=$(grep -c "$2" "$1")
	becomes "[ \"\$(grep -c '$2' '$1')\" -gt $((again_lines + 1)) ]"
}

# not_counting FILE: wait until the last line in FILE, which `perf stat -I` writes, is of an
# interval that began and ended after its event was disabled
not_counting() {
	becomes "tail -n 1 '$1' | grep -q 'not counted'"
}
