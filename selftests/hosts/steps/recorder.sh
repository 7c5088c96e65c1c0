#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# recorder: check that openpmon-recorder.service records, that a reload writes bandwidth
# and limits, that nothing is left in the kernel after the stop, and that systemd accepts
# all units.
. "$(dirname "$0")/common.sh"

unit=openpmon-recorder.service
dir=/var/lib/openpmon/recorder
trace=/sys/kernel/tracing/instances/openpmon-recorder
# Check no manual pages, because this Debian has no `man`.
is "$(systemd-analyze verify --man=no /lib/systemd/system/openpmon*.* 2>&1)" '' \
	'systemd finds no fault with the units'
runs 'the recorder' systemctl start $unit
: >/run/watched
# File names contain the time. Line 1 names the columns, each other line is one second.
csv=/dev/null
for _ in $(seq 60); do
	sleep 2
	systemctl reload $unit
	sleep 2
	for csv in "$dir"/bandwidth.2*.csv; do :; done
	[ ! -e "$csv" ] || [ "$(wc -l <"$csv")" -lt 3 ] || break
done
like "$(head -n 1 "$csv")" '^time,socket0.memory.read_MB_s,' 'a reload writes names of columns'
like "$(tail -n 1 "$csv")" '^20[^,]*,[1-9]' 'and bandwidth'
read_by_root 'the record of bandwidth' "$csv"
if [ -d /sys/class/pmon/pkg0-dom0 ]; then
	like "$(head -qn 1 $dir/limits.2*)" '^# 20.* is [0-9.]* s$' 'and limits, with both clocks'
	read_by_root 'the record of limits' $dir/limits.2*
	runs 'which are recorded in an instance of their own' test -d $trace
fi
is "$(systemctl is-active $unit) $(systemctl show -P NRestarts $unit)" 'active 0' \
	'it was started once'
runs 'it stops' systemctl stop $unit
is "$(systemctl show -P Result $unit)" success 'without a failure'
fails 'nothing is left in the kernel' test -d $trace
is "$(journalctl -b -u $unit -o cat --no-pager -p warning)" '' 'and without a word'
healthy
finish
