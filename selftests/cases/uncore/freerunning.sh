#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test free-running counters of I/O stacks' ports and of memory controllers, on Sapphire
# Rapids and on Granite Rapids. They count for any number of events, over a wrap, by
# perf's names, and without a write.
# all kernels: 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# Make as many I/O stacks as there can be: each has counters that no table lists.
spr=$(machine spr-2s '
table = m["packages"][0]["discovery"]
for u in table["units"] + table["free_running"]:
    if u.get("type") == 1 or u.get("layout") == "spr-iio":
        u["count"] = 16')

for m in spr-2s gnr-2s; do
	file=$m
	[ $m = gnr-2s ] || file=$spr
	each_vm --as "$m" --machine "$file" <<-'S'
	# advance UNIT COUNTER FROM BY EVENT...: advance the counter by BY, and print the
	# counts of package 0's events in units of BY. By itself the counter gains 1 per us,
	# far less than BY. The driver accepts a gain of 2^38 a second at most, so BY must be
	# possible within some hundredths of a second.
	advance() {
		unit=$1 counter=$2 from=$3 by=$4
		shift 4
		hw box "$unit" rate "$counter" 1
		hw box "$unit" preload "$counter" "$from"
		perf stat -x, -C 0 "$@" -- sh -c \
			'touch /tmp/started; while [ -e /tmp/started ]; do sleep 0.02; done' \
			2>/tmp/stat &
		while [ ! -e /tmp/started ]; do sleep 0.02; done
		hw box "$unit" preload "$counter" \
			$(((from + by) & 0xffffffffffff))
		rm /tmp/started
		wait
		awk -F, -v by="$by" '{ printf "%.1f ", $1 / by }' /tmp/stat
	}

	is "$(ls $PMUS | grep -c _free_running_)" \
		"$(hw units free | grep -c '^pkg=0 ')" 'every free-running unit has a PMU'
	hw count reset
	pmu=uncore_iio_free_running_1
	is "$(cat $PMUS/$pmu/cpumask)" "$(cat $PMUS/uncore_iio_1/cpumask)" \
		"a free-running I/O PMU has the CPUs of the stack's PMU"
	is "$(cat $PMUS/$pmu/events/bw_in_port3)" 'event=0xff,umask=0x23' \
		'bw_in_port3 is event=0xff,umask=0x23'
	is "$(cat $PMUS/$pmu/events/bw_in_port3.scale)" 3.0517578125e-5 \
		'bw_in_port3 has a scale of 32 bytes'
	is "$(advance 0/4097/1 0 7 4000000000 -e $pmu/event=0xff,umask=0x10/)" \
		'1.0 ' 'umask=0x10 counts the I/O clock'
	is "$(advance 0/4097/1 1 7 1000000000 -e $pmu/event=0xff,umask=0x20/)" \
		'1.0 ' 'umask=0x20 counts what comes in at the first port'
	is "$(advance 0/4097/1 8 0 4000000000 -e $pmu/event=0xff,umask=0x27/)" \
		'1.0 ' 'umask=0x27 counts what comes in at the last port'
	is "$(advance 0/4097/1 9 0 1230000000 -e $pmu/event=0xff,umask=0x30/)" \
		'1.0 ' 'umask=0x30 counts what goes out at the first port'
	is "$(advance 0/4097/1 16 0 3276800000 -e $pmu/event=0xff,umask=0x37/)" \
		'1.0 ' 'umask=0x37 counts what goes out at the last port'
	# a gain that a port can have while `advance` runs: at most 2^35 a second
	is "$(advance 0/4097/1 3 0xfffff8000000 0x10000000 \
		-e $pmu/event=0xff,umask=0x22/)" '1.0 ' 'a free-running count is exact over a wrap'
	is "$(advance 0/4097/1 3 0 4000000000 -e $pmu/event=0xff,umask=0x22/ \
		-e $pmu/event=0xff,umask=0x22/ \
		-e "{$pmu/event=0xff,umask=0x22/,$pmu/event=0xff,umask=0x22/}" \
		-e uncore_iio_free_running_0/event=0xff,umask=0x22/)" \
		"1.0 1.0 1.0 1.0 $(awk -F, 'END { printf "%.1f", $1 / 4000000000 }' /tmp/stat) " \
		'several events of one free-running counter have the same count'
	for event in 0xff,umask=0x11 0xff,umask=0x28 0xff,umask=0x38 \
		0xff,umask=0x0 0x01,umask=0x10; do
		like "$(perf stat -x, -C 0 -e $pmu/event=$event/ true 2>&1)" \
			'^<not supported>,|Invalid' "event=$event is refused on a free-running I/O PMU"
	done
	if hw units free | grep -q 'type=4102 id=1 '; then
		pmu=uncore_imc_free_running_1
		is "$(cat $PMUS/$pmu/cpumask)" 0,8 'a free-running imc PMU has a CPU of each package'
		is "$(advance 0/4102/1 0 0 5000000000 -e $pmu/dclk/)" '1.0 ' "dclk counts its free-running counter"
		is "$(advance 0/4102/1 1 0 5010000000 -e $pmu/rpq_cycles/)" '1.0 ' \
			'rpq_cycles counts its free-running counter'
		is "$(advance 0/4102/1 2 0 5020000000 -e $pmu/wpq_cycles/)" '1.0 ' \
			'wpq_cycles counts its free-running counter'
		# A box without response is not counted, and is logged once.
		pmu=uncore_imc_free_running_0
		hw box 0/4102/0 dead
		for again in no yes; do
			perf stat -x, -A -C 0,8 -e $pmu/dclk/ -o /tmp/stat -- sleep 0.3
			like "$(grep '^CPU0,' /tmp/stat)" '^CPU0,<not counted>' \
				"an event of a free-running box that does not respond is <not counted> (again: $again)"
		done
		# A read error on CPU 0 would keep perf from reading the event on CPU 8.
		like "$(grep '^CPU8,' /tmp/stat)" '^CPU8,[1-9][0-9]*,' \
			'the free-running box of the other package counts'
		becomes '[ "$(uncore_messages "$pmu.*no response" | wc -l)" = 1 ]'
		is "$(uncore_messages "$pmu" | grep -c 'no response (all ones), not counting')" 1 \
			'the log has one line on the free-running box that does not respond'
		hw box 0/4102/0 ok
		is "$(advance 0/4102/0 0 0 5000000000 -e $pmu/dclk/)" '1.0 ' \
			'the free-running box counts once the box responds again'
		for n in $(seq 0 15); do
			hw box 0/4097/$n rate 1 1
		done
		is "$(advance 0/4097/0 1 0 5550000000 -e \
			UNC_IIO_BANDWIDTH_IN.PART0_FREERUN)" '1.0 ' \
			"UNC_IIO_BANDWIDTH_IN.PART0_FREERUN counts its free-running counter"
	fi
	is "$(uncore_accesses free-running,counter,event-ctl,box-ctl,filter writes)" 0 \
		'free-running events write no register'
	runs 'the module unloads after free-running events' rmmod pmon_uncore
	is "$(uncore_accesses free-running,counter,event-ctl,box-ctl,filter writes)" 0 \
		'unloading writes no register after free-running events'
	S
done
finish
