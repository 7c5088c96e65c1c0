#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# CPUs go offline and online while events count. When the designated CPU of a package
# goes offline another one takes over, without a lost or invented count. When the
# last CPU of a package goes, the count stays. When CPUs return, new events count.
# contract: follow
# all kernels: 6.1 6.12 newest 6.12-rt
# races: yes
. "$(dirname "$0")/../lib/tap.sh"

each_vm --machine spr-2s --append isolcpus=15 --program hold --module stall \
	--module power <<-'S'
	for pmu in uncore_imc_0:6/0 uncore_cha_0:0/0 uncore_upi_0:8/0; do
		unit=${pmu#*:} pmu=${pmu%:*}
		[ -e $PMUS/$pmu ] || not_ok "the PMU $pmu is registered"
		was=$(engine_collector $pmu 1)
		hw truth reset
		# perf must not end while the CPU is offline, because it could not find
		# the CPU's package
		perf stat -x'|' -a --per-socket -o /tmp/stat \
			-e "{$pmu/event=1/,$pmu/event=2/}" -e $pmu/event=3/ \
			-- cat /tmp/end &
		engine_until_counting 1/$unit 3
		engine_cpu "$was" 0
		isnt "$(engine_collector $pmu 1)" "$was" \
			"$pmu: another CPU is designated when the designated CPU goes offline"
		sleep 0.3
		engine_cpu "$was" 1
		engine_end_counts
		is "$(awk -F'|' '/^S/ { n += $3 } END { printf "%.0f", n }' /tmp/stat)" \
			"$(engine_total 0/$unit 1/$unit)" "$pmu: a move to another CPU neither loses nor invents counts"
	done

	# perf 6.12 sorts counts by package with the topology, which offline CPUs lack. Use
	# Debian's perf, which shows the count all the same.
	PATH=${PATH#/lib/test/bin:}
	# Use other boxes, which stay frozen while idle. Unloading cannot unfreeze them in
	# a package without CPUs.
	uncore_counts 0.1 uncore_cha_1/event=1/ uncore_imc_1/event=1/ uncore_upi_1/event=1/ >/tmp/idle
	is "$(wc -l </tmp/idle)" 6 'an event has counted on a box of each kind of register in both packages'
	hw truth reset
	all=$(engine_cpus_of 1)
	first=$(engine_collector uncore_imc_0 1)
	perf stat -x, -A -a -o /tmp/counts -e uncore_imc_0/event=1/ -- cat /tmp/end &
	# use the MSRs of another box of the package as well
	perf stat -a -o /dev/null -e uncore_cha_0/event=1/ -- cat /tmp/end &
	perf stat -x, -A -a -o /tmp/asleep -e uncore_m2m_0/event=1/ -- cat /tmp/end &
	engine_until_counting 1/6/0 1
	engine_until_counting 1/0/0 1
	engine_until_counting 1/7/0 1
	insmod /root/power.ko
	for c in $all; do
		# Before the last CPU goes, a box's function enters D3: its count cannot be read.
		[ "$c" != 15 ] || echo 0000:fe:0c.0 D3 >/sys/module/power/parameters/set
		engine_cpu "$c" 0
	done
	is "$(cat $PMUS/uncore_imc_0/cpumask)" 0 'a package without online CPUs has no designated CPU'
	# The package's boxes are handed back, so no control has the event any more.
	counted=$(uncore_truth_of 1/6/0 1)
	# perf prints "not supported" or an error, depending on the version.
	perf stat -x, -C "$first" -e uncore_imc_0/event=1/ true >/tmp/refused 2>&1
	like "$(cat /tmp/refused)" '<not supported>|error' 'perf prints an error for an event on an offline CPU'
	unlike "$(cat /tmp/refused)" '^[0-9]+,,uncore' 'perf prints no count for an event on an offline CPU'
	engine_end_counts
	isnt "$counted" 0 'the box counted before its package lost all CPUs'
	is "$(awk -F, '$2 ~ /event=1/ || $3 ~ /event=1/ { print $1 }' /tmp/counts)" \
		"$counted" 'the count is kept when the last CPU of the package goes offline'
	is "$(uncore_truth_of 1/6/0 1)" "$counted" 'the box does not count on once its package has no CPU'
	is "$(awk -F, '$1 == "CPU0" { print $2 }' /tmp/counts)" \
		"$(uncore_truth_of 0/6/0 1)" 'an event of the other package counts on'
	is "$(awk -F, '/m2m/ && $1 != "CPU0" { print $1 }' /tmp/asleep)" '<not counted>' \
		'an event whose box was in D3 at the last moment is <not counted>'
	echo 0000:fe:0c.0 D0 >/sys/module/power/parameters/set
	like "$(hw box 1/6/0)" 'box=0x0+( |$)' 'a box of a package without CPUs is not frozen'
	is "$(hw truth 1/6/0 | grep -c 'ctl=0x0*[1-9a-f]')" 0 \
		'a box of a package without CPUs has no event selected'
	uncore_handed_back 'a box of the package without CPUs' 1/0/0 1/0/1 1/6/1 1/8/1
	hw count reset
	rmmod pmon_uncore
	is "$(uncore_writes 1/6/0)" 0 'unloading writes nothing to a box of a package without CPUs'
	modprobe pmon_uncore

	# Open an event on the isolated CPU 15 while a better CPU comes online. The event stays
	# on CPU 15 until it goes offline, but the timer that it starts there does not.
	state=/sys/module/stall/parameters/state
	polls() { awk '/^cpu: / { cpu = $2 } /pmon_timer_tick/ { print cpu }' /proc/timer_list; }
	hold_start
	engine_cpu 15 1
	insmod /root/stall.ko function=pmon_place_add_cpu,pmon_event_encode ms=15000
	engine_cpu 14 1 &
	coming=$!
	becomes '[ "$(cat $state)" = 1,0 ]'
	hold_run 'open uncore_imc_0 15 1' &
	opening=$!
	becomes '[ "$(cat $state)" = 1,1 ]'
	echo 2,1 >$state
	wait $coming
	is "$(cat $state) $(engine_collector uncore_imc_0 1)" '2,1 14' \
		'an event opens on the isolated CPU 15 while CPU 14 becomes designated'
	echo 2,2 >$state
	wait $opening
	becomes '[ "$(polls)" = 14 ]'
	is "$(polls)" 14 'a timer that started on another CPU moves to the designated CPU 14'
	engine_cpu 15 0
	before=$(hold_reading)
	sleep 0.1
	isnt "$(hold_reading)" "$before" 'the event from CPU 15 counts on after its move to CPU 14'
	hold_end
	is "$(polls)" '' 'no timer is armed once all events are closed'
	rmmod stall
	for c in $all; do engine_cpu "$c" 1; done
	uncore_exactly 'an event after all CPUs returned' 2 0.2 uncore_imc_0/event=1/@6/0
	S
finish
