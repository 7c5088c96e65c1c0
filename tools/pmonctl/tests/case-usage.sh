# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034,SC2086
# Test the command line, and hosts without hardware to show.

rows <<'END'
--version prints those of the loaded modules, too | : a nothing; put sys/module/pmon/version 0.8; live pmon_plr | 0 --version |
	pmon 0.8 | pmon_plr [0-9]*.[0-9]*.[0-9]* | ! pmon_uncore *
--help prints the usage | : a nothing | 0 --help | Usage: pmonctl* | : silent
--version prints the version | 0 --version | pmonctl [0-9]*.[0-9]*.[0-9]*
no command, on a host that has nothing | 77 | - no supported hardware: | ! *
an unknown command, and what may be meant | 64 % | - unknown command % (list?)
% lsit listt
nothing is meant by what is near to nothing | 64 % | - unknown command % | - ! ?)
% zzz '""'
a word of another program | 64 % | - unknown command % (bw*[?])
% top watch bandwidth
a surplus argument is named | 64 list now | - unexpected argument: now
an unknown option is wrong usage, and leads to the command's help |
	64 list --colour | - list has no option --colour | - ! mean | - Try: pmonctl help list
so is an unknown letter | 64 plr -x | - -x: no such option | - Try: pmonctl help plr
and one before others (%) | 64 bw % | - : -x: no such option | - Try: pmonctl help bw
% -xn '--csv -xn'
an option of a command without one (%) | 64 % | ! * | - --* needs a command, such as pmonctl * --* |
	- Try: pmonctl --help
% --clear --watch '--csv -n 3' '--socket 1' --dry-run '--file /x' '-i 1'
an option of other programs | 64 bw --duration 1 |
	- bw has no option --duration (did you mean --for?)
an option with a letter too few | 64 adopt --persit uncore | - (did you mean --persist?)
what the command does not take is not meant | 64 release --persit | - --persit | - ! mean
an option that is short for several | 64 plr --c 1 | - --c: short for several
a value for an option without one | 64 bw --watch=3 | - --watch=3: takes no value
an option of another command is wrong usage | 64 list --watch | - list has no option --watch
help: of all | 0 help | Usage: pmonctl *COMMAND]
help: of what is no command | 64 help lst | - (list?)
--socket '%' is wrong usage | 64 plr --socket '%' | - not a socket number
% -1 x 1x '' 99999999999999999999
no supported hardware: % says so in JSON, too | 77 % --json | : is_json | *"format": 2* |
	*"error": "no supported hardware: * | - no supported hardware:
% list plr doctor bw
an option may follow the command, whatever the environment says |
	: export POSIXLY_CORRECT=1 | 77 list --json | *"error"* | : unset POSIXLY_CORRECT
another vendor's device 09a7 is not ours | : pci 0000:00:03.1 0x1af4 0x09a7 | 77 list
a class directory that cannot be read | : discovery_function; put sys/class/pmon '' |
	2 list | - cannot be read; run as root | : rm "$class"
an empty class directory without modules says what to load |
	: discovery_function; mkdir -p "$class" | 2 list | - modprobe -a pmon_uncore pmon_plr
an empty class directory points to the kernel log | : live pmon_uncore | 2 list | - kernel log
output that cannot be written is an error | : a spr | : lost 'No space left on device' list
END

# busy: make two sockets with all kinds of traffic, two limited modules and one at a turbo limit
busy() {
	moving
	domain 0 0 0-3
	for m in 0 1; do
		core 0 0 $m "$m" POWER
		put pkg0-dom0/plr/core$m/time_in_reason 'observed 9 1000000 1' 'POWER 9 1000000 1' \
			'POWER_PKG_PL1_MMIO 9 1000000 1'
	done
	core 0 0 2 2 FREQUENCY
	put pkg0-dom0/plr/core2/time_in_reason 'observed 9 1000000 1' 'FREQUENCY 9 1000000 1'
	put pkg0-dom0/plr/die/time_in_reason 'observed 9 1000000 1'
	put proc/uptime 1000.00
	live pmon_uncore pmon_plr
	paranoid 0
	discovery 0
	installed
}
# powered: make package 0 draw 300 W. Package 1 has a temperature, too, but no powercap zone
powered() {
	domain 1 0 4-5
	core 1 0 0 4 none
	files sys/class/powercap/intel-rapl:0/ <<-'END'
		name package-0
		energy_uj 100000000
		max_energy_range_uj 262143328850
		constraint_0_name long_term
		constraint_0_power_limit_uw 500000000
	END
	for package in 0 1; do
		put sys/class/hwmon/hwmon$((package + 3))/name coretemp
		put sys/class/hwmon/hwmon$((package + 3))/temp1_label "Package id $package"
		put sys/class/hwmon/hwmon$((package + 3))/temp1_input $((71900 - 7000 * package))
	done
	put sys/class/hwmon/hwmon1/name nvme
	put sys/class/hwmon/hwmon1/temp1_label Composite
	passing <<-'END'
	echo $((100000000 + to * 300000)) >"$root/sys/class/powercap/intel-rapl:0/energy_uj"
	END
}
rows <<'END'
no command: one screen with host, bandwidth, limits and what to do next | : a busy | 0 |
	: [ "$(wc -l <"$tmp/out")" -le 24 ] |
	: edited 's/, pmonctl .*//'
> HOST    platform spr, Linux 6.18-tree
> DOCTOR  fine
>
> KIND SOCKET NODE READ MB/s WRITE MB/s TOTAL MB/s
> memory all - 29360 4194 33554
> memory 0 - 14680 0 14680
> memory 1 - 14680 4194 18874
> cxl - - 1049 0 1049
> upi 0 - 1049 10486 11534
> upi 1 - 0 0 0
> iio 0 - 262 524 786
>
> LIMITS  2 of 3 modules limited now, 1 at a turbo limit (FREQUENCY alone)
> REASON MODULES SOCKETS MEANING
> POWER_PKG_PL1_MMIO 2 0 package power limit 1 (long term), set by MMIO (software, firmware)
> socket 0: power and its limits are not known on this kernel
>
> Next: pmonctl plr --watch
no command: what a BMC has lowered is a problem, though it be a turbo limit |
	: echo 'FREQUENCY_PCS_TRL 9 1000000 1' >>"$class/pkg0-dom0/plr/core2/time_in_reason" | 1 |
	LIMITS 3 of 3 modules limited now |
	FREQUENCY_PCS_TRL 1 0 turbo ratio limit set out of band (BMC) | Next: pmonctl doctor |
	DOCTOR 1 problem, first: limits: FREQUENCY_PCS_TRL is in force: turbo ratio *
no command: the three worst reasons, and how many more there are | : a busy;
	printf '%s 9 1000000 1\n' RAS THERMAL PLATFORM >>"$class/pkg0-dom0/plr/core1/time_in_reason" | 0 |
	PLATFORM 1 0 * | THERMAL 1 0 * | ! POWER* | [(]1 more: pmonctl plr[)]
no command: power and temperature, also of a package that nothing limits | : a busy; powered | 0 |
	socket 0: 300 W of 500 W (PL1), [?] W (PL2), 72 C | socket 1: 65 C | ! *its limits are not known*
no command: so has JSON | : a busy; powered | 0 --json
= assert m["power"] == [{"socket": 0, "watts": 300, "pl1_watts": 500, "celsius": 72},
=     {"socket": 1, "celsius": 65}]
no command: as JSON | : a busy | 0 --json
= assert m["format"] == 2 and [f["level"] for f in m["findings"]].count("problem") == 0
= assert [s["read_bytes_s"] >> 20 for s in m["sockets"] if s["kind"] == "memory"] == [14000, 14000]
= assert m["ms"] == 1000 and m["domains"][0]["parts"][1]["now"] == ["POWER", "POWER_PKG_PL1_MMIO"]
no command: what nobody watches is not known | : rm "$class"/pkg0-dom0/plr/*/time_in_reason | 0 |
	LIMITS not known: no program monitors them; * | ! *limited now*
END
