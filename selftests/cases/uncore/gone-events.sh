#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The device is removed under open events. They end: perf prints <not counted>, and
# read() returns no value, because a constant count would look as if nothing had happened.
# The other package's events count on. An event that is enabled after the device's
# return counts again.
# contract: gone
# kernels: 6.1 6.12 newest
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine spr-2s --program hold --program race <<-'S'
	pci=/sys/bus/pci
	upi=uncore_upi_0 upi0=0000:7e:01.1 upi1=0000:fe:01.1
	table1=$(basename "$(readlink -f $PMON/pkg1-uncore0/device)")
	remove() { echo 1 >$pci/devices/"$1"/remove; }
	rescan() { echo 1 >$pci/rescan; becomes "both $1" || not_ok "$1 is back in both packages"; }
	both() { [ "$(tr , '\n' <$PMUS/"$1"/cpumask | wc -l)" = 2 ]; }
	# shown FILE CPU EVENT: print the event's count on a CPU from `perf stat -x, -A`
	shown() { awk -F, -v c="CPU$2" -v e="$3" '$1 == c && index($0, e) { print $2 }' "$1"; }

	# ---- with both versions of perf, one run for each package, because perf shows no
	# counts of other CPUs after an error on one
	for perf in /lib/test/bin/perf /bin/perf; do
		hw truth reset
		for c in 0 8; do
			$perf stat -x, -A -C $c -o /tmp/out$c -e $upi/event=1/ \
				-e "{$upi/event=2/,$upi/event=3/}" -- cat /tmp/end &
		done
		engine_until_counting 0/8/0 3
		engine_until_counting 1/8/0 3
		remove $upi1
		engine_end_counts
		for event in 1 2 3; do
			is "$(shown /tmp/out0 0 event=$event/)" \
				"$(uncore_truth_of 0/8/0 $event)" \
				"$perf: event $event of the package that stays counts exactly"
			is "$(shown /tmp/out8 8 event=$event/)" '<not counted>' \
				"$perf: event $event of the removed function is <not counted>"
		done
		rescan $upi
		uncore_counts 0.01 $upi/event=4/ >/dev/null
	done

	# ---- event by event: two events of a removed box, one of another box
	hold_start
	# readings: print the CPU of each event and its reading by `hold`, with "n" for any count
	readings() {
		tag=t$(wc -l </tmp/held)
		hold_run "read $tag"
		sed -nE "s/^$tag [^ ]* //; T; s/ [0-9]+\$/ n/; p" /tmp/held |
			tr '\n' ' '
	}
	hold_run "open $upi 0 5"
	hold_run "open $upi 8 5"
	hold_run "open $upi 8 6"
	is "$(readings)" '0 n 8 n 8 n ' 'all three events count before the removal'
	hw count reset
	remove $upi1
	is "$(readings)" '0 n 8 end 8 end ' 'both events of the removed function have ended'
	uncore_handed_back 'a box that responds while its function is removed' 1/8/0
	hw count reset
	readings >/dev/null
	is "$(uncore_reads 1/8/0) $(uncore_writes 1/8/0)" '0 0' 'no register of a removed function is accessed'
	rescan $upi
	is "$(readings)" '0 n 8 end 8 end ' 'events that ended do not count by themselves when the function returns'
	hold_run enable
	is "$(readings)" '0 n 8 n 8 n ' 'events that ended count again once enabled'
	engine_until_counting 1/8/0 5
	# Disabled events end, too.
	hold_run disable
	remove $upi1
	is "$(readings)" '0 n 8 end 8 end ' 'a disabled event ends when the function is removed'
	# An event enabled without the box has no running time.
	hold_run enable
	is "$(readings)" '0 n 8 n 8 n ' 'an event that is enabled while its function is away is not in error state'
	hold_run close
	rescan $upi

	# ---- the function with the table is removed, and with it all boxes of the table
	hold_run 'open uncore_imc_0 0 5'
	hold_run 'open uncore_imc_0 8 5'
	hold_run 'open uncore_cha_0 8 5'
	is "$(grep ^open /tmp/held)" '' 'events of imc and cha open in both packages'
	remove $table1
	is "$(readings)" '0 n 8 end 8 end ' "all events of a table end when the table's function is removed"
	hold_run close
	rescan uncore_imc_0
	becomes "both $upi" || not_ok 'UPI links are back in both packages'

	# ---- a PMU without boxes: its events end, and the last close unregisters it
	hold_run "open $upi 0 5"
	hold_run "open $upi 8 5"
	remove $upi0
	remove $upi1
	is "$(readings)" '0 end 8 end ' 'all events end when the functions of both packages are removed'
	hold_run close
	runs 'the PMU is unregistered with its last event' becomes "[ ! -e $PMUS/$upi ]"
	rescan $upi
	exec 3>&-
	wait

	# ---- groups with perf's software events
	hw truth reset
	perf stat -x, -A -C 8 -o /tmp/out -e "{$upi/event=1/,cpu-clock}" \
		-e "{cpu-clock,$upi/event=2/}" -- cat /tmp/end &
	engine_until_counting 1/8/0 2
	remove $upi1
	engine_end_counts
	is "$(shown /tmp/out 8 event=1/)" '<not counted>' \
		'a leader of ours in a group with cpu-clock is <not counted> after the removal'
	is "$(awk -F, '$1 == "CPU8" && /cpu-clock/ { print $2; exit }' /tmp/out)" \
		'<not counted>' 'cpu-clock in a group led by a removed box is <not counted>'
	is "$(shown /tmp/out 8 event=2/)" '<not counted>' \
		"a removed box's event in a group led by cpu-clock is <not counted>"
	rescan $upi

	# ---- devices go and come while events are opened and closed
	type=$(cat $PMUS/$upi/type)
	seconds=5
	[ ! "$short" ] || seconds=2
	runs 'no task hangs while functions go and come and events open and close' \
		/root/race -t $seconds "run=echo 1 >$pci/devices/$upi0/remove; echo 1 >$pci/rescan" \
		open=$type:1-4:cpu open=$type:1-4:cpu
	becomes "both $upi"
	runs 'the module unloads after functions went and came' rmmod pmon_uncore
	S
done
finish
