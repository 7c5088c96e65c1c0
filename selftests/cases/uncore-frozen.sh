#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# All boxes of a table may be frozen since power-on, by its global control. The
# first event reads it and clears it, and nothing else writes it: not loading,
# not an event that is refused, not another event, not unloading. With
# unfreeze=N it stays, and events are refused.
# kernels: 6.1 6.12 newest
# check: newest
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/machine.sh"
. "$(dirname "$0")/lib/hang-host.sh"

# Memory controllers with counters of 36 bits, which are read every 125 ms.
narrow='for p in m["packages"]:
    d = p["discovery"]
    for u in d["units"]:
        if u["type"] == 6:
            u["width"] = 36'
# Firmware says where the MSR is.
elsewhere='
    d["global"] = { "address": "0x3fe0", "frozen": True }'
in_memory='
    d["global"] = { "access": "mmio", "address": "auto", "frozen": True }'

for k in $KERNELS; do
	for place in msr mmio; do
		code=$narrow
		case $place in
		msr) code+=$elsewhere ;;
		mmio) code+=$in_memory ;;
		esac
		in_vm "$k, $place" --kernel "$k" --drivers none \
			--machine "$(machine gnr-2s "$code")" \
			--copy "$ATTACKS/rights" <<-'S'
		. /lib/test/guest.sh
		. /lib/test/uncore.sh
		chmod 755 /
		echo 'options intel_uncore uncore_no_discover=1' \
			>/etc/modprobe.d/test.conf
		global() { echo "$(accesses global-ctl reads) $(accesses global-ctl writes)"; }
		lines() { messages 'were frozen by the global control' | wc -l; }
		is "$(hw global all | grep -c 'global=0x[0-9a-f]*[13579bdf]$')" 2 \
			'the machine starts frozen'
		states() { cat $PMON/pkg*-uncore*/global | tr '\n' ' '; }
		hw count reset
		runs 'loading' modprobe pmon_uncore
		is "$(states)" 'unknown unknown ' 'nothing is known then'
		is "$(global)" '0 0' 'loading leaves it alone'
		type=$(cat $PMUS/uncore_cha_0/type)
		echo 2 >/proc/sys/kernel/perf_event_paranoid
		is "$(echo "event $type 1 cpu=0" | /root/rights everybody)" \
			"event $type 1 cpu=0 EACCES" 'a user may not count'
		is "$(global)" '0 0' 'nor touch it'
		hw count reset
		hw truth reset
		counts 0.1 uncore_cha_0/event=5,umask=0xcf/ >/tmp/counts
		is "$(wc -l </tmp/counts)" 2 'both packages count'
		while read -r package count event; do
			agree "$package/0/0" "$count" 0xcf05 "exactly, package $package"
		done </tmp/counts
		is "$(global)" '2 2' 'one read and one write of each'
		is "$(states)" 'running running ' 'they run'
		becomes '[ "$(lines)" = 2 ]'
		is "$(lines)" 2 'one line for each'
		hw count reset
		hw truth reset
		counts 0.1 uncore_imc_0/event=5,umask=0xcf/ \
			uncore_upi_0/event=5,umask=0xcf/ uncore_cha_1/event=5,umask=0xcf/ \
			>/tmp/counts
		while read -r package count event; do
			case $event in
			*imc*) unit=$package/6/0 ;;
			*upi*) unit=$package/8/0 ;;
			*cha*) unit=$package/0/1 ;;
			esac
			agree "$unit" "$count" 0xcf05 "$event counts too, package $package"
		done </tmp/counts
		is "$(wc -l </tmp/counts) $(global)" '6 0 0' 'later events leave it alone'

		# Who resets a box may have frozen all, in suspend for one.
		hw truth reset
		perf stat -a -C 0 -x, -o /tmp/out -e uncore_imc_0/event=5/ -- sleep 600 &
		becomes 'hw truth 0/6/0 | grep -q ctl=0x0*5'
		hw count reset
		hw global 0/0 =1
		hw box 0/6/0 poke box 0x301
		becomes '[ "$(global)" = "1 1" ]'
		is "$(global)" '1 1' 'a box that was reset: it is looked at again'
		becomes '[ "$(truth_of 0/6/0 5)" != none ]'
		kill $!
		wait
		isnt "$(truth_of 0/6/0 5)" none 'and the box counts again'
		is "$(lines)" 3 'and that is said'

		# Sleep may, too: a box that was opened before, and never counted.
		runs 'an event that stays off' perf stat -D -1 -C 0 \
			-e uncore_cha_2/event=5,umask=0xcf/ -- true
		echo core >/sys/power/pm_test
		echo 1 >/sys/module/suspend/parameters/pm_test_delay
		hw global 0/0 =1
		runs 'asleep and awake' sh -c 'echo mem >/sys/power/state'
		hw count reset
		hw truth reset
		counts 0.1 uncore_cha_2/event=5,umask=0xcf/ >/tmp/counts
		is "$(global)" '2 1' 'awake: both are looked at again'
		agree 0/0/2 "$(awk '$1 == 0 { print $2 }' /tmp/counts)" 0xcf05 \
			'awake: a box that had not counted yet counts'

		hw global all =1
		hw count reset
		runs 'unloading' rmmod pmon_uncore
		is "$(global)" '0 0' 'unloading leaves it alone'

		dmesg -c >/dev/null
		runs 'unfreeze=N' modprobe pmon_uncore unfreeze=N
		like "$(perf stat -x, -a -C 0 -e uncore_cha_0/event=1/ -- true 2>&1)" \
			'not counted|not supported|busy' 'unfreeze=N: no event is opened'
		fails 'unfreeze=N: perf says so' perf stat -a -C 0 \
			-e uncore_imc_0/event=1/ -- true
		is "$(accesses global-ctl writes)" 0 'unfreeze=N: it is not written'
		# perf gave up at the first package
		is "$(states)" 'frozen unknown ' 'unfreeze=N: sysfs says so'
		is "$(messages 'are frozen by the global control 0x[0-9a-f]*1 and unfreeze=N keeps it: events are refused' | wc -l)" 1 \
			'unfreeze=N: one line says why'
		is "$(pmonctl doctor 2>&1 | grep -c 'and unfreeze=N keeps them so')" \
			2 'unfreeze=N: doctor says so of both packages'
		hw global all =0
		hw truth reset
		counts 0.1 uncore_cha_0/event=5,umask=0xcf/ >/tmp/counts
		is "$(wc -l </tmp/counts)" 2 'it was unfrozen: events can be opened'
		perf stat -a -C 0 -x, -o /tmp/out -e uncore_imc_0/event=5/ -- sleep 600 &
		becomes 'hw truth 0/6/0 | grep -q ctl=0x0*5'
		hw global 0/0 =1
		hw box 0/6/0 poke box 0x301
		becomes '[ "$(states)" = "frozen running " ]'
		is "$(states)" 'frozen running ' 'frozen again, which one box has met'
		fails 'frozen again: events of the others are refused' perf stat -a \
			-C 0 -e uncore_cha_0/event=5/ -- true
		kill $!
		wait
		runs 'unfreeze=N: unloading' rmmod pmon_uncore
		runs 'unfreeze=x' modprobe pmon_uncore unfreeze=x
		is "$(messages 'unfreeze=x is neither Y nor N: doing nothing' | wc -l)" 1 \
			'unfreeze=x: a bad parameter is said'
		finish
		S
	done

	in_vm "$k, running" --kernel "$k" --machine spr-2s <<-'S'
	. /lib/test/guest.sh
	. /lib/test/uncore.sh
	hw count reset
	counts 0.05 uncore_cha_0/event=5,umask=0xcf/ uncore_cha_1/event=1/ >/tmp/counts
	is "$(wc -l </tmp/counts)" 4 'firmware froze nothing: both packages count'
	is "$(accesses global-ctl reads) $(accesses global-ctl writes)" '2 0' \
		'one read of each global control, no write'
	is "$(messages 'global control')" '' 'and nothing to say'
	finish
	S
done
finish
