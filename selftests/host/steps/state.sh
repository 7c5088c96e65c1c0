#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# state beside|adopted [VERSION]: what there has to be now.
. "$(dirname "$0")/common.sh"

settle
tools=$(dpkg-query -W -f '${Version}' openpmon-tools)
is "$tools" "${2:-$(dpkg-deb -f /t/new/openpmon-tools_*.deb Version)}" 'the version'
is "$(systemctl is-active openpmon.service)" active 'the service has run'
runs 'the modules are loaded' live pmon_uncore
runs 'pmonctl list' pmonctl list
unlike "$(pmonctl doctor 2>&1)" 'quarantine|held back' \
	'doctor has nothing to say of the boot'
runs 'the stamp waits for five minutes' test -s /var/lib/openpmon/loading
case $1 in
beside)
	is "$(comm -23 $kept/pmus <(pmus))" '' 'all PMUs are there' ;;
adopted)
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon 'the boxes are ours'
	fails "the kernel's driver stays away" live intel_uncore
	# The kernel's own leaves boxes frozen that firmware has frozen.
	like "$(pmonctl bw --for 2)" '^memory +0 +[1-9]' 'there is bandwidth' ;;
esac
opens <$kept/events >/run/opened
is "$(comm -23 $kept/events /run/opened)" '' \
	'every event that could be opened at first can be'
[ ! -s /run/perf.err ] || note "$(tail -n 5 /run/perf.err)"
healthy
finish
