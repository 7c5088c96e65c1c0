# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl plr: a large host, --cpu, --clear, --watch.

# The shape of a host with two packages of three dies and 288 CPUs.
large() {
	new_tree "$1"
	for p in 0 1; do
		for d in 0 1 2; do
			first=$((p * 72 + d * 24))
			domain $p $d "$first-$((first + 23)),$((first + 144))-$((first + 167))"
			m=0
			while [ $m -lt 24 ]; do
				core $p $d $m "$((first + m)),$((first + m + 144))" none
				m=$((m + 1))
			done
		done
	done
}

large large
put pkg0-dom1/plr/die/reasons 'POWER THERMAL'
m=0
while [ $m -lt 24 ]; do
	put pkg0-dom1/plr/core$m/reasons 'POWER POWER_PKG_PL1_MSR_TPMI'
	m=$((m + 1))
done
put pkg0-dom1/plr/core7/reasons 'THERMAL THERMAL_PER_CORE'
put pkg0-dom1/plr/core8/reasons none
run 0 plr && silent && prints <<-'END'
Of 156 parts 24 limited now or before (?)

PACKAGE  DOMAIN  PART          CPUS                         NOW  SINCE
0        1       die           -                            ?    POWER THERMAL
0        1       core0-6,9-23  24-30,33-47,168-174,177-191  ?    POWER POWER_PKG_PL1_MSR_TPMI
0        1       core7         31,175                       ?    THERMAL THERMAL_PER_CORE

Package 0 domain 0,2, not limited: die mesh0 core0-23
Package 0 domain 1, not limited: mesh0 core8
Package 1 domain 0-2, not limited: die mesh0 core0-23
END
verdict $? "plr: modules with the same reasons share a line"

new_tree cpus
domain 0 0 0-3
domain 1 2 4-7
core 0 0 0 0-1 none
core 0 0 1 2-3 'POWER POWER_FAST_RAPL'
core 1 2 5 4-7 none
for c in 0 1; do cpu $c 0 0 0; done
for c in 2 3; do cpu $c 0 0 1; done
for c in 4 5 6 7; do cpu $c 1 2 5; done
cpu 8
run 0 plr --cpu 3 && silent && prints <<-'END'
Of 1 part 1 limited now or before (?)

PACKAGE  DOMAIN  PART   CPUS  NOW  SINCE
0        0       core1  2-3   ?    POWER POWER_FAST_RAPL
END
verdict $? "plr: --cpu shows the module of a CPU"

run 0 plr --cpu 2-5,3,7 && silent && prints <<-'END'
Of 2 parts 1 limited now or before (?)

PACKAGE  DOMAIN  PART   CPUS  NOW  SINCE
0        0       core1  2-3   ?    POWER POWER_FAST_RAPL

Package 1 domain 2, not limited: core5
END
verdict $? "plr: --cpu takes a list and shows each module once"

run 0 plr --cpu 3 --json && is_json && grep -q '"name": "core1"' "$tmp/out" &&
	! grep -q 'core0\|pkg1' "$tmp/out"
verdict $? "plr: --cpu with --json"

run 1 plr --cpu 3,8 && grep -q 'core1' "$tmp/out" &&
	complains 'cpu8/plr: no limits are shown for this CPU'
verdict $? "plr: --cpu names a CPU without limits, and shows the others"
run 2 plr --cpu 8 && prints </dev/null
verdict $? "plr: --cpu without any module has nothing to show"
run 2 plr --cpu 9 && complains 'cpu9/plr: there is no such CPU'
verdict $? "plr: --cpu names a CPU that is not there"
run 1 plr --cpu 0-3,8,9-8191 && complains 'cpu8/plr: no limits' &&
	complains 'cpu9-8191/plr: there is no such CPU'
verdict $? "plr: --cpu names several that are not there at once"
for bad in '' x 3- -3 3-2 1,,2 '1,' '1 2' '8192,'; do
	run 64 plr "--cpu=$bad" && complains 'not a list of CPUs'
	verdict $? "plr: --cpu '$bad' is wrong usage"
done
for bad in 8192 0-8192 99999999999 4294967296 18446744073709551616 \
	0-4000000000 4000000000-0; do
	run 64 plr "--cpu=$bad" &&
		complains "--cpu $bad: numbers of CPUs are 0 to 8191"
	verdict $? "plr: --cpu '$bad' is wrong usage: too high"
done

# lean STATUS ARG...: run with little memory. The sanitizer takes all addresses
# there are, so it is told what an array may have.
lean() {
	if grep -q __asan_init "$PMONCTL"; then
		ASAN_OPTIONS=max_allocation_size_mb=16 run "$@"
	else
		# shellcheck disable=SC3045 # dash has it, as bash
		(ulimit -v 65536 && run "$@")
	fi
}

# commas COUNT TEXT: so often, with commas between
commas() {
	awk -v n="$1" -v s="$2" 'BEGIN {
		for (i = 1; i < n; i++) printf "%s,", s
		printf "%s", s }'
}

for range in 0-4000000000 0-65535; do
	lean 64 plr --cpu "$(commas 3000 $range)" &&
		complains "--cpu $range,$range" && complains '...: numbers of' &&
		[ "$(wc -c <"$tmp/err")" -lt 400 ]
	verdict $? "plr: --cpu with 3000 ranges $range"
done
lean 1 plr --cpu "$(commas 3000 0-8191)" && complains 'no such CPU' &&
	grep -q '^0  *0  *core1  *2-3 ' "$tmp/out"
verdict $? "plr: --cpu with 3000 ranges of all CPUs"
lean 64 plr --cpu "$(commas 30000 0-7x | tr -d ,)" && complains 'not a list'
verdict $? "plr: --cpu with a long word"
lean 64 plr --cpu "$(awk 'BEGIN { for (i = 0; i < 100000; i++) printf 9 }')" &&
	complains 'numbers of CPUs are'
verdict $? "plr: --cpu with a long number"
put pkg0-dom0/plr/core1/cpus "$(commas 100000 0-8191)"
lean 0 plr --package 0 && grep -q '^0  *0  *core1  *0-8191 ' "$tmp/out"
verdict $? "plr: a file cpus with a long list"
run 64 plr --cpu 3 --package 0
verdict $? "plr: --cpu and --package are wrong usage"

# cleared PART TEXT: what was written to its clear
cleared() {
	[ "$(cat "$(class)/pkg0-dom0/plr/$1/clear")" = "$2" ] && return 0
	echo "# $1: \"$(cat "$(class)/pkg0-dom0/plr/$1/clear")\", not \"$2\""
	return 1
}

to_clear() {
	new_tree "$1"
	domain 0 0 0-2
	put pkg0-dom0/plr/die/reasons 'POWER THERMAL'
	core 0 0 0 0 'POWER POWER_FAST_RAPL'
	core 0 0 1 1 'THERMAL THERMAL_PER_CORE'
	core 0 0 2 2 none
	cpu 0 0 0 0
}

to_clear clear-all
run 0 plr --clear && silent && grep -q 'POWER POWER_FAST_RAPL' "$tmp/out" &&
	grep -q '^Cleared in 3 parts\.$' "$tmp/out" &&
	cleared die 'POWER THERMAL' && cleared mesh0 '' &&
	cleared core0 'POWER POWER_FAST_RAPL' &&
	cleared core1 'THERMAL THERMAL_PER_CORE' && cleared core2 ''
verdict $? "plr: --clear shows, and clears what it has shown"

to_clear clear-names
run 0 plr --clear power POWER_FAST_RAPL && cleared die 'POWER' &&
	cleared core0 'POWER POWER_FAST_RAPL' && cleared core1 '' &&
	grep -q '^Cleared in 2 parts\.$' "$tmp/out"
verdict $? "plr: --clear with names leaves the others"

to_clear clear-one
run 0 plr --cpu 0 --clear && cleared die '' && cleared core1 '' &&
	cleared core0 'POWER POWER_FAST_RAPL'
verdict $? "plr: --clear with --cpu leaves the others"

to_clear clear-json
run 0 plr --clear THERMAL --json && is_json && silent
verdict $? "plr: --clear --json is JSON"
if command -v python3 >/dev/null; then
	python3 - "$tmp/out" <<-'END'
	import json, sys
	d, = json.load(open(sys.argv[1]))["domains"]
	p = {x["name"]: x for x in d["parts"]}
	assert p["die"]["cleared"] == ["THERMAL"]
	assert p["die"]["reasons"] == ["POWER", "THERMAL"]
	assert "cleared" not in p["core0"] and p["core2"]["reasons"] == []
	END
	verdict $? "plr: --json tells what was cleared"
fi

to_clear clear-refused
rm "$(class)/pkg0-dom0/plr/core0/clear"
mkdir "$(class)/pkg0-dom0/plr/core0/clear"
run 1 plr --clear && complains 'core0/clear' &&
	cleared core1 'THERMAL THERMAL_PER_CORE' &&
	grep -q '^Cleared in 2 parts\.$' "$tmp/out"
verdict $? "plr: a clear that fails is reported, the others are done"

run 64 plr --clear WARMTH && complains '--clear WARMTH: no such reason'
verdict $? "plr: an unknown name is wrong usage"
run 64 plr POWER && complains 'unexpected argument: POWER'
verdict $? "plr: names without --clear are wrong usage"
run 64 plr --watch --clear
verdict $? "plr: --watch and --clear are wrong usage"

# Nothing changes in a fake tree, so what is shown first is all.
watched() {
	to_clear "$1"
	for part in die mesh0 core0 core1 core2; do
		put pkg0-dom0/plr/$part/active none
	done
	put pkg0-dom0/plr/core0/active 'POWER POWER_FAST_RAPL'
	put pkg0-dom0/plr/core2/active 'POWER POWER_FAST_RAPL'
}

# for_a_moment COMMAND...: until it has written something, and 0.3 s
for_a_moment() {
	begin . "$@"
	sleep 0.3
	kill "$pid"
	wait "$pid"
}

watched watch-lines
for_a_moment "$PMONCTL" --sysroot "$root" plr --watch
verdict $? "plr: --watch ends well when asked to"
silent && sed -E 's/^[0-9-]{10}T[0-9:]{8}[+-][0-9]{2}:[0-9]{2} //' "$tmp/out" >"$tmp/lines" &&
	mv "$tmp/lines" "$tmp/out" && prints <<-'END'
watching 5 parts
package 0 domain 0 core0,2: POWER POWER_FAST_RAPL
END
verdict $? "plr: --watch into a file has a line for what is active"

watched watch-objects
for_a_moment "$PMONCTL" --sysroot "$root" plr --watch --json
verdict $? "plr: --watch --json ends well"
if command -v python3 >/dev/null; then
	python3 - "$tmp/out" <<-'END'
	import json, sys
	a, b = [json.loads(l) for l in open(sys.argv[1])]
	assert (a["package"], a["domain"], a["name"], a["cpus"]) == (0, 0, "core0", "0")
	assert a["active"] == ["POWER", "POWER_FAST_RAPL"]
	# RFC 3339, 5.6: the zone has a colon
	import re
	assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", a["time"])
	assert a["format"] == b["format"] == 1
	assert b["name"] == "core2" and b["reasons"] == b["active"]
	END
	verdict $? "plr: --watch --json has an object per line"
fi

# Containers may have no terminals.
if script -qec true /dev/null >/dev/null 2>&1; then
	watched watch-screen
	export TERM=vt100
	for_a_moment script -qec "stty rows 6 cols 60; exec '$PMONCTL' --sysroot '$root' plr --watch" /dev/null
	escape=$(printf '\033')
	tr -d '\r' <"$tmp/out" |
		sed "s/$escape\[[HKJ]//g; s/^[0-9:]\{8\}  //; s/ *\$//" >"$tmp/lines"
	mv "$tmp/lines" "$tmp/out"
	prints <<-'END'
	2 of 5 parts limited in the last second, 4 since>

	PACKAGE  DOMAIN  PART     CPUS  NOW                    SIN>
	0        0       core0,2  0,2   POWER POWER_FAST_RAPL  -
	(2 more lines)
	END
	verdict $? "plr: --watch draws one screen, no larger than the terminal"

	watched watch-dumb
	export TERM=dumb
	for_a_moment script -qec "exec '$PMONCTL' --sysroot '$root' plr --watch" /dev/null
	grep -q 'watching 5 parts' "$tmp/out" && ! grep -q "$escape" "$tmp/out"
	verdict $? "plr: --watch has no escape codes for a terminal that takes none"
fi

# nohup has the signal ignored before.
watched watch-nohup
begin . env --ignore-signal=HUP "$PMONCTL" --sysroot "$root" plr --watch
kill -HUP "$pid"
sleep 0.3
! grep -q ') Z ' "/proc/$pid/stat" && kill "$pid" && wait "$pid"
verdict $? "plr: --watch under nohup goes on after SIGHUP"

watched watch-unwatched
rm "$(class)/pkg0-dom0/plr/die/active"
run 2 plr --watch && complains 'die/active'
verdict $? "plr: --watch without the files is broken"
run 64 plr --watch --cpu x
verdict $? "plr: --watch checks --cpu"
