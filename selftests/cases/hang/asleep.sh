#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Put a function into D3 while events of its boxes count: once the driver has detected D3,
# no operation accesses a register of a box behind the function. New events are refused,
# open ones fail, and count after an enable in D0. Other boxes are not affected. The driver
# detects D3 at once if the kernel set it, else at the first reading of all-ones.
# contract: asleep
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

# With 32 bits a counter is read every few milliseconds, lest it wrap unseen.
# Memory controllers are in a BAR of the table's function here, and in D3 with it.
machine=$(machine narrow 'm["memory_controllers"] = "bar"
m["packages"][0]["discovery"]["units"].pop()
m["packages"][0]["discovery"]["free_running"] = [
    { "layout": "spr-imc", "bus": "0x7e" } ]')

# The rows themselves check the accesses that the emulator calls illegal.
each_vm --machine "$machine" --allow-illegal \
	--program hold --module power <<-'S'
	. /lib/test/uncore.sh
	. /lib/test/asleep.sh
	insmod /root/power.ko

	# ---- D3 by the kernel. Open events fail soon, some only when disabled. Sleep before
	# the enable, because an event enabled at once could fail after the check.
	/root/hold >/tmp/held <<-'H'
	open uncore_imc_0 0 0x11
	open uncore_imc_1 0 0x11
	open uncore_imc_free_running_0 0 0x10ff
	open uncore_m2m_0 0 0x11
	open uncore_cha_0 0 0x11
	! sleep 0.2
	read before
	! . /lib/test/asleep.sh; asleep_power D3; asleep_fresh
	! sleep 0.3
	! . /lib/test/uncore.sh; . /lib/test/asleep.sh; asleep_touched tick
	! . /lib/test/asleep.sh; asleep_fresh
	read asleep
	read later
	! . /lib/test/uncore.sh; . /lib/test/asleep.sh; asleep_touched read
	! . /lib/test/asleep.sh; asleep_fresh
	open uncore_imc_0 0 0x12
	open uncore_imc_1 0 0x12
	open uncore_imc_free_running_0 0 0x20ff
	open uncore_m2m_0 0 0x12
	! . /lib/test/uncore.sh; . /lib/test/asleep.sh; asleep_touched open
	! . /lib/test/asleep.sh; asleep_fresh
	disable
	! sleep 0.2
	enable
	! . /lib/test/uncore.sh; . /lib/test/asleep.sh; asleep_touched toggle
	! . /lib/test/asleep.sh; asleep_power D0
	! sleep 0.3
	read awake
	! sleep 0.3
	read end
	! . /lib/test/asleep.sh; asleep_power D3
	! sleep 0.3
	! . /lib/test/asleep.sh; asleep_power D0
	disable
	enable
	read again
	! sleep 0.3
	read last
	! . /lib/test/asleep.sh; asleep_power D3; asleep_fresh
	disable
	close
	! . /lib/test/uncore.sh; . /lib/test/asleep.sh; asleep_touched close
	H
	for what in tick read open toggle close; do
		is "$(grep "^$what:" /tmp/held)" "$what: memory 0 0, unit 0 0" \
			"D3, $what: no register is accessed"
	done
	is "$(grep '^open ' /tmp/held | awk '{ print $2, $4 }' | tr '\n' ' ')" \
		"uncore_imc_0 ENXIO uncore_imc_1 ENXIO uncore_imc_free_running_0 ENXIO uncore_m2m_0 ENXIO " \
		'D3: new events are refused with ENXIO'
	for pmu in imc_0 imc_1 imc_free_running_0 m2m_0; do
		asleep_still asleep later uncore_$pmu "D3: the count of $pmu stands still or its event ends"
		asleep_more awake end uncore_$pmu "D0: the event of $pmu counts again"
		asleep_more again last uncore_$pmu "D0: the event of $pmu counts after another D3 and an enable"
	done
	# with a wildcard, and with both boxes named: a box in D3 does not end perf
	for perf in perf6.12 /bin/perf; do
		for events in uncore_m2m/event=0x33/ \
			'uncore_m2m_0/event=0x33/ -e uncore_m2m_1/event=0x33/'; do
			hw truth reset
			# shellcheck disable=SC2086
			$perf stat --no-merge -x, -o /tmp/out -a -e $events -- \
				sleep 0.05
			is "$? $(grep -c '<not supported>' /tmp/out)" '0 1' \
				"D3: $perf, $events: perf succeeds and prints one <not supported>"
			count=$(sed -n 's/^\(CPU0,\)*\([0-9][0-9]*\),.*/\2/p' \
				/tmp/out)
			uncore_agree 0/7/1 "$count" 0x33 "D3: $perf, $events: the box in D0 counts exactly"
		done
	done
	is "$(asleep_touched perf)" 'perf: memory 0 0, unit 0 0' 'D3: perf accesses no register'
	function=$(dmesg | sed -n 's/.*PCI function \(.*\) in D3, not counting$/\1/p' | sort -u)
	like "$function" '^0000:00:03\.[01]$' 'D3: the log names the function'
	like "$(dmesg)" 'uncore_imc_0 .*: responds again' \
		'D0: the log has a line on the function that left D3'
	asleep_more before asleep uncore_cha_0 'D3: a box outside the function counts on'
	asleep_more asleep later uncore_cha_0 'D3: a box outside the function counts all the time'
	asleep_fresh
	runs 'D3: the driver unloads' rmmod pmon_uncore
	is "$(asleep_touched unload)" "unload: memory 0 0, unit 0 0" 'D3: the unload accesses no register'
	asleep_power D0
	runs 'D0: the driver loads' modprobe pmon_uncore
	asleep_exact 'D0 again'

	# ---- D3 behind the kernel's back: boxes in the function's memory
	/root/hold >/tmp/held <<-'H'
	open uncore_imc_0 0 0x11
	open uncore_imc_1 0 0x11
	open uncore_m2m_0 0 0x11
	! sleep 0.2
	read before
	! . /lib/test/asleep.sh; asleep_fresh; hw d3 0 on
	! sleep 0.3
	! . /lib/test/uncore.sh; . /lib/test/asleep.sh; asleep_touched tick
	! . /lib/test/asleep.sh; asleep_fresh
	read asleep
	read later
	open uncore_imc_0 0 0x13
	disable
	enable
	! . /lib/test/uncore.sh; echo "known: $(uncore_accesses other reads) $(uncore_accesses other writes)"
	! hw d3 0 off
	! sleep 0.3
	read awake
	close
	H
	read -r _ _ found written _ <<-T
	$(grep ^tick: /tmp/held)
	T
	# The controls of two boxes read as all-ones four times each, and a tick may probe a box
	# before the state of the function is detected.
	is "$((found <= 9)) $written" '1 0,' \
		'D3 behind the kernel: at most nine readings detect the state'
	note "$(grep ^tick: /tmp/held)"
	is "$(grep ^known: /tmp/held)" 'known: 0 0' \
		'D3 behind the kernel: no access follows the detection'
	is "$(grep '^open ' /tmp/held)" 'open uncore_imc_0 0 ENXIO' \
		'D3 behind the kernel: new events are refused after the detection'
	asleep_still asleep later uncore_imc_0 'D3 behind the kernel: the count stands still'
	asleep_more before asleep uncore_m2m_0 'D3 behind the kernel: a box outside the function counts on'
	asleep_exact 'D3 behind the kernel, D0 again'
	hw d3 0 on
	asleep_fresh
	runs 'D3 behind the kernel: the driver unloads' rmmod pmon_uncore
	is "$(asleep_touched unload | cut -d, -f1)" 'unload: memory 0 0' \
		'D3 behind the kernel: the unload without events accesses no register'
	hw d3 0 off
	modprobe pmon_uncore
	asleep_exact 'loaded after D3 behind the kernel'

	# ---- D3 of a unit's function before the driver is loaded
	rmmod pmon_uncore
	echo "$FUNCTION D3" >/sys/module/power/parameters/set
	hw box 0/7/0 dead
	asleep_fresh
	runs 'D3 before the load: the driver loads' modprobe pmon_uncore
	is "$(cat $PMON/pkg0-uncore0/rejected)" '' 'D3 before the load: no unit is rejected'
	is "$(echo 'open uncore_m2m_0 0 0x11' | /root/hold)" \
		'open uncore_m2m_0 0 ENXIO' 'D3 before the load: new events are refused'
	is "$(asleep_touched load)" "load: memory 0 0, unit 0 0" \
		'D3 before the load: no register is accessed'
	echo "$FUNCTION D0" >/sys/module/power/parameters/set
	hw box 0/7/0 ok
	asleep_exact 'D3 before the load, D0 since'
	S
finish
