#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test output and status of pmonctl on emulated servers: a healthy one, one with rejected
# units, mailboxes that do not respond, no modules. Test watches, and the cost of reading.
# Device aliases find the modules, as with udev. No run is under sanitizers, because other
# cases run the kernel's code under these.
# all kernels: 6.1 6.12 newest
# kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# shellcheck disable=SC2016
common='
	. /lib/test/guest.sh
	. /lib/test/plr.sh

	active=$PMON/pkg0-dom0/plr/core1/active
	# prints TEXT NAME [TIMES]: check that the watcher prints TEXT soon
	out_file=/tmp/watch
	prints() {
		# The watcher may not have opened its file yet.
		touch $out_file
		for _ in $(seq 100); do
			[ "$(grep -c "$1" $out_file)" -lt "${3:-1}" ] || break
			sleep 0.1
		done
		[ "$(grep -c "$1" $out_file)" -ge "${3:-1}" ] || guest_timers
		like "$(cat $out_file)" "$1" "$2"
	}
	# every_reason: set reasons on twelve modules at a time, one on each, and print the
	# reasons that pmonctl does not show there
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
	# reasons_of_modules: print "PKG/DOM/MODULE REASONS" from JSON
	reasons_of_modules() {
		awk "/\"reasons\": .\$/ {
			for (line = \$0; !/\]/; line = line \$0) getline
			\$0 = line
		} 1" | sed -n "s/^ *\"socket\": \([0-9]*\),/p \1/p
			s/^ *\"domain\": \([0-9]*\),/d \1/p
			s/^ *\"name\": \"core\([0-9]*\)\",/m \1/p
			s/^ *\"name\": \"[dm].*/m -/p
			s/^ *\"reasons\": .\(.*\)\].*/r \1/p" |
		awk "{ v[\$1] = \$2 } \$1 == \"r\" {
			print v[\"p\"] \"/\" v[\"d\"] \"/\" v[\"m\"], \$2
		}"
	}
	# row UNIT: print the line of UNIT in pmonctl list, with single spaces
	row() {
		pmonctl list | grep "^$1 " | tr -s " "
	}
'

# A table with each field wrong once, and with 300 units without a counter.
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
	exits 2 'pmonctl list exits with 2 without modules' pmonctl list
	like "\$out" 'modprobe -a pmon_uncore pmon_plr' 'pmonctl list prints which modules to load'

	cp /vm/adopted.conf /etc/modprobe.d/ 2>/dev/null ||
		echo 'options intel_uncore uncore_no_discover=1' \\
			>/etc/modprobe.d/adopted.conf
	# A loaded module adds devices, which need the next module.
	for round in 1 2 3 4; do
		load
	done
	runs 'module aliases of devices load pmon_uncore' test -d /sys/module/pmon_uncore
	runs 'module aliases of devices load pmon_plr' test -d /sys/module/pmon_plr

	exits 0 'pmonctl list succeeds' pmonctl list
	is "\$(row imc)" 'imc 0-11 0-1 mmio 4+1 48 uncore_imc_{0..11} openpmon' \
		"pmonctl list has a row of 12 memory controllers"
	like "\$(pmonctl list | tr -s ' ')" '^pkg1-dom0 1 0 4 12-19' 'pmonctl list has a row of a PLR domain'
	for pmu in \$(pmonctl --json list | grep '"pmu"' |
			sed 's/.*: "\(.*\)",/\1/' | sort -u); do
		[ -e /sys/bus/event_source/devices/\$pmu ] || echo \$pmu
	done >/tmp/lost
	is "\$(cat /tmp/lost)" '' 'every PMU in pmonctl list is registered'

	hw count reset
	exits 0 'plr --once succeeds without limits' pmonctl plr --once
	like "\$out" 'No limit is recorded' 'plr --once prints that no limit is recorded'
	is "\$(plr_accesses plr-data) \$(plr_accesses die-level)" '12 4' \
		"plr --once reads 12 modules and 4 dies once and no mesh"
	hw plr 1/0/2 0x0000040000000004
	exits 0 'plr --once --socket 1 succeeds' pmonctl plr --once --socket 1
	like "\$(echo "\$out" | tr -s ' ')" \\
		'^1/0/core2 16-17 [?] POWER_PKG_PL1_MSR_TPMI up to' \\
		'plr --once prints the recorded reason of core2'
	unlike "\$out" '^0/' 'plr --once --socket 1 has no row of package 0'

	exits 0 'plr --once --cpu 17 succeeds' pmonctl plr --once --cpu 17
	like "\$(echo "\$out" | tail -n 1 | tr -s ' ')" \\
		'^1/0/core2 16-17 [?] POWER_PKG_PL1_MSR_TPMI up to' \\
		'plr --once --cpu 17 prints the module of CPU 17'
	hw count reset
	exits 0 'plr --once --cpu 16-17 succeeds' pmonctl plr --once --cpu 16-17
	is "\$(plr_accesses plr-data)" 1 'plr --once --cpu 16-17 reads one module once'

	# Module 1/0/2 has a latched reason; firmware sets the reason of module 0/0/3 again and
	# again. The emulated socket draws 180 W.
	modprobe -q intel_rapl_tpmi
	power='180 W of 500 W .PL1., 600 W .PL2.'
	[ $k != 6.1 ] || power='power and its limits are not known on this kernel'
	echo 'plr 0/0/3 0x0000080000000004 0 600000000000' >/root/schedule
	hw plr schedule /root/schedule
	plr_says '^0/0/core3 6-7 POWER_PKG_PL1_MMIO -\$'
	is \$status 0 'pmonctl plr exits with 0 under a limit'
	like "\$(echo "\$out" | tr -s ' ')" \\
		'^0/0/core3 6-7 POWER_PKG_PL1_MMIO -\$' 'pmonctl plr prints core3 as limited now'
	like "\$(echo "\$out" | tr -s ' ')" \\
		'^1/0/core2 16-17 - POWER_PKG_PL1_MSR_TPMI up to' \\
		'pmonctl plr prints the recorded reason of core2'
	like "\$out" '^1 of 12 modules limited now, 1 more since the last clear' \
		'pmonctl plr counts modules limited now and since the last clear'
	like "\$(echo "\$out" | sed 's/: 1[78][0-9] W/: 180 W/')" "^socket 0: \$power(, [0-9]+ C)?\$" \
		'pmonctl plr prints the power of the socket and its limits'
	like "\$(plr_unwatched \$active)" 'No data' 'no consumer watches after pmonctl plr has ended'
	plr_says '"now":."POWER","POWER_PKG_PL1_MMIO"' --json --cpu 6
	is \$status 0 'plr --json --cpu 6 exits with 0'
	like "\$(echo "\$out" | tr -d ' \n')" \\
		'"now":."POWER","POWER_PKG_PL1_MMIO"' 'plr --json --cpu 6 has the reasons in force'
	hw plr stop
	# Try again: on a busy host pmonctl may show an interval that began before the stop.
	for try in 1 2 3 4; do
		! pmonctl plr | grep -q 'core3 .*PL1_MMIO *-' || continue
		break
	done
	exits 0 'pmonctl plr succeeds after the limit has ended' pmonctl plr
	like "\$(echo "\$out" | tr -s ' ')" \\
		'^0/0/core3 6-7 - POWER_PKG_PL1_MMIO' \
		'pmonctl plr prints the reason of core3 as recorded after its end'
	echo all >\$PMON/pkg0-dom0/plr/core3/clear
	echo all >\$PMON/pkg0-dom0/plr/die/clear

	exits 0 'plr --clear power succeeds' pmonctl plr --clear power
	is "\$(cat \$PMON/pkg1-dom0/plr/core2/reasons)" none \
		'plr --clear power clears the fine reason of core2'
	is "\$(cat \$PMON/pkg1-dom0/plr/die/reasons)" none 'plr --clear power clears the die'
	exits 0 'plr --clear succeeds' pmonctl plr --clear
	is "\$(hw plr 1/0/2) \$(hw die 1/0)" \\
		"\$(hw plr 1/0/3) \$(hw die 0/0)" 'plr --clear clears the module and die in hardware'
	hw die 0/0 computed
	hw plr 0/0/1 =0x4
	exits 0 'plr --clear succeeds on a computed die' pmonctl plr --clear
	is "\$(cat \$PMON/pkg0-dom0/plr/die/reasons)" none 'a computed die shows none once its modules are cleared'
	hw die 0/0 collects
	every_reason >/tmp/wrong
	is "\$(cat /tmp/wrong)" '' 'every reason has its name in plr --json'
	exits 0 'plr --clear succeeds after every reason was set' pmonctl plr --clear

	pmonctl plr --watch >/tmp/watch 2>&1 &
	watcher=\$!
	prints 'watching 16 parts' 'plr --watch prints how many parts it watches'
	# Half a second after its first reads the watch reads all modules again: wait for that.
	sleep 1
	hw count reset
	sleep 1
	is "\$(plr_accesses mailbox plr-data)" 0 'plr --watch sends no mailbox command at rest'
	is "\$(wc -l </tmp/watch)" 1 'plr --watch prints nothing while nothing changes'
	hw plr 0/1/1 0x0000040000000004
	prints '0/1/core1: POWER_PKG_PL1_MSR_TPMI' "plr --watch prints a line when a limit begins"
	prints '0/1/core1: none' 'plr --watch prints a line when a limit ends'
	vsec=/sys/bus/pci/drivers/intel_vsec
	function=\$(cd \$vsec && ls -d 0000:* | head -n 1)
	echo \$function >\$vsec/unbind
	prints '0/1/core0-1: not known' 'plr --watch prints not known for modules of an unbound device'
	echo \$function >\$vsec/bind
	prints '0/1/core0-1: none' 'plr --watch prints modules of a device that is bound again'
	hw plr 1/0/3 0x8
	prints '1/0/core3: THERMAL' 'plr --watch prints a limit of a device that was bound again'
	# Watch domains of package 0, whose device is unbound, then also a domain of package 1.
	out_file=/tmp/part
	for of in '--socket 0' '--cpu 0' '--cpu 0,12'; do
		hw plr 0/0/0 =0
		pmonctl plr --watch \$of >\$out_file 2>&1 &
		of_it=\$!
		prints 'watching [0-9]* parts' "plr --watch \$of prints how many parts it watches"
		echo \$function >\$vsec/unbind
		prints '0/0/.*core0.*: not known' 'plr --watch of parts prints not known for an unbound device'
		echo \$function >\$vsec/bind
		prints '0/0/.*core0.*: none' 'plr --watch of parts prints a device that is bound again'
		hw plr 0/0/0 0x8
		prints '0/0/core0: THERMAL' 'plr --watch of parts prints a limit of a device that was bound again'
		kill \$of_it
		wait \$of_it
		is \$? 0 'plr --watch of parts exits with 0 after a signal'
	done
	out_file=/tmp/watch
	# Take offline the CPUs of 0/1/core0, where the watch has its event for domain 0/1.
	echo 0 >\$CPUS/cpu8/online
	echo 0 >\$CPUS/cpu9/online
	tries=60
	while [ "\$(cat \$PMON/pkg0-dom1/plr/core1/active 2>&1)" != none ] &&
		[ \$tries != 0 ]; do
		tries=\$((tries - 1))
		sleep 0.1
	done
	hw plr 0/1/1 0x8
	prints '0/1/core1: THERMAL' 'plr --watch prints limits of other modules after CPUs of one went offline'
	echo 1 >\$CPUS/cpu8/online
	echo 1 >\$CPUS/cpu9/online
	kill \$watcher
	wait \$watcher
	is \$? 0 'plr --watch exits with 0 after a signal'
	# ignore SIGHUP without nohup, which busybox may lack
	sh -c 'trap "" HUP; exec pmonctl plr --watch' >/tmp/watch 2>&1 &
	watcher=\$!
	prints 'watching 16 parts' 'plr --watch begins with SIGHUP ignored'
	kill -HUP \$watcher
	# Set a reason that is not on record yet: the watch shows it even after a late poll.
	hw plr 1/0/3 0x10
	prints '1/0/core3: PLATFORM' 'plr --watch goes on after an ignored SIGHUP'
	hw mailbox 1/1 stuck
	sleep 3
	hw mailbox 1/1 ok
	hw plr 0/0/3 0x8
	prints '0/0/core3: THERMAL' 'plr --watch goes on after another mailbox was stuck'
	kill \$watcher
	wait \$watcher
	is \$? 0 'plr --watch with SIGHUP ignored exits with 0 after a signal'
	: >/tmp/watch
	pmonctl plr --watch --json >>/tmp/watch &
	watcher=\$!
	tries=50
	until grep -q THERMAL /tmp/watch || [ \$tries = 0 ]; do
		hw plr 0/0/1 0x8
		tries=\$((tries - 1))
		sleep 0.2
	done
	prints '"name": "core1", "cpus": "2-3", "now": ."THERMAL".' \
		'plr --watch --json prints the reason of core1 that is in force'
	kill -9 \$watcher
	wait \$watcher 2>/dev/null
	like "\$(plr_unwatched \$active)" 'No data' 'no consumer watches after plr --watch was killed'
	pmonctl plr --clear >/dev/null

	hw mailbox 0/1 stuck
	exits 1 'pmonctl plr exits with 1 under a stuck mailbox' pmonctl plr
	like "\$out" '^0/1/core0-1: unreadable .ETIMEDOUT.' \
		"pmonctl plr prints unreadable for modules of a stuck mailbox"
	like "\$out" '^0-1/0/core0-3: not limited' \
		"pmonctl plr prints all modules of other mailboxes beside a stuck one"
	exits 1 'doctor exits with 1 under a stuck mailbox' pmonctl doctor
	like "\$out" 'problem +pkg0-dom1 +the modules cannot be read .ETIMEDOUT.; firmware' \
		"doctor names the domain of a stuck mailbox"
	unlike "\$out" '^ok +pkg0-dom1' 'doctor does not print ok for the domain of a stuck mailbox'
	exits 1 'the front page exits with 1 under a stuck mailbox' pmonctl
	like "\$out" '^DOCTOR +1 problem, first: pkg0-dom1: the modules cannot be read' \
		'the front page names the domain of a stuck mailbox'
	hw mailbox 0/1 ok
	exits 0 'pmonctl plr succeeds once the mailbox responds again' pmonctl plr
	# 6.1 cannot report blocked writes.
	if [ $k != 6.1 ]; then
		pmonctl plr --watch --cpu 6 >/tmp/watch 2>&1 &
		watcher=\$!
		prints 'watching 1 part' 'plr --watch --cpu 6 begins to watch one part'
		hw feature 0 0x0c write-blocked
		# The watch reads modules at once when one has a reason, and otherwise in turns.
		hw plr 0/0/0 0x8
		wait \$watcher
		is \$? 2 'plr --watch exits with 2 when firmware begins to block writes'
		like "\$(cat /tmp/watch)" 'firmware blocks clearing' \
			'plr --watch prints that firmware blocks clearing'
		exits 1 'doctor exits with 1 while firmware blocks writes' pmonctl doctor
		like "\$out" 'problem +pkg0-dom0 +the modules cannot be read .EOPNOTSUPP.' \
			'doctor prints EOPNOTSUPP while firmware blocks writes'
	fi
	hw feature 0 0x0c ok

	rmmod pmon_plr
	exits 2 'pmonctl plr exits with 2 without pmon_plr' pmonctl plr
	rmmod pmon_uncore pmon
	exits 2 'pmonctl list exits with 2 after all modules unloaded' pmonctl list
	modprobe pmon_uncore mode=observe
	exits 0 'pmonctl list succeeds under mode=observe' pmonctl list
	like "\$out" '96 boxes are listed but not driven: .*mode=observe' \
		'pmonctl list prints that mode=observe drives no box'
	S

	# Test a die of 43 modules, as in real servers: to read all of them takes 86 commands.
	in_vm "$k gnr-43" --kernel "$k" --machine gnr-43 <<-S
	$common
	plr_load
	plr=\$PMON/pkg0-dom0/plr
	modules=\$(plr_modules pkg0-dom0 | wc -l)
	dies=\$(ls -d \$PMON/pkg*-dom* | wc -l)
	parts=\$((dies + \$(ls -d \$PMON/pkg*-dom*/plr/core* | wc -l)))
	# limited VALUE: limit the modules of the first die, and no others, by VALUE
	limited() {
		hw plr stop
		for m in \$(plr_modules pkg0-dom0); do
			echo "plr 0/0/\$m \$1 0 600000000000"
		done | hw plr schedule -
	}
	# quick COMMAND...: check that COMMAND takes 2.3 s at most, even if it watches for 1 s
	quick() {
		for try in 1 2 3; do
			took=\$(guest_ms)
			"\$@" >/tmp/out 2>&1
			took=\$((\$(guest_ms) - took))
			[ \$took -gt 2300 ] || break
		done
		runs "\$* takes 2300 ms at most with \$modules modules (\$took ms)" [ \$took -le 2300 ]
	}
	quick pmonctl plr
	quick pmonctl
	limited 0x0000000200000001
	for d in \$PMON/pkg*-dom*/plr; do
		echo 1000 >\$d/interval_ms
	done
	becomes "grep -q '^FREQUENCY_CDYN1 [1-9]' \$plr/core1/time_in_reason"
	quick pmonctl plr --once
	quick pmonctl
	quick pmonctl plr
	turbo="0 of \$modules modules limited now, \$modules at a turbo limit"
	like "\$(cat /tmp/out)" "^\$turbo" 'pmonctl plr counts modules at a turbo limit apart'
	pmonctl stat -o /tmp/report sleep 3
	note "\$(grep -v '^[a-z]' /tmp/report)"
	runs 'pmonctl stat prints a FREQUENCY share of 60 to 100 percent in a job of three seconds' awk \
		'\$1 == "FREQUENCY" { sub(/>/, "", \$3); s = \$3 + 0 } END { exit !(s >= 60 && s <= 100) }' \
		/tmp/report
	is "\$(awk '\$1 == "FREQUENCY" { print \$5 }' /tmp/report)" \$modules \
		'pmonctl stat prints FREQUENCY on all modules'
	pmonctl plr --watch --cpu "\$(cat \$PMON/pkg0-dom0/cpus)" >/tmp/watch &
	watcher=\$!
	prints '0/0/core0-[0-9]*: FREQUENCY_CDYN1' 'plr --watch --cpu prints a turbo limit of all modules'
	sleep 12
	is "\$(grep -c 'none\|not known' /tmp/watch)" 0 'plr --watch prints no end of a lasting turbo limit in 12 s'
	kill \$watcher
	wait \$watcher
	pmonctl metrics --for 12 >/tmp/metrics
	is "\$(grep -c '^openpmon_\(limited\|observed\|watched\).*domain="0"' /tmp/metrics)" 39 \
		'metrics has 39 series of the die and of all modules of domain 0'
	awk '/^openpmon_observed.*domain="0",part="modules"/ { all = \$2 }
		/^openpmon_limited_sec.*domain="0",part="modules",reason="FREQ/ { print \$2, all }' \
		/tmp/metrics >/tmp/share
	runs \
		"FREQUENCY of metrics is within ten seconds of the observed time (\$(cat /tmp/share))" awk -v m=\$modules \
		'{ exit !(\$1 >= \$2 - 10 * m && \$1 <= \$2 + 10 * m && \$1 > 0) }' /tmp/share
	limited 0x0000008000000001
	plr_says '^0/0/core0-[0-9]* [0-9-]* FREQUENCY_PCS_TRL -\$'
	like "\$(echo "\$out" | tr -s ' ')" '^0/0/core0-[0-9]* [0-9-]* FREQUENCY_PCS_TRL' \
		'pmonctl plr has a row of a turbo limit that a BMC has lowered'
	exits 1 'doctor exits with 1 under a turbo limit that a BMC has lowered' pmonctl doctor
	like "\$out" 'problem +limits +FREQUENCY_PCS_TRL is in force' 'doctor names FREQUENCY_PCS_TRL as in force'
	hw plr stop
	for d in \$PMON/pkg*-dom*/plr; do
		echo 0 >\$d/interval_ms
	done
	pmonctl plr --clear >/dev/null

	# A watch at the driver's interval shows each limit, even if it begins and ends between
	# two polls of a module. A line may name several cores.
	for ns in \$(some 500000 100000); do
		hw mailbox 0/0 slow \$ns
		pmonctl plr --watch --interval 0.1 >/tmp/watch &
		watcher=\$!
		prints "watching \$parts parts" 'plr --watch --interval 0.1 prints how many parts it watches'
		for m in \$(plr_modules pkg0-dom0); do
			hw plr 0/0/\$m 0x8
			sleep 0.3
		done
		sleep 1
		kill \$watcher
		wait \$watcher
		is "\$(sed -n 's/.* 0.0.core\(.*\): THERMAL\$/\1/p' /tmp/watch | tr ',' '\n' |
			awk -F- '{ for (i = \$1; i <= (NF > 1 ? \$2 : \$1); i++) seen[i] = 1 }
				END { for (i in seen) n++; print n + 0 }')" \$modules \
			"plr --watch prints the short limit of every module, mailbox \$ns ns"
	done
	S

	in_vm "$k bad units" --kernel "$k" --machine "$bad" <<-S
	$common
	exits 1 'pmonctl list exits with 1 if units are rejected' pmonctl list
	like "\$out" 'socket 0 type 6 id 13: width = 0xff, wider than a register' \
		"pmonctl list names a rejected unit with its reason"
	is "\$(dmesg | grep -c 'package 0: unit type .* rejected: ')" 256 \
		"the log has a line for each of the first 256 rejected units"
	n=\$(wc -l </sys/class/pmon/pkg0-uncore0/rejected)
	like "\$(dmesg)" "package 0: \$((n - 256)) more units rejected, see /sys/class/pmon/pkg0-uncore0/rejected" \
		"the log has one line for all further rejected units"
	like "\$n" '^3[0-9][0-9]\$' 'sysfs lists more than 300 rejected units'
	is "\$(row imc)" 'imc 0-1 0 mmio 4+1 48 uncore_imc_{0..1} openpmon' \
		"pmonctl list has a row of the accepted memory controllers"
	S
done
finish
