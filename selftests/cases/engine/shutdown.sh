#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# all kernels: 6.1 6.12
# kernels: 6.1 6.12 newest
# At shutdown and reboot, also before kexec starts the next kernel, all used boxes are
# handed back, with and without counting events: not frozen, nothing selected. Neither
# perf, which removes its events later, nor a later step of the shutdown writes to a box
# again.
# last block: no, the kernel is shutting down
# contract: handback-end handback-others
. "$(dirname "$0")/../lib/tap.sh"

for k in $KERNELS; do
	for how in poweroff reboot; do
		in_vm "$k, $how" --kernel "$k" --machine spr-2s --log "$TMP/log" \
			--module halt --set how=$how <<-'S'
		halt=/sys/module/halt/parameters

		# Boxes that were used and are idle stay frozen
		runs 'an event on two boxes counts and ends' perf stat -a -C 0 \
			-e uncore_cha_1/event=0x21/,uncore_imc_1/event=0x21/ -- true
		like "$(hw box 0/0/1) $(hw box 0/6/1)" 'box=0x0*1 .*box=0x0*1( |$)' \
			'boxes that are idle are frozen'
		# groups of four events, whose stop would freeze the box
		events=
		for pmu in cha_0 imc_0 m2m_0 upi_0; do
			events="$events -e {"
			for event in 0x22 0x23 0x24 0x25; do
				events="${events}uncore_$pmu/event=$event/,"
			done
			events="${events%,}}"
		done
		perf stat -a $events -- sleep 1000 >/dev/null 2>&1 &
		for p in 0 1; do
			for unit in 0/0 6/0 7/0 8/0; do
				engine_until_counting $p/$unit 0x22
			done
		done

		insmod /root/halt.ko
		busybox $how -f &
		becomes '[ "$(cat $halt/held)" = Y ]'
		is "$(cat $halt/held)" Y 'the kernel waits in its shutdown'
		hw log 'handed back'
		uncore_handed_back "before $how" 0/0/0 0/6/0 0/7/0 0/8/0 1/0/0 1/6/0 1/7/0 1/8/0 0/0/1 0/6/1
		is "$(uncore_writes 0/0/2) $(uncore_writes 1/6/1)" '0 0' \
			'boxes that were never used are never written'
		# Let the shutdown go on after PID 1 has sent its last message to the host,
		# when PID 1 is in reboot() (169).
		while ! grep -q '^169 ' /proc/1/syscall; do
			sleep 0.1
		done >/dev/null 2>&1 && echo 1 >$halt/go &
		S
		is "$(sed '1,/ # handed back$/d' "$TMP/log" | awk '
			$3 == "w" && $4 ~ /^(global-ctl|box-ctl|event-ctl|counter|filter)$/')" '' \
			"$k, $how: no register of a box is written after the handback"
		isnt "$(sed '/ # handed back$/,$d' "$TMP/log" | grep -c ' w box-ctl ')" 0 \
			"$k, $how: controls of boxes were written before the handback"
		is "$(grep -c ' # handed back$' "$TMP/log")" 1 \
			"$k, $how: the access log has one mark of the handback"
	done
done
finish
