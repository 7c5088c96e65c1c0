#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check pmonctl's output for boxes that cannot be counted. While all CPUs of a package are offline,
# its boxes are unknown; when the CPUs return, running processes count the boxes again. Boxes that
# firmware froze, and the kernel's driver leaves frozen, are a problem in `doctor`.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k offline" --kernel "$k" --machine spr-2s <<-'S'
	cpus=$(grep -lx 1 /sys/devices/system/cpu/cpu*/topology/physical_package_id |
		sed 's|/topology.*||')
	# online 0|1: take all CPUs of package 1 offline or online
	online() {
		for c in $cpus; do
			echo $1 >$c/online
		done
	}
	# exports PATTERN: wait until the file of metrics has PATTERN
	exports() {
		becomes "grep -q '$1' /root/metrics.prom"
	}
	memory='^openpmon_memory_read_bytes_total{package="1"} [1-9]'
	unknown='^openpmon_unknown_boxes{kind="memory"}'

	pmonctl metrics --file /root/metrics.prom -i 1 2>/tmp/err &
	exporter=$!
	pmonctl bw --watch --csv -i 1 --kind memory --socket 1 >/tmp/bw 2>/dev/null &
	watch=$!
	runs 'memory of both packages' exports "$memory"
	online 0
	runs 'without its CPUs boxes are unknown' exports "$unknown [1-9]"
	fails 'and have no series' grep -q "$memory" /root/metrics.prom
	exits 1 'list' pmonctl list
	like "$out" 'Socket 1: all of its CPUs are offline' 'says so'
	exits 1 'doctor' pmonctl doctor
	like "$out" 'problem +socket 1 +all of its CPUs are offline' 'says so, too'
	exits 1 'bw' pmonctl bw --kind memory
	like "$out" 'memory +1 +- +[?] +[?]' 'has no number'
	online 1
	runs 'it counts again' exports "$unknown 0"
	runs 'and has its series' exports "$memory"
	runs 'bw --watch, too' becomes "tail -n 1 /tmp/bw | grep -q ',[0-9.]*,[0-9.]'"
	kill $exporter $watch
	wait
	is "$(cat /tmp/err)" 'pmonctl: socket 1: not counted, all of its CPUs are offline
	pmonctl: all sockets are counted again' 'one line when it began, and one at its end'
	exits 0 'doctor is content then' pmonctl doctor
	S

	# Linux 6.1 has no events for these boxes, and 7.2 lets them run.
	[ "$k" = 6.12 ] || continue
	in_vm "$k frozen" --kernel "$k" --machine gnr-2s --drivers both <<-'S'
	why='socket 0-1: boxes (are|count nothing and may be) frozen by firmware'
	exits 1 'bw of frozen boxes' pmonctl bw --kind memory
	like "$out" "$why" 'says why'
	exits 1 'doctor' pmonctl doctor
	like "$out" "problem +counting +$why" 'says so, too'
	like "$out" '^Next: pmonctl adopt uncore' 'and what is next'
	exits 1 'the screen' pmonctl
	unlike "$out" '^DOCTOR +fine' 'is not fine'
	S
done
finish
