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
		engine_until_counting 1/6/0 0xcf05
		hw count reset
	}
	# exact WHOSE: end the event of `begins`, and check its counts in both packages
	exact() {
		engine_end_counts
		awk -F'|' '$1 ~ /^S/ { print substr($1, 2), $3 }' /tmp/stat >/tmp/counts
		is "$(wc -l </tmp/counts)" 2 "$1 event counts in two packages"
		while read -r package count; do
			uncore_agree "$package/6/0" "$count" 0xcf05 "$1 count of package $package is exact"
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
	isnt "$theirs" '' 'first: intel_uncore registers PMUs'
	# an event of intel_uncore runs while pmon_uncore comes and goes; 6.1 has no names here
	imc=uncore_imc_0
	[ -e $PMUS/$imc ] || imc=uncore_type_6_0
	begins $imc
	runs 'first: pmon_uncore loads beside intel_uncore' modprobe pmon_uncore
	is "$(uncore_writes) $(uncore_reads)" '0 0' 'first: pmon_uncore accesses no register beside intel_uncore'
	imc=$(awk '$2 == "imc" { print $8, $9 }' $PMON/pkg0-uncore0/units | sort -u)
	is "$imc" '- intel_uncore' 'first: sysfs names intel_uncore as owner of imc units'
	is "$(cat $PMON/pkg0-uncore0/owner)" $owner 'first: sysfs names the owner of the table'
	is "$(uncore_messages 'pmon_uncore: .* units left to intel_uncore, which has PMUs for them' | wc -l)" 1 \
		'first: the log has one line on units left to intel_uncore'
	is "$(pmus | grep -cxFf /tmp/theirs.pmus)" "$(echo "$theirs" | wc -l)" \
		'first: all PMUs of intel_uncore stay registered'
	is "$(pmus | grep -vxFf /tmp/theirs.pmus | sed 's/_[0-9]*$//' | uniq)" \
		"$added" 'first: pmon_uncore adds only PMUs that intel_uncore lacks'
	runs 'first: pmon_uncore unloads beside intel_uncore' rmmod pmon_uncore
	exact "intel_uncore's"
	runs 'first: intel_uncore unloads' rmmod intel_uncore

	# intel_uncore is kept off by the option that `pmonctl adopt` writes
	echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
	dmesg -c >/dev/null
	modprobe intel_uncore 2>/dev/null
	runs 'held back: pmon_uncore loads with intel_uncore held back' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" openpmon 'held back: sysfs names openpmon as owner of the table'
	is "$(uncore_messages 'pmon_uncore:')" '' 'held back: the log has no line of pmon_uncore'
	ours=$(pmus)
	isnt "$ours" '' 'held back: pmon_uncore registers PMUs'
	is "$(sed -n 's/^pmu \([^ ]*\) .*/\1/p' $PMON/pkg*-uncore0/pmus | sort -u | xargs)" \
		"$(echo $ours | xargs -n 1 | sort | xargs)" 'held back: the file pmus has each registered PMU'

	rm /etc/modprobe.d/test.conf
	begins uncore_imc_0
	fails_with 'busy' \
		'later: intel_uncore does not load while pmon_uncore drives the boxes' modprobe intel_uncore
	fails_with 'busy' 'later: intel_uncore does not load at a second try' modprobe intel_uncore
	is "$(uncore_writes)" 0 'later: a refused intel_uncore writes no register'
	is "$(uncore_messages 'intel_uncore refused: pmon_uncore drives the uncore boxes' | wc -l)" 1 \
		'later: the log has one line on the refused intel_uncore'
	is "$(grep -c ^intel_uncore /proc/modules)" 0 'later: intel_uncore is not in the list of modules'
	is "$(pmus)" "$ours" 'later: all PMUs of pmon_uncore stay registered'
	exact "pmon_uncore's"
	runs 'later: pmon_uncore unloads' rmmod pmon_uncore
	runs 'later: intel_uncore loads once pmon_uncore has unloaded' modprobe intel_uncore
	is "$(pmus)" "$theirs" 'later: intel_uncore registers its PMUs'

	# after intel_uncore unloads, pmon_uncore serves its boxes
	runs 'both: pmon_uncore loads beside intel_uncore' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" $owner "both: sysfs names intel_uncore's share before its unload"
	runs 'both: intel_uncore unloads beside pmon_uncore' rmmod intel_uncore
	becomes '[ "$(cat $PMON/pkg0-uncore0/owner)" = openpmon ] && [ "$(pmus)" = "$ours" ]'
	is "$(cat $PMON/pkg0-uncore0/owner)" openpmon \
		'both: sysfs names openpmon as owner once intel_uncore has unloaded'
	is "$(pmus)" "$ours" 'both: pmon_uncore registers all its PMUs once intel_uncore has unloaded'
	uncore_exact_on_both uncore_imc_0 0.1 6/0 'a box taken over from intel_uncore'
	runs 'both: pmon_uncore unloads' rmmod pmon_uncore

	# a newer kernel's driver may have a PMU with an unknown name, for any of the boxes
	echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
	runs \
		'newer: a module registers a PMU with an unknown uncore name' insmod /root/bare.ko name=uncore_new count=1
	runs 'newer: pmon_uncore loads beside an unknown PMU' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" intel_uncore "newer: all tables are left to the unknown PMU's driver"
	is "$(pmus)" uncore_new_0 'newer: pmon_uncore registers no PMU beside an unknown one'
	runs 'newer: pmon_uncore unloads' rmmod pmon_uncore
	runs 'newer: the module with the unknown PMU unloads' rmmod bare

	# such a PMU comes when boxes are served: these stay served, a table read later is theirs
	runs 'newer, later: pmon_uncore loads first' modprobe pmon_uncore
	table=$(readlink -f $PMON/pkg1-uncore0/device)
	# returns WHOSE: package 1's table goes and returns, with WHOSE boxes
	returns() {
		echo 1 >$table/remove
		echo 1 >/sys/bus/pci/rescan
		becomes "[ \"\$(cat $PMON/pkg1-uncore0/owner 2>/dev/null)\" = $1 ]"
		is "$(cat $PMON/pkg0-uncore0/owner $PMON/pkg1-uncore0/owner | xargs)" \
			"openpmon $1" "newer, later: a table that returns belongs to $1"
	}
	runs 'newer, later: a module registers an unknown PMU' insmod /root/bare.ko name=uncore_new count=1
	returns intel_uncore
	runs 'newer, later: the module with the unknown PMU unloads' rmmod bare
	returns openpmon
	is "$(uncore_messages 'cannot be served' | wc -l)" 0 'newer, later: no box is added twice'
	uncore_exact_on_both uncore_imc_0 0.1 6/0 'a box after an unknown PMU came and went'

	# the last table goes, while an event is open
	begins uncore_imc_0
	for p in 0 1; do
		echo 1 >"$(readlink -f $PMON/pkg$p-uncore0/device)"/remove
	done
	fails_with 'busy' 'gone: intel_uncore does not load while an event of a removed table is open' \
		modprobe intel_uncore
	engine_end_counts
	becomes '[ -z "$(pmus)" ]'
	unlike "$(modprobe intel_uncore 2>&1)" 'busy' 'gone: intel_uncore is not refused once that event is closed'
	runs 'gone: pmon_uncore unloads' rmmod pmon_uncore
	S
finish
