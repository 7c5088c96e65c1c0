#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Check the patches of tools/upstream for cxl_pmu in turn: the check of each fails
# without the patch, and passes with it and with all later ones. Counts are compared
# with the hardware's. Patches 2 (names) and 3 need the driver queued for 7.4: if the newest
# kernel is older, set CXL_PMU_SRC to a tree with that driver.
# kernels: newest
# coverage: no, none of our drivers
# check: none
. "$(dirname "$0")/../lib/tap.sh"
. "$CASES/lib/upstream-host.sh"

patched cxl_pmu 3
checks='1 2 3'
[ "${all:?}" = 3 ] || {
	checks=1
	ok 'names, and a wrap once # SKIP newest is older than 7.4, and CXL_PMU_SRC= names no tree'
}
# CPMU 5 counts states of load, and how long requests wait; CPMU 6 wraps 15 times a second.
cpmus=$(machine cxl-peer '
m["cxl"][0]["cpmu"].append(dict(counters=3, filters=0,
    capabilities=[{"group": "0x30", "mask": 15}, {"group": "0x31", "mask": 3}]))
m["cxl"][0]["cpmu"].append(dict(counters=1, width=26, filters=0,
    capabilities=[{"group": 0, "mask": 1}]))')

cat >"$TMP/checks.sh" <<'S'
. /lib/test/cxl.sh
P=cxl_pmu_mem0.0 LOAD=cxl_pmu_mem0.5
modprobe cxl_pci
load() { insmod /root/"$1"/cxl_pmu.ko; }
unload() { rmmod cxl_pmu; }

# before: reset the registers, and set the knobs (open points of the specification) as
# cxl_pmu expects
before() {
	for cpmu in 0 5 6; do hw cpmu 0.$cpmu reset; done
	cxl_kind 0.0 0.5 0.6
	for id in 0 2 4; do hw cpmu 0.0 rate 0x1e98 0x20 $id 0; done
	hw truth reset
}

check_1() {
	name='a threshold of 256'
	perf stat -a -e $P/m2s_req_meminv,threshold=256/ -- true 2>&1 |
		grep -q '<not supported>' && upstream_verdict refused refused || upstream_verdict counted refused
}
check_2() {
	name='names of groups 30h and 31h'
	right=0
	for event in devload_light=0x30/0x1 devload_optimal=0x30/0x2 \
		devload_moderate_overload=0x30/0x4 devload_severe_overload=0x30/0x8 \
		m2s_req_resid_cnt=0x31/0x1 m2s_rwd_resid_cnt=0x31/0x2; do
		hw truth reset
		cxl_count $LOAD/${event%%=*}/ sleep 0.02 >got
		bits=${event#*=}
		[ "$(cut -d' ' -f1 got)" != "$(cxl_truth 0.5 ${bits%/*} ${bits#*/})" ] ||
			right=$((right + 1))
	done
	upstream_verdict "$right right" '6 right'
}
check_3() {
	name='thirty thousand reads of a counter that wraps'
	got=$(./reads cxl_pmu_mem0.6 0 0x1e98000000000001 30000)
	upstream_verdict "$((${got##*=} - $(cxl_truth 0.6 0x0 0x1))) more" '0 more'
}
S
cat >"$TMP/ours.sh" <<'S'
load() { modprobe pmon_cxl; }
unload() { rmmod pmon_cxl; }
S

for k in $KERNELS; do
	# shellcheck disable=SC2086 # words
	one_by_one "$k" $checks -- --machine "$cpmus" --program cxlmem --program reads
done
finish
