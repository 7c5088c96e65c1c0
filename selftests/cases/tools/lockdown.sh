#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test lockdown=integrity, as with Secure Boot. Modules signed with an accepted key load,
# all PMUs count, and limits and bandwidth are shown; the kernel's own driver for limits,
# also signed, shows nothing. Unsigned modules do not load, so adopted boxes go to the
# kernel's driver.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# coverage: no, with Debian's signatures
# check: none
. "$(dirname "$0")/../lib/tap.sh"

"$ROOT/tools/packaging/boot/put" "$TMP/dest" /usr
cp "$TMP/dest/usr/libexec/openpmon/boot" "$TMP/boot"
for k in $KERNELS; do
	trusting=$("$ROOT/selftests/lib/build/trusting" "$k") || continue
	release=$(cat "$trusting/release")
	kdir=$("$ROOT/selftests/lib/build/headers" "$release")
	mkdir -p "$TMP/signed"
	cp "$("$ROOT/selftests/lib/build/modules" "$release")"/built/*.ko "$TMP/signed/"
	[ "$k" = 6.1 ] || cp "$("$ROOT/selftests/lib/build/plr-peer" "$release")" "$TMP/signed/"
	for ko in "$TMP"/signed/*.ko; do
		strip --strip-debug "$ko"
		"$kdir/scripts/sign-file" sha256 "$trusting/key.pem" \
			"$trusting/key.der" "$ko"
	done
	in_vm "$k" --kernel "$trusting" --machine gnr-2s --drivers none \
		--copy "$TMP/boot" --copy "$TMP/signed" <<-'S'
	PMUS=/sys/bus/event_source/devices
	updates=/lib/modules/$(uname -r)/updates
	peer=/root/signed/intel_plr_tpmi.ko
	mount -t securityfs none /sys/kernel/security
	loaded() {
		grep -q "^$1 " /proc/modules
	}
	# peer_shows: print the kernel driver's limits
	peer_shows() {
		cat /sys/kernel/debug/tpmi-*/plr/domain*/status
	}
	modprobe intel_vsec
	modprobe -q intel_vsec_tpmi
	modprobe -q intel_tpmi_power_domains || modprobe -q tpmi_power_domains
	if [ -e $peer ]; then
		runs "intel_plr_tpmi loads before lockdown" insmod $peer
		like "$(peer_shows 2>&1)" '^cpu[0-9]' 'intel_plr_tpmi shows limits before lockdown'
		rmmod intel_plr_tpmi
	fi
	runs 'adopt --persist --now succeeds before lockdown' pmonctl adopt --persist --now uncore
	rmmod pmon_uncore pmon 2>/dev/null
	rmmod pmon_uncore 2>/dev/null
	echo integrity >/sys/kernel/security/lockdown
	like "$(cat /sys/kernel/security/lockdown)" '\[integrity\]' 'the kernel is locked down'

	fails 'an unsigned module does not load under lockdown' modprobe pmon_plr
	exits 1 'doctor exits with 1 if a module is not signed' pmonctl doctor
	like "$out" 'pmon_plr +not loaded, and cannot be: it is not signed' \
		'doctor prints that pmon_plr is not signed'
	exits 0 'boot start succeeds with unsigned modules' sh /root/boot start
	runs "intel_uncore drives adopted boxes if pmon_uncore is not signed" loaded intel_uncore
	like "$(ls $PMUS)" '^uncore_' 'intel_uncore registers PMUs if pmon_uncore is not signed'
	rmmod intel_uncore

	cp /root/signed/pmon*.ko $updates/
	depmod
	exits 0 'boot start succeeds with signed modules' sh /root/boot start
	runs 'the signed pmon_uncore loads under lockdown' loaded pmon_uncore
	runs 'the signed pmon_plr loads under lockdown' loaded pmon_plr
	fails "intel_uncore is not loaded beside the signed pmon_uncore" loaded intel_uncore
	is "$(cat /sys/class/pmon/pkg0-uncore0/owner)" openpmon 'openpmon drives the boxes under lockdown'
	events=
	for pmu in $(cd $PMUS && ls -d uncore_*); do
		name=$(ls $PMUS/$pmu/events 2>/dev/null | grep -v '\.' | head -n 1)
		events="$events -e $pmu/${name:-event=0x1,umask=0x1}/"
	done
	perf stat -x'|' -a -o /root/perf $events sleep 0.2
	is "$(grep -c 'not supported' /root/perf)" 0 'no event of a PMU is <not supported> under lockdown'
	is "$(grep -c '^[0-9]' /root/perf)" "$(echo "$events" | grep -o ' -e ' | wc -l)" \
		'every event of a PMU has a count under lockdown'
	runs 'reasons of a die are shown under lockdown' grep -qE '^[A-Z]' \
		/sys/class/pmon/pkg0-dom0/plr/die/reasons
	perf stat -x'|' -a -o /root/perf -e plr/observed/ sleep 0.2
	like "$(cat /root/perf)" '^[0-9]' 'perf counts plr/observed/ under lockdown'
	runs 'pmonctl plr --once succeeds under lockdown' pmonctl plr --once
	like "$(pmonctl bw --for 1)" '^memory +0 +- +[1-9]' 'pmonctl bw prints memory bandwidth under lockdown'
	if [ -e $peer ]; then
		rmmod pmon_plr
		runs "the signed intel_plr_tpmi loads under lockdown" insmod $peer
		like "$(peer_shows 2>&1)" 'Operation not permitted' 'intel_plr_tpmi refuses reads under lockdown'
		unlike "$(peer_shows 2>&1)" '^cpu[0-9]' 'intel_plr_tpmi shows no limit under lockdown'
	fi
	S
done
finish
