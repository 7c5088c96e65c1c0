#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# gone [now]: check that a purge has left nothing of openpmon; give "now" before a reboot.
. "$(dirname "$0")/common.sh"

settle
is "$(dpkg --audit)" '' 'dpkg is healthy'
is "$(dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' 'openpmon*' 2>/dev/null |
	grep -v ' un ')" '' 'no package is left'
# Unregistering a PMU may hang in Linux 6.1, so pmon stays loaded there until the next boot.
modules=$(cd /sys/module && ls -d pmon* 2>/dev/null)
case ${1-}$(uname -r) in now6.1.*) modules=$(echo "$modules" | grep -vx pmon) ;; esac
is "$modules" '' 'no module of ours is loaded'
runs "the kernel's driver is loaded" live intel_uncore
is "$(pmus)" "$(cat $kept/pmus)" 'its PMUs are what they were'
opens <$kept/events >/run/opened
is "$(comm -23 $kept/events /run/opened)" '' 'every event that could be opened at first can be'
is "$(files | diff $kept/files - | grep '^[<>]')" '' 'every file is as it was, and there is no other'
is "$(ls /run/modprobe.d /var/lib/openpmon 2>/dev/null)" '' 'nothing is left of this boot'
healthy
finish
