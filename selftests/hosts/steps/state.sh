#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# state beside|adopted|out|refused|missing|failing [VERSION]: check the modules, PMUs and
# reports of that state.
. "$(dirname "$0")/common.sh"

settle
tools=$(dpkg-query -W -f '${Version}' openpmon-tools)
is "$tools" "${2:-$(dpkg-deb -f /t/new/openpmon-tools_*.deb Version)}" 'the version'
is "$(systemctl is-active openpmon.service)" active 'the service has run'
out=$(pmonctl doctor 2>&1)
status=$?
case $1 in
beside | adopted)
	runs 'the modules are loaded' live pmon_uncore
	runs 'pmonctl list' pmonctl list
	unlike "$out" 'openpmon is out' 'doctor has nothing to say of the boot'
	runs 'the stamp waits for five minutes' test -s /var/lib/openpmon/loading
	read_by_all loading /var/lib/openpmon/loading
	;;
out)
	fails 'the modules stay out' live pmon_uncore
	is "$status" 1 'doctor has found something'
	like "$out" 'openpmon is out until' 'namely that'
	like "$(pmonctl metrics)" '^openpmon_out[{].*[}] 1' 'so do metrics'
	read_by_all strikes /var/lib/openpmon/strikes/*
	;;
refused | missing | failing)
	fails 'our module is not loaded' live pmon_uncore
	is "$status" 1 'doctor has found something'
	like "$out" 'adopted .*, but pmon_uncore is not loaded' 'namely that'
	;;
esac
case $1 in
beside)
	is "$(comm -23 $kept/pmus <(pmus))" '' 'all PMUs are there' ;;
adopted)
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon 'the boxes are ours'
	fails "the kernel's driver stays away" live intel_uncore
	# Firmware may have frozen boxes, and the kernel's driver would leave them frozen.
	like "$(pmonctl bw --for 2)" '^memory +0 +- +[1-9]' 'there is bandwidth' ;;
*)
	runs "the kernel's driver has been loaded" live intel_uncore
	is "$(pmus)" "$(cat $kept/pmus)" 'its PMUs are what they were' ;;
esac
if [ -d /sys/class/pmon/pkg0-dom0 ]; then
	# A service that monitored limits cleared the hardware's record, so accept "none".
	[ -e /run/watched ] && limits='^(none|[A-Z])' || limits='^[A-Z]'
	like "$(cat /sys/class/pmon/pkg0-dom0/plr/die/reasons)" "$limits" \
		'what has limited the first die is there'
elif [ "$(uname -r | cut -d. -f2)" != 1 ]; then
	case $1 in beside | adopted) not_ok 'limits are there' ;; esac
fi
opens <$kept/events >/run/opened
is "$(comm -23 $kept/events /run/opened)" '' \
	'every event that could be opened at first can be'
[ ! -s /run/perf.err ] || note "$(tail -n 5 /run/perf.err)"
healthy
finish
