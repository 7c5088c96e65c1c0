# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2016
# pmonctl qualify: on a tree on which all is as it should be, and with one thing
# wrong at a time. Its modules, registers and events are the tree's; the memory that
# is copied is real.

# quads FILE VALUE...: little-endian
quads() {
	file=$1
	shift
	for value; do
		for shift in 0 8 16 24 32 40 48 56; do
			printf '%b' "$(printf '\\0%03o' $((value >> shift & 255)))"
		done
	done >>"$file"
}

# at FILE OFFSET BYTE: in a file with holes
at() {
	printf '%b' "$(printf '\\0%03o' "$3")" |
		dd of="$1" bs=1 seek=$(($2)) conv=notrunc 2>/dev/null
}

# clock PMU TYPE RATE: counts in a millisecond, of clockticks
clock() {
	box "$1" "$2" 0 clockticks=1 'cas_count_read=5*0.01' 'cas_count_write=6*0.01'
	rate "$2" 1 0 "$3"
}

# machine NAME: a memory controller in each kind of space, and limits. It moves
# 10 MiB/s more from the moment on at which memory is copied.
machine() {
	contested "qualify-$1"
	export FAKE="$root"
	mkdir -p "$root/sbin" "$root/dev/cpu/0" "$root/proc"
	cp "$bin"/* "$root/sbin/"
	printf '#!/bin/sh\n' >"$root/sbin/pause"
	chmod +x "$root/sbin/pause"
	rm -r "$root"/sys/bus/event_source/devices/*
	echo 'MemAvailable: 262144 kB' >"$root/proc/meminfo"
	topology 0 0
	: >"$(class)/pkg0-uncore0/units"
	for id in 0 1 2; do
		rate $((20 + id)) 5 0 10 1 5200
		rate $((20 + id)) 6 0 10 1 5200
	done
	sed -i 's/ 1 5200$//; 1,2s/$/ 1 5200/' "$root/counts"
	for id in 0 1 2; do
		clock uncore_imc_$id $((20 + id)) 800000
	done
	unit 0 6 imc 0 mmio 0x1000 1 48 uncore_imc_0 openpmon
	unit 0 6 imc 1 msr 0x2000 1 48 uncore_imc_1 openpmon
	unit 0 6 imc 2 pci 0x7e28438 1 48 uncore_imc_2 openpmon
	ours pmu uncore_imc_2 uncore_type_6_2
	ours format event config:0-7
	ours event clockticks event=0x1
	: >"$(class)/pkg0-uncore0/table"
	quads "$(class)/pkg0-uncore0/table" $((6 << 8)) 0 0 \
		$((1 | 4 << 8 | 8 << 24)) 0x1000 6 \
		$((1 | 1 << 8 | 3 << 24)) 0x2000 $((6 | 1 << 16)) \
		$((1 | 4 << 8 | 8 << 24)) 0x7e28438 $((6 | 2 << 16))
	mkdir -p "$root/sys/bus/pci/devices/0000:7e:05.0"
	for file in dev/mem dev/cpu/0/msr sys/bus/pci/devices/0000:7e:05.0/config; do
		truncate -s 65536 "$root/$file"
	done
	mkdir -p "$root/sys/bus/pci/devices/0000:7e:05.0"
	live pmon_plr
	domain 0 0 0-1
	put pkg0-dom0/plr/die/reasons POWER
	core 0 0 0 0-1 "POWER POWER_PKG_PL1_MSR_TPMI"
	cpu 0 0 0 0
	: >"$root/calls"
}

# qualifies STATUS
qualifies() {
	run_test "$1" qualify --rate 10
}

# finds TEST PATTERN: the verdict on it
finds_verdict() {
	grep -qE "^$1 +$2" "$tmp/out" && return 0
	sed 's/^/# /' "$tmp/out" "$tmp/err"
	return 1
}

# as_before: both drivers are loaded, and msr is not
as_before() {
	[ -d "$root/sys/module/pmon_uncore" ] &&
		[ -d "$root/sys/module/intel_uncore" ] &&
		[ ! -d "$root/sys/module/msr" ] && return 0
	sed 's/^/# /' "$root/calls"
	return 1
}

machine good
qualifies 0 && finds_verdict PASS 'registers +11 equal' &&
	finds_verdict PASS 'intel_uncore +counts clocks alike on 3 boxes' &&
	finds_verdict PASS 'clockticks +3 boxes, 3 of memory at 800 MHz' &&
	finds_verdict PASS 'memory copy' && finds_verdict PASS 'mailboxes' &&
	finds_verdict PASS 'limits'
verdict $? "qualify: all is well"
form=$here/../../../Documentation/hardware/form.txt
if [ -e "$form" ]; then
	for file in "$form" "$tmp/out"; do
		sed -n 's/^\([a-z]*:\).*/\1/p; s/^[-A-Z]*  *\([a-z_]*\( copy\)*\)\( .*\)*$/\1/p' "$file" \
			>"$tmp/$(basename "$file").labels"
	done
	diff -u "$tmp/form.txt.labels" "$tmp/out.labels" | sed 's/^/# /'
	cmp -s "$tmp/form.txt.labels" "$tmp/out.labels" &&
		[ "$(grep -c . "$tmp/out.labels")" -ge 21 ]
	verdict $? "qualify: the report is the form of Documentation/hardware"
fi
as_before && [ "$(grep -c . "$root/calls")" = 10 ]
verdict $? "qualify: and the modules are as they were"
qualifies 0 && run_test 0 qualify --json --rate 10 && is_json &&
	grep -q '"verdict": "pass"' "$tmp/out"
verdict $? "qualify: --json"

# hook PROGRAM NAME COMMAND: what happens when it loads this module
hook() {
	printf 'case "$*" in *%s*) %s ;; esac\n' "$2" "$3" >>"$root/sbin/$1"
}

# One thing is wrong, and that alone fails, or also the second of two.
wrong() {
	qualifies 2 && finds_verdict FAIL "$1" &&
		[ "$(grep -c '^FAIL' "$tmp/out")" = "${2:-1}" ] && as_before
}
for space in mem:0x1004 cpu/0/msr:0x200a; do
	machine "register-${space#*:}"
	hook modprobe pmon_uncore \
		"printf x | dd of=$root/dev/${space%:*} bs=1 seek=$((${space#*:})) conv=notrunc 2>/dev/null"
	wrong 'registers +1 of 11 changed .* 0x(1004|2003) of imc [01]: 0x0, then 0x78'
	verdict $? "qualify: a register that a load changes, at ${space%:*}"
done
machine moving
config=$root/sys/bus/pci/devices/0000:7e:05.0/config
printf '#!/bin/sh\n[ $1 -gt 150 ] || date +%%N%%N | dd of=%s bs=1 seek=%d conv=notrunc 2>/dev/null\n' \
	"$config" $((0x438 + 8)) >"$root/sbin/pause"
qualifies 0 && finds_verdict PASS 'registers .* [1-9] move by themselves'
verdict $? "qualify: registers that move by themselves"
machine theirs
sed -n '/ 1 0 800000/p' "$root/counts" >"$tmp/clocks"
hook insmod intel_uncore "sed -i 's/^21 1 0 800000/21 1 0 850000/' $root/counts"
hook rmmod intel_uncore "sed -i 's/^21 1 0 850000/21 1 0 800000/' $root/counts"
wrong 'intel_uncore +counts clocks otherwise on 1 of 3 boxes; uncore_imc_1 is 5.9%'
verdict $? "qualify: a clock that intel_uncore counts otherwise"
machine sibling
sed -i 's/^22 1 0 800000/22 1 0 820000/' "$root/counts"
wrong 'clockticks +the clock of uncore_imc_2 is 2.4% from'
verdict $? "qualify: a clock that the neighbours have not"
machine unsteady
sed -i 's/^20 1 0 800000/& 60000 1200/' "$root/counts"
wrong 'clockticks +the clock of' 2
verdict $? "qualify: a clock that is not steady"
machine slow
sed -i 's/ 1 0 800000/ 1 0 20/' "$root/counts"
wrong 'clockticks +3 of 3 boxes count a clock that is none'
verdict $? "qualify: a clock that is none"
machine lying
sed -i 's/^20 6 0 10 1 5200/20 6 0 10 2 5200/' "$root/counts"
wrong 'memory copy +of [0-9]+ MiB .* count 10[0-9.]+% read and 20[0-9.]+% written'
verdict $? "qualify: a counter that counts twice what is written"
machine deaf
sed -i 's/^20 5 0 10 1 5200/20 5 0 10/' "$root/counts"
wrong 'memory copy .* count 0.0% read'
verdict $? "qualify: a counter that does not see what is read"
mkdir "$root/sys/bus/event_source/devices/uncore_mchbm_2"
qualifies 1 && finds_verdict - 'memory copy +memory of the package \(HBM\)'
verdict $? "qualify: what is copied may be in memory that is not counted"
machine silent
rm "$(class)/pkg0-dom0/plr/core0/reasons"
wrong 'mailboxes +1 modules do not answer, the first in pkg0-dom0: ENOENT'
verdict $? "qualify: a mailbox that does not answer"
# Logs are cleared each by itself, and by name: what is missing proves nothing.
machine fine
put pkg0-dom0/plr/core0/reasons POWER_PKG_PL1_MSR_TPMI
qualifies 0 && finds_verdict PASS 'limits'
verdict $? "qualify: a reason without its coarse one"
machine cleared-die
put pkg0-dom0/plr/die/reasons none
qualifies 1 && finds_verdict - 'limits +1 parts cannot be judged, as reasons were cleared, first in core0'
verdict $? "qualify: a die that was cleared, and its module not"
core 0 0 1 1 "THERMAL"
put pkg0-dom0/plr/mesh0/reasons POWER_PKG_PL1_MSR_TPMI
core 0 0 2 2 none
domain 0 1 2-3
put pkg0-dom1/plr/die/reasons POWER
core 0 1 0 2-3 POWER
qualifies 0 && finds_verdict PASS 'limits +8 parts, 5 with a reason; .*; 3 may have been cleared and cannot be judged'
verdict $? "qualify: the others of its parts are judged"
machine reserved
put pkg0-dom0/plr/mesh0/reasons RSVD_FINE22
wrong 'limits +a bit is set that has no meaning, first in mesh0'
verdict $? "qualify: a reserved bit"

# What it may not or cannot do.
machine refused
chmod 0 "$root/dev/mem"
rm "$root/dev/cpu/0/msr"
qualifies 0 && finds_verdict PASS 'registers .* may not be read: E'
verdict $? "qualify: registers that may not be read"
machine used
echo 2 >"$root/sys/module/pmon_uncore/refcnt"
qualifies 2 && complains 'pmon_uncore is in use' && [ ! -s "$root/calls" ]
verdict $? "qualify: nothing is done while an event is open"
machine fails
echo 'modprobe pmon_uncore' >"$root/fails"
qualifies 2 && complains 'the modules are not as they were'
verdict $? "qualify: a module that does not load"
machine absent
rm -r "$root"/sys/module/pmon_uncore "$root"/sys/module/intel_uncore \
	"$root"/sys/module/pmon "$root"/sys/module/pmon_plr
qualifies 0 && [ -z "$(ls "$root/sys/module")" ]
verdict $? "qualify: modules that were not loaded are not afterwards"
machine given
mkdir "$root/sys/module/pmon_uncore/parameters"
echo observe >"$root/sys/module/pmon_uncore/parameters/mode"
qualifies 0 && tail -n 2 "$root/calls" | grep -qx 'modprobe pmon_uncore mode=observe'
verdict $? "qualify: a module is loaded again with what it was given"

# A signal ends it soon, with the modules as they were.
machine signal
printf '#!/bin/sh\n[ $1 -lt 2000 ] || kill -INT $PPID\n' >"$root/sbin/pause"
timeout 30 "$PMONCTL_TEST" --sysroot "$root" qualify >"$tmp/out" 2>"$tmp/err"
[ $? = 130 ] && as_before && finds_verdict - 'all +interrupted'
verdict $? "qualify: a signal"
