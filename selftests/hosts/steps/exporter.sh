#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# exporter prepare|count: `prepare` makes the group of exporters.rst. After a reboot, `count`
# runs an exporter that is not root, without and with that group and ambient capabilities.
. "$(dirname "$0")/common.sh"

unit=/etc/systemd/system/exporter.service
part=$unit.d/without-root.conf
conf=/etc/modprobe.d/openpmon-group.conf
output=/run/exporter.output

# exports NAME: run the unit, whose output goes to $output
exports() {
	systemctl daemon-reload
	systemctl start exporter.service
	is "$(grep -c ^end $output)" 1 "$1: the unit has run"
	is "$(grep ^user $output)" 'user alice' "$1: it is no user of note"
}

may_all() {
	exports "$1"
	like "$(cat $output)" '^[1-9][0-9]*\|' "$1: perf counts"
	like "$(cat $output)" '^memory +0 +- +[1-9]' "$1: there is bandwidth"
	[ ! -d /sys/class/pmon/pkg0-dom0 ] ||
		like "$(cat $output)" '^reasons [A-Z]' "$1: limits are there"
}

case $1 in
prepare)
	runs 'the group' groupadd --system perfmon
	echo "options pmon gid=$(getent group perfmon | cut -d: -f3)" >$conf
	# A host has lines of its own, which run in the service's sandbox.
	echo "install pmon_uncore echo >/var/lib/own-line; modprobe --ignore-install pmon_uncore" >>$conf
	;;
count)
	cat >$unit <<-'END'
		[Service]
		Type=oneshot
		User=alice
		StandardOutput=truncate:/run/exporter.output
		StandardError=inherit
		ExecStart=/bin/bash -c 'echo "user $$(id -un)"; \
			perf stat -x"|" -a -e uncore_imc_0/event=0x05,umask=0xcf/ sleep 0.2; \
			pmonctl bw --for 1; \
			echo "reasons $$(cat /sys/class/pmon/pkg0-dom0/plr/die/reasons)"; echo end'
	END
	is "$(cat /proc/sys/kernel/perf_event_paranoid)" 3 "Debian's default"
	exports 'as it is'
	unlike "$(cat $output)" '^[1-9][0-9]*\||^memory|^reasons [A-Z]' \
		'as it is: it gets nothing'
	mkdir $unit.d
	cp /usr/share/doc/openpmon-tools/examples/without-root.conf $part
	may_all 'CAP_SYS_ADMIN'
	sysctl -q kernel.perf_event_paranoid=2
	sed -i 's/=CAP_SYS_ADMIN/=CAP_PERFMON/' $part
	may_all 'CAP_PERFMON at 2'
	sysctl -q kernel.perf_event_paranoid=3
	exports 'CAP_PERFMON at 3'
	unlike "$(cat $output)" '^[1-9][0-9]*\||^memory' 'CAP_PERFMON at 3: it counts nothing'
	runs 'an install line of the host runs in the sandbox of openpmon.service' test -e /var/lib/own-line
	rm -r $unit $unit.d $conf /var/lib/own-line
	systemctl daemon-reload
	groupdel perfmon
	;;
esac
finish
