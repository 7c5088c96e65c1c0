#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Never two drivers on one box: with the kernel's intel_uncore loaded first,
# later, or refused, one line says who has what, and no count changes.
. "$(dirname "$0")/lib/tap.sh"

for k in $KERNELS; do
	in_vm "$k intel_uncore first" --kernel "$k" --machine spr-2s \
		--drivers none <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh

	runs 'intel_uncore loads' modprobe intel_uncore
	theirs=$(ls $PMUS | grep ^uncore_ | sort)
	isnt "$theirs" '' 'it has PMUs'
	# its event runs while we come and go
	hw truth reset
	perf stat -x'|' -a --per-socket -o /tmp/theirs \
		-e uncore_imc_0/event=0x05,umask=0xcf/ -- sleep 4 &
	sleep 1
	hw count reset
	runs 'pmon_uncore loads' modprobe pmon_uncore
	is "$(writes) $(reads)" '0 0' 'and touches no register'
	imc=$(awk '$2 == "imc" { print $8, $9 }' $PMON/pkg0-uncore0/units | sort -u)
	is "$imc" '- intel_uncore' 'sysfs says whose the imc units are'
	is "$(messages 'pmon_uncore: .* units left to intel_uncore' | wc -l)" 1 \
		'one line in the log'
	for pmu in $theirs; do
		[ -e $PMUS/$pmu/type ] || echo "$pmu"
	done >/tmp/lost
	is "$(cat /tmp/lost)" '' 'their PMUs are all there'
	runs 'pmon_uncore unloads' rmmod pmon_uncore
	wait
	awk -F'|' '$1 ~ /^S/ { print substr($1, 2), $3 }' /tmp/theirs >/tmp/counts
	isnt "$(wc -l </tmp/counts)" 0 'their event counted'
	while read -r package count; do
		truth=$(hw truth "$package/6/0" | grep -o 'counted=[0-9]*' |
			cut -d= -f2 | sort -n | tail -n 1)
		is "$count" "$truth" "their count, package $package"
	done </tmp/counts
	finish
	S

	in_vm "$k intel_uncore later" --kernel "$k" --machine spr-2s \
		--drivers ours <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh

	rm -f /etc/modprobe.d/openpmon-adopt.conf
	ours=$(ls $PMUS | grep ^uncore_ | sort)
	isnt "$ours" '' 'we have PMUs'
	hw truth reset
	perf stat -x'|' -a --per-socket -o /tmp/ours \
		-e uncore_imc_0/event=0x05,umask=0xcf/ -- sleep 3 &
	sleep 1
	hw count reset
	fails 'intel_uncore is refused' modprobe intel_uncore
	is "$(writes)" 0 'and writes no register'
	is "$(messages 'intel_uncore refused: pmon_uncore drives' | wc -l)" 1 \
		'one line in the log'
	is "$(lsmod | grep -c ^intel_uncore)" 0 'it is not there'
	is "$(ls $PMUS | grep ^uncore_ | sort)" "$ours" 'our PMUs are all there'
	wait
	awk -F'|' '$1 ~ /^S/ { print substr($1, 2), $3 }' /tmp/ours >/tmp/counts
	while read -r package count; do
		agree "$package/6/0" "$count" 0xcf05 "our count, package $package"
	done </tmp/counts
	runs 'pmon_uncore unloads' rmmod pmon_uncore
	runs 'then intel_uncore loads' modprobe intel_uncore
	isnt "$(ls $PMUS | grep -c ^uncore_)" 0 'and has PMUs'
	finish
	S

	in_vm "$k intel_uncore held back" --kernel "$k" --machine spr-2s \
		--drivers none <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh

	echo 'options intel_uncore uncore_no_discover=1' >>/etc/modprobe.d/test.conf
	modprobe intel_uncore 2>/dev/null
	runs 'pmon_uncore loads' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/owner)" openpmon 'all is ours'
	is "$(messages 'left to intel_uncore' | wc -l)" 0 'nothing was left'
	is "$(messages 'pmon_uncore:')" '' 'and there is nothing to say'
	counts 0.1 uncore_imc_0/event=0x05,umask=0xcf/ >/tmp/counts
	while read -r package count event; do
		agree "$package/6/0" "$count" 0xcf05 "count, package $package"
	done </tmp/counts
	finish
	S
done
finish
