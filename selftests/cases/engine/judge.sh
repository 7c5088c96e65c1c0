#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Random operations of perf, the host and the hardware: each count is what the hardware
# counted, or in error, or said to be disturbed.
#
# JUDGE_SEED: random seed; JUDGE_ROUNDS, JUDGE_SECONDS: what ends first; JUDGE_WORKERS:
# processes with events; JUDGE_WITHOUT: operations to leave out, see lib/judge.c;
# JUDGE_MACHINE: gnr, gnr48 (all counters of 48 bits) or spr; JUDGE_LOG: print all operations
# kernels: 6.1 6.12 newest
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# Two packages with few units of each type. Counters of three widths, so of three periods,
# and each so narrow that a box that was changed is looked at soon.
few='
m["cpu"].update(cores=4, threads=1)
units = m["packages"][0]["discovery"]["units"]
for unit in units:
    unit["count"] = min(unit.get("count", 1), 2)
'
gnr="$few"'
m["cpu"].update(cpus_per_module=1)
m["packages"][0]["discovery"]["free_running"][0]["count"] = 2
m["packages"][0]["tpmi"]["plr"][0]["modules"] = 2
'
narrow='
for unit in units:
    unit["width"] = {6: 35, 7: 34}.get(unit["type"], 36)
'
tick=700
case ${JUDGE_MACHINE:-gnr} in
gnr) machine=$(machine gnr-2s "$gnr$narrow") ;;
gnr48) machine=$(machine gnr-2s "$gnr") tick=60000 ;;
spr) machine=$(machine spr-2s "$few$narrow") ;;
esac
seconds=${JUDGE_SECONDS:-300}
options="${JUDGE_SEED:-1} ${JUDGE_ROUNDS:-10} $seconds ${JUDGE_WORKERS:-0} $tick"

each_vm --machine "$machine" --program judge --module power --allow-illegal \
	--set options="$options ${JUDGE_WITHOUT:-none}" --set all="${JUDGE_LOG-}" \
	--timeout $((seconds * 2 + 600)) <<-'END'
	# machine: describe it; the functions are those of the discovery and of boxes
	machine() {
		for cpu in /sys/devices/system/cpu/cpu[0-9]*; do
			echo "cpu ${cpu##*cpu} $(cat "$cpu/topology/physical_package_id")"
		done
		for device in /sys/bus/pci/devices/*; do
			case $(cat "$device/device") in
			0x09a7 | 0x3241 | 0x3246 | 0x324a | 0x3250) echo "function ${device##*/}" ;;
			esac
		done
		grep . /sys/class/pmon/pkg*-uncore*/units | sed 's,.*/pkg\([0-9]*\)-[^:]*:,\1 ,' |
			while read -r pkg type _ id access _ counters _ pmu _; do
				unit "$pkg" "$type/$id" "$access" "$counters" "$pmu"
			done
	}
	# unit PACKAGE TYPE/ID ACCESS COUNTERS PMU: describe a unit: PMU, package, access,
	# counters, config of a free-running one, name. Controls differ by umask, too. Reset
	# what power-on left, so that all is clear after unloading.
	unit() {
		case $5 in
		*_iio_free_running*)
			echo "unit $5 $1 free 1 10ff $1/4097/${2#*/} 0"	# its clock
			echo "unit $5 $1 free 1 20ff $1/4097/${2#*/} 1"	# bytes in
			echo "unit $5 $1 free 1 30ff $1/4097/${2#*/} 9"	# bytes out
			;;
		*_imc_free_running*) echo "unit $5 $1 free 1 10ff $1/4102/${2#*/} 0" ;;
		*)
			! [ -e "/sys/bus/event_source/devices/$5/format/umask" ] ||
				! hw box "$1/$2" poke box 0x300 ||
				! hw box "$1/$2" poke box 0 || echo "unit $5 $1 $3 ${4%+*} 0 $1/$2"
			;;
		esac 2>/dev/null
	}
	insmod /root/power.ko
	mount -t cgroup2 none /sys/fs/cgroup
	mkdir /sys/fs/cgroup/judge
	# An oops leaves locks behind, and the guest would hang.
	echo 1 >/proc/sys/kernel/panic_on_oops
	echo 0 >/sys/module/suspend/parameters/pm_test_delay
	machine >/tmp/machine
	hw global all =0
	runs 'the judge ends' eval "/root/judge $options </tmp/machine >/tmp/said"
	note "$(cat /tmp/said)"
	# row KIND NAME: check that no operation was judged wrong so
	row() {
		is "$(grep -c " WRONG $1: " /tmp/judge.log)" 0 "$2"
	}
	row MORE 'no count is more than what the hardware counted'
	row LESS 'no count is less than what the hardware counted without a fault'
	row SILENT 'a count that misses something after a fault is said in disturbed'
	row BLAMED 'no box is said to be disturbed without a fault'
	row STILL 'once a fault is over, each box counts, and each event that is on'
	row FAILED 'no event is in error without a fault'
	row LEFT 'unloaded: each box that counted is clear and not frozen'
	row COMES_BACK 'modules unload, and all PMUs come back'
	# Without them nothing was judged.
	read -r _ _ _ _ strictly _ after _ </tmp/said
	runs 'many counts are judged without a fault' [ "$strictly" -gt 500 ]
	runs 'many counts are judged after a fault' [ "$after" -gt 50 ]
	if [ "$all" ]; then
		note "$(cat /tmp/judge.log)"
	else
		note "$(grep -B 60 ' WRONG ' /tmp/judge.log | head -n 1000)"
	fi
END
finish
