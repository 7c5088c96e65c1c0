#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Verify emulated free-running counters by the kernel's own intel_uncore: it makes their
# PMUs, only reads the counters, and perf's count is the difference of the hardware's
# first and last value. The counters run at their rate all the time. intel_uncore also
# shows where the links of a processor lead.
# all kernels: 6.12 newest
# kernels: 6.1 6.12 newest
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# differences LOG: print the last value minus the first of each register that was
# read between the marks.
differences() {
	sed -n '/# begin/,/# end/p' "$1" | awk '
		$3 == "r" && $4 == "counter" {
			if (!(($5, $6) in first))
				first[$5, $6] = $8
			last[$5, $6] = $8
		}
		END { for (a in first) print first[a], last[a] }' |
		while read -r first last; do
			echo $((last - first))
		done | sort -n
}

for k in $KERNELS; do
for machine in spr-2s gnr-2s; do
	in_vm "$machine on $k" --kernel "$k" --machine "$machine" \
		--drivers upstream --log "$TMP/log" <<'SCRIPT'
cd /root
DEVICES=/sys/bus/event_source/devices
hw units free | sed 's/[a-z]*=//g' | awk '{ print $2 - 4096 "/" $3 }' | sort -u >units
if [ -e $DEVICES/uncore_iio_free_running_0 ]; then
	ok "intel_uncore has free-running counters"
else	# 6.1 does not support Granite Rapids
	ok "intel_uncore does not support this machine"
	finish
	exit
fi
is "$(ls $DEVICES | grep -c free_running)" "$(wc -l <units)" "intel_uncore has a PMU for each free-running unit"

# Count on every counter of the units 0 and 1 in each package.
args=
for n in 0 1; do
	for u in 0x10 0x20 0x21 0x22 0x23 0x24 0x25 0x26 0x27 0x30 0x37; do
		case $(uname -r)$u in 6.1.*0x3*) continue ;; esac
		args="$args -e uncore_iio_free_running_$n/event=0xff,umask=$u/"
	done
	[ -d $DEVICES/uncore_imc_free_running_$n ] || continue
	for e in dclk rpq_cycles wpq_cycles; do
		args="$args -e uncore_imc_free_running_$n/$e/"
	done
done
hw truth reset
perf stat -a --per-socket --no-big-num -x ' ' -o stat $args -- sleep 0.02
is "$(awk '/^S/ && $3 <= 0' stat)" "" "no free-running count is 0"

# Count one event at a time, because intel_uncore starts all running events
# anew when another one starts.
set -- uncore_iio_free_running_0/event=0xff,umask=0x10/ \
	uncore_iio_free_running_1/event=0xff,umask=0x27/ \
	uncore_imc_free_running_0/dclk/ uncore_imc_free_running_1/wpq_cycles/
hw log begin
for e; do
	[ -d $DEVICES/${e%%/*} ] || continue
	perf stat -a --per-socket --no-big-num -x ' ' -o stat -e $e -- sleep 0.02
	awk '/^S/ { print "# count", $3 }' stat
done
hw log end
is "$(hw count | sed -n 's/class=illegal //p')" "reads=0 writes=0 bytes=0" \
	"intel_uncore makes no illegal access"

# A traffic counter of the emulator counts 100 events a microsecond.
like "$(hw truth 0/4097/0 0)" 'ctl=0x000010ff' "the first free-running counter counts the clock"
one=$(hw truth 0/4097/1 3)
set -- $(echo "$one" | sed 's/.*counted=\([0-9]*\).*enabled_ns=\([0-9]*\) frozen_ns=\(.*\)/\1 \2 \3/')
rate=100
off=$(($1 - $2 * rate / 1000))
is "$((off < -1 || off > 1)) $3" "0 0" "a free-running counter runs at its rate and never freezes: $one"
unlike "$(hw truth)" '/4097/' "hw truth leaves out free-running counters"
like "$(hw truth free)" '1/4097/1 ctr=16 ' "hw truth free shows free-running counters"

case $(hw machine) in
*spr-2s*)
	case $(uname -r) in
	6.1.*) ;;
	*)
		is "$(cat $DEVICES/uncore_upi_2/die0 $DEVICES/uncore_upi_3/die1)" \
			"upi_2,die_1
upi_3,die_0" "intel_uncore shows where UPI links lead"
		;;
	esac
esac
SCRIPT
	is "$(differences "$TMP/log")" \
		"$(sed -n 's/^# count //p' "$TMP/out" | sort -n)" \
		"$machine on $k: perf's counts equal the advance of the counters"
done
done
finish
