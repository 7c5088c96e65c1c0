#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Debian's cloud kernels, used on bare metal of clouds, have neither intel_vsec nor
# TPMI: no driver binds 8086:09a7. Boxes are adopted from intel_uncore and count
# exactly, limits are shown. If firmware leaves memory decoding disabled, the driver
# never enables it; doctor prints the command that does.
# kernels: 6.1-cloud 6.12-cloud newest-cloud
# check: none
. "$(dirname "$0")/../lib/tap.sh"

"$ROOT/tools/packaging/boot/put" "$TMP/dest" /usr
cp "$TMP/dest/usr/libexec/openpmon/boot" "$TMP/boot"
for k in $KERNELS; do
	in_vm "$k" --kernel "$k" --machine gnr-2s --drivers none --copy "$TMP/boot" <<-'S'
	. /lib/test/uncore.sh
	exits 0 'boot start succeeds on a cloud kernel' sh /root/boot start
	functions=$(grep -l 0x09a7 /sys/bus/pci/devices/*/device | xargs -n 1 dirname)
	function=$(echo "$functions" | head -n 1)
	fails 'no driver of a cloud kernel binds 8086:09a7' test -e $function/driver
	exits 0 'adopt --persist --now succeeds on a cloud kernel' pmonctl adopt --persist --now uncore
	is "$(cat $PMON/pkg[01]-uncore0/owner | sort -u)" openpmon \
		'openpmon drives the boxes of both packages on a cloud kernel'
	hw truth reset
	uncore_counts 0.1 uncore_imc_0/event=5/ uncore_cha_0/event=5/ uncore_upi_1/event=5/ >/tmp/counts
	is "$(cut -d' ' -f2 /tmp/counts | sort)" \
		"$(hw truth | sed -n 's/.* counted=\([0-9]*\).*/\1/p' | sort)" \
		'boxes count exactly on a cloud kernel'
	hw plr 0/0/3 =0x4
	like "$(cat $PMON/pkg0-dom0/plr/core3/reasons)" POWER 'reasons of core3 show the limit on a cloud kernel'
	exits 0 'doctor succeeds on a cloud kernel' pmonctl doctor
	exits 0 'pmonctl release succeeds on a cloud kernel' pmonctl release
	rmmod pmon_uncore
	rmmod pmon_plr
	# Memory decoding is bit 1 of the command register.
	for f in $functions; do
		printf '\000' | dd of=$f/config bs=1 seek=4 conv=notrunc 2>/dev/null
	done
	modprobe pmon_uncore
	modprobe pmon_plr
	exits 1 'doctor exits with 1 while memory decoding is off' pmonctl doctor
	like "$out" "memory decoding is off, .*echo 1 >$function/enable" \
		'doctor prints the command that enables memory decoding'
	is "$(dd if=$function/config bs=1 skip=4 count=1 2>/dev/null | od -An -tu1 | tr -d ' ')" 0 \
		'the driver does not enable memory decoding'
	for f in $functions; do echo 1 >$f/enable; done
	rmmod pmon_uncore
	rmmod pmon_plr
	modprobe pmon_uncore
	runs 'boxes are found once memory decoding is enabled' test -d $PMON/pkg0-uncore0
	finish
	S
done
finish
