#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# contract: encoding
# kernels: 6.1 6.12 newest
# Event controls in hardware equal the kernel driver's for the same perf events: both
# drivers count the same list on the same machine, one after the other, and their writes
# in the access log are compared.
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

cat >"$TMP/guest.sh" <<'S'
. /lib/test/uncore.sh

# held PMU EVENT: count the event; the access log gets the values of the controls
held() {
	pmu=uncore_${1}_0
	# intel_uncore gives no number to the only PMU of a kind
	[ -e "$PMUS/$pmu" ] || pmu=uncore_$1
	[ -e "$PMUS/$pmu" ] || return 0
	hw log "$driver $1 $2"
	perf6.12 stat -a -e "$pmu/$2/" -- sleep 0.01 >/dev/null 2>&1 ||
		echo "$driver cannot open $1 $2"
}

all() {
	driver=$1
	for event in event=0x05,umask=0xcf event=0x01 \
		event=0x21,umask=0xff,thresh=0xff event=0x22,edge \
		event=0x24,inv event=0xfe,umask=0x80,edge,inv,thresh=0x55; do
		for unit in cha imc upi pcu b2cmi; do
			held $unit $event
		done
	done
	for event in event=0x34,umask=0x1bc1ff event=0x35,umask=0x10c8968201 \
		event=0x36,umask=0x7fffffffff; do
		held cha $event
	done
	for event in event=0x02,umask=0xf event=0x05,umask=0xffff0e; do
		for unit in upi m2m irp m3upi; do
			held $unit $event
		done
	done
	for event in event=0x83,umask=0x01,ch_mask=0x01,fc_mask=0x7 \
		event=0x83,umask=0xff,ch_mask=0xfff,fc_mask=0x7,thresh=0xfff; do
		held iio $event
	done
	held imc event=0xff
	hw log end
}

modprobe intel_uncore && all theirs && rmmod intel_uncore || exit
echo 'options intel_uncore uncore_no_discover=1' >/etc/modprobe.d/test.conf
modprobe pmon_uncore && all ours
S

# controls DRIVER LOG: print "EVENT: CONTROL…", the non-zero control values of each event
controls() {
	awk -v driver="$1" '
		$2 == "#" {
			if (event != "") print event ":" values
			event = $3 == driver ? $4 " " $5 : ""
			values = ""
			delete seen
			next
		}
		event != "" && $3 == "w" && $4 == "event-ctl" {
			if ($NF !~ /^0x0*$/ && !seen[$NF]++)
				values = values " " $NF
		}' "$2"
}

for k in $KERNELS; do
	for m in spr-2s gnr-2s; do
		# 6.1's driver has no names for this machine's boxes
		[ "$k $m" != '6.1 gnr-2s' ] || continue
		status=0
		vm --kernel "$k" --machine "$m" --drivers none \
			--log "$TMP/log" --copy "$TMP/guest.sh" -- \
			'. /root/guest.sh' >"$TMP/out" 2>&1 || status=$?
		is "$status $(cat "$TMP/out")" '0 ' "$k $m: both drivers count all events"
		controls theirs "$TMP/log" >"$TMP/theirs"
		controls ours "$TMP/log" >"$TMP/all"
		# compare only common events, because intel_uncore does not find every UPI link
		awk -F: 'NR == FNR { theirs[$1] = 1; next } $1 in theirs' \
			"$TMP/theirs" "$TMP/all" >"$TMP/ours"
		unlike "$(cat "$TMP/all")" ':$' "$k $m: every event of pmon_uncore sets a control"
		like "$(cut -d' ' -f1 "$TMP/ours" | sort -u | tr '\n' ' ')" \
			'cha .*iio .*imc .*pcu ' "$k $m: compared events are of cha, iio, imc and pcu units"
		isnt "$(grep -c '0x.* 0x' "$TMP/ours")" 0 "$k $m: some events write a control in two halves"
		is "$(cat "$TMP/ours")" "$(cat "$TMP/theirs")" \
			"$k $m: controls of $(wc -l <"$TMP/ours") events equal those of intel_uncore"
	done
done
finish
