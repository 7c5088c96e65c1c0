# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034,SC2016
# Test pmonctl plr: limits in force, from the driver's time_in_reason, and limits on record. The
# program sbin/pause of a tree changes files while time passes.

# two: make a die and three modules; the die and two modules have bits latched since boot
two() {
	pauses
	put proc/uptime 1036800.00
	domain 0 0 0-2
	put pkg0-dom0/plr/die/reasons POWER
	core 0 0 0 0 'POWER POWER_PKG_PL1_MSR_TPMI'
	core 0 0 1 1 'POWER POWER_PKG_PL1_MSR_TPMI'
	core 0 0 2 2 none
}
# observed PART LINE...: make PART's record until now, 1036800 s after boot, one LINE per reason
observed() {
	part=$1
	shift
	put "pkg0-dom0/plr/$part/time_in_reason" 'observed 1036800000 1036800000 1000' "$@"
}
# watched: call two(), and make an empty record of each part
watched() {
	two
	for part in die core0 core1 core2; do
		observed $part
	done
}
# two_packages: make package 0 with modules 0 and 1, package 1 with module 5, and links of CPUs
two_packages() {
	domain 0 0 0-3
	domain 1 2 4-7
	core 0 0 0 0-1 none
	core 0 0 1 2-3 'FREQUENCY FREQUENCY_CDYN1'
	core 1 2 5 4-7 none
	cpu 2 0 0 1
	cpu 3 0 0 1
	for c in 4 5 7; do
		cpu $c 1 2 5
	done
	mkdir "$root/sys/devices/system/cpu/cpu8"
}
# broken: make each file `reasons` of package 1 unreadable, and remove one of them
broken() {
	for p in 0 1; do
		domain $p 0 "$((p * 8))-$((p * 8 + 7))"
		for c in 0 1 2 10; do
			core $p 0 $c "$((p * 8 + c))" none
		done
	done
	unreadable "$class"/pkg1-dom0/plr/die/reasons "$class"/pkg1-dom0/plr/core?*/reasons
	rmdir "$class/pkg1-dom0/plr/core2/reasons"
}
# cleared PART TEXT: was TEXT written to PART's file `clear`?
cleared() {
	said=$(cat "$class/pkg0-dom0/plr/$1/clear")
	[ "$said" = "$2" ] || { echo "# $1: \"$said\", not \"$2\""; return 1; }
}
# no_clear: make writes to `clear` fail, with different errors for a module and for its die
no_clear() {
	rm "$class"/pkg0-dom0/plr/die/clear "$class"/pkg0-dom0/plr/core0/clear
	mkdir "$class/pkg0-dom0/plr/core0/clear"
}
dies_last() {
	said=$(grep -o '[a-z0-9]*/clear' "$tmp/err" | tr '\n' ' ')
	[ "$said" = 'core0/clear die/clear ' ] || { echo "# $said"; return 1; }
}
to_clear() {
	domain 0 0 0-2
	put pkg0-dom0/plr/die/reasons 'POWER THERMAL'
	core 0 0 0 0 'POWER POWER_FAST_RAPL'
	core 0 0 1 1 'THERMAL THERMAL_PER_CORE'
	core 0 0 2 2 none
	cpu 0 0 0 0
}
watching() {
	watched
	passing 7000 <<-'END'
	now=$((1036800000 + to))
	echo $((now / 1000)).00 >"$root/proc/uptime"
	for part in die core0 core1 core2; do
		echo "observed $to $now 1000 0" >"$class/pkg0-dom0/plr/$part/time_in_reason"
	done
	[ "$to" -lt 3000 ] || [ "$to" -ge 5000 ] ||
		echo "POWER $((to - 2000)) $now -" >>"$class/pkg0-dom0/plr/core0/time_in_reason"
	END
}

rows <<'END'
plr: what was latched at boot is old; a fine reason implies its coarse one | : a watched | 0 plr
> Looking moves the hardware's record into openpmon's log; --once does not.
> 0 of 3 modules limited now, 2 more since the last clear
>
> WHERE        CPUS  NOW  SINCE
> 0/0/core0-1  0-1   -    POWER_PKG_PL1_MSR_TPMI up to 12 d ago
>
> 0/0/core2: not limited
plr: what limits now, how long, what it means and what to compare it with |
	: observed die 'POWER 100 1036800000 1036799900'; observed core0
	'POWER 300000 1036790000 -' 'POWER_PKG_PL1_MSR_TPMI 300000 1036790000 -'; observed core1
	'POWER 7300000 1036800000 1029600000'
	'POWER_PKG_PL1_MSR_TPMI 7200000 1036800000 1029600000' | 0 plr
> Looking moves the hardware's record into openpmon's log; --once does not.
> 1 of 3 modules limited now, 1 more since the last clear
>
> WHERE      CPUS  NOW                             SINCE
> 0/0/core1  1     POWER_PKG_PL1_MSR_TPMI for 2 h  -
> 0/0/core0  0     -                               POWER_PKG_PL1_MSR_TPMI 10 s ago
>
> 0/0/core2: not limited
>
> POWER_PKG_PL1_MSR_TPMI
>  package power limit 1 (long term), set by MSR or TPMI (software, firmware)
>  compare the limits in /sys/class/powercap with the part's TDP
> socket 0: power and its limits are not known on this kernel
plr: --json has every part, now and its history | 0 plr --json
= assert m["format"] == 2 and m["uptime_ns"] == 1036800 * 10**9
= d, = m["domains"]
= assert (d["socket"], d["domain"], d["cpus"]) == (0, 0, "0-2")
= p = {x["name"]: x for x in d["parts"]}
= assert p["core1"]["now"] == ["POWER", "POWER_PKG_PL1_MSR_TPMI"]
= assert p["core1"]["history"][0] == {"reason": "POWER", "last_ns": 1036800 * 10**9,
=     "limited_ns": 7300 * 10**9, "since_ns": 1029600 * 10**9}
= assert "since_ns" not in p["core0"]["history"][0]
= assert p["core2"] == {"name": "core2", "cpus": "2", "reasons": [], "now": []}
= assert len(p) == 4
plr: --once has what others watch | : put pkg0-dom0/plr/core1/active POWER | 0 plr --once |
	1 of 3 modules limited now, 1 now or before ([?])
plr: and in JSON | 0 plr --once --json
= p = {x["name"]: x for x in m["domains"][0]["parts"]}
= assert p["core1"]["active"] == ["POWER"] and "active" not in p["core0"]
plr: what is not watched is not known | : a two | 0 plr |
	0 of 3 modules limited now, 2 now or before ([?]) | ! 0/0/die* |
	0/0/core0-1 0-1 [?] POWER_PKG_PL1_MSR_TPMI up to 12 d ago | 0/0/core2: not limited
plr: a turbo limit that is only on record is none now | : a watched;
	for p in die core0 core1; do put "pkg0-dom0/plr/$p/reasons" FREQUENCY; done | 0 plr
> Looking moves the hardware's record into openpmon's log; --once does not.
> 0 of 3 modules limited now
>
> 0/0/core2: not limited
plr: a bound is rounded up | : a two | : put proc/uptime 1036801.00 | 0 plr |
	0/0/core0-1 0-1 [?] POWER_PKG_PL1_MSR_TPMI up to 13 d ago | : put proc/uptime 1036800.00
plr: a line without sense is left out |
	: put pkg0-dom0/plr/core1/time_in_reason '%' 'THERMAL 1 2' | 0 plr | : silent |
	0/0/core0-1 *12 d ago
% POWER 'POWER -1 -1 -1' 'WARMTH 1 2 3' 'POWER 99999999999999999999 1 1' 'POWER	1 x y'
# A line for several parts has the age of the most recent limit.
plr: the younger of a line | : observed core0 'POWER 60000 1000800000 -';
	observed core1 'POWER 60000 1004400000 -'; put pkg0-dom0/plr/core0/reasons POWER;
	put pkg0-dom0/plr/core1/reasons POWER | 0 plr | 0/0/core0-1 0-1 - POWER 9 h ago
END
# busy: make a busy host with 43 modules at the turbo limit. This limit is polled every 10 s, last
# 9 s ago. POWER, polled 1 s ago, limits one of the modules, too
busy() {
	pauses
	put proc/uptime 1036800.00
	domain 0 0 0-42
	put pkg0-dom0/plr/die/reasons 'FREQUENCY POWER'
	observed die 'FREQUENCY 9000 1036791000 1036000000 1' 'POWER 1000 1036799000 1036798000 1'
	for m in $(seq 0 42); do
		core 0 0 "$m" "$m" 'FREQUENCY FREQUENCY_CDYN1'
		cpu "$m" 0 0 "$m"
		observed "core$m" 'FREQUENCY 9000 1036791000 1036000000 1' \
			'FREQUENCY_CDYN1 9000 1036791000 1036000000 1'
	done
	put pkg0-dom0/plr/core7/reasons 'FREQUENCY POWER FREQUENCY_CDYN1 POWER_PKG_PL1_PCS'
	observed core7 'FREQUENCY 9000 1036791000 1036000000 1' \
		'POWER 1000 1036799000 1036798000 1' \
		'FREQUENCY_CDYN1 9000 1036791000 1036000000 1' \
		'POWER_PKG_PL1_PCS 1000 1036799000 1036798000 1'
}
# capped: make a busy host with a turbo limit lowered by a BMC
capped() {
	busy
	for m in $(seq 0 42); do
		observed "core$m" 'FREQUENCY 9000 1036791000 1036000000 1' \
			'FREQUENCY_PCS_TRL 9000 1036791000 1036000000 1'
		put "pkg0-dom0/plr/core$m/reasons" 'FREQUENCY FREQUENCY_PCS_TRL'
	done
}
# powercap: make two sockets. The first takes 498 J while pmonctl runs for 1 s, and its energy
# count wraps; the other's energy is not readable
powercap() {
	busy
	domain 1 0 43
	put pkg1-dom0/plr/die/time_in_reason 'observed 1036800000 1036800000 1000 0'
	core 1 0 0 43 POWER
	put pkg1-dom0/plr/core0/time_in_reason 'observed 1036800000 1036800000 1000 0' \
		'POWER 1000 1036799000 1036798000 1'
	files sys/class/powercap/ <<-'END'
		intel-rapl:0/name package-0
		intel-rapl:0/energy_uj 999800000
		intel-rapl:0/max_energy_range_uj 1000000000
		intel-rapl:0/constraint_0_name long_term
		intel-rapl:0/constraint_0_power_limit_uw 500000000
		intel-rapl:0/constraint_1_name short_term
		intel-rapl:0/constraint_1_power_limit_uw 600000000
		intel-rapl:0:0/name dram
		intel-rapl-mmio:0/name package-0
		intel-rapl:1/name package-1
		intel-rapl:1/constraint_0_name long_term
		intel-rapl:1/constraint_0_power_limit_uw 350000000
		intel-rapl:2/name package-0
		intel-rapl:2/constraint_0_name long_term
		intel-rapl:2/constraint_0_power_limit_uw 1000000
	END
	passing <<-'END'
	[ "$to" -lt 1000 ] || echo 497800000 >"$root/sys/class/powercap/intel-rapl:0/energy_uj"
	END
}
# published_late: limit core1 once, in a poll that begins at 2.1 s. The record changes only when
# the poll ends, at 3.2 s, but then has the time 2.1 s.
published_late() {
	watched
	passing 6000 <<-'END'
	now=$((1036800000 + to))
	echo $((now / 1000)).00 >"$root/proc/uptime"
	for part in die core0 core1 core2; do
		echo "observed $to $now 1000 0" >"$class/pkg0-dom0/plr/$part/time_in_reason"
	done
	[ "$to" -lt 3200 ] ||
		echo "THERMAL 100 $((1036800000 + 2100)) - 1" >>"$class/pkg0-dom0/plr/core1/time_in_reason"
	END
}
# apart: limit the die, and no module, by POWER; limit one module by THERMAL, a second by a turbo
# limit and earlier by THERMAL, and a third by a turbo limit
apart() {
	watched
	core 0 0 3 3 none
	observed core3
	put pkg0-dom0/plr/die/reasons 'POWER THERMAL FREQUENCY'
	observed die 'POWER 9000 1036800000 1036799000 1' 'THERMAL 9000 1036800000 1036740000 1' \
		'FREQUENCY 9000 1036800000 1036000000 1'
	put pkg0-dom0/plr/core0/reasons 'THERMAL THERMAL_PER_CORE'
	observed core0 'THERMAL 9000 1036800000 1036740000 1' 'THERMAL_PER_CORE 9000 1036800000 1036740000 1'
	put pkg0-dom0/plr/core1/reasons 'FREQUENCY THERMAL THERMAL_PER_CORE'
	observed core1 'FREQUENCY 9000 1036800000 1036000000 1' 'THERMAL 9000 1036500000 - 1' \
		'THERMAL_PER_CORE 9000 1036500000 - 1'
	put pkg0-dom0/plr/core2/reasons FREQUENCY
	observed core2 'FREQUENCY 9000 1036800000 1036000000 1'
}
# leaving: limit a module by POWER, then end all records, as when the device is removed
leaving() {
	watched
	passing 9000 <<-'END'
	now=$((1036800000 + to))
	for part in die core0 core1 core2; do
		since=1000
		[ "$to" -lt 3500 ] || { since=- now=1036803000; }
		echo "observed $to $now $since 0" >"$class/pkg0-dom0/plr/$part/time_in_reason"
	done
	power=$since
	[ "$to" -lt 2000 ] || echo "POWER $to $now $power 1" >>"$class/pkg0-dom0/plr/core0/time_in_reason"
	END
}
# in_turn MS: limit core1 by THERMAL, but poll it only from MS on; poll the other parts always
in_turn() {
	watched
	discovery_function
	put pkg0-dom0/plr/core1/time_in_reason 'observed 1036799000 1036799000 1000 0'
	passing <<-END
	now=\$((1036800000 + to))
	printf '%d.%03d\n' \$((now / 1000)) \$((now % 1000)) >"\$root/proc/uptime"
	for part in die core0 core2; do
		echo "observed \$to \$now 1000 0" >"\$class/pkg0-dom0/plr/\$part/time_in_reason"
	done
	[ \$to -lt $1 ] || printf '%s\n' "observed \$to \$now 1000 0" "THERMAL 100 \$now \$now 1" \
		>"\$class/pkg0-dom0/plr/core1/time_in_reason"
	END
}
# growing MS: limit core0 by POWER from 3 s to MS. At 5 s there is one more module
growing() {
	watched
	passing 9000 <<-END
	now=\$((1036800000 + to)) last=\$((1036800000 + (to < $1 ? to : $1)))
	echo \$((now / 1000)).00 >"\$root/proc/uptime"
	cd "\$class/pkg0-dom0/plr"
	[ \$to -lt 5000 ] || mkdir -p core3
	for part in die core?; do
		echo "observed \$to \$now 1000 0" >\$part/time_in_reason
	done
	[ \$to -lt 3000 ] || [ \$to -gt $1 ] || since=\$now
	[ \$to -lt 3000 ] || echo "POWER \$to \$last \${since--}" >>core0/time_in_reason
	END
}
rows <<'END'
plr: a module whose turn comes late is waited for | : a in_turn 1400 | 0 plr |
	0/0/core1 1 THERMAL POWER_PKG_PL1_MSR_TPMI up to 13 d ago
no command: so it is there | : a in_turn 1400 | 1 | LIMITS 1 of 3 modules limited now | THERMAL 1 0 temperature: thermal throttling
no command: --json has limits on record, as that of plr | : a in_turn 1400 | 1 --json
= assert (m["modules"]["limited"], m["modules"]["before"]) == (1, 1)
= p = {x["name"]: x for x in m["domains"][0]["parts"]}
= assert p["core0"]["reasons"] == ["POWER", "POWER_PKG_PL1_MSR_TPMI"] and p["core0"]["now"] == []
no command: and one whose turn does not come is not known | : a in_turn 9000 | 1 |
	LIMITS 0 of 3 modules limited now, 1 not known
plr: nor is it here | : a in_turn 9000 | 0 plr | 0/0/core1 1 [?] POWER_PKG_PL1_MSR_TPMI up to 13 d ago
plr: a reason is in force since then, whenever it was seen last; a turbo limit is counted
	apart | : a busy | 0 plr
> Looking moves the hardware's record into openpmon's log; --once does not.
> 1 of 43 modules limited now, 42 at a turbo limit (FREQUENCY alone)
>
> WHERE      CPUS  NOW                                SINCE
> 0/0/core7  7     FREQUENCY_CDYN1 POWER_PKG_PL1_PCS for 13 min -
>
> POWER_PKG_PL1_PCS
>  package power limit 1 (long term), set by PCS, out of band (BMC)
>  ask who manages the BMC: power capping, turbo limits, profiles
> socket 0: power and its limits are not known on this kernel
plr: and what has power, where that is not loaded | : put proc/sys/kernel/osrelease 6.18-tree;
	put lib/modules/6.18-tree/kernel/intel_rapl_tpmi.ko.xz '';
	listed |
	0 plr | socket 0: power and its limits are not known without a driver: modprobe intel_rapl_tpmi
plr: so it is where it was asked for | 0 plr --cpu 3 | 1 of 1 modules limited now |
	0/0/core3 3 FREQUENCY_CDYN1 for 13 min -
plr: --json has how often it came up | 0 plr --json --cpu 7 | : is_json
= p, = m["domains"][0]["parts"]
= assert p["history"][1]["count"] == 1 and "POWER_PKG_PL1_PCS" in p["now"]
plr: a turbo limit that a BMC has lowered is none of a busy host | : a capped | 0 plr |
	43 of 43 modules limited now | 0/0/core0-42 0-42 FREQUENCY_PCS_TRL for 13 min - | ! *turbo limit (*
	turbo ratio limit set out of band (BMC) | ask who manages the BMC: power capping, turbo limits, profiles
plr: power that was drawn, and its limits, of sockets that these limit | : a powercap | 0 plr |
	socket 0: 498 W of 500 W (PL1), 600 W (PL2) | socket 1: [?] W of 350 W (PL1), [?] W (PL2)
plr: one line of each socket, also where CPU numbers of sockets alternate |
	: cpu 43 1 0 0; cpu 44 0 0 8 | 0 plr --cpu 7,43,44 | socket 0: * | : [ "$(grep -c '^socket ' "$tmp/out")" = 2 ]
plr: nor are watts of a few milliseconds known | : put step 1000000;
	put pkg0-dom0/plr/core7/active 'POWER POWER_PKG_PL1_PCS' | 0 plr --once --socket 0 |
	socket 0: [?] W of 500 W (PL1), 600 W (PL2)
plr: --once is no time to draw power in | : a powercap | 0 plr --once --socket 0 |
	! socket*
plr: nor are there such lines where nothing limits | : a watched | 0 plr | ! socket*
plr: a mesh that answers, with mesh=1, is a part | : a watched; observed mesh0;
	put pkg0-dom0/plr/mesh0/reasons POWER | 0 plr | 0/0/mesh0 - - POWER up to 12 d ago
plr: a mesh that cannot be read is one, too | : unreadable $class/pkg0-dom0/plr/mesh0/reasons |
	1 plr | 0/0/mesh0: unreadable (EISDIR)
plr: what only the die has has a row and is no module; each module is counted once | : a apart |
	0 plr | 1 of 4 modules limited now, 1 at a turbo limit (FREQUENCY alone), 1 more since the last clear |
	POWER die 0 | THERMAL_PER_CORE 1 0 | 0/0/die - POWER - |
	0/0/die alone: its mesh, or a module without a CPU | 0/0/core3: not limited
plr: --json has these rows, the worst first | 0 plr --json
= assert m["modules"] == {"all": 4, "limited": 1, "turbo": 1, "before": 1, "unsure": 0, "unreadable": 0}
= assert [(r["reason"], r["modules"], r["sockets"], r["record_modules"]) for r in m["reasons"]] == [
=     ("THERMAL_PER_CORE", 1, "0", 1), ("POWER", 0, "0", 0)]
= assert [(r["where"], r["now"], r["parts"]) for r in m["rows"]] == [
=     ("0/0/core0", ["THERMAL_PER_CORE"], 1), ("0/0/die", ["POWER"], 1), ("0/0/core1", ["FREQUENCY"], 1)]
= assert m["rows"][0]["now_s"] == 60 and m["rows"][0]["cpus"] == "0" and m["rows"][0]["known"]
= assert m["rows"][2]["record"] == [{"reason": "THERMAL_PER_CORE", "age_s": 300, "at_most": False}]
plr: --watch says once that a part is not known any more | : a leaving | 0 plr --watch |
	: edited 's/^2[^ ]* //'
> watching 4 parts
> 0/0/core0: POWER
> 0/0/die: not known
> 0/0/core0-2: not known
plr: --watch goes on where the number of parts changes | : a growing % | 0 plr --watch |
	: edited 's/^2[^ ]* //'
> watching 4 parts
> 0/0/core0: POWER
> 0/0/core0: none
% 5000 7000
plr: --watch shows a limit whatever time its poll began | : a published_late |
	0 plr --watch | : edited 's/^2[^ ]* //'
> watching 4 parts
> 0/0/core1: THERMAL
> 0/0/core1: none
END
# reads ARG...: count how often pmonctl opens a file `reasons`, which costs register accesses
reads() {
	strace -f -e trace=openat,openat2 -o "$tmp/trace" "$PMONCTL_TEST" "$@" \
		>/dev/null 2>&1
	grep -c '/reasons"' "$tmp/trace"
}
if command -v strace >/dev/null && [ "$(id -u)" = 0 ]; then
	[ "$(reads plr)" = 5 ]
	verdict $? "plr: one file that asks the hardware is read of each part"
fi

# large: make two packages of three dies; a die has 24 modules of two CPUs, at turbo limits
large() {
	for p in 0 1; do
		for d in 0 1 2; do
			first=$((p * 72 + d * 24))
			domain $p $d "$first-$((first + 23)),$((first + 144))-$((first + 167))"
			put pkg$p-dom$d/plr/die/reasons FREQUENCY
			for m in $(seq 0 23); do
				core $p $d "$m" "$((first + m)),$((first + m + 144))" \
					'FREQUENCY FREQUENCY_CDYN0'
			done
		done
	done
}
rows <<'END'
plr: the turbo limit of a busy host is one line | : a large | 0 plr
> 0 of 144 modules limited now, 144 at a turbo limit (FREQUENCY alone)
plr: modules with the same reasons share a line |
	: for m in $(seq 0 23); do
		put pkg0-dom1/plr/core$m/reasons 'POWER POWER_PKG_PL1_MSR_TPMI'; done;
	put pkg0-dom1/plr/core7/reasons 'FREQUENCY THERMAL THERMAL_PER_CORE';
	put pkg0-dom1/plr/core8/reasons none | 0 plr
> 0 of 144 modules limited now, 120 at a turbo limit (FREQUENCY alone), 23 now or before (?)
>
> WHERE              CPUS                         NOW  SINCE
> 0/1/core0-6,9-23   24-30,33-47,168-174,177-191  ?    POWER_PKG_PL1_MSR_TPMI
> 0/1/core7          31,175                       ?    FREQUENCY THERMAL_PER_CORE
>
> 0/1/core8: not limited
plr: a table is as wide as the terminal, and nothing is cut | : drawn 'rows 24 cols 60' plr |
	: ! grep -q '.\{61\}' "$tmp/out" | *(FREQUENCY*
# ---- selection of parts
plr: --cpu shows each module of these CPUs once, with its turbo limit | : a two_packages |
	0 plr --cpu 2-5,3,7
> 0 of 2 modules limited now, 1 now or before (?)
>
> WHERE      CPUS  NOW  SINCE
> 0/0/core1  2-3   ?    FREQUENCY_CDYN1
>
> 1/2/core5: not limited
plr: --cpu with --json | 0 plr --cpu 3 --json | : is_json | *"name": "core1"* | ! *core0* |
	! *pkg1*
plr: --cpu without any module has nothing to show | 2 plr --cpu 8 | ! * |
	- cpu8/plr: no limits are shown: *
plr: which is an error in JSON | 2 plr --cpu 8 --json | : is_json |
	*"error": "no limits of these CPUs are shown"* | - cpu8/plr: no limits are shown: *
plr: --cpu names CPUs without limits or that are not there, and shows the others |
	1 plr --cpu 2-3,8,9-8191 | 0/0/core1 2-3 [?] FREQUENCY_CDYN1 |
	- cpu8-8191/plr: no limits are shown: there is no such CPU
plr: --socket | 0 plr --socket 0 | ! 1/* | 0/0/core0*
plr: a package that is none | 64 plr --socket 7 | - --socket 7: no such socket
plr: which is an error in JSON, too | 64 plr --socket 7 --json | : is_json |
	*"error": "no limits of this socket are shown"*
plr: % do not go together | 64 plr % | - do not go together
% '--cpu 0 --socket 0' '--once --watch' '--watch --clear'
plr: --interval alone | 64 plr --interval 1 | - goes with --watch
plr: --watch checks --cpu | 64 plr --watch --cpu x | - not a list of CPUs
plr: a name that is no reason | 64 plr --clear WARMTH | - --clear WARMTH: no such reason
plr: a name without --clear | 64 plr POWER | - unexpected argument: POWER
plr: -o is wrong usage | 64 plr -o CPUS | - plr has no option --output
plr: --cpu '%' is wrong usage | 64 plr '--cpu=%' | - not a list of CPUs
% '' x 3- -3 3-2 1,,2 '1,' '1 2' '8192,'
plr: --cpu %: too high | 64 plr --cpu=% | - %: not a list of CPUs from 0 to 8191
% 8192 0-8192 18446744073709551616 0-4000000000
plr: a file cpus with a long list | : put pkg0-dom0/plr/core1/cpus "$(seq -s, 0 8191)" |
	0 plr --socket 0 --json | : is_json
# ---- errors
plr: parts with one error share a line, and the rest is shown | : a broken | 1 plr --once
> No limit is recorded; 4 of 8 modules cannot be read.
>
> 1/0/die core0-1,10: unreadable (EISDIR)
> 1/0/core2: unreadable (ENOENT)
> 0/0/core0-2,10: not limited
plr: also in a message | 1 plr | - core2/reasons
plr: --json has the error | 1 plr --json | : is_json | *"error": "ENOENT"*
plr: nothing is said of what cannot be read |
	: a nothing; domain 0 0 0-1; unreadable $class/pkg0-dom0/plr/*/reasons | 1 plr |
	The limits cannot be read. | ! *No limit*
END
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	a watched
	observed core1 'POWER_PKG_PL1_MMIO 7300000 1036800000 1029600000'
	chmod 000 "$class"/pkg0-dom0/plr/*/reasons
	cp "$PMONCTL_TEST" "$tmp/test"
	chmod 755 "$tmp" "$tmp/test"
	setpriv --reuid 65534 --clear-groups "$tmp/test" plr \
		>"$tmp/out" 2>"$tmp/err"
	[ $? = 2 ] && [ "$(wc -l <"$tmp/err")" = 1 ] && complains 'needs root, or the group' \
		'rights.rst' && has '0/0/core1 1 POWER_PKG_PL1_MMIO for 2 h -'
	verdict $? "plr: without rights one line, and what everybody may read"
fi
rows <<'END'
plr: a domain without % is of no package with a number |
	: a two; rm "$class/pkg0-dom0/%" | 77 plr | - ! 4294967295
% package_id domain_id
# ---- hosts without limits
plr: hardware without PLR is 77 | : a nothing; discovery_function; live pmon_plr;
	mkdir -p "$root/sys/bus/auxiliary/devices/intel_vsec.tpmi-uncore.0" | 77 plr |
	- no supported hardware
plr: hardware that another driver has | : discovery 0; limits; live intel_plr_tpmi | 2 plr |
	- intel_plr_tpmi
plr: hardware that a driver had before | : rm -r "$root/sys/module/intel_plr_tpmi"; live pmon_plr |
	2 plr | - load it again
plr: TPMI without domains is explained by its mode | : a nothing; discovery_function;
	tpmi observe | 2 plr | - with mode=observe
list: likewise | 0 list | *limits are not shown: *with mode=observe*
plr: and by the CPU model | : tpmi unknown-model | 2 plr | - does not support this CPU model
plr: or the kernel log shows why | : tpmi on | 2 plr | - kernel log shows why
list: likewise | 0 list | *limits are not shown: *kernel log shows why*
# ---- --clear
plr: --clear shows, and clears what it has shown | : a to_clear | 0 plr --clear | : silent |
	*POWER_FAST_RAPL* | Cleared in 3 parts. | : cleared die 'POWER THERMAL' | : cleared core0 'POWER POWER_FAST_RAPL' |
	: cleared core1 'THERMAL THERMAL_PER_CORE' | : cleared core2 ''
plr: --clear with names leaves the others | : a to_clear | 0 plr --clear power POWER_FAST_RAPL |
	: cleared die POWER | : cleared core0 'POWER POWER_FAST_RAPL' | : cleared core1 '' |
	Cleared in 2 parts.
plr: a clear that fails is reported, the others are done |
	: a to_clear; unreadable "$class/pkg0-dom0/plr/core0/clear" | 1 plr --clear |
	- core0/clear | : cleared core1 'THERMAL THERMAL_PER_CORE' | Cleared in 2 parts.
plr: --clear begins with modules, whose reasons a computed die repeats | : a to_clear; no_clear |
	1 plr --clear | : dies_last
plr: --clear of a CPU leaves the others, and says what in JSON | : a to_clear |
	0 plr --cpu 0 --clear POWER --json | : cleared die ''
= p, = m["domains"][0]["parts"]
= assert p["cleared"] == ["POWER"] and p["reasons"] == ["POWER", "POWER_FAST_RAPL"]
# ---- --watch: core0 is limited from the third second to the fifth
plr: --watch has a line for each change, and ends well | : a watching | 0 plr --watch |
	: edited 's/^2[^ ]* //'
> watching 4 parts
> 0/0/core0: POWER
> 0/0/core0: none
plr: --watch --json has an object per line | : a watching | 0 plr --watch --json |
	: edited '1s/^/[/; 1s/$/,/; $s/$/]/'
= import re
= a, b = m
= assert (a["socket"], a["domain"], a["name"], a["cpus"]) == (0, 0, "core0", "0")
= assert a["active"] == ["POWER"] == a["reasons"] and b["active"] == []
= # RFC 3339, 5.6: the zone has a colon
= assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d", a["time"])
plr: --watch ends when its output is lost | : a watching | : lost 'No space left on device' plr --watch
plr: q ends --watch | : a watched; put keys 1; passing 4000 </dev/null; keys=q;
	drawn 'rows 8 cols 60' plr --watch; keys= | ! *limited now*
plr: --watch draws a strip for a limited module |
	: a watched; observed core0 'POWER 100 1036800000 1036799900'; passing 4000 </dev/null |
	: export LC_ALL=C NO_COLOR=; drawn 'rows 8 cols 60' plr --watch |
	0/0/core0 0 [.]* POWER | ! 0/0/core1* |
	: grep -q "$(printf '  \033\[33mPOWER\033\[m\033\[K')" "$tmp/drawn"
END
