#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Random operations of perf, the host and the hardware: each count is what the hardware
# counted, or in error, or said to be disturbed.
#
# JUDGE_SEED: random seed; JUDGE_SECONDS: duration; JUDGE_WORKERS: processes with events;
# JUDGE_WITHOUT: operations to leave out, see lib/judge.c; JUDGE_MACHINE: gnr, gnr48 (all
# counters of 48 bits) or spr; JUDGE_LOG: print all operations
# kernels: 6.1 6.12 newest
# all kernels: 6.12
. "$(dirname "$0")/../lib/tap.sh"

# Two packages with few units of each type; counters of three widths, so of three periods.
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
    unit["width"] = {6: 40, NARROWEST: 36, 7: 40}.get(unit["type"], unit.get("width", 48))
'
case ${JUDGE_MACHINE:-gnr} in
gnr) machine=$(machine gnr-2s "$gnr${narrow/NARROWEST/0}") ;;
gnr48) machine=$(machine gnr-2s "$gnr") ;;
spr) machine=$(machine spr-2s "$few${narrow/NARROWEST/1}") ;;
esac
seconds=${JUDGE_SECONDS:-100}
options="-t $seconds -s ${JUDGE_SEED:-1} -w ${JUDGE_WORKERS:-0} -x ${JUDGE_WITHOUT:-none}"
[ "${JUDGE_MACHINE-}" != gnr48 ] || options+=' -p 60000'

each_vm --machine "$machine" --program judge --module power --allow-illegal \
	--set options="$options" --set all="${JUDGE_LOG-}" --timeout $((seconds * 4 + 300)) <<-'END'
	insmod /root/power.ko
	mount -t cgroup2 none /sys/fs/cgroup
	/root/judge $options >/tmp/said || [ -s /tmp/said ] || not_ok 'the judge ends'
	cat /tmp/said
	tap_n=$(grep -cE '^(not )?ok ' /tmp/said)
	tap_failed=$(grep -c '^not ok ' /tmp/said)
	if [ "$all" ]; then
		note "$(cat /tmp/judge.log)"
	else
		note "$(grep -B 60 'WRONG: ' /tmp/judge.log | head -n 1000)"
	fi
END
finish
