#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The event controls that reach the hardware are those that the kernel's own
# driver writes for the same perf events: every driver counts the same list on
# a machine of its own, and what the event controls hold is compared.
. "$(dirname "$0")/lib/tap.sh"

# guest DRIVER: counts one event after the other, prints what controls held
guest() {
	cat <<-'S'
	. /lib/test/uncore.sh
	held() {
		hw truth reset
		perf stat -a -e "$1/$2/" -- sleep 0.01 >/dev/null 2>&1 ||
			echo "$3 $2: cannot be opened"
		# the kernel's driver clears a control when it stops; the log
		# of accesses is what the host compares
		hw log "$3 $2"
	}
	for event in event=0x05,umask=0xcf event=0x01 \
		event=0x21,umask=0xff,thresh=0xff event=0x22,edge \
		event=0x23,inv event=0xfe,umask=0x80,edge,inv,thresh=0x55; do
		for pmu in cha imc upi m2m pcu irp; do
			[ ! -e $PMUS/uncore_${pmu}_0 ] ||
				held uncore_${pmu}_0 $event $pmu
		done
	done
	for event in event=0x34,umask=0x1bc1ff event=0x35,umask=0x10c8968201 \
		event=0x36,umask=0x7fffffffff; do
		held uncore_cha_0 $event cha
	done
	for event in event=0x02,umask=0xf event=0x05,umask=0xffff0e; do
		for pmu in upi m2m; do
			[ ! -e $PMUS/uncore_${pmu}_0 ] ||
				held uncore_${pmu}_0 $event $pmu
		done
	done
	for event in event=0x83,umask=0x01,ch_mask=0x01,fc_mask=0x7 \
		event=0x83,umask=0xff,ch_mask=0xfff,fc_mask=0x7,thresh=0xfff; do
		held uncore_iio_0 $event iio
	done
	[ ! -e $PMUS/uncore_imc_0 ] || held uncore_imc_0 event=0xff imc
	echo done
	S
}

# controls LOG: "EVENT CONTROL…", the non-zero values written for each event
controls() {
	awk '
		/ log / || /# / {
			sub(/.* log /, ""); sub(/^# /, "")
			if (values != "") print $0 ":" values
			values = ""
			next
		}
		$3 == "w" && $4 == "event-ctl" {
			if ($NF !~ /^0x0*$/) seen[$NF]++ || values = values " " $NF
		}' "$1"
}

for k in $KERNELS; do
	for m in spr-2s gnr-2s; do
		# 6.1's driver has no names for this machine's boxes
		[ "$k $m" != '6.1 gnr-2s' ] || continue
		for d in upstream ours; do
			guest >"$TMP/guest.sh"
			vm --kernel "$k" --machine "$m" --drivers "$d" \
				--log "$TMP/$d.log" --copy "$TMP/guest.sh" -- \
				'. /root/guest.sh' >"$TMP/$d.out" 2>&1 ||
				note "$(tail -n 20 "$TMP/$d.out")"
			is "$(tail -n 1 "$TMP/$d.out")" 'done' "$k $m: $d counts"
			controls "$TMP/$d.log" >"$TMP/$d.controls"
		done
		isnt "$(wc -l <"$TMP/ours.controls")" 0 "$k $m: controls written"
		is "$(cat "$TMP/ours.controls")" "$(cat "$TMP/upstream.controls")" \
			"$k $m: as the kernel's driver writes them"
	done
done
finish
