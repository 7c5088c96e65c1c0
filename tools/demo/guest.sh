#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# guest.sh spr|gnr|cxl: run the demo's commands on the emulated server. Each is shown, then
# run; a failure, or a count of zero, ends the demo with an error.
set -u
export LC_ALL=C

fail() {
	echo "demo: $*" >&2
	exit 1
}

title() {
	printf '\n# %s\n' "$*"
}

# show COMMAND [FILTER]: print a command and run it; its status must be $expected
expected=0
show() {
	printf '$ %s\n' "$1"
	# Keep the status of the command, not of the filter.
	{ eval "$1" 2>&1; echo $? >/tmp/status; } | tee /tmp/output |
		sed "${2-}; s/[[:space:]]*\$//"
	[ "$(cat /tmp/status)" = $expected ] ||
		fail "this failed with status $(cat /tmp/status): $1"
}

# counts COMMAND: show a command `perf stat --per-socket`, without empty lines of
# its output; both sockets must have counted
counts() {
	show "$1" '/^[[:space:]]*$/d'
	awk '$1 ~ /^S[0-9]+$/ {
		lines++
		gsub(",", "", $3)
		if ($3 + 0 > 0) good++
	} END { exit !(lines >= 2 && lines == good) }' /tmp/output ||
		fail "a count is missing or zero: $1"
}

# says WORD...: check that the last output has each word
says() {
	for word; do
		grep -qw -- "$word" /tmp/output || fail "no $word in the output"
	done
}

# ran_limited MS: check the time that the last output has for plr_task/power/: more than MS
# milliseconds, or none if MS is 0
ran_limited() {
	awk -v ms="$1" '/plr_task.power/ {
		gsub(",", "", $1)
		good = ms ? $1 + 0 > ms : $1 + 0 == 0
	} END { exit !good }' /tmp/output ||
		fail "the time of plr_task/power/ is wrong"
}

# adopt AREA: load the drivers, as udev and the service do on a host, and adopt the
# boxes, for all boots
adopt() {
	modprobe -a intel_uncore pmon_uncore
	title "Hand the kernel's boxes to openpmon, for this boot and all later ones"
	show "pmonctl adopt --persist --now $*"
	title "Which boxes are there?"
	show "pmonctl list"
	says uncore_imc_ openpmon
}

spr() {
	show "uname -r"
	adopt uncore
	title "Memory reads per socket: an event by its number (emulated boxes count at a fixed rate)"
	counts "perf stat -a --per-socket -e uncore_imc_0/event=0x05,umask=0xcf/ sleep 1"
	title "The same by its alias, in MiB"
	counts "perf stat -a --per-socket -e uncore_imc_0/cas_count_read/ sleep 1"
	title "And by the name that perf itself knows, over all memory controllers"
	counts "perf stat -a --per-socket -e UNC_M_CAS_COUNT.RD sleep 1"
	title "Bandwidth of each socket; with --boxes, of each box"
	show "pmonctl bw"
	says memory upi
}

gnr() {
	core=/sys/class/pmon/pkg0-dom0/plr/core3

	show "uname -r"
	modprobe pmon_plr
	# On a real host udev loads this module, for power and power limits.
	modprobe -q intel_rapl_tpmi || :
	adopt uncore
	title "Memory reads per socket: by number, by alias; perf's names need perf 6.12"
	counts "perf stat -a --per-socket -e uncore_imc_0/event=0x05,umask=0xcf/ sleep 1"
	counts "perf stat -a --per-socket -e uncore_imc_0/cas_count_read_sch0/ sleep 1"
	title "Bandwidth of each socket, with no perf at all"
	show "pmonctl bw"
	says memory upi

	title "What limits core 3? Nothing yet"
	show "cat $core/reasons"
	says none
	show "cat $core/cpus"
	cpu=$(sed 's/[-,].*//' /tmp/output)
	show "cat /sys/devices/system/cpu/cpu$cpu/plr/reasons"
	says none

	title "Firmware now limits core 3 for a minute (hw is the emulated server's bench)"
	# Let the socket draw 498 W, as a socket at its limit does.
	hw rapl 0/0 power 498000
	show "echo plr 0/0/3 0x008004000000000c 0 60000000000 | hw plr schedule -"
	show "cat $core/reasons"
	says POWER POWER_PKG_PL1_MSR_TPMI THERMAL
	show "cat /sys/devices/system/cpu/cpu$cpu/plr/reasons"
	says POWER POWER_PKG_PL1_MSR_TPMI THERMAL
	show "pmonctl plr"
	says core3 POWER_PKG_PL1_MSR_TPMI
	title "How much of a job ran limited? One job on core 3, the same on core 0"
	events=plr_task/power/,plr_task/observed/
	show "perf stat -e $events taskset -c $cpu timeout 2 yes >/dev/null || :" '/^[[:space:]]*$/d'
	ran_limited 500
	show "perf stat -e $events taskset -c 0 timeout 2 yes >/dev/null || :" '/^[[:space:]]*$/d'
	ran_limited 0
	title "Limits as they change, a line for each"
	show "timeout 4 pmonctl plr --watch || :"
	says core3
	title "For Prometheus, of many lines one"
	show "pmonctl metrics --for 2 | grep -m 1 '^openpmon_memory_read'"
	says openpmon_memory_read_bytes_total
	title "All of it on one screen; the heat is a problem, so the status is 1"
	expected=1
	show "pmonctl"
	says memory POWER_PKG_PL1_MSR_TPMI
}

# traffic GROUP ID N: set the rate of an event to N per microsecond
traffic() {
	hw cpmu 0.0 rate 0x1e98 "$@" 2>/dev/null
}

# busy: set rates for each microsecond: 30 reads of 170 clocks (1 ns each), 10 writes of 140
# clocks. Also let the device count waiting requests
busy() {
	for knob in 'threshold spec' 'residency sum' 'sums add'; do
		# shellcheck disable=SC2086 # two words
		hw cpmu 0.0 knob $knob
	done
	for group in 0x20 0x21 0x25; do
		for id in $(seq 0 15); do
			traffic $group "$id" 0
		done
	done
	traffic 0x20 1 30
	traffic 0x25 0 30
	traffic 0x31 0 5100
	traffic 0x21 1 10
	traffic 0x31 1 1400
}

cxl() {
	modprobe cxl_pci
	modprobe pmon_cxl
	busy
	show "uname -r"
	title "CXL devices count, too; this kernel has no driver for that"
	show "pmonctl list"
	says cxl_pmu_mem0.0 openpmon
	title "Bandwidth, and how long requests take (emulated devices count at a fixed rate)"
	show "pmonctl bw" '1,2d'
	says cxl AVERAGE
}

case ${1-} in
spr | gnr | cxl) "$1" ;;
*) fail "usage: guest.sh spr|gnr|cxl" ;;
esac
