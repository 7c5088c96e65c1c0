#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test overflows of counters. A timer reads counters of 32 bits before they wrap twice. The
# driver requests no interrupt, even if the CPMU has one. A CPMU with counters of 25 bits
# is rejected with a line in the log. Residencies, which are much faster, lose no wrap on
# wide counters and are refused on narrow ones. A tick undoes a freeze by others. A CPMU
# whose registers cannot be written while frozen counts like any other.
# all kernels: 6.12
# kernels: 6.1 6.12 newest
# check: none
. "$(dirname "$0")/../lib/tap.sh"

narrow=$(machine cxl-peer '
groups = [{"group": "0x20", "mask": "0xffff"}, {"group": 0, "mask": 1}]
def cpmu(groups=groups, **more):
    return dict(counters=4, filters=0, capabilities=groups, **more)
m["cxl"][0]["cpmu"] = [cpmu(width=32), cpmu(width=32, msi=0),
                       cpmu(width=32, msi=8), cpmu(width=32, interrupt=False, freeze=False),
                       cpmu(width=25), cpmu(width=48),
                       cpmu(width=32, msi=2),
                       dict(counters=1, width=40, filters=0,
                            capabilities=[{"group": "0x31", "mask": "3"}]),
                       dict(counters=4, filters=0,
                            capabilities=[{"group": "0x20", "mask": "1"},
                                          {"group": "0x20", "mask": "1"},
                                          {"group": 0, "mask": 1}],
                            fixed=[{"counter": 0, "capability": 0},
                                   {"counter": 2, "capability": 2}],
                            free_running=[{"counter": 3, "capability": 2}]),
                       dict(counters=2, width=32, msi=11, filters=1, write_frozen=False,
                            capabilities=groups),
                       dict(counters=2, filters=0,
                            capabilities=[{"group": "0x20", "mask": "1"},
                                          {"group": "0x20", "mask": "1"}],
                            fixed=[{"counter": 0, "capability": 0, "threshold": 8}]),
                       cpmu(width=31, groups=[{"group": "0x31", "mask": "3"}] + groups),
                       cpmu(width=33, groups=[{"group": "0x31", "mask": "3"}] + groups)]')
each_vm --machine "$narrow" --drivers none <<'SCRIPT'
P=cxl_pmu_mem0
modprobe cxl_pci
modprobe pmon_cxl
is "$(grep -c $P /proc/interrupts)" 0 'pmon_cxl requests no interrupt'
is "$(dmesg | sed -n 's/.*pmon_cxl: //p')" \
	'CPMU 4: capability 0x1007c00000101903 has counters that wrap before they can be read' \
	'a CPMU with counters of 25 bits is rejected in one line of the log'

# wraps SECONDS CPMU EVENTS ID...: make the events with these IDs fast; cxl_count EVENTS for SECONDS
wraps() {
	seconds=$1 cpmu=$2 events=$3
	shift 3
	hw truth reset
	for id; do
		hw cpmu "$cpmu" rate 0x1e98 0x20 "$id" 1000
	done
	cxl_count "$events" sleep "$seconds" >got
}
for n in 0 1; do
	wraps 5 0.$n $P.$n/m2s_req_meminv/ 0
	counted=$(cut -d' ' -f1 got)
	is "$counted" "$(cxl_truth 0.$n 0x20 0x1)" "CPMU $n: the count is exact over a wrap"
	is "$((counted > 1 << 32))" 1 "CPMU $n: the counter wrapped"
done
wraps 5 0.6 "$P.6/m2s_req_meminv/,$P.6/m2s_req_memrd/,$P.6/m2s_req_memrddata/,$P.6/m2s_req_memrdfwd/" \
	0 1 2 3
is "$(cut -d' ' -f1 got | tr '\n' ' ')" "$(for mask in 1 2 4 8; do
	cxl_truth 0.6 0x20 0x$mask
done | tr '\n' ' ')" 'four fast events count exactly over wraps'
hw truth reset
cxl_count $P.3/clock_ticks/ sleep 5 >got
is "$(cut -d' ' -f1 got)" "$(cxl_truth 0.3 0x0 0x1)" 'a CPMU without an interrupt counts exactly over a wrap'
is "$(($(cut -d' ' -f1 got) > 1 << 32))" 1 'the counter without an interrupt wrapped'
hw cpmu 0.7 knob threshold spec
hw cpmu 0.7 knob residency sum
# 28.5 requests wait at a time, at 1 GHz, so the counter wraps after 0.6 s. With intervals, set
# the rate to 0 before the last one ends, because the event counts on after it.
for wait in end interval; do
	hw cpmu 0.7 poke 0xc00 $(((1 << 40) - (1 << 34)))
	hw cpmu 0.7 rate 0x1e98 0x31 0 28500
	hw truth reset
	perf stat -x'|' -a $([ $wait = end ] || echo -I 400) -e $P.7/m2s_req_resid_cnt/ \
		-o got -- sh -c "sleep 1.2
			[ $wait = end ] || hw cpmu 0.7 rate 0x1e98 0x31 0 0; sleep 0.3"
	sum=$(awk -F'|' -v n=$([ $wait = end ] && echo 1 || echo 2) \
		'NF > 3 { sum += $n } END { printf "%.0f", sum }' got)
	is "$sum" "$(cxl_truth 0.7 0x31 0x1)" "residency read at its $wait is exact over a wrap"
	is "$((sum > 1 << 34))" 1 "residency read at its $wait wrapped"
done
is "$(dmesg | grep "pmon: .*$P")" '' 'the log has no line on another agent'

# A fixed-function counter and a configurable counter count the same event.
hw truth reset
cxl_count "$P.8/m2s_req_meminv/,$P.8/m2s_req_meminv/" sleep 0.1 >got
is "$(awk '$1 > 0 { n++; sum += $1 } END { print n, sum }' got)" \
	"2 $(cxl_truth 0.8 0x20 0x1)" 'a fixed and a configurable counter count one event at the same time'

# While the CPMU is frozen, counters cannot be written, and the driver writes none.
is "$(($(hw cpmu 0.9 | sed -n 's/^capability=\([^ ]*\) .*/\1/p') >> 48 & 3))" 2 \
	'the CPMU can be frozen and not be written while frozen'
for id in 0 1 2 3; do
	hw cpmu 0.9 rate 0x1e98 0x20 $id 1000
done
for pair in meminv=0x1,memrd=0x2 memrddata=0x4,memrdfwd=0x8 memrd=0x2,meminv=0x1; do
	a=${pair%,*} b=${pair#*,}
	hw truth reset
	cxl_count "$P.9/m2s_req_${a%=*}/,$P.9/m2s_req_${b%=*}/" sleep 0.05 >got
	is "$(cut -d' ' -f1 got | tr '\n' ' ')" \
		"$(cxl_truth 0.9 0x20 ${a#*=}) $(cxl_truth 0.9 0x20 ${b#*=}) " \
		"CPMU not writable while frozen: ${a%=*} and ${b%=*} count exactly after another group"
done
# Let two groups take turns. The driver must disable a counter before another event gets it.
cxl_count "{$P.9/m2s_req_meminv/,$P.9/m2s_req_memrd/},{$P.9/m2s_req_memrddata/,$P.9/m2s_req_memrdfwd/}" \
	sleep 0.5 >got
is "$(awk '$1 + 0 > 0' got | wc -l)" 4 'two groups take turns on two counters'
# A fixed counter with a threshold of 8 counts only events with this threshold.
hw truth reset
cxl_count "$P.10/m2s_req_meminv/,$P.10/m2s_req_meminv,threshold=8/" sleep 0.05 >got
is "$(cut -d' ' -f1 got | tr '\n' ' ')" "$(cxl_truth 0.10 0x20 0x1 threshold=1) 0 " \
	'only the event with threshold 8 counts on a fixed counter with threshold 8'
like "$(perf stat -a -e "{$P.10/m2s_req_meminv/,$P.10/m2s_req_meminv/}" -- true 2>&1)" \
	'<not supported>' 'perf refuses two events on a fixed counter with another threshold'
# A CPMU without freeze has no snapshots, because its counters cannot be read at one moment.
is "$(ls $PMUS/$P.3/format | grep -c snapshot) $(ls $PMUS/$P.2/format | grep -c snapshot)" '0 1' \
	'a CPMU without freeze has no term snapshot'
like "$(perf stat -a -e $P.3/config=0x1e98002000000001,config1=0x8000000000000000/ -- true 2>&1)" \
	'<not supported>|Invalid' 'perf refuses the snapshot bit on a CPMU without freeze'

# A free-running counter is not frozen, so a snapshot takes the fixed counter of the clock.
cxl_count "{$P.8/m2s_req_meminv,snapshot=1/,$P.8/clock_ticks/}" sleep 0.05 >got
is "$(awk '$1 + 0 > 0' got | wc -l)" 2 \
	'a snapshot counts with a clock that has a fixed and a free-running counter'

# Some events may raise a counter by more than one in a clock. On counters of 33 bits they lose
# no wrap. On counters of 31 bits they are refused unless a threshold limits them to one.
cxl_adds 0.11 0.12
for n in 11 12; do
	hw cpmu 0.$n rate 0x1e98 0x31 0 28500
done
for e in $P.11/m2s_req_resid_cnt/ $P.11/m2s_req_all/ $P.11/vid=0x1e98,gid=0x20,mask=3/; do
	like "$(perf stat -a -e $e -- true 2>&1)" '<not supported>' "31 bits: perf refuses $e"
done
wraps 4 0.11 $P.11/m2s_req_resid_cnt,threshold=1/
is "$(cut -d' ' -f1 got)" "$(cxl_truth 0.11 0x31 0x1 threshold=1)" '31 bits: an event with a threshold counts exactly'
is "$(($(cut -d' ' -f1 got) > 1 << 31))" 1 '31 bits: the counter wrapped'
wraps 2 0.12 $P.12/m2s_req_resid_cnt/
is "$(cut -d' ' -f1 got)" "$(cxl_truth 0.12 0x31 0x1 threshold=0)" '33 bits: waiting requests count exactly'
is "$(($(cut -d' ' -f1 got) > 5 << 33))" 1 '33 bits: the counter wrapped more than five times'
# A freeze by another agent is undone at the next tick.
hw truth reset
cxl_hold 0.12 $P.12/m2s_req_memrd/
hw cpmu 0.12 poke 0x18 0xf
becomes "hw cpmu 0.12 | grep -qE 'freeze=0x0( |$)'"
is "$(hw cpmu 0.12 | sed -n 's/.*freeze=\([^ ]*\).*/\1/p')" 0x0 'a tick undoes a freeze by another agent'
cxl_release
is "$(awk '{ sum += $NF } END { print sum }' $PMUS/$P.12/disturbed)" 1 \
	'disturbed has one for the freeze by another agent'
becomes 'dmesg | grep -q "$P.12: the box of .* was reset or changed by another program or firmware"'
is "$(dmesg | grep -c "$P.12: the box of .* was reset or changed by another program or firmware")" 1 \
	'the log has one line on the freeze by another agent'
is "$(hw illegal)" '' 'pmon_cxl makes no access that hardware forbids over wraps'
runs 'pmon_cxl unloads after wraps' rmmod pmon_cxl
SCRIPT
finish
