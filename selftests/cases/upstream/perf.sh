#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check the patches of tools/upstream for perf iostat in turn, on a Granite Rapids with
# sixteen IIO boxes in each package. The perfs that are compared differ only in these patches.
# kernels: newest
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/upstream-host.sh"

patched perf 2

cat >"$TMP/checks.sh" <<'S'
. /lib/test/uncore.sh
. /lib/test/defects.sh
modprobe intel_uncore
load() { PERF=/root/$1/perf; }
unload() { :; }
before() {
	for i in 0 1 2 3; do
		hw box 0/1/0 rate $i 2621
		hw box 0/1/10 rate $i 26210
	done
	hw truth reset
}

# mapped: make /tmp/sysfs with links to sysfs, and for each IIO box the files die0 and die1
# (its bus in each package), since no kernel driver maps more than ten boxes yet
mapped() {
	mkdir -p /tmp/sysfs/bus/event_source/devices
	ln -s /sys/devices /tmp/sysfs/devices
	for pmu in $PMUS/*; do
		to=/tmp/sysfs/bus/event_source/devices/${pmu##*/}
		case $to in
		*/uncore_iio_[0-9]*)
			mkdir $to
			for f in type cpumask format alias; do
				ln -s $pmu/$f $to/
			done
			box=${to##*_}
			printf '0000:%02x\n' $((box + 0x10)) >$to/die0
			printf '0000:%02x\n' $((box + 0x30)) >$to/die1
			;;
		*) ln -s $(readlink -f $pmu) $to ;;
		esac
	done
}
mapped
export SYSFS_PATH=/tmp/sysfs

check_1() {
	name='sixteen boxes of two packages, and the one with the most'
	$PERF stat -x, --iostat -- sleep 0.05 >/tmp/iostat 2>&1
	counted=$(hw truth controls | grep -c '/1/.* ctl=0x700f000000483 counted=[1-9]')
	most=$(grep ^0000: /tmp/iostat | sort -t, -k2,2rn | head -n 1)
	upstream_verdict "$(grep -c '^0000:' /tmp/iostat) lines, $counted boxes, most ${most%%,*}" \
		'32 lines, 32 boxes, most 0000:1a'
}

# megabytes: print the true megabytes of the first box, in iostat's format
megabytes() {
	echo $(($(truth_of 0/1/0 0x700f000000483) / (256 * 1024)))
}

check_2() {
	name='the sum of intervals, and a box that is shared'
	$PERF stat -I 100 -x, --iostat=0000:10 -- sleep 0.55 >/tmp/intervals 2>&1
	got=$(awk -F, -v want="$(megabytes)" '
		$2 == "0000:10" { sum += $3; n++ }
		END {
			if (n >= 4 && sum > want * .97 && sum < want * 1.03) print "the sum"
			else print n + 0, "intervals of", sum, "for", want
		}' /tmp/intervals)

	# Two groups of four events share four counters, so each counts half of the time.
	box=uncore_iio_0
	$PERF stat -x, -a --per-socket \
		-e "{$box/event=1/,$box/event=2/,$box/event=3/,$box/event=4/}" \
		-- sleep 1.5 >/tmp/other 2>&1 &
	$PERF stat -x, --iostat=0000:10 -- sleep 1.5 >/tmp/iostat 2>&1
	wait
	got="$got, $(awk -F, '
		NR == FNR {
			if ($1 == "S0" && !other) { other = $3 / (256 * 1024); part = $7 }
			next
		}
		$1 == "0000:10" { mine = $2 }
		END {
			if (!other || !mine || part > 90) print "not shared"
			else if (mine > other * .66 && mine < other * 1.5) print "as much"
			else print mine, "for", other
		}' /tmp/other /tmp/iostat)"
	upstream_verdict "$got" 'the sum, as much'
}
S

for k in $KERNELS; do
	one_by_one "$k" 1 2 -- --machine gnr-full
done
finish
