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
	runs 'metrics count memory of both packages' exports "$memory"
	online 0
	runs 'metrics has unknown boxes while all CPUs of package 1 are offline' exports "$unknown [1-9]"
	fails 'metrics has no memory series of a package without CPUs' grep -q "$memory" /root/metrics.prom
	exits 1 'pmonctl list exits with 1 while all CPUs of a package are offline' pmonctl list
	like "$out" 'Socket 1: all of its CPUs are offline' \
		'pmonctl list prints that all CPUs of socket 1 are offline'
	exits 1 'doctor exits with 1 while all CPUs of a package are offline' pmonctl doctor
	like "$out" 'problem +socket 1 +all of its CPUs are offline' \
		'doctor prints that all CPUs of socket 1 are offline'
	exits 1 'pmonctl bw exits with 1 while all CPUs of a package are offline' pmonctl bw --kind memory
	like "$out" 'memory +1 +- +[?] +[?]' 'pmonctl bw prints no number for a package without CPUs'
	online 1
	runs 'metrics has no unknown box once the CPUs return' exports "$unknown 0"
	runs 'metrics counts memory of package 1 once the CPUs return' exports "$memory"
	runs \
		'bw --watch counts package 1 once the CPUs return' becomes "tail -n 1 /tmp/bw | grep -q ',[0-9.]*,[0-9.]'"
	kill $exporter $watch
	wait
	is "$(cat /tmp/err)" 'pmonctl: socket 1: not counted, all of its CPUs are offline
	pmonctl: all sockets are counted again' \
		'metrics prints one line when a package goes and one when the package returns'
	exits 0 'doctor succeeds once the CPUs return' pmonctl doctor
	S

	# Linux 6.1 has no events for these boxes, and 7.2 lets them run.
	[ "$k" = 6.12 ] || continue
	in_vm "$k frozen" --kernel "$k" --machine gnr-2s --drivers both <<-'S'
	why='socket 0-1: boxes (are|count nothing and may be) frozen by firmware'
	exits 1 'pmonctl bw exits with 1 on frozen boxes' pmonctl bw --kind memory
	like "$out" "$why" 'pmonctl bw prints that firmware froze the boxes'
	exits 1 'doctor exits with 1 on frozen boxes' pmonctl doctor
	like "$out" "problem +counting +$why" 'doctor prints that firmware froze the boxes'
	like "$out" '^Next: pmonctl adopt uncore' 'doctor prints pmonctl adopt uncore as next step for frozen boxes'
	exits 1 'the front page exits with 1 on frozen boxes' pmonctl
	unlike "$out" '^DOCTOR +fine' 'the front page does not print DOCTOR fine on frozen boxes'
	S
done
finish
