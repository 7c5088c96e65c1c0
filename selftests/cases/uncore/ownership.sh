#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Two drivers never serve one box, whether intel_uncore loads first or later, or is kept off.
# At most one line in the log names the owners, and no count changes. The test clears the
# global freeze in place of firmware, because some kernels' intel_uncore does not.
# contract: owner
# all kernels: 6.1 6.12 newest
# check: newest
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine gnr-2s --drivers none --module bare <<-'S'
	hw global all =0

	# begins PMU: start an event, which counts while drivers come and go
	begins() {
		hw truth reset
		perf stat -x'|' -a --per-socket -o /tmp/stat \
			-e "$1/event=0x05,umask=0xcf/" -- cat /tmp/end &
		until_counting 1/6/0 0xcf05
		hw count reset
	}
	# exact WHOSE: end the event of `begins`, and check its counts in both packages
	exact() {
		end_counts
		awk -F'|' '$1 ~ /^S/ { print substr($1, 2), $3 }' /tmp/stat >/tmp/counts
		is "$(wc -l </tmp/counts)" 2 "$1 event counted"
		while read -r package count; do
			agree "$package/6/0" "$count" 0xcf05 "$1 count, package $package"
		done </tmp/counts
	}
	pmus() {
		ls $PMUS | grep ^uncore_ | sort
	}
	runs 'first: intel_uncore loads' modprobe intel_uncore
	theirs=$(pmus)
	pmus >/tmp/theirs.pmus
	# 6.1 does not support the free-running counters of this platform.
	case $theirs in
	*iio_free_running*) owner=intel_uncore added= ;;
	*) owner=mixed added=uncore_iio_free_running ;;
	esac
	isnt "$theirs" '' 'first: it has PMUs'
	# an event of intel_uncore runs while pmon_uncore comes and goes; 6.1 has no names here
	imc=uncore_imc_0
	[ -e $PMUS/$imc ] || imc=uncore_type_6_0
	begins $imc
	runs 'first: pmon_uncore loads' modprobe pmon_uncore
	is "$(writes) $(reads)" '0 0' 'first: and touches no register'
	imc=$(awk '$2 == "imc" { print $8, $9 }' $PMON/pkg0-uncore0/units | sort -u)
	is "$imc" '- intel_uncore' 'first: sysfs says whose the imc units are'
	is "$(cat $PMON/pkg0-uncore0/owner)" $owner 'first: and the others'
	is "$(messages 'pmon_uncore: .* units left to intel_uncore, which has PMUs for them' | wc -l)" 1 \
		'first: one line in the log'
	is "$(pmus | grep -cxFf /tmp/theirs.pmus)" "$(echo "$theirs" | wc -l)" \
		'first: their PMUs are all there'
	is "$(pmus | grep -vxFf /tmp/theirs.pmus | sed 's/_[0-9]*$//' | uniq)" \
		"$added" 'first: and of ours only what they do not serve'
	runs 'first: pmon_uncore unloads' rmmod pmon_uncore
	exact 'first: their'
	runs 'first: intel_uncore unloads' rmmod intel_uncore

	# intel_uncore is kept off by the option that `pmonctl adopt` writes
	echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
	dmesg -c >/dev/null
	modprobe intel_uncore 2>/dev/null
	runs 'held back: pmon_uncore loads' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" openpmon 'held back: all is ours'
	is "$(messages 'pmon_uncore:')" '' 'held back: and there is nothing to say'
	ours=$(pmus)
	isnt "$ours" '' 'held back: we have PMUs'
	is "$(sed -n 's/^pmu \([^ ]*\) .*/\1/p' $PMON/pkg*-uncore0/pmus | sort -u | xargs)" \
		"$(echo $ours | xargs -n 1 | sort | xargs)" 'held back: the file pmus has each'

	rm /etc/modprobe.d/test.conf
	begins uncore_imc_0
	fails_with 'busy' 'later: intel_uncore is refused' modprobe intel_uncore
	fails_with 'busy' 'later: and again, as by udev for each CPU' modprobe intel_uncore
	is "$(writes)" 0 'later: and writes no register'
	is "$(messages 'intel_uncore refused: pmon_uncore drives the uncore boxes' | wc -l)" 1 \
		'later: one line in the log'
	is "$(grep -c ^intel_uncore /proc/modules)" 0 'later: it is not there'
	is "$(pmus)" "$ours" 'later: our PMUs are all there'
	exact 'later: our'
	runs 'later: pmon_uncore unloads' rmmod pmon_uncore
	runs 'later: then intel_uncore loads' modprobe intel_uncore
	is "$(pmus)" "$theirs" 'later: and has its PMUs again'

	# after intel_uncore unloads, pmon_uncore serves its boxes
	runs 'both: pmon_uncore loads' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" $owner 'both: theirs first'
	runs 'both: intel_uncore unloads' rmmod intel_uncore
	becomes '[ "$(cat $PMON/pkg0-uncore0/owner)" = openpmon ] && [ "$(pmus)" = "$ours" ]'
	is "$(cat $PMON/pkg0-uncore0/owner)" openpmon 'both: then all is ours'
	is "$(pmus)" "$ours" 'both: with all our PMUs'
	exact_on_both uncore_imc_0 0.1 6/0 'both: our count'
	runs 'both: pmon_uncore unloads' rmmod pmon_uncore

	# a newer kernel's driver may have a PMU with an unknown name, for any of the boxes
	echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
	runs 'newer: a PMU' insmod /root/bare.ko name=uncore_new count=1
	runs 'newer: pmon_uncore loads' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" intel_uncore 'newer: all is theirs'
	is "$(pmus)" uncore_new_0 'newer: no PMU is ours'
	runs 'newer: pmon_uncore unloads' rmmod pmon_uncore
	runs 'newer: the PMU goes' rmmod bare

	# such a PMU comes when boxes are served: these stay served, a table read later is theirs
	runs 'newer, later: pmon_uncore loads' modprobe pmon_uncore
	table=$(readlink -f $PMON/pkg1-uncore0/device)
	# returns WHOSE: package 1's table goes and returns, with WHOSE boxes
	returns() {
		echo 1 >$table/remove
		echo 1 >/sys/bus/pci/rescan
		becomes "[ \"\$(cat $PMON/pkg1-uncore0/owner 2>/dev/null)\" = $1 ]"
		is "$(cat $PMON/pkg0-uncore0/owner $PMON/pkg1-uncore0/owner | xargs)" \
			"openpmon $1" "newer, later: $1"
	}
	runs 'newer, later: a PMU' insmod /root/bare.ko name=uncore_new count=1
	returns intel_uncore
	runs 'newer, later: the PMU goes' rmmod bare
	returns openpmon
	is "$(messages 'cannot be served' | wc -l)" 0 'newer, later: each box was added once'
	exact_on_both uncore_imc_0 0.1 6/0 'newer, later: our count'

	# the last table goes, while an event is open
	begins uncore_imc_0
	for p in 0 1; do
		echo 1 >"$(readlink -f $PMON/pkg$p-uncore0/device)"/remove
	done
	fails_with 'busy' 'gone: intel_uncore is refused while perf has our PMU' \
		modprobe intel_uncore
	end_counts
	becomes '[ -z "$(pmus)" ]'
	unlike "$(modprobe intel_uncore 2>&1)" 'busy' 'gone: and then no more'
	runs 'newer, later: pmon_uncore unloads' rmmod pmon_uncore
	S
finish
