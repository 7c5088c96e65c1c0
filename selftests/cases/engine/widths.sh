#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Counters of every width at once: 40 boxes of 32 bits in each package, more
# than the wrap timer reads in one go, half of which come and go; 36 and 40 bits
# over several wraps; 44, 48 and 64 beside them. Wide ones begin, so the timer
# must become quicker when narrow ones follow; the CPU that does the work goes
# offline, and another goes on in time. 24 bits would wrap between two readings:
# such a unit is refused. A counter that went back because its box was reset has
# not wrapped.
# contract: wrap
# check: none
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine mixed <<-'S'
	like "$(rejected_line 0 4 0)" '^4 0 width 0x18 ' '24 bits are refused'
	is "$(cat $PMON/pkg*-uncore0/rejected | wc -l)" 2 'nothing else is'

	# In counts per microsecond. The narrow ones wrap each four seconds: an
	# emulated CPU may have to wait for its host, though not that long.
	first="imc_0=6/0 cxldp=13/0 mdf=11/0 ubox=5/0 m2m_0=7/0"
	for p in 0 1; do
		for n in $(seq 0 39); do
			echo "$p/0/$n rate 0 1000"
		done
		echo "$p/7/0 rate 0 16000"
		for unit in 5/0 6/0 11/0 13/0; do
			echo "$p/$unit rate 0 270000"
		done
	done | while read -r what; do
		hw box $what
	done
	for n in $(seq 0 19); do
		first="$first cha_$n=0/$n"
	done
	hw truth reset

	# begins SECONDS ROUND: the other twenty
	comes_and_goes() {
		counts "$1" $(for n in $(seq 20 39); do
			echo "uncore_cha_$n/event=0x4$2/"
		done) >>/tmp/others
	}

	perf stat -x'|' -a --per-socket -o /tmp/first $(for pair in $first; do
		echo "-e uncore_${pair%=*}/event=0x33/"
	done) -- cat /tmp/end &
	until_counting 1/7/0 0x33
	comes_and_goes 0.3 1
	comes_and_goes 5 2
	was=$(collector uncore_cha_0 1)
	cpu "$was" 0
	isnt "$(collector uncore_cha_0 1)" "$was" 'another CPU takes over'
	sleep 5
	cpu "$was" 1
	comes_and_goes 5 3
	end_counts

	# The truth is one line for each control that a unit had.
	hw truth controls | sed -n 's/^unit=\([^ ]*\) ctl=\([^ ]*\) counted=\([0-9]*\) .*/\1 \2 \3/p' \
		>/tmp/truth
	{
		awk -F'|' '/^S/ { print substr($1, 2), $3, $5 }' /tmp/first
		cat /tmp/others
	} | sed 's,uncore_,,; s,/event=\([^/]*\)/.*, \1,' >/tmp/counted
	for pair in $first $(for n in $(seq 20 39); do echo "cha_$n=0/$n"; done); do
		echo "unit ${pair%=*} ${pair#*=}"
	done | awk '
		FILENAME == "-" { unit[$2] = $3; next }
		FILENAME ~ "truth" { truth[$1 " " $2] = $3; next }
		{
			true = truth[$1 "/" unit[$3] " " $4]
			print (true && true == $2 ? "exact" : "wrong"),
				$3, $1, $4, $2, "of", true
		}' - /tmp/truth /tmp/counted >/tmp/verdict
	grep wrong /tmp/verdict | head -n 20
	for pmu in imc_0 cxldp mdf ubox m2m_0; do
		is "$(grep -c "^exact $pmu " /tmp/verdict)" 2 "$pmu is exact, twice"
	done
	is "$(grep -c '^exact cha_.* 0x33 ' /tmp/verdict)" 40 '40 narrow ones are exact'
	is "$(grep -c '^exact cha_.* 0x4[123] ' /tmp/verdict)" 120 \
		'and those that came and went, three times'
	is "$(grep -vc '^exact' /tmp/verdict)" 0 'nothing else was counted'

	# wrapped UNIT BITS TIMES: it has gone over its end that often
	wrapped() {
		for p in 0 1; do
			runs "unit $p/$1: $2 bits wrapped $3 times" test \
				$(($(sed -n "s,^$p/$1 0x33 ,,p" /tmp/truth) >> $2)) -ge "$3"
		done
	}
	wrapped 0/0 32 3
	wrapped 7/0 36 3
	wrapped 6/0 40 2

	# A box is reset between two readings, so early that 40 bits might have
	# wrapped, and before the wrap tick looks at its control.
	mkfifo /tmp/control
	perf stat -x, -o /tmp/out -a -C 0 -I 700 --control fifo:/tmp/control \
		-e uncore_imc_0/event=0x51/ -- cat /tmp/end &
	until_counting 0/6/0 0x51
	becomes 'grep -q event=0x51 /tmp/out'
	sleep 0.3
	hw box 0/6/0 poke box 0x301
	sleep 0.5
	echo disable >/tmp/control
	sleep 0.2
	end_counts
	between 1 "$(awk -F, '/event/ { n += $2 } END { printf "%.0f", n }' /tmp/out)" \
		"$(truth_of 0/6/0 0x51)" 'a counter that was reset has not wrapped'
	S
finish
