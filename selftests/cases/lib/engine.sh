# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Define functions for the guest of cases of the engine (pmon); source after uncore.sh.

[ -p /tmp/end ] || mkfifo /tmp/end

# engine_end_counts: end every `perf stat ... -- cat /tmp/end &`
engine_end_counts() {
	: >/tmp/end
	wait
}

# engine_until_counting UNIT CONTROL: wait until a counter with that control counts
engine_until_counting() {
	becomes "uncore_controls_of $1 $2 | grep -q '^[1-9]'" ||
		not_ok "a counter of unit $1 counts control $2" "$(hw truth "$1")"
}

# engine_counter UNIT CONTROL: print the number of the counter with that control
engine_counter() {
	hw truth "$1" | sed -n "s/^.*ctr=\([0-9]*\) ctl=0x0*$2 .*/\1/p"
}

# engine_total PACKAGE/TYPE/ID…: print the sum over all counters of these units
engine_total() {
	for unit; do
		hw truth "$unit"
	done | sed -n 's/.*counted=\([0-9]*\).*/\1/p' |
		awk '{ sum += $1 } END { printf "%.0f", sum }'
}

# engine_bpf_value NAME: print a value from bpf_read's output, /tmp/bpf
engine_bpf_value() {
	sed -n "s/.*$1=\([-0-9]*\).*/\1/p" /tmp/bpf
}

# engine_cpus_of PACKAGE: print the package's online CPUs, in ascending order
engine_cpus_of() {
	grep -lx "$1" /sys/devices/system/cpu/cpu*/topology/physical_package_id |
		grep -o 'cpu[0-9][0-9]*/' | tr -dc '0-9\n' | sort -n
}

# engine_cpu NUMBER 0|1: set a CPU offline or online
engine_cpu() {
	echo "$2" >/sys/devices/system/cpu/cpu"$1"/online
}

# engine_collector PMU PACKAGE: print the PMU's designated CPU in the package
engine_collector() {
	engine_cpus_of "$2" >/tmp/cpus_of
	tr ',' '\n' <"$PMUS/$1/cpumask" | grep -xFf /tmp/cpus_of
}

# engine_read_again FILE EVENT: wait until `perf stat -I`, which prints to FILE, has begun and
# ended a reading of all its events. The next line of EVENT may be from a reading under
# way, so wait for two.
engine_read_again() {
	again_lines=$(grep -c "$2" "$1")
	becomes "[ \"\$(grep -c '$2' '$1')\" -gt $((again_lines + 1)) ]"
}

# engine_not_counting FILE: wait until the last line in FILE, which `perf stat -I` writes, is of an
# interval that began and ended after its event was disabled
engine_not_counting() {
	becomes "tail -n 1 '$1' | grep -q 'not counted'"
}
