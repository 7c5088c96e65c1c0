#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Events are opened by type numbers that PMUs are about to get: perf on 6.1 finds a PMU
# by its number before the PMU is complete, and a driver must not respond then. Each
# open returns an error or a good event.
# all kernels: 6.1 newest
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine "$(machine_plr_lean)" \
	--program race <<'SCRIPT'
. /lib/test/uncore.sh
. /lib/test/hang.sh
last=$(cat $PMUS/*/type | sort -n | tail -n 1)
first=$(cat $PMUS/uncore_*/type $PMUS/plr/type | sort -n | head -n 1)
rmmod pmon_uncore pmon_plr
note "numbers $first to $last"
# An opener of all numbers rarely tries a new PMU's number in time, so others try a few.
# Openers stop before the modules unload, since open events would hold the modules.
for n in 1 2 3 4; do
	hang_goes_on "opens by numbers of coming PMUs go on, round $n" \
		-n 1 -t 60 \
		open=$first-$((first + 3)):1:cpu open=$first-$last:1:cpu \
		open=$((last - 3))-$last:1:cpu open=$first-$last:1:task \
		run='sleep 0.1; modprobe pmon_uncore && modprobe pmon_plr'
	runs "the modules unload after opens by number, round $n" rmmod pmon_uncore pmon_plr
done
is "$(uncore_messages 'BUG|WARNING|refcount_t|Oops')" '' 'the log has no warning after opens by number'
modprobe pmon_uncore
hw truth reset
uncore_counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ >/tmp/counts
uncore_agree 0/6/0 "$(awk '{ print $2 }' /tmp/counts)" 0xcf05 'an event counts exactly after opens by number'
SCRIPT
finish
