#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# pmonctl on emulated servers: what it prints and returns when all is well,
# live, when units are rejected, when mailboxes do not answer, and when modules
# are missing; and what reading costs. The modules are found by the aliases of
# the devices, as udev finds them. What runs in the kernel has cases of its own
# for the sanitizers.
# all kernels: 6.1 6.12 newest
# kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/machine.sh"

# shellcheck disable=SC2016
common='
	. /lib/test/guest.sh
	. /lib/test/plr.sh

	active=$PMON/pkg0-dom0/plr/core1/active
	# says TEXT NAME [TIMES]: the watcher does, soon
	said=/tmp/watch
	says() {
		for _ in $(seq 100); do
			[ "$(grep -c "$1" $said)" -lt "${3:-1}" ] || break
			sleep 0.1
		done
		[ "$(grep -c "$1" $said)" -ge "${3:-1}" ] || timers
		like "$(cat $said)" "$1" "$2"
	}
	# every_reason: sets each reason on a module of its own, twelve at a
	# time, and prints those that are not shown by their names there
	every_reason() {
		plr_names >/tmp/names
		while read -r bit name; do
			set -- 0/0/0 0/0/1 0/0/2 0/0/3 0/1/0 0/1/1 \
				1/0/0 1/0/1 1/0/2 1/0/3 1/1/0 1/1/1
			shift $((bit % 12))
			hw plr $1 =$(plr_value $bit)
			echo "$1 \"$name\"" >>/tmp/expected
			[ $bit = 63 ] || [ $((bit % 12)) = 11 ] || continue
			pmonctl plr --once --json | reasons_of_modules >/tmp/shown
			grep -vxFf /tmp/shown /tmp/expected
			rm /tmp/expected
		done </tmp/names
	}
	# "PKG/DOM/MODULE REASONS" from JSON
	reasons_of_modules() {
		awk "/\"reasons\": .\$/ {
			for (line = \$0; !/\]/; line = line \$0) getline
			\$0 = line
		} 1" | sed -n "s/^ *\"package\": \([0-9]*\),/p \1/p
			s/^ *\"domain\": \([0-9]*\),/d \1/p
			s/^ *\"name\": \"core\([0-9]*\)\",/m \1/p
			s/^ *\"name\": \"[dm].*/m -/p
			s/^ *\"reasons\": .\(.*\)\].*/r \1/p" |
		awk "{ v[\$1] = \$2 } \$1 == \"r\" {
			print v[\"p\"] \"/\" v[\"d\"] \"/\" v[\"m\"], \$2
		}"
	}
	# row UNIT: its line of `pmonctl list`, single spaces
	row() {
		pmonctl list | grep "^$1 " | tr -s " "
	}
'

# Each field wrong once, and 300 units that have nothing to count with.
bad=$(machine hostile/table-fields 'm["packages"][0]["discovery"]["units"].append(
	{"type": 77, "id": 0, "count": 300, "access": "mmio", "address": "auto",
	 "table": {"counters": 0}})')

for k in $KERNELS; do
	in_vm "$k gnr-2s" --kernel "$k" --machine gnr-2s --drivers none <<-S
	$common
	load() {
		modprobe -q -a \$(sed -n 's/^MODALIAS=//p' \
			/sys/bus/*/devices/*/uevent | sort -u)
	}
	exits 2 'hardware without modules' pmonctl list
	like "\$out" 'modprobe -a pmon_uncore pmon_plr' 'says what to load'

	cp /vm/adopted.conf /etc/modprobe.d/ 2>/dev/null ||
		echo 'options intel_uncore uncore_no_discover=1' \\
			>/etc/modprobe.d/adopted.conf
	# A module brings devices, which bring the next.
	for round in 1 2 3 4; do
		load
	done
	runs 'aliases find pmon_uncore' test -d /sys/module/pmon_uncore
	runs 'aliases find pmon_plr' test -d /sys/module/pmon_plr

	exits 0 'list' pmonctl list
	is "\$(row imc)" 'imc 0-11 0-1 mmio 4+1 48 uncore_imc_{0..11} openpmon' \\
		'the row of the memory controllers'
	like "\$(pmonctl list | tr -s ' ')" '^pkg1-dom0 1 0 4 12-19' 'a domain'
	for pmu in \$(pmonctl --json list | grep '"pmu"' |
			sed 's/.*: "\(.*\)",/\1/' | sort -u); do
		[ -e /sys/bus/event_source/devices/\$pmu ] || echo \$pmu
	done >/tmp/lost
	is "\$(cat /tmp/lost)" '' 'every PMU that it names is there'

	hw count reset
	exits 0 'plr --once' pmonctl plr --once
	like "\$out" 'No limit is recorded' 'no limit'
	is "\$(plr_accesses plr-data) \$(plr_accesses die-level)" '12 4' \\
		'each of 12 modules is read once, and 4 dies; no mesh'
	hw plr 1/0/2 0x0000040000000004
	exits 0 'plr --once --package 1' pmonctl plr --once --package 1
	like "\$(echo "\$out" | tr -s ' ')" \\
		'^1/0/core2 16-17 [?] POWER_PKG_PL1_MSR_TPMI up to' \\
		'the limit'
	unlike "\$out" '^0/' 'and nothing of package 0'

	exits 0 'plr --once --cpu 17' pmonctl plr --once --cpu 17
	like "\$(echo "\$out" | tail -n 1 | tr -s ' ')" \\
		'^1/0/core2 16-17 [?] POWER_PKG_PL1_MSR_TPMI up to' \\
		'its module'
	hw count reset
	exits 0 'plr --once --cpu of one module' pmonctl plr --once --cpu 16-17
	is "\$(plr_accesses plr-data)" 1 'is one round trip'

	# What was latched, and what firmware sets again every step.
	echo 'plr 0/0/3 0x0000080000000004 0 600000000000' >/root/schedule
	hw plr schedule /root/schedule
	plr_says '^0/0/core3 6-7 POWER_PKG_PL1_MMIO -\$'
	is \$status 0 'plr'
	like "\$(echo "\$out" | tr -s ' ')" \\
		'^0/0/core3 6-7 POWER_PKG_PL1_MMIO -\$' 'what limits now'
	like "\$(echo "\$out" | tr -s ' ')" \\
		'^1/0/core2 16-17 - POWER_PKG_PL1_MSR_TPMI up to' \\
		'what was there before'
	like "\$out" '^2 of 16 limited now, 2 more since the last clear' 'how many'
	like "\$(plr_unwatched \$active)" 'No data' 'and nobody watches after it'
	plr_says '"now":."POWER","POWER_PKG_PL1_MMIO"' --json --cpu 6
	is \$status 0 'plr --json'
	like "\$(echo "\$out" | tr -d ' \n')" \\
		'"now":."POWER","POWER_PKG_PL1_MMIO"' 'what limits now as JSON'
	hw plr stop
	# On a busy host an interval that began before may be the one looked at.
	for try in 1 2 3 4; do
		! pmonctl plr | grep -q 'core3 .*PL1_MMIO *-' || continue
		break
	done
	exits 0 'plr after its end' pmonctl plr
	like "\$(echo "\$out" | tr -s ' ')" \\
		'^0/0/core3 6-7 - POWER_PKG_PL1_MMIO' 'it is over'
	echo all >\$PMON/pkg0-dom0/plr/core3/clear
	echo all >\$PMON/pkg0-dom0/plr/die/clear

	exits 0 'plr --clear of a name' pmonctl plr --clear power
	is "\$(cat \$PMON/pkg1-dom0/plr/core2/reasons)" POWER_PKG_PL1_MSR_TPMI \\
		'leaves the other'
	is "\$(cat \$PMON/pkg1-dom0/plr/die/reasons)" none 'the die as well'
	exits 0 'plr --clear' pmonctl plr --clear
	is "\$(hw plr 1/0/2) \$(hw die 1/0)" \\
		"\$(hw plr 1/0/3) \$(hw die 0/0)" 'clears hardware'
	hw die 0/0 computed
	hw plr 0/0/1 =0x4
	exits 0 'plr --clear of a computed die' pmonctl plr --clear
	is "\$(cat \$PMON/pkg0-dom0/plr/die/reasons)" none 'with its modules'
	hw die 0/0 collects
	every_reason >/tmp/wrong
	is "\$(cat /tmp/wrong)" '' 'every reason has its name in plr --json'
	exits 0 'they are cleared' pmonctl plr --clear

	pmonctl plr --watch >/tmp/watch 2>&1 &
	watcher=\$!
	says 'watching 16 parts' 'plr --watch begins'
	# All modules are read once more, half a second after the first time.
	sleep 1
	hw count reset
	sleep 1
	is "\$(plr_accesses mailbox plr-data)" 0 'and asks no mailbox'
	is "\$(wc -l </tmp/watch)" 1 'and is quiet while nothing changes'
	hw plr 0/1/1 0x0000040000000004
	says '0/1/core1: POWER_PKG_PL1_MSR_TPMI' \\
		'a limit has a line'
	says '0/1/core1: none' 'and its end'
	vsec=/sys/bus/pci/drivers/intel_vsec
	function=\$(cd \$vsec && ls -d 0000:* | head -n 1)
	echo \$function >\$vsec/unbind
	says '0/1/core0-1: not known' 'a device that goes'
	echo \$function >\$vsec/bind
	says '0/1/core0-1: none' 'and returns'
	hw plr 1/0/3 0x8
	says '1/0/core3: THERMAL' 'is watched again'
	# What is asked for is that device's alone, or partly.
	said=/tmp/part
	for of in '--package 0' '--cpu 0' '--cpu 0,12'; do
		hw plr 0/0/0 =0
		pmonctl plr --watch \$of >\$said 2>&1 &
		of_it=\$!
		says 'watching [0-9]* parts' "\$of: a watch begins"
		echo \$function >\$vsec/unbind
		says '0/0/.*core0.*: not known' 'a device that goes'
		echo \$function >\$vsec/bind
		says '0/0/.*core0.*: none' 'and returns'
		hw plr 0/0/0 0x8
		says '0/0/core0: THERMAL' 'and watched'
		kill \$of_it
		wait \$of_it
		is \$? 0 'and ends when it is told to'
	done
	said=/tmp/watch
	# The module that stands for its domain.
	echo 0 >\$CPUS/cpu8/online
	echo 0 >\$CPUS/cpu9/online
	tries=60
	while [ "\$(cat \$PMON/pkg0-dom1/plr/core1/active 2>&1)" != none ] &&
		[ \$tries != 0 ]; do
		tries=\$((tries - 1))
		sleep 0.1
	done
	hw plr 0/1/1 0x8
	says '0/1/core1: THERMAL' 'the others are watched again'
	echo 1 >\$CPUS/cpu8/online
	echo 1 >\$CPUS/cpu9/online
	kill \$watcher
	wait \$watcher
	is \$? 0 'a signal ends it well'
	# as nohup does, which busybox may lack
	sh -c 'trap "" HUP; exec pmonctl plr --watch' >/tmp/watch 2>&1 &
	watcher=\$!
	says 'watching 16 parts' 'plr --watch begins with SIGHUP ignored'
	kill -HUP \$watcher
	# One that is not on record yet is not missed, however late it is seen.
	hw plr 1/0/3 0x10
	says '1/0/core3: PLATFORM' 'and goes on after SIGHUP'
	hw mailbox 1/1 stuck
	sleep 3
	hw mailbox 1/1 ok
	hw plr 0/0/3 0x8
	says '0/0/core3: THERMAL' 'and after a mailbox was stuck'
	kill \$watcher
	wait \$watcher
	is \$? 0 'until it is told to end'
	: >/tmp/watch
	pmonctl plr --watch --json >>/tmp/watch &
	watcher=\$!
	tries=50
	until [ -s /tmp/watch ] || [ \$tries = 0 ]; do
		hw plr 0/0/1 0x8
		tries=\$((tries - 1))
		sleep 0.2
	done
	says '"name": "core1", "cpus": "2-3", "active": ."THERMAL".' 'as JSON'
	kill -9 \$watcher
	wait \$watcher 2>/dev/null
	like "\$(plr_unwatched \$active)" 'No data' 'and nobody watches after it was killed'
	pmonctl plr --clear >/dev/null

	hw mailbox 0/1 stuck
	exits 1 'a mailbox that does not answer' pmonctl plr
	like "\$out" '^0/1/core0-1: unreadable .ETIMEDOUT.' \\
		'its modules'
	like "\$out" '^0-1/0/die core0-3: not limited' \\
		'the others all the same'
	exits 1 'doctor' pmonctl doctor
	like "\$out" 'problem +pkg0-dom1 +the modules cannot be read .ETIMEDOUT.; firmware' \\
		'names it'
	unlike "\$out" '^ok +pkg0-dom1' 'and does not say ok'
	hw mailbox 0/1 ok
	exits 0 'once it answers again' pmonctl plr
	# 6.1 has nobody to ask whether it does.
	if [ $k != 6.1 ]; then
		pmonctl plr --watch --cpu 6 >/tmp/watch 2>&1 &
		watcher=\$!
		says 'watching 1 part' 'a watch, then'
		hw feature 0 0x0c write-blocked
		# Modules are read when one has a reason, else by turns.
		hw plr 0/0/0 0x8
		wait \$watcher
		is \$? 2 'firmware that blocks writes'
		like "\$(cat /tmp/watch)" 'firmware blocks clearing' 'why nothing is watched'
	fi
	hw feature 0 0x0c ok

	rmmod pmon_plr
	exits 2 'plr without pmon_plr' pmonctl plr
	rmmod pmon_uncore pmon
	exits 2 'list without modules' pmonctl list
	modprobe pmon_uncore mode=observe
	exits 0 'observing' pmonctl list
	like "\$out" '96 boxes are listed but not driven: .*mode=observe' 'says so'
	finish
	S

	in_vm "$k bad units" --kernel "$k" --machine "$bad" <<-S
	$common
	exits 1 'list' pmonctl list
	like "\$out" 'package 0 type 6 id 13: width = 0xff, wider than a register' \\
		'the unit and why'
	is "\$(dmesg | grep -c 'package 0: unit type .* rejected: ')" 256 \\
		'the log has a line for each of 256'
	n=\$(wc -l </sys/class/pmon/pkg0-uncore0/rejected)
	like "\$(dmesg)" "package 0: \$((n - 256)) more units rejected, see /sys/class/pmon/pkg0-uncore0/rejected" \\
		'and one for the others'
	like "\$n" '^3[0-9][0-9]\$' 'more than 300 are in sysfs'
	is "\$(row imc)" 'imc 0-1 0 mmio 4+1 48 uncore_imc_{0..1} openpmon' \\
		'the others'
	finish
	S
done
finish
