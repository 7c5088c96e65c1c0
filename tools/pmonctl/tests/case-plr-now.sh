# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl plr: what limits now beside what did, with ages, the numbers behind
# it, and a host with many CPUs on one screen. The program sbin/pause of a tree
# is run when a second passes between two looks, in steps of 50 ms.

# two: a die, its mesh and three modules with bits that are latched since boot
two() {
	new_tree "now-$1"
	domain 0 0 0-2
	put pkg0-dom0/plr/die/reasons POWER
	core 0 0 0 0 'POWER POWER_PKG_PL1_MSR_TPMI'
	core 0 0 1 1 'POWER POWER_PKG_PL1_MSR_TPMI'
	core 0 0 2 2 none
}

# watching: what each part had in the last interval
watching() {
	for part in die mesh0 core0 core1 core2; do
		put pkg0-dom0/plr/$part/active none
	done
}

two latched
watching
passing </dev/null
run_test 0 plr && silent && prints <<-'END'
Of 5 parts 0 limited now, 3 before

PACKAGE  DOMAIN  PART     CPUS  NOW  SINCE
0        0       die      -     -    POWER up to 12 d ago
0        0       core0-1  0-1   -    POWER POWER_PKG_PL1_MSR_TPMI up to 12 d ago

Package 0 domain 0, not limited: mesh0 core2
END
verdict $? "plr: what was latched at boot is old"

two short
watching
passing <<-'END'
[ "$2" != 500 ] || put pkg0-dom0/plr/core1/active 'POWER POWER_PKG_PL1_MSR_TPMI'
[ "$2" != 600 ] || put pkg0-dom0/plr/core1/active none
END
run_test 0 plr && prints <<-'END'
Of 5 parts 1 limited now, 2 before

PACKAGE  DOMAIN  PART   CPUS  NOW                           SINCE
0        0       core1  1     POWER POWER_PKG_PL1_MSR_TPMI  -
0        0       die    -     -                             POWER up to 12 d ago
0        0       core0  0     -                             POWER POWER_PKG_PL1_MSR_TPMI up to 12 d ago

Package 0 domain 0, not limited: mesh0 core2
END
verdict $? "plr: what limits in any interval of the second does so now"

run_test 0 plr --once && grep -q '^Of 5 parts 0 limited now, 3 before$' "$tmp/out"
verdict $? "plr: --once looks once"

two unwatched
passing <<-'END'
[ "$2" != 600 ] || put pkg0-dom0/plr/core0/reasons 'POWER THERMAL'
END
run_test 0 plr && prints <<-'END'
Of 5 parts 1 limited now, 2 limited now or before (?)

PACKAGE  DOMAIN  PART   CPUS  NOW        SINCE
0        0       core0  0     THERMAL ?  POWER up to 12 d ago
0        0       die    -     ?          POWER up to 12 d ago
0        0       core1  1     ?          POWER POWER_PKG_PL1_MSR_TPMI up to 12 d ago

Package 0 domain 0, not limited: mesh0 core2
END
verdict $? "plr: without a watch what is new is in force, and the rest not known"

two partly
passing </dev/null
put pkg0-dom0/plr/core0/active none
run_test 0 plr && grep -qx 'Of 5 parts 0 limited now, 1 before, 2 limited now or before (?)' "$tmp/out"
verdict $? "plr: how many, where some are watched"

# Time in reason: in ms, 1036800 s after boot. What has no last time is as old as
# the boot at most.
two history
watching
put pkg0-dom0/plr/core0/time_in_reason 'observed 1036800000 1036800000 1000' \
	'POWER 300000 1036790000 -' \
	'POWER_PKG_PL1_MSR_TPMI 300000 1036790000 -'
put pkg0-dom0/plr/core1/active POWER
put pkg0-dom0/plr/core1/time_in_reason 'observed 1036800000 1036800000 1000' \
	'POWER 7300000 1036800000 1029600000' \
	'POWER_PKG_PL1_MSR_TPMI 0 - -'
passing </dev/null
run_test 0 plr && prints <<-'END'
Of 5 parts 1 limited now, 2 before

PACKAGE  DOMAIN  PART   CPUS  NOW            SINCE
0        0       core1  1     POWER for 2 h  POWER_PKG_PL1_MSR_TPMI up to 12 d ago
0        0       die    -     -              POWER up to 12 d ago
0        0       core0  0     -              POWER POWER_PKG_PL1_MSR_TPMI 10 s ago

Package 0 domain 0, not limited: mesh0 core2
END
verdict $? "plr: ages and durations as the kernel has noted them"
run_test 0 plr --json && is_json
verdict $? "plr: --json with a history is JSON"
if command -v python3 >/dev/null; then
	python3 - "$tmp/out" <<-'END'
	import json, sys
	m = json.load(open(sys.argv[1]))
	assert m["format"] == 1 and m["uptime_ns"] == 1036800 * 10**9
	p = {x["name"]: x for x in m["domains"][0]["parts"]}
	assert p["core1"]["now"] == ["POWER"] == p["core1"]["active"]
	assert p["core1"]["history"] == [{"reason": "POWER",
	    "last_ns": 1036800 * 10**9, "limited_ns": 7300 * 10**9,
	    "since_ns": 1029600 * 10**9}]
	assert "since_ns" not in p["core0"]["history"][0]
	assert p["core2"]["now"] == [] and "history" not in p["core2"]
	assert "numbers" not in m
	END
	verdict $? "plr: --json has now and history"
fi
for line in 'POWER' 'POWER -1 -1 -1' 'WARMTH 1 2 3' \
	'POWER 99999999999999999999 1 1' "$(printf 'POWER\t1 x y')"; do
	put pkg0-dom0/plr/core1/time_in_reason "$line" 'THERMAL 1 2'
	run_test 0 plr && silent
	verdict $? "plr: a line of a history that makes no sense is left out"
done

# Of parts that share a line the youngest is told; where one is of unknown age, what
# is true of all.
two latched
watching
for part in core0 core1; do
	put pkg0-dom0/plr/$part/reasons POWER
	put pkg0-dom0/plr/$part/time_in_reason 'POWER 60000 1000800000 -'
done
passing </dev/null
run_test 0 plr && grep -qx '0        0       core0-1  0-1   -    POWER 10 h ago' "$tmp/out"
verdict $? "plr: two of a line seen ten hours ago"
put pkg0-dom0/plr/core1/time_in_reason 'POWER 60000 1004400000 -'
run_test 0 plr && grep -qx '0        0       core0-1  0-1   -    POWER 9 h ago' "$tmp/out"
verdict $? "plr: the younger of a line"

# ---- the numbers behind the reasons
# zone DIR NAME ENERGY
zone() {
	mkdir -p "$root/sys/class/powercap/$1"
	for file in "name $2" 'constraint_0_name long_term' \
		'constraint_0_power_limit_uw 350000000' \
		'constraint_0_max_power_uw 500000000' \
		'constraint_1_name short_term' \
		'constraint_1_power_limit_uw 420000000' \
		"energy_uj $3" 'max_energy_range_uj 262143328850'; do
		echo "${file#* }" >"$root/sys/class/powercap/$1/${file%% *}"
	done
}

# frequency CPU NOW [BASE] in kHz, of 2.6 GHz
frequency() {
	mkdir -p "$root/sys/devices/system/cpu/cpu$1/cpufreq"
	echo "$2" >"$root/sys/devices/system/cpu/cpu$1/cpufreq/scaling_cur_freq"
	echo 2600000 >"$root/sys/devices/system/cpu/cpu$1/cpufreq/cpuinfo_max_freq"
	[ $# = 2 ] ||
		echo "$3" >"$root/sys/devices/system/cpu/cpu$1/cpufreq/base_frequency"
}

two numbers
watching
put pkg0-dom0/plr/core1/active 'POWER POWER_PKG_PL1_MSR_TPMI'
zone intel-rapl:0 package-0 100000000
zone intel-rapl:0:0 dram 100000000
zone intel-rapl:1 package-1 100000000
frequency 0 800000
frequency 1 1900000
passing <<-'END'
[ "$2" != 500 ] || echo 448000000 >$root/sys/class/powercap/intel-rapl:0/energy_uj
END
run_test 0 plr && grep -qx 'Package 0: PL1 350 W of 500 W, set in band; 348 W drawn; 1.9 of 2.6 GHz' "$tmp/out" &&
	! grep -q '^Package 1' "$tmp/out"
verdict $? "plr: limits, power drawn and frequency of what is limited"
run_test 0 plr --json && is_json && grep -q '"pl1_uw": 350000000' "$tmp/out" &&
	grep -q '"now_khz": 1900000' "$tmp/out"
verdict $? "plr: --json has the numbers"

echo 262100000000 >"$root/sys/class/powercap/intel-rapl:0/energy_uj"
put pkg0-dom0/plr/core1/active 'POWER POWER_PKG_PL2_PCS'
frequency 1 2100000 2000000
passing <<-'END'
[ "$2" != 500 ] || echo 356671150 >$root/sys/class/powercap/intel-rapl:0/energy_uj
END
run_test 0 plr && grep -qx 'Package 0: PL1 350 W of 500 W; PL2 420 W, set out of band; 400 W drawn; 2.1 of 2.6 GHz, base 2.0' "$tmp/out"
verdict $? "plr: the second limit, a counter of energy that starts again"

put pkg0-dom0/plr/core1/active none
passing </dev/null
run_test 0 plr && ! grep -q drawn "$tmp/out"
verdict $? "plr: no numbers without a limit"
put pkg0-dom0/plr/core1/active POWER
for bad in x -1 99999999999999999999 ''; do
	echo "$bad" >"$root/sys/class/powercap/intel-rapl:0/energy_uj"
	echo "$bad" >"$root/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw"
	frequency 1 "$bad" "$bad"
	run_test 0 plr && silent && ! grep -q '^Package 0:' "$tmp/out"
	verdict $? "plr: a number '$bad' is none"
done

# ---- one register read for a die
two dies
put pkg0-dom0/plr/core0/reasons none
run_test 0 plr --dies && prints <<-'END'
Of 1 part 1 limited now or before (?)

PACKAGE  DOMAIN  PART  CPUS  NOW  SINCE
0        0       die   -     ?    POWER
END
verdict $? "plr: --dies has the dies"
run_test 0 plr --dies --json && is_json && grep -q '"name": "die"' "$tmp/out" &&
	! grep -q '"name": "core\|"name": "mesh' "$tmp/out"
verdict $? "plr: --dies --json has nothing else"
put pkg0-dom0/plr/die/active POWER
zone intel-rapl:0 package-0 1
run_test 0 plr --once --json && grep -q '"numbers"' "$tmp/out" &&
	run_test 0 plr --dies --json && ! grep -q '"numbers"' "$tmp/out"
verdict $? "plr: --dies reads no numbers"
run 64 plr --dies --cpu 0
verdict $? "plr: --dies and --cpu are wrong usage"
if command -v strace >/dev/null && [ "$(id -u)" = 0 ]; then
	strace -f -e trace=openat,openat2 -o "$tmp/trace" \
		"$PMONCTL" --sysroot "$root" plr --dies >/dev/null 2>&1
	[ "$(grep -c '/reasons"' "$tmp/trace")" = 1 ]
	verdict $? "plr: --dies reads one file that asks the hardware"
fi

# ---- 288 CPUs in 24 lines
# real: two packages of three dies with 24 modules of two CPUs; every die has
# bits since boot, one package is limited now, each die by something else
real() {
	new_tree "$1"
	passing </dev/null
	for p in 0 1; do
		for d in 0 1 2; do
			first=$((p * 72 + d * 24))
			domain $p $d "$first-$((first + 23)),$((first + 144))-$((first + 167))"
			put pkg$p-dom$d/plr/die/reasons 'POWER THERMAL'
			put pkg$p-dom$d/plr/die/active none
			put pkg$p-dom$d/plr/mesh0/reasons DFC
			put pkg$p-dom$d/plr/mesh0/active none
			m=0
			while [ $m -lt 24 ]; do
				core $p $d $m "$((first + m)),$((first + m + 144))" 'POWER THERMAL'
				put pkg$p-dom$d/plr/core$m/active none
				m=$((m + 1))
			done
		done
	done
	for m in 3 5 7 9 11; do
		put pkg0-dom$((m % 3))/plr/core$m/active 'POWER POWER_PKG_PL1_MSR_TPMI'
	done
	zone intel-rapl:0 package-0 1
	zone intel-rapl:1 package-1 1
}

real screen
run_test 0 plr && silent && [ "$(wc -l <"$tmp/out")" -le 22 ] &&
	grep -q '^0-1 *0-2 *die .* POWER THERMAL up to 12 d ago$' "$tmp/out"
verdict $? "plr: a real host with 288 CPUs fits 24 lines"
if script -qec true /dev/null >/dev/null 2>&1; then
	# Each module of a package by another reason: more lines than rows.
	m=0
	for name in CURRENT THERMAL PLATFORM MCP RAS MISC QOS DFC FREQUENCY; do
		for d in 0 1 2; do
			put pkg1-dom$d/plr/core$m/active "$name"
			put pkg1-dom$d/plr/core$((m + 9))/active "$name POWER"
		done
		m=$((m + 1))
	done
	script -qec "stty rows 24 cols 80; exec '$PMONCTL' --sysroot '$root' plr" \
		/dev/null >"$tmp/out" 2>&1
	tr -d '\r' <"$tmp/out" |
		awk '{ n += length($0) ? int((length($0) + 79) / 80) : 1 }
			END { exit n > 23 }' &&
		grep -q '([0-9]* more lines; a pipe or file gets all)' "$tmp/out"
	verdict $? "plr: on a terminal no more than a screen is shown, and that there is more"
fi
